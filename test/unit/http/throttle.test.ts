import {
	Throttle,
	type Pace,
	type ThrottleLimits,
} from '../../../nodes/OutboundCalls/http/throttle';
import { Patience } from '../../../nodes/OutboundCalls/http/patience';
import { Account } from '../../../nodes/OutboundCalls/http/account';
import { systemClock, type Clock } from '../../../nodes/OutboundCalls/http/clock';

/** A clock that the test moves by hand: a sleep passes at once. */
class HandClock implements Clock {
	time = 1_000_000;
	chance = 0;
	readonly slept: number[] = [];

	now = (): number => this.time;
	timeOfDay = (): number => this.time;
	random = (): number => this.chance;
	sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
		this.slept.push(ms);
		if (!signal?.aborted) this.time += ms;
		return await Promise.resolve();
	};
}

let clock: HandClock;
beforeEach(() => {
	clock = new HandClock();
});

type Limits = Partial<ThrottleLimits> & { maxWaitMs?: number };
const pace = ({ maxWaitMs = 300_000, ...limits }: Limits = {}): Throttle =>
	new Throttle({ patience: new Patience(maxWaitMs), ...limits }, clock);
const start = 1_000_000;

describe('G7 a pause', () => {
	it('nothing is waited for without one', async () => {
		expect(await pace().acquire()).toBe('now');
		expect(clock.slept).toEqual([]);
	});

	it.each<[string, number, number]>([
		['is kept in full', 0, 8_000],
		['is kept in full, plus a quarter at most', 1, 10_000],
	])('%s', async (_, chance, expected) => {
		clock.chance = chance;
		const shared = pace();
		expect(shared.backOff(8_000, 0)).toBe(true);
		expect(await shared.acquire()).toBe('now');
		expect(clock.time - start).toBe(expected);
	});

	it('holds all lanes of a run', async () => {
		const shared = pace();
		shared.backOff(8_000, 0);
		const times = await Promise.all(
			[1, 2, 3].map(async () => ((await shared.acquire()) === 'now' ? clock.time - start : -1)),
		);
		for (const time of times) expect(time).toBeGreaterThanOrEqual(8_000);
	});

	it('of several lanes lasts as long as the longest, and is counted once', async () => {
		const shared = pace({ maxWaitMs: 10_000 });
		for (const demanded of [8_000, 5_000, 10_000]) expect(shared.backOff(demanded, 0)).toBe(true);
		await shared.acquire();
		expect(clock.time - start).toBe(10_000);
	});

	it('that is made longer while lanes wait holds them until its end', async () => {
		const shared = pace();
		shared.backOff(8_000, 0);
		const sleep = clock.sleep;
		clock.sleep = async (ms, signal) => {
			clock.sleep = sleep;
			shared.backOff(20_000, 0);
			await sleep(ms, signal);
		};
		await shared.acquire();
		expect(clock.time - start).toBe(20_000);
	});
});

describe('G7 the wait of a run is bounded', () => {
	it.each<[string, number, number | undefined, boolean]>([
		['a demand that just fits', 8_000, 8_000, true],
		['a demand that is too long', 8_000, 8_001, false],
		['a demand of a year', 300_000, 31_536_000_000, false],
		['a demand without any budget', 0, 1_000, false],
		['a backoff without any budget', 0, undefined, false],
		['Retry-After: 0 without any budget', 0, 0, false],
		['a backoff within the budget', 8_000, undefined, true],
	])('%s', async (_, maxWaitMs, demanded, expected) => {
		const bounded = pace({ maxWaitMs });
		expect(bounded.backOff(demanded, 0)).toBe(expected);
		if (expected) return;
		expect(await bounded.acquire()).toBe('now');
		expect(clock.slept).toEqual([]);
	});

	it('the random addition does not exceed it', async () => {
		clock.chance = 0.999;
		const bounded = pace({ maxWaitMs: 8_500 });
		bounded.backOff(8_000, 0);
		await bounded.acquire();
		expect(clock.time - start).toBe(8_500);
	});

	it('pauses one after the other use it up', async () => {
		const bounded = pace({ maxWaitMs: 10_000 });
		for (const fits of [true, true, false]) {
			expect(bounded.backOff(5_000, 0)).toBe(fits);
			if (fits) await bounded.acquire();
		}
		expect(clock.time - start).toBe(10_000);
	});

	it('endless refusals without a demand come to an end', async () => {
		clock.chance = 0.5;
		const bounded = pace({ maxWaitMs: 60_000 });
		let tries = 0;
		while (bounded.backOff(undefined, tries) && tries < 1_000) {
			tries++;
			await bounded.acquire();
		}
		expect(tries).toBeLessThan(20);
		expect(clock.time - start).toBe(60_000);
	});
});

