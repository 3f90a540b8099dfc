import { capitalized } from '../values/format';
import { ANY_HOUR, DAYS, type Windows } from './callingWindows';
import type { NoCallDates } from './noCallDates';
import { DAY, isoIn, localTime, MINUTE, steadyAt } from './zoneTime';

/** Why a person must not be called now, and from when they may be. */
export interface OutsideHours {
	reason: string;
	/** Epoch milliseconds; undefined when not within 14 days. */
	callableAt?: number | undefined;
	/** On whose clock that is. */
	zone?: string;
	/** On the same clock, in ISO 8601. */
	callableAtText?: string | undefined;
	/** Of the person called. */
	zones: readonly string[];
	/** It is a no-call date there. */
	isNoCallDate?: boolean;
}

const SEARCHED = 14 * DAY;

/** The calling hours of a run. */
export class CallingHours {
	private minute = NaN;
	/** Of this minute, by time zones and dates: most rows have them in common. */
	private readonly judged = new Map<string, OutsideHours | undefined>();

	constructor(readonly windows: Windows) {}

	/**
	 * Why a person who is in one of these zones must not be called at `now` (epoch milliseconds);
	 * undefined when they may be: all zones are open.
	 */
	closed(now: number, zones: readonly string[], dates: NoCallDates = ''): OutsideHours | undefined {
		if (this.windows === ANY_HOUR && dates === '') return undefined;
		const minute = Math.floor(now / MINUTE) * MINUTE;
		if (minute !== this.minute) this.judged.clear();
		this.minute = minute;
		const key = `${zones.join()} ${dates}`;
		if (!this.judged.has(key)) this.judged.set(key, this.judge(minute, zones, dates));
		return this.judged.get(key);
	}

	private judge(
		now: number,
		zones: readonly string[],
		dates: NoCallDates,
	): OutsideHours | undefined {
		if (zones.length === 0) return { reason: UNKNOWN_ZONE, zones };
		const zone = zones.find((each) => this.openFrom(now, each, dates) > now);
		if (zone === undefined) return undefined;
		const callableAt = this.nextOpening(now, zones, dates);
		const isNoCallDate = dates.includes(isoIn(zone, now).slice(0, 10));
		return {
			reason: reasonIn(zone, zones, isNoCallDate, now, callableAt),
			isNoCallDate,
			callableAt,
			zone,
			callableAtText: callableAt === undefined ? undefined : isoIn(zone, callableAt),
			zones,
		};
	}

	/** The first instant from `now` on at which all zones are open. */
	private nextOpening(
		now: number,
		zones: readonly string[],
		dates: NoCallDates,
	): number | undefined {
		for (let instant = now; instant <= now + SEARCHED;) {
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
	private openFrom(instant: number, zone: string, dates: NoCallDates): number {
		const { day, time } = localTime(zone, instant);
		const isNoCallDate = dates !== '' && dates.includes(isoIn(zone, instant).slice(0, 10));
		const today = isNoCallDate
			? []
			: this.windows.filter(({ days }) => days.includes(dayOfWeek(day)));
		const minute = time / MINUTE;
		if (today.some(({ from, to }) => from <= minute && minute < to)) return instant;
		const begins = today.map(({ from }) => from).filter((from) => from > minute);
		const next = instant + (Math.min(...begins, 1_440) - minute) * MINUTE;
		return Math.min(next, steadyAt(zone, instant).to);
	}
}

/** 1970-01-01 was a Thursday. */
const dayOfWeek = (day: number): string => DAYS[(day + 3) % 7]!;

const UNKNOWN_ZONE = 'Time zone not known. Set Time Zone in Rules';

function reasonIn(
	zone: string,
	zones: readonly string[],
	isNoCallDate: boolean,
	now: number,
	callableAt: number | undefined,
): string {
	if (callableAt === undefined)
		return zones.length > 1
			? 'Its zones are never open together. Set Time Zone'
			: 'Not in Calling Hours within 14 days';
	const isThisWeek = callableAt < now + 6 * DAY;
	const from = isThisWeek ? clock(zone, callableAt) : isoIn(zone, callableAt).slice(0, 10);
	const why = isNoCallDate ? 'No-call date. ' : '';
	return `${why}From ${from} (${cityOf(zone)})`;
}

/** "New York", of America/New_York. */
export const cityOf = (zone: string): string =>
	zone.slice(zone.lastIndexOf('/') + 1).replace(/_/g, ' ');

/** "Mon 09:00", in a time zone. */
export const clock = (zone: string, instant: number): string =>
	`${capitalized(dayOfWeek(localTime(zone, instant).day))} ${isoIn(zone, instant).slice(11, 16)}`;
