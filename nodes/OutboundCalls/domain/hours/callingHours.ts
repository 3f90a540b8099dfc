import { type CallingWindows, timeOfDay } from './callingWindows';
import { familiarFirst } from './familiarZone';
import { dateOf, NO_DATES, type NoCallDates } from './noCallDates';
import { DAY, isoIn, localTime, MINUTE, steadyPeriods } from './zoneTime';

/** Whether a person may be called. Instants are milliseconds since 1970, as `Date.now()` gives them. */
export type HoursVerdict =
	/** Yes, until then: the first instant of which this does not say so. */
	| { open: true; until: number }
	/** No. `callableAt`: when they may be called, exactly; null when not within 14 days. `until`: this holds for so long. */
	| { open: false; callableAt: number | null; until: number };

export interface CallingHours {
	/**
	 * Whether it is inside the windows, and no date on which nobody is called, in each of the zones that a person may be in. With no zone,
	 * or one that the host does not know: never. Hardly costs anything for lists and sets that were asked about before (the same objects,
	 * as `timeZonesOf`, `readTimeZone` and `readNoCallDates` give them).
	 */
	judge(now: number, zones: readonly string[], dates?: NoCallDates): HoursVerdict;
	/** Why a person may not be called now, short enough for a table cell: "It is Sat 21:40 in Europe/Berlin"; empty when they may. */
	whyClosed(now: number, zones: readonly string[], dates?: NoCallDates): string;
}

const SEARCHED = 14 * DAY;
/** What is looked at at once: a day more, so that a verdict without an opening holds for a day. */
const LOOKED_AT = SEARCHED + DAY;

/** Instants between which people may be called, half-open. */
type Opening = [from: number, to: number];

/** The calling hours of a run: keeps each verdict for as long as it holds. */
export function callingHours(windows: CallingWindows): CallingHours {
	const kept = new WeakMap<
		readonly string[],
		WeakMap<NoCallDates, { from: number; verdict: HoursVerdict }>
	>();

	const judge = (
		now: number,
		zones: readonly string[],
		dates: NoCallDates = NO_DATES,
	): HoursVerdict => {
		let byDates = kept.get(zones);
		if (byDates === undefined) kept.set(zones, (byDates = new WeakMap()));
		const held = byDates.get(dates);
		if (held !== undefined && now >= held.from && now < held.verdict.until) return held.verdict;
		const verdict = verdictOf(now, openings(windows, zones, dates, now, now + LOOKED_AT));
		byDates.set(dates, { from: now, verdict });
		return verdict;
	};
	return { judge, whyClosed: (now, zones, dates = NO_DATES) => reason(windows, now, zones, dates) };
}

/** `callable_at` of a row: "2026-11-23T09:00:00+01:00", on the clocks of its most familiar zone; null when there is none. */
export const callableAtText = (
	callableAt: number | null,
	zones: readonly string[],
): string | null =>
	callableAt === null ? null : isoIn(familiarFirst(zones)[0] ?? 'UTC', callableAt);

function verdictOf(now: number, found: readonly Opening[] | undefined): HoursVerdict {
	if (found === undefined) return { open: false, callableAt: null, until: Infinity };
	const [next] = found;
	if (next === undefined)
		return { open: false, callableAt: null, until: now + LOOKED_AT - SEARCHED };
	const [from, to] = next;
	if (from <= now) return { open: true, until: to };
	return from <= now + SEARCHED
		? { open: false, callableAt: from, until: from }
		: { open: false, callableAt: null, until: from - SEARCHED };
}

/** When all zones are open, in order and apart; undefined when there is no zone, or one that the host does not know. */
function openings(
	windows: CallingWindows,
	zones: readonly string[],
	dates: NoCallDates,
	from: number,
	to: number,
): Opening[] | undefined {
	let common: Opening[] | undefined;
	for (const zone of zones) {
		const own = openingsIn(windows, zone, dates, from, to);
		if (own === undefined) return undefined;
		common = common === undefined ? own : inBoth(common, own);
	}
	return common;
}

/**
 * Day by day on the zone's own clocks, between their changes: an hour that is left out holds no opening, one that comes twice holds it twice.
 */
function openingsIn(
	windows: CallingWindows,
	zone: string,
	dates: NoCallDates,
	from: number,
	to: number,
): Opening[] | undefined {
	const periods = steadyPeriods(zone, from, to);
	if (periods === undefined) return undefined;
	const found: Opening[] = [];
	for (const period of periods) {
		for (
			let day = dayAt(period.from + period.offset);
			day * DAY < period.to + period.offset;
			day++
		) {
			if (dates.has(day)) continue;
			for (const [begins, ends] of windows[weekdayOf(day)]!) {
				const midnight = day * DAY - period.offset;
				add(
					found,
					Math.max(midnight + begins * MINUTE, period.from),
					Math.min(midnight + ends * MINUTE, period.to),
				);
			}
		}
	}
	return found;
}

const dayAt = (local: number): number => Math.floor(local / DAY);

/** 0 is Monday. The first day of 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

/** Openings that touch are one: it does not close at midnight between two whole days. */
function add(found: Opening[], from: number, to: number): void {
	if (from >= to) return;
	const last = found[found.length - 1];
	if (last?.[1] === from) last[1] = to;
	else found.push([from, to]);
}

function inBoth(some: readonly Opening[], others: readonly Opening[]): Opening[] {
	const found: Opening[] = [];
	for (let i = 0, k = 0; i < some.length && k < others.length;) {
		const [one, other] = [some[i]!, others[k]!];
		add(found, Math.max(one[0], other[0]), Math.min(one[1], other[1]));
		if (one[1] < other[1]) i++;
		else k++;
	}
	return found;
}

/** A mobile number may be anywhere in its country: that is why the zone that is named may be a surprise. Where all clocks say the same, it is none. */
function others(zones: readonly string[], now: number): string {
	const times = new Set(
		zones.map((zone) => localTime(zone, now)).map((local) => local && local.day * DAY + local.time),
	);
	return times.size > 1 ? `, one of ${zones.length} time zones that the number may be in` : '';
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function reason(
	windows: CallingWindows,
	now: number,
	zones: readonly string[],
	dates: NoCallDates,
): string {
	if (zones.length === 0) return 'The time zone is not known';
	for (const zone of familiarFirst(zones)) {
		const local = localTime(zone, now);
		if (local === undefined) return `This n8n does not know the time zone ${zone}`;
		if (dates.has(local.day))
			return `It is ${dateOf(local.day)} in ${zone}, one of the no-call dates`;
		const [weekday, minutes] = [weekdayOf(local.day), local.time / MINUTE];
		const isOpen = windows[weekday]!.some(([from, to]) => minutes >= from && minutes < to);
		if (!isOpen)
			return `It is ${WEEKDAYS[weekday]!} ${timeOfDay(minutes)} in ${zone}${others(zones, now)}`;
	}
	return '';
}
