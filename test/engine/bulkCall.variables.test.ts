import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	assignments,
	bulk,
	contacts,
	pairs,
	phone,
	place,
	shown,
	text,
} from './helpers/workflows';

const bench = workbench();

const sent = () => bench.sandbox.journal.map(({ variables }) => variables);

const row = (value: unknown): IDataObject => ({ phone: phone(0), value }) as IDataObject;

const fields = (more: INodeParameters = {}) =>
	bulk({ promptVariables: assignments({ value: '={{ $json.value }}' }), ...more });
const input = () => bulk({ variablesFrom: 'input' });
const json = () =>
	bulk({ variablesFrom: 'json', promptVariablesJson: '={{ ({ value: $json.value }) }}' });

it.each(['constructor', 'prototype'])(
	'a prompt variable named %s is sent like any other',
	async (name) => {
		const variables = { variablesFrom: 'json', promptVariablesJson: `{"${name}": "Ada & Sons"}` };
		for (const parameters of [bulk(variables), place(variables)]) {
			bench.sandbox.reset();
			await bench.run(parameters, contacts(1));
			expect(sent()).toEqual([{ [name]: 'Ada & Sons' }]);
		}
	},
);

const forms: Array<[string, () => INodeParameters]> = [
	['dragged in', fields],
	['from all input fields', input],
	['as JSON', json],
];

