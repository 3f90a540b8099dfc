import problems from './cellProblems.json';
import type * as NumberingPlans from './numberingPlans';
import { countryName, type Region, regionOf } from './countries';
import { E164_DIGITS, isE164, isSipId } from '../api/apiLimits';
import type { NotValid, PhoneNumber } from './numberingPlans';
import {
	type Checked,
	fail,
	fieldProblem,
	isBlank,
	ok,
	problem,
	type Problem,
	quoted,
	type Result,
	typedText,
} from '../values';
import { beforeDash, looksLike, MAX_CELL_LENGTH, writtenNumber } from './writtenNumber';

export type { PhoneNumber } from './numberingPlans';

/** Why a cell gives no number that may be called. */
export type NoNumber =
	| { kind: 'noPhoneNumber' }
	/** A national number, or an international one without its +. */
	| { kind: 'noCountry' }
	/** Nobody has it. */
	| ({ kind: 'notValid' } & NotValid)
	/** It may be a number of the region, or one whose + or zero was lost. */
	| { kind: 'lostPlus' }
	/** A fixed line without its trunk prefix: perhaps its area code is missing, too. */
	| { kind: 'noTrunkPrefix'; number: PhoneNumber }
	/** It can be read as two numbers. */
	| { kind: 'unclear' };

type ReadNumber = Result<PhoneNumber, NoNumber>;

const NO_NUMBER: ReadNumber = fail({ kind: 'noPhoneNumber' });

/**
 * Shorter national numbers can hardly be reached from abroad, and a date that a sheet stores as a
 * number (45306) has five digits.
 */
const MIN_NATIONAL_DIGITS = 6;

/** With what is dialed before it, such as 011. */
const MAX_DIGITS = 3 + E164_DIGITS;

/**
 * So many digits are an international number without its +, unless a mobile number of the region is
 * so long.
 */
const MIN_INTERNATIONAL_DIGITS = 11;

/**
 * "+48 (0) 22 123 45 67": only for calls within the country, unless it is part of the number, as in
 * Italy.
 */
export const TRUNK_ZERO = '(0)';

/**
 * A number as people write it: what is sent, whose it is and where it leads. With a + it may be
 * newer than the numbering plans, as long as its length is possible; everything else must be valid.
 * `region`: whose numbers have no +.
 */
export function readPhoneNumber(value: unknown, region?: Region): ReadNumber {
	if (typeof value === 'string' && value.length <= MAX_CELL_LENGTH && isE164(value))
		return possible(value);
	const written = writtenNumber(value);
	if (written === undefined) return NO_NUMBER;
	const whole = readDigits(withoutBrackets(written), region);
	const read = written.includes(TRUNK_ZERO)
		? onlyOne([whole, readDigits(withoutBrackets(written.replace(TRUNK_ZERO, '')), region)])
		: whole;
	return read.ok && hasRemark(value, region, read.value.isValid) ? NO_NUMBER : read;
}

/**
 * Whether a number ends before the last dash. If the plans know the whole as well, it is one number
 * with an extension (`isOne`), unless blanks stand around the dash.
 */
function hasRemark(value: unknown, region: Region | undefined, isOne = false) {
	const split = beforeDash(value);
	if (!split || (isOne && !split.isApart)) return false;
	const front = readPhoneNumber(split.front, region);
	return front.ok && front.value.isValid;
}

/**
 * The number of an agent or a caller. The API decides whether it is valid, so an invalid one only
 * loses spaces and the like. A SIP ID, and anything that is not a phone number, stays as it is.
 */
export function cleanOwnNumber(text: string): string {
	if (isSipId(text) || isE164(text)) return text;
	const read = readPhoneNumber(text);
	if (read.ok) return read.value.number;
	const written = writtenNumber(text);
	return written === undefined ? text : withPlus(written);
}

/**
 * As `readPhoneNumber`, for people who are recognized and not called: after 00, too, a number may
 * be newer than the plans, and a fixed line may lack its zero. What may be a number and a remark is
 * none.
 */
export function recognizePhoneNumber(value: unknown, region?: Region): ReadNumber {
	const read = hasRemark(value, region) ? NO_NUMBER : readPhoneNumber(value, region);
	if (read.ok) return read;
	if (read.error.kind === 'noTrunkPrefix') return ok(read.error.number);
	const written = writtenNumber(value) ?? '';
	if (read.error.kind !== 'notValid' || !written.startsWith('00')) return read;
	const newer = possible(withPlus(written));
	return newer.ok ? newer : read;
}

const withoutBrackets = (written: string) => written.replace(/[()[\]]/g, '');

const withPlus = (written: string) => withoutBrackets(written).replace(/^00/, '+');

function readDigits(digits: string, region: Region | undefined): ReadNumber {
	if (digits.startsWith('+')) return possible(digits);
	if (digits.length < MIN_NATIONAL_DIGITS || digits.length > MAX_DIGITS) return NO_NUMBER;
	const prefix = region && plans().internationalPrefix(digits, region);
	if (prefix !== undefined || digits.startsWith('00')) return dialedAbroad(digits, region, prefix);
	if (!region) return fail({ kind: 'noCountry' });
	const read = withoutPlus(digits, region);
	if (!read.ok) return read;
	const number: PhoneNumber = { ...read.value, lacksPlus: true };
	return number.isFixedLine && number.number.endsWith(digits) && plans().needsTrunkPrefix(region)
		? fail({ kind: 'noTrunkPrefix', number })
		: ok(number);
}

/**
 * Of the country that the prefix names, or of none. `prefix`: the region's own, if it is another
 * one than 00, which is written everywhere.
 */
