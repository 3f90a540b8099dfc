/** What an expression is made of, as far as it tells which columns it takes. Operators other than these only hold their parts together. */
export type Tree =
	| { is: 'literal'; value: string | number }
	| { is: 'name'; name: string }
	/** `of.name`, `of["name"]`, `of[0]` */
	| { is: 'member'; of: Tree; name: Tree }
	| { is: 'call'; of: Tree; given: readonly Tree[] }
	/** A function; `takes` are its parameters, as names or as objects that take some apart. */
	| { is: 'function'; takes: readonly Tree[]; gives: Tree }
	/** `const to = value`; with `isEach`, `for (const to of value)` */
	| { is: 'bound'; to: Tree; value: Tree; isEach: boolean }
	/** `a || b`, `a ?? b` */
	| { is: 'either'; of: readonly [Tree, Tree] }
	/** `a === b`, `a !== b`; loose: `a == b`, `a != b` */
	| { is: 'comparison'; of: readonly [Tree, Tree]; isLoose: boolean }
	/** `!of` */
	| { is: 'not'; of: Tree }
	/** `asks ? then : otherwise` */
	| { is: 'choice'; asks: Tree; then: Tree; otherwise: Tree }
	/** An object, or statements: these have no keys. */
	| { is: 'braces'; entries: ReadonlyArray<readonly [key: string | undefined, Tree]> }
	/** `isBoth`: `a && b`; `isList`: `[a, b]` */
	| { is: 'parts'; of: readonly Tree[]; isBoth?: true; isList?: true };

const isExpression = (parameter: unknown): parameter is string =>
	typeof parameter === 'string' && parameter.startsWith('=');

/** Each code in a stored parameter, which ends at the next }} (n8n behaviour); none in one that is no expression. */
export const codesOf = (parameter: unknown): string[] =>
	isExpression(parameter)
		? [...parameter.matchAll(/\{\{([^]*?)\}\}/g)].map(([, code]) => code!)
		: [];

/** What that code is made of. What is no JavaScript is read as far as it goes: n8n refuses it. `inside`: of an object that it makes, a property. */
export function treesOf(parameter: unknown, inside: readonly unknown[] = []): Tree[] {
	const name = inside[0];
	if (typeof name !== 'string')
		return codesOf(parameter).flatMap((code) => new Parser(code).pieces());
	const written = isExpression(parameter) ? propertyIn(parameter, name) : undefined;
	// What stands in it is of the property, however deep.
	return written === undefined
		? treesOf(parameter).flatMap((tree) => propertyOf(tree, inside) ?? [])
		: treesOf(`=${written}`);
}

const CODE = /\{\{[^]*?\}\}/g;
const HIDDEN = /\0(\d+)\0/g;

/** The value of a property of JSON that is written with codes in it: `={ "phone": "{{ $json.phone }}" }`. */
function propertyIn(parameter: string, name: string): string | undefined {
	const codes: string[] = [];
	const text = parameter.replace(CODE, (code) => `\0${codes.push(code) - 1}\0`);
	let depth = 0;
	let value: string | undefined;
	for (const [token, key] of text.matchAll(JSON_TOKEN)) {
		if (depth === 1 && key !== undefined) {
			if (value !== undefined) break;
			if (key === name) value = '';
		} else if (value !== undefined) value += token;
		depth += DEPTH[token] ?? 0;
	}
	return value?.replace(HIDDEN, (_, place: string) => codes[Number(place)]!);
}

/** A key, a text, what opens and closes, and all else. */
const JSON_TOKEN = /"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]|[^"{}[\]]+|"/g;
const DEPTH: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** The value of a property of the object that a tree makes. */
function propertyOf(tree: Tree, [name, ...inside]: readonly unknown[]): Tree | undefined {
	const isObject = tree.is === 'braces' && tree.entries.some(([key]) => key !== undefined);
	if (!isObject)
		return partsOf(tree).reduce<Tree | undefined>(
			(found, part) => found ?? propertyOf(part, [name, ...inside]),
			undefined,
		);
	const [, value] = tree.entries.find(([key]) => key === name) ?? [];
	return (value && typeof inside[0] === 'string' ? propertyOf(value, inside) : undefined) ?? value;
}

