import { E164_DIGITS } from '../apiLimits';
import { textIfAny } from '../format';
import type { Region } from './countries';
import { readPhoneNumber } from './phone';
import { normalized } from './writtenNumber';

/** A cell may hold a note of any length. Normalizing takes time that grows with the square of it. */
const LONGEST_NOTE = 300;

/** Shorter ones are dates, extensions and house numbers more often than phone numbers. */
const FEWEST_DIGITS = 7;

/** "0049 (0) 6 12 34 56 78": no number is written in more groups of digits. */
const MOST_GROUPS = 8;

/** What is dialed in front of a national number is at most so long: 0, 8, 06. */
const LONGEST_TRUNK = 2;

/** No calling code has more digits. */
const CALLING_CODE_DIGITS = 3;

/** A number whose country is not known, by its digits: +49 171 2345678 has the digits of 0171 2345678. */
const ofAnyCountry = (digits: string): string => `~${digits}`;

/** Whether a name is that of a number, be its country known or not. */
export const isNumberName = (name: string): boolean => /^[+~]\d+$/.test(name);

/**
 * All numbers that can be read in a cell from which none can be called: one with words behind it, two numbers, one
 * without its country. They are names only, by which people are recognised who must not be called; too many of
 * them do less harm than too few.
 */
export function numbersIn(cell: unknown, region: Region | undefined): string[] {
	const text = normalized((textIfAny(cell) ?? '').slice(0, LONGEST_NOTE));
	const names = new Set<string>();
	for (const part of text.split(/[^\d+()[\]./\-\u00b7\p{Pd}\p{Zs}\t]+|(?=\+)|\/\s*(?=[+0])/u)) {
		for (const written of [part, ...runsIn(part)]) for (const name of namesOf(written, region)) names.add(name);
	}
	return [...names];
}

/** Where one number ends and another one, or an extension, begins, only the digits can tell: "0171 2345678 0172 3456789", "030 1234567/68". */
function runsIn(part: string): string[] {
	const groups = part.split(/[\s/]+|(?=[([])/).filter((group) => /\d/.test(group));
	return groups.flatMap((_group, from) => Array.from({ length: MOST_GROUPS }, (_, more) => groups.slice(from, from + more + 1).join(' ')));
}

function namesOf(written: string, region: Region | undefined): string[] {
	const digits = written.replace(/\D/g, '');
	if (digits.length < FEWEST_DIGITS || digits.length > E164_DIGITS + LONGEST_TRUNK) return [];
	const read = readPhoneNumber(written.trim(), region);
	if (read.ok) return [read.value.person];
	if (written.trim().startsWith('+')) return [`+${digits}`];
	const national = Array.from({ length: LONGEST_TRUNK + 1 }, (_, trunk) => digits.slice(trunk));
	return national.filter(({ length }) => length >= FEWEST_DIGITS - 1).map(ofAnyCountry);
}

/** The names that a number has if its country is left out of account. */
export const withoutCountry = (number: string): string[] =>
	Array.from({ length: CALLING_CODE_DIGITS + 1 }, (_, code) => ofAnyCountry(number.slice('+'.length + code)));
