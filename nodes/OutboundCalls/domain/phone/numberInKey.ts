import type { Region } from './countries';
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
	if (key.length > LONGEST) return key;
	let done = 0;
	let cleaned = '';
	for (const { index, 0: found } of key.matchAll(ending)) {
		const end = index + found.length;
		const start = startOfNumber(key.slice(done, end), found.length, number);
		if (start === undefined) continue;
		cleaned += key.slice(done, done + start) + number.person;
		done = end;
	}
	return cleaned + key.slice(done);
}

/** Where the number begins that the text ends with, if it is this one. The longest reading is the right one. */
function startOfNumber(text: string, endLength: number, { person, callingCode, country }: PhoneNumber): number | undefined {
	const from = text.length - endLength - BEFORE.exec(text.slice(0, text.length - endLength))![0].length;
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

/** A date; what is written like a phone number: with +, or in groups that begin with the 0 or the brackets of calls at home, or that only phone numbers have. Digits alone may be an ID. */
const WRITTEN =
	/(?=(?<!\d)((?:19|20)\d\d(?:[-./ ]\d\d?){2}(?!\d)|(?:\d\d?[-./ ]){2}(?:19|20)\d\d|(?:\d\d?[-./]){2}\d\d(?![-./]?\d))|((?:(?<!\d)(?:0|(?:1[-. ])?\d{3}([-. ])\d{3}\3\d{3})|[+(])[\d ()./-]{0,28}\d(?![\d:])))/g;

/** Nobody writes so much; to look for numbers in it takes time that grows with the square of its length. */
const LONGEST = 200;

/** The same for the numbers that the row is not called at: a key is one key, whichever number of its person is called. */
export function numbersInKey(key: string, region: Region | undefined): string {
	if (key.length > LONGEST) return key;
	let done = 0;
	let cleaned = '';
	for (const { index, 1: date, 2: run = '' } of key.matchAll(WRITTEN)) {
		// With more digits, something stands behind the number.
		const ends = Array.from(run.matchAll(/\d(?!\d)/g), (digit) => run.slice(0, digit.index + 1)).filter((end) =>
			/^(?=.*\D)(?:\D*\d){6,13}$/.test(end),
		);
		const read = (text: string) => {
			const number = readPhoneNumber(text, region);
			return number.ok ? number.value.person : undefined;
		};
		// Behind six digits that stand together it is over, if it is one: "030 1234567 2".
		const found = index < done ? undefined : (date ?? [...ends.filter((end) => /\d{6}$/.test(end)), ...ends.reverse()].find(read));
		if (!found) continue;
		cleaned += key.slice(done, index) + (date ?? read(found)!);
		done = index + found.length;
	}
	return cleaned + key.slice(done);
}
