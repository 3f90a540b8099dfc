import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import {
	AGENT,
	assignments,
	bulk,
	CALLER,
	contacts,
	pairs,
	phone,
	shown,
	SIP_AGENT,
} from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

afterEach(() => {
	expect(bench.sandbox.requests).toEqual([]);
	expect(store.size).toBe(0);
});

/** A dry run as a new node makes it. */
const dry = (more: INodeParameters = {}): INodeParameters =>
	bulk({ mode: 'dryRun', calledBefore: 'skip', ...more });
const lines = ({ hints }: Finished): string[] => hints[0]!.message.split('<br>');
const statuses = ({ json }: Finished): unknown[] => json.map(({ status }) => status);
const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

describe('rows of a dry run', () => {
	it('show what would be sent', async () => {
		const promptVariables = assignments({
			name: '={{ $json.name }}',
			amount: '={{ $json.amount }}',
		});
		const { items, json } = await bench.run(dry({ promptVariables }), contacts(2));
		expect(json).toEqual(
			contacts(2).map((row, n) => ({
				status: 'dry_run',
				called: 'no',
				reason: 'Would be called',
				destination: phone(n),
				request: 1,
				agent_number: AGENT,
				caller_number: null,
				prompt_variables: { name: row.name, amount: String(row.amount) },
			})),
		);
		expect(pairs(items)).toEqual([0, 1]);
	});

	it('show the External Call ID and one request per row of Place Call', async () => {
		const options = { includeInputFields: false, externalCallId: '=order-{{ $json.amount }}' };
		const { json } = await bench.run({ ...dry({ options }), operation: 'placeCall' }, contacts(2));
		expect(json).toMatchObject([
			{ request: 1, external_call_id: 'order-0.5' },
			{ request: 2, external_call_id: 'order-1.5' },
		]);
	});

	it('show a SIP agent with its caller, and a number before it was cleaned', async () => {
		const { json } = await bench.run(
			dry({ agentNumber: SIP_AGENT, callerNumber: CALLER, countries: ['DE'] }),
			[{ phone: '0171 2345678' }],
		);
		expect(json).toMatchObject([
			{
				destination: '+491712345678',
				original_destination: '0171 2345678',
				agent_number: SIP_AGENT,
				caller_number: CALLER,
			},
		]);
	});

	it.each<[string, INodeParameters, number, number[]]>([
		['10 rows are one request', {}, 10, [10]],
		['25 rows are three', {}, 25, [10, 10, 5]],
		['Calls per Minute makes them smaller', { options: { callsPerMinute: 3 } }, 7, [3, 3, 1]],
		['Place Call sends one per row', { operation: 'placeCall' }, 3, [1, 1, 1]],
	])('%s', async (_, more, count, sizes) => {
		const { json } = await bench.run(dry(more), contacts(count));
		expect(json.map(({ request }) => request)).toEqual(
			sizes.flatMap((size, n) => Array<number>(size).fill(n + 1)),
		);
	});

	it('duplicates belong to the request of the row that would be called', async () => {
		const { json } = await bench.run(dry(), [...contacts(2), { phone: phone(1) }]);
		expect(json[2]).toMatchObject({
			status: 'duplicate',
			called: 'other_row',
			reason: 'Same number as row 2',
			request: 1,
		});
	});

	it('have no fields of a call, also where the node would wait', async () => {
		const { json } = await bench.run(
			dry({ waitUntil: 'finished', waitTimeout: 60, options: { includeInputFields: false } }),
			[...contacts(2), { phone: phone(1) }, { phone: 'Ada' }],
		);
		const names = json.flatMap((row) => Object.keys(row));
		expect(names.filter((name) => /error|success|_id$|_sid$|reached|settled/.test(name))).toEqual(
			[],
		);
	});

	it('need no credential', async () => {
		const run = await bench.run(dry(), contacts(2), { api: { baseUrl: 'none', token: '' } });
		expect(statuses(run)).toEqual(['dry_run', 'dry_run']);
	});
});

