import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { itWithClock, type ClockBench } from './helpers/clockBench';
import { pairs, says, text } from './helpers/outcomes';
import { getBatch, phone, CONTINUE, moment, NO_BATCH, phones, getCall } from './helpers/workflows';

/** Waits until the calls are ready, and reads as often as the node can. Each round takes 100 ms of the sandbox's time. */
const patient = { options: { pollInterval: 1 }, waitTimeout: 60 };
/** Both operations that wait, each asked for all calls of its batches. */
const operations: Array<[string, (more: INodeParameters) => INodeParameters]> = [
	['Get Call', getCall],
	['Get Batch', getBatch],
];
const goals = operations.flatMap(([name, operation]) =>
	(['dialed', 'finished'] as const).map((until) => [name, until, operation] as const),
);

const LONG = 3_600_000;

type Added = ReturnType<ClockBench['sandbox']['addBatch']>;

const added = (
	{ sandbox }: ClockBench,
	count: number,
	dialAfterMs: number,
	finishAfterMs = 0,
): Added => sandbox.addBatch({ phones: phones(count), dialAfterMs, finishAfterMs });
const rowsOf = (...batches: Added[]): IDataObject[] =>
	batches.flatMap(({ batchId, consentIds }) =>
		consentIds.map((consent_id) => ({ batch_id: batchId, consent_id })),
	);
const byId = (json: IDataObject[]): IDataObject[] =>
	[...json].sort((a, b) => Number(a.id) - Number(b.id));

itWithClock.each(goals)('%s waits until each is %s', async (bench, name, waitUntil, operation) => {
	// In the first round each call is one step short of what the node waits for. In the second round it is there.
	const batch = waitUntil === 'dialed' ? added(bench, 2, 150, 100) : added(bench, 2, 50, 100);
	const { json, error } = await bench.run(operation({ ...patient, waitUntil }), rowsOf(batch));
	expect(error).toBeUndefined();
	expect(byId(json)).toEqual(
		batch.consentIds.map((id, n) => ({
			reached: waitUntil === 'finished' ? 'yes' : 'open',
			id,
			phone: phone(n),
			status: 'called',
			consent_method: 'direct',
			auto_call_sid: expect.any(String),
			auto_call_error: null,
			conversation_id: waitUntil === 'finished' ? expect.any(Number) : null,
			updated_at: expect.any(String),
			// Get Call gives each row back with its own columns.
			...(name === 'Get Call' ? rowsOf(batch)[n] : {}),
			settled: true,
		})),
	);
	expect(bench.reads(batch.batchId)).toBe(2);
});

itWithClock('Get Call waits only for the calls that its rows name', async (bench) => {
	const batch = added(bench, 3, LONG);
	await bench.cancel(batch.consentIds[1]!);
	const second = rowsOf(batch).slice(1, 2);
	const { json } = await bench.run(getCall({ ...patient, waitUntil: 'finished' }), second);
	expect(json).toMatchObject([{ id: batch.consentIds[1], status: 'cancelled', settled: true }]);
	expect(bench.reads(batch.batchId)).toBe(1);
});

itWithClock.each(goals)(
	'%s until %s: that a call is cancelled meanwhile ends the wait for it',
	async (bench, _, waitUntil, operation) => {
		const batch = added(bench, 2, LONG);
		const run = bench.run(operation({ ...patient, waitUntil }), rowsOf(batch));
		while (bench.reads(batch.batchId) === 0) await moment(2);
		await bench.cancel(...batch.consentIds);
		const { json } = await run;
		expect(json.map(({ status, settled }) => [status, settled])).toEqual(
			Array(2).fill(['cancelled', true]),
		);
	},
);

