import {
	type Expression,
	type Node,
	parse,
	type Pattern,
	type PrivateIdentifier,
	type SpreadElement,
	type Statement,
	type Super,
} from 'acorn';
import fc from 'fast-check';
import { type Tree, treesOf } from '../../../../nodes/OutboundCalls/domain/expression/tree';

/** What acorn, a parser of JavaScript, makes of a piece of code. */
type Parsed =
	Expression | Pattern | SpreadElement | PrivateIdentifier | Super | Statement | null | undefined;

const parts = (of: Tree[]): Tree => ({ is: 'parts', of });
const named = (tree: Tree): string | undefined => {
	const of = tree.is === 'bound' ? tree.to : tree;
	return of.is === 'name' ? of.name : undefined;
};

const BOTH = /^(?:&&|[&^|])$/;
const COMPARING = /^[=!]==?$/;

/** Of what is tied by operators that are no others, its operands: `a + b * c`, `a && b & c`. */
function operands(node: Parsed, isOf: (operator: string) => boolean): Parsed[] {
	return (node?.type === 'BinaryExpression' || node?.type === 'LogicalExpression') &&
		isOf(node.operator)
		? [...operands(node.left, isOf), ...operands(node.right, isOf)]
		: [node];
}
const isBoth = (operator: string): boolean => BOTH.test(operator);
const isCalculating = (operator: string): boolean =>
	!/^(?:\|\||\?\?)$/.test(operator) && !isBoth(operator) && !COMPARING.test(operator);

function treeOf(node: Parsed): Tree {
	switch (node?.type) {
		case 'Literal':
			if ('regex' in node && node.regex) return parts([]);
			return typeof node.value === 'string' || typeof node.value === 'number'
				? { is: 'literal', value: node.value }
				: { is: 'name', name: String(node.value) };
		case 'Identifier':
			return { is: 'name', name: node.name };
		case 'ParenthesizedExpression':
		case 'ChainExpression':
		case 'ExpressionStatement':
			return treeOf(node.expression);
		case 'MemberExpression': {
			const name: Tree =
				node.property.type === 'Identifier' && !node.computed
					? { is: 'literal', value: node.property.name }
					: treeOf(node.property);
			return { is: 'member', of: treeOf(node.object), name };
		}
		case 'CallExpression':
		case 'NewExpression':
			return { is: 'call', of: treeOf(node.callee), given: node.arguments.map(treeOf) };
		case 'ArrowFunctionExpression':
		case 'FunctionExpression':
			return { is: 'function', takes: node.params.map(treeOf), gives: treeOf(node.body) };
		case 'LogicalExpression':
			if (node.operator !== '&&')
				return { is: 'either', of: [treeOf(node.left), treeOf(node.right)] };
			return { is: 'parts', of: operands(node, isBoth).map(treeOf), isBoth: true };
		case 'BinaryExpression':
			if (COMPARING.test(node.operator))
				return {
					is: 'comparison',
					of: [treeOf(node.left), treeOf(node.right)],
					isLoose: node.operator.length === 2,
				};
			return isBoth(node.operator)
				? { is: 'parts', of: operands(node, isBoth).map(treeOf), isBoth: true }
				: parts(operands(node, isCalculating).map(treeOf));
		case 'ConditionalExpression':
			return {
				is: 'choice',
				asks: treeOf(node.test),
				then: treeOf(node.consequent),
				otherwise: treeOf(node.alternate),
			};
		case 'UnaryExpression':
			return node.operator === '!'
				? { is: 'not', of: treeOf(node.argument) }
				: parts([treeOf(node.argument)]);
		case 'SpreadElement':
		case 'RestElement':
			return parts([treeOf(node.argument)]);
		case 'ArrayExpression':
			return { is: 'parts', of: node.elements.map(treeOf), isList: true };
		case 'TemplateLiteral':
			return node.expressions.length > 0
				? parts(node.expressions.map(treeOf))
				: { is: 'literal', value: node.quasis[0]!.value.cooked! };
		case 'AssignmentPattern':
		case 'AssignmentExpression':
			return { is: 'bound', to: treeOf(node.left), value: treeOf(node.right), isEach: false };
		case 'ObjectExpression':
		case 'ObjectPattern':
			return {
				is: 'braces',
				entries: node.properties.map((each) =>
					each.type === 'Property'
						? [
								each.key.type === 'Identifier'
									? each.key.name
									: String((each.key as { value?: unknown }).value),
								treeOf(each.value),
							]
						: [undefined, treeOf(each)],
				),
			};
		case 'BlockStatement':
			return {
				is: 'braces',
				entries: node.body.flatMap(statements).map((tree) => [named(tree), tree]),
			};
		default:
			throw new Error(`The test draws no ${node?.type}`);
	}
}

