import { DAY, localTime, steadyPeriods } from './zoneTime';

/** What calls are counted in: days, weeks from Monday (ISO 8601) and months of a zone's calendar. */
export type PeriodKind = 'day' | 'week' | 'month';

/** The day, week or month that an instant is in. */
export interface Period {
	/** Consecutive periods have consecutive numbers; the first of January 1970 is in number 0. */
	index: number;
	/** The first instant of the next one, in milliseconds since 1970. */
	end: number;
}

/** By the zone's calendar; by that of UTC when the host knows no such zone. */
export function periodAt(kind: PeriodKind, zone: string, now: number): Period {
	const day = localTime(zone, now)?.day ?? Math.floor(now / DAY);
	const { index, nextDay } = PERIODS[kind](day);
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

/** The first instant of a day, which is not midnight where the clocks leave that out. */
function beginningOf(day: number, zone: string): number {
	const midnight = day * DAY;
	// Offsets are between -12 and +14 hours; Samoa left out a whole day once.
	for (const { from, to, offset } of steadyPeriods(zone, midnight - DAY, midnight + DAY) ?? []) {
		const begins = Math.max(from, midnight - offset);
		if (begins < to) return begins;
	}
	return midnight;
}
