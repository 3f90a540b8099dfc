import { MINUTE, offsetAt } from './zoneTime';

/**
 * An hour of each rule that changed in recent years, which hosts with older rules have wrong: zone, instant, minutes ahead of UTC.
 * Source: tzdata's NEWS, 2022f to 2026c.
 */
const SENTINELS: ReadonlyArray<readonly [zone: string, instant: string, minutes: number]> = [
	// 2026: no more winter time.
	['America/Vancouver', '2027-01-15T12:00:00Z', -420],
	['America/Edmonton', '2027-01-15T12:00:00Z', -360],
	// 2024 and 2025
	['America/Asuncion', '2026-07-15T12:00:00Z', -180],
	['Asia/Almaty', '2026-07-15T12:00:00Z', 300],
	// 2023
	['America/Godthab', '2027-01-15T12:00:00Z', -120],
	['America/Scoresbysund', '2027-01-15T12:00:00Z', -120],
	['Africa/Cairo', '2026-07-15T12:00:00Z', 180],
	// 2022
	['America/Mexico_City', '2026-07-15T12:00:00Z', -360],
	['America/Chihuahua', '2026-07-15T12:00:00Z', -360],
	['America/Ciudad_Juarez', '2027-01-15T12:00:00Z', -420],
	['Asia/Amman', '2027-01-15T12:00:00Z', 180],
	['Asia/Damascus', '2027-01-15T12:00:00Z', 180],
	['Asia/Tehran', '2026-07-15T12:00:00Z', 210],
	['Pacific/Fiji', '2027-01-01T12:00:00Z', 720],
];

/** Zones whose rules changed in recent years. */
export const SENTINEL_ZONES: readonly string[] = SENTINELS.map(([zone]) => zone);

const outdated = new Map<string, boolean>();

/** Those of the given zones whose clocks the host sets by older rules: calls there may be an hour early or late. */
export const outdatedZones = (zones: Iterable<string> = SENTINEL_ZONES): string[] =>
	[...new Set(zones)].filter(isOutdated);

function isOutdated(zone: string): boolean {
	const known = outdated.get(zone);
	if (known !== undefined) return known;
	const sentinel = SENTINELS.find(([name]) => name === zone);
	if (sentinel === undefined) return false;
	const [, instant, minutes] = sentinel;
	const isIt = offsetAt(zone, Date.parse(instant)) !== minutes * MINUTE;
	outdated.set(zone, isIt);
	return isIt;
}
