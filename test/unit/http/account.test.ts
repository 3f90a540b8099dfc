import type { Exchange, Purpose } from '../../../nodes/OutboundCalls/domain/api/exchange';
import { Account, accountOf, CallPace } from '../../../nodes/OutboundCalls/http/account';
import { Throttle, type Slot, WaitBudget } from '../../../nodes/OutboundCalls/http/throttle';
import { VirtualClock } from '../virtualClock';

let clock: VirtualClock;
let account: Account;
const at = (chance: number): void => {
	clock = new VirtualClock(() => chance);
	account = new Account(clock);
};
beforeEach(() => {
	at(0);
});

const SECOND = 1_000;

const refusal = (retryAfterS?: number): Exchange => ({
	kind: 'answer',
	status: retryAfterS === undefined ? 503 : 429,
	body: { success: false, error: 'Later' },
	...(retryAfterS === undefined ? {} : { retryAfter: String(retryAfterS) }),
});
const success: Exchange = { kind: 'answer', status: 201, body: { success: true, results: [] } };
const lost: Exchange = { kind: 'noAnswer', code: 'ECONNRESET' };
const undialed: Exchange = {
	kind: 'answer',
	status: 201,
	body: {
		success: true,
		results: ['rate_limited', 'temporarily_unavailable'].map((status) => ({
			destination: '+1',
			success: false,
			status,
		})),
	},
};

interface RunOptions {
	maxWaitS?: number;
	signal?: AbortSignal;
	kind?: Purpose;
	pace?: CallPace;
	callsPerMinute?: number;
}
const run = ({ maxWaitS = 300, kind = 'bulkCall', ...more }: RunOptions = {}): Throttle =>
	new Throttle(
		{ line: account.line(kind), budget: new WaitBudget(maxWaitS * SECOND), ...more },
		clock,
	);

const several = (count: number, options?: RunOptions) =>
	Array.from({ length: count }, () => run(options));

/** One request of a run: it waits for its turn, and `answerMs` later it is answered. When it left, or why it did not. */
async function ask(
	throttle: Throttle,
	answer = success,
	answerMs = 100,
	kind: Purpose = 'bulkCall',
): Promise<number | Slot> {
	for (;;) {
		const turn = await throttle.acquire();
		if (turn !== 'now') return turn;
		if (!throttle.isClear) continue;
		const left = clock.time;
		const returned = account.leave(kind);
		await clock.sleep(answerMs);
		returned(answer);
		return left;
	}
}

const told = async (answer: Exchange): Promise<unknown> =>
	await clock.through(ask(run(), answer, 0));
const leaving = async (throttles: Throttle[], answer?: Exchange): Promise<Array<number | Slot>> =>
	await clock.through(Promise.all(throttles.map(async (each) => await ask(each, answer))));
const tooLong = (status: number) => ({ limit: expect.objectContaining({ status }) as Exchange });

const ending = (leftMs: number) => ({ ...tooLong(429), leftMs });

describe('G7 a pause that one execution is told', () => {
	it.each([
		['in full', 0, 8 * SECOND],
		['plus a quarter at most', 0.999, 10 * SECOND],
	])('is kept by all executions %s, then one asks before the others', async (_, chance, end) => {
		at(chance);
		await told(refusal(8));
		const left = (await leaving([run(), run(), run()])) as number[];
		expect(Math.abs(left[0]! - end)).toBeLessThan(5);
		expect(left.slice(1)).toEqual([left[0]! + 100, left[0]! + 100]);
	});

	it('does not hold requests of another kind', async () => {
		await told(refusal(8));
		const cancel = ask(run({ kind: 'cancel' }), success, 100, 'cancel');
		expect(await clock.through(cancel)).toBe(0);
	});

	it('ends a run that may not wait for so long, at once, and says what is left', async () => {
		await told(refusal(60));
		clock.time += 15 * SECOND;
		expect(await run({ maxWaitS: 30 }).acquire()).toEqual(ending(45 * SECOND));
		expect(clock.time).toBe(15 * SECOND);
		expect(await leaving([run({ maxWaitS: 45 })])).toEqual([60 * SECOND]);
	});

	it('is longer than any run may wait: each one ends at once, and after an hour one asks again', async () => {
		const HOUR = 3_600 * SECOND;
		await told(refusal(2 * 3_600));
		expect(await run({ maxWaitS: 3_600 }).acquire()).toEqual(ending(2 * HOUR));
		clock.time = HOUR - 1;
		expect(await run({ maxWaitS: 3_600 }).acquire()).toEqual(ending(HOUR + SECOND));
		expect(clock.time).toBe(HOUR - 1);
		clock.time = HOUR;
		const left = await leaving([run({ maxWaitS: 0 }), run({ maxWaitS: 0 })], refusal(2 * 3_600));
		// It is told again, and ends the other one.
		expect(left).toEqual([HOUR, ending(2 * HOUR)]);
	});

	it('is the longest of those that requests at the same time are told', async () => {
		const answers = [8, 20, 5].map(async (seconds) => await ask(run(), refusal(seconds)));
		await clock.through(Promise.all(answers));
		expect(await leaving([run()])).toEqual([20 * SECOND + 100]);
	});

	it('counts also if the API says it for each row alone', async () => {
		at(0.5);
		await told(undialed);
		expect(await run({ maxWaitS: 0 }).acquire()).toMatchObject(tooLong(201));
		expect(await leaving([run()])).toEqual([500]);
	});

	it('grows with each refusal that names no time, but not with those under way together', async () => {
		at(0.999);
		const pauses: number[] = [];
		for (let n = 0; n < 4; n++) {
			const begun = clock.time;
			await leaving(several(n === 0 ? 5 : 1), refusal());
			pauses.push(Math.round((clock.time - begun) / SECOND));
		}
		expect(pauses).toEqual([0, 1, 2, 4]);
	});
});