function dialedAbroad(digits: string, region: Region | undefined, prefix?: string): ReadNumber {
	const atHome = region && valid(`+${region.callingCode}${digits}`);
	// Japan has numbers that begin with 0066.
	if (atHome?.ok && atHome.value.number.endsWith(digits)) return atHome;
	// People of Australia write 0011 in any country.
	const [general = '00'] = /^0011/.exec(digits) ?? [];
	const readings = [general, prefix ?? general]
		.filter((each) => digits.startsWith(each))
		.map((each) => ({ each, read: valid(`+${digits.slice(each.length)}`) }));
	// 001 may be Hong Kong's prefix, or 00 and America's 1.
	const first = readings[0];
	if (first?.each === '00' && first.read.ok && !digits.startsWith('001')) return first.read;
	// Nobody dials abroad to call home. After 00, though, formulas write any country.
	const isHome = (read: ReadNumber) => read.ok && read.value.callingCode === region?.callingCode;
	return onlyOne(
		readings.filter(({ each, read }) => each === '00' || !isHome(read)).map(({ read }) => read),
	);
}

const ITALY = '39';

/** Italy's former mobile numbers look like its fixed lines whose zero a table has lost. */
const FORMER_MOBILE = /^3\d{8}$/;

/**
 * A national number of the region, or an international number whose + was lost, unless it may be
 * either.
 */
function withoutPlus(digits: string, region: Region): ReadNumber {
	const { callingCode } = region;
	const dialed = valid(plans().dialedAt(digits, region) ?? '');
	// The library does not remove prefixes that are no longer dialed, such as Mexico's 044.
	const former = dialed.ok ? dialed : valid(`+${callingCode}${digits}`);
	const home = former.ok
		? former
		: fail<NoNumber>({ country: region.iso, ...former.error, kind: 'notValid', callingCode });
	const lostZero = `+${ITALY}0${digits}`;
	if (home.ok && callingCode === ITALY && FORMER_MOBILE.test(digits) && valid(lostZero).ok)
		return fail({ kind: 'lostPlus' });
	// No calling code begins with 0. Russia's trunk prefix is 8.
	const isDialed =
		digits.startsWith('0') ||
		(home.ok && (home.value.number.endsWith(digits) ? home.value.isMobile : /^8/.test(digits)));
	if (isDialed) return home;
	const abroad = valid(`+${digits}`);
	const isOwn = digits.startsWith(callingCode);
	const isLong = digits.length >= MIN_INTERNATIONAL_DIGITS;
	if (isOwn && isLong) return abroad;
	if (!abroad.ok || (home.ok && home.value.person === abroad.value.person)) return home;
	if (isOwn && !home.ok) return abroad;
	return isOwn || isLong || abroad.value.isMobile ? fail({ kind: 'lostPlus' }) : home;
}

/**
 * Readings of one number: the valid one, or the first that is possible; none if they are of two
 * people.
 */
function onlyOne(readings: readonly ReadNumber[]): ReadNumber {
	const found = readings.flatMap((read) => (read.ok ? [read.value] : []));
	const known = found.filter(({ isValid }) => isValid);
	if (new Set(known.map(({ person }) => person)).size > 1) return fail({ kind: 'unclear' });
	const [number] = [...known, ...found];
	return number ? ok(number) : (readings[0] ?? fail({ kind: 'notValid' }));
}

function possible(number: string): ReadNumber {
	const identity = plans().identify(number);
	return 'number' in identity ? ok(identity) : fail({ kind: 'notValid', ...identity });
}

function valid(number: string): ReadNumber {
	const read = possible(number);
	if (!read.ok || read.value.isValid) return read;
	return fail({ kind: 'notValid', ...read.value });
}

declare const require: (path: './numberingPlans') => typeof NumberingPlans;

let loaded: typeof NumberingPlans | undefined;

/** Loaded by the first number that is read: loading the node never does. */
const plans = (): typeof NumberingPlans => (loaded ??= require('./numberingPlans'));

/**
 * Reads the value of the field Phone Number. `country`: of numbers without +, an ISO or calling
 * code.
 */
export function checkDestination(value: unknown, country: unknown): Checked<PhoneNumber> {
	if (typeof value === 'boolean' || (typeof value === 'object' && value !== null))
		return problem(
			`Phone Number holds ${typeof value === 'boolean' ? quoted(value) : 'a list or an object'}`,
			'Choose the field that holds the number.',
		);
	const number = readPhoneNumber(value, regionOf(typedText(country)));
	if (number.ok) return number;
	if (typedText(value) === '')
		return problem('this row has no phone number', problems.words.remedy);
	return fail(
		number.error.kind === 'noCountry' && !isBlank(country)
			? unknownCountry(country)
			: noNumber(value, number.error),
	);
}

function noNumber(value: unknown, why: NoNumber): Problem {
	const kind = why.kind === 'noPhoneNumber' ? looksLike(value) : why.kind;
	const { message, ...rest } = problems[kind] as Problem;
	const ofWhat = why.kind === 'notValid' ? ofCountry(why) : '';
	return { ...rest, message: message.replace('#', () => quoted(value)) + ofWhat };
}

/** As a message names the country, where its name cannot stand before "number". */
const ADJECTIVES: Readonly<Record<string, string>> = { GB: 'UK', US: 'US' };

function ofCountry({ callingCode, country }: NotValid) {
	if (callingCode === undefined) return 'phone number';
	if (country === undefined) return `number (+${callingCode})`;
	const adjective = ADJECTIVES[country];
	return adjective === undefined
		? `number in ${countryName(country)} (+${callingCode})`
		: `${adjective} number (+${callingCode})`;
}

const unknownCountry = (country: unknown) =>
	fieldProblem(
		`Country of Numbers Without + is ${quoted(country)}, which is not a country`,
		'Use a name from the list, a code such as DE, or a calling code such as 49.',
	);