describe('requests at the same time', () => {
	it('leave at once at first, and a moment apart once they come back together', async () => {
		const shared = pace();
		for (let lane = 0; lane < 10; lane++) await shared.acquire();
		expect(clock.slept).toEqual([]);
		clock.time += 100;
		for (let lane = 0; lane < 10; lane++) await shared.acquire();
		expect(clock.time - start).toBeLessThan(100 + 10 * 6);
		expect(clock.slept).toHaveLength(9);
		for (const ms of clock.slept) expect([ms >= 3, ms <= 5]).toEqual([true, true]);
	});

	it('do not wait for each other when each is there in a moment', async () => {
		const shared = pace();
		for (let request = 0; request < 1_000; request++) {
			await shared.acquire();
			clock.time += 1;
		}
		expect(clock.slept).toEqual([]);
	});
});

describe('a clock that is set back', () => {
	it.each([
		['by an hour', 3_600_000],
		['by less than the wait', 150],
	])('%s does not lengthen the waits of a run', async (_, byMs) => {
		const now = Date.now;
		const clock = systemClock;
		const started = performance.now();
		const begun = clock.now();
		const sleeping = clock.sleep(200);
		const setBack = jest.spyOn(Date, 'now').mockImplementation(() => now() - byMs);
		try {
			await sleeping;
			// The time that has really passed, whatever the machine's clock says. It must not be less, or the node would wait once more.
			expect(clock.now() - begun).toBeGreaterThanOrEqual(200 - 5);
			expect(clock.now() - begun).toBeLessThanOrEqual(performance.now() - started + 5);
			await clock.sleep(20);
			expect(clock.now() - begun).toBeGreaterThanOrEqual(220 - 10);
		} finally {
			setBack.mockRestore();
		}
	});

	it('goes on between the waits', async () => {
		const now = Date.now;
		const clock = systemClock;
		clock.now();
		const setBack = jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
		try {
			const begun = clock.now();
			await new Promise((resolve) => setTimeout(resolve, 30));
			expect(clock.now() - begun).toBeGreaterThanOrEqual(25);
		} finally {
			setBack.mockRestore();
		}
	});
});

