import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { workbench } from './workbench';
import { AGENT_WITH_PROMPT, assignments, bulk, contacts, phone, shown, text } from './workflows';

const bench = workbench();

const sent = () => bench.sandbox.journal.map(({ variables }) => variables);

const row = (value: unknown): IDataObject => ({ phone: phone(0), value }) as IDataObject;

const fields = (more: INodeParameters = {}) => bulk({ promptVariables: assignments({ value: '={{ $json.value }}' }), ...more });
const input = () => bulk({ variablesFrom: 'input' });
const json = () => bulk({ variablesFrom: 'json', promptVariablesJson: '={{ ({ value: $json.value }) }}' });

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

describe('G1 a variable that the API would reject keeps everything from being sent', () => {
	const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, 'x']));

	it.each<[string, INodeParameters, unknown, RegExp, RegExp]>([
		['501 characters', fields(), 'x'.repeat(501), /"value" has 501 characters/, /Shorten/],
		['an object in a field', fields(), { first: 'Ada' }, /"value" holds an object/, /Pick one field/],
		['a list in a field', fields(), ['a'], /"value" holds a list/, /join a list/],
		['a nested object in JSON', json(), { first: 'Ada' }, /"value" holds an object/, /Pick one field/],
		['a nested object among the input fields', input(), { first: 'Ada' }, /"value" holds an object/, /Pick one field/],
		['26 variables', bulk({ promptVariables: assignments(many(26)) }), 1, /26 prompt variables.*25/, /key_25/],
		['a reserved name', bulk({ promptVariables: assignments({ system__id: '1' }) }), 1, /"system__id" starts with "system__"/, /another beginning/],
		['a reserved name in JSON', bulk({ variablesFrom: 'json', promptVariablesJson: '{"secret__x": "1"}' }), 1, /"secret__x"/, /another beginning/],
		['a variable without a name', bulk({ promptVariables: assignments({ '': '1' }) }), 1, /no name/, /name of a placeholder/],
		['JSON that is a list', bulk({ variablesFrom: 'json', promptVariablesJson: '["Ada"]' }), 1, /not a JSON object/, /Write them like/],
	])('%s', async (_, parameters, value, message, remedy) => {
		const ended = shown(await bench.run(parameters, [row('fine'), { ...row(value), phone: phone(1) }]));
		expect(ended.message).toMatch(/^Row [12]: /);
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
		const ended = shown(await bench.run(input(), [{ phone: phone(0), 'First Name': 'Ada', firstName: 'Bob' }]));
		expect(ended.message).toMatch(/^Row 1:.*"First Name" and "firstName".*"first_name"/);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('a prompt whose placeholders are not all supplied', () => {
	const promptVariables = assignments({ name: '={{ $json.name }}' });

	it('nothing is dialed, and the message names what is missing', async () => {
		const ended = shown(await bench.run(bulk({ agentNumber: AGENT_WITH_PROMPT, promptVariables }), contacts(12)));
		expect(ended.message).toMatch(/^0 of 12 rows were placed.*"amount"/);
		expect(ended.description).toMatch(/Add amount under Prompt Variables/);
		expect(ended.httpCode).toBe('400');
		expect(bench.dialed).toEqual([]);
	});

	it('G6 with Continue the rows that have them are called all the same, with one more request', async () => {
		const destinations = contacts(10).map((each, n) => ({
			phone: each.phone,
			prompt_variables: n === 4 ? { name: 'Ada' } : { name: 'Ada', amount: String(n) },
		}));
		const parameters = bulk({ agentNumber: AGENT_WITH_PROMPT, destinationSource: 'json', destinationsJson: JSON.stringify(destinations) });
		const { items } = await bench.run(parameters, [{}], { onError: 'continueRegularOutput' });
		expect(items).toHaveLength(10);
		expect(items.map(({ json: { success } }) => success)).toEqual(destinations.map((_, n) => (n === 4 ? undefined : true)));
		expect(text(items[4]?.json.error)).toMatch(/^Row 5 \(\+15550101004\) was not called:.*"amount"/);
		expect(bench.sandbox.requests.map(({ status, dialed }) => [status, dialed])).toEqual([
			[400, 0],
			[201, 9],
		]);
	});
});
