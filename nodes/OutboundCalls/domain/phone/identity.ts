import { E164_DIGITS, isPlausibleE164 } from '../apiLimits';
import { type Plan, plansOf } from './plan';
import { NO_NUMBERS, SPECIAL_CODES, SPECIAL_RANGES, type SpecialKind } from './specialNumbers';

/** Whose number it is, and where it leads. */
export interface PhoneNumber {
	/** E.164: what is sent. */
	number: string;
	/** E.164, the same for all spellings of one number: who is called. */
	person: string;
	/** Digits, such as 49. */
	callingCode: string;
	/** ISO code; undefined: of no country, as satellite phones are. */
	country?: string;
	/** ISO code, where the phone is of another country, which is reached through this one. */
	owner?: string | undefined;
	/** Undefined: an ordinary number. */
	special?: SpecialKind;
	/** Whether the plans know its range. Else it only has the right length. */
	isValid: boolean;
}

/** No country gives such a number to anybody. */
export interface Impossible {
	impossible: 'noCallingCode' | 'tooShort' | 'tooLong' | 'wrongLength' | 'notANumber';
	/** Digits, where one was found. */
	callingCode?: string;
	country?: string;
}

/**
 * Prefixes of mobile numbers that went out of use, and that the plans therefore have forgotten; lists still hold them. What the
 * number becomes may still have a trunk prefix.
 */
const FORMER_PREFIXES: Readonly<Record<string, readonly [RegExp, string]>> = {
	// Mexico, until 2019: 1 from abroad, 01, 044 and 045 within the country.
	'52': [/^(?:1|01|044|045)(\d{10})$/, '$1'],
	// Argentina: 9 is dialed from abroad, 15 within the country, never both.
	'54': [/^9(\d{12})$/, '$1'],
	// Chile, until 2016: 09 within the country.
	'56': [/^0(9\d{8})$/, '$1'],
};

/**
 * By calling code, national numbers that lead to a phone that has another number as well, and this one, by which its owner is known. Both may be dialed, or
 * the first one could be until lately.
 */
const ONE_PHONE: Readonly<Record<string, ReadonlyArray<readonly [RegExp, string]>>> = {
	// France: the numbers of its overseas territories are dialed as its own, too (ARCEP; the plans of the territories).
	'33': [
		[/^((?:590|69[01])\d{6}|(?:5987|9395|9475|976[018]|7090)\d{5})$/, '+590$1'], // Guadeloupe
		[/^([56]94\d{6}|(?:5988|9396|9476|976[45])\d{5}|7093[0-3]\d{4})$/, '+594$1'], // French Guiana
		[/^((?:596|69[67])\d{6}|(?:5989|9397|9477|976[67]|7091)\d{5})$/, '+596$1'], // Martinique
		[/^((?:26[239]|69[23]|639)\d{6}|(?:268[89]|939[89]|947[89]|976[239]|709[23])\d{5})$/, '+262$1'], // Réunion and Mayotte
		[/^508(\d{6})$/, '+508$1'], // Saint Pierre and Miquelon
		[/^(708[45]\d{5})$/, '+508$1'], // and mobile phones there
	],
	// Italy: the zero of fixed lines is part of them, and many lists leave it out. Digits with which its other numbers begin are left out.
	'39': [[/^((?!43|55|70|1[4-9]|8[049])[124-9]\d{5,9})$/, '+390$1']],
	// Argentina: fixed and mobile lines share ten digits (ENACOM). 9 in front says that it is a mobile one; many lists leave it out.
	'54': [[/^9(\d{10})$/, '+54$1']],
	// Brazil: mobile numbers were given a ninth digit, 9, by 2016. Whoever had the old number has the new one.
	'55': [[/^(\d\d)([6-9]\d{7})$/, '+55$19$2']],
	// Colombia: 60 stands before the area codes of fixed lines since 2021 (CRC).
	'57': [[/^([124-8]\d{7})$/, '+5760$1']],
	// Gambia: nine digits since September 2026, two before the seven that were (PURA).
	'220': [[/^(?:44|8[3679])(\d{7})$/, '+220$1']],
	// Gabon: 01, 02 … became 011, 062 … in 2019 (ARCEP); the plans still have both, the old ones with their 0 and without it.
	'241': [
		[/^0?([256]\d{6})$/, '+2416$1'],
		[/^0?([47]\d{6})$/, '+2417$1'],
		[/^01(\d{6})$/, '+24111$1'],
	],
	// Northern Ireland is dialed as 048 from the Republic (ComReg).
	'353': [[/^48(\d{8})$/, '+4428$1']],
	// Kosovo's mobile phones were reached through Monaco and Slovenia before it had a code of its own, its fixed lines through Serbia (ARKEP).
	'381': [[/^([23][89]\d{6}|(?:28|29|39)0\d{6})$/, '+383$1']],
	'377': [[/^(4[45]\d{6})$/, '+383$1']],
	'386': [[/^(4[39]\d{6})$/, '+383$1']],
	// San Marino is reached through Italy, too.
	'378': [[/^0549(\d{6})$/, '+390549$1']],
	// Palestine is reached through Israel, too.
	'972': [[/^(5[69]\d{7}|[2489]2\d{6})$/, '+970$1']],
};

