import table from './specialNumbers.json';

/**
 * Numbers that cost the caller more than a call, or that reach no person, as a reason names them:
 * dialed only on request. Those that Google’s plans know are in `numberingPlans.ts` (`KINDS`), the
 * others in the table.
 */
export const SPECIAL_KINDS = {
	premiumRate: 'premium rate',
	sharedCost: 'shared cost',
	personalNumber: 'personal number',
	pager: 'pager',
	voicemail: 'voicemail',
	satellite: 'satellite phone',
	globalNetwork: 'global network',
};

/** Why a number is special. */
export type SpecialKind = keyof typeof SPECIAL_KINDS;

/**
 * Calling code, kind, national numbers: codes of no country (ITU-T, List of Recommendation E.164
 * assigned country codes), and the best-known ranges that Google's plans do not have, or have as
 * ordinary ones (the regulators' numbering plans). "never" are emergency and service numbers that
 * the plans find possible.
 *
 * 1: area codes never begin with 0 or 1 nor end in 11 (911); directory assistance; Canada's 600.
 * 49: 110 and 112 after an area code; 012, and 0190 until 2005. 43: short numbers after an area
 * code. 82: services after an area code. 290: services.
 */
const RANGES = table.map(({ callingCode, kind, pattern = '' }) => ({
	callingCode,
	kind: kind as SpecialKind | 'never',
	pattern: new RegExp(`^(?:${pattern})`),
}));

/** What the table says of a national number: undefined if nothing. */
export const rangeOf = (callingCode: string, national: string) =>
	RANGES.find((range) => range.callingCode === callingCode && range.pattern.test(national))?.kind;