function statements(node: Statement): Tree[] {
	switch (node.type) {
		case 'ReturnStatement':
			return [treeOf(node.argument)];
		case 'VariableDeclaration':
			return node.declarations.map(({ id, init }) => ({
				is: 'bound',
				to: treeOf(id),
				value: treeOf(init),
				isEach: false,
			}));
		case 'IfStatement':
			return [
				{ is: 'call', of: { is: 'name', name: 'if' }, given: [treeOf(node.test)] },
				...statements(node.consequent),
				...(node.alternate ? statements(node.alternate) : []),
			];
		default:
			return [treeOf(node)];
	}
}

const joined = (...drawn: Array<fc.Arbitrary<string> | string>): fc.Arbitrary<string> =>
	fc
		.tuple(...drawn.map((each) => (typeof each === 'string' ? fc.constant(each) : each)))
		.map((texts) => texts.join(''));
const oneOf = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const name = oneOf('a', 'json', '$json', 'of1', 'inn', 'newer', 'größe', 'typeofx', '_');
const operator = oneOf(
	' || ',
	'&&',
	' === ',
	'!==',
	'==',
	' != ',
	'&',
	' < ',
	'>=',
	' + ',
	'-',
	'*',
	' / ',
	' in ',
	' instanceof ',
	'>>>',
);
const blank = oneOf('', '', ' ', '\n', '/* ) */');
const takes = oneOf(
	'',
	'a',
	'a, b',
	'{ json }',
	'{ json: { a, b = 1 } }',
	'{ a, ...rest }',
	'a = 1, b',
);

const { expression } = fc.letrec<{
	expression: string;
	whole: string;
	code: string;
	given: string;
	statement: string;
}>((tie) => {
	const { expression, whole, code, given, statement } = {
		expression: tie('expression'),
		whole: tie('whole'),
		code: tie('code'),
		given: tie('given'),
		statement: tie('statement'),
	};
	return {
		expression: fc.oneof(
			{ maxDepth: 5, depthSize: 'max', withCrossShrink: true },
			oneOf('7', '1.5', "'it\\'s )'", '"a{b"', '`t \\` ]`', '/[/)]\\/x/gi', 'true', '[]', '({})'),
			{ weight: 4, arbitrary: code },
		),
		whole: fc.oneof(
			{ weight: 2, arbitrary: name },
			{ weight: 1, arbitrary: joined('(', expression, blank, ')') },
		),
		given: fc.oneof(
			fc.constant(''),
			expression,
			joined(expression, ', ', expression),
			joined('...', whole),
		),
		statement: fc.oneof(
			joined('return ', expression),
			joined('const ', name, ' = ', expression, '; return ', expression, ';'),
			joined(
				'if (',
				expression,
				') return ',
				expression,
				'; else { ',
				name,
				' = ',
				expression,
				' } return ',
				expression,
			),
			joined('const { a, b: c } = ', whole, '; return ', expression),
		),
		code: fc.oneof(
			joined(whole, oneOf('.', '?.'), name),
			joined(whole, oneOf('[', '?.['), expression, blank, ']'),
			joined(whole, oneOf('(', '.map(', '?.('), given, ')'),
			joined('new ', name, '(', given, ')'),
			joined(whole, blank, operator, blank, whole),
			joined(whole, operator, blank, whole, blank, operator, whole, operator, whole),
			joined('(', whole, ' ?? ', whole, ')'),
			joined('(', expression, blank, oneOf(' ? ', '?'), expression, ' : ', expression, ')'),
			joined('(', expression, '?.5:', expression, ')'),
			joined(oneOf('!', 'typeof ', '-'), whole),
			joined('[', given, ']'),
			joined(
				'({ ',
				name,
				': ',
				expression,
				', ',
				name,
				", 'k y': ",
				expression,
				', ...',
				whole,
				' })',
			),
			joined('((', takes, ') => ', expression, ')'),
			joined('((', takes, ') => { ', statement, ' })'),
			joined('(function (', takes, ') { ', statement, ' })'),
			joined('`x ${', expression, '} } ${', blank, expression, ' }`'),
		),
	};
});

it('is the tree that a parser of JavaScript makes of the same code', () => {
	let compared = 0;
	fc.assert(
		fc.property(expression, (code) => {
			let node: Node;
			try {
				node = parse(`(${code}\n)`, { ecmaVersion: 2022, preserveParens: true }).body[0]!;
			} catch {
				return; // No JavaScript.
			}
			// There, n8n ends the code.
			fc.pre(!code.includes('}}'));
			compared++;
			expect(treesOf(`={{ ${code} }}`)).toEqual([treeOf(node as Statement)]);
		}),
		{ numRuns: 5_000 },
	);
	expect(compared).toBeGreaterThan(4_000);
});