/** Reads a number that is written in E.164, as the numbering plans know it. It takes microseconds: each row asks. */
export function identify(number: string): PhoneNumber | Impossible {
	const callingCode = callingCodeOf(number);
	const plans = callingCode === undefined ? undefined : plansOf(callingCode);
	if (callingCode === undefined || !plans) return { impossible: 'noCallingCode' };
	const national = number.slice(1 + callingCode.length);
	const isTooLong = number.length > 1 + E164_DIGITS;
	const asWritten = inPlan(callingCode, plans, national);
	const isNone = (spelling: string): boolean =>
		isNoNumber(callingCode, spelling) || hasCodeTwice(callingCode, plans, spelling);
	if (asWritten.isValid && !isTooLong && !isNone(national)) return asWritten;

	const spellings = otherSpellings(callingCode, plans[0]!, national);
	for (const spelling of spellings) {
		const read = inPlan(callingCode, plans, spelling);
		if (read.isValid && isPlausibleE164(read.number) && !isNone(spelling)) return read;
	}
	const plan = planOf(plans, national);
	const impossible = isTooLong
		? 'tooLong'
		: (plan.impossible(national) ??
			([national, ...spellings].some(isNone) ? 'notANumber' : undefined));
	if (impossible) return { impossible, callingCode, country: plan.country };
	// What stands behind a trunk prefix is the same person, and costs the same, whether the plans know the range or not.
	const alike = [...spellings, ...behindZero(callingCode, plans, national)];
	const special = [national, ...alike]
		.map((spelling) => inPlan(callingCode, plans, spelling).special)
		.find((kind) => kind !== undefined);
	const person =
		alike.find((spelling) => planOf(plans, spelling).impossible(spelling) === undefined) ??
		national;
	const known = inPlan(callingCode, plans, person);
	return { ...asWritten, special, person: known.person, owner: known.owner };
}

/** Where nobody dials a zero, as in Poland, whoever writes one means the number behind it, as far as the plans know that. */
const behindZero = (callingCode: string, plans: readonly Plan[], national: string): string[] =>
	national.startsWith('0') && inPlan(callingCode, plans, national.slice(1)).isValid
		? [national.slice(1)]
		: [];

/** No national number is longer, though the plans of some countries, such as Germany, allow it. */
const LONGEST_NATIONAL = 11;

