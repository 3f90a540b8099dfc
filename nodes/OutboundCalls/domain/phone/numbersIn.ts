import { E164_DIGITS } from '../api/apiLimits';
import type { Region } from './countries';
import { type PhoneNumber, readPhoneNumber, TRUNK_ZERO } from './phone';
import { withPlainDigits } from './writtenNumber';
import { anyText } from '../values';

/** A cell may hold a note of any length. */
const MAX_NOTE_LENGTH = 10_000;

/** Normalizing takes time that grows with the square of the length. */
const PIECE = /[^]{1,300}/gu;

/** The first ones in a cell are looked at. */
const MAX_GROUPS_PER_CELL = 150;

/** Shorter ones are extensions and house numbers more often than phone numbers. */
const MIN_DIGITS = 6;

/** "0049 (0) 6 12 34 56 78": no number is written in more groups of digits. */
const MAX_GROUPS_PER_NUMBER = 8;

/**
 * What is dialed in front of a national number, or of a calling code, is hardly longer: 0, 06, 045,
 * 810, 0011, 00700.
 */
const MAX_PREFIX_DIGITS = 5;

/** No calling code has more digits. */
const MAX_CALLING_CODE_DIGITS = 3;

/**
 * A number whose country is not known, by its digits: +49 171 2345678 has the digits of 0171
 * 2345678.
 */
const ofAnyCountry = (digits: string) => `~${digits}`;

/**
 * All numbers that can be read in a cell from which none can be called: one with words after it,
 * two numbers, one without its country. They only serve to recognize people who must not be
 * called, so too many of them do less harm than too few.
 */
export function numbersIn(cell: unknown, region: Region | undefined) {
	const note = (anyText(cell) ?? '').slice(0, MAX_NOTE_LENGTH);
	const text = (note.match(PIECE) ?? []).map(withPlainDigits).join('');
	// Where one number ends and another one, or an extension, begins, only the digits can tell:
	// "0171 2345678 0172 3456789", "030 1234567/68".
	const groups = (text.match(/(?<![+([])[+([]*\d[\d)\]]*/g) ?? []).slice(0, MAX_GROUPS_PER_CELL);
	const names = new Set<string>();
	for (const from of groups.keys()) {
		for (let to = from + 1; to <= Math.min(groups.length, from + MAX_GROUPS_PER_NUMBER); to++) {
			for (const name of namesOf(groups.slice(from, to).join(' '), region)) names.add(name);
			if (groups[to]?.includes('+')) break;
		}
	}
	return [...names];
}

function namesOf(written: string, region: Region | undefined): string[] {
	const digits = written.replace(/\D/g, '');
	if (digits.length < MIN_DIGITS || digits.length > MAX_PREFIX_DIGITS + E164_DIGITS) return [];
	if (written.includes('+')) {
		const spellings = [digits, written.replace(TRUNK_ZERO, '').replace(/\D/g, '')];
		const names = spellings.map((each) => withCode(each)?.person ?? `+${each}`);
		if (spellings.some((each) => withCode(each)?.isValid)) return names;
		// A formula may have put the + before a number without its country code: "+0171 2345678".
		return [...names, ...namesOf(written.replaceAll('+', ''), region)];
	}
	const national = Array.from({ length: MAX_PREFIX_DIGITS + 1 }, (_, prefix) =>
		digits.slice(prefix),
	);
	// What is dialed at home stands in front, but for Argentina's 15.
	const atHome = [
		region && withCode(region.callingCode + digits)?.person,
		INSIDE.test(digits) ? withCode(`54${digits}`)?.person : undefined,
	];
	return [
		...national.filter(({ length }) => length >= MIN_DIGITS).map(ofAnyCountry),
		...atHome.filter((person) => person !== undefined),
	];
}

/** Of a number with its calling code; undefined if nobody can have it. */
function withCode(digits: string) {
	const read = readPhoneNumber(`+${digits}`);
	return read.ok ? read.value : undefined;
}

/** "011 15 2345 6789" */
const INSIDE = /^0?(?=\d{12}$)\d{2,4}15/;

/**
 * By what a number may have been named: as its owner is known and as it is dialed, with its country
 * and without.
 */
export const namesOfNumber = ({ person, number }: Pick<PhoneNumber, 'person' | 'number'>) => [
	person,
	...withoutCountry(person),
	...(number === person ? [] : withoutCountry(number)),
];

const withoutCountry = (number: string) =>
	Array.from({ length: MAX_CALLING_CODE_DIGITS + 1 }, (_, code) =>
		ofAnyCountry(number.slice('+'.length + code)),
	);
