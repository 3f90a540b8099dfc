import { workbench } from './helpers/workbench';
import { bulk, cancel, contacts, getBatch, phone, shown } from './helpers/workflows';

const bench = workbench();

const goesOn = { onError: 'continueRegularOutput' } as const;
const times = (): number[] => bench.sandbox.requests.map(({ at }) => at);

const until = async (happened: () => boolean): Promise<void> => {
	while (!happened()) await new Promise((resolve) => setTimeout(resolve, 2));
};

/** A first execution is told to pause, and can wait for it. */
async function pausing(
	retryAfter: number,
): Promise<{ ended: ReturnType<typeof bench.run>; stop: () => void }> {
	bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', times: 1, retryAfter });
	let stop = (): void => undefined;
	const ended = bench.run(bulk(), contacts(10), { ...goesOn, onStarted: (it) => (stop = it) });
	await until(() => bench.sandbox.requests.length === 1);
	await new Promise((resolve) => setTimeout(resolve, 50));
	return { ended, stop };
}

describe('G7 a pause that one execution was told', () => {
	it('is kept by another one, too: nothing leaves before its end, then one request asks', async () => {
		const { ended } = await pausing(1);
		bench.sandbox.settings.latencyMs = 100;
		const others = await Promise.all(
			[1, 2, 3].map(async (n) => await bench.run(bulk(), contacts(10 * n).slice(-10))),
		);
		await ended;
		for (const { called } of others) expect(called).toHaveLength(10);
		const [told, first, second] = times() as [number, number, number];
		expect(first - told).toBeGreaterThanOrEqual(1_000);
		expect(second - first).toBeGreaterThanOrEqual(95);
		expect(bench.sandbox.requests.filter(({ status }) => status === 429)).toHaveLength(1);
	});

	it('ends one at once that may not wait for so long, with the sentence', async () => {
		const { ended, stop } = await pausing(90);
		const stopped = await bench.run(bulk({ options: { maxRetryWait: 20 } }), contacts(30));
		expect(shown(stopped).message).toMatch(/outbound calling limit is reached.* 0 of 30 rows/);
		expect(shown(stopped).description).toMatch(/Try again in (90|8\d) seconds.*Max Retry Wait/);
		const went = await bench.run(bulk({ options: { maxRetryWait: 0 } }), contacts(30), goesOn);
		expect(went.notCalled.map(({ json }) => json.status)).toEqual(
			Array<string>(30).fill('refused'),
		);
		expect(bench.sandbox.requests).toHaveLength(1);
		stop();
		await ended;
	});

	it('holds no cancelling and no reading', async () => {
		const { batchId, consentIds } = bench.sandbox.addBatch({
			phones: [phone(1)],
			dialAfterMs: 60_000,
			finishAfterMs: 60_000,
		});
		const { ended, stop } = await pausing(90);
		const options = { options: { maxRetryWait: 0 } };
		expect((await bench.run(getBatch(options), [{ batch_id: batchId }])).json).toHaveLength(1);
		expect((await bench.run(cancel(options), [{ consent_id: consentIds[0]! }])).json).toMatchObject(
			[{ cancelled: true }],
		);
		stop();
		await ended;
	});

	it('G10 Stop of the one who was told ends its wait at once, and the others keep the pause', async () => {
		const { ended, stop } = await pausing(1);
		const other = bench.run(bulk(), contacts(10));
		stop();
		const stoppedAt = Date.now();
		await ended;
		expect(Date.now() - stoppedAt).toBeLessThan(900);
		await other;
		const [told, first] = times() as [number, number];
		expect(first - told).toBeGreaterThanOrEqual(1_000);
	});

	it('is another account’s business where the token is another one', async () => {
		const { ended, stop } = await pausing(90);
		stop();
		await ended;
		bench.check();
		bench.reset();
		expect(
			(await bench.run(bulk({ options: { maxRetryWait: 0 } }), contacts(10))).called,
		).toHaveLength(10);
	});
});
