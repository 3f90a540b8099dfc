import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, contacts, getBatch, phone, place, shown } from './helpers/workflows';

const bench = workbench();
storeForEach();

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const MEGABYTE = 2 ** 20;

const bodies: Array<[string, unknown]> = [
	['50 MB of text', 'x'.repeat(50 * MEGABYTE)],
	['50 MB of JSON', { padding: 'x'.repeat(50 * MEGABYTE) }],
	['a web page', '<html><body>Welcome</body></html>'],
	['nothing', ''],
	['null', null],
	['a list', []],
	['a number', 7],
	['a text', '"placed"'],
	['100,000 nested lists', deep(100_000)],
	['results that are no list', { results: 'all of them' }],
	[
		'results of wrong types',
		{ results: [null, 1, 'x', [], {}, { destination: 5 }, { destination: phone(0) }] },
	],
	['an answer that says no and yes', { success: false, error: 'Something', results: [] }],
];

describe.each(bodies)('when the API’s 201 is %s', (_name, body) => {
	it('G3 the rows of Bulk Call are unknown: not called again, and not called a success', async () => {
		bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body, place: true });
		const run = await bench.run(bulk(), contacts(3), {
			onError: 'continueRegularOutput',
			retry: { tries: 2, waitMs: 1 },
		});
		expect(
			run.called.map(({ json: { destination, success, status } }) => [
				destination,
				success,
				status,
			]),
		).toEqual([0, 1, 2].map((n) => [phone(n), false, 'unknown']));
		expect(run.notCalled).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('G3 the row of Place Call is unknown: not called again', async () => {
		bench.sandbox.fault({ kind: 'respond', route: 'call', status: 201, body, place: true });
		const stopped = await bench.run(place(), contacts(1));
		expect(shown(stopped).message).toMatch(/may have been placed|instead of the API’s own answer/);
		const retried = await bench.run(place(), contacts(1), { retryOf: stopped });
		expect(retried.called.map(({ json }) => json)).toMatchObject([
			{ destination: phone(0), status: 'unknown' },
		]);
		expect(bench.dialed).toHaveLength(1);
	});

	it('Get Batch says that this is no batch', async () => {
		bench.sandbox.fault({ kind: 'respond', route: 'batch', status: 200, body });
		const run = await bench.run(getBatch({ options: { maxRetryWait: 0 } }), [
			{ batch_id: '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e' },
		]);
		expect(shown(run).message).toMatch(/^Row 1: the /);
		expect(shown(run).message.length).toBeLessThan(400);
	});
});

describe('results that do not match the rows', () => {
	it.each(['reorder', 'extra', 'repeated'] as const)(
		'%s: every row gets its own result',
		async (mode) => {
			bench.sandbox.fault({ kind: 'results', route: 'bulk', mode });
			const run = await bench.run(bulk(), contacts(5));
			const records = new Map(bench.sandbox.journal.map((dial) => [dial.phone, dial.consentId]));
			expect(run.json.map((row) => [row.destination, row.consent_id])).toEqual(
				contacts(5).map((row) => [row.phone, records.get(row.phone)]),
			);
		},
	);

	it('a missing result that cannot be looked up makes its row unknown, and the run says that the call may have been placed', async () => {
		bench.sandbox.fault({ kind: 'results', route: 'bulk', mode: 'missing' });
		bench.sandbox.fault({ kind: 'gateway', route: 'batch' });
		const run = await bench.run(bulk({ options: { maxRetryWait: 0 } }), contacts(5));
		const { batchId } = bench.sandbox.journal[0]!;
		expect(shown(run)).toEqual({
			message:
				'5 rows: 4 called, 1 may have been called, 0 not called. Row 5 (+•••••••1004) was sent without a clear answer: the API’s answer says nothing that can be read about this row, so the call may have been placed',
			description: `Look at the outbound calls page of your dashboard before you call the number again. In one request (batch ${batchId}), the API counted 5 started, your table has 4. Compare them with Get Batch, or on the outbound calls page of your dashboard, before you call these people again. To go on, open the Executions tab, choose this execution and press Retry (the arrow icon): whoever was called is not called again. “Execute workflow” would start a new run and call everybody again.`,
			httpCode: '201',
		});
	});

	it('an answer without a batch ID leaves that column empty', async () => {
		bench.sandbox.fault({ kind: 'results', route: 'bulk', mode: 'noBatchId' });
		const run = await bench.run(bulk(), contacts(2));
		expect(run.json.map((row) => [row.status, row.batch_id])).toEqual([
			['initiated', null],
			['initiated', null],
		]);
	});

	it('a status word never seen before is shown as it is', async () => {
		bench.sandbox.fault({ kind: 'results', route: 'bulk', mode: 'strangeStatus' });
		const run = await bench.run(bulk(), contacts(2));
		expect(run.error).toBeUndefined();
		expect(run.called.map(({ json }) => json.status)).toEqual(['teleported', 'teleported']);
	});
});
