import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zoneTable } from './zoneTable';

/**
 * `npm run data:time-zones`: writes the table that the node carries. Its release stands in the notice of
 * domain/hours/timeZones.ts.
 */

/** Where most people of a country with several zones live: `reason` names these first. */
const FAMILIAR = [
	...['New_York', 'Chicago', 'Denver', 'Los_Angeles', 'Toronto', 'Vancouver', 'Mexico_City'].map(
		(city) => `America/${city}`,
	),
	...['America/Sao_Paulo', 'America/Santiago', 'Asia/Ulaanbaatar'],
	...['Australia/Sydney', 'Australia/Adelaide', 'Australia/Perth'],
	...['Lisbon', 'London', 'Madrid', 'Moscow', 'Oslo'].map((city) => `Europe/${city}`),
	...['Indian/Reunion', 'Pacific/Honolulu', 'Pacific/Port_Moresby', 'Pacific/Tahiti'],
];

const familiarFirst = (zones: readonly string[]): string[] => [
	...FAMILIAR.filter((zone) => zones.includes(zone)),
	...zones.filter((zone) => !FAMILIAR.includes(zone)),
];

const prefixesOf = new Map<string, string[]>();
for (const [prefix, zones] of zoneTable()) {
	const key = familiarFirst(zones).join();
	prefixesOf.set(key, [...(prefixesOf.get(key) ?? []), prefix]);
}
writeFileSync(
	join(__dirname, '../../nodes/OutboundCalls/domain/hours/timeZonePrefixes.json'),
	`${JSON.stringify(Object.fromEntries([...prefixesOf].map(([zones, all]) => [zones, all.join(' ')])), null, '\t')}\n`,
);
