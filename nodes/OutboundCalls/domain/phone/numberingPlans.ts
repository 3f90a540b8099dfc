import { E164_DIGITS } from '../api/apiLimits';
import type { Region } from './countries';
import {
	Metadata,
	metadata,
	parsePhoneNumberFromString,
	type PhoneNumberType,
} from './libphonenumber';
import { rangeOf, type SpecialKind } from './specialNumbers';

/** Whose number it is, and where it leads. */
export interface PhoneNumber {
	/** This is what is sent, in E.164. */
	number: string;
	/** E.164, the same for all spellings of one number: who is called. */
	person: string;
	/** It consists of digits, such as 49. */
	callingCode: string;
	/** ISO code; undefined: of no country, as satellite phones are. */
	country?: string;
	/** It is undefined for an ordinary number. */
	special?: SpecialKind;
	/** Whether the plans know its range. Otherwise it only has a possible length. */
	isValid: boolean;
	/** Valid, and perhaps a mobile number: some plans do not tell them apart. */
	isMobile: boolean;
	/** Valid, and certainly a fixed line. */
	isFixedLine: boolean;
	/** It was read as a number of a region, or as an international one whose + was lost. */
	lacksPlus?: true;
}

/**
 * A number that nobody can have, with its calling code and main country as far as they were found.
 */
export interface NotValid {
	callingCode?: string;
	country?: string;
}

const KINDS: Partial<Record<PhoneNumberType, SpecialKind>> = {
	PREMIUM_RATE: 'premiumRate',
	SHARED_COST: 'sharedCost',
	PERSONAL_NUMBER: 'personalNumber',
	PAGER: 'pager',
	VOICEMAIL: 'voicemail',
};

/**
 * Prefixes of mobile numbers that went out of use and that the plans have forgotten. Lists still
 * hold them.
 */
const FORMER: ReadonlyArray<readonly [RegExp, string]> = [
	// Mexico, until 2019: 1 from abroad, 01, 044 and 045 within the country.
	[/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1'],
	// Argentina: 9 is dialed from abroad, 15 within the country, never both.
	[/^\+549(\d{12})$/, '+54$1'],
];

/** Numbers that are sent as they stand, and the number by which their owner is known. */
const SAME_PERSON: ReadonlyArray<readonly [RegExp, string]> = [
	// Italy: the zero of fixed lines is part of the number, and many lists leave it out.
	[/^\+39((?!43|55|70|1[4-9]|8[049])[124-9]\d{5,9})$/, '+390$1'],
	// Argentina: 9 in front says that a line is mobile. Many lists leave it out.
	[/^\+549(\d{10})$/, '+54$1'],
	// Brazil: mobile numbers were given a ninth digit, 9, by 2016.
	[/^\+55(\d\d)([6-9]\d{7})$/, '+55$19$2'],
];

const rewritten = (number: string, rules: typeof FORMER) =>
	rules.reduce((text, [pattern, spelling]) => text.replace(pattern, spelling), number);

const plans = new Metadata(metadata);

const parsed = (text: string) => parsePhoneNumberFromString(text, metadata);

/** Few numbers have more digits after the calling code, though some plans allow them. */
const MAX_NATIONAL_DIGITS = 11;

/**
 * Where people's numbers are longer, unknown numbers of so few digits are emergency and service
 * numbers.
 */
const MAX_SHORT_NUMBER_DIGITS = 6;

const NORTH_AMERICA = '1';

/**
 * Reads a number in E.164 as Google's numbering plans (libphonenumber) know it. It takes
 * microseconds.
 */
export function identify(number: string): PhoneNumber | NotValid {
	const read = parsed(rewritten(number, FORMER));
	if (!read) return {};
	const { countryCallingCode: callingCode, nationalNumber } = read;
	const country = read.country ?? mainCountry(callingCode, nationalNumber);
	const type = read.getType();
	const isValid = type !== undefined;
	const sent = isValid ? read.number : number;
	const national = sent.slice(1 + callingCode.length);
	const range = rangeOf(callingCode, nationalNumber);
	if (
		range === 'never' ||
		national.length > E164_DIGITS - callingCode.length ||
		hasCodeTwice(callingCode, national, isValid) ||
		(!isValid && !isPossible(national, country ?? callingCode))
	)
		return { callingCode, country };
	return {
		number: sent,
		person: rewritten(read.number, SAME_PERSON),
		callingCode,
		country,
		special: range ?? (type && KINDS[type]),
		isValid,
		isMobile: type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE',
		isFixedLine: type === 'FIXED_LINE',
	};
}

/** In North America an area code belongs to one country, whatever follows. */
const mainCountry = (callingCode: string, national: string) =>
	(callingCode === NORTH_AMERICA ? countryOfArea(national.slice(0, 3)) : undefined) ??
	metadata.country_calling_codes[callingCode]?.[0];

/**
 * Asked once for each area code, because the library tries 25 countries for one that nobody has.
 */
const countriesByArea = new Map<string, string | undefined>();

function countryOfArea(area: string) {
	if (!countriesByArea.has(area)) countriesByArea.set(area, parsed(`+1${area}2000000`)?.country);
	return countriesByArea.get(area);
}

/** "+49 49 171 2345678": what a formula writes that puts the calling code before each number. */
function hasCodeTwice(callingCode: string, national: string, isValid: boolean) {
	const second = national.replace(/^0+/, '');
	if (!second.startsWith(callingCode) || (isValid && national.length <= MAX_NATIONAL_DIGITS))
		return false;
	return parsed(`+${second}`)?.getType() !== undefined;
}

function isPossible(national: string, plan: string) {
	plans.selectNumberingPlan(plan as 'DE');
	const lengths = plans.numberingPlan!.possibleLengths();
	return (
		lengths.includes(national.length) &&
		(national.length > MAX_SHORT_NUMBER_DIGITS || Math.max(...lengths) <= MAX_SHORT_NUMBER_DIGITS)
	);
}

const planOf = ({ iso, callingCode }: Region) =>
	iso ?? metadata.country_calling_codes[callingCode]![0]!;

/** Reads "01712345678" as it is dialed in the region: E.164; undefined when nothing can be read. */
export const dialedAt = (digits: string, region: Region): string | undefined =>
	parsePhoneNumberFromString(
		digits,
		{ defaultCountry: planOf(region) as 'DE', extract: false },
		metadata,
	)?.number;

/**
 * Whether a fixed line of the region that lacks its trunk prefix may be another one without its area
 * code: there is such a prefix, and the lines have more than two lengths.
 */
export function needsTrunkPrefix(region: Region) {
	plans.selectNumberingPlan(planOf(region) as 'DE');
	const plan = plans.numberingPlan as unknown as NumberingPlan;
	const lengths = plan.type('FIXED_LINE')?.possibleLengths() ?? [];
	return Boolean(plan.nationalPrefix()) && lengths.length > 2;
}

/** What the library has and its types do not say. */
interface NumberingPlan {
	/** What is dialed in front of an area code, such as 0. */
	nationalPrefix(): string | undefined;
	type(name: PhoneNumberType): { possibleLengths(): number[] } | undefined;
}

/**
 * The region's own prefix for calls abroad that the digits begin with, such as 011; undefined where
 * that is 00, or does not begin with 0.
 */
export function internationalPrefix(digits: string, region: Region): string | undefined {
	plans.selectNumberingPlan(planOf(region) as 'DE');
	const [prefix] = new RegExp(`^(?:${plans.numberingPlan!.IDDPrefix()})`).exec(digits) ?? [];
	return prefix === '00' || !prefix?.startsWith('0') ? undefined : prefix;
}
