import { numberOf } from '../values';
/**
 * Time in a zone, as the host's `Intl` knows it. Instants and offsets are milliseconds; an offset
 * is local time less UTC.
 */

export const MINUTE = 60_000;
export const DAY = 1_440 * MINUTE;

/** A half-open stretch of time in which a zone's clocks do not change. */
interface SteadyTime {
	from: number;
	to: number;
	offset: number;
}

interface Zone {
	format: Intl.DateTimeFormat;
	hostName: string;
	/** Formatting takes 15 µs: what is known of the zone's clocks is kept. */
	known: SteadyTime[];
}

/** By name in small letters: a zone is made once, however it is spelled. */
const zones = new Map<string, Zone>();

function zoneOf(name: string) {
	const key = name.toLowerCase();
	const known = zones.get(key);
	if (known) return known;
	try {
		const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
		const zone = { format, hostName: format.resolvedOptions().timeZone, known: [] };
		zones.set(key, zone);
		return zone;
	} catch {
		return undefined;
	}
}

/**
 * The name as the host writes it, which may be an older one; undefined when the host knows no such
 * zone.
 */
export const hostNameOf = (name: string) => zoneOf(name)?.hostName;

/** Clocks are looked at so far ahead. No zone changes them twice in that time. */
const HORIZON_MINUTES = 16 * 1_440;

/**
 * How a zone's clocks go at an instant, and until when for certain; as in UTC when the host knows
 * no such zone.
 */
export function steadyAt(name: string, instant: number): SteadyTime {
	const { format, known } = zoneOf(name) ?? zoneOf('UTC')!;
	const steady = known.find(({ from, to }) => from <= instant && instant < to);
	if (steady) return steady;
	const offset = readOffset(format, instant);
	// Clocks change at whole minutes. `last`: the same offset for certain; `end`: perhaps another
	// one.
	let last = Math.floor(instant / MINUTE);
	let end = last + HORIZON_MINUTES;
	if (readOffset(format, end * MINUTE) !== offset)
		while (end - last > 1) {
			const middle = Math.floor((last + end) / 2);
			if (readOffset(format, middle * MINUTE) === offset) last = middle;
			else end = middle;
		}
	const found = { from: instant, to: end * MINUTE, offset };
	known.push(found);
	return found;
}

/** From "11/23/2026, GMT+05:45"; Greenwich itself is "GMT". */
function readOffset(format: Intl.DateTimeFormat, instant: number) {
	const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(format.format(instant)) ?? [];
	const ahead = (numberOf(hours) ?? 0) * 60 + (numberOf(minutes) ?? 0);
	return sign === '-' ? -ahead * MINUTE : ahead * MINUTE;
}

/** Milliseconds by which a zone's clocks are ahead of UTC. */
export const offsetAt = (name: string, instant: number) => steadyAt(name, instant).offset;

/** Days since 1970-01-01 by the zone's calendar, and milliseconds since its midnight. */
export function localTime(name: string, instant: number) {
	const local = instant + offsetAt(name, instant);
	const day = Math.floor(local / DAY);
	return { day, time: local - day * DAY };
}

/** "2026-11-23T09:00:00+01:00": an instant as a zone's clocks show it. */
export function isoIn(name: string, instant: number) {
	const offset = offsetAt(name, instant);
	const ahead = new Date(Math.abs(offset)).toISOString().slice(11, 16);
	const local = new Date(instant + offset).toISOString().slice(0, 19);
	return `${local}${offset < 0 ? '-' : '+'}${ahead}`;
}

/** "2026-11-23", by a zone's calendar. */
export const dateIn = (name: string, instant: number) => isoIn(name, instant).slice(0, 10);
