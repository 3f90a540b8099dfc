import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.max.json';
import type { Region } from './countries';

/** A number as Google's numbering-plan data (libphonenumber) reads it. */
export interface PlannedNumber {
	/** E.164. */
	number: string;
	/** Digits, such as 49. */
	callingCode: string;
	/** Whether its country has such numbers. */
	isValid: boolean;
	/** Valid, and perhaps a mobile one: some plans do not tell them apart. */
	isMobile: boolean;
}

/**
 * Reads digits: "+491712345678", or "01712345678" as it is dialed in the region. Prefixes that are dialed for
 * calls inside the country or abroad go. Undefined when nothing can be read, as without a known calling code.
 *
 * The build bundles this module with the library and its data into one file. It takes milliseconds to load:
 * nothing but the reading of numbers that are not E.164 yet may import it (see `phone.ts`).
 */
export function readNumber(digits: string, region?: Region): PlannedNumber | undefined {
	const defaultCountry = region && (region.iso ?? metadata.country_calling_codes[region.callingCode]?.[0]);
	const read = parsePhoneNumberFromString(digits, { defaultCountry: defaultCountry as CountryCode | undefined, extract: false }, metadata);
	if (read === undefined) return undefined;
	const type = read.getType();
	return {
		number: read.number,
		callingCode: read.countryCallingCode,
		// What has a type is valid; asking that, too, would take as long again.
		isValid: type !== undefined || read.isValid(),
		isMobile: type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE',
	};
}