describe('G7 the request that asks after a pause', () => {
	it('is all that is refused again, however many wait', async () => {
		await told(refusal(8));
		const left = await leaving(several(100, { maxWaitS: 10 }), refusal(8));
		expect(left.filter((each) => typeof each === 'number')).toEqual([8 * SECOND]);
	});

	it('lets the next one ask if it gets no answer', async () => {
		await told(refusal(8));
		expect(await leaving([run(), run(), run()], lost)).toEqual([8_000, 8_100, 8_200]);
	});
});

describe('G7 a run waits no longer than Max Retry Wait', () => {
	it.each<[string, number, number | undefined, boolean]>([
		['a demand that just fits', 8, 8_000, true],
		['a demand that is too long', 8, 8_001, false],
		['any demand without a budget', 0, 1_000, false],
		['Retry-After: 0 without a budget', 0, 0, false],
		['a backoff within the budget', 8, undefined, true],
	])('%s', async (_, maxWaitS, demanded, fits) => {
		at(0.5);
		expect(await clock.through(run({ maxWaitS }).backOff(demanded, 0))).toBe(fits);
		if (!fits) expect(clock.time).toBe(0);
	});

	it('waits at the same time count once, and one after the other add up', async () => {
		const bounded = run({ maxWaitS: 10 });
		const wait = async () => await bounded.backOff(5_000, 0);
		expect(await clock.through(Promise.all([wait(), wait()]))).toEqual([true, true]);
		expect(await clock.through(wait())).toBe(true);
		expect(await clock.through(wait())).toBe(false);
		expect(clock.time).toBe(10 * SECOND);
	});
});

describe('G7 calls per minute', () => {
	const callsPerMinute = 60;
	const starting = (throttle: Throttle, calls: number): Promise<number | undefined> => {
		let begun: number | undefined;
		return throttle
			.paced(async () => {
				begun = clock.time;
				return await Promise.resolve({ length: calls });
			})
			.then(() => begun);
	};

	it('count the calls of all executions of a node, and none of a stopped one', async () => {
		const stop = new AbortController();
		const pace = new CallPace(clock);
		const runs = [undefined, stop.signal, undefined].map((signal) =>
			run({ pace, callsPerMinute, signal }),
		);
		const started = Promise.all(runs.map((each) => starting(each, 3)));
		stop.abort();
		expect(await clock.through(started)).toEqual([0, undefined, 3_000]);
	});

	it('do not save up time in which nobody was called', async () => {
		const paced = run({ pace: new CallPace(clock), callsPerMinute });
		await clock.through(starting(paced, 1));
		clock.time += 30_000;
		const started = Promise.all([starting(paced, 1), starting(paced, 1)]);
		expect(await clock.through(started)).toEqual([30_000, 31_000]);
	});
});

it('G10 Stop ends every wait at once, and nobody sleeps on', async () => {
	await told(refusal(60));
	const stop = new AbortController();
	const stopped = run({ signal: stop.signal });
	const waits = [stopped.acquire(), stopped.paced(async () => await Promise.resolve([]))];
	const backOff = stopped.backOff(60_000, 0);
	const probing = ask(run(), success, 30 * SECOND);
	await clock.run(10 * SECOND);
	stop.abort();
	expect(await Promise.all(waits)).toEqual(['stopped', undefined]);
	expect(await backOff).toBe(false);

	await clock.run(70 * SECOND);
	const second = new AbortController();
	const behindProbe = ask(run({ signal: second.signal }));
	await clock.run(75 * SECOND);
	second.abort();
	expect(await behindProbe).toBe('stopped');
	await clock.through(probing);
	expect(clock.asleep).toBe(0);
});

describe('G6 an account', () => {
	it('is known for ten minutes from an answer of its own', async () => {
		expect(account.isKnown()).toBe(false);
		await told(success);
		clock.time += 599_999;
		expect(account.isKnown()).toBe(true);
		clock.time += 1;
		expect(account.isKnown()).toBe(false);
	});

	it.each([401, 403, 404, 410, 422])(
		'that refused with %d is asked once first again',
		async (status) => {
			await told(success);
			await told({ kind: 'answer', status, body: { success: false, error: 'No' } });
			expect(account.isKnown()).toBe(false);
		},
	);

	it('is shared by all executions with one base URL and token, and its pace by those of one node', () => {
		const of = (url: string, token: string) => accountOf(`https://x/${url}`, token);
		const first = of('a', 'one');
		expect(of('b', 'one')).not.toBe(first);
		expect(of('a', 'two')).not.toBe(first);
		expect(of('a', 'one')).toBe(first);
		expect(first.pace('node')).toBe(first.pace('node'));
		expect(first.pace('node')).not.toBe(first.pace('other'));
	});
});
