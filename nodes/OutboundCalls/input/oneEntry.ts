import { isChosenBy, isPlace, nameOf, type Path, valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import type { Fields } from '../domain/fields';
import { quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import { type Held, heldIn, type NumbersOfRows } from './numbersOfRows';
import { differ, type Reader, textOf } from './oneOfMany';

/** Whether an entry of a list in an item, as n8n's panel drags one in, speaks for the rows that come from the item: `$json.contacts[0].name` (n8n behaviour). */
export interface Entries {
	/** Why it does not: the list is that of the destinations, and others of it say something else. */
	ofSeveral(stored: readonly unknown[], label: string, says: Says): Problem | undefined;
	/**
	 * Why it does not protect a row, though that is the only one of its item: it is not the entry from which the row's number comes. `mayBeBeside`: its list may be
	 * another one that is as long, such as who of several people opted out; of dates, all count.
	 */
	ofAnother(stored: readonly unknown[], label: string, mayBeBeside: boolean): Problem | undefined;
}

/** What a person hears may be about somebody else; how they are called may not. A destination is itself that of another entry than the row. */
export type Says = 'words' | 'setting' | 'destination';

/** An entry of a list; no place, where it is one of some that were chosen. */
interface Entry {
	list: unknown[];
	place: number | undefined;
}

export function entriesOfRows({ steps }: Reader, numbers: NumbersOfRows): Entries {
	const columnsIn = (stored: readonly unknown[]): Column[] =>
		stored
			.flatMap((each) => readingOf(each).columns)
			.filter(({ takes, path }) => takes !== 'each' && path.some(isPlace));
	const isOfSeveral = severalRowsOf(steps, numbers);
	const isOfAnother = anotherThanOf(steps, numbers);
	return {
		ofSeveral: (stored, label, says) =>
			takesOneEntry(
				columnsIn(stored).find((column) => isOfSeveral(column, says)),
				label,
			),
		ofAnother: (stored, label, mayBeBeside) =>
			takesOneEntry(
				columnsIn(stored).find((column) => isOfAnother(column, mayBeBeside)),
				label,
			),
	};
}

const differAt = (fields: Fields, path: Path): boolean =>
	differ(valuesAt(fields, path).map(textOf));

/** The entries of an item on the way to what a path takes. */
const entriesAt = (fields: Fields, path: Path): Entry[] =>
	path.flatMap((place, depth) => {
		if (!isPlace(place)) return [];
		const lists = valuesAt(fields, path.slice(0, depth)).filter(Array.isArray);
		return lists.map((list) => ({
			list,
			place: isChosenBy(path[depth - 1]) ? undefined : place < 0 ? list.length + place : place,
		}));
	});

/** Whether an entry speaks for several rows, or for another one than that which it is of. */
function severalRowsOf(
	steps: Reader['steps'],
	numbers: NumbersOfRows,
): (column: Column, says: Says) => boolean {
	/** Whether the number comes from another entry of the same list, as somebody has chosen both. */
	const isBesideNumber = ({ step, path }: Column): boolean =>
		numbers.from.some(
			(number) =>
				number.step === step &&
				listOf(number.path) === listOf(path) &&
				!isOfEntry(number.path, path),
		) && steps.itemsOf(step).some((fields) => differAt(fields, path));
	/** An item that has become several, of which a Filter or a loop may have left one. */
	const isOfMany = ({ step }: Column): boolean =>
		step !== undefined &&
		!numbers.from.some((number) => number.step === step && number.path.some(isPlace));
	const speaksForSeveral = (
		entries: readonly Entry[],
		lists: readonly Held[],
		count: number,
	): boolean => {
		const theirs = new Set(
			lists.filter(({ at }) => heldIn([{ at }]).size * 2 >= count).map(({ list }) => list.length),
		);
		return entries.some(({ list }) => theirs.has(list.length));
	};
	return (column, says) => {
		const { step, path } = column;
		if (says === 'setting' && isBesideNumber(column)) return true;
		return [...steps.rowsOfItems(step)].some(([fields, rows]) => {
			if (!differAt(fields, path)) return false;
			const entries = entriesAt(fields, path);
			const lists = numbers.listsIn(fields, rows);
			const count = numbers.count(rows);
			const isAlone = rows.length === 1 && count <= 1;
			if (
				isAlone
					? isOfMany(column) && entries.some((entry) => isElsewhere(lists, entry))
					: speaksForSeveral(entries, lists, count)
			)
				return true;
			if (says !== 'destination' || step === undefined) return false;
			const ofCells = numbers.listsOfCells(fields, rows);
			return entries.some((entry) => isElsewhere(ofCells, entry));
		});
	};
}

/** Whether one of the looked for stands in another entry of that list, or of one beside it. */
function isElsewhere(lists: readonly Held[], { list, place }: Entry): boolean {
	if (place === undefined) return false;
	const itself = lists.filter((each) => each.list === list);
	const told =
		itself.length > 0 ? itself : lists.filter((each) => each.list.length === list.length);
	return [...heldIn(told)].some((one) =>
		told.every(({ at }) => at.some((held) => held.has(one)) && !at[place]?.has(one)),
	);
}

/** Whether it is another entry than that from which the number comes, or than the one at its place in a list beside that is as long. */
function anotherThanOf(
	steps: Reader['steps'],
	numbers: NumbersOfRows,
): (column: Column, mayBeBeside: boolean) => boolean {
	const isOfNumber = ({ step, path }: Column, fields: Fields, mayBeBeside: boolean): boolean => {
		const places = (of: Path): string =>
			JSON.stringify([
				of.filter(isPlace),
				entriesAt(fields, of).map(({ list, place }) => [list.length, place]),
			]);
		const isTheirs = (number: Column): boolean =>
			number.step === step &&
			(isOfEntry(number.path, path) ||
				(mayBeBeside && !path.some(isChosenBy) && places(number.path) === places(path)));
		return numbers.from.length > 0 && numbers.from.every(isTheirs);
	};
	return (column, mayBeBeside) => {
		const { step, path } = column;
		const rows = steps.rowsOfItems(step);
		const isAnother = (fields: Fields): boolean =>
			numbers.count(rows.get(fields) ?? []) > 1 || !isOfNumber(column, fields, mayBeBeside);
		return steps.itemsOf(step).some((fields) => differAt(fields, path) && isAnother(fields));
	};
}

/** Whether a path leads into the entry that another one names, be it a list in a list: `contacts[0].phones[1]` and `contacts[0].name`. */
function isOfEntry(inside: Path, path: Path): boolean {
	let depth = path.length;
	while (depth > 0 && !isPlace(path[depth - 1]!)) depth--;
	return path.slice(0, depth).every((name, n) => name === inside[n]);
}

const takesOneEntry = (column: Column | undefined, label: string): Problem | undefined =>
	column && {
		message: `${label} takes one entry of the list ${quoted(listOf(column.path))}, and others say something else`,
		remedy:
			'Take a column of the rows themselves: n8n’s Split Out makes a row of each entry. Where all entries are meant, such as holidays, take the whole list; where one is meant for all people, put it into a column of its own, with Edit Fields.',
		field: true,
	};

const listOf = (path: Path): string => nameOf(path.slice(0, path.findIndex(isPlace)));
