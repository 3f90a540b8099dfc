import type { PhoneNumber } from './identity';
import { readPhoneNumber } from './phone';

/** All spellings of a number end with the same digits. */
const LAST_DIGITS = 6;

const BETWEEN_DIGITS = '[\\s()./\\-]*';

/** What may stand before the last digits of a number: calling code, prefixes, an area code. */
const BEFORE = /[+\d\s()./-]{0,24}$/;

/** A key with each spelling of the row's number in it replaced by the one that the person is known by: "spring-0171 2345678" → "spring-+491712345678". */
export function numberInKey(key: string, number: PhoneNumber): string {
	const last = number.person.slice(-LAST_DIGITS);
	if (!key.replace(/\D/g, '').includes(last)) return key;
	const ending = new RegExp(`${Array.from(last).join(BETWEEN_DIGITS)}(?!\\d)`, 'g');
	let done = 0;
	let cleaned = '';
	for (const { index, 0: found } of key.matchAll(ending)) {
		const end = index + found.length;
		const start = startOfNumber(key.slice(done, end), found.length, number);
		if (start === undefined) continue;
		// It keeps a sheet from calculating.
		cleaned += key.slice(done, done + start).replace(/'$/, '') + number.person;
		done = end;
	}
	return cleaned + key.slice(done);
}

/** A key whose number begins with its + and ends with one blank, whatever blanks and signs stand beside it: "spring-+491712345678/1" → "spring+491712345678 1". */
export const setApart = (key: string, person: string): string =>
	key
		.split(person)
		.map((part, place, { length }) => withoutSigns(part, place > 0, place < length - 1))
		.join(`${person} `)
		.replace(/ (?=\+|$)/g, '');

function withoutSigns(part: string, isBehind: boolean, isBefore: boolean): string {
	const from = isBehind ? part.replace(/^[^\p{L}\p{M}\p{N}]+/u, '') : part;
	// Looked for where signs begin, so that a cell of nothing but signs takes no time.
	return isBefore ? from.replace(/(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/u, '') : from;
}

/** Where the number begins that the text ends with, if it is this one. The longest reading is the right one. */
function startOfNumber(
	text: string,
	endLength: number,
	{ person, callingCode, country }: PhoneNumber,
): number | undefined {
	const from =
		text.length - endLength - BEFORE.exec(text.slice(0, text.length - endLength))![0].length;
	const region = { callingCode, iso: country };
	for (let start = from; start <= text.length - endLength; start++) {
		// Digits of another part may stand before it: 2026-12-01+49 171 2345678.
		if (!/(?:^|[^\d+])\d$|[+(]$/.test(text.slice(Math.max(0, start - 1), start + 1))) continue;
		const written = text.slice(start);
		const readings = [readPhoneNumber(written, region), readPhoneNumber(`+${written}`)];
		if (readings.some((read) => read.ok && read.value.person === person)) return start;
	}
	return undefined;
}
