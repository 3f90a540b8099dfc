import { formatCount, quoted } from '../format';
import { type Checked, fail, ok } from '../problem';
import { COUNTRIES, countryName, isoOf } from './countries';

/** What the field Countries That May Be Called holds: nothing yet, each of them, or some, by ISO code. */
export type ChosenCountries = 'none' | 'any' | ReadonlySet<string>;

/** Stored for "Every Country". */
export const EVERY_COUNTRY = 'any';

const FIELD = 'Countries That May Be Called';

/** Countries and territories that people take for a part of another one: who chooses that one chooses them. */
const CHOSEN_WITH = new Map(
	Object.entries({
		GB: ['GG', 'JE', 'IM'],
		IT: ['VA'],
		US: ['AS', 'GU', 'MP', 'PR', 'VI'],
	}).flatMap(([main, parts]) => parts.map((part) => [part, main] as const)),
);

/** Few: the choices are made as n8n starts, so that nothing may search all countries for each of them. */
const CHOSEN_ALONG = COUNTRIES.filter(({ iso }) => CHOSEN_WITH.has(iso));

/** What can be chosen: each country once, with its code, and with what is chosen along with it, so that typing finds all of it. */
export const COUNTRY_CHOICES: ReadonlyArray<{ iso: string; name: string }> = COUNTRIES.filter(
	({ iso }) => !CHOSEN_WITH.has(iso),
).map(({ iso, name }) => {
	const parts = CHOSEN_ALONG.filter((country) => CHOSEN_WITH.get(country.iso) === iso).map(
		(country) => country.name,
	);
	return {
		iso,
		name: parts.length === 0 ? `${name} (${iso})` : `${name} (${iso}), with ${parts.join(', ')}`,
	};
});

const known = new Set(COUNTRIES.map(({ iso }) => iso));

/**
 * Reads the field: a list of ISO codes, or text of them with commas between, in capitals or not; `any` alone. An empty list and empty text are no answer
 * yet. What is no list, comes to nothing, or holds a code that no country has is refused, and nobody may be called then.
 */
export function readCountries(value: unknown): Checked<ChosenCountries> {
	if (value === undefined || value === null)
		return refused(
			'came to nothing',
			'Check the field that its expression names, or choose the countries from the list.',
		);
	if (typeof value !== 'string' && !Array.isArray(value)) {
		return refused(
			`holds ${quoted(value)}, which is no list of countries`,
			'Choose them from the list, or give their codes with commas between, such as DE, AT.',
		);
	}
	const cells: unknown[] =
		typeof value === 'string' ? (value.trim() === '' ? [] : value.split(/[,;\n]/)) : value;
	const codes = new Set<string>();
	for (const cell of cells) {
		const code = typeof cell === 'string' ? cell.trim().toUpperCase() : undefined;
		if (code === undefined || !(known.has(code) || code === EVERY_COUNTRY.toUpperCase()))
			return unknownCountry(cell);
		codes.add(code);
	}
	if (codes.size === 0) return ok('none');
	if (!codes.has(EVERY_COUNTRY.toUpperCase())) return ok(codes);
	if (codes.size === 1) return ok('any');
	return refused('holds Every Country beside others', 'Take one or the other out.');
}

function unknownCountry(cell: unknown): Checked<never> {
	const iso = typeof cell === 'string' ? isoOf(cell) : undefined;
	if (typeof cell === 'string' && cell.trim() === '')
		return refused(
			'holds an empty place',
			'Take out the comma too many, or give the code that is missing.',
		);
	const remedy =
		iso === undefined ? 'Give two-letter codes, such as DE for Germany.' : `Give its code, ${iso}.`;
	return refused(`holds ${quoted(cell)}, which is the code of no country`, remedy);
}

const refused = (what: string, remedy: string): Checked<never> =>
	fail({ message: `${FIELD} ${what}`, remedy, field: true });

/** Whether a number of the country may be called. `country`: undefined where it is of none, such as a satellite phone, which Every Country alone allows. */
export function isChosen(chosen: ChosenCountries, country: string | undefined): boolean {
	if (typeof chosen === 'string') return chosen === 'any';
	if (country === undefined) return false;
	const main = CHOSEN_WITH.get(country);
	return chosen.has(country) || (main !== undefined && chosen.has(main));
}

/** The country whose numbers may be without +, where no other one was given: the one that is chosen. */
export function onlyCountry(chosen: ChosenCountries): string | undefined {
	if (typeof chosen === 'string' || chosen.size !== 1) return undefined;
	const [iso] = chosen;
	return iso;
}

/** As a choice names the country of a number. */
export const chosenName = (country: string | undefined): string =>
	country === undefined ? 'No country' : countryName(CHOSEN_WITH.get(country) ?? country);

const MOST_NAMED = 12;

/** "Germany 35, Austria 4, Jamaica 1": the most frequent first, the rest counted. */
export function countedCountries(countries: Iterable<string | undefined>): string {
	const counts = new Map<string, number>();
	for (const country of countries)
		counts.set(chosenName(country), (counts.get(chosenName(country)) ?? 0) + 1);
	const byCount = [...counts]
		.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
		.map(([name, count]) => `${name} ${formatCount(count)}`);
	const rest = byCount.length - MOST_NAMED;
	return rest > 1
		? `${byCount.slice(0, MOST_NAMED).join(', ')} and ${formatCount(rest)} more countries`
		: byCount.join(', ');
}

/** What a dry run says of it. */
export const NOT_CHOSEN_YET = `None is chosen yet: choose those that you want to call in ${FIELD} before you set Mode to Live.`;

/** Why nobody is called while no country is chosen. */
export const chooseCountries = (
	countries: Iterable<string | undefined>,
): { message: string; remedy: string; field: true } => ({
	message: `No country is chosen in ${FIELD}`,
	remedy: `The rows hold numbers of ${countedCountries(countries)}: choose those that you want to call in ${FIELD}.`,
	field: true,
});
