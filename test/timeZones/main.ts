import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zoneTable } from './zoneTable';

/** `npm run data:time-zones`: writes the table that the node carries. */

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
const [, release] = / of libphonenumber ([\d.]+)/.exec(
	readFileSync(join(__dirname, 'map_data.txt'), 'utf8'),
)!;

writeFileSync(
	join(__dirname, '../../nodes/OutboundCalls/domain/hours/timeZonePrefixes.ts'),
	`/*!
 * Time zones by number. Made from resources/timezones/map_data.txt of libphonenumber ${release}
 * (https://github.com/google/libphonenumber), and changed: +1 is united by area code, mobile numbers
 * stand for their whole country, some zones are corrected.
 *
 * Copyright (C) 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0;
 * you may obtain a copy at http://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
// Written by \`npm run data:time-zones\` (test/timeZones/).

/** A line is the zones that numbers may be in, then what these numbers begin with. The longest beginning counts. */
export const ZONES_BY_PREFIX = \`${[...prefixesOf].map(([zones, prefixes]) => [zones, ...prefixes].join(' ')).join('\n')}\`;
`,
);