const BLANK = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const TEXT = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"/y;
const NUMBER = /\.?\d[\w.]*/y;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const KEY = new RegExp(`(?:(${NAME.source}|\\d+)|(${TEXT.source}))\\s*:`, 'uy');

/** What stands before an operand and is the operand for all that matters here. */
const PREFIX = /(?:new|return|await|async|const|let|var|else|throw)\b(?!\s*[=:,)}.])/y;
const UNARY = /\.{3}|[-+~]|(?:typeof|void|delete)\b/y;
const FUNCTION = /function\b\s*\*?\s*[\w$]*/y;
const BOTH = /(?:&&|\^)(?!=)|&(?![&=])|\|(?![|=])/y;
const COMPARING = /[=!]==?/y;
const BINARY = /<<|>>>?|[<>]=?|\*\*(?!=)|[-+*/%](?!=)|(?:in|instanceof)\b/y;
const ASSIGNMENT = /(?:[-+*/%&|^]|\*\*|&&|\|\||\?\?)?=(?![=>])/y;

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const unescaped = (text: string): string =>
	text.replace(
		/\\(?:u([\da-f]{4})|x([\da-f]{2})|([^]))/gi,
		(_, u: string | undefined, x: string | undefined, other: string) =>
			(u ?? x) ? String.fromCharCode(parseInt((u ?? x)!, 16)) : (ESCAPED[other] ?? other),
	);
const unquoted = (text: string): string => unescaped(text.slice(1, -1));

const literal = (value: string | number): Tree => ({ is: 'literal', value });
const parts = (of: readonly Tree[]): Tree => (of.length === 1 ? of[0]! : { is: 'parts', of });

/** Reads JavaScript by descending from its weakest operators to names and texts. */
class Parser {
	private at = 0;

	constructor(private readonly code: string) {}

	pieces(): Tree[] {
		return this.list(/$/y);
	}

	/** What stands at this place, behind blanks and comments, if it is of that kind. */
	private take(kind: RegExp): RegExpExecArray | undefined {
		BLANK.lastIndex = this.at;
		const from = this.at + BLANK.exec(this.code)![0].length;
		kind.lastIndex = from;
		const found = kind.exec(this.code);
		if (!found) return undefined;
		this.at = from + found[0].length;
		return found;
	}

	/** Expressions or statements up to that one. */
	private list(end: RegExp): Tree[] {
		const of: Tree[] = [];
		while (this.at < this.code.length && !this.take(end)) {
			if (this.take(/[,;]/y)) continue;
			of.push(this.orSkipped(() => this.expression()));
		}
		return of;
	}

	/** Goes on behind what cannot be read. */
	private orSkipped(read: () => Tree): Tree {
		const { at } = this;
		const tree = read();
		if (this.at === at) this.at++;
		return tree;
	}

	private expression(): Tree {
		const left = this.choice();
		if (this.take(/=>/y))
			return {
				is: 'function',
				takes: left.is === 'parts' ? left.of : [left],
				gives: this.expression(),
			};
		if (this.take(ASSIGNMENT))
			return { is: 'bound', to: left, value: this.expression(), isEach: false };
		if (this.take(/of\b/y))
			return { is: 'bound', to: left, value: this.expression(), isEach: true };
		return left;
	}

	private choice(): Tree {
		const asks = this.either();
		if (!this.take(/\?(?!\?)/y)) return asks;
		const then = this.expression();
		this.take(/:/y);
		return { is: 'choice', asks, then, otherwise: this.expression() };
	}

	private either(): Tree {
		let left = this.both();
		while (this.take(/(?:\|\||\?\?)(?!=)/y)) left = { is: 'either', of: [left, this.both()] };
		return left;
	}

	private both(): Tree {
		const of = [this.comparison()];
		while (this.take(BOTH)) of.push(this.comparison());
		return of.length > 1 ? { is: 'parts', of, isBoth: true } : of[0]!;
	}

