import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, contacts, getBatch, pairs, shown } from './helpers/workflows';

const bench = workbench();
storeForEach();

const delay = async (ms: number): Promise<void> => {
	await new Promise((resolve) => setTimeout(resolve, ms));
};

const until = async (happened: () => boolean): Promise<void> => {
	while (!happened()) await delay(2);
};

const ANSWERED = 'http.client.response.finish';

/** The first request is answered, and the node has done what it does next. To be called as the run begins. */
async function answered(): Promise<void> {
	await new Promise<void>((resolve) => {
		const heard = (): void => {
			unsubscribe(ANSWERED, heard);
			resolve();
		};
		subscribe(ANSWERED, heard);
	});
	for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
}

type More = Parameters<typeof bench.run>[2];

/** Starts a run that can be stopped. */
function started(parameters: INodeParameters, rows: number, more: More = {}) {
	let stop = (): void => undefined;
	const run = bench.run(parameters, contacts(rows), { onStarted: (it) => (stop = it), ...more });
	return {
		run,
		stop: () => {
			stop();
		},
	};
}

const oneByOne = (options: INodeParameters = {}): INodeParameters =>
	bulk({ options: { parallelRequests: 1, ...options } });

/** As many expressions as there are rows, each of which takes n8n a moment. */
const slowRows = bulk({ destination: '={{ Array(300000).join("x").length && $json.phone }}' });

describe('G1 reading many rows', () => {
	it('others have their turn while rows are read', async () => {
		let turns = 0;
		let reads = true;
		const turn = (): void => {
			turns++;
			if (reads) setImmediate(turn);
		};
		const onStarted = (): unknown => setImmediate(turn);
		const { json } = await bench.run({ ...slowRows, mode: 'dryRun' }, contacts(200), { onStarted });
		reads = false;
		expect(json).toHaveLength(200);
		// A slice takes 25 ms, and all rows several times that on any machine; without slices there would be a handful.
		expect(turns).toBeGreaterThan(10);
	});

	// No machine resolves so many of them in the time that is left until the stop.
	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'a Stop is heard: no further row is read, and nobody is called (%s)',
		async (onError) => {
			const run = await bench.run(slowRows, contacts(400), {
				onError,
				onStarted: (stop) => setTimeout(stop, 60),
			});
			if (onError === 'stopWorkflow') expect(shown(run).message).toMatch(/was stopped/);
			else {
				expect(run.json).toHaveLength(400);
				for (const { called } of run.json) expect(called).toBe('no');
				expect(run.json.at(-1)!.reason).toMatch(/was stopped/);
			}
			expect(bench.sandbox.requests).toEqual([]);
		},
	);
});

describe('G10 Stop means stop', () => {
	it('no further request is sent after the stop', async () => {
		bench.sandbox.settings.latencyMs = 200;
		const { run, stop } = started(bulk({ options: { parallelRequests: 2 } }), 200);
		// The first request goes alone. Then both lanes wait for an answer, so that none is about to send.
		await until(() => bench.sandbox.requests.length >= 1);
		bench.sandbox.settings.latencyMs = 10_000;
		await until(() => bench.sandbox.requests.length >= 3);
		stop();
		const { message, description } = shown(await run);
		// n8n ends the requests that are under way: so those rows may have been called, and nobody says that a connection was lost.
		expect(message).toMatch(
			/^The execution was stopped\. 10 of 200 rows called, 20 possibly called, 170 not called/,
		);
		expect(description).toMatch(/^No further call was started\. .*Retry/);
		await delay(200);
		expect(bench.sandbox.requests).toHaveLength(3);
		expect(bench.dialed).toHaveLength(30);
	});

	it.each([
		['a wait for the API’s limit', { kind: 'rateLimited', retryAfter: 200 }, {}, 0],
		['the spacing of calls', undefined, { callsPerMinute: 1 }, 1],
	] as const)('%s ends at once', async (_name, fault, more, called) => {
		if (fault) bench.sandbox.fault({ ...fault, route: 'bulk' });
		const { run, stop } = started(oneByOne(more), 20);
		await answered();
		stop();
		// The test's own time limit is far below the waits.
		const { message, description } = shown(await run);
		expect(message).toMatch(
			new RegExp(`^The execution was stopped\\. ${called} of 20 rows called, ${20 - called} not`),
		);
		expect(description).toMatch(/everybody again/);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('the wait for a turn after another execution of the node ends at once', async () => {
		const first = started(oneByOne({ callsPerMinute: 1 }), 20);
		await answered();
		// The first one waits a minute for its next turn, and the second one after it.
		const second = started(oneByOne({ callsPerMinute: 1 }), 3);
		await delay(300);
		second.stop();
		expect(shown(await second.run).message).toMatch(/was stopped\. 0 of 3 rows called/);
		first.stop();
		expect(shown(await first.run).message).toMatch(/was stopped\. 1 of 20 rows called/);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'G5 with %s every row of a stopped execution comes out once',
		async (onError) => {
			const { run, stop } = started(oneByOne({ callsPerMinute: 1 }), 20, { onError });
			await answered();
			stop();
			const { items, json, errorItems } = await run;
			expect(pairs(items)).toEqual(contacts(20).map((_, n) => n));
			expect(json[0]!.called).toBe('yes');
			for (const row of json.slice(1))
				expect(row).toMatchObject({
					status: 'refused',
					called: 'no',
					reason: expect.stringMatching(/was stopped.*later run can call/),
				});
			expect(errorItems).toEqual([]);
		},
	);

	it('G4 a stopped execution goes on with Retry: nobody is called twice', async () => {
		bench.sandbox.settings.latencyMs = 50;
		const { run, stop } = started(oneByOne(), 50);
		await until(() => bench.sandbox.requests.length >= 2);
		stop();
		const retried = await bench.run(bulk(), contacts(50), { retryOf: await run });
		expect(pairs(retried.called)).toEqual(contacts(50).map((_, n) => n));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(50);
	});

	it('a wait of Get Batch ends at once as well', async () => {
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
