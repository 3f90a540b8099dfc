import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.max.json';
import type { Region } from './countries';

export { timeZonesOf } from '../hours/timeZones';
export { identify } from './identity';

/** A number without its +, as Google's numbering-plan data (libphonenumber) reads it. */
export interface NationalNumber {
	/** E.164. */
	number: string;
	/** Whether its country has such numbers. */
	isValid: boolean;
	/** Valid, and perhaps a mobile one: some plans do not tell them apart. */
	isMobile: boolean;
}

/**
 * Reads "01712345678" as it is dialed in the region. Prefixes that are dialed for calls inside the country or abroad go. Undefined when
 * nothing can be read.
 *
 * The build bundles this module with the library and its data into one file. It takes milliseconds to load:
 * nothing but the reading of numbers may import it (see `phone.ts`).
 */
export function readNumber(digits: string, region: Region): NationalNumber | undefined {
	const defaultCountry = region.iso ?? metadata.country_calling_codes[region.callingCode]?.[0];
	const read = parsePhoneNumberFromString(
		digits,
		{ defaultCountry: defaultCountry as CountryCode | undefined, extract: false },
		metadata,
	);
	if (read === undefined) return undefined;
	const type = read.getType();
	return {
		number: read.number,
		// In plans with kinds, which all of these are, what is of one is valid.
		isValid: type !== undefined,
		isMobile: type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE',
	};
}
