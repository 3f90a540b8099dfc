import { type CountryCode, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';

/**
 * What is dialed before a number inside its country, and what stood before mobile numbers in former times, from the countries' own numbering plans.
 * `{}` is the number as it is dialed from abroad, behind the calling code.
 */
const IN_FRONT: Record<string, string[]> = {
	...Object.fromEntries(
		`AE AL AT AU BD BE BG CH CN DE EC EG FI FR GB GE GH HR ID IE IL IN IR JO JP KE KR LB LK MA MK MY NG NL
		NZ PE PH PK RO RS SA SE SI SK TH TR TW TZ UA UG VE VN ZA ZM ZW BR`
			.split(/\s+/)
			.map((iso) => [iso, ['0']]),
	),
	...Object.fromEntries(['US', 'CA', 'JM', 'DO', 'BS', 'TT'].map((iso) => [iso, ['1']])),
	RU: ['8'],
	KZ: ['8'],
	BY: ['8'],
	LT: ['8', '0'],
	HU: ['06'],
	MX: ['1', '01', '044', '045'],
};

/** How the digits behind the + may be written: with the prefix at once, in brackets, and with blanks and the like between. */
const FORMS: ReadonlyArray<(code: string, prefix: string, national: string) => string> = [
	(code, prefix, national) => `+${code}${prefix}${national}`,
	(code, prefix, national) => `+${code} ${prefix}${national.slice(0, 3)} ${national.slice(3)}`,
	(code, prefix, national) => `+${code} (${prefix})${national}`,
	(code, prefix, national) => `(+${code}) ${prefix}${national.slice(0, 2)}-${national.slice(2)}`,
	(code, prefix, national) => `00${code} ${prefix}${national}`,
	(code, _prefix, national) =>
		`+${code} ${national.slice(0, 2)} ${national.slice(2, 5)} ${national.slice(5)}`,
	(code, _prefix, national) => `00${code}${national}`,
];

/** Two spellings of one mobile number. */
export interface Pair {
	iso: string;
	/** E.164. */
	plain: string;
	other: string;
}

const pairsOf = (iso: string, prefixes: readonly string[]): Pair[] => {
	const { number: plain, nationalNumber } = getExampleNumber(iso as CountryCode, examples)!;
	const code = getCountryCallingCode(iso as CountryCode);
	const written = prefixes.flatMap((prefix) =>
		FORMS.map((form) => form(code, prefix, nationalNumber)),
	);
	// Behind 00, America's 1 stands once: 0011 is what Australia dials for calls abroad, and +20 155 50123 is a number of Egypt.
	return [...new Set(written)]
		.filter((other) => !/\(\d{2,}\)|^001 1/.test(other))
		.map((other) => ({ iso, plain, other }));
};

/** More than 400, of more than 60 countries. */
export const PAIRS: readonly Pair[] = [
	...Object.entries(IN_FRONT).flatMap(([iso, prefixes]) => pairsOf(iso, prefixes)),
	// 15 stands behind the area code, and 9 in front is dialed from abroad.
	...[
		'+54 11 15 2345 6789',
		'+54111523456789',
		'+54 (011) 15-2345-6789',
		'+54 9 11 15 2345 6789',
		'+54 0 11 15 2345 6789',
		'+549111523456789',
	].map((other) => ({ iso: 'AR', plain: '+5491123456789', other })),
];
