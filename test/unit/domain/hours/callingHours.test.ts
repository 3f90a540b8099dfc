import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	callableAtText,
	callingHours,
	type HoursVerdict,
} from '../../../../nodes/OutboundCalls/domain/hours/callingHours';
import {
	type CallingWindows,
	readCallingWindows,
} from '../../../../nodes/OutboundCalls/domain/hours/callingWindows';
import {
	NO_DATES,
	type NoCallDates,
	readNoCallDates,
} from '../../../../nodes/OutboundCalls/domain/hours/noCallDates';
import { timeZonesOf } from '../../../../nodes/OutboundCalls/domain/hours/timeZones';
import { zoneTable } from '../../../timeZones/table';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const at = (iso: string) => Date.parse(iso);

interface Window {
	days: string[];
	from: string;
	to: string;
}

function windowsOf(window: Window[]): CallingWindows {
	const read = readCallingWindows({ window });
	if (!read.ok) throw new Error(read.error.message);
	return read.value;
}

function datesOf(text: string): NoCallDates {
	const read = readNoCallDates(text);
	if (!read.ok) throw new Error(read.error.message);
	return read.value;
}

/** Slow and obvious: what a clock and a calendar in each zone say. */
function isOpen(
	instant: number,
	zones: readonly string[],
	windows: Window[],
	dates: string[] = [],
): boolean {
	return zones.every((zone) => {
		const local = DateTime.fromMillis(instant, { zone });
		const pair = (count: number) => String(count).padStart(2, '0');
		const time = `${pair(local.hour)}:${pair(local.minute)}`;
		const isWindow = ({ days, from, to }: Window) =>
			days.includes(DAYS[local.weekday - 1]!) && from <= time && time < to;
		return windows.some(isWindow) && !dates.includes(local.toISODate()!);
	});
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'];
const OFFICE: Window[] = [{ days: weekdays, from: '09:00', to: '20:00' }];
const FRANCE: Window[] = [
	{ days: weekdays, from: '10:00', to: '13:00' },
	{ days: weekdays, from: '14:00', to: '20:00' },
];
const ALWAYS: Window[] = [{ days: DAYS, from: '00:00', to: '24:00' }];
const NIGHT: Window[] = [{ days: DAYS, from: '02:30', to: '03:00' }];

const judge = (now: string, zones: string[], window: Window[], dates = ''): HoursVerdict =>
	callingHours(windowsOf(window)).judge(at(now), zones, datesOf(dates));

/** The verdict in words, with the instants as the first zone's clocks show them. */
function said(verdict: HoursVerdict, zones: string[]): string {
	if (verdict.open) return `open until ${callableAtText(verdict.until, zones)!}`;
	return `callable at ${callableAtText(verdict.callableAt, zones) ?? 'no time'}`;
}

describe('whether somebody may be called', () => {
	it.each<[string, string, string[], Window[], string, string]>([
		[
			'on a Monday morning',
			'2026-11-23T08:00:00Z',
			['Europe/Berlin'],
			OFFICE,
			'',
			'open until 2026-11-23T20:00:00+01:00',
		],
		[
			'a second before',
			'2026-11-23T07:59:59Z',
			['Europe/Berlin'],
			OFFICE,
			'',
			'callable at 2026-11-23T09:00:00+01:00',
		],
		[
			'a second before the end',
			'2026-11-23T18:59:59Z',
			['Europe/Berlin'],
			OFFICE,
			'',
			'open until 2026-11-23T20:00:00+01:00',
		],
		[
			'at the end',
			'2026-11-23T19:00:00Z',
			['Europe/Berlin'],
			OFFICE,
			'',
			'callable at 2026-11-24T09:00:00+01:00',
		],
		[
			'on a weekend',
			'2026-11-21T12:00:00Z',
			['Europe/Berlin'],
			OFFICE,
			'',
			'callable at 2026-11-23T09:00:00+01:00',
		],
		[
			'at lunch',
			'2026-11-23T12:30:00Z',
			['Europe/Paris'],
			FRANCE,
			'',
			'callable at 2026-11-23T14:00:00+01:00',
		],
		[
			'before lunch',
			'2026-11-23T11:30:00Z',
			['Europe/Paris'],
			FRANCE,
			'',
			'open until 2026-11-23T13:00:00+01:00',
		],
		[
			'a holiday',
			'2026-12-25T12:00:00Z',
			['Europe/Berlin'],
			OFFICE,
			'2026-12-25',
			'callable at 2026-12-28T09:00:00+01:00',
		],
		[
			'a holiday where they are, not in UTC',
			'2026-12-24T23:30:00Z',
			['Europe/Berlin'],
			ALWAYS,
			'2026-12-25',
			'callable at 2026-12-26T00:00:00+01:00',
		],
		[
			'the day before a holiday',
			'2026-12-24T22:59:59Z',
			['Europe/Berlin'],
			ALWAYS,
			'2026-12-25',
			'open until 2026-12-25T00:00:00+01:00',
		],
		[
			'over midnight, as two windows',
			'2026-11-27T22:30:00Z',
			['Europe/Berlin'],
			[
				{ days: ['fri'], from: '22:00', to: '24:00' },
				{ days: ['sat'], from: '00:00', to: '02:00' },
			],
			'',
			'open until 2026-11-28T02:00:00+01:00',
		],
		[
			'coast to coast, too early for the west',
			'2026-11-23T15:00:00Z',
			['America/New_York', 'America/Los_Angeles'],
			OFFICE,
			'',
			'callable at 2026-11-23T12:00:00-05:00',
		],
		[
			'coast to coast, both',
			'2026-11-23T18:00:00Z',
			['America/New_York', 'America/Los_Angeles'],
			OFFICE,
			'',
			'open until 2026-11-23T20:00:00-05:00',
		],
		[
			'zones that are never open together',
			'2026-11-23T15:00:00Z',
			['Europe/Kaliningrad', 'Asia/Kamchatka'],
			[{ days: weekdays, from: '09:00', to: '19:00' }],
			'',
			'callable at no time',
		],
		['no zone', '2026-11-23T12:00:00Z', [], ALWAYS, '', 'callable at no time'],
		[
			'a zone that the host does not know',
			'2026-11-23T12:00:00Z',
			['Europe/Berlin', 'Mars/Olympus'],
			ALWAYS,
			'',
			'callable at no time',
		],
	])('%s', (_, now, zones, windows, dates, expected) => {
		expect(said(judge(now, zones, windows, dates), zones)).toBe(expected);
	});

	it.each<[string, string, string]>([
		[
			'is not there on the day on which clocks go forward',
			'2027-03-28T00:00:00Z',
			'callable at 2027-03-29T02:30:00+02:00',
		],
		[
			'comes first in summer time on the day on which clocks go back',
			'2026-10-25T00:00:00Z',
			'callable at 2026-10-25T02:30:00+02:00',
		],
		['ends with summer time', '2026-10-25T00:45:00Z', 'open until 2026-10-25T02:00:00+01:00'],
		['comes again an hour later', '2026-10-25T01:00:00Z', 'callable at 2026-10-25T02:30:00+01:00'],
	])('a window of 02:30 to 03:00 in Berlin %s', (_, now, expected) => {
		expect(said(judge(now, ['Europe/Berlin'], NIGHT), ['Europe/Berlin'])).toBe(expected);
	});

	it('at any time never closes, and says so for two weeks', () => {
		const verdict = judge('2026-11-23T12:00:00Z', ['Europe/Berlin'], ALWAYS);
		expect(verdict).toEqual({ open: true, until: at('2026-12-08T12:00:00Z') });
	});
});

describe('the next instant is looked for within 14 days', () => {
	const sunday: Window[] = [{ days: ['sun'], from: '09:00', to: '10:00' }];
	const zones = ['Europe/Berlin'];
	/** The first Sunday that is left is the 6th of December, from 09:00. */
	const dates = datesOf('2026-11-22,2026-11-29');
	const hours = callingHours(windowsOf(sunday));
	const opening = at('2026-12-06T08:00:00Z');

	it('to the millisecond', () => {
		expect(hours.judge(opening - 14 * DAY, zones, dates)).toEqual({
			open: false,
			callableAt: opening,
			until: opening,
		});
		expect(hours.judge(opening - 14 * DAY - 1, zones, dates)).toEqual({
			open: false,
			callableAt: null,
			until: opening - 14 * DAY,
		});
		expect(hours.judge(opening - 1, zones, dates)).toEqual({
			open: false,
			callableAt: opening,
			until: opening,
		});
		expect(hours.judge(opening, zones, dates)).toEqual({ open: true, until: opening + HOUR });
	});

	it('and looked for again as time goes on', () => {
		const never = at('2026-11-16T08:00:00Z');
		const verdict = hours.judge(never, zones, dates);
		expect(verdict).toMatchObject({ open: false, callableAt: null });
		expect(hours.judge(verdict.until, zones, dates)).not.toBe(verdict);
	});
});

describe('a verdict is kept for as long as it holds', () => {
	const zones = timeZonesOf('+18005550123');
	const hours = callingHours(windowsOf(OFFICE));

	it('the same one comes back until it ends', () => {
		const now = at('2026-11-23T12:00:00Z');
		const verdict = hours.judge(now, zones);
		expect(hours.judge(now + MINUTE, zones)).toBe(verdict);
		expect(hours.judge(verdict.until - 1, zones)).toBe(verdict);
		expect(hours.judge(verdict.until, zones)).not.toBe(verdict);
	});

	it('not when the clock of the host was set back', () => {
		const open = at('2026-11-23T12:00:00Z');
		const berlin = ['Europe/Berlin'];
		expect(hours.judge(open, berlin).open).toBe(true);
		expect(hours.judge(open - 10 * HOUR, berlin).open).toBe(false);
	});

	it('for each set of dates', () => {
		const now = at('2026-12-25T12:00:00Z');
		const berlin = ['Europe/Berlin'];
		expect(hours.judge(now, berlin).open).toBe(true);
		expect(hours.judge(now, berlin, datesOf('2026-12-25')).open).toBe(false);
		expect(hours.judge(now, berlin, NO_DATES).open).toBe(true);
	});
});

describe('why not', () => {
	const hours = callingHours(windowsOf(FRANCE));
	it.each<[string, string, string[], string, string]>([
		['the time', '2026-11-23T20:40:00Z', ['Europe/Paris'], '', 'It is Mon 21:40 in Europe/Paris'],
		['the day', '2026-11-22T12:05:59Z', ['Europe/Paris'], '', 'It is Sun 13:05 in Europe/Paris'],
		[
			'the zone that is closed',
			'2026-11-23T15:00:00Z',
			['America/New_York', 'America/Los_Angeles'],
			'',
			'It is Mon 07:00 in America/Los_Angeles, one of 2 time zones that the number may be in',
		],
		[
			'the place that people know, where all clocks say the same',
			'2026-11-23T20:40:00Z',
			['Europe/Guernsey', 'Europe/Isle_of_Man', 'Europe/Jersey', 'Europe/London'],
			'',
			'It is Mon 20:40 in Europe/London',
		],
		[
			'the date',
			'2026-12-25T10:00:00Z',
			['Europe/Paris'],
			'2026-12-25',
			'It is 2026-12-25 in Europe/Paris, one of the no-call dates',
		],
		['no zone', '2026-12-25T10:00:00Z', [], '', 'The time zone is not known'],
		[
			'a zone that the host does not know',
			'2026-12-25T10:00:00Z',
			['Mars/Olympus'],
			'',
			'This n8n does not know the time zone Mars/Olympus',
		],
		['nothing: they may be called', '2026-11-23T15:00:00Z', ['Europe/Paris'], '', ''],
	])('%s', (_, now, zones, dates, expected) => {
		expect(hours.whyClosed(at(now), zones, datesOf(dates))).toBe(expected);
	});
});

it('callable_at has the offset of the first zone', () => {
	const instant = at('2026-11-23T17:00:00Z');
	expect(callableAtText(instant, ['America/New_York', 'America/Los_Angeles'])).toBe(
		'2026-11-23T12:00:00-05:00',
	);
	expect(callableAtText(instant, [])).toBe('2026-11-23T17:00:00+00:00');
	expect(callableAtText(null, ['America/New_York'])).toBeNull();
});

const allZones = [...new Set([...zoneTable().values()].flat())].sort();

const MONDAY = at('2026-11-23T00:00:00Z');

/** The day (UTC) on which a zone's clocks change next, within a year; undefined where they do not. */
function dayOfChange(zone: string): number | undefined {
	const offset = (day: number) => DateTime.fromMillis(day, { zone }).offset;
	for (let week = 0; week < 53; week++) {
		const from = MONDAY + week * 7 * DAY;
		if (offset(from) === offset(from + 7 * DAY)) continue;
		for (let day = from; ; day += DAY) if (offset(day) !== offset(day + DAY)) return day;
	}
	return undefined;
}

/** Every hour of a week with a clock change, every quarter of an hour of its day and of the days around it. */
function instantsOf(zone: string): number[] {
	const change = dayOfChange(zone);
	const from = change ?? MONDAY;
	const hours = Array.from({ length: 7 * 24 }, (_, hour) => from - 3 * DAY + hour * HOUR);
	const quarters =
		change === undefined
			? []
			: Array.from({ length: 3 * 96 }, (_, quarter) => change - DAY + quarter * 15 * MINUTE);
	return [...new Set([...hours, ...quarters])].sort((a, b) => a - b);
}

it('the clocks of a good third of the zones are changed', () => {
	const changing = allZones.filter((zone) => dayOfChange(zone) !== undefined);
	expect([allZones.length > 280, changing.length > 80]).toEqual([true, true]);
});

it.each(allZones)('a week with a clock change is judged as by Luxon in %s', (zone) => {
	const windows = [
		...FRANCE,
		{ days: ['sat', 'sun'], from: '01:30', to: '02:45' },
		{ days: ['sun', 'mon'], from: '23:15', to: '24:00' },
		{ days: ['mon'], from: '00:00', to: '00:15' },
	];
	const hours = callingHours(windowsOf(windows));
	const zones = [zone];
	const otherwise = instantsOf(zone).filter((instant) => {
		const expected = isOpen(instant, zones, windows);
		return (
			hours.judge(instant, zones).open !== expected ||
			(hours.whyClosed(instant, zones) === '') !== expected
		);
	});
	expect(otherwise.map((instant) => new Date(instant).toISOString())).toEqual([]);
});

describe('for any windows, zones and dates', () => {
	const time = fc
		.integer({ min: 0, max: 96 })
		.map(
			(quarter) =>
				`${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`,
		);
	const window = fc
		.record({
			days: fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 1 }),
			from: time,
			to: time,
		})
		.filter(({ from, to }) => from < to);
	const zone = fc.constantFrom(
		'Europe/Berlin',
		'America/New_York',
		'America/St_Johns',
		'Australia/Lord_Howe',
		'Pacific/Chatham',
		'Asia/Kathmandu',
		'Pacific/Kiritimati',
		'Africa/Casablanca',
	);
	const campaign = fc.record({
		windows: fc.array(window, { minLength: 1, maxLength: 4 }),
		zones: fc.uniqueArray(zone, { minLength: 1, maxLength: 3 }),
		dates: fc.array(
			fc
				.integer({ min: 0, max: 400 })
				.map((day) => new Date(at('2026-10-20T00:00:00Z') + day * DAY).toISOString().slice(0, 10)),
			{ maxLength: 5 },
		),
		now: fc
			.integer({ min: 0, max: 365 * 24 * 3_600 })
			.map((second) => at('2026-10-25T00:00:00Z') + second * 1_000),
	});

	it('the instant that is given is open, and none before it is', () => {
		fc.assert(
			fc.property(campaign, ({ windows, zones, dates, now }) => {
				const verdict = callingHours(windowsOf(windows)).judge(now, zones, datesOf(dates.join()));
				const openAt = (instant: number) => isOpen(instant, zones, windows, dates);
				expect(verdict.open).toBe(openAt(now));
				const end = verdict.open ? verdict.until : (verdict.callableAt ?? now + 14 * DAY);
				// Everything happens at quarters of an hour.
				for (
					let instant = Math.ceil(now / (15 * MINUTE)) * 15 * MINUTE;
					instant < end;
					instant += 15 * MINUTE
				) {
					if (openAt(instant) !== verdict.open)
						throw new Error(`Otherwise at ${new Date(instant).toISOString()}`);
				}
				if (verdict.open) expect(openAt(verdict.until - 1_000)).toBe(true);
				if (verdict.open && verdict.until < now + 15 * DAY)
					expect(openAt(verdict.until)).toBe(false);
				if (!verdict.open && verdict.callableAt !== null) {
					expect(openAt(verdict.callableAt)).toBe(true);
					expect(openAt(verdict.callableAt - 1_000)).toBe(false);
				}
			}),
			{ numRuns: 60 },
		);
	});

	it('what is kept says what would be said afresh', () => {
		fc.assert(
			fc.property(
				campaign,
				fc.array(fc.integer({ min: -2 * DAY, max: 20 * DAY }), { maxLength: 20 }),
				({ windows, zones, dates, now }, steps) => {
					const kept = callingHours(windowsOf(windows));
					for (const step of [0, ...steps]) {
						const [one, other] = [kept, callingHours(windowsOf(windows))].map((hours) =>
							hours.judge(now + step, zones, datesOf(dates.join())),
						);
						expect({ ...one, until: 0 }).toEqual({ ...other, until: 0 });
					}
				},
			),
			{ numRuns: 100 },
		);
	});
});
