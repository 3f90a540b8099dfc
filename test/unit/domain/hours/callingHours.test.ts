import type { ChoiceOf } from '../../../../nodes/OutboundCalls/domain/choices';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	CallingHours,
	DAYS,
	readCallingHours,
} from '../../../../nodes/OutboundCalls/domain/hours/callingHours';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const BERLIN = ['Europe/Berlin'];
const at = (iso: string) => Date.parse(iso);

interface Window {
	days: string[];
	from: string;
	to: string;
}

/** "mon-fri 10:00-13:00 & sat 10:00-13:00", or a choice. */
function hoursOf(text: string): CallingHours {
	const window = text.split(' & ').map((each): Partial<Window> => {
		const [first = '', last, from, to] = each.split(/[- ]/);
		return { days: DAYS.slice(DAYS.indexOf(first), DAYS.indexOf(last!) + 1), from: from!, to: to! };
	});
	const choice = text.includes(' ') ? 'custom' : (text as ChoiceOf<'callingHours'>);
	const read = readCallingHours(choice, { window });
	if (!read.ok) throw new Error(read.error.message);
	return new CallingHours(read.value);
}

/** A line is a row, with a | between cells. */
const table = (text: string): string[][] =>
	text
		.trim()
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim()));

const zonesOf = (text: string): string[] => text.split(' ').filter((zone) => zone !== '');

describe('whether somebody may be called, and from when they may be', () => {
	it.each(
		table(`
			Monday morning                     | weekdays | 2026-11-23T08:00:00Z | Europe/Berlin | | open
			a second before                    | weekdays | 2026-11-23T07:59:59Z | Europe/Berlin | | 2026-11-23T09:00:00+01:00
			a second before the end            | weekdays | 2026-11-23T18:59:59Z | Europe/Berlin | | open
			the end                            | weekdays | 2026-11-23T19:00:00Z | Europe/Berlin | | 2026-11-24T09:00:00+01:00
			a weekend                          | weekdays | 2026-11-21T12:00:00Z | Europe/Berlin | | 2026-11-23T09:00:00+01:00
			a weekend, every day               | daily    | 2026-11-21T12:00:00Z | Europe/Berlin | | open
			a night, any hour                  | any      | 2026-11-21T02:00:00Z | Europe/Berlin | | open
			any hour in an unknown zone        | any      | 2026-11-21T02:00:00Z |               | | open
			between two windows                | mon-fri 10:00-13:00 & mon-fri 14:00-20:00 | 2026-11-23T12:30:00Z | Europe/Paris | | 2026-11-23T14:00:00+01:00
			a night over midnight              | fri-fri 22:00-24:00 & sat-sat 00:00-02:00 | 2026-11-27T23:30:00Z | Europe/Paris | | open
			a holiday                          | weekdays | 2026-12-25T12:00:00Z | Europe/Berlin | 2026-12-25 | 2026-12-28T09:00:00+01:00
			a holiday there, not in UTC        | any      | 2026-12-24T23:30:00Z | Europe/Berlin | 2026-12-25 | 2026-12-26T00:00:00+01:00
			the evening before a holiday       | any      | 2026-12-24T22:59:59Z | Europe/Berlin | 2026-12-25 | open
			a holiday in an unknown zone       | any      | 2026-12-25T12:00:00Z |               | 2026-12-25 | never
			too early for the west             | weekdays | 2026-11-23T15:00:00Z | America/New_York America/Los_Angeles | | 2026-11-23T09:00:00-08:00
			open from coast to coast           | weekdays | 2026-11-23T18:00:00Z | America/New_York America/Los_Angeles | | open
			zones that are never open together | weekdays | 2026-11-23T10:00:00Z | Europe/Lisbon Pacific/Auckland       | | never
			an unknown zone                    | weekdays | 2026-11-23T12:00:00Z |               | | never
			a time that clocks skip            | mon-sun 02:30-03:00 | 2027-03-28T00:00:00Z | Europe/Berlin | | 2027-03-29T02:30:00+02:00
			a time that comes twice            | mon-sun 02:30-03:00 | 2026-10-25T00:00:00Z | Europe/Berlin | | 2026-10-25T02:30:00+02:00
			that time, between the two         | mon-sun 02:30-03:00 | 2026-10-25T01:00:00Z | Europe/Berlin | | 2026-10-25T02:30:00+01:00
			that time, the second time         | mon-sun 02:30-03:00 | 2026-10-25T01:45:00Z | Europe/Berlin | | open
		`),
	)('%s', (_, hours = '', now = '', zones = '', dates, expected = '') => {
		const closed = hoursOf(hours).closed(at(now), zonesOf(zones), dates);
		const callable_at = expected === 'never' ? undefined : expected;
		expect(closed && [closed.callableAtText, closed.zones]).toEqual(
			expected === 'open' ? undefined : [callable_at, zonesOf(zones)],
		);
		if (closed) expect(closed.callableAt).toBe(callable_at && at(callable_at));
	});

	it('is found after the last no-call date, however far away that is', () => {
		const hours = hoursOf('sun-sun 09:00-10:00');
		const opening = at('2027-12-05T08:00:00Z');
		const sundays = Array.from({ length: 54 }, (_, n) =>
			new Date(opening - (n + 1) * 7 * DAY).toISOString().slice(0, 10),
		);
		const outside = hours.closed(opening - 371 * DAY, BERLIN, sundays.sort().join());
		expect(outside).toMatchObject({
			callableAt: opening,
			reason: 'No-call date. From 2027-12-05 (Berlin)',
		});
	});
});

