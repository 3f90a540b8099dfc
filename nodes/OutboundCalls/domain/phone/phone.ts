import { hasZeroBehindCallingCode, type Region } from './countries';
import { E164_DIGITS, isE164, isPlausibleE164, isSipId } from '../limits';
import type * as NumberingPlans from './numberingPlans';
import type { PlannedNumber } from './numberingPlans';
import { fail, ok, type Result } from '../problem';
import { LONGEST_CELL, writtenNumber } from './writtenNumber';

/** Why a cell gives no number that may be called. */
export type NoNumber =
	| { kind: 'noPhoneNumber' }
	/** A national number, or an international one without its +. */
	| { kind: 'noCountry' }
	/** No country gives it to anybody; `callingCode` where one was found. */
	| { kind: 'notValid'; callingCode?: string }
	/** Both are valid. */
	| { kind: 'ambiguous'; numbers: readonly [string, string] };

export type CleanedNumber = Result<string, NoNumber>;

/** Shorter national numbers can hardly be reached from abroad, and a date that a sheet stores as a number (45306) has five digits. */
const NATIONAL_DIGITS = 6;

/** With what is dialed before it, such as 011. */
const MOST_DIGITS = 3 + E164_DIGITS;

/** Digits that begin with a calling code and are at least so many are an international number without its +, unless a mobile number at home is so long. */
const INTERNATIONAL_DIGITS = 11;

/** "+48 (0) 22 123 45 67": only for calls within the country, unless it is part of the number, as in Italy. */
const TRUNK_ZERO = '(0)';

/**
 * A number as people write it, in E.164. What is E.164 already comes out as it stands, valid or not: "Numbers are
 * not reformatted" (API document, "Phone number format"). Everything else is read with the numbering plans,
 * and comes out only if it is valid there. `region`: whose numbers have no +.
 */
export function cleanNumber(value: unknown, region?: Region): CleanedNumber {
	if (typeof value === 'string' && value.length <= LONGEST_CELL && isE164(value)) return ok(value);
	const written = writtenNumber(value);
	if (written === undefined) return fail({ kind: 'noPhoneNumber' });
	const read = readDigits(withoutBrackets(written), region);
	return written.includes(TRUNK_ZERO) ? eitherOf(read, readDigits(withoutBrackets(written.replace(TRUNK_ZERO, '')), region)) : read;
}

/**
 * A number in E.164 without the 0 that is dialed only inside its country: +49 0176 … and +49 176 … are one person. Only for
 * comparing: what is sent is not changed. Numbers without such a 0 cost next to nothing, so that lists may be long.
 */
export function comparableNumber(number: string): string {
	if (!hasZeroBehindCallingCode(number)) return number;
	const read = validOf(plans().readNumber(number));
	return read.ok ? read.value : number;
}

/**
 * The number of an agent or a caller. Whether it is one, the API knows better than any plan: where it is not valid, it only
 * loses spaces and the like. A SIP ID, and what is no phone number, as it is.
 */
export function cleanOwnNumber(text: string): string {
	if (isSipId(text)) return text;
	const cleaned = cleanNumber(text);
	if (cleaned.ok) return cleaned.value;
	const written = writtenNumber(text);
	return written === undefined ? text : withoutBrackets(written).replace(/^00/, '+');
}

const withoutBrackets = (written: string): string => written.replace(/[()[\]]/g, '');

function readDigits(digits: string, region: Region | undefined): CleanedNumber {
	if (digits.startsWith('+')) return validOf(plans().readNumber(digits));
	// Written everywhere, also where another prefix is dialed for calls abroad.
	const abroad = digits.startsWith('00') ? validOf(plans().readNumber(`+${digits.slice(2)}`)) : undefined;
	if (abroad?.ok) return abroad;
	if (digits.length < NATIONAL_DIGITS || digits.length > MOST_DIGITS) return fail({ kind: 'noPhoneNumber' });
	const atHome = region === undefined ? fail<NoNumber>({ kind: 'noCountry' }) : withoutPlus(digits, region);
	return atHome.ok ? atHome : (abroad ?? atHome);
}

/** A national number of the region, what is dialed there for a call abroad, or an international number whose + was lost. */
function withoutPlus(digits: string, region: Region): CleanedNumber {
	if (!digits.startsWith(region.callingCode)) {
		const atHome = plans().readNumber(digits, region);
		// Germany's plan takes almost any digits for a number of its own: 41791234567 is one of Switzerland far more often. A 0 in front would say which.
		const mayBeAbroad = digits.length >= INTERNATIONAL_DIGITS && atHome?.isValid && !atHome.isMobile && atHome.number.endsWith(digits);
		return mayBeAbroad ? eitherOf(validOf(atHome), validOf(plans().readNumber(`+${digits}`))) : validOf(atHome);
	}
	const international = validOf(plans().readNumber(`+${digits}`));
	if (international.ok && digits.length >= INTERNATIONAL_DIGITS) return international;
	const read = plans().readNumber(digits, region);
	// Few plans have national numbers that are so long and no mobile ones (Germany's has). A lost + is far more common.
	if (digits.length >= INTERNATIONAL_DIGITS && !read?.isMobile) return international;
	return eitherOf(validOf(read), international);
}

/** Two readings of a number: the one that is valid, and neither if both are and differ. */
function eitherOf(one: CleanedNumber, other: CleanedNumber): CleanedNumber {
	if (!one.ok || !other.ok) return other.ok ? other : one;
	return one.value === other.value ? one : fail({ kind: 'ambiguous', numbers: [one.value, other.value] });
}

function validOf(read: PlannedNumber | undefined): CleanedNumber {
	// Germany's plan allows numbers that are longer than E.164 does.
	return read?.isValid && isPlausibleE164(read.number) ? ok(read.number) : fail({ kind: 'notValid', callingCode: read?.callingCode });
}

declare const require: (path: './numberingPlans') => typeof NumberingPlans;

let loaded: typeof NumberingPlans | undefined;

/** Loaded by the first number that is not E.164 yet: a run with E.164 alone never needs them, and loading the node never does. */
const plans = (): typeof NumberingPlans => (loaded ??= require('./numberingPlans'));
