import type { IDataObject } from 'n8n-workflow';
import type { RunRequest } from './helpers/harness';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { assignments, bulk, phone, shown } from './helpers/workflows';

// n8n's panel drags a field of a list in as that of its first entry: {{ $json.contacts[0].name }}.

const bench = workbench();

const spoken = () => bench.sandbox.journal.map(({ phone: dialed, variables }) => [dialed, variables.name]);
const contacts = [
	{ phone: phone(1), name: 'Ada', opted_out: 'no' },
	{ phone: phone(2), name: 'Bob', opted_out: 'yes' },
];

describe('one entry of a list in the row answers for all destinations of the row', () => {
	const row: IDataObject = { phones: [phone(1), phone(2)], names: ['Ada', 'Bob'], opted_out: ['no', 'yes'], country: ['DE', 'AT'] };
	const json = { destinationSource: 'json', destinationsJson: '={{ $json.phones }}' };

	it('G11 Opted Out: nobody is called, and the message says what to do', async () => {
		const run = await bench.run(bulk({ ...json, options: { optedOut: '={{ $json.opted_out[0] }}' } }), [row]);
		expect(shown(run)).toMatchObject({
			message: 'Opted Out takes one entry of the list "opted_out", and others say something else',
			description: expect.stringMatching(/^Take a column of the rows themselves: n8n’s Split Out makes a row of each entry/) as string,
		});
		expect(bench.dialed).toEqual([]);
	});

	it('Prompt Variables: nobody hears the name of another', async () => {
		const run = await bench.run(bulk({ ...json, promptVariables: assignments({ name: '={{ $json.names[0] }}' }) }), [row]);
		expect(shown(run).message).toBe('Prompt Variables takes one entry of the list "names", and others say something else');
		expect(bench.dialed).toEqual([]);
	});

	it('G12 Country of Numbers Without +: a number of Austria is not read as one of Germany', async () => {
		const numbers = { ...row, phones: ['0171 2345678', '0664 1234567'] };
		await bench.run(bulk({ ...json, countries: ['DE', 'AT'], defaultCountry: '={{ $json.country[0] }}' }), [numbers]);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions('G11 of objects, as a webhook sends them', async () => {
		const of = { destinationSource: 'json', destinationsJson: '={{ $json.body.contacts.map((each) => each.phone) }}' };
		const run = await bench.run(bulk({ ...of, options: { optedOut: '={{ $json.body.contacts[0].opted_out }}' } }), [{ body: { contacts } }]);
		expect(shown(run).message).toBe('Opted Out takes one entry of the list "body.contacts", and others say something else');
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		['a list with fewer entries than destinations is no list of theirs', { slots: ['Monday'] }, '={{ $json.slots[0] }}'],
		['its entries say the same', { names: ['Ada', 'Ada'] }, '={{ $json.names[0] }}'],
	])('%s: all are called', async (_, more, name) => {
		await bench.run(bulk({ ...json, promptVariables: assignments({ name }) }), [{ ...row, ...more }]);
		expect(bench.dialed).toHaveLength(2);
	});

	it('rows with one destination each may name its first entry', async () => {
		const rows = [1, 2].map((n) => ({ phones: [phone(n), phone(n + 10)], names: [`Ada ${n}`, 'Bob'] }));
		const parameters = bulk({ destination: '={{ $json.phones[0] }}', promptVariables: assignments({ name: '={{ $json.names[0] }}' }) });
		await bench.run(parameters, rows);
		expect(spoken()).toEqual([
			[phone(1), 'Ada 1'],
			[phone(2), 'Ada 2'],
		]);
	});
});

describe('Webhook, Split Out, Outbound Calls: a field that is dragged in from the webhook is that of its first entry', () => {
	const behind: Partial<RunRequest> = { listBefore: [{ body: { contacts } }], listTaken: 'inTurns', rowsFrom: [0, 0] };

	it('G11 Opted Out: nobody is called', async () => {
		await bench.run(bulk({ options: { optedOut: '={{ $("List").item.json.body.contacts[0].opted_out }}' } }), contacts, behind);
		expect(bench.dialed).toEqual([]);
	});

	it('Prompt Variables: nobody hears the name of another', async () => {
		const promptVariables = assignments({ name: '={{ $("List").item.json.body.contacts[0].name }}' });
		await bench.run(bulk({ promptVariables }), contacts, behind);
		expect(bench.dialed).toEqual([]);
	});

	it('G12 Country of Numbers Without +: no stranger is called', async () => {
		const of = [
			{ phone: '0171 2345678', country: 'DE' },
			{ phone: '0664 1234567', country: 'AT' },
		];
		const defaultCountry = '={{ $("List").item.json.body.contacts[0].country }}';
		await bench.run(bulk({ countries: ['DE', 'AT'], defaultCountry }), of, { ...behind, listBefore: [{ body: { contacts: of } }] });
		expect(bench.dialed).toEqual([]);
	});

	it('a row that comes from a webhook of its own may name the first entry', async () => {
		const webhooks = contacts.map((each) => ({ body: { contacts: [each, { ...each, name: 'another' }] } }));
		const promptVariables = assignments({ name: '={{ $("List").item.json.body.contacts[0].name }}' });
		await bench.run(bulk({ promptVariables }), contacts, { ...behind, listBefore: webhooks, rowsFrom: [0, 1] });
		expect(spoken()).toEqual([
			[phone(1), 'Ada'],
			[phone(2), 'Bob'],
		]);
	});
});

it('G11 No-Call Dates takes one date of the list in a cell: nobody is called, because the others count as well', async () => {
	const around = [-1, 0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
	const rows = [{ phone: '+12125550123', holidays: ['2020-12-25', ...around] }];
	const run = await bench.run(bulk({ options: { noCallDates: '={{ $json.holidays[0] }}' } }), rows);
	expect(shown(run).message).toBe('No-Call Dates takes one entry of the list "holidays", and others say something else');
	expect(bench.dialed).toEqual([]);
	const whole = await bench.run(bulk({ options: { noCallDates: '={{ $json.holidays }}' } }), rows);
	expect(whole.json.map(({ status }) => status)).toEqual(['outside_hours']);
});
