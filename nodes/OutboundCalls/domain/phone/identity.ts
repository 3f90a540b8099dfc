import { E164_DIGITS, isPlausibleE164 } from '../apiLimits';
import { type Plan, plansOf } from './plan';
import { MISSING_RANGES, NO_NUMBERS, SPECIAL_CODES, type SpecialKind } from './specialNumbers';

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
};

/** By calling code, national numbers that lead to one phone although each of them may be dialed, and the one of them that its owner is known by. */
const ONE_PHONE: Readonly<Record<string, readonly [RegExp, string]>> = {
	// Argentina: fixed and mobile lines share ten digits (ENACOM). 9 in front says that it is a mobile one; many lists leave it out.
	'54': [/^9(\d{10})$/, '$1'],
	// Brazil: mobile numbers were given a ninth digit, 9, by 2016. Whoever had the old number has the new one.
	'55': [/^(\d\d)([689]\d{7})$/, '$19$2'],
};

/** Reads a number that is written in E.164, as the numbering plans know it. It takes microseconds: each row asks. */
export function identify(number: string): PhoneNumber | Impossible {
	const callingCode = callingCodeOf(number);
	const plans = callingCode === undefined ? undefined : plansOf(callingCode);
	if (callingCode === undefined || !plans) return { impossible: 'noCallingCode' };
	const national = number.slice(1 + callingCode.length);
	const isTooLong = number.length > 1 + E164_DIGITS;
	const asWritten = inPlan(callingCode, plans, national);
	if (asWritten.isValid && !isTooLong) return asWritten;

	const spellings = otherSpellings(callingCode, plans[0]!, national);
	for (const spelling of spellings) {
		const read = inPlan(callingCode, plans, spelling);
		if (read.isValid && isPlausibleE164(read.number)) return read;
	}
	const plan = planOf(plans, national);
	const impossible = isTooLong ? 'tooLong' : (plan.impossible(national) ?? (isNoNumber(callingCode, national) ? 'notANumber' : undefined));
	if (impossible) return { impossible, callingCode, country: plan.country };
	// What stands behind a trunk prefix is the same person, and costs the same, whether the plans know the range or not.
	const special = [national, ...spellings].map((spelling) => inPlan(callingCode, plans, spelling).special).find((kind) => kind !== undefined);
	const person = spellings.find((spelling) => planOf(plans, spelling).impossible(spelling) === undefined);
	return { ...asWritten, special, person: person === undefined ? asWritten.person : inPlan(callingCode, plans, person).person };
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
	const [spelling, known] = ONE_PHONE[callingCode] ?? [];
	return {
		number: `+${callingCode}${national}`,
		person: `+${callingCode}${spelling ? national.replace(spelling, known!) : national}`,
		callingCode,
		country: plan.country,
		special: SPECIAL_CODES[callingCode] ?? (range ? range.kind : kindOfUnknown(callingCode, plan, national)),
		isValid: range !== undefined,
	};
}

/** The country that has the number; where none knows it, the main country. */
function planOf(plans: readonly Plan[], national: string): Plan {
	if (plans.length === 1) return plans[0]!;
	if (plans[0]!.country === 'US' && national.length === NORTH_AMERICAN_DIGITS) return areaPlan(plans, national.slice(0, 3));
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
	return [today, main.withoutTrunkPrefix(national), today && main.withoutTrunkPrefix(today)].filter((spelling) => spelling !== undefined);
}

const kindOfUnknown = (callingCode: string, plan: Plan, national: string): SpecialKind | undefined =>
	MISSING_RANGES[callingCode]?.find(([leading]) => leading.test(national))?.[1] ?? plan.likelyKind(national);

const isNoNumber = (callingCode: string, national: string): boolean => NO_NUMBERS[callingCode]?.test(national) ?? false;