describe('calls per minute', () => {
	it.each<[string, number | undefined, number[], number[]]>([
		['without a limit everything starts at once', undefined, [10, 10, 10], [0, 0, 0]],
		['60 a minute is one a second', 60, [1, 1, 1], [0, 1_000, 2_000]],
		['requests of ten calls wait for ten', 60, [10, 10, 5, 1], [0, 10_000, 20_000, 25_000]],
		['one a minute', 1, [1, 1], [0, 60_000]],
	])('%s', async (_, callsPerMinute, requests, expected) => {
		const spread = pace({ callsPerMinute });
		const started: number[] = [];
		for (const calls of requests) {
			await spread.paced(async () => {
				started.push(clock.time - start);
				return await Promise.resolve({ length: calls });
			});
		}
		expect(started).toEqual(expected);
	});

	const startedAt = async (spread: Throttle, calls: number): Promise<number> => {
		let at = -1;
		await spread.paced(async () => {
			at = clock.time - start;
			return await Promise.resolve({ length: calls });
		});
		return at;
	};

	it('time in which nothing was called is not saved up', async () => {
		const spread = pace({ callsPerMinute: 60 });
		await startedAt(spread, 1);
		clock.time += 30_000;
		expect([await startedAt(spread, 1), await startedAt(spread, 1)]).toEqual([30_000, 31_000]);
	});

	it('rows that turn out not to be called cost no time', async () => {
		const spread = pace({ callsPerMinute: 60 });
		for (let request = 0; request < 20; request++) await startedAt(spread, 0);
		expect(await startedAt(spread, 1)).toBe(0);
	});

	it('G7 goes on where the round of a loop, or the try, before it ended', async () => {
		const kept = {};
		await startedAt(pace({ callsPerMinute: 60, pace: kept }), 10);
		const stored = JSON.parse(JSON.stringify(kept)) as Pace;
		expect(await startedAt(pace({ callsPerMinute: 60, pace: stored }), 1)).toBe(10_000);
	});

	it('a stored pace from a clock that was set back does not hold a run up', async () => {
		expect(
			await startedAt(pace({ callsPerMinute: 60, pace: { nextCallAt: start + 86_400_000 } }), 1),
		).toBe(10_000);
	});

	it('G7 counts the calls of all executions of a node, and of no other one', async () => {
		const account = new Account(clock);
		const [one, two, other] = ['node', 'node', 'other'].map((node) =>
			pace({ callsPerMinute: 60, turns: account.turnsOf(node) }),
		);
		expect([
			await startedAt(one!, 3),
			await startedAt(two!, 1),
			await startedAt(one!, 1),
			await startedAt(other!, 1),
		]).toEqual([0, 3_000, 4_000, 4_000]);
	});

	it('an execution that is stopped while it waits holds up no other one', async () => {
		const turns = new Account(clock).turnsOf('node');
		const stop = new AbortController();
		const [one, stopped, two] = [undefined, stop.signal, undefined].map((signal) =>
			pace({ callsPerMinute: 60, turns, ...(signal ? { signal } : {}) }),
		);
		stop.abort();
		expect(
			await Promise.all([startedAt(one!, 1), startedAt(stopped!, 1), startedAt(two!, 1)]),
		).toEqual([0, -1, 1_000]);
	});

	it('nothing of it is kept once nobody takes a turn and the pace is over', async () => {
		const account = new Account(clock);
		const turns = account.turnsOf('node');
		await startedAt(pace({ callsPerMinute: 60, turns }), 10);
		turns.users--;
		clock.time += 9_999;
		expect(account.turnsOf('node')).toBe(turns);
		turns.users--;
		clock.time += 1;
		expect(account.turnsOf('node')).not.toBe(turns);
	});

	it('one request after the other takes its turn, however many wait', async () => {
		const spread = pace({ callsPerMinute: 60 });
		expect(
			await Promise.all([startedAt(spread, 1), startedAt(spread, 1), startedAt(spread, 1)]),
		).toHaveLength(3);
		expect(clock.time - start).toBe(2_000);
	});
});

describe('G10 stopping the execution', () => {
	it('no lane gets a turn any more', async () => {
		const stop = new AbortController();
		const stopped = pace({ signal: stop.signal });
		expect(await stopped.acquire()).toBe('now');
		stop.abort();
		expect(stopped.cancelled).toBe(true);
		expect(await stopped.acquire()).toBe('stopped');
		expect(clock.slept).toEqual([]);
	});

	it('ends a wait', async () => {
		const stop = new AbortController();
		const stopped = pace({ signal: stop.signal });
		stopped.backOff(200_000, 0);
		clock.sleep = async () => {
			stop.abort();
			return await Promise.resolve();
		};
		expect(await stopped.acquire()).toBe('stopped');
		expect(clock.time).toBe(start);
	});

	it('ends a wait on the real clock as well', async () => {
		const stop = new AbortController();
		const stopped = new Throttle({ patience: new Patience(3_600_000), signal: stop.signal });
		stopped.backOff(3_600_000, 0);
		const turn = stopped.acquire();
		stop.abort();
		expect(await turn).toBe('stopped');
	});
});
