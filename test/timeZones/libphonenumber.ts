import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metadata, type MetadataJson, type PhoneNumberType } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.max.json';

/** Digits that a number begins with, its calling code among them, and the zones that it may be in. */
export type ZoneTable = Map<string, readonly string[]>;

/** The release of libphonenumber that `map_data.txt` beside this file is of. */
export const RELEASE = '9.0.27';

/** libphonenumber's own table: the longest prefix of a number counts. Each calling code is a prefix with all zones of its countries. */
export function libphonenumberTable(): ZoneTable {
	const lines = readFileSync(join(__dirname, 'map_data.txt'), 'utf8').split('\n');
	const entries = lines
		.filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => line.split('|') as [string, string]);
	return new Map(entries.map(([prefix, zones]) => [prefix, zones.split('&')]));
}

const plans: MetadataJson = metadata;

/** Its types leave this out. */
type Plan = Metadata & {
	type(type: PhoneNumberType): { pattern(): string | undefined } | undefined;
};

export const callingCodes = Object.keys(plans.country_calling_codes);

export const callingCodeOf = (prefix: string): string =>
	callingCodes.find((code) => prefix.startsWith(code)) ?? '';

/** The kinds of number that belong to no place, wherever they are dialed from. */
const ELSEWHERE: PhoneNumberType[] = [
	'MOBILE',
	'PERSONAL_NUMBER',
	'VOIP',
	'PAGER',
	'UAN',
	'VOICEMAIL',
	'TOLL_FREE',
	'SHARED_COST',
	'PREMIUM_RATE',
];

/** Mobile numbers of Mexico and Brazil have the area codes of fixed lines, as those of +1 do (libphonenumber: GEO_MOBILE_COUNTRIES). */
const MOBILES_WITH_AREA_CODE = ['52', '55'];

const beginnings = new Map<string, { fixed: RegExp[]; elsewhere: RegExp[] }>();

function beginningsOf(code: string) {
	const known = beginnings.get(code);
	if (known !== undefined) return known;
	const patterns = (types: PhoneNumberType[]) =>
		(plans.country_calling_codes[code] ?? []).flatMap((country) => {
			const plan = new Metadata(plans) as Plan;
			plan.selectNumberingPlan(country);
			return types.flatMap((type) => plan.type(type)?.pattern() ?? []).map(beginningOf);
		});
	const elsewhere = ELSEWHERE.filter(
		(type) => type !== 'MOBILE' || !MOBILES_WITH_AREA_CODE.includes(code),
	);
	const found = { fixed: patterns(['FIXED_LINE']), elsewhere: patterns(elsewhere) };
	beginnings.set(code, found);
	return found;
}

/** A pattern of whole numbers as a pattern of what they begin with: the text may end before each of its digits. */
const beginningOf = (pattern: string): RegExp =>
	new RegExp(
		`^(?:${pattern.replace(/(\{[^}]*\})|\\d|\[[^\]]*\]|\d/g, (atom, quantifier?: string) => quantifier ?? `(?:$|${atom})`)})$`,
	);

/** Whether fixed lines may begin with these digits, and whether numbers that belong to no place may (by libphonenumber's numbering plans). */
export function kindsOf(prefix: string): { isFixed: boolean; isElsewhere: boolean } {
	const code = callingCodeOf(prefix);
	const national = prefix.slice(code.length);
	const { fixed, elsewhere } = beginningsOf(code);
	return {
		isFixed: fixed.some((begins) => begins.test(national)),
		isElsewhere: elsewhere.some((begins) => begins.test(national)),
	};
}