describe.each(forms)('a cell of a sheet %s reaches the API as text', (_, parameters) => {
	it.each<[string, unknown, string]>([
		['text', 'Ada', 'Ada'],
		['a number', 12.5, '12.5'],
		['zero', 0, '0'],
		['true', true, 'true'],
		['false', false, 'false'],
		['null', null, ''],
		['empty text', '', ''],
		['a date as text', '2026-01-31', '2026-01-31'],
		['500 characters', 'x'.repeat(500), 'x'.repeat(500)],
	])('%s', async (__, value, expected) => {
		const { error } = await bench.run(parameters(), [row(value)]);
		expect(error).toBeUndefined();
		expect(sent()).toEqual([{ value: expected }]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe('a value that an expression makes', () => {
	it.each<[string, string, RegExp]>([
		['a date of the workflow', '={{ $now }}', /^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$|Z$/],
		['a JavaScript date', '={{ new Date(0) }}', /^1970-01-01T00:00:00\.000Z$/],
		['a calculation', '={{ 2 + 3 }}', /^5$/],
		['a text with a value in it', '=Dear {{ $json.value }}', /^Dear Ada$/],
		['a field that is not there', '={{ $json.missing }}', /^$/],
	])('%s', async (_, expression, expected) => {
		await bench.run(bulk({ promptVariables: assignments({ value: expression }) }), [row('Ada')]);
		expect(sent()[0]?.value).toMatch(expected);
	});
});

describe('G1 a row with a variable that the API would reject is not called, and the others are', () => {
	it.each<[string, INodeParameters, unknown, string]>([
		[
			'501 characters',
			fields(),
			'x'.repeat(501),
			'The prompt variable "value" has 501 characters, and the API takes at most 500. Shorten the value of "value".',
		],
		...[fields(), json(), input()].map(
			(parameters, n): [string, INodeParameters, unknown, string] => [
				`an object ${['in a field', 'in JSON', 'among the input fields'][n]!}`,
				parameters,
				{ first: 'Ada' },
				'The prompt variable "value" holds an object, and only text, numbers, booleans and dates can be sent. Pick one field of it, for example by dragging that field in, or join a list to one text.',
			],
		),
		[
			'a list in a field',
			fields(),
			['a'],
			'The prompt variable "value" holds a list, and only text, numbers, booleans and dates can be sent. Pick one field of it, for example by dragging that field in, or join a list to one text.',
		],
	])('%s', async (_, parameters, value, reason) => {
		const { called, notCalled } = await bench.run(parameters, [
			row('fine'),
			{ ...row(value), phone: phone(1) },
		]);
		expect(sent()).toEqual([{ value: 'fine' }]);
		expect(bench.dialed).toEqual([phone(0)]);
		expect(pairs(called)).toEqual([0]);
		expect(
			notCalled.map(({ json: { status, reason: why, destination } }) => [status, why, destination]),
		).toEqual([['invalid', reason, phone(1)]]);
		expect(pairs(notCalled)).toEqual([1]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe('G1 a variable that the API would reject in each row keeps everything from being sent', () => {
	const many = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, 'x']));

	it.each<[string, INodeParameters, RegExp, RegExp]>([
		[
			'26 variables',
			bulk({ promptVariables: assignments(many(26)) }),
			/26 prompt variables.*25/,
			/key_25/,
		],
		[
			'a reserved name',
			bulk({ promptVariables: assignments({ system__id: '1' }) }),
			/"system__id" starts with "system__"/,
			/another beginning/,
		],
		[
			'a reserved name in JSON',
			bulk({ variablesFrom: 'json', promptVariablesJson: '{"secret__x": "1"}' }),
			/"secret__x"/,
			/another beginning/,
		],
		[
			'a variable without a name',
			bulk({ promptVariables: assignments({ '': '1' }) }),
			/no name/,
			/name of a placeholder/,
		],
		[
			'JSON that is a list',
			bulk({ variablesFrom: 'json', promptVariablesJson: '["Ada"]' }),
			/not a JSON object/,
			/Write them like/,
		],
	])('%s', async (_, parameters, message, remedy) => {
		const ended = shown(await bench.run(parameters, contacts(2)));
		expect(ended.message).toMatch(/^None of the 2 rows can be called\. Row 1: /);
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(remedy);
		expect(bench.sandbox.requests).toEqual([]);
		expect(bench.dialed).toEqual([]);
	});

	it('25 variables are sent', async () => {
		await bench.run(bulk({ promptVariables: assignments(many(25)) }), [row(1)]);
		expect(Object.keys(sent()[0] ?? {})).toHaveLength(25);
	});

	it('two input fields that would become one variable are named', async () => {
		const ended = shown(
			await bench.run(input(), [{ phone: phone(0), 'First Name': 'Ada', firstName: 'Bob' }]),
		);
		expect(ended.message).toMatch(/^Row 1:.*"First Name" and "firstName".*"first_name"/);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('all input fields, without those that are to be left out', () => {
	/** A sheet with the number and this many other columns. */
	const wide = (columns: number): IDataObject => ({
		phone: phone(0),
		...Object.fromEntries(
			Array.from({ length: columns }, (_, n) => [`column_${n + 1}`, `value ${n + 1}`]),
		),
	});
	const without = (fieldsToLeaveOut: string) => bulk({ variablesFrom: 'input', fieldsToLeaveOut });

	it('25 columns beside the number are sent', async () => {
		await bench.run(without(''), [wide(25)]);
		expect(Object.keys(sent()[0] ?? {})).toHaveLength(25);
	});

	it('more than 25 are told, with the names of those past the limit', async () => {
		const ended = shown(await bench.run(without(''), [wide(28)]));
		expect(ended.message).toMatch(
			/^Row 1: there are 28 input fields beside the destination, and the API takes at most 25 prompt variables/,
		);
		expect(ended.description).toMatch(/Those past the limit: column_26, column_27 and column_28\./);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each(['column_26, column_27,column_28', ' column_1 , column_2, column_3 '])(
		'leaving out %j mends it',
		async (names) => {
			const { error } = await bench.run(without(names), [wide(28)]);
			expect(error).toBeUndefined();
			expect(Object.keys(sent()[0] ?? {})).toHaveLength(25);
			for (const name of names.split(',')) expect(sent()[0]).not.toHaveProperty(name.trim());
		},
	);

	it('the names in the message can be copied as they stand', async () => {
		const { phone: number, ...columns } = wide(26);
		const sheet = {
			phone: number,
			...Object.fromEntries(
				Object.entries(columns).map(([name, value]) => [name.replace('column_', 'Column '), value]),
			),
		} as IDataObject;
		const [, name] =
			/past the limit: (.*?)\. /.exec(shown(await bench.run(without(''), [sheet])).description) ??
			[];
		expect(name).toBeDefined();
		const { error } = await bench.run(without(text(name)), [sheet]);
		expect(error).toBeUndefined();
	});

	it.each<[string, unknown, RegExp]>([
		[
			'a value that is too long',
			'x'.repeat(501),
			/"notes" has 501 characters, and the API takes at most 500/,
		],
		['a nested object', { first: 'Ada' }, /"notes" holds an object/],
		['a list', ['a', 'b'], /"notes" holds a list/],
	])('%s is named, and leaving it out mends it', async (_, notes, message) => {
		const rows = [{ phone: phone(0), name: 'Ada', notes }] as unknown as IDataObject[];
		const ended = shown(await bench.run(without(''), rows));
		expect(ended.message).toMatch(/^Row 1: /);
		expect(ended.message).toMatch(message);
		expect(bench.sandbox.requests).toEqual([]);
		await bench.run(without('notes'), rows);
		expect(sent()).toEqual([{ name: 'Ada' }]);
	});

	it('a column is left out by its own name, spaces and capitals included', async () => {
		await bench.run(without('Internal Notes, owner'), [
			{ phone: phone(0), 'Internal Notes': 'x'.repeat(501), owner: { id: 1 }, Name: 'Ada' },
		]);
		expect(sent()).toEqual([{ name: 'Ada' }]);
	});

	it('two columns that would become one variable are mended by leaving one out', async () => {
		await bench.run(without('firstName'), [
			{ phone: phone(0), 'First Name': 'Ada', firstName: 'Bob' },
		]);
		expect(sent()).toEqual([{ first_name: 'Ada' }]);
	});

	it('a name that no column has does no harm', async () => {
		await bench.run(without('nowhere,,'), [{ phone: phone(0), name: 'Ada' }]);
		expect(sent()).toEqual([{ name: 'Ada' }]);
	});

	it.each<[string, IDataObject]>([
		['={{ null }}', { a: '1', 7: '2' }],
		['={{ $json.missing }}', { a: '1', 7: '2' }],
		['={{ 7 }}', { a: '1' }],
		['={{ ["a", "7"] }}', {}],
	])('what is left out may be an expression without text (%s)', async (names, expected) => {
		const { error } = await bench.run(without(names), [{ phone: phone(0), a: '1', 7: '2' }]);
		expect(error).toBeUndefined();
		expect(sent()[0] ?? {}).toEqual(expected);
	});

	it('what is left out may differ from row to row', async () => {
		await bench.run(without('={{ $json.skip }}'), [
			{ phone: phone(0), skip: 'skip, a', a: '1', b: '2' },
			{ phone: phone(1), skip: 'skip, b', a: '1', b: '2' },
		]);
		expect(sent()).toEqual([{ b: '2' }, { a: '1' }]);
	});
});

describe('a prompt whose placeholders are not all supplied', () => {
	const promptVariables = assignments({ name: '={{ $json.name }}' });

	it('nothing is dialed, and the message names what is missing', async () => {
		const ended = shown(
			await bench.run(bulk({ agentNumber: AGENT_WITH_PROMPT, promptVariables }), contacts(12)),
		);
		expect(ended).toEqual({
			message:
				'12 rows: 0 called, 12 not called (10 refused, 2 not sent). Rows 1 to 10 were not called: the agent’s prompt needs the prompt variable "amount", which was not sent. Rows 11 and 12 were not sent',
			description:
				'Add amount under Prompt Variables, spelled exactly so, for example by dragging the column in and naming it so. Nobody was called, so executing again is safe.',
			httpCode: '400',
		});
		expect(bench.dialed).toEqual([]);
	});

	it('a name that differs only in capitals is told', async () => {
		const { description } = shown(
			await bench.run(
				bulk({
					agentNumber: AGENT_WITH_PROMPT,
					promptVariables: assignments({ Name: 'Ada', AMOUNT: '5' }),
				}),
				contacts(2),
			),
		);
		expect(description).toBe(
			'Add name and amount under Prompt Variables, spelled exactly so, for example by dragging the column in and naming it so. Capitals count: "Name" and "AMOUNT" were sent. Nobody was called, so executing again is safe.',
		);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'G6 with %s the rows that have them are called all the same, with one more request',
		async (onError) => {
			const destinations = contacts(10).map((each, n) => ({
				phone: each.phone,
				prompt_variables: n === 4 ? { name: 'Ada' } : { name: 'Ada', amount: String(n) },
			}));
			const parameters = bulk({
				agentNumber: AGENT_WITH_PROMPT,
				destinationSource: 'json',
				destinationsJson: JSON.stringify(destinations),
			});
			const { called, notCalled, errorItems } = await bench.run(parameters, [{}], { onError });
			expect(called.map(({ json: { success, destination } }) => [success, destination])).toEqual(
				destinations.filter((_, n) => n !== 4).map((each) => [true, each.phone]),
			);
			expect(
				notCalled.map(({ json: { success, destination, status } }) => [
					success,
					destination,
					status,
				]),
			).toEqual([[false, phone(4), 'refused']]);
			expect(notCalled[0]?.json.reason).toMatch(
				/^The agent’s prompt needs the prompt variable "amount", which was not sent\. Add amount /,
			);
			expect(errorItems).toEqual([]);
			expect(bench.sandbox.requests.map(({ status, dialed }) => [status, dialed])).toEqual([
				[400, 0],
				[201, 9],
			]);
		},
	);
});
