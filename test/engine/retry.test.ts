import { workbench } from './workbench';
import { AGENT_WITH_PROMPT, assignments, bulk, contacts, phone, place, shown } from './workflows';

const bench = workbench();

const oneLane = { options: { parallelRequests: 1, maxRetryWait: 0 } };
const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);
const ledgerOf = ({ data }: { data: { executionData?: { contextData: Record<string, unknown> } } }): unknown =>
	(data.executionData?.contextData['node:Calls'] as { outboundCallsLedger?: unknown } | undefined)?.outboundCallsLedger;

describe('G4 Retry is safe', () => {
	it('G4 the Retry button calls only the rows that were not placed, and returns the recorded outcome of the others', async () => {
		bench.sandbox.settings.dailyLimit = 230;
		const items = contacts(1_000);
		const stopped = await bench.run(bulk({ options: { parallelRequests: 5 } }), items);
		expect(shown(stopped).message).toMatch(/^230 of 1,000 rows were placed; rows [\d,]+ to [\d,]+\b.* not called: .*Retry calls only the rest\.$/);
		expect(bench.dialed).toHaveLength(230);

		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(bulk({ options: { parallelRequests: 5 } }), items, { retryOf: stopped });
		expect(bench.dialed).toHaveLength(1_000);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(retried.json.map(({ destination }) => destination)).toEqual(items.map(({ phone: number }) => number));
		const records = new Map(bench.sandbox.journal.map((dial) => [dial.phone, dial.consentId]));
		for (const row of retried.json) expect(row.consent_id).toBe(records.get(row.destination as string));
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

	it('G4 with On Error = Continue a failed first row makes n8n run the node again, and only that row is sent again', async () => {
		const items = contacts(4);
		const parameters = bulk({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: '={{ $itemIndex === 0 ? { name: "Ada" } : { name: "Ada", amount: 1 } }}',
			...oneLane,
		});
		const run = await bench.run(parameters, items, { onError: 'continueRegularOutput', retry: { tries: 3, waitMs: 1 } });
		expect(run.json[0]?.error).toMatch(/amount/);
		expect(statuses(run.json.slice(1))).toEqual(['initiated', 'initiated', 'initiated']);
		expect(bench.dialed).toEqual([phone(1), phone(2), phone(3)]);
		expect(ledgerOf(run)).toBeUndefined();
	});

	it('G4 rows are recognised by their number when the input changed before the retry', async () => {
		bench.sandbox.settings.dailyLimit = 10;
		const stopped = await bench.run(bulk(oneLane), contacts(15));
		delete bench.sandbox.settings.dailyLimit;
		const [next] = stopped.data.executionData?.nodeExecutionStack ?? [];
		const changed = [...contacts(15)].reverse().map((json, item) => ({ json, pairedItem: { item } }));
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
		expect(run.rounds.map((rows) => statuses(rows))).toEqual(Array(2).fill(Array(3).fill('initiated')));
		expect(bench.dialed).toHaveLength(6);
	});

	it('G4 a retry in a loop’s second round leaves the first round alone and calls the rest of the second', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 3, times: 1 });
		const stopped = await bench.run(bulk(oneLane), contacts(15), { rounds: 2 });
		expect(shown(stopped).message).toMatch(/^10 of 15 rows were placed; rows 11 to 15/);
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
		next!.data.main![0] = [...items].reverse().map((json, item) => ({ json, pairedItem: { item } }));
		const retried = await bench.run(parameters, [], { retryOf: stopped });
		expect(statuses(retried.json)).toEqual(Array(4).fill('initiated'));
		const orders = new Map(bench.sandbox.journal.map((dial) => [dial.consentId, dial.variables.order]));
		expect(bench.sandbox.journal.map(({ variables }) => variables.order).sort()).toEqual(['1', '2', '3', '4']);
		expect(retried.json.map((row) => orders.get(row.consent_id as number))).toEqual(['4', '3', '2', '1']);
	});

	it.each([
		[
			'a list',
			{ destinationSource: 'list', destinationList: { destination: contacts(15).map((row) => ({ phone: row.phone, promptVariables: {} })) } },
		],
		['JSON', { destinationSource: 'json', destinationsJson: JSON.stringify(contacts(15).map((row) => row.phone)) }],
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
			/^2 of 5 rows were placed; row 3 \(.*\) was sent without a clear answer: the API did not answer within 1 second/,
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
