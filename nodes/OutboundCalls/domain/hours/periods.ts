import type { ChoiceOf } from '../panelDefaults';
import { DAY, localTime, steadyAt } from './zoneTime';

/**
 * What calls are counted in: days, weeks from Monday (ISO 8601) and months of a zone's calendar.
 */
export type PeriodKind = Exclude<ChoiceOf<'per'>, 'ever'>;

/**
 * The period that the zone's calendar is in. Consecutive ones have consecutive numbers; the first of
 * January 1970 is in number 0. `end`: the first instant of the next one, in milliseconds since 1970.
 */
export function periodAt(kind: PeriodKind, zone: string, now: number) {
	const { index, nextDay } = PERIODS[kind](localTime(zone, now).day);
	return { index, end: beginningOf(nextDay, zone) };
}

/** Days count from 1970-01-01, which was a Thursday. */
const PERIODS: Record<PeriodKind, (day: number) => { index: number; nextDay: number }> = {
	day: (day) => ({ index: day, nextDay: day + 1 }),
	week: (day) => {
		const index = Math.floor((day + 3) / 7);
		return { index, nextDay: (index + 1) * 7 - 3 };
	},
	month: (day) => {
		const date = new Date(day * DAY);
		const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
		return { index: (year - 1970) * 12 + month, nextDay: Date.UTC(year, month + 1) / DAY };
	},
};

/** The first instant of a day, which is not midnight where the clocks skip that. */
function beginningOf(day: number, zone: string) {
	for (let instant = (day - 1) * DAY; ;) {
		const { to, offset } = steadyAt(zone, instant);
		const begins = Math.max(instant, day * DAY - offset);
		if (begins < to) return begins;
		instant = to;
	}
}
