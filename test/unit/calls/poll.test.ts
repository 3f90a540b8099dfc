import {
	type BatchRead,
	pollBatches,
	type ReadOptions,
} from '../../../nodes/OutboundCalls/calls/batches';
import type { ApiProblem } from '../../../nodes/OutboundCalls/domain/api/exchange';
import { VirtualClock } from '../virtualClock';

let clock: VirtualClock;
/** When each batch was read, in seconds. */
let reads: Map<string, number[]>;
beforeEach(() => {
	clock = new VirtualClock();
	reads = new Map();
});

type Waiting = NonNullable<ReadOptions['poll']> & Pick<ReadOptions, 'stop' | 'signal'>;

const patience = (more: Partial<Waiting> = {}): Waiting => ({
	pollIntervalMs: 10_000,
	timeoutMs: 600_000,
	stop: false,
	...more,
});

const refused = (httpCode?: number, more: Partial<ApiProblem> = {}): BatchRead => ({
	ok: false,
	error: {
		message: `Refused with ${httpCode ?? 0}`,
		remedy: '',
		...(httpCode === undefined ? {} : { httpCode }),
		retryable: httpCode === undefined || httpCode === 408 || httpCode === 429 || httpCode >= 500,
		...more,
	},
});

/** A batch that reports how often it was read. */
const readAs = (times: number): BatchRead => ({ ok: true, value: [{ times }] });

/** Each batch is settled once it was read this often, unless `answer` says something else. */
async function followed(
	needed: Record<string, number>,
	patient?: Waiting,
	answer: (id: string, times: number) => BatchRead = (_, times) => readAs(times),
) {
	return await clock.through(
		pollBatches(
			Object.keys(needed),
			async (id) => {
				const times = reads.get(id) ?? [];
				reads.set(id, [...times, clock.time / 1_000]);
				return await Promise.resolve(answer(id, times.length + 1));
			},
			(id, records) => Number(records[0]?.times) >= needed[id]!,
			{ concurrency: 5, stop: patient?.stop ?? false, signal: patient?.signal, poll: patient },
			clock,
		),
	);
}

describe('when a batch is read', () => {
	it.each<[string, Waiting | undefined, number, number[]]>([
		['without waiting: once', undefined, 9, [0]],
		[
			'the longer it lasts, the less often',
			patience(),
			14,
			[
				0, 10, 20, 30, 40, 50, 62.5, 78.125, 97.65625, 122.0703125, 152.587890625, 190.73486328125,
				238.4185791015625, 288.4185791015625,
			],
		],
		['settled already: once', patience(), 1, [0]],
		['each interval until it is settled', patience(), 4, [0, 10, 20, 30]],
		['each second, if the interval says so', patience({ pollIntervalMs: 1_000 }), 3, [0, 1, 2]],
		['never: a last time at the end', patience({ timeoutMs: 25_000 }), 99, [0, 10, 20, 25]],
		['no time at all: once', patience({ timeoutMs: 0 }), 99, [0]],
	])('%s', async (_, patient, needed, times) => {
		const result = await followed({ a: needed }, patient);
		expect(reads.get('a')).toEqual(times);
		expect(result.get('a')).toEqual(readAs(times.length));
	});

	it('the interval begins when the round is read, however long that took', async () => {
		await followed({ a: 3 }, patience(), (_, times) => {
			clock.time += 7_000;
			return readAs(times);
		});
		expect(reads.get('a')).toEqual([0, 17, 34]);
	});
});

describe('a refused read', () => {
	it.each([400, 401, 403, 404, 410])('with %d, the first time, is final', async (status) => {
		const result = await followed({ a: 1, b: 3 }, patience(), (id, times) =>
			id === 'a' ? refused(status) : readAs(times),
		);
		expect(reads.get('a')).toEqual([0]);
		expect(reads.get('b')).toEqual([0, 10, 20]);
		expect(result.get('a')).toMatchObject({ ok: false, error: { httpCode: status } });
	});

	it.each([408, 429, 500, 502, 503, 504, undefined])(
		'with %s, the first time, is tried again',
		async (status) => {
			const result = await followed({ a: 2 }, patience(), (_, times) =>
				times === 1 ? refused(status) : readAs(times),
			);
			expect(reads.get('a')).toEqual([0, 10]);
			expect(result.get('a')).toEqual(readAs(2));
		},
	);

	it.each([400, 401, 404, 429, 500, undefined])(
		'with %s later on keeps what was read before, and is tried again',
		async (status) => {
			const brief = patience({ timeoutMs: 30_000, stop: true });
			const result = await followed({ a: 9 }, brief, (_, times) =>
				times === 1 ? readAs(1) : refused(status),
			);
			expect(reads.get('a')).toEqual([0, 10, 20, 30]);
			expect(result.get('a')).toEqual(readAs(1));
		},
	);

	it('that asks for a longer wait than the interval gets it', async () => {
		await followed({ a: 3 }, patience(), (_, times) =>
			times === 2 ? refused(429, { retryAfterMs: 60_000 }) : readAs(times),
		);
		const [, second, third] = reads.get('a') ?? [];
		expect(third! - second!).toBeGreaterThanOrEqual(60);
	});
});

describe('with Stop', () => {
	it('a refusal that another read would meet again ends the wait for all', async () => {
		const result = await followed({ a: 9, b: 1, c: 9 }, patience({ stop: true }), (id, times) =>
			id === 'b' ? refused(404) : readAs(times),
		);
		expect([...reads.values()].every((times) => times.length === 1)).toBe(true);
		expect(result.get('b')).toMatchObject({ ok: false });
		expect(clock.time).toBe(0);
	});

	it('no batch is begun after it', async () => {
		const ids = Array.from({ length: 100 }, (_, n) => [`batch ${n}`, 1] as const);
		await followed(Object.fromEntries(ids), patience({ stop: true }), (id, times) =>
			id === 'batch 0' ? refused(401) : readAs(times),
		);
		expect(reads.size).toBeLessThanOrEqual(10);
	});
});

describe('G10 stopping the execution', () => {
	it('during a round: no further batch is begun', async () => {
		const stop = new AbortController();
		const ids = Array.from({ length: 100 }, (_, n) => [`batch ${n}`, 9] as const);
		await followed(Object.fromEntries(ids), patience({ signal: stop.signal }), (_, times) => {
			stop.abort();
			return readAs(times);
		});
		expect(reads.size).toBeLessThanOrEqual(10);
		expect(clock.time).toBe(0);
	});
});
