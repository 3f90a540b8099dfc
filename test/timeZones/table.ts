import { corrections } from './corrections';
import { callingCodeOf, kindsOf, libphonenumberTable, type ZoneTable } from './libphonenumber';

const NORTH_AMERICA = '1';

const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Digits that a prefix is divided by at most, to tell fixed lines in it from other numbers. */
const DIVISIONS = 2;

/**
 * The table that the node carries: libphonenumber's, of which it always lists a superset. One zone too many makes the hours in
 * which a person may be called fewer, one too few calls somebody at night.
 */
export const zoneTable = (): ZoneTable => withoutNeedless(widened(correctedTable()).table);

/** The prefixes, outside +1, that libphonenumber pins to a part of their country although they belong to no place. */
export const widenedPrefixes = (): string[] => widened(correctedTable()).prefixes;

/** libphonenumber's table, corrected, with one line for each area code that mobile numbers have too. */
export function correctedTable(): ZoneTable {
	const table: ZoneTable = new Map();
	const listed = libphonenumberTable();
	for (const [prefix, zones] of listed) {
		const area = areaCodeOf(prefix);
		unite(table, area, zones);
		// Its other numbers are where the next shorter prefix is: 92 (Manaus) is listed for one exception alone.
		if (!listed.has(area)) unite(table, area, beneath(listed, area));
	}
	for (const { under, where, add, insteadOfIt } of corrections) {
		for (const begin of under)
			if (where === undefined && !table.has(begin)) table.set(begin, beneath(table, begin));
		for (const [prefix, zones] of table) {
			if (
				!under.some((begin) => prefix.startsWith(begin)) ||
				(where !== undefined && !zones.includes(where))
			)
				continue;
			table.set(
				prefix,
				sorted([...zones.filter((zone) => !(insteadOfIt === true && zone === where)), ...add]),
			);
		}
	}
	// What a part of the country may be in, all of it may be in. A toll-free number of +1 stays as it is listed.
	for (const [prefix, zones] of [...table])
		if (callingCodeOf(prefix) !== NORTH_AMERICA) unite(table, callingCodeOf(prefix), zones);
	return table;
}

/** What the table says of a prefix that it does not have; nothing where only the whole of North America does. */
function beneath(table: ZoneTable, prefix: string): readonly string[] {
	for (let length = prefix.length; length > 1; length--) {
		const zones = table.get(prefix.slice(0, length));
		if (zones !== undefined) return zones;
	}
	return [];
}

/** Area codes have three digits in +1 and two in Brazil; Mexico's are whole in the table. Elsewhere mobile numbers have none. */
function areaCodeOf(prefix: string): string {
	if (prefix.startsWith(NORTH_AMERICA)) return prefix.slice(0, 4);
	return prefix.startsWith('55') ? prefix.slice(0, 4) : prefix;
}

/** Prefixes of +7 that are Kazakhstan's. */
const countryOf = (prefix: string): string =>
	/^7[67]/.test(prefix) ? 'KZ' : callingCodeOf(prefix);

function widened(table: ZoneTable): { table: ZoneTable; prefixes: string[] } {
	const whole = new Map<string, readonly string[]>();
	for (const [prefix, zones] of table) unite(whole, countryOf(prefix), zones);
	const result: ZoneTable = new Map();
	const prefixes: string[] = [];

	/** The parts of the prefix that stand for all zones of the country; the rest of it keeps its own. */
	const widen = (prefix: string, zones: readonly string[], divisions: number): string[] => {
		const all = whole.get(countryOf(prefix))!;
		const { isFixed, isElsewhere } = kindsOf(prefix);
		if (
			prefix === callingCodeOf(prefix) ||
			zones.length === all.length ||
			(isFixed && !isElsewhere)
		) {
			result.set(prefix, zones);
			return [];
		}
		result.set(prefix, all);
		if (!isFixed || divisions === 0) return [prefix];
		const parts = DIGITS.map((digit) => `${prefix}${digit}`).filter((part) => !table.has(part));
		const wide = parts.map((part) => widen(part, zones, divisions - 1));
		return wide.every(([part], i) => part === parts[i]) ? [prefix] : wide.flat();
	};
	for (const [prefix, zones] of table) {
		if (callingCodeOf(prefix) === NORTH_AMERICA) result.set(prefix, zones);
		else prefixes.push(...widen(prefix, zones, DIVISIONS));
	}
	return { table: result, prefixes: prefixes.sort() };
}

/** Without the prefixes that say what the next shorter one says. */
function withoutNeedless(table: ZoneTable): ZoneTable {
	const said = new Map<string, string>();
	const result: ZoneTable = new Map();
	for (const [prefix, zones] of [...table].sort(([a], [b]) => (a < b ? -1 : 1))) {
		let shorter = prefix.slice(0, -1);
		while (shorter !== '' && !said.has(shorter)) shorter = shorter.slice(0, -1);
		said.set(prefix, zones.join());
		if (said.get(shorter) !== zones.join()) result.set(prefix, zones);
	}
	return result;
}

const sorted = (zones: readonly string[]): string[] => [...new Set(zones)].sort();

const unite = (table: ZoneTable, prefix: string, zones: readonly string[]): unknown =>
	table.set(prefix, sorted([...(table.get(prefix) ?? []), ...zones]));
