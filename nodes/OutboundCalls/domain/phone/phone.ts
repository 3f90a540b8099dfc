import type { Region } from './countries';
import type { Impossible, PhoneNumber } from './identity';
import { E164_DIGITS, isE164, isSipId } from '../apiLimits';
import type * as NumberingPlans from './numberingPlans';
import { fail, ok, type Result } from '../problem';
import { firstDigits, LONGEST_CELL, writtenNumber } from './writtenNumber';

export type { PhoneNumber } from './identity';

/** Why a cell gives no number that may be called. */
export type NoNumber =
	| { kind: 'noPhoneNumber' }
	/** For any number that can be reached from abroad. It may be a date as a sheet stores it. */
	| { kind: 'tooFewDigits' }
	/** A national number, or an international one without its +. */
	| { kind: 'noCountry' }
	/** No country gives it to anybody; `callingCode` where one was found. */
	| { kind: 'notValid'; callingCode?: string }
	/** In E.164, but such as no subscriber has: too short, too long, or of no country. */
	| ({ kind: 'impossible' } & Impossible)
	/** Both are valid. */
	| { kind: 'ambiguous'; numbers: readonly [string, string] };

/** `lacksPlus`: it was read as a number of the region, or as an international one whose + was lost. */
export type ReadNumber = Result<PhoneNumber & { lacksPlus?: true }, NoNumber>;

/** Shorter national numbers can hardly be reached from abroad, and a date that a sheet stores as a number (45306) has five digits. */
const NATIONAL_DIGITS = 6;

/** With what is dialed before it, such as 011. */
const MOST_DIGITS = 3 + E164_DIGITS;

/** Digits that begin with a calling code and are at least so many are an international number without its +, unless a mobile number at home is so long. */
const INTERNATIONAL_DIGITS = 11;

/** No number has more digits without the 0 that is dialed before it at home, though some plans, such as Germany's, take almost any. */
const LONGEST_NATIONAL = 11;

/** "+48 (0) 22 123 45 67": only for calls within the country, unless it is part of the number, as in Italy. */
export const TRUNK_ZERO = '(0)';

/**
 * A number as people write it: what is sent, whose it is and where it leads. In E.164 it may be one that is newer than the numbering plans,
 * as long as it has a possible length; everything else comes out only if it is valid. `region`: whose numbers have no +.
 */
export function readPhoneNumber(value: unknown, region?: Region): ReadNumber {
	if (typeof value === 'string' && value.length <= LONGEST_CELL && isE164(value))
		return possible(value);
	const written = writtenNumber(value);
	if (written === undefined) return fail({ kind: 'noPhoneNumber' });
	const digits = withoutBrackets(written);
	const first = firstDigits(value);
	const whole = readDigits(digits, region);
	if (whole.ok && isSplit(first, digits, whole.value)) return fail({ kind: 'notValid' });
	if (whole.ok && isTooLong(value, digits, whole.value.number))
		return fail({ kind: 'notValid', callingCode: GERMANY });
	const international = whole.ok ? withPlus(value, digits) : undefined;
	const read = international ? eitherOf(whole, international) : whole;
	return written.includes(TRUNK_ZERO)
		? eitherOf(read, readDigits(withoutBrackets(written.replace(TRUNK_ZERO, '')), region))
		: read;
}

/**
 * A number that may lack its +. Who sets a 1 apart may mean America's: "1-512-555-2671" is no mobile number of Germany, 0151. And a + in a web address arrives as a
 * blank: " 6598765432" and " 65 9876 5432" are of Singapore, but " 604-641-2844" is of America.
 */
function withPlus(value: unknown, digits: string): ReadNumber | undefined {
	const first = firstDigits(value);
	if (first !== '1' && !(typeof value === 'string' && /^ \d/.test(value))) return undefined;
	const read = valid(`+${digits}`);
	const isSetApart =
		first === '1' || first === digits || (read.ok && read.value.callingCode === first);
	return isSetApart ? read : undefined;
}