it.each(
	table(`
		when it is the next day  | 2026-11-23T20:30:00Z | Europe/Berlin | | From Tue 09:00 (Berlin)
		after the weekend        | 2026-11-22T12:05:59Z | Europe/Berlin | | From Mon 09:00 (Berlin)
		the zone that is closed  | 2026-11-23T15:00:00Z | America/New_York America/Los_Angeles | | From Mon 09:00 (Los Angeles)
		the no-call date         | 2026-12-25T10:00:00Z | Europe/Berlin | 2026-12-25 | No-call date. From Mon 09:00 (Berlin)
		a date a week away       | 2026-12-31T10:00:00Z | Europe/Berlin | 2026-12-31,2027-01-01,2027-01-04,2027-01-05,2027-01-06 | From 2027-01-07 (Berlin)
		that a zone is not known | 2026-12-25T10:00:00Z |               | | Set Time Zone in Rules
		that zones do not meet   | 2026-11-23T10:00:00Z | America/North_Dakota/New_Salem Asia/Karachi | | Set Time Zone
	`),
)('the reason says %s', (_, now = '', zones = '', dates, expected) => {
	const reason = hoursOf('weekdays').closed(at(now), zonesOf(zones), dates)?.reason ?? '';
	expect(reason).toContain(expected);
	expect(reason.length).toBeLessThanOrEqual(50);
});

/** Slow and obvious: what a clock and a calendar in each zone say. */
const isOpen = (instant: number, zones: string[], windows: Window[], dates: string): boolean =>
	zones.every((zone) => {
		const local = DateTime.fromMillis(instant, { zone });
		const time = local.toFormat('HH:mm');
		const isIn = ({ days, from, to }: Window) =>
			days.includes(DAYS[local.weekday - 1]!) && from <= time && time < to;
		return windows.some(isIn) && !dates.includes(local.toISODate()!);
	});

it('callable_at is the first moment that clocks and calendars allow, for any windows, zones and dates', () => {
	const times = ['00:00', '01:45', '02:30', '09:00', '13:15', '20:00', '23:45', '24:00'];
	const time = fc.constantFrom(...times);
	const days = fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 1 });
	const window = fc.record({ days, from: time, to: time }).filter(({ from, to }) => from < to);
	const zone = fc.constantFrom(
		...['Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Australia/Lord_Howe'],
		...['Pacific/Chatham', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Africa/Casablanca'],
	);
	const start = at('2026-10-20T00:00:00Z');
	const dates = fc
		.array(fc.integer({ min: 0, max: 400 }), { maxLength: 5 })
		.map((all) => all.map((day) => new Date(start + day * DAY).toISOString().slice(0, 10)).join());
	const campaign = fc.record({
		windows: fc.array(window, { minLength: 1, maxLength: 4 }),
		zones: fc.uniqueArray(zone, { minLength: 1, maxLength: 3 }),
		dates,
		now: fc.integer({ min: 0, max: 365 * 1_440 }).map((minute) => start + minute * MINUTE),
	});
	const check = ({
		windows,
		zones,
		dates: noCall,
		now,
	}: typeof campaign extends fc.Arbitrary<infer T> ? T : never) => {
		const read = readCallingHours('custom', { window: windows });
		const closed = read.ok && new CallingHours(read.value).closed(now, zones, noCall);
		const openAt = (instant: number) => isOpen(instant, zones, windows, noCall);
		expect(closed === undefined).toBe(openAt(now));
		if (!closed) return;
		// Everything happens at quarters of an hour.
		const [quarter, end] = [15 * MINUTE, closed.callableAt ?? now + 14 * DAY];
		for (let instant = Math.ceil(now / quarter) * quarter; instant < end; instant += quarter)
			if (openAt(instant)) throw new Error(`Open at ${new Date(instant).toISOString()}`);
		if (closed.callableAt !== undefined) expect(openAt(closed.callableAt)).toBe(true);
	};
	fc.assert(fc.property(campaign, check), { numRuns: 60 });
});
