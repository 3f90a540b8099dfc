import { callingCodeOf, RELEASE, type ZoneTable } from './libphonenumber';

/** What `domain/hours/timeZonePrefixes.ts` exports; `domain/hours/timeZones.ts` reads it. */
export function encoded(table: ZoneTable): {
	ZONES: string;
	ZONE_SETS: string;
	AREA_CODES: string;
	PREFIXES: string;
} {
	const zones = [...new Set([...table.values()].flat())].sort();
	const sets = [...new Set([...table.values()].map((set) => set.join(' ')))]
		.filter((set) => set.includes(' '))
		.sort();
	const codes = new Map([...zones, ...sets].map((set, index) => [set, code(index)]));
	const setCodes = sets.map((set) =>
		set
			.split(' ')
			.map((zone) => codes.get(zone)!)
			.join(''),
	);
	return {
		ZONES: lines(zones),
		ZONE_SETS: wrapped(setCodes),
		AREA_CODES: areaLines(table, codes),
		PREFIXES: prefixLines(table, codes).join('\n'),
	};
}

/** The file itself. */
export function fileOf({
	ZONES,
	ZONE_SETS,
	AREA_CODES,
	PREFIXES,
}: ReturnType<typeof encoded>): string {
	return `/*!
 * Time zones by number. Made from resources/timezones/map_data.txt of libphonenumber ${RELEASE}
 * (https://github.com/google/libphonenumber), and changed: +1 is united by area code, mobile numbers
 * stand for their whole country, some zones are corrected.
 *
 * Copyright (C) 2012 The Libphonenumber Authors. Licensed under the Apache License, Version 2.0;
 * you may obtain a copy at http://www.apache.org/licenses/LICENSE-2.0. Distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
// Written by \`npm run data:time-zones\` (test/timeZones/).

/** The zones: AA, AB, AC … A line is an area of the world, then its places. */
export const ZONES = \`
${ZONES}
\`;

/** Zones of which a number may be in any: their codes go on where those of ZONES end. */
export const ZONE_SETS = \`
${ZONE_SETS}
\`;

/** Zones of area codes of +1, and for each code from 201 on a letter: ( is the first of these zones; a blank: none. */
export const AREA_CODES = \`
${AREA_CODES}
\`;

/**
 * A line is a calling code: its own zones, then the longer prefixes. Of each the letter says how many digits it has in common with the one
 * before (a: none behind the calling code); zones that are the same as the last ones are left out.
 */
export const PREFIXES = \`
${PREFIXES}
\`;
`;
}

/** Two letters: AA, AB … ZZ. */
const code = (index: number): string =>
	String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26));

function lines(zones: readonly string[]): string {
	const areas = new Map<string, string[]>();
	for (const zone of zones) {
		const [, area, place] = /^([^/]+)\/(.+)$/.exec(zone)!;
		areas.set(area!, [...(areas.get(area!) ?? []), place!]);
	}
	return [...areas].map(([area, places]) => `${area} ${places.join(' ')}`).join('\n');
}

const wrapped = (words: readonly string[]): string =>
	words
		.join(' ')
		.replace(/(.{1,140})(?: |$)/g, '$1\n')
		.trimEnd();

/** Of area codes, all have three digits: a letter for each takes the least. */
function areaLines(table: ZoneTable, codes: ReadonlyMap<string, string>): string {
	const areas = new Map<number, string>();
	for (const [prefix, zones] of table)
		if (AREA.test(prefix)) areas.set(Number(prefix), codes.get(zones.join(' '))!);
	const used = [...new Set(areas.values())].sort();
	const letters = Array.from({ length: Math.max(...areas.keys()) - 1200 }, (_, n) => {
		const its = areas.get(1201 + n);
		return its === undefined ? ' ' : String.fromCharCode('('.charCodeAt(0) + used.indexOf(its));
	});
	return `${used.join('')}\n${letters.join('')}`;
}

const AREA = /^1\d{3}$/;

function prefixLines(table: ZoneTable, codes: ReadonlyMap<string, string>): string[] {
	const byCallingCode = new Map<string, Array<[string, string]>>();
	for (const [prefix, zones] of [...table].sort(([a], [b]) => (a < b ? -1 : 1))) {
		if (AREA.test(prefix)) continue;
		const callingCode = callingCodeOf(prefix);
		byCallingCode.set(callingCode, [
			...(byCallingCode.get(callingCode) ?? []),
			[prefix, codes.get(zones.join(' '))!],
		]);
	}
	return [...byCallingCode].map(([callingCode, [own, ...longer]]) => {
		let [before, set] = own!;
		let line = callingCode + set;
		for (const [prefix, itsSet] of longer) {
			let common = callingCode.length;
			while (before[common] === prefix[common]) common++;
			line +=
				String.fromCharCode(97 + common - callingCode.length) +
				prefix.slice(common) +
				(itsSet === set ? '' : itsSet);
			[before, set] = [prefix, itsSet];
		}
		return line;
	});
}
