import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	assignments,
	bulk,
	contacts,
	phone,
	place,
	shown,
} from './helpers/workflows';

const bench = workbench();
storeForEach();

const oneLane = { options: { parallelRequests: 1, maxRetryWait: 0 } };
const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);
const ledgerOf = ({
	data,
}: {
	data: { executionData?: { contextData: Record<string, unknown> } };
}): unknown =>
	(data.executionData?.contextData['node:Calls'] as { outboundCallsLedger?: unknown } | undefined)
		?.outboundCallsLedger;

describe('G4 Retry is safe', () => {
	it('G4 the Retry button calls only the rows that were not placed, and returns the recorded outcome of the others', async () => {
		bench.sandbox.settings.dailyLimit = 230;
		const items = contacts(1_000);
		const stopped = await bench.run(bulk({ options: { parallelRequests: 5 } }), items);
		// How many requests were under way when the limit was met is not certain.
		const { message, description } = shown(stopped);
		const [, refused, open] =
			/^1,000 rows: 230 called, 770 not called \((\d+) not sent, (\d+) refused\)\. Rows [\d,]+ to [\d, toand]+ were not called: the daily call limit /.exec(
				message,
			) ?? [];
		expect(Number(refused) + Number(open)).toBe(770);
		expect(description).toMatch(
			/\. To go on with the rest, .* press Retry \(the arrow icon\): whoever was called is not called again\. “Execute workflow” would start a new run and call everybody again\.$/,
		);
		expect(bench.dialed).toHaveLength(230);

		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(bulk({ options: { parallelRequests: 5 } }), items, {
			retryOf: stopped,
		});
		expect(bench.dialed).toHaveLength(1_000);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(retried.json.map(({ destination }) => destination)).toEqual(
			items.map(({ phone: number }) => number),
		);
		const records = new Map(bench.sandbox.journal.map((dial) => [dial.phone, dial.consentId]));
		for (const row of retried.json)
			expect(row.consent_id).toBe(records.get(row.destination as string));
	});

	it('G4 Retry On Fail calls nobody twice, and a row without a clear answer comes out as unknown', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
		const run = await bench.run(bulk(oneLane), contacts(25), { retry: { tries: 3, waitMs: 1 } });
		expect(run.error).toBeUndefined();
		expect(statuses(run.json)).toEqual([
			...Array<string>(10).fill('initiated'),
			...Array<string>(10).fill('unknown'),
			...Array<string>(5).fill('initiated'),
		]);
		expect(run.json[10]?.reason).toMatch(/may have been placed/);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(3);
	});

	it.each<[string, INodeParameters]>([
		['Opted Out, whose cell says neither yes nor no', { optedOut: '={{ $json.out }}' }],
		['Time Zone, which is none', { timeZone: '={{ $json.zone }}' }],
		['No-Call Dates, which are none', { noCallDates: '={{ $json.dates }}' }],
	])(
		'G5 a row that was called keeps its outcome, though it cannot be read since an option was added: %s',
		async (_, options) => {
			// In a sheet in which a phone is missing, too.
			for (const others of [[], [{ phone: '' }]]) await keepsIt(options, others);
		},
	);

	async function keepsIt(options: INodeParameters, others: IDataObject[]) {
		const read = { out: '', zone: '', dates: '' };
		const [first, ...rest] = contacts(12).map((row) => ({ ...row, ...read }));
		const items: IDataObject[] = [
			{ ...first, out: 'later', zone: 'EST', dates: '25.12.2026' },
			...rest,
			...others.map((row) => ({ ...row, ...read })),
		];
		bench.sandbox.reset();
		bench.sandbox.settings.dailyLimit = 10;
		const stopped = await bench.run(bulk(oneLane), items);
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(bulk({ options: { ...oneLane.options, ...options } }), items, {
			retryOf: stopped,
			withSavedWorkflow: true,
		});
		expect(bench.dialed).toHaveLength(12);
		const { consentId } = bench.sandbox.journal[0]!;
		expect(retried.called[0]!.json).toMatchObject({
			status: 'initiated',
			called: 'yes',
			destination: phone(0),
			consent_id: consentId,
		});
		expect(retried.called).toHaveLength(12);
	}

	it.each([
		['Bulk Call', bulk, 10],
		['Place Call', place, 5],
	])(
		'G5 a number of two people, one of whom has another one, too: each row keeps what became of it, with %s',
		async (_, operation, dailyLimit) => {
			const parameters = operation({
				calledBefore: 'skip',
				options: { ...oneLane.options, callOnceKey: '={{ $json.customer }}' },
			});
			const items = [
				{ phone: phone(0), customer: 'Meyer' },
				{ phone: phone(1), customer: 'Meyer' },
				{ phone: phone(1), customer: 'Meyer junior' },
				...Array.from({ length: 10 }, (_each, n) => ({ phone: phone(10 + n), customer: `C${n}` })),
			];
			bench.sandbox.settings.dailyLimit = dailyLimit;
			const stopped = await bench.run(parameters, items);
			expect(stopped.error).toBeDefined();
			delete bench.sandbox.settings.dailyLimit;
			const retried = await bench.run(parameters, items, { retryOf: stopped });
			expect(bench.dialed).toHaveLength(12);
			expect(retried.json.slice(0, 3).map(({ status, called }) => [status, called])).toEqual([
				['initiated', 'yes'],
				['same_number', 'other_row'],
				['initiated', 'yes'],
			]);
		},
	);

	it.each(['callOnce', 'callEach'])(
		'G5 two rows that were called keep their outcomes, though they have one key since Remember People By was added (%s)',
		async (duplicates) => {
			const items = contacts(12).map((row, n) => ({ ...row, customer: n < 2 ? 'Meyer' : `C${n}` }));
			const skip = (options: INodeParameters): INodeParameters =>
				bulk({ calledBefore: 'skip', options: { ...oneLane.options, duplicates, ...options } });
			bench.sandbox.settings.dailyLimit = 10;
			const stopped = await bench.run(skip({}), items);
			delete bench.sandbox.settings.dailyLimit;
			const key = skip({ callOnceKey: '={{ $json.customer }}' });
			await bench.run({ ...key, mode: 'dryRun' }, items);
			const retried = await bench.run(key, items, { retryOf: stopped, withSavedWorkflow: true });
			expect(bench.dialed).toHaveLength(12);
			expect(statuses(retried.json)).toEqual(Array(12).fill('initiated'));
		},
	);

	it('G5 a row that cannot be read is not told the call of another one that had its number, and has none now', async () => {
		const named = (name: string, n: number, out: string) => ({ phone: phone(n), name, out });
		const items = [
			named('Ada', 0, ''),
			named('Bob', 0, 'later'),
			...Array.from({ length: 11 }, (_, n) => named('Zoe', n + 1, '')),
		];
		const said = { promptVariables: assignments({ name: '={{ $json.name }}' }) };
		bench.sandbox.settings.dailyLimit = 10;
		const stopped = await bench.run(bulk({ ...said, ...oneLane }), items);
		delete bench.sandbox.settings.dailyLimit;
		const changed = {
			...said,
			destination: "={{ $json.name === 'Ada' ? 'gone' : $json.phone }}",
			options: { ...oneLane.options, optedOut: '={{ $json.out }}' },
		};
		const retried = await bench.run(bulk(changed), items, {
			retryOf: stopped,
			withSavedWorkflow: true,
		});
		expect(retried.json[1]).toMatchObject({ status: 'invalid', called: 'no' });
	});

	it('where two rows have its number, nobody knows whose call it was: the one that cannot be read says so', async () => {
		const items = [0, 0, ...Array.from({ length: 11 }, (_, n) => n + 1)].map((n, row) => ({
			phone: phone(n),
			out: row === 1 ? 'later' : '',
		}));
		bench.sandbox.settings.dailyLimit = 10;
		const stopped = await bench.run(bulk(oneLane), items);
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(
			bulk({ options: { ...oneLane.options, optedOut: '={{ $json.out }}' } }),
			items,
			{
				retryOf: stopped,
				withSavedWorkflow: true,
			},
		);
		expect(statuses(retried.json).slice(0, 3)).toEqual(['initiated', 'invalid', 'initiated']);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'G4 a refused first row does not make n8n run the node again, with %s and Retry On Fail',
		async (onError) => {
			const items = contacts(4);
			const parameters = bulk({
				agentNumber: AGENT_WITH_PROMPT,
				variablesFrom: 'json',
				promptVariablesJson:
					'={{ $itemIndex === 0 ? { name: "Ada" } : { name: "Ada", amount: 1 } }}',
				...oneLane,
			});
			const run = await bench.run(parameters, items, { onError, retry: { tries: 3, waitMs: 1 } });
			expect(run.error).toBeUndefined();
			expect(run.notCalled.map(({ json }) => [json.status, json.destination])).toEqual([
				['refused', phone(0)],
			]);
			expect(run.notCalled[0]?.json.reason).toMatch(/amount/);
			expect(statuses(run.called.map(({ json }) => json))).toEqual([
				'initiated',
				'initiated',
				'initiated',
			]);
			expect(bench.dialed).toEqual([phone(1), phone(2), phone(3)]);
			expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([400, 201]);
			expect(ledgerOf(run)).toBeUndefined();
		},
	);

	it('G4 a retry of which the only row left is refused alone ends with all rows: they are the run, not that row', async () => {
		const items = contacts(11);
		const parameters = bulk({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson:
				'={{ $itemIndex === 10 ? { name: "Ada" } : { name: "Ada", amount: 1 } }}',
			...oneLane,
		});
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const stopped = await bench.run(parameters, items);
		expect(shown(stopped).message).toMatch(
			/^11 rows: 10 called, 1 not called \(1 refused\)\. Row 11 \(.*\) was not called: /,
		);
		const retried = await bench.run(parameters, items, { retryOf: stopped });
		expect(retried.error).toBeUndefined();
		expect(statuses(retried.json)).toEqual([...Array<string>(10).fill('initiated'), 'refused']);
		expect(bench.dialed).toHaveLength(10);
	});

	it('G4 rows are recognised by their number when the input changed before the retry', async () => {
		bench.sandbox.settings.dailyLimit = 10;
		const stopped = await bench.run(bulk(oneLane), contacts(15));
		delete bench.sandbox.settings.dailyLimit;
		const [next] = stopped.data.executionData?.nodeExecutionStack ?? [];
		const changed = [...contacts(15)]
			.reverse()
			.map((json, item) => ({ json, pairedItem: { item } }));
		next!.data.main![0] = [...changed, { json: { phone: phone(99) }, pairedItem: { item: 15 } }];
		const retried = await bench.run(bulk(oneLane), [], { retryOf: stopped });
		expect(retried.json.map(({ destination }) => destination)).toEqual([
			...contacts(15)
				.map((row) => row.phone)
				.reverse(),
			phone(99),
		]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(16);
	});

	it('G4 a loop’s next round is no retry: the same numbers are called again', async () => {
		const run = await bench.run(bulk(), contacts(3), { rounds: 2 });
		expect(run.rounds.map((rows) => statuses(rows))).toEqual(
			Array(2).fill(Array(3).fill('initiated')),
		);
		expect(bench.dialed).toHaveLength(6);
	});

	it('G4 a retry in a loop’s second round leaves the first round alone and calls the rest of the second', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 3, times: 1 });
		const stopped = await bench.run(bulk(oneLane), contacts(15), { rounds: 2 });
		expect(shown(stopped).message).toMatch(
			/^15 rows: 10 called, 5 not called \(5 refused\)\. Rows 11 to 15 were not called: the daily call limit /,
		);
		const retried = await bench.run(bulk(oneLane), contacts(15), { rounds: 2, retryOf: stopped });
		expect(retried.error).toBeUndefined();
		const counts = new Map<string, number>();
		for (const number of bench.dialed) counts.set(number, (counts.get(number) ?? 0) + 1);
		expect([...counts.values()]).toEqual(Array(15).fill(2));
		expect(retried.rounds.map((rows) => rows.length)).toEqual([15, 15]);
	});

	it('G4 with a call for each row, a retry calls each row once, matched by what the row says', async () => {
		const items = [1, 2, 3, 4].map((n) => ({ phone: phone(0), order: n }));
		const parameters = bulk({
			promptVariables: assignments({ order: '={{ $json.order }}' }),
			options: { parallelRequests: 1, duplicates: 'callEach' },
		});
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 2 });
		const stopped = await bench.run(parameters, items);
		bench.sandbox.clearFaults();
		const [next] = stopped.data.executionData?.nodeExecutionStack ?? [];
		next!.data.main![0] = [...items]
			.reverse()
			.map((json, item) => ({ json, pairedItem: { item } }));
		const retried = await bench.run(parameters, [], { retryOf: stopped });
		expect(statuses(retried.json)).toEqual(Array(4).fill('initiated'));
		const orders = new Map(
			bench.sandbox.journal.map((dial) => [dial.consentId, dial.variables.order]),
		);
		expect(bench.sandbox.journal.map(({ variables }) => variables.order).sort()).toEqual([
			'1',
			'2',
			'3',
			'4',
		]);
		expect(retried.json.map((row) => orders.get(row.consent_id as number))).toEqual([
			'4',
			'3',
			'2',
			'1',
		]);
	});

	it.each([
		[
			'a list',
			{
				destinationSource: 'list',
				destinationList: {
					destination: contacts(15).map((row) => ({ phone: row.phone, promptVariables: {} })),
				},
			},
		],
		[
			'JSON',
			{
				destinationSource: 'json',
				destinationsJson: JSON.stringify(contacts(15).map((row) => row.phone)),
			},
		],
	])('G4 destinations from %s are not called again either', async (_source, fields) => {
		bench.sandbox.settings.dailyLimit = 10;
		const parameters = bulk({ ...fields, ...oneLane });
		const stopped = await bench.run(parameters);
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(parameters, [{}], { retryOf: stopped });
		expect(retried.json).toHaveLength(15);
		expect(bench.dialed).toHaveLength(15);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G4 Place Call returns the recorded answer of a placed call and places only the others', async () => {
		bench.sandbox.fault({ kind: 'hangAfter', route: 'call', after: 2, times: 1 });
		const parameters = place({ options: { parallelRequests: 1, timeout: 1 } });
		const stopped = await bench.run(parameters, contacts(5));
		expect(shown(stopped).message).toMatch(
			/^5 rows: 2 called, 1 may have been called, 2 not called \(2 not sent\)\. Row 3 \(\+•••••••\d{4}\) was sent without a clear answer: the API did not answer within 1 second/,
		);
		const retried = await bench.run(parameters, contacts(5), { retryOf: stopped });
		expect(retried.json.map(({ status, call_id: id }) => [status, typeof id])).toEqual([
			['initiated', 'string'],
			['initiated', 'string'],
			['unknown', 'object'],
			['initiated', 'string'],
			['initiated', 'string'],
		]);
		expect(bench.dialed).toEqual(contacts(5).map((row) => row.phone));
	});

	it('G4 the record of a placed row takes at most 200 bytes, and is gone once the output stands', async () => {
		bench.sandbox.settings.dailyLimit = 500;
		const stopped = await bench.run(bulk(), contacts(1_000));
		expect(JSON.stringify(ledgerOf(stopped)).length / 500).toBeLessThan(200);
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(bulk(), contacts(1_000), { retryOf: stopped });
		expect(ledgerOf(retried)).toBeUndefined();
	});
});