	private comparison(): Tree {
		let left = this.binary();
		for (let sign = this.take(COMPARING); sign; sign = this.take(COMPARING))
			left = { is: 'comparison', of: [left, this.binary()], isLoose: sign[0].length === 2 };
		return left;
	}

	private binary(): Tree {
		const of = [this.operand()];
		while (this.take(BINARY)) of.push(this.operand());
		return parts(of);
	}

	private operand(): Tree {
		while (this.take(PREFIX));
		if (this.take(/!/y)) return { is: 'not', of: this.operand() };
		if (this.take(UNARY)) return { is: 'parts', of: [this.operand()] };
		let tree = this.primary();
		for (;;) {
			const isGoingOn = this.take(/\?\.(?!\d)|\./y) !== undefined;
			const name = isGoingOn ? this.take(NAME) : undefined;
			if (name) tree = { is: 'member', of: tree, name: literal(name[0]) };
			else if (this.take(/\(/y)) tree = { is: 'call', of: tree, given: this.list(/\)/y) };
			else if (this.take(/\[/y)) tree = { is: 'member', of: tree, name: parts(this.list(/\]/y)) };
			else return tree;
		}
	}

	private primary(): Tree {
		const text = this.take(TEXT);
		if (text) return literal(unquoted(text[0]));
		const number = this.take(NUMBER);
		if (number) return literal(Number(number[0]));
		if (this.take(/`/y)) return this.template();
		if (this.take(/\(/y)) return parts(this.list(/\)/y));
		if (this.take(/\[/y)) return { is: 'parts', of: this.list(/\]/y), isList: true };
		if (this.take(/\{/y)) return this.braces();
		if (this.take(FUNCTION))
			return {
				is: 'function',
				takes: this.take(/\(/y) ? this.list(/\)/y) : [],
				gives: this.primary(),
			};
		const name = this.take(NAME);
		if (name) return { is: 'name', name: name[0] };
		this.take(PATTERN);
		return { is: 'parts', of: [] };
	}

	private braces(): Tree {
		const entries: Array<readonly [string | undefined, Tree]> = [];
		while (this.at < this.code.length && !this.take(/\}/y)) {
			if (this.take(/[,;]/y)) continue;
			const [, name, text] = this.take(KEY) ?? [];
			const entry = this.orSkipped(() => this.expression());
			// `{ json }`, `{ json = {} }`
			const short = entry.is === 'bound' ? entry.to : entry;
			entries.push([
				name ??
					(text === undefined ? (short.is === 'name' ? short.name : undefined) : unquoted(text)),
				entry,
			]);
		}
		return { is: 'braces', entries };
	}

	private template(): Tree {
		const from = this.at;
		const of: Tree[] = [];
		for (; this.at < this.code.length; this.at++) {
			const sign = this.code[this.at];
			if (sign === '`') break;
			if (sign === '\\') this.at++;
			if (sign !== '$' || this.code[this.at + 1] !== '{') continue;
			this.at += 2;
			of.push(...this.list(/\}/y));
			this.at--;
		}
		const text = this.code.slice(from, this.at++);
		return of.length > 0 ? { is: 'parts', of } : literal(unescaped(text));
	}
}

/** What a tree is made of, in its order. */
export const partsOf = (tree: Tree): Tree[] =>
	Object.values(tree)
		.flat(2)
		.filter((part): part is Tree => typeof part === 'object');

/** The names in a tree, as one would write them, without its operators: `$execution.id`. */
export function textOfTree(tree: Tree): string {
	if (tree.is === 'name') return tree.name;
	if (tree.is === 'literal') return String(tree.value);
	if (tree.is === 'member')
		return (
			textOfTree(tree.of) +
			(tree.name.is === 'literal' ? `.${tree.name.value}` : `[${textOfTree(tree.name)}]`)
		);
	if (tree.is === 'call') return `${textOfTree(tree.of)}(${tree.given.map(textOfTree).join(', ')})`;
	return partsOf(tree).map(textOfTree).join(' ');
}