/**
 * Whether something stands between digits that were read as one. "+8 (495) 123-45-67" is Russia's 8 with a + that does not belong there, and no number of
 * Vietnam, +84; in "+38 (067) 123-45-67" the 0 of +380 serves as trunk zero. "8 (343) 123-45-6" lacks a digit, and is no number of the area code 834.
 */
function isSplit(first: string, digits: string, { callingCode, number }: PhoneNumber): boolean {
	if (digits.startsWith('+'))
		return first.length < callingCode.length && `${first}0` !== callingCode;
	return (
		first === '8' && number === `+${callingCode}${digits}` && TRUNK_EIGHT.includes(callingCode)
	);
}

const GERMANY = '49';

/** What could be two numbers: of extensions, few have five digits. */
const TWO_GROUPS = /\d{5}\D+\d{5,}\D*$/;

/** Of Germany's federal offices, which have numbers of twelve and thirteen digits. */
const FEDERAL = /^0(?:3018|22899)/;

/**
 * "089 55512 55513", two numbers in one cell. Germany's plan takes them for one; other plans have numbers of fixed lengths, or, as Austria's, extensions of
 * any length.
 */
const isTooLong = (value: unknown, digits: string, number: string): boolean =>
	number === `+${GERMANY}${digits.slice(1)}` &&
	digits.length > 1 + LONGEST_NATIONAL &&
	!FEDERAL.test(digits) &&
	TWO_GROUPS.test(String(value));

/** Russia and Kazakhstan, Belarus, Lithuania. */
const TRUNK_EIGHT = ['7', '375', '370'];

/**
 * The number of an agent or a caller. Whether it is one, the API knows better than any plan: where it is not valid, it only
 * loses spaces and the like. A SIP ID, and what is no phone number, as it is.
 */
export function cleanOwnNumber(text: string): string {
	if (isSipId(text) || isE164(text)) return text;
	const read = readPhoneNumber(text);
	if (read.ok) return read.value.number;
	const written = writtenNumber(text);
	return written === undefined ? text : withoutBrackets(written).replace(/^00/, '+');
}

/**
 * As `readPhoneNumber`, for people who are recognised and not called: with its calling code, a number may be of a range that the plans do not know,
 * however it is written.
 */
export function recognizePhoneNumber(value: unknown, region?: Region): ReadNumber {
	const read = readPhoneNumber(value, region);
	const written =
		!read.ok && read.error.kind === 'notValid' && read.error.callingCode !== undefined
			? writtenNumber(value)
			: undefined;
	if (written === undefined) return read;
	const newer = readPhoneNumber(withoutBrackets(written).replace(/^00/, '+'));
	return newer.ok ? newer : read;
}

const withoutBrackets = (written: string): string => written.replace(/[()[\]]/g, '');

/** What is dialed for calls abroad in Australia. */
const AUSTRALIAN_PREFIX = '0011';
const AUSTRALIA = '61';

/** 00 and America's 1, if that stands twice, look the same, and "0011 65 9234 5678" would be a number of Alabama. */
function dialedInAustralia(digits: string): ReadNumber {
	const number = valid(`+${digits.slice(AUSTRALIAN_PREFIX.length)}`);
	return number.ok ? eitherOf(number, valid(`+${digits.slice(2)}`)) : number;
}

function readDigits(digits: string, region: Region | undefined): ReadNumber {
	if (digits.startsWith('+')) return valid(digits);
	if (digits.startsWith(AUSTRALIAN_PREFIX) && region?.callingCode !== AUSTRALIA)
		return dialedInAustralia(digits);
	// Written everywhere, also where another prefix is dialed for calls abroad.
	const abroad =
		digits.startsWith('00') && !digits.startsWith(AUSTRALIAN_PREFIX)
			? valid(`+${digits.slice(2)}`)
			: undefined;
	if (region === undefined && abroad?.ok) return abroad;
	if (digits.length < NATIONAL_DIGITS) return fail({ kind: 'tooFewDigits' });
	if (digits.length > MOST_DIGITS) return fail({ kind: 'noPhoneNumber' });
	const atHome =
		region === undefined ? fail<NoNumber>({ kind: 'noCountry' }) : withoutPlus(digits, region);
	if (abroad?.ok)
		return atHome.ok && mayBeMeant(atHome.value, digits, region)
			? eitherOf(abroad, atHome)
			: abroad;
	return atHome.ok ? ok({ ...atHome.value, lacksPlus: true }) : (abroad ?? atHome);
}

