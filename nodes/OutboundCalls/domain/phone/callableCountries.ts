import {
	type Checked,
	fieldProblem,
	fieldRefused,
	formatCount,
	listed,
	ok,
	type Problem,
	quoted,
} from '../values';
import { COUNTRIES, countryName, mainCountry } from './countries';
import type { PhoneNumber } from './phone';
import { SPECIAL_KINDS } from './specialNumbers';
import type { HeldBack } from '../outcome';

/** What the field Countries That May Be Called holds: every country, or some, by ISO code. */
export type ChosenCountries = 'any' | ReadonlySet<string>;

/** This value is stored for "Any Country". */
export const EVERY_COUNTRY = 'any';

const FIELD = 'Countries That May Be Called';

/**
 * The field's list: each country once; those that are chosen along with another one are in its
 * description. `name` has at most 40 characters.
 */
export const COUNTRY_CHOICES = COUNTRIES.filter(({ partOf }) => !partOf).map(
	({ iso, name, otherName }) => {
		const parts = COUNTRIES.filter(({ partOf }) => partOf === iso).map((part) => part.name);
		return {
			iso,
			name: `${name} (${otherName ? `${iso}, ${otherName}` : iso})`,
			...(parts.length > 0 && { description: `Includes ${listed(parts)}` }),
		};
	},
);

const known = new Set<unknown>([EVERY_COUNTRY, ...COUNTRIES.map(({ iso }) => iso)]);

/**
 * Reads the field: a list of ISO codes, or of `any` alone. Anything else is refused, and nobody may
 * be called then.
 */
export function readCountries(value: unknown): Checked<ChosenCountries> {
	if (!Array.isArray(value) || value.length === 0)
		return refused(`Choose the countries in ${FIELD}`);
	const codes = value as unknown[];
	const unknown = codes.find((code) => !known.has(code));
	if (unknown !== undefined)
		return refused(`${FIELD} holds ${quoted(unknown)}, which is not a country in the list`);
	if (!codes.includes(EVERY_COUNTRY)) return ok(new Set(codes as string[]));
	return codes.length === 1
		? ok(EVERY_COUNTRY)
		: refused(`${FIELD} holds Any Country and other countries`);
}

const refused = (message: string) => fieldRefused(message, 'Choose the countries from the list.');

/**
 * The refusal of `readCountries`, naming the countries of the rows' numbers (ISO codes; undefined:
 * of no country).
 */
export const withCountriesOfRows = (refusal: Problem, countries: Iterable<string | undefined>) => {
	const counted = countedCountries(countries);
	return counted === '' ? refusal : { ...refusal, remedy: `Your rows have numbers in ${counted}.` };
};

/** Says that no number is valid in the only chosen country (ISO code). */
export const fitsNone = (iso: string, count: number) =>
	fieldProblem(
		`${formatCount(count)} of ${formatCount(count)} numbers are not valid in ${countryName(iso)}`,
		`Check ${FIELD} and Country of Numbers Without +.`,
	);

/**
 * Whether a number of the country may be called. `country`: undefined where it is of none, such as
 * a satellite phone, which Any Country alone allows.
 */
export function isChosen(chosen: ChosenCountries, country: string | undefined) {
	if (chosen === EVERY_COUNTRY) return true;
	return country !== undefined && (chosen.has(country) || chosen.has(mainCountry(country)));
}

/** The country of numbers without +, if no other is given: the one that is chosen. */
export function onlyCountry(chosen: ChosenCountries): string | undefined {
	const [iso, ...others] = chosen === EVERY_COUNTRY ? [] : chosen;
	return others.length === 0 ? iso : undefined;
}

/** The country of a number as its choice is named. */
const chosenName = (country: string | undefined) =>
	country === undefined ? 'no country' : countryName(mainCountry(country));

const MAX_COUNTRIES_NAMED = 12;

/** "Germany (35), Austria (4) and Jamaica (1)": the most frequent first, the rest counted. */
export function countedCountries(countries: Iterable<string | undefined>) {
	const counts = new Map<string, number>();
	for (const country of countries) {
		const name = chosenName(country);
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	const byCount = [...counts]
		.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
		.map(([name, count]) => `${name} (${formatCount(count)})`);
	return listed(byCount, MAX_COUNTRIES_NAMED);
}

/** Says where calls may lead. */
export interface CallableNumbers {
	countries: ChosenCountries;
	/** Whether premium-rate numbers, satellite phones and the like are called. */
	special: 'doNotCall' | 'call';
}

/** Why a number is not called, though it can be; undefined when it may be. */
export function notAllowed(
	{ country, special }: Pick<PhoneNumber, 'country' | 'special'>,
	rules: CallableNumbers,
): HeldBack | undefined {
	if (special !== undefined && rules.special !== 'call')
		return { by: 'special_numbers', reason: `Special number: ${SPECIAL_KINDS[special]}` };
	if (isChosen(rules.countries, country)) return undefined;
	const reason =
		country === undefined
			? 'Of no country: only Any Country allows it'
			: `Country not chosen: ${chosenName(country)}`;
	return { by: 'countries', reason };
}
