import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { workbench } from './helpers/workbench';
import { AGENT_WITH_PROMPT, assignments, bulk, contacts, phone, shown } from './helpers/workflows';

const bench = workbench();

const sent = () => bench.sandbox.journal.map(({ variables }) => variables);
const row = (value: unknown): IDataObject => ({ phone: phone(0), value }) as IDataObject;

const dragged = bulk({ promptVariables: assignments({ value: '={{ $json.value }}' }) });
const input = bulk({ variablesFrom: 'input' });
const json = bulk({
	variablesFrom: 'json',
	promptVariablesJson: '={{ ({ value: $json.value }) }}',
});
const forms: Array<[string, INodeParameters]> = [
	['dragged in', dragged],
	['from all input fields', input],
	['as JSON', json],
];

describe.each(forms)('a cell %s', (_, parameters) => {
	it('reaches the API as text', async () => {
		const values = ['Ada', 12.5, 0, true, false, null, '', '2026-01-31', 'x'.repeat(500)];
		const rows = values.map((value, n) => ({ ...row(value), phone: phone(n) }));
		const { error } = await bench.run(parameters, rows);
		expect(error).toBeUndefined();
		expect(sent()).toEqual(values.map((value) => ({ value: String(value ?? '') })));
	});

	it('that the API would reject makes its row invalid, and the others are called', async () => {
		const bad = ['x'.repeat(501), { first: 'Ada' }, ['a'], '{{ $json.name }}', '#N/A', 'NaN'];
		const rows = [row('fine'), ...bad.map((value, n) => ({ ...row(value), phone: phone(n + 1) }))];
		const { called, notCalled } = await bench.run(parameters, rows);
		expect(called).toHaveLength(1);
		expect(sent()).toEqual([{ value: 'fine' }]);
		const reasons = [
			/501 char.*500/,
			/object.*Leave Out/,
			/list.*Leave Out/,
			/Expression/,
			/N\/A/,
			/./,
		];
		notCalled.forEach(({ json: { status, reason } }, n) => {
			expect(status).toBe('invalid');
			expect(reason).toMatch(/prompt variable/);
			expect(reason).toMatch(reasons[n]!);
		});
		expect(notCalled).toHaveLength(bad.length);
	});
});

describe('G1 variables that the API would reject in each row keep everything from being sent', () => {
	const many = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, 'x']));
	const inJson = (promptVariablesJson: string) =>
		bulk({ variablesFrom: 'json', promptVariablesJson });

	it.each<[string, INodeParameters, RegExp, RegExp]>([
		['26', bulk({ promptVariables: assignments(many(26)) }), /26 prompt.*25/, /key_25/],
		[
			'a reserved name',
			bulk({ promptVariables: assignments({ system__id: '1' }) }),
			/"system__id".*"system__"/,
			/Rename/,
		],
		['a reserved name in JSON', inJson('{"secret__x": "1"}'), /"secret__x"/, /Rename/],
		['no name', bulk({ promptVariables: assignments({ '': '1' }) }), /no name/, /placeholder/],
		['a list', inJson('["Ada"]'), /not an object/, /Write it like/],
		['unreadable JSON', inJson('{"name": "A"da"}'), /quotation mark/, /Fields Below/],
	])('%s', async (_, parameters, message, remedy) => {
		const ended = shown(await bench.run(parameters, contacts(2)));
		expect(ended.message).toMatch(/Row 1: /);
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(remedy);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('all input fields, without those to leave out', () => {
	const without = (fieldsToLeaveOut: string) => bulk({ variablesFrom: 'input', fieldsToLeaveOut });
	const wide = (columns: number): IDataObject => ({
		phone: phone(0),
		...Object.fromEntries(Array.from({ length: columns }, (_, n) => [`Column ${n + 1}`, 'x'])),
	});

	it('25 columns beside the number are sent; more are told, by names of those past the limit', async () => {
		await bench.run(without(''), [wide(25)]);
		expect(Object.keys(sent()[0] ?? {})).toHaveLength(25);
		const { message, description } = shown(await bench.run(without(''), [wide(28)]));
		expect(message).toMatch(/^Row 1: .*28 .*25/);
		expect(description).toMatch(/column_26.*Fields to Leave Out/);
	});

	it.each<[string, IDataObject, string, string]>([
		['a value that is too long', { notes: 'x'.repeat(501) }, '"notes".*501', 'notes'],
		['an object', { notes: { first: 'Ada' } }, '"notes".*object', ' notes ,, nowhere'],
		['a column with spaces', { 'Internal Notes': ['a'] }, '"internal_notes"', 'Internal Notes'],
		['two columns of one name', { Name: 'Bob' }, '"Name".*"name"', 'Name'],
	])('%s is named, and leaving it out helps', async (_, more, message, leftOut) => {
		const rows = [{ phone: phone(0), name: 'Ada', ...more }];
		expect(shown(await bench.run(without(''), rows)).message).toMatch(new RegExp(message));
		expect(bench.sandbox.requests).toEqual([]);
		await bench.run(without(leftOut), rows);
		expect(sent()).toEqual([{ name: 'Ada' }]);
	});

	it('what is left out may differ from row to row', async () => {
		await bench.run(without('={{ $json.skip }}'), [
			{ phone: phone(0), skip: 'skip, a', a: '1', b: '2' },
			{ phone: phone(1), skip: 'skip, b', a: '1', b: '2' },
		]);
		expect(sent()).toEqual([{ b: '2' }, { a: '1' }]);
	});
});

describe('a prompt whose placeholders are not all filled', () => {
	const named = (variables: Record<string, string>) =>
		bulk({ agentNumber: AGENT_WITH_PROMPT, promptVariables: assignments(variables) });

	it('nobody is called, and the message names what is missing', async () => {
		const ended = shown(await bench.run(named({ name: '={{ $json.name }}' }), contacts(12)));
		expect(ended).toEqual({
			message: expect.stringMatching(/^Rows 1 to 10 were not called: .*"amount"/),
			description: expect.stringMatching(/Prompt Variables.*Nobody was called/),
			httpCode: '400',
		});
		expect(bench.dialed).toEqual([]);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'G6 with %s the rows that fill them are called all the same, with one more request',
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
			const { json: rows, errorItems } = await bench.run(parameters, [{}], { onError });
			expect(rows.map(({ status }) => status)).toEqual(
				destinations.map((_, n) => (n === 4 ? 'refused' : 'initiated')),
			);
			expect(rows[4]!.reason).toMatch(/"amount".*Prompt Variables/);
			expect(errorItems).toEqual([]);
			expect(bench.sandbox.requests.map(({ status, dialed }) => [status, dialed])).toEqual([
				[400, 0],
				[201, 9],
			]);
		},
	);
});
