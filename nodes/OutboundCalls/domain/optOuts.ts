import {
	type Checked,
	fieldRefused,
	formatCount,
	isBlank,
	isDateTime,
	ok,
	problem,
	quoted,
	textOf,
	withoutNumbers,
} from './values';
import type { Region } from './phone/countries';
import { readPhoneNumber, recognizePhoneNumber } from './phone/phone';
import words from './optOutWords.json';

/**
 * The day on which somebody opted out, as sheets write it: the year first or last, with or without
 * a time.
 */
const DATE =
	/^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?:[t ,].*)?$/;

const MAX_WORD_LENGTH = 60;

/**
 * Whether a row's Opted Out says that its person asked not to be called. A word that is neither yes
 * nor no is refused: it may be such a person. The words are written as `plain` does; some are what
 * Excel writes for true and false in other languages.
 */
export function readOptedOut(cell: unknown): Checked<boolean> {
	if (isBlank(cell) || cell === false || cell === 0) return ok(false);
	if (cell === true || cell === 1 || cell instanceof Date || isDateTime(cell)) return ok(true);
	if (typeof cell === 'string' && cell.length <= MAX_WORD_LENGTH) {
		const text = plain(cell);
		const word = text.replace(/^[.!"']+|(?<![.!"'])[.!"']+$/g, '');
		if (words.optedOut.includes(word) || DATE.test(word)) return ok(true);
		if (text === '' || words.callable.includes(word)) return ok(false);
	}
	return problem(
		`Opted Out is ${quoted(cell)}, neither yes nor no`,
		'Write yes (do not call) or no, or leave the cell empty.',
	);
}

/**
 * In lower case, without invisible characters, and with blanks instead of the hyphens between
 * words.
 */
const plain = (cell: string) =>
	cell
		.normalize('NFKC')
		.replace(/\p{Cf}|\ufe0f/gu, '')
		.replace(/\s+/g, ' ')
		.replace(/’/g, "'")
		.replace(/(\p{L})[-_](?=\p{L})/gu, '$1 ')
		.trim()
		.toLowerCase();

/** People who are not called, each by the one spelling of their number (`PhoneNumber.person`). */
export type DoNotCall = ReadonlySet<string>;

/** What may stand between the entries of a list that somebody types. */
export const SEPARATORS = /[,;\r\n]/;

/**
 * Reads Do Not Call: a list of numbers, or text with commas, semicolons or line breaks between
 * them. Empty places are skipped; anything else that is no number refuses the whole list, because
 * it may be a person who asked not to be called. `region`: of numbers without +. `rest` comes between
 * entries.
 */
export async function readDoNotCall(
	value: unknown,
	region: Region | undefined,
	rest: () => Promise<void>,
) {
	const people = new Set<string>();
	let place = 0;
	for (const cell of entriesOf(value)) {
		place++;
		if (isBlank(cell)) continue;
		const listed = peopleOf(cell, region);
		if (!listed.ok) return noNumber(cell, place, listed.error.kind === 'noCountry');
		for (const person of listed.value) people.add(person);
		await rest();
	}
	return ok(people);
}

/**
 * As the rows' numbers are read. An entry without + may have lost it: then it stands for both
 * readings.
 */
function peopleOf(cell: unknown, region: Region | undefined) {
	const read = recognizePhoneNumber(cell, region);
	if (!read.ok) return read;
	const { person } = read.value;
	const text = textOf(cell) ?? '';
	const other = text.includes('+') ? undefined : readPhoneNumber(`+${text.replace(/\D/g, '')}`);
	return ok(other?.ok && other.value.isValid ? [person, other.value.person] : [person]);
}

const entriesOf = (list: unknown) =>
	[list].flat().flatMap((entry) => (typeof entry === 'string' ? entry.split(SEPARATORS) : [entry]));

const noNumber = (cell: unknown, place: number, lacksCountry: boolean) =>
	fieldRefused(
		`Entry ${formatCount(place)} of Do Not Call is ${withoutNumbers(quoted(cell))}, ${lacksCountry ? 'which has no country code' : 'which is not one phone number'}`,
		lacksCountry
			? 'Write it with + and its country code, or set Country of Numbers Without +.'
			: 'Correct it. Write numbers with + and country code, without remarks, and with commas between them.',
	);
