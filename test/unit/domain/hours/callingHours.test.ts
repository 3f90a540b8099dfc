import type { ChoiceOf } from '../../../../nodes/OutboundCalls/domain/panelDefaults';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	CallingHours,
	DAYS,
	readCallingHours,
} from '../../../../nodes/OutboundCalls/domain/hours/callingHours';
import cases from './cases.json';

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
const table = (lines: string[]) => lines.map((line) => line.split('|').map((cell) => cell.trim()));

const zonesOf = (text: string): string[] => text.split(' ').filter((zone) => zone !== '');

describe('whether somebody may be called, and from when they may be', () => {
	it.each(table(cases.openings))(
		'%s',
		(_, hours = '', now = '', zones = '', dates, expected = '') => {
			const closed = hoursOf(hours).closed(at(now), zonesOf(zones), dates);
			const callable_at = expected === 'never' ? undefined : expected;
			expect(closed && [closed.callableAt, closed.zones]).toEqual(
				expected === 'open' ? undefined : [callable_at, zonesOf(zones)],
			);
		},
	);

	it('is found after the last no-call date, however far away that is', () => {
		const hours = hoursOf('sun-sun 09:00-10:00');
		const opening = at('2027-12-05T08:00:00Z');
		const sundays = Array.from({ length: 54 }, (_, n) =>
			new Date(opening - (n + 1) * 7 * DAY).toISOString().slice(0, 10),
		);
		const outside = hours.closed(opening - 371 * DAY, BERLIN, sundays.sort().join());
		expect(outside).toMatchObject({
			callableAt: '2027-12-05T09:00:00+01:00',
			reason: 'No-call date. From 2027-12-05 (Berlin)',
		});
	});
});

it.each(table(cases.closedReasons))(
	'the reason says %s',
	(_, now = '', zones = '', dates, expected) => {
		const reason = hoursOf('weekdays').closed(at(now), zonesOf(zones), dates)?.reason ?? '';
		expect(reason).toContain(expected);
		expect(reason.length).toBeLessThanOrEqual(50);
	},
);

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
		const opening = closed.callableAt && at(closed.callableAt);
		const [quarter, end] = [15 * MINUTE, opening || now + 14 * DAY];
		for (let instant = Math.ceil(now / quarter) * quarter; instant < end; instant += quarter)
			if (openAt(instant)) throw new Error(`Open at ${new Date(instant).toISOString()}`);
		if (opening) expect(openAt(opening)).toBe(true);
	};
	fc.assert(fc.property(campaign, check), { numRuns: 60 });
});
