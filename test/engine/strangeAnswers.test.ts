import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, contacts, getBatch, phone, place, shown } from './helpers/workflows';

const bench = workbench();
storeForEach();

const MEGABYTE = 2 ** 20;

const bodies: Array<[string, unknown]> = [
	['5 MB of text', 'x'.repeat(5 * MEGABYTE)],
	['5 MB of JSON', { padding: 'x'.repeat(5 * MEGABYTE) }],
	['a web page', '<html><body>Welcome</body></html>'],
	['nothing', ''],
	['null', null],
	['a list', []],
	['a number', 7],
	['a text', '"placed"'],
	['100,000 nested lists', '['.repeat(100_000) + ']'.repeat(100_000)],
	['results that are no list', { results: 'all of them' }],
	[
		'results of wrong types',
		{ results: [null, 1, 'x', [], {}, { destination: 5 }, { destination: phone(0) }] },
	],
	['an answer that says no and yes', { success: false, error: 'Something', results: [] }],
];

describe.each(bodies)('when the API’s 201 is %s', (_name, body) => {
	it('G3 the rows of Bulk Call are unknown, and not called again', async () => {
		bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body, place: true });
		const { json } = await bench.run(bulk(), contacts(3), {
			onError: 'continueRegularOutput',
			retry: { tries: 2, waitMs: 1 },
		});
		expect(
			json.map(({ destination, status, called, success }) => [
				destination,
				status,
				called,
				success,
			]),
		).toEqual([0, 1, 2].map((n) => [phone(n), 'unknown', 'maybe', false]));
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('G3 the row of Place Call is unknown, and not called again by Retry', async () => {
		bench.sandbox.fault({ kind: 'respond', route: 'call', status: 201, body, place: true });
		const stopped = await bench.run(place(), contacts(1));
		expect(shown(stopped).message).toMatch(/may have been placed/);
		const retried = await bench.run(place(), contacts(1), { retryOf: stopped });
		expect(retried.json).toMatchObject([{ destination: phone(0), status: 'unknown' }]);
		expect(bench.dialed).toHaveLength(1);
	});

	it('Get Batch says that this is no batch', async () => {
		bench.sandbox.fault({ kind: 'respond', route: 'batch', status: 200, body });
		const run = await bench.run(getBatch({ options: { maxRetryWait: 0 } }), [
			{ batch_id: '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e' },
		]);
		expect(shown(run).message).toMatch(/^Row \d: the /);
		expect(shown(run).message.length).toBeLessThan(400);
	});
});

describe('an answer that names its destinations in its own way', () => {
	it.each(['reorder', 'extra', 'repeated'] as const)(
		'%s: every row gets its own call',
		async (mode) => {
			bench.sandbox.fault({ kind: 'results', route: 'bulk', mode });
			const { json } = await bench.run(bulk(), contacts(5));
			const records = new Map(bench.sandbox.journal.map((dial) => [dial.phone, dial.consentId]));
			expect(json.map((row) => [row.destination, row.consent_id, row.status])).toEqual(
				contacts(5).map((row) => [row.phone, records.get(row.phone), 'initiated']),
			);
		},
	);

	it('G3 a row that it leaves out is unknown, and the run says so', async () => {
		bench.sandbox.fault({ kind: 'results', route: 'bulk', mode: 'missing' });
		const ended = shown(await bench.run(bulk(), contacts(5)));
		expect(ended.message).toMatch(
			/^Row 5 was sent without a clear answer: .*may have been placed\. 4 of 5 rows called, 1 possibly/,
		);
		expect(ended.description).toMatch(/dashboard.*press Retry/);
		const { json } = await bench.run(bulk(), contacts(5), { onError: 'continueRegularOutput' });
		expect(json.map(({ called }) => called)).toEqual(['yes', 'yes', 'yes', 'yes', 'maybe']);
		expect(bench.sandbox.requests.map(({ route }) => route)).toEqual(['bulk', 'bulk']);
	});
});
