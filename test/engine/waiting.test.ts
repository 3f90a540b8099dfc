import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { pairs, says, text } from './helpers/outcomes';
import { workbench } from './helpers/workbench';
import { CONTINUE } from './helpers/onError';
import { getBatch, getCall, NO_BATCH, phone, phones } from './helpers/workflows';

const bench = workbench();

/** Waits until the calls are ready, and reads as often as the node can. */
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

type Added = ReturnType<typeof bench.sandbox.addBatch>;

const added = (count: number, dialAfterMs: number, finishAfterMs = 0): Added =>
	bench.sandbox.addBatch({ phones: phones(count), dialAfterMs, finishAfterMs });
const reads = ({ batchId }: Added): number =>
	bench.batchesRead.filter((id) => id === batchId).length;
const rowsOf = (...batches: Added[]): IDataObject[] =>
	batches.flatMap(({ batchId, consentIds }) =>
		consentIds.map((consent_id) => ({ batch_id: batchId, consent_id })),
	);
const byId = (json: IDataObject[]): IDataObject[] =>
	[...json].sort((a, b) => Number(a.id) - Number(b.id));

it.each(goals)('%s waits until each is %s', async (name, waitUntil, operation) => {
	// At the first read each call is one step short of what the node waits for. A second later it is there.
	const batch = waitUntil === 'dialed' ? added(2, 500, LONG) : added(2, 0, 500);
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
	expect(reads(batch)).toBe(2);
});

it('Get Call waits only for the calls that its rows name', async () => {
	const batch = added(3, LONG);
	await bench.cancel(batch.consentIds[1]!);
	const second = rowsOf(batch).slice(1, 2);
	const { json } = await bench.run(getCall({ ...patient, waitUntil: 'finished' }), second);
	expect(json).toMatchObject([{ id: batch.consentIds[1], status: 'cancelled', settled: true }]);
	expect(reads(batch)).toBe(1);
});

it.each(goals)('%s until %s: canceling a call ends its wait', async (_, waitUntil, operation) => {
	const batch = added(2, LONG);
	const run = bench.run(operation({ ...patient, waitUntil }), rowsOf(batch));
	await bench.time.standStill();
	await bench.cancel(...batch.consentIds);
	bench.time.goOn();
	const { json } = await run;
	expect(json.map(({ status, settled }) => [status, settled])).toEqual(
		Array(2).fill(['cancelled', true]),
	);
});

describe('when the time is up', () => {
	const atOnce = { waitTimeout: 0, waitUntil: 'dialed' };
	const strict = { ...atOnce, onTimeout: 'error' };
	const brief = { ...patient, waitTimeout: 0.01, onTimeout: 'error' };
	const REMEDY = /Raise Stop Waiting After.*“Return What Is Available”/;
	/** Two calls are cancelled, three are open. */
	const halfOpen = async (): Promise<Added> => {
		const batch = added(5, LONG);
		await bench.cancel(batch.consentIds[0]!, batch.consentIds[3]!);
		return batch;
	};
	const settled = [true, false, false, true, false];

	it.each(operations)('%s says which calls are open', async (_, operation) => {
		const batch = await halfOpen();
		const { json, error } = await bench.run(operation(atOnce), rowsOf(batch));
		expect(error).toBeUndefined();
		expect(byId(json).map((record) => [record.id, record.settled])).toEqual(
			batch.consentIds.map((id, n) => [id, settled[n]]),
		);
	});

	it('Get Batch ends with a message that counts the open calls', async () => {
		const batch = await halfOpen();
		const parameters = getBatch({ ...brief, waitUntil: 'finished' });
		const ended = await bench.run(parameters, [{ batch_id: batch.batchId }]);
		says(ended, /^Row 1: 3 of 5 calls.*not finished after 1 second/, REMEDY);
	});

	it('Get Call ends with a message that names the row', async () => {
		const batch = await halfOpen();
		const ended = await bench.run(getCall({ ...brief, waitUntil: 'dialed' }), rowsOf(batch));
		says(ended, /^Row 2: .*not dialed after 1 second$/, REMEDY);
	});

	it.each(CONTINUE)('Get Call with %s: open calls come out as failed rows', async (onError) => {
		const batch = await halfOpen();
		const { items, errorItems } = await bench.run(getCall(strict), rowsOf(batch), { onError });
		const apart = onError === 'continueErrorOutput';
		expect(pairs(items)).toEqual(apart ? [0, 3] : [0, 1, 2, 3, 4]);
		expect(pairs(errorItems)).toEqual(apart ? [1, 2, 4] : []);
		const failed = apart ? errorItems : items.filter((_, n) => !settled[n]);
		const named = failed.map(({ json }) => text(json.error).replace(/:.*/, ''));
		expect(named).toEqual(['Row 2', 'Row 3', 'Row 5']);
	});
});

describe('a batch that nobody knows, while another is still open', () => {
	it.each(operations)('%s names it when the time is up', async (_, operation) => {
		const open = added(1, LONG);
		const rows = [...rowsOf(open), { batch_id: NO_BATCH, consent_id: 7 }];
		const parameters = operation({ ...patient, waitTimeout: 0.03, waitUntil: 'dialed' });
		says(await bench.run(parameters, rows), /^Row 2: no batch with the ID/, [], '404');
		// At once, after a second, and when the time is up.
		expect(reads(open)).toBe(3);
	});

	it.each(operations)('%s asks for it until it is there', async (_, operation) => {
		const id = added(1, 0).consentIds[0]! + 1;
		const rows = [{ batch_id: NO_BATCH, consent_id: id }];
		const run = bench.run(operation({ ...patient, waitUntil: 'dialed' }), rows);
		await bench.time.standStill();
		bench.sandbox.addBatch({ batchId: NO_BATCH, phones: [phone(1)], dialAfterMs: 0 });
		bench.time.goOn();
		expect((await run).json).toMatchObject([{ id, settled: true }]);
	});
});

it.each(operations)('G10 Stop ends the wait of %s at once', async (_, operation) => {
	const batch = added(1, LONG);
	const parameters = operation({ ...patient, waitTimeout: 600, waitUntil: 'finished' });
	const { run, stop } = bench.start(parameters, rowsOf(batch));
	await bench.time.standStill();
	stop();
	await run;
	expect(reads(batch)).toBe(1);
});