describe('G5 rows that cannot be sent', () => {
	it.each(ON_ERROR)('G5 come out with the reason and end nothing (%s)', async (onError) => {
		const run = await bench.run(
			dry(),
			[{ phone: phone(0) }, { phone: '0555 123456' }, { phone: '' }],
			{ onError },
		);
		expect([run.error, run.errorItems]).toEqual([undefined, []]);
		expect(run.json.map(({ status, destination }) => [status, destination])).toEqual([
			['dry_run', phone(0)],
			['invalid', '0555 123456'],
			['invalid', ''],
		]);
		for (const { reason } of run.json) expect(reason).toMatch(/\w/);
		expect(pairs(run.items)).toEqual([0, 1, 2]);
	});

	it.each(ON_ERROR)('G5 come out even if no row can be sent (%s)', async (onError) => {
		const run = await bench.run(dry(), [{ phone: 'Ada' }, {}], { onError });
		expect([run.error, run.errorItems]).toEqual([undefined, []]);
		expect(statuses(run)).toEqual(['invalid', 'invalid']);
		expect(lines(run)[0]).toMatch(/^0 of 2 rows would be called/);
	});

	it('G1 a setting that cannot be used refuses all, with or without Stop Workflow', async () => {
		const unusable = dry({ options: { timeout: 'soon' } });
		expect(shown(await bench.run(unusable, contacts(2))).message).toMatch(/^Timeout is "soon"/);
		const run = await bench.run(unusable, contacts(2), { onError: 'continueRegularOutput' });
		expect(statuses(run)).toEqual(['refused', 'refused']);
		expect(lines(run).join()).toMatch(/Timeout is "soon"/);
	});
});

describe('the summary of a dry run says', () => {
	const said = async (rows: IDataObject[], more: INodeParameters = {}): Promise<string[]> =>
		lines(await bench.run(dry(more), rows));
	const named = (values: Record<string, string>): INodeParameters => ({
		promptVariables: assignments(values),
	});
	const sheet = contacts(3).map((row, n) => ({ ...row, gone: n === 1 ? 'yes' : '' }));

	it('how many would be called, first, and what to do next, last', async () => {
		const all = await said([...contacts(2), { phone: phone(0) }, { phone: '0555 123456' }]);
		expect(all[0]).toMatch(/^2 of 4 rows would be called, .*1 duplicate.*1 invalid/);
		expect(all.at(-1)).toMatch(/Mode to Live/);
	});

	it.each<[string, RegExp, IDataObject[], INodeParameters]>([
		['which rows to correct', /^To correct: row 2$/, [...contacts(1), { phone: 'Ada' }], {}],
		[
			'the rows as the sheet numbers them',
			/^To correct: rows 3 and 4$/,
			[phone(0), 'Ada', ''].map((number, n) => ({ phone: number, row_number: n + 2 })),
			{},
		],
		[
			'which countries',
			/^Countries: United States \(2\) and United Kingdom \(1\)$/,
			[...contacts(2), { phone: '+447911123456' }],
			{},
		],
		[
			'which country numbers without + are read as',
			/Numbers without \+ are read as numbers in Germany/,
			[{ phone: '0171 2345678' }],
			{ countries: ['DE'] },
		],
		[
			'what each rule held back, including zero',
			/^Rows held back\. Opted Out: 1 row\. Do Not Call: 2 numbers, 0 rows\..* Other countries: 0 rows$/,
			sheet,
			{
				optedOut: '={{ $json.gone }}',
				rules: { doNotCall: '+14155550123, +14155550124' },
			},
		],
		[
			'that a column looks like opt-outs',
			/^Careful: the column "Opt-Out" .*Opted Out is empty/,
			[{ phone: phone(0), 'Opt-Out': 'yes' }],
			{},
		],
		[
			'which prompt variables would be sent, and where one is empty',
			/^Prompt variables: "name" and "amount"\. Empty: "amount" in row 2$/,
			[
				{ phone: phone(0), name: 'Ada', amount: 1 },
				{ phone: phone(1), name: 'Bob', amount: '' },
			],
			named({ name: '={{ $json.name }}', amount: '={{ $json.amount }}' }),
		],
		[
			'a quoted text without markup',
			/^Prompt variables: "[^<]*b[^<]*"$/,
			contacts(1),
			named({ '<b>': 'x' }),
		],
	])('%s', async (_, line, rows, more) => {
		expect(await said(rows, more)).toContainEqual(expect.stringMatching(line));
	});

	it('nothing of rules and variables that are not set', async () => {
		const all = (await said(contacts(1))).join();
		expect(all).not.toMatch(/Do Not Call|Prompt variables|To correct|Limits|looks like/);
	});
});
