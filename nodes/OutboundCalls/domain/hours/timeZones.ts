import { AREA_CODES, PREFIXES, ZONE_SETS, ZONES } from './timeZonePrefixes';

/** No zone is known. */
const NONE: readonly string[] = [];

/** Zones by what numbers begin with, as a number; read once, when the first number asks. */
let table: ReadonlyMap<number, readonly string[]> | undefined;

/** Digits of the longest prefix. */
let longest = 4;

/**
 * The IANA zones in which a number may be, of which the person called is in one: by its longest prefix in
 * libphonenumber's table, widened where that table is too sure (`test/timeZones/table.ts`). None where nothing is known. Takes a number in
 * E.164; numbers of the same prefix get the same list, which nobody may change.
 */
export function timeZonesOf(number: string): readonly string[] {
	table ??= read();
	for (
		let prefix = Number(number.slice(1, longest + 1));
		prefix > 0;
		prefix = Math.floor(prefix / 10)
	) {
		const zones = table.get(prefix);
		if (zones !== undefined) return zones;
	}
	return NONE;
}

function read(): Map<number, readonly string[]> {
	const zones = words(ZONES, '\n').flatMap((line) => {
		const [area, ...places] = words(line, ' ');
		return places.map((place) => [`${area}/${place}`]);
	});
	const sets = words(ZONE_SETS, /\s/).map((codes) =>
		codes.match(/../g)!.map((code) => zones[indexOf(code)]![0]!),
	);
	const all: ReadonlyArray<readonly string[]> = [...zones, ...sets];

	const zonesOf = (code: string): readonly string[] => all[indexOf(code)]!;

	const found = new Map<number, readonly string[]>();
	const [codes, areas] = words(AREA_CODES, '\n') as [string, string];
	const ofAreas = codes.match(/../g)!.map(zonesOf);
	for (let n = 0; n < areas.length; n++) {
		const its = ofAreas[areas.charCodeAt(n) - FIRST_LETTER];
		if (its) found.set(FIRST_AREA + n, its);
	}
	for (const line of words(PREFIXES, '\n')) {
		const [, callingCode, own] = /^(\d+)([A-Z]{2})/.exec(line) as unknown as [
			string,
			string,
			string,
		];
		let before = callingCode;
		let its = zonesOf(own);
		found.set(Number(before), its);
		for (const [, common, digits, code] of line.matchAll(/([a-z])(\d+)([A-Z]{2})?/g)) {
			before = before.slice(0, callingCode.length + common!.charCodeAt(0) - 97) + digits!;
			if (code !== undefined) its = zonesOf(code);
			found.set(Number(before), its);
			longest = Math.max(longest, before.length);
		}
	}
	return found;
}

const FIRST_AREA = 1201;
const FIRST_LETTER = '('.charCodeAt(0);

/** AA: 0, AB: 1 … */
const indexOf = (code: string): number => (code.charCodeAt(0) - 65) * 26 + code.charCodeAt(1) - 65;

const words = (text: string, separator: string | RegExp): string[] => text.trim().split(separator);