/** Behind 00: Japan's toll-free 0066, and the 001 that is dialed in Hong Kong, which makes a number of America of +66 2 234 5678. */
const mayBeMeant = (
	{ callingCode }: PhoneNumber,
	digits: string,
	region: Region | undefined,
): boolean => callingCode === region?.callingCode || digits.startsWith('001');

const isDialedAtHome = (digits: string, { callingCode }: Region): boolean =>
	digits.startsWith('0') || (digits.startsWith('8') && TRUNK_EIGHT.includes(callingCode));

const ITALY = '39';

/** As the former mobile numbers of Italy, and as its fixed lines whose zero a table has lost. */
const LOST_ZERO = /^3\d{8}$/;

/** A national number of the region, what is dialed there for a call abroad, or an international number whose + was lost. */
function withoutPlus(digits: string, region: Region): ReadNumber {
	const read = plans().readNumber(digits, region);
	const atHome = read?.isValid
		? valid(read.number)
		: fail<NoNumber>({ kind: 'notValid', callingCode: region.callingCode });
	if (region.callingCode === ITALY && LOST_ZERO.test(digits))
		return eitherOf(atHome, valid(`+${ITALY}0${digits}`));
	if (!digits.startsWith(region.callingCode)) {
		// What is dialed no more, such as Mexico's 044, the library does not take away.
		const home = atHome.ok ? atHome : valid(`+${region.callingCode}${digits}`);
		if (!home.ok || digits.length < INTERNATIONAL_DIGITS || isDialedAtHome(digits, region))
			return home;
		const abroad = valid(`+${digits}`);
		// Something else than what is dialed at home was taken away: Mexico's 1, which was dialed from abroad, or a carrier of Luxembourg.
		if (!home.value.number.endsWith(digits)) return eitherOf(home, abroad);
		if (read?.isMobile) return home;
		// Germany's plan takes almost any digits for a number of its own: 41791234567 is one of Switzerland far more often. A 0 in front would say which.
		return digits.length > LONGEST_NATIONAL && !abroad.ok
			? fail({ kind: 'notValid', callingCode: region.callingCode })
			: eitherOf(home, abroad);
	}
	const international = valid(`+${digits}`);
	if (international.ok && digits.length >= INTERNATIONAL_DIGITS) return international;
	// Few plans have national numbers that are so long and no mobile ones (Germany's has). A lost + is far more common.
	if (digits.length >= INTERNATIONAL_DIGITS && !read?.isMobile) return international;
	return eitherOf(atHome, international);
}

/** Two readings of a number: the one that is valid, and neither if both are and differ. */
function eitherOf(one: ReadNumber, other: ReadNumber): ReadNumber {
	if (!one.ok || !other.ok) return other.ok ? other : one;
	return one.value.person === other.value.person
		? one
		: fail({ kind: 'ambiguous', numbers: [one.value.number, other.value.number] });
}

function possible(number: string): ReadNumber {
	const identity = plans().identify(number);
	return 'impossible' in identity ? fail({ kind: 'impossible', ...identity }) : ok(identity);
}

function valid(number: string): ReadNumber {
	const read = possible(number);
	if (read.ok)
		return read.value.isValid
			? read
			: fail({ kind: 'notValid', callingCode: read.value.callingCode });
	return fail({
		kind: 'notValid',
		callingCode: read.error.kind === 'impossible' ? read.error.callingCode : undefined,
	});
}

/** Of a number in E.164: the IANA zones in which whom it belongs to may be (`hours/timeZones.ts`). */
export const timeZonesOf = (number: string): readonly string[] => plans().timeZonesOf(number);

declare const require: (path: './numberingPlans') => typeof NumberingPlans;

let loaded: typeof NumberingPlans | undefined;

/** Loaded by the first number that is read: loading the node never does. */
const plans = (): typeof NumberingPlans => (loaded ??= require('./numberingPlans'));
