import { formatCount, quoted } from './format';
import { plainKey } from './memoryKeys';
import { numberInKey, setApart } from './phone/numberInKey';
import { recognizePhoneNumber } from './phone/phone';
import { type Checked, ok, problem } from './problem';

/** Whom the memory is to forget. */
export interface PeopleToForget {
	/** Each by the one spelling of their number (`PhoneNumber.person`). */
	people: ReadonlySet<string>;
	/** What else calls may be remembered by, as it was given, and with its numbers as a key of the memory has them. */
	keys: ReadonlySet<string>;
	/** Entries that are no number in E.164 and were taken for keys. */
	taken: number;
	/** Those of them that look like a number. */
	unread: number;
}

const SEPARATORS = /[,;\r\n]/;

/** Entries of the field People to Forget: a text with commas, semicolons or line breaks between, or a list. Empty ones are skipped. */
export function readEntries(value: unknown): Checked<string[]> {
	const cells: unknown[] =
		typeof value === 'string' ? value.split(SEPARATORS) : Array.isArray(value) ? value : [value];
	const entries: string[] = [];
	for (const [index, cell] of cells.entries()) {
		if (cell === null || cell === undefined) continue;
		if (
			typeof cell === 'string' ||
			typeof cell === 'bigint' ||
			(typeof cell === 'number' && Number.isFinite(cell))
		) {
			const entry = plainKey(String(cell));
			if (entry !== '') entries.push(entry);
			continue;
		}
		const what = typeof cell === 'object' ? 'a list or an object' : quoted(cell);
		return problem(
			`Entry ${formatCount(index + 1)} of People to Forget is ${what}, neither a phone number nor a key`,
			'Give the numbers or keys alone, such as one field of each row. Nobody was forgotten.',
		);
	}
	return ok(entries);
}

/** Digits with what people write between them. */
const LIKE_A_NUMBER = /[+(]?\d[\d\s()./-]{5,24}\d/g;
/** As keys of the memory hold them, whatever digits stand behind. */
const E164 = /\+\d{7,15}/g;

/** Tells numbers and keys apart. A number without its country may be anything: it is taken for a key. */
export function peopleToForget(entries: Iterable<string>): PeopleToForget {
	const people = new Set<string>();
	const keys = new Set<string>();
	let taken = 0;
	let unread = 0;
	for (const entry of new Set(entries)) {
		keys.add(entry);
		const number = recognizePhoneNumber(entry);
		if (number.ok) {
			people.add(number.value.person);
			continue;
		}
		taken++;
		if (entry.replace(LIKE_A_NUMBER, '') === '') unread++;
		for (const [written] of [...entry.matchAll(LIKE_A_NUMBER), ...entry.matchAll(E164)]) {
			for (const spelling of [written, `+${written}`]) {
				const inKey = recognizePhoneNumber(spelling);
				if (!inKey.ok) continue;
				const { person } = inKey.value;
				keys.add(setApart(written === person ? entry : numberInKey(entry, inKey.value), person));
			}
		}
	}
	for (const person of people) keys.add(person);
	return { people, keys, taken, unread };
}
