import table from './countries.json';

/** A country with its calling code, in digits. */
export interface Country {
	/** This is the ISO 3166 code, such as DE. */
	iso: string;
	callingCode: string;
	name: string;
}

/** What people write instead of the name, by ISO code. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
	AE: 'UAE',
	CI: 'Ivory Coast',
	CZ: 'Czech Republic',
	GB: 'UK',
	NL: 'Holland',
	TR: 'Turkey',
	US: 'USA',
};

/**
 * In the order of their names: what the panel shows without loading the numbering plans
 * (`numberingPlans.ts`).
 */
export const COUNTRIES: readonly Country[] = (table as Array<[string, string, string]>).map(
	([iso, callingCode, name]) => ({ iso, callingCode, name }),
);

/** Whose numbers have no +: a country, or all that share a calling code. */
export interface Region {
	/** It consists of digits, such as 49. */
	callingCode: string;
	/** ISO 3166 code. Undefined where only the calling code is known. */
	iso?: string;
}

const byName = new Map<string, Region>(
	COUNTRIES.flatMap(({ iso, callingCode, name }) =>
		[iso, name, OTHER_NAMES[iso] ?? iso].map(
			(each) => [each.toUpperCase(), { iso, callingCode }] as const,
		),
	),
);
const names = new Map<string, string>(COUNTRIES.map(({ iso, name }) => [iso, name]));
const byCallingCode = new Map<string, Region>(
	COUNTRIES.map(({ callingCode }) => [callingCode, { callingCode }]),
);

/**
 * A country as the list or an expression gives it ("DE", "Germany", "UK", "49", "+49", "0049");
 * undefined when it is none.
 */
export function regionOf(country: string): Region | undefined {
	const text = country.trim();
	return byCallingCode.get(text.replace(/^(\+|00)/, '')) ?? byName.get(text.toUpperCase());
}

/** A country's name, by its ISO code. */
export const countryName = (iso: string): string => names.get(iso) ?? iso;
