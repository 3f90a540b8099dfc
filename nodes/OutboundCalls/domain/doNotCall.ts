import { isBlank } from './fields';
import { formatCount, quoted, withoutNumbers } from './format';
import { type Checked, fail, ok, type Result } from './problem';

/** People who are not called, each by the one spelling of their number (`PhoneNumber.person`). */
export type DoNotCall = ReadonlySet<string>;

/** Whose number a cell holds, or may hold, so that a number of the list and one of a row are the same however they are written. */
export type PeopleOf = (cell: unknown) => Result<readonly string[], unknown>;

const SEPARATORS = /[,;\r\n]/;

/**
 * Reads Do Not Call: a list of numbers, or text with commas, semicolons or line breaks between them. Empty places are skipped;
 * anything else that is no number refuses the whole list, because it may be a person who asked not to be called. Yields between entries.
 */
export function* readDoNotCall(
	value: unknown,
	peopleOf: PeopleOf,
): Generator<void, Checked<DoNotCall>> {
	const people = new Set<string>();
	let place = 0;
	for (const cell of entriesOf(value)) {
		place++;
		if (isBlank(cell)) continue;
		const listed = peopleOf(cell);
		if (!listed.ok) return noNumber(cell, place);
		for (const person of listed.value) people.add(person);
		yield;
	}
	return ok(people);
}

const entriesOf = (list: unknown): unknown[] =>
	[list].flat().flatMap((entry) => (typeof entry === 'string' ? entry.split(SEPARATORS) : [entry]));

const noNumber = (cell: unknown, place: number): Checked<never> =>
	fail({
		message: `Entry ${formatCount(place)} of Do Not Call is ${withoutNumbers(quoted(cell))}, which is not a phone number`,
		remedy: 'Correct it. Write numbers with + and country code, with commas between them.',
		field: true,
	});
