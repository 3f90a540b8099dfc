import type { Exchange } from '../../../nodes/OutboundCalls/domain/exchange';
import { Account, accountOf } from '../../../nodes/OutboundCalls/http/account';
import { Patience } from '../../../nodes/OutboundCalls/http/patience';
import { Throttle, type Turn } from '../../../nodes/OutboundCalls/http/throttle';
import { VirtualClock } from '../virtualClock';

let clock: VirtualClock;
let account: Account;
beforeEach(() => {
	clock = new VirtualClock();
	account = new Account(clock);
});

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const refusal = (retryAfterS?: number): Exchange => ({
	kind: 'answer',
	status: retryAfterS === undefined ? 503 : 429,
	body: { success: false, error: 'Later' },
	...(retryAfterS === undefined ? {} : { retryAfter: String(retryAfterS) }),
});
const success: Exchange = { kind: 'answer', status: 201, body: { success: true, results: [] } };
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

type Kind = Parameters<Account['line']>[0];
const run = (maxWaitS = 300, signal?: AbortSignal, kind: Kind = 'bulkCall'): Throttle =>
	new Throttle(
		{
			line: account.line(kind),
			patience: new Patience(maxWaitS * SECOND),
			...(signal ? { signal } : {}),
		},
		clock,
	);

/** One request of a run: it waits for its turn, and `answerMs` later it is answered. */
async function ask(
	throttle: Throttle,
	answer: Exchange = success,
	answerMs = 100,
	kind: Kind = 'bulkCall',
): Promise<number | Turn> {
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

const told = async (answer: Exchange): Promise<void> => {
	await clock.through(ask(run(), answer, 0));
};
const leaving = async (throttles: Throttle[], answer?: Exchange): Promise<Array<number | Turn>> =>
	await clock.through(Promise.all(throttles.map(async (each) => await ask(each, answer))));

describe('G7 a pause that one execution is told', () => {
	it('is kept by all of them, in full, and by none of another kind', async () => {
		await told(refusal(8));
		const cancel = ask(run(300, undefined, 'cancel'), success, 100, 'cancel');
		expect(await leaving([run(), run()])).toEqual([8 * SECOND, 8 * SECOND + 100]);
		expect(await cancel).toBe(0);
	});

	it('is kept by the kind whose allowance is used up, whatever kind was told, and then one asks', async () => {
		const body = {
			error: 'mf-core:rate-limit-exceeded',
			message: 'm',
			details: { policy: 'outbound_read', retry_after: 8 },
		};
		await told({ kind: 'answer', status: 429, body });
		const reads = [1, 2].map(
			async () => await ask(run(300, undefined, 'read'), success, 100, 'read'),
		);
		const cancel = ask(run(300, undefined, 'cancel'), success, 100, 'cancel');
		expect(await leaving([run()])).toEqual([8 * SECOND]);
		expect(await clock.through(Promise.all(reads))).toEqual([8 * SECOND, 8 * SECOND + 100]);
		expect(await cancel).toBe(0);
	});

	it('is up to a quarter longer', async () => {
		clock = new VirtualClock(() => 0.999);
		account = new Account(clock);
		await told(refusal(8));
		const [left] = await leaving([run()]);
		expect(left).toBeCloseTo(10 * SECOND, -2);
	});

	it('ends a run that may not wait for so long, at once, and says what is left', async () => {
		await told(refusal(60));
		clock.time += 15 * SECOND;
		const short = run(30);
		const turn = await short.acquire();
		expect(turn).toMatchObject({ limit: { status: 429 } });
		expect(short.demandedMs(turn as never)).toBe(45 * SECOND);
		expect(clock.time).toBe(15 * SECOND);
		expect(await leaving([run(45)])).toEqual([60 * SECOND]);
	});

	it('of two hours is one of an hour for the others: then one asks, and the rest wait for its answer', async () => {
		await told(refusal(7_200));
		expect(await run(HOUR / SECOND - 1).acquire()).toMatchObject({ limit: { status: 429 } });
		const asked = await leaving(
			[run(HOUR / SECOND), run(HOUR / SECOND), run(2 * HOUR)],
			refusal(7_200),
		);
		expect(asked[0]).toBe(HOUR);
		expect(asked[1]).toMatchObject({ limit: { status: 429 } });
		expect(asked[2]).toBe(2 * HOUR + 100);
	});

	it('is kept in full by the run that heard it', async () => {
		const hearing = run(3 * HOUR);
		await clock.through(ask(hearing, refusal(7_200), 0));
		expect(hearing.keepPause()).toBe(true);
		expect(await leaving([hearing])).toEqual([2 * HOUR]);
	});

	it('holds also where the API says it of each row alone', async () => {
		clock = new VirtualClock(() => 0.5);
		account = new Account(clock);
		await told(undialed);
		expect(await leaving([run()])).toEqual([500]);
		await told(undialed);
		expect(await run(0).acquire()).toMatchObject({ limit: { status: 201 } });
	});

	it('grows with each refusal that names no time, and not with those that were under way together', async () => {
		clock = new VirtualClock(() => 0.999);
		account = new Account(clock);
		const pauses: number[] = [];
		for (let n = 0; n < 4; n++) {
			const begun = clock.time;
			const lanes = Array.from({ length: 5 }, () => run());
			await leaving(n === 0 ? lanes : lanes.slice(0, 1), refusal());
			pauses.push(Math.round((clock.time - begun) / SECOND));
		}
		expect(await leaving([run()])).toEqual([expect.closeTo(clock.time - 100, -2)]);
		expect(pauses).toEqual([0, 1, 2, 4]);
	});
});

describe('G7 after a pause', () => {
	it('there is no storm: one asks, then twice as many each time', async () => {
		await told(refusal(8));
		const left = (await leaving(Array.from({ length: 200 }, () => run()))) as number[];
		const rounds = [...new Set(left.map((at) => Math.round((at - 8 * SECOND) / 100)))].sort(
			(a, b) => a - b,
		);
		const sizes = rounds.map(
			(round) => left.filter((at) => Math.round((at - 8 * SECOND) / 100) === round).length,
		);
		expect(sizes).toEqual([1, 2, 4, 8, 16, 32, 64, 73]);
	});

	it('one request is all that is refused again', async () => {
		await told(refusal(8));
		const runs = Array.from({ length: 100 }, () => run(20));
		let asked = 0;
		await clock.through(
			Promise.all(
				runs.map(async (each) => {
					for (;;) {
						const turn = await ask(each, refusal(8));
						if (typeof turn !== 'number') return;
						asked++;
						if (!each.keepPause()) return;
					}
				}),
			),
		);
		// At 8 s and at 16 s; the third wait does not fit any more.
		expect(asked).toBe(2);
	});

	it('one that is not answered holds the others for a minute', async () => {
		await told(refusal(8));
		const lost = ask(run(), { kind: 'noAnswer', code: 'ETIMEDOUT' }, HOUR);
		const others = await leaving([run()]);
		expect(others).toEqual([68 * SECOND]);
		await lost;
	});

	it('one that ends without an answer lets the next one ask', async () => {
		await told(refusal(8));
		expect(await leaving([run(), run()], { kind: 'noAnswer', code: 'ECONNRESET' })).toEqual([
			8 * SECOND,
			8 * SECOND + 100,
		]);
	});
});

it('G10 Stop ends the wait for a pause and for an answer at once, and nobody sleeps on', async () => {
	await told(refusal(60));
	const [first, second] = [new AbortController(), new AbortController()];
	const stopped = run(300, first.signal).acquire();
	await clock.run(10 * SECOND);
	first.abort();
	expect(await stopped).toBe('stopped');

	const asking = ask(run(), success, 30 * SECOND);
	const waiting = ask(run(300, second.signal));
	await clock.run(70 * SECOND);
	second.abort();
	expect(await waiting).toBe('stopped');
	await clock.through(asking);
	expect(clock.asleep).toBe(0);
});

describe('G9 an account', () => {
	it('is known for ten minutes from an answer of its own', async () => {
		expect(account.isKnown()).toBe(false);
		await told(success);
		clock.time += 599_999;
		expect(account.isKnown()).toBe(true);
		clock.time += 1;
		expect(account.isKnown()).toBe(false);
	});

	it.each([401, 403, 404, 410, 422])(
		'that refuses others as well, with %d, is asked with one request again',
		async (status) => {
			await told(success);
			await told({ kind: 'answer', status, body: { success: false, error: 'No' } });
			expect(account.isKnown()).toBe(false);
		},
	);

	it('is forgotten when nobody has needed it for ten minutes and no pause is on', async () => {
		await told(refusal(7_200));
		clock.time += 2 * HOUR - 1;
		expect(account.isForgotten()).toBe(false);
		clock.time += 1;
		expect(account.isForgotten()).toBe(true);
		account.use();
		expect(account.isForgotten()).toBe(false);
	});

	it('is the same for two executions that begin together, of one base URL and token alone', () => {
		const of = (url: string, token: string) => accountOf(`https://x/${url}`, token);
		const first = of('a', 'one');
		expect(of('b', 'one')).not.toBe(first);
		expect(of('a', 'two')).not.toBe(first);
		expect(of('a', 'one')).toBe(first);
	});

	it('makes room for others: no more than a thousand are kept', () => {
		const first = accountOf('https://x', 'first');
		const second = accountOf('https://x', 'second');
		for (let n = 0; n < 998; n++) accountOf('https://x', String(n));
		expect(accountOf('https://x', 'first')).toBe(first);
		accountOf('https://x', 'one more');
		expect(accountOf('https://x', 'first')).toBe(first);
		expect(accountOf('https://x', 'second')).not.toBe(second);
	});
});
