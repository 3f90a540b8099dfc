import fc from 'fast-check';
import { periodAt, type PeriodKind } from '../../../../nodes/OutboundCalls/domain/hours/periods';
import { isoIn, MINUTE, steadyAt } from '../../../../nodes/OutboundCalls/domain/hours/zoneTime';
import cases from './cases.json';

const at = (iso: string): number => Date.parse(iso);

it.each<[string, string, string]>([
	['America/New_York', '2026-10-31T12:00:00Z', '2026-11-01T06:00:00Z'],
	['Australia/Lord_Howe', '2026-10-03T00:00:30Z', '2026-10-03T15:30:00Z'],
	['Asia/Tokyo', '2026-11-01T05:00:00Z', '2026-11-17T05:00:00Z'],
])('clocks in %s at %s do not change until %s', (zone, from, to) => {
	expect(new Date(steadyAt(zone, at(from)).to)).toEqual(new Date(to));
	expect(steadyAt(zone, at(from) + MINUTE)).toBe(steadyAt(zone, at(from)));
});

it.each([
	['Europe/Berlin', '2026-11-23T08:00:00Z', '2026-11-23T09:00:00+01:00'],
	['America/St_Johns', '2026-11-23T08:00:00Z', '2026-11-23T04:30:00-03:30'],
	['America/New_York', '2026-11-01T05:59:59Z', '2026-11-01T01:59:59-04:00'],
	['America/New_York', '2026-11-01T06:00:00Z', '2026-11-01T01:00:00-05:00'],
	['Pacific/Kiritimati', '2026-12-31T23:00:00Z', '2027-01-01T13:00:00+14:00'],
	['UTC', '2026-11-23T08:00:00Z', '2026-11-23T08:00:00+00:00'],
	['Mars/Olympus', '2026-11-23T08:00:00Z', '2026-11-23T08:00:00+00:00'],
])('a clock in %s at %s shows %s', (zone, instant, expected) => {
	expect(isoIn(zone, at(instant))).toBe(expected);
});

describe('the day, week and month in which calls count', () => {
	it.each(cases.periods as Array<[PeriodKind, string, string, string]>)(
		'the %s in %s at %s ends at %s',
		(kind, zone, now, expected) => {
			expect(isoIn(zone, periodAt(kind, zone, at(now)).end)).toBe(expected);
		},
	);

	it('one ends where the next begins, in every zone, through the years', () => {
		const kinds = fc.constantFrom<PeriodKind>('day', 'week', 'month');
		const zones = fc.constantFrom('UTC', 'Africa/Cairo', 'Asia/Kathmandu', 'America/Santiago');
		const instants = fc.integer({
			min: at('2026-01-01T00:00:00Z'),
			max: at('2037-12-31T00:00:00Z'),
		});
		fc.assert(
			fc.property(kinds, zones, instants, (kind, zone, now) => {
				const { index, end } = periodAt(kind, zone, now);
				expect(end).toBeGreaterThan(now);
				expect(periodAt(kind, zone, end - 1).index).toBe(index);
				expect(periodAt(kind, zone, end).index).toBe(index + 1);
			}),
			{ numRuns: 300 },
		);
	});
});
