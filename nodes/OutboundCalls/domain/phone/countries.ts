import countries from './countries.json';

/**
 * Countries in the order of their names: what the panel shows without loading the numbering plans
 * (`numberingPlans.ts`). `iso`: the ISO 3166 code, such as DE. `otherName`: what people write instead
 * of the name. `partOf`: the ISO code of a country that people take it for a part of: choosing that
 * one chooses it.
 */
export const COUNTRIES = countries;

/** Whose numbers have no +: a country, or all that share a calling code. */
export interface Region {
	/** It consists of digits, such as 49. */
	callingCode: string;
	/** ISO 3166 code. Undefined where only the calling code is known. */
	iso?: string;
}

const byName = new Map(
	COUNTRIES.flatMap((country) => {
		const { iso, name, otherName = iso } = country;
		return [iso, name, otherName].map((each) => [each.toUpperCase(), country] as const);
	}),
);
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
export const countryName = (iso: string) => byName.get(iso)?.name ?? iso;

/** ISO code of the country with which a country is chosen. */
export const mainCountry = (iso: string) => byName.get(iso)?.partOf ?? iso;