/** "+49 491712345678": what a formula writes that puts the calling code before each number. In Germany's plan, that is one of Leer, 0491. */
function hasCodeTwice(callingCode: string, plans: readonly Plan[], national: string): boolean {
	const second = national.startsWith('00') ? national.slice(2) : national;
	if (!second.startsWith(callingCode)) return false;
	if (national.length <= LONGEST_NATIONAL && inPlan(callingCode, plans, national).isValid)
		return false;
	const rest = second.slice(callingCode.length);
	return [rest, ...otherSpellings(callingCode, plans[0]!, rest)].some(
		(spelling) => inPlan(callingCode, plans, spelling).isValid,
	);
}

/** Calling codes have one to three digits, and none begins like another. */
function callingCodeOf(number: string): string | undefined {
	for (let digits = 1; digits <= 3; digits++) {
		const code = number.slice(1, 1 + digits);
		if (plansOf(code)) return code;
	}
	return undefined;
}

function inPlan(callingCode: string, plans: readonly Plan[], national: string): PhoneNumber {
	const plan = planOf(plans, national);
	const range = plan.rangeOf(national);
	const [spelling, known] =
		ONE_PHONE[callingCode]?.find(([spelled]) => spelled.test(national)) ?? [];
	const number = `+${callingCode}${national}`;
	const person = spelling ? national.replace(spelling, known!) : number;
	return {
		number,
		person,
		callingCode,
		country: plan.country,
		...(spelling ? { owner: ownerOf(callingCode, person) } : {}),
		special:
			SPECIAL_CODES[callingCode] ??
			namedKind(callingCode, national) ??
			(range ? range.kind : plan.likelyKind(national)),
		isValid: range !== undefined,
	};
}

const SAN_MARINO = '378';

/** The country of a phone that is reached through a neighbour: Kosovo's, through Monaco. San Marino's have an area code of Italy, and are its own. */
function ownerOf(callingCode: string, person: string): string | undefined {
	const own = callingCodeOf(person);
	return own === undefined || own === callingCode || callingCode === SAN_MARINO
		? undefined
		: planOf(plansOf(own)!, person.slice(1 + own.length)).country;
}

/** The country that has the number; where none knows it, the main country. */
function planOf(plans: readonly Plan[], national: string): Plan {
	if (plans.length === 1) return plans[0]!;
	if (plans[0]!.country === 'US' && national.length === NORTH_AMERICAN_DIGITS)
		return areaPlan(plans, national.slice(0, 3));
	return plans.find((plan) => plan.claims(national)) ?? plans[0]!;
}

const NORTH_AMERICAN_DIGITS = 10;

/** By area code, of which there are fewer than a thousand. */
const areas = new Map<string, Plan>();

/** In North America an area code belongs to one country, whatever follows. What follows begins with 2 to 9. */
function areaPlan(plans: readonly Plan[], area: string): Plan {
	const known = areas.get(area);
	if (known) return known;
	const plan = plans.find((each) => each.claims(`${area}2000000`)) ?? plans[0]!;
	areas.set(area, plan);
	return plan;
}

/** What is dialed within the country or was dialed in former times stands in front. */
function otherSpellings(callingCode: string, main: Plan, national: string): string[] {
	const [former, becomes] = FORMER_PREFIXES[callingCode] ?? [];
	const today = former && former.test(national) ? national.replace(former, becomes!) : undefined;
	// A formula may have put 00 there, or a second 0.
	const once = main.withoutTrunkPrefix(national);
	const twice = once?.startsWith('0') ? main.withoutTrunkPrefix(once) : undefined;
	return [today, once, today && main.withoutTrunkPrefix(today), twice].filter(
		(spelling) => spelling !== undefined,
	);
}

function namedKind(callingCode: string, national: string): SpecialKind | undefined {
	const [leading, kind] = SPECIAL_RANGES[callingCode] ?? [];
	return leading?.test(national) ? kind : undefined;
}

const isNoNumber = (callingCode: string, national: string): boolean =>
	NO_NUMBERS[callingCode]?.test(national) ?? false;
