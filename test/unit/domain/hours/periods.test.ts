import fc from 'fast-check';
import { periodAt, type PeriodKind } from '../../../../nodes/OutboundCalls/domain/hours/periods';
import { DAY, isoIn } from '../../../../nodes/OutboundCalls/domain/hours/zoneTime';

const at = (iso: string): number => Date.parse(iso);
const end = (kind: PeriodKind, zone: string, iso: string): string =>
	isoIn(zone, periodAt(kind, zone, at(iso)).end);
const KINDS: PeriodKind[] = ['day', 'week', 'month'];

describe('the day, week and month of a zone', () => {
	it.each<[PeriodKind, string, string, string]>([
		// An ordinary Sunday evening in Berlin is Monday in UTC+14, and still Sunday morning in Honolulu.
		['day', 'Europe/Berlin', '2026-11-22T22:30:00Z', '2026-11-23T00:00:00+01:00'],
		['day', 'Europe/Berlin', '2026-11-22T23:00:00Z', '2026-11-24T00:00:00+01:00'],
		['day', 'Pacific/Kiritimati', '2026-11-22T22:30:00Z', '2026-11-24T00:00:00+14:00'],
		['day', 'Pacific/Honolulu', '2026-11-22T22:30:00Z', '2026-11-23T00:00:00-10:00'],
		['day', 'Asia/Kathmandu', '2026-11-22T18:14:59Z', '2026-11-23T00:00:00+05:45'],
		['week', 'Europe/Berlin', '2026-11-22T22:30:00Z', '2026-11-23T00:00:00+01:00'],
		['week', 'Europe/Berlin', '2026-11-23T12:00:00Z', '2026-11-30T00:00:00+01:00'],
		['month', 'Europe/Berlin', '2026-11-22T22:30:00Z', '2026-12-01T00:00:00+01:00'],
		['month', 'America/New_York', '2026-12-01T04:59:59Z', '2026-12-01T00:00:00-05:00'],
		// The ends of years: an ISO week goes over it.
		['day', 'UTC', '2026-12-31T12:00:00Z', '2027-01-01T00:00:00+00:00'],
		['week', 'UTC', '2026-12-31T12:00:00Z', '2027-01-04T00:00:00+00:00'],
		['month', 'UTC', '2026-12-31T12:00:00Z', '2027-01-01T00:00:00+00:00'],
		['month', 'UTC', '2028-02-10T12:00:00Z', '2028-03-01T00:00:00+00:00'],
		// Clocks change: days of 23 and 25 hours, and one that begins at 01:00.
		['day', 'Europe/Berlin', '2026-03-29T00:30:00Z', '2026-03-30T00:00:00+02:00'],
		['day', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T00:00:00+01:00'],
		['day', 'Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-24T01:00:00+03:00'],
		['day', 'Africa/Cairo', '2026-10-29T12:00:00Z', '2026-10-30T00:00:00+02:00'],
		['day', 'Europe/Nowhere', '2026-11-22T22:30:00Z', '2026-11-23T00:00:00+00:00'],
	])('the %s in %s at %s ends at %s', (kind, zone, now, expected) => {
		expect(end(kind, zone, now)).toBe(expected);
	});

	it('one ends where the next begins, in every zone, through the years', () => {
		const zone = fc.constantFrom(
			'UTC',
			'Europe/Berlin',
			'America/New_York',
			'Africa/Cairo',
			'Asia/Kathmandu',
			'Australia/Lord_Howe',
			'America/Santiago',
		);
		const instant = fc.integer({
			min: at('2026-01-01T00:00:00Z'),
			max: at('2037-12-31T00:00:00Z'),
		});
		fc.assert(
			fc.property(fc.constantFrom(...KINDS), zone, instant, (kind, name, now) => {
				const period = periodAt(kind, name, now);
				expect(period.end).toBeGreaterThan(now);
				expect(period.end - now).toBeLessThanOrEqual(
					{ day: 1, week: 7, month: 31 }[kind] * DAY + DAY / 24,
				);
				expect(periodAt(kind, name, period.end - 1).index).toBe(period.index);
				expect(periodAt(kind, name, period.end).index).toBe(period.index + 1);
			}),
			{ numRuns: 500, seed: 25 },
		);
	});
});