describe('when the time is up', () => {
	const atOnce = { waitTimeout: 0, waitUntil: 'dialed' };
	const strict = { ...atOnce, onTimeout: 'error' };
	const brief = { ...patient, waitTimeout: 0.01, onTimeout: 'error' };
	const REMEDY = /Raise Stop Waiting After.*“Return What Is Available”/;
	/** Two calls are cancelled, three are open. */
	const halfOpen = async (bench: ClockBench): Promise<Added> => {
		const batch = added(bench, 5, LONG);
		await bench.cancel(batch.consentIds[0]!, batch.consentIds[3]!);
		return batch;
	};
	const settled = [true, false, false, true, false];

	itWithClock.each(operations)('%s says which calls are open', async (bench, _, operation) => {
		const batch = await halfOpen(bench);
		const { json, error } = await bench.run(operation(atOnce), rowsOf(batch));
		expect(error).toBeUndefined();
		expect(byId(json).map((record) => [record.id, record.settled])).toEqual(
			batch.consentIds.map((id, n) => [id, settled[n]]),
		);
	});

	itWithClock('Get Batch ends with a message that counts the open calls', async (bench) => {
		const batch = await halfOpen(bench);
		const parameters = getBatch({ ...brief, waitUntil: 'finished' });
		const ended = await bench.run(parameters, [{ batch_id: batch.batchId }]);
		says(ended, /^Row 1: 3 of 5 calls.*not finished after 1 second/, REMEDY);
	});

	itWithClock('Get Call ends with a message that names the row', async (bench) => {
		const batch = await halfOpen(bench);
		const ended = await bench.run(getCall({ ...brief, waitUntil: 'dialed' }), rowsOf(batch));
		says(ended, /^Row 2: .*not dialed after 1 second$/, REMEDY);
	});

	itWithClock.each(CONTINUE)(
		'Get Call with %s: the ready calls come out, the open ones as failed rows',
		async (bench, onError) => {
			const batch = await halfOpen(bench);
			const { items, errorItems } = await bench.run(getCall(strict), rowsOf(batch), { onError });
			const apart = onError === 'continueErrorOutput';
			expect(pairs(items)).toEqual(apart ? [0, 3] : [0, 1, 2, 3, 4]);
			expect(pairs(errorItems)).toEqual(apart ? [1, 2, 4] : []);
			const failed = apart ? errorItems : items.filter((_, n) => !settled[n]);
			const named = failed.map(({ json }) => text(json.error).replace(/:.*/, ''));
			expect(named).toEqual(['Row 2', 'Row 3', 'Row 5']);
		},
	);
});

describe('a batch that nobody knows, while another is still open', () => {
	itWithClock.each(operations)('%s names it when the time is up', async (bench, _, operation) => {
		const open = added(bench, 1, LONG);
		const rows = [...rowsOf(open), { batch_id: NO_BATCH, consent_id: 7 }];
		const parameters = operation({ ...patient, waitTimeout: 0.03, waitUntil: 'dialed' });
		says(await bench.run(parameters, rows), /^Row 2: no batch with the ID/, [], '404');
		// Read while the other one was still open.
		expect(bench.reads(open.batchId)).toBeGreaterThan(0);
	});

	itWithClock.each(operations)('%s asks for it until it is there', async (bench, _, operation) => {
		const rows = [{ batch_id: NO_BATCH, consent_id: 1001 }];
		const run = bench.run(operation({ ...patient, waitUntil: 'dialed' }), rows);
		while (bench.reads(NO_BATCH) < 2) await moment(2);
		bench.sandbox.addBatch({ batchId: NO_BATCH, phones: [phone(1)], dialAfterMs: 0 });
		expect((await run).json).toMatchObject([{ id: 1001, settled: true }]);
	});
});

itWithClock.each(operations)(
	'G10 Stop ends the wait of %s at once',
	async (bench, _, operation) => {
		const batch = added(bench, 1, LONG);
		const parameters = operation({ ...patient, waitTimeout: 600, waitUntil: 'finished' });
		const { run, stop } = bench.start(parameters, rowsOf(batch));
		while (bench.reads(batch.batchId) === 0 || bench.sandbox.inFlight > 0) await moment(2);
		stop();
		await run;
		const reads = bench.reads(batch.batchId);
		await moment(1_300);
		expect(bench.reads(batch.batchId)).toBe(reads);
		expect(reads).toBe(1);
	},
);
