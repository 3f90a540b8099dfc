import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { apiProblem } from '../../nodes/OutboundCalls/http/apiErrors';
import { type Checked, type Problem, ok } from '../../nodes/OutboundCalls/domain/problem';
import {
	promptVariables,
	variablesFromJson,
} from '../../nodes/OutboundCalls/domain/promptVariables';
import { checkRow, type RawRow } from '../../nodes/OutboundCalls/domain/row';
import {
	destinationsFromJson,
	variablesFromInput,
} from '../../nodes/OutboundCalls/domain/rowSources';
import { NOW, refusals } from './http/apiErrorCases';
const ALARMING = /\b(errors?|problems?|failures?|mistakes?)\b/i;
const BROKEN = /undefined|\[object Object\]|NaN|\bnull\b|\.\.|\s\.|\s{2}|\(\)/;

/** "On Error" and its choice are n8n's own names, and "error" alone is a key of its items. */
const ownText = (text: string): string =>
	text
		.replaceAll('On Error', '')
		.replaceAll('Continue (using error output)', '')
		.replaceAll('“error”', '');

const root = join(__dirname, '../..');
const sources = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name)),
);

/** Every text in a source file that is more than one word. */
function textsIn(file: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (
			ts.isStringLiteralLike(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddleOrTemplateTail(node)
		) {
			if (/\S\s+\S/.test(node.text)) texts.push(node.text);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest));
	return texts;
}

it.each(sources)('no text in %s alarms', (file) => {
	expect(textsIn(file).filter((text) => ALARMING.test(ownText(text)))).toEqual([]);
});

const raw = (more: Partial<RawRow>): RawRow => ({
	itemIndex: 0,
	mode: 'live',
	destination: '+15551110001',
	agentNumber: '+15550001000',
	callerNumber: '',
	country: '',
	timeZone: '',
	noCallDates: null,
	optedOut: '',
	isRemembered: true,
	variables: ok([]),
	...more,
});

const rowProblem = (more: Partial<RawRow>): Problem | undefined => {
	const checked = checkRow(raw(more), 0);
	return checked.ok ? undefined : checked.error.problem;
};

const problemIn = (checked: Checked<unknown>): Problem | undefined =>
	checked.ok ? undefined : checked.error;

const variables = (...entries: Array<[string, unknown]>) => problemIn(promptVariables(entries));

const problems: Array<[string, Problem | undefined]> = [
	...[
		undefined,
		null,
		'',
		' ',
		'x',
		5,
		5n,
		true,
		{},
		[],
		'+1 ',
		'0171 2345678',
		'+49 12',
		'+999 123',
		Symbol('s'),
		() => 1,
	].map((destination): [string, Problem | undefined] => [
		`a destination: ${typeof destination}`,
		rowProblem({ destination }),
	]),
	['what may be two numbers', rowProblem({ destination: '4921112345', country: 'DE' })],
	['no name', variables(['', 'x'])],
	['a reserved name', variables(['system__x', 'x'])],
	['an object', variables(['x', {}])],
	['a list', variables(['x', []])],
	['no number', variables(['x', NaN])],
	['a long text', variables(['x', 'x'.repeat(501)])],
	[
		'26 variables',
		variables(...Array.from({ length: 26 }, (_, n): [string, string] => [`key_${n}`, 'x'])),
	],
	['variables that are no object', problemIn(variablesFromJson('[]'))],
	['two fields with one name', problemIn(variablesFromInput({ aB: 1, a_b: 2 }, new Set()))],
	['no list', problemIn(destinationsFromJson('{}'))],
	['an empty list', problemIn(destinationsFromJson('[]'))],
];

/** Problems of a field of the panel. Their messages name it as the panel does. */
const fieldProblems: Array<[string, Problem | undefined]> = [
	...[undefined, '', 'x', 'Lve', 5, true, {}, []].map((mode): [string, Problem | undefined] => [
		'a mode',
		rowProblem({ mode }),
	]),
	...[undefined, null, '', 'x', {}, [], true].map((agentNumber): [string, Problem | undefined] => [
		'an agent',
		rowProblem({ agentNumber }),
	]),
	['a SIP agent', rowProblem({ agentNumber: 't-sales' })],
	['a caller', rowProblem({ callerNumber: 'x' })],
	...['x', 'Germany', 999, {}].map((country): [string, Problem | undefined] => [
		'a country',
		rowProblem({ destination: '0171 2345678', country }),
	]),
];

describe('what is found in a row reads well after "Row 3: ", and with its remedy as the reason in a table', () => {
	it.each(problems)('%s', (_, found) => {
		expect(found).toBeDefined();
		const { message, remedy, field } = found!;
		expect(field).toBeUndefined();
		expect(message).toMatch(/^(a|an|the|there|two)\b.*[^.\s]$/);
		expect(remedy).toMatch(/^[A-Z].*[.”]$/s);
		expect(`${message} ${remedy}`).not.toMatch(BROKEN);
		expect(`${message} ${remedy}`).not.toMatch(ALARMING);
	});

	it.each(fieldProblems)('of a field: %s', (_, found) => {
		expect(found).toBeDefined();
		const { message, remedy, field } = found!;
		expect(field).toBe(true);
		expect(message).toMatch(
			/^(Mode|Agent Number|Caller Number|“Country of Numbers Without \+”) (is|holds|comes to) .*[^.\s]$/,
		);
		expect(remedy).toMatch(/^[A-Z].*[.”]$/s);
		expect(`${message} ${remedy}`).not.toMatch(BROKEN);
		expect(`${message} ${remedy}`).not.toMatch(ALARMING);
	});
});

describe('a refusal is a sentence, and its remedy another', () => {
	it.each(refusals.map(([happened, exchange, about]) => ({ happened, exchange, about })))(
		'$happened',
		({ exchange, about }) => {
			const { message, remedy } = apiProblem(exchange, about, NOW);
			expect(message).toMatch(/^[A-Z][^\n]*[^.\s]$/);
			expect(remedy).toMatch(/^[A-Z][^\n]*\.$/);
			expect(`${message} | ${remedy}`).not.toMatch(BROKEN);
			expect(`${message} ${remedy}`).not.toMatch(ALARMING);
		},
	);
});
