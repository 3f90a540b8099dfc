import { subscribe, unsubscribe } from 'node:diagnostics_channel';
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

/** As many expressions as there are rows, each of which takes the host a moment. */
const slowRows = bulk({ destination: '={{ Array(300000).join("x").length && $json.phone }}' });

describe('G1 reading many rows', () => {
	it('others have their turn while rows are read', async () => {
		let turns = 0;
		let reads = true;
		const turn = (): void => {
			turns++;
			if (reads) setImmediate(turn);
		};
		const run = bench.run({ ...slowRows, mode: 'dryRun' }, contacts(200), {
			onStarted: () => setImmediate(turn),
		});
		const { json } = await run;
		reads = false;
		expect(json).toHaveLength(200);
		// A slice takes 25 ms, and all rows several times that on any machine; without slices there would be a handful.
		expect(turns).toBeGreaterThan(10);
	});

	// No machine resolves so many of them in the time that is left until the stop.
	it('a Stop is heard: no further row is read, and nobody is called', async () => {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const run = await bench.run(slowRows, contacts(400), {
				onError,
				onStarted: (stop) => setTimeout(stop, 60),
			});
			if (onError === 'stopWorkflow') expect(shown(run).message).toBe('The execution was stopped');
			else {
				expect(
					new Set(run.json.map(({ status, called }) => JSON.stringify([status, called]))).size,
				).toBe(1);
				expect(run.json.at(-1)).toMatchObject({
					status: 'refused',
					reason: expect.stringContaining('The execution was stopped'),
				});
				expect(run.json).toHaveLength(400);
			}
		}
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('G10 Stop means stop', () => {
	it('G10 no further request is sent after the stop', async () => {
		bench.sandbox.settings.latencyMs = 200;
		let stop = (): void => undefined;
		const run = bench.run(bulk({ options: { parallelRequests: 2 } }), contacts(200), {
			onStarted: (it) => (stop = it),
		});
		// The first request goes alone. Then both lanes wait for an answer, so that none is about to send.
		await until(() => bench.sandbox.requests.length >= 1);
		bench.sandbox.settings.latencyMs = 10_000;
		await until(() => bench.sandbox.requests.length >= 3);
		stop();
		const { message, description } = shown(await run);
		const [, called, maybe, notCalled] =
			/^The execution was stopped\. 200 rows: (\d+) called, (\d+) may have been called, (\d+) not called \(\3 not sent\)$/.exec(
				message,
			) ?? [];
		// The host ends the requests that are under way: so those rows may have been called, and nobody says that a connection was lost.
		expect(Number(called) + Number(maybe) + Number(notCalled)).toBe(200);
		expect(description).toMatch(
			/^Look at the outbound calls page of your dashboard for those who may have been called\. No further call was started after the stop\. /,
		);
		await delay(200);
		expect(bench.sandbox.requests).toHaveLength(3);
		expect(bench.dialed).toHaveLength(Number(called) + Number(maybe));
	});

	it.each([
		[
			'a wait for the API’s limit',
			{ kind: 'rateLimited', retryAfter: 200 },
			{},
			'0 called, 20 not called (20 not sent)',
		],
		[
			'the spacing of calls',
			undefined,
			{ callsPerMinute: 1 },
			'1 called, 19 not called (19 not sent)',
		],
	] as const)(
		'G10 %s ends at once, and the message counts people',
		async (_name, fault, more, people) => {
			if (fault) bench.sandbox.fault({ ...fault, route: 'bulk' });
			let stop = (): void => undefined;
			const run = bench.run(bulk({ options: { parallelRequests: 1, ...more } }), contacts(20), {
				onStarted: (it) => (stop = it),
			});
			await answered();
			stop();
			// The test's own time limit is far below the waits.
			expect(shown(await run)).toEqual({
				message: `The execution was stopped. 20 rows: ${people}`,
				description:
					'No further call was started after the stop. A new run calls these rows again, because People Called Before is set to Call Again in Each Run.',
				httpCode: null,
			});
			expect(bench.sandbox.requests).toHaveLength(1);
		},
	);

	it('G10 the wait for a turn behind another execution of the node ends at once', async () => {
		const paced = bulk({ options: { parallelRequests: 1, callsPerMinute: 1 } });
		const stops: Array<() => void> = [];
		const onStarted = (stop: () => void): unknown => stops.push(stop);
		const first = bench.run(paced, contacts(20), { onStarted });
		await answered();
		// The first one waits a minute for its next turn, and the second one behind it.
		const second = bench.run(paced, contacts(3), { onStarted });
		await delay(300);
		stops[1]!();
		expect(shown(await second).message).toBe(
			'The execution was stopped. 3 rows: 0 called, 3 not called (3 not sent)',
		);
		stops[0]!();
		expect(shown(await first).message).toBe(
			'The execution was stopped. 20 rows: 1 called, 19 not called (19 not sent)',
		);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'G5 with %s every row of a stopped execution comes out once',
		async (onError) => {
			let stop = (): void => undefined;
			const run = bench.run(
				bulk({ options: { parallelRequests: 1, callsPerMinute: 1 } }),
				contacts(20),
				{ onStarted: (it) => (stop = it), onError },
			);
			await answered();
			stop();
			const { called, notCalled, errorItems } = await run;
			expect(pairs(called)).toEqual([0]);
			expect(pairs(notCalled)).toEqual(contacts(19).map((_, n) => n + 1));
			for (const { json } of notCalled) {
				expect(json).toMatchObject({
					status: 'refused',
					called: 'no',
					reason:
						'The execution was stopped before this row was sent. Nobody was called for it, and a later run can call it.',
					success: false,
				});
			}
			expect(errorItems).toEqual([]);
			expect(bench.sandbox.requests).toHaveLength(1);
		},
	);

	it('G10 a stopped execution can go on with Retry: nobody is called twice', async () => {
		bench.sandbox.settings.latencyMs = 50;
		let stop = (): void => undefined;
		const run = bench.run(bulk({ options: { parallelRequests: 1 } }), contacts(50), {
			onStarted: (it) => (stop = it),
		});
		await until(() => bench.sandbox.requests.length >= 2);
		stop();
		const stopped = await run;
		const retried = await bench.run(bulk(), contacts(50), { retryOf: stopped });
		expect(pairs(retried.called)).toEqual(contacts(50).map((_, n) => n));
		expect(retried.notCalled).toEqual([]);
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
