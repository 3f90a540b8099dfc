import { isBlank } from './fields';
import { formatCount, quoted, withoutNumbers } from './format';
import { type Checked, fail, ok, type Result } from './problem';

/** People who are not called, each by the one spelling of their number (`PhoneNumber.person`). */
export type DoNotCall = ReadonlySet<string>;

/** Whose number a cell holds, or may hold, so that a number of the list and one of a row are the same however they are written. */
export type PeopleOf = (cell: unknown) => Result<readonly string[], unknown>;

const SEPARATORS = /[,;\r\n]/;

/** The entries of a list, or of a text that holds one, without the blanks between them; empty places included. */
export const entriesOf = (list: unknown): unknown[] =>
	(Array.isArray(list) ? (list as unknown[]) : [list]).flatMap((entry) =>
		typeof entry === 'string' ? entry.split(SEPARATORS).map((part) => part.trim()) : [entry],
	);

/** How many entries of it are not empty. */
export const countEntries = (list: unknown): number =>
	entriesOf(list).filter((entry) => !isBlank(entry)).length;

/**
 * The option Do Not Call: numbers with commas, semicolons or line breaks between, or a list of them (text or numbers). Empty places in it are
 * skipped. Anything else in it is refused, and nobody may be called then: it may be a person who asked not to be. So is a list that
 * came to nothing, as the expression of a field that does not exist does. Yields between two entries.
 */
export function* readDoNotCall(
	value: unknown,
	peopleOf: PeopleOf,
): Generator<void, Checked<DoNotCall>> {
	if (value === undefined || value === null) {
		return refused(
			'Do Not Call came to nothing',
			'Check the list of numbers that its expression names. Where it may be empty, let the expression give a list, not text. A column that says who opted out belongs into the option Opted Out. Nobody is called without it.',
		);
	}
	const people = new Set<string>();
	let place = 0;
	for (const cell of entriesOf(value)) {
		place++;
		// `item.json.phone || false`, as the remedy for a column that leaves empty cells out says.
		if (cell === '' || cell === false) continue;
		if (typeof cell !== 'string' && typeof cell !== 'number' && typeof cell !== 'bigint')
			return noNumber(cell, place);
		const listed = peopleOf(cell);
		if (!listed.ok) return noNumber(cell, place);
		for (const person of listed.value) people.add(person);
		yield;
	}
	return ok(people);
}

function noNumber(cell: unknown, place: number): Checked<never> {
	const entry = `Entry ${formatCount(place)} of Do Not Call`;
	if (cell === undefined || cell === null)
		return refused(
			`${entry} has no value`,
			'Check the field that holds the numbers, and leave out rows without one.',
		);
	if (typeof cell === 'object') {
		return refused(
			`${entry} is a list or an object, not a phone number`,
			'Give the numbers alone, such as one field of each row.',
		);
	}
	return refused(
		`${entry} is ${withoutNumbers(quoted(cell))}, which is not a phone number`,
		'Correct it or take it out: write numbers with + and their country code, with commas between.',
	);
}

const refused = (message: string, remedy: string): Checked<never> =>
	fail({ message, remedy, field: true });
