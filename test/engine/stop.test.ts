import { workbench } from './workbench';
import { bulk, contacts, getBatch } from './workflows';

const bench = workbench();

const until = async (happened: () => boolean): Promise<void> => {
	while (!happened()) await new Promise((resolve) => setTimeout(resolve, 2));
};

describe('G10 Stop means stop', () => {
	it('G10 no further request is sent after the stop', async () => {
		bench.sandbox.settings.latencyMs = 50;
		let stop = (): void => undefined;
		const run = bench.run(bulk({ options: { parallelRequests: 2 } }), contacts(200), { onStarted: (it) => (stop = it) });
		await until(() => bench.sandbox.requests.length >= 4);
		stop();
		await run;
		const sent = bench.sandbox.requests.length;
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(bench.sandbox.requests).toHaveLength(sent);
		expect(sent).toBeLessThan(10);
	});

	it.each([
		['a wait for the API’s limit', { kind: 'rateLimited', retryAfter: 200 }, {}],
		['the spacing of calls', undefined, { callsPerMinute: 1 }],
	] as const)('G10 %s ends at once', async (_name, fault, more) => {
		if (fault) bench.sandbox.fault({ ...fault, route: 'bulk' });
		let stop = (): void => undefined;
		const run = bench.run(bulk({ options: { parallelRequests: 1, ...more } }), contacts(20), { onStarted: (it) => (stop = it) });
		await until(() => bench.sandbox.requests.length >= 1 && bench.sandbox.inFlight === 0);
		stop();
		// The test's own time limit is far below the waits.
		await run;
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('G10 a stopped execution can go on with Retry: nobody is called twice', async () => {
		bench.sandbox.settings.latencyMs = 50;
		let stop = (): void => undefined;
		const run = bench.run(bulk({ options: { parallelRequests: 1 } }), contacts(50), { onStarted: (it) => (stop = it) });
		await until(() => bench.sandbox.requests.length >= 2);
		stop();
		const stopped = await run;
		const retried = await bench.run(bulk(), contacts(50), { retryOf: stopped });
		expect(retried.json).toHaveLength(50);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(50);
	});

	it('G10 a wait of Get Batch ends at once as well', async () => {
		bench.sandbox.fault({ kind: 'rateLimited', route: 'batch', retryAfter: 200 });
		let stop = (): void => undefined;
		const items = [{ batch_id: '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e' }];
		const run = bench.run(getBatch(), items, { onStarted: (it) => (stop = it) });
		await until(() => bench.sandbox.requests.length >= 1);
		stop();
		await run;
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});
