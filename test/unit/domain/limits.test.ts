import fc from 'fast-check';
import { HOURS_BETWEEN } from '../../../nodes/OutboundCalls/domain/panelDefaults';
import {
	type CallLimits,
	limitsAt,
	readCallsPerPerson,
	readHoursBetween,
	readLimitForAll,
} from '../../../nodes/OutboundCalls/domain/limits';

const zone = 'Europe/Berlin';
const none: CallLimits = {
	counted: [],
	hoursBetween: undefined,
	stopWhenReached: false,
	zone,
};
const NOON = Date.parse('2026-11-25T11:00:00Z');

it('reads Calls per Person as it is stored; the lowest of one kind counts', () => {
	const limit = [
		{ calls: 3, per: 'ever' },
		{ calls: '2', per: 'day' },
		{ calls: 1, per: 'day' },
	];
	expect(readCallsPerPerson({ limit })).toEqual({
		ok: true,
		value: [
			{ calls: 3, per: 'ever', of: 'person' },
			{ calls: 1, per: 'day', of: 'person' },
		],
	});
});

it.each([undefined, '', 5, {}, { limit: [] }, { limit: [{}] }, { limit: [{ calls: 1 }] }])(
	'%j is no limit for a person',
	(stored) => {
		expect(readCallsPerPerson(stored)).toMatchObject({ ok: false });
	},
);

it.each([undefined, ' ', 'x', 0, -1, '1.5', 10_001, Infinity, NaN, true, [5], {}])(
	'%p limits no day',
	(stored) => {
		expect(readLimitForAll('maxCallsPerDay', stored)).toMatchObject({ ok: false });
	},
);

it.each([undefined, '', 'x', 0, 5, 2.5, 100, Infinity, true, [3], {}])(
	'%p are no hours between calls',
	(stored) => {
		expect(readHoursBetween(stored)).toMatchObject({ ok: false });
	},
);

it.each([
	['day', '2026-11-26T00:00:00+01:00'],
	['week', '2026-11-30T00:00:00+01:00'],
	['month', '2026-12-01T00:00:00+01:00'],
	['ever', undefined],
] as const)('a person called too often in a %s may be called at %s', (per, callableAt) => {
	const { counted } = limitsAt({ ...none, counted: [{ calls: 3, per, of: 'person' }] }, NOON);
	const heldBack = { by: 'calls_per_person', callableAt, reason: expect.stringContaining('3') };
	expect(counted).toMatchObject([{ most: 3, heldBack }]);
});

it.each([
	['day', '2026-11-25T23:59:59+01:00', true],
	['day', '2026-11-26T00:00:00+01:00', false],
	['week', '2026-11-30T00:00:00+01:00', false],
	['month', '2026-12-01T00:00:00+01:00', false],
	['ever', '2027-12-01T00:00:00+01:00', true],
] as const)('the same %s at %s: %s', (per, iso, expected) => {
	const name = (now: number) =>
		limitsAt({ ...none, counted: [{ calls: 1, per, of: 'person' }] }, now).counted[0]!.name;
	expect(name(NOON) === name(Date.parse(iso))).toBe(expected);
});

describe('hours between calls', () => {
	const HOUR = 3_600_000;
	const gapAt = (hoursBetween: number, now: number) =>
		limitsAt({ ...none, hoursBetween }, now).gap!;
	/** When a person who was called at `first` may be called again, as told at `then`. */
	const freeFrom = (hours: number, first: number, then: number): number | undefined => {
		const taken = gapAt(hours, first).keys('+1');
		const gap = gapAt(hours, then);
		const heldBack = gap.heldBack(gap.keys('+1').findIndex((key) => !taken.includes(key)));
		return heldBack && Date.parse(heldBack.callableAt!);
	};
	const hours = fc.constantFrom(...HOURS_BETWEEN);
	const time = fc.integer({ min: NOON, max: NOON + 400 * 24 * HOUR });

	it('G8 the next call is never sooner than so many hours, and at most a quarter later', () => {
		fc.assert(
			fc.property(hours, time, fc.double({ min: 0, max: 1, noNaN: true }), (gap, first, part) => {
				const then = first + Math.floor(part * gap * HOUR);
				const free = freeFrom(gap, first, then)!;
				expect(free).toBeGreaterThanOrEqual(first + gap * HOUR);
				expect(free).toBeLessThanOrEqual(first + gap * 1.25 * HOUR);
				expect(freeFrom(gap, first, free - 1)).toBe(free);
				expect(freeFrom(gap, first, free)).toBeUndefined();
			}),
		);
	});
});
