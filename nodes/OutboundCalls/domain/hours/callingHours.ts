import {
	capitalized,
	type Checked,
	fieldRefused,
	isObject,
	numberOf,
	ok,
	quoted,
	typedText,
} from '../values';
import type { HeldBack } from '../outcome';
import type { NoCallDates } from './noCallDates';
import { DAY, dateIn, isoIn, localTime, MINUTE, steadyAt } from './zoneTime';
import { FIRST_CUSTOM_WINDOW } from '../panelDefaults';

/** Calling windows come again each week; after the last no-call date, two weeks tell all. */
const MAX_SEARCH_MS = 14 * DAY;

/** Knows the calling hours of a run. */
export class CallingHours {
	private minute = NaN;
	/** Of this minute, by time zones and dates: most rows have them in common. */
	private readonly judged = new Map<string, HeldBack | undefined>();

	constructor(readonly windows: Windows) {}

	/**
	 * Why a person who is in one of these zones must not be called at `now` (epoch milliseconds);
	 * undefined when they may be: all zones are open.
	 */
	closed(now: number, zones: readonly string[], dates: NoCallDates = ''): HeldBack | undefined {
		if (this.windows === ANY_HOUR && dates === '') return undefined;
		const minute = Math.floor(now / MINUTE) * MINUTE;
		if (minute !== this.minute) this.judged.clear();
		this.minute = minute;
		const key = `${zones.join()} ${dates}`;
		if (!this.judged.has(key)) this.judged.set(key, this.judge(minute, zones, dates));
		return this.judged.get(key);
	}

	private judge(now: number, zones: readonly string[], dates: NoCallDates): HeldBack | undefined {
		if (zones.length === 0) return { by: 'calling_hours', reason: UNKNOWN_ZONE, zones };
		const zone = zones.find((each) => this.openFrom(now, each, dates) > now);
		if (zone === undefined) return undefined;
		const opening = this.nextOpening(now, zones, dates);
		const isNoCallDate = dates.includes(dateIn(zone, now));
		const by = isNoCallDate ? 'no_call_dates' : 'calling_hours';
		if (opening === undefined)
			return { by, zone, zones, reason: zones.length > 1 ? NEVER_TOGETHER : NEVER };
		const isThisWeek = opening < now + 6 * DAY;
		const from = isThisWeek ? clock(zone, opening) : dateIn(zone, opening);
		const why = isNoCallDate ? 'No-call date. ' : '';
		return {
			by,
			reason: `${why}From ${from} (${cityOf(zone)})`,
			callableAt: isoIn(zone, opening),
			zone,
			zones,
		};
	}

	/** The first instant from `now` on at which all zones are open. */
	private nextOpening(now: number, zones: readonly string[], dates: NoCallDates) {
		const last = dates === '' ? now : Math.max(now, Date.parse(dates.slice(-'2026-12-25'.length)));
		for (let instant = now; instant <= last + MAX_SEARCH_MS;) {
			const next = Math.max(...zones.map((zone) => this.openFrom(instant, zone, dates)));
			if (next === instant) return next;
			instant = next;
		}
		return undefined;
	}

	/**
	 * The instant itself if the zone is open then; otherwise a later one, until which it stays
	 * closed.
	 */
	private openFrom(instant: number, zone: string, dates: NoCallDates) {
		const { day, time } = localTime(zone, instant);
		const isNoCallDate = dates.includes(dateIn(zone, instant));
		const today = this.windows.filter(({ days }) => !isNoCallDate && days.includes(dayOfWeek(day)));
		const minute = time / MINUTE;
		if (today.some(({ from, to }) => from <= minute && minute < to)) return instant;
		const begins = today.map(({ from }) => from).filter((from) => from > minute);
		const next = instant + (Math.min(...begins, 1_440) - minute) * MINUTE;
		return Math.min(next, steadyAt(zone, instant).to);
	}
}

/** 1970-01-01 was a Thursday. */
const dayOfWeek = (day: number) => DAYS[(day + 3) % 7]!;

const UNKNOWN_ZONE = 'Time zone not known. Set Time Zone in Rules';
const NEVER_TOGETHER = 'Its zones are never open together. Set Time Zone';
const NEVER = 'Never in Calling Hours';

/** "New York", of America/New_York. */
export const cityOf = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1).replace(/_/g, ' ');

/** "Mon 09:00", in a time zone. */
export const clock = (zone: string, instant: number) =>
	`${capitalized(dayOfWeek(localTime(zone, instant).day))} ${isoIn(zone, instant).slice(11, 16)}`;

/** The days of the week, from Monday. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/**
 * On these days people may be called between two times, half-open, in minutes since midnight (0 to
 * 1440).
 */
export interface Window {
	days: readonly unknown[];
	from: number;
	to: number;
}

/** When people may be called, on the clock of the person called. */
export type Windows = readonly Window[];

/** Its label, and which option is the default: `domain/panelDefaults.ts`. */
const workday = { from: 9 * 60, to: 20 * 60 };

/** Day and night. */
export const ANY_HOUR: Windows = [{ days: DAYS, from: 0, to: 1_440 }];

/** What the options of Calling Hours stand for, except `custom`. */
const WINDOWS = {
	weekdays: [{ ...workday, days: DAYS.slice(0, 5) }],
	daily: [{ ...workday, days: DAYS }],
	any: ANY_HOUR,
} satisfies Record<string, Windows>;

/**
 * Calling Hours, with the windows of `custom`: `{window: [{days: ['mon'], from: '09:00', to:
 * '20:00'}]}`.
 */
export function readCallingHours(
	choice: keyof typeof WINDOWS | 'custom',
	stored: unknown,
): Checked<Windows> {
	if (choice !== 'custom') return ok(WINDOWS[choice]);
	const list = isObject(stored) ? stored.window : undefined;
	if (!Array.isArray(list) || list.length === 0)
		return fieldRefused(
			'Calling Hours has no window',
			'Add a window, or choose other Calling Hours.',
		);
	const windows: Window[] = [];
	for (const [index, window] of (list as unknown[]).entries()) {
		const read = readWindow(window, `Window ${index + 1} of Calling Hours`);
		if (!read.ok) return read;
		windows.push(read.value);
	}
	return ok(windows);
}

/** What n8n leaves out of a stored window has its default. */
function readWindow(window: unknown, name: string): Checked<Window> {
	const { days, from, to } = {
		...FIRST_CUSTOM_WINDOW,
		...(isObject(window) ? window : {}),
	} as Record<keyof Window, unknown>;
	if (
		!Array.isArray(days) ||
		days.length === 0 ||
		!days.every((day) => DAYS.includes(day as string))
	)
		return fieldRefused(`${name} needs at least one day`, 'Choose its days from the list.');
	const read = { days, from: minutesOf(from), to: minutesOf(to) };
	return read.from < read.to
		? ok(read)
		: fieldRefused(
				`${name} goes from ${quoted(from)} to ${quoted(to)}`,
				'Write times like 09:00 or 24:00, the earlier one first. For hours past midnight, add a second window.',
			);
}

/** Since midnight, from "09:00"; NaN when it is no time of day. */
function minutesOf(time: unknown) {
	const [, hours, minutes] = /^\s*(\d{1,2}):([0-5]\d)\s*$/.exec(typedText(time)) ?? [];
	const since = (numberOf(hours) ?? NaN) * 60 + (numberOf(minutes) ?? NaN);
	return since <= 1_440 ? since : NaN;
}
