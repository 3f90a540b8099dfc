import { isPlace, type Path, valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import type { Fields } from '../domain/fields';
import { quoted, textIfAny } from '../domain/format';
import { isObject } from '../domain/json';
import type { Problem } from '../domain/problem';
import type { CheckedRow } from '../domain/row';
import { differ, type Reader, textOf } from './oneOfMany';

/** Whether an entry of a list in an item, as n8n's panel drags one in, speaks for the rows that come from the item: `$json.contacts[0].name` (n8n behaviour). */
export interface Entries {
	/** Why it does not, where several rows come from one item and the list is theirs: others of it say something else. */
	ofSeveral(stored: readonly unknown[], label: string): Problem | undefined;
	/**
	 * Why it does not protect a row, though that is the only one of its item: it is not the entry at the place from which the row's number comes. `mayBeBeside`: its
	 * list may be another one that is as long, such as who of several people opted out; of dates, all count.
	 */
	ofAnother(stored: readonly unknown[], label: string, mayBeBeside: boolean): Problem | undefined;
}

/** `phones`: the parameters that name the destinations, as they are stored. */
export function entriesOfRows({ steps }: Reader, phones: readonly unknown[], checked: readonly CheckedRow[]): Entries {
	const columnsIn = (stored: readonly unknown[]): Column[] =>
		stored.flatMap((each) => readingOf(each).columns).filter(({ takes, path }) => takes !== 'each' && path.some(isPlace));
	const placeOf = ({ step, path }: Column): string => JSON.stringify([step, path.find(isPlace)]);
	const differAt = (fields: Fields, path: Path): boolean => differ(valuesAt(fields, path).map(textOf));
	const numbersFrom = columnsIn(phones);

	let numbers: Map<number, Set<string>> | undefined;
	const numbersOf = (rows: readonly number[]): Set<string> => {
		numbers ??= numbersByItem(checked);
		return new Set(rows.flatMap((row) => [...(numbers!.get(row) ?? [])]));
	};
	const lengths = new Map<Fields, ReadonlySet<number>>();
	/** How long the lists of their numbers are; none for a single row. */
	const lengthsOf = (fields: Fields, rows: readonly number[]): ReadonlySet<number> => {
		const known = lengths.get(fields);
		if (known) return known;
		const of = numbersOf(rows);
		const found = rows.length > 1 || of.size > 1 ? lengthsOfTheirs(fields, of) : new Set<number>();
		lengths.set(fields, found);
		return found;
	};
	/** The lists on the way to what it takes. */
	const listsAt = (fields: Fields, path: Path): unknown[][] =>
		path.flatMap((name, depth) => (isPlace(name) ? valuesAt(fields, path.slice(0, depth)).filter(Array.isArray) : []));

	const isOfSeveral = ({ step, path }: Column): boolean =>
		[...steps.rowsOfItems(step)].some(
			([fields, rows]) => differAt(fields, path) && listsAt(fields, path).some((list) => lengthsOf(fields, rows).has(list.length)),
		);
	/** Whether it is at the place from which the number comes, in the same list, or in one beside it that is as long. */
	const isOfNumber = (column: Column, fields: Fields, mayBeBeside: boolean): boolean => {
		const lengthOf = ({ path }: Column): number | undefined => listsAt(fields, path)[0]?.length;
		const isTheirs = (number: Column): boolean =>
			listOf(number.path) === listOf(column.path) || (mayBeBeside && lengthOf(number) !== undefined && lengthOf(number) === lengthOf(column));
		return numbersFrom.length > 0 && numbersFrom.every((number) => placeOf(number) === placeOf(column) && isTheirs(number));
	};
	const isOfAnother = (column: Column, mayBeBeside: boolean): boolean =>
		steps.itemsOf(column.step).some((fields) => differAt(fields, column.path) && !isOfNumber(column, fields, mayBeBeside));
	return {
		ofSeveral: (stored, label) => takesOneEntry(columnsIn(stored).find(isOfSeveral), label),
		ofAnother: (stored, label, mayBeBeside) =>
			takesOneEntry(
				columnsIn(stored).find((column) => isOfAnother(column, mayBeBeside)),
				label,
			),
	};
}

/** The digits of the numbers that each input item has. */
function numbersByItem(checked: readonly CheckedRow[]): Map<number, Set<string>> {
	const numbers = new Map<number, Set<string>>();
	for (const each of checked) {
		const { itemIndex, destination } = each.ok ? each.value : each.error;
		const of = numbers.get(itemIndex) ?? new Set();
		numbers.set(itemIndex, of.add(destination.replace(/\D/g, '')));
	}
	return numbers;
}

const takesOneEntry = (column: Column | undefined, label: string): Problem | undefined =>
	column && {
		message: `${label} takes one entry of the list ${quoted(listOf(column.path))}, and others say something else`,
		remedy:
			'Take a column of the rows themselves: n8n’s Split Out makes a row of each entry. Where all entries are meant, such as holidays, take the whole list; where one is meant for all people, put it into a column of its own, with Edit Fields.',
		field: true,
	};

const listOf = (path: Path): string => path.slice(0, path.findIndex(isPlace)).join('.');

/** How long the lists in an item are that hold half of these numbers or more: another list of that length is likely of the same people. */
function lengthsOfTheirs(fields: Fields, numbers: ReadonlySet<string>): ReadonlySet<number> {
	const lengths = new Set<number>();
	const byEnd = new Map([...numbers].flatMap((number) => endsOf(number).map((end) => [end, number])));
	const look = (value: unknown, found: Set<string>, depth: number): void => {
		if (depth > DEEPEST) return;
		if (Array.isArray(value)) {
			const held = new Set<string>();
			for (const entry of value) look(entry, held, depth + 1);
			if (held.size * 2 >= numbers.size) lengths.add(value.length);
			for (const number of held) found.add(number);
		} else if (isObject(value)) {
			for (const each of Object.values(value)) look(each, found, depth + 1);
		} else {
			const number = byEnd.get(endOf(textIfAny(value) ?? ''));
			if (number !== undefined) found.add(number);
		}
	};
	look(fields, new Set(), 0);
	return lengths;
}

const DEEPEST = 20;

/** So many digits at its end tell a number from others, however its beginning is written; a whole one may have fewer behind its country's code. */
const TELLING = 8;
const FEWEST = 5;
const LONGEST_CODE = 3;
const LONGEST = 15;

/** What a cell that holds the number may end in. */
const endsOf = (number: string): string[] => [
	number.slice(-TELLING),
	...[...Array(TELLING).keys()].slice(FEWEST, TELLING).flatMap((length) => (number.length - length <= LONGEST_CODE ? [number.slice(-length)] : [])),
];

function endOf(cell: string): string {
	const digits = cell.length > MOST_CHARACTERS ? '' : cell.replace(/\D/g, '').replace(/^0+/, '');
	return digits.length > LONGEST ? '' : digits.slice(-TELLING);
}

const MOST_CHARACTERS = 100;
