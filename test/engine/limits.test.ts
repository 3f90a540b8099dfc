import { storeForEach } from './helpers/durableStore';
import { withRequestsSeen } from './helpers/requestsSeen';
import { workbench } from './helpers/workbench';
import { bulk, cancel, contacts, getBatch, pairs, phone, place, shown } from './helpers/workflows';

const bench = workbench();
storeForEach();

const options = (more: object) => bulk({ options: more as never });
const times = (): number[] => bench.sandbox.requests.map(({ at }) => at);

describe('G7 limits are respected', () => {
	it.each([
		['429 with Retry-After', { kind: 'rateLimited', retryAfter: 1 }],
		[
			'429 with details.retry_after alone',
			{ kind: 'rateLimited', form: 'allowance', header: false, retryAfter: 1 },
		],
		['503 with Retry-After', { kind: 'unavailable', retryAfter: 1 }],
	] as const)(
		'G7 %s is waited for in full, then the same rows are sent again and called once',
		async (_name, fault) => {
			bench.sandbox.fault({ ...fault, route: 'bulk', times: 1 });
			const run = await bench.run(options({ parallelRequests: 1 }), contacts(3));
			expect(run.json.map(({ status }) => status)).toEqual(Array(3).fill('initiated'));
			const [first, second] = times() as [number, number];
			expect(second - first).toBeGreaterThanOrEqual(1_000);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		},
	);

	it('G7 a limit that says no time is waited for with backoff', async () => {
		bench.sandbox.fault({ kind: 'unavailable', form: 'allowance', route: 'bulk', times: 2 });
		const run = await bench.run(options({}), contacts(3));
		expect(run.json.map(({ status }) => status)).toEqual(Array(3).fill('initiated'));
		expect(bench.sandbox.requests).toHaveLength(3);
	});

	it('G7 all lanes pause together: nothing is sent while one of them waits', async () => {
		bench.sandbox.settings.latencyMs = 20;
		bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', after: 4, times: 1, retryAfter: 1 });
		const seen = await withRequestsSeen(
			async () => await bench.run(options({ parallelRequests: 4 }), contacts(120)),
		);
		const refusedAt = seen.answered.find(({ status }) => status === 429)!.at;
		// Each other lane may have had its answer in the same moment, and sent its next request before anybody read the refusal.
		const during = seen.sent.filter((at) => at > refusedAt && at < refusedAt + 990);
		expect(during.length).toBeLessThanOrEqual(3);
		expect(bench.dialed).toHaveLength(120);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it.each([
		['2 hours', 7_200],
		['365 days', 31_536_000],
	])(
		'G7 a longer wait than Max Retry Wait ends at once and says to come back in %s',
		async (spoken, retryAfter) => {
			bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', retryAfter });
			const run = await bench.run(options({ parallelRequests: 1 }), contacts(30));
			expect(shown(run).message).toMatch(/^Rows 1 to 10 were not called.* 0 of 30 rows called/);
			expect(shown(run).description).toMatch(
				new RegExp(`Try again in ${spoken}.*Max Retry Wait.*Nobody was called`),
			);
			expect(bench.sandbox.requests).toHaveLength(1);
		},
	);

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'G7 with %s every row says when to come back, without further requests',
		async (onError) => {
			bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', after: 1, retryAfter: 7_200 });
			const run = await bench.run(options({ parallelRequests: 1 }), contacts(30), { onError });
			expect(run.error).toBeUndefined();
			expect(run.errorItems).toEqual([]);
			expect(run.called.map(({ json }) => [json.status, json.destination])).toEqual(
				contacts(10).map((row) => ['initiated', row.phone]),
			);
			expect(run.notCalled.map(({ json }) => [json.status, json.destination])).toEqual(
				contacts(30)
					.slice(10)
					.map((row) => ['refused', row.phone]),
			);
			expect(pairs(run.notCalled)).toEqual(Array.from({ length: 20 }, (_, n) => n + 10));
			for (const { json } of run.notCalled)
				expect(json.reason).toMatch(/Try again in 2 hours.*Max Retry Wait/);
			expect(bench.sandbox.requests).toHaveLength(2);
		},
	);

	it.each(['soon', '-5', '1e9', '', 'Infinity'])(
		'G7 a Retry-After of "%s" is no wait: backoff instead',
		async (retryAfter) => {
			bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', times: 1, retryAfter });
			const run = await bench.run(options({}), contacts(1));
			expect(run.json[0]?.status).toBe('initiated');
		},
	);

	it('G7 calls per minute: no more calls are started than the limit allows', async () => {
		// 1,200 a minute are 10 calls every half second. From the beginning on, because a busy machine may send the first one late.
		const begin = performance.now();
		const { sent } = await withRequestsSeen(
			async () =>
				await bench.run(options({ callsPerMinute: 1_200, parallelRequests: 5 }), contacts(30)),
		);
		const [, second, third] = sent as [number, number, number];
		expect(second - begin).toBeGreaterThanOrEqual(500);
		expect(third - begin).toBeGreaterThanOrEqual(1_000);
	});

	it('G7 calls per minute hold for all executions of the node at once, as of a webhook with one row each', async () => {
		// 600 a minute are ten calls a second.
		const { sent } = await withRequestsSeen(
			async () =>
				await Promise.all(
					contacts(6).map((row) => bench.run(options({ callsPerMinute: 600 }), [row])),
				),
		);
		expect(sent).toHaveLength(6);
		expect(sent[5]! - sent[0]!).toBeGreaterThanOrEqual(250);
	});

	it('G7 fewer than ten calls per minute also make smaller requests', async () => {
		await bench.run(options({ callsPerMinute: 4 }), contacts(4));
		expect(bench.sandbox.requests).toHaveLength(1);
		expect(bench.dialed).toHaveLength(4);
	});

	it.each(['"60/min"', 'true', '""', 'null', '({})', '-5', '0', '1 / 0', '$itemIndex + 5'])(
		'G1 calls per minute that are no number, or not one for all rows (%s): nobody is called',
		async (value) => {
			for (const calls of [bulk, place]) {
				const parameters = calls({ options: { callsPerMinute: `={{ ${value} }}` } });
				const stopped = shown(await bench.run(parameters, contacts(3)));
				expect(stopped.message).toMatch(/^Calls per Minute is /);
				expect(stopped.description).toMatch(/(Enter a number|one value).*Nobody was called/);
				const went = await bench.run(parameters, contacts(3), { onError: 'continueRegularOutput' });
				expect(went.json.map(({ status }) => status)).toEqual(Array(3).fill('refused'));
				expect(went.json[0]?.reason).toMatch(/^Calls per Minute/);
			}
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it('G7 no more requests are under way than Parallel Requests allows', async () => {
		bench.sandbox.settings.latencyMs = 30;
		// The first one goes alone; the others are answered when so many are there.
		bench.meanwhile = async () => {
			while (bench.sandbox.requests.length > 1 && bench.sandbox.mostInFlight < 3)
				await new Promise(setImmediate);
		};
		await bench.run(options({ parallelRequests: 3 }), contacts(120));
		expect(bench.sandbox.mostInFlight).toBe(3);
	});

	it('G7 a row that the API could not dial for now comes out as it is, and is not remembered', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'rate_limited', error: 'Busy' });
		const run = await bench.run(bulk({ calledBefore: 'skip' }), contacts(2));
		expect(run.json[1]).toMatchObject({
			success: false,
			status: 'rate_limited',
			called: 'no',
			reason: 'Busy',
		});
		expect(bench.sandbox.requests).toHaveLength(1);
		bench.sandbox.destinationOutcome.clear();
		const next = await bench.run(bulk({ calledBefore: 'skip' }), contacts(2));
		expect(next.json.map(({ status }) => status)).toEqual(['already_called', 'initiated']);
	});
});

describe('executions of one account', () => {
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
			expect(
				(await bench.run(cancel(options), [{ consent_id: consentIds[0]! }])).json,
			).toMatchObject([{ cancelled: true }]);
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
});
