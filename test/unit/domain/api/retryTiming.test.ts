import * as fc from 'fast-check';
import type { Exchange } from '../../../../nodes/OutboundCalls/domain/api/exchange';
import { formatDuration } from '../../../../nodes/OutboundCalls/domain/values/format';
import { demandedWaitMs, waitMs } from '../../../../nodes/OutboundCalls/domain/api/retryTiming';

const NOW = Date.UTC(2026, 0, 31, 9, 0, 0);

const answer = (retryAfter?: string, body: unknown = ''): Exchange => ({
	kind: 'answer',
	status: 429,
	body,
	retryAfter,
});
const details = (retry_after: unknown) => ({
	error: 'mf-core:rate-limit-exceeded',
	details: { policy: 'p', retry_after },
});

describe('the wait that an answer asks for', () => {
	it.each<[string, Exchange, number | undefined]>([
		['seconds', answer('5'), 5_000],
		['no seconds', answer('0'), 0],
		['an HTTP date', answer('Sat, 31 Jan 2026 09:02:00 GMT'), 120_000],
		['a negative number', answer('-5'), undefined],
		['a fraction, rounded up', answer('40.5'), 41_000],
		['a text without a number', answer('5 seconds'), undefined],
		['nonsense', answer('soon'), undefined],
		['empty', answer(''), undefined],
		['details.retry_after alone', answer(undefined, details(7)), 7_000],
		['both, the header longer', answer('9', details(7)), 9_000],
		['both, the body longer', answer('5', details(7)), 7_000],
		['details.retry_after as text', answer(undefined, details('7.2')), 8_000],
		['details.retry_after negative', answer(undefined, details(-7)), undefined],
		['details.retry_after null', answer('5', details(null)), 5_000],
		['a connection that never opened', { kind: 'notOpened', code: 'ECONNREFUSED' }, undefined],
	])('%s', (_, exchange, expected) => {
		expect(demandedWaitMs(exchange, NOW)).toBe(expected);
	});

	it('is never negative nor without end, whatever the header says', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.integer().map(String)), (header) => {
				const wait = demandedWaitMs(answer(header), NOW);
				expect(wait === undefined || (wait >= 0 && Number.isFinite(wait))).toBe(true);
			}),
		);
	});
});

describe('the wait before sending again', () => {
	it.each<[string, number | undefined, number, number, number]>([
		['a demanded wait, no chance', 8_000, 0, 0, 8_000],
		['a demanded wait with a quarter at random', 8_000, 0, 1, 10_000],
		['a demanded wait at a later try', 8_000, 9, 0.5, 9_000],
		['the first backoff at most', undefined, 0, 1, 1_000],
		['the first backoff at least', undefined, 0, 0, 0],
		['the third backoff at most', undefined, 2, 1, 4_000],
		['a backoff after very many tries', undefined, 100_000, 1, 30_000],
	])('%s', (_, demanded, attempt, random, expected) => {
		expect(waitMs(demanded, attempt, random)).toBe(expected);
	});

	const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

	it('a demand is kept in full, and exceeded by a quarter at most', () => {
		fc.assert(
			fc.property(fc.nat(10 ** 9), fc.nat(100), chance, (demanded, attempt, random) => {
				const wait = waitMs(demanded, attempt, random);
				const backoff = waitMs(undefined, attempt, random);
				expect(wait).toBeGreaterThanOrEqual(demanded);
				// Where next to nothing is asked for, many such answers would otherwise cause as many requests.
				expect(wait).toBeLessThanOrEqual(
					demanded < 1_000 ? Math.max(demanded * 1.25, backoff) : demanded * 1.25,
				);
			}),
		);
	});
});

it.each<[number, string]>([
	[0, '1 second'],
	[1_000, '1 second'],
	[120_000, '2 minutes'],
	[7_200_000, '2 hours'],
	[172_800_000, '2 days'],
	[31_536_000_000, '365 days'],
])('a duration in words, never too short: %d ms: %s', (ms, expected) => {
	expect(formatDuration(ms)).toBe(expected);
});
