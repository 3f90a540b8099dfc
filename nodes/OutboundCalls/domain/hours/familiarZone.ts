/** Where most people of a country with several zones live, in the order in which they are named. */
const FAMILIAR: readonly string[] = [
	'America/New_York',
	'America/Chicago',
	'America/Denver',
	'America/Los_Angeles',
	'America/Toronto',
	'America/Vancouver',
	'America/Mexico_City',
	'America/Sao_Paulo',
	'America/Santiago',
	'Asia/Ulaanbaatar',
	'Australia/Sydney',
	'Australia/Adelaide',
	'Australia/Perth',
	'Europe/Lisbon',
	'Europe/London',
	'Europe/Madrid',
	'Europe/Moscow',
	'Europe/Oslo',
	'Indian/Reunion',
	'Pacific/Honolulu',
	'Pacific/Port_Moresby',
	'Pacific/Tahiti',
];

/**
 * The zones, but first those whose names people know: a British mobile number may be in Guernsey, and its owner still thinks of
 * London.
 */
export function familiarFirst(zones: readonly string[]): readonly string[] {
	if (zones.length < 2) return zones;
	const known = FAMILIAR.filter((zone) => zones.includes(zone));
	return [...known, ...zones.filter((zone) => !known.includes(zone))];
}
