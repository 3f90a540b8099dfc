import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metadata, type MetadataJson, type PhoneNumberType } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.max.json';

/** Digits that a number begins with, its calling code among them, and the zones that it may be in. The longest prefix of a number counts. */
export type ZoneTable = Map<string, readonly string[]>;

const linesOf = (file: string): string[][] =>
	readFileSync(join(__dirname, file), 'utf8')
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => line.split('|'));

/** libphonenumber's own table. Each calling code is a prefix with all zones of its countries. */
export const libphonenumberTable = (): ZoneTable =>
	new Map(linesOf('map_data.txt').map(([prefix, zones]) => [prefix!, zones!.split('&')]));

/** What is added to libphonenumber's table: numbers that begin with `under` and list `where` (any, when empty) may also be in `add`. */
export const corrections = linesOf('corrections.txt').map(([under, where, add, why]) => ({
	under: under!.split(' '),
	where: where!.replace('-', ''),
	/** `where` is nowhere in the country. */
	insteadOfIt: where!.startsWith('-'),
	add: add!.split(' '),
	why: why!,
}));

const plans: MetadataJson = metadata;
const callingCodes = Object.keys(plans.country_calling_codes);
const callingCodeOf = (prefix: string): string =>
	callingCodes.find((code) => prefix.startsWith(code)) ?? '';

const NORTH_AMERICA = '1';
/** Mobile numbers of Mexico and Brazil have the area codes of fixed lines, as those of +1 do. */
const MOBILES_WITH_AREA_CODE = ['52', '55'];

/**
 * The table that the node carries: libphonenumber's, corrected, of which it always lists a superset. One zone too many makes the
 * calling hours shorter, one too few calls somebody at night.
 */
export const zoneTable = (): ZoneTable => withoutNeedless(widened(correctedTable()));

/** With one entry for each area code that mobile numbers have too. */
function correctedTable(): ZoneTable {
	const table: ZoneTable = new Map();
	const listed = libphonenumberTable();
	for (const [prefix, zones] of listed) {
		const area = /^(1|55)/.test(prefix) ? prefix.slice(0, 4) : prefix;
		unite(table, area, zones);
		// Its other numbers are where the next shorter prefix is: 92 (Manaus) is listed for one exception alone.
		if (!listed.has(area)) unite(table, area, beneath(listed, area));
	}
	for (const { under, where, add, insteadOfIt } of corrections) {
		for (const begin of under)
			if (where === '' && !table.has(begin)) table.set(begin, beneath(table, begin));
		for (const [prefix, zones] of table) {
			const isMeant = under.some((begin) => prefix.startsWith(begin));
			if (!isMeant || (where !== '' && !zones.includes(where))) continue;
			const kept = zones.filter((zone) => !insteadOfIt || zone !== where);
			table.set(prefix, sorted([...kept, ...add]));
		}
	}
	// A number that may be anywhere in the country may be in each part of it. Toll-free numbers of +1 stay as they are listed.
	for (const [prefix, zones] of [...table])
		if (callingCodeOf(prefix) !== NORTH_AMERICA) unite(table, callingCodeOf(prefix), zones);
	return table;
}

/** What the table says of a prefix that it does not have; nothing where only the whole of North America does. */
function beneath(table: ZoneTable, prefix: string): readonly string[] {
	for (let length = prefix.length; length > 1; length--) {
		const zones = table.get(prefix.slice(0, length));
		if (zones) return zones;
	}
	return [];
}

/** Prefixes of +7 that are Kazakhstan's. */
const countryOf = (prefix: string): string =>
	/^7[67]/.test(prefix) ? 'KZ' : callingCodeOf(prefix);

/** Mobile numbers and others that belong to no place may be anywhere in their country, whatever the table says of their prefix. */
function widened(table: ZoneTable): ZoneTable {
	const whole: ZoneTable = new Map();
	for (const [prefix, zones] of table) unite(whole, countryOf(prefix), zones);
	const result: ZoneTable = new Map();
	/** A prefix of both kinds is divided, up to two digits further. */
	const widen = (prefix: string, zones: readonly string[], divisions: number): void => {
		const all = whole.get(countryOf(prefix))!;
		const isSettled =
			callingCodeOf(prefix) === NORTH_AMERICA ||
			prefix === callingCodeOf(prefix) ||
			zones.length === all.length;
		const isFixed = mayBegin(FIXED, prefix);
		const keepsItsOwn = isSettled || (isFixed && !mayBegin(ELSEWHERE, prefix));
		result.set(prefix, keepsItsOwn ? zones : all);
		if (keepsItsOwn || !isFixed || divisions === 0) return;
		for (const part of Array.from({ length: 10 }, (_, digit) => `${prefix}${digit}`))
			if (!table.has(part)) widen(part, zones, divisions - 1);
	};
	for (const [prefix, zones] of table) widen(prefix, zones, 2);
	return result;
}

const FIXED: PhoneNumberType[] = ['FIXED_LINE'];
const ELSEWHERE: PhoneNumberType[] = [
	...(['MOBILE', 'PERSONAL_NUMBER', 'VOIP', 'PAGER', 'UAN'] as const),
	...(['VOICEMAIL', 'TOLL_FREE', 'SHARED_COST', 'PREMIUM_RATE'] as const),
];

/** Its types leave this out. */
type Plan = Metadata & {
	type(type: PhoneNumberType): { pattern(): string | undefined } | undefined;
};
const beginnings = new Map<string, RegExp[]>();

/** Whether numbers of these kinds may begin with the prefix, by libphonenumber's numbering plans. */
function mayBegin(kinds: readonly PhoneNumberType[], prefix: string): boolean {
	const code = callingCodeOf(prefix);
	const key = `${code} ${kinds.join()}`;
	const found =
		beginnings.get(key) ??
		(plans.country_calling_codes[code] ?? []).flatMap((country) => {
			const plan = new Metadata(plans) as Plan;
			plan.selectNumberingPlan(country);
			return kinds
				.filter((kind) => kind !== 'MOBILE' || !MOBILES_WITH_AREA_CODE.includes(code))
				.flatMap((kind) => plan.type(kind)?.pattern() ?? [])
				.map(beginningOf);
		});
	beginnings.set(key, found);
	return found.some((begins) => begins.test(prefix.slice(code.length)));
}

/** A pattern of whole numbers as a pattern of what they begin with: the text may end before each of its digits. */
const beginningOf = (pattern: string): RegExp =>
	new RegExp(
		`^(?:${pattern.replace(/(\{[^}]*\})|\\d|\[[^\]]*\]|\d/g, (atom, quantifier?: string) => quantifier ?? `(?:$|${atom})`)})$`,
	);

/** Without the prefixes that say what the next shorter one says. */
function withoutNeedless(table: ZoneTable): ZoneTable {
	const result: ZoneTable = new Map();
	for (const prefix of [...table.keys()].sort()) {
		let shorter = prefix.slice(0, -1);
		while (shorter !== '' && !table.has(shorter)) shorter = shorter.slice(0, -1);
		if (table.get(shorter)?.join() !== table.get(prefix)!.join())
			result.set(prefix, table.get(prefix)!);
	}
	return result;
}

const sorted = (zones: readonly string[]): string[] => [...new Set(zones)].sort();

const unite = (table: ZoneTable, prefix: string, zones: readonly string[]): unknown =>
	table.set(prefix, sorted([...(table.get(prefix) ?? []), ...zones]));
