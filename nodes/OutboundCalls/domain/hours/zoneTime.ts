/** Time in a zone, as the host's `Intl` knows it. Instants and offsets are milliseconds; an offset is local time less UTC. */

export const DAY = 86_400_000;
export const MINUTE = 60_000;

/** A stretch of time, half-open, in which a zone's clocks are not changed. */
export interface SteadyPeriod {
	from: number;
	to: number;
	offset: number;
}

/** There are about 600 zones; what rows hold may be anything. */
const MOST_ZONES = 1_000;
const MOST_DAYS = 100;

interface Zone {
	format: Intl.DateTimeFormat;
	/** Offsets at the beginnings of days of UTC, which begin `DAY` times the key. */
	offsets: Map<number, number>;
}

/** A formatter takes longer to make than to ask, so each zone has one. Null: the host does not know it. */
const zones = new Map<string, Zone | null>();

function zoneOf(name: string): Zone | null {
	const known = zones.get(name);
	if (known !== undefined) return known;
	if (zones.size >= MOST_ZONES) zones.clear();
	const zone = newZone(name);
	zones.set(name, zone);
	return zone;
}

function newZone(name: string): Zone | null {
	try {
		return {
			format: new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' }),
			offsets: new Map(),
		};
	} catch {
		return null;
	}
}

/** The name as the host writes it, which may be an older one; undefined when the host knows no such zone. */
export const hostNameOf = (name: string): string | undefined =>
	zoneOf(name)?.format.resolvedOptions().timeZone;

/** Undefined when the host knows no such zone. */
export function offsetAt(name: string, instant: number): number | undefined {
	const zone = zoneOf(name);
	return zone === null ? undefined : read(zone.format, instant);
}

/** "11/23/2026, GMT+05:45"; Greenwich itself is "GMT". */
function read(format: Intl.DateTimeFormat, instant: number): number {
	const [, sign, hours, minutes = '0', seconds = '0'] =
		/GMT([+-])(\d+)(?::(\d+))?(?::(\d+))?$/.exec(format.format(instant)) ?? [];
	if (hours === undefined) return 0;
	return (
		(sign === '-' ? -1_000 : 1_000) *
		(Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds))
	);
}

/**
 * How a zone's clocks go between two instants, without gaps; undefined when the host knows no such zone. A change that is taken back
 * within the same day would be missed: there is none.
 */
export function steadyPeriods(name: string, from: number, to: number): SteadyPeriod[] | undefined {
	const zone = zoneOf(name);
	if (zone === null) return undefined;
	const periods: SteadyPeriod[] = [];
	let begin = from;
	for (let day = Math.floor(from / DAY); day * DAY < to; day++) {
		const [offset, next] = [offsetOfDay(zone, day), offsetOfDay(zone, day + 1)];
		if (offset === next) continue;
		const change = changeWithin(zone.format, day * DAY, (day + 1) * DAY, offset);
		if (change > begin && change < to) {
			periods.push({ from: begin, to: change, offset });
			begin = change;
		}
	}
	return [...periods, { from: begin, to, offset: read(zone.format, begin) }];
}

function offsetOfDay({ format, offsets }: Zone, day: number): number {
	const known = offsets.get(day);
	if (known !== undefined) return known;
	if (offsets.size >= MOST_DAYS) offsets.clear();
	const offset = read(format, day * DAY);
	offsets.set(day, offset);
	return offset;
}

/** The first instant with another offset than `before`: clocks change at whole seconds. */
function changeWithin(
	format: Intl.DateTimeFormat,
	from: number,
	to: number,
	before: number,
): number {
	let [last, first] = [from / 1_000, to / 1_000];
	while (first - last > 1) {
		const middle = Math.floor((last + first) / 2);
		if (read(format, middle * 1_000) === before) last = middle;
		else first = middle;
	}
	return first * 1_000;
}

/** Days since 1970-01-01 by the zone's calendar, and milliseconds since its midnight; undefined when the host knows no such zone. */
export function localTime(
	name: string,
	instant: number,
): { day: number; time: number } | undefined {
	const offset = offsetAt(name, instant);
	if (offset === undefined) return undefined;
	const local = instant + offset;
	const day = Math.floor(local / DAY);
	return { day, time: local - day * DAY };
}

/** "2026-11-23T09:00:00+01:00": an instant as a zone's clocks show it; in UTC when the host knows no such zone. */
export function isoIn(name: string, instant: number): string {
	const offset = offsetAt(name, instant) ?? 0;
	const minutes = Math.round(Math.abs(offset) / MINUTE);
	const pair = (count: number) => String(count).padStart(2, '0');
	return `${new Date(instant + offset).toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${pair(Math.floor(minutes / 60))}:${pair(minutes % 60)}`;
}
