import { ENTRIES, type Path, valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { type Fields, isBlank } from '../domain/fields';
import { textIfAny } from '../domain/format';
import type { CheckedRow } from '../domain/row';
import type { Reader } from './oneOfMany';

/** The numbers of the rows, and where they stand in what the steps before have said. */
export interface NumbersOfRows {
	/** The columns that they are taken from. */
	from: readonly Column[];
	/** How many the rows have. */
	count(rows: readonly number[]): number;
	/** The lists in an item that hold some of them; the item is that which the rows come from. */
	listsIn(fields: Fields, rows: readonly number[]): readonly Held[];
	/** Whether the number of a row stands in another one of these items than in that which it comes from. */
	areOfOthers(items: readonly Fields[], rowsOf: ReadonlyMap<Fields, readonly number[]>): boolean;
	/** The lists in it that hold other numbers of the rows' own items. */
	listsOfCells(fields: Fields, rows: readonly number[]): readonly Held[];
}

/** `phones`: the parameters that name the destinations, as they are stored. */
export function numbersOfRows(
	steps: Reader['steps'],
	phones: readonly unknown[],
	checked: readonly CheckedRow[],
): NumbersOfRows {
	const named = phones.flatMap((each) => readingOf(each).columns);
	const isInside = (other: Column, { step, path }: Column): boolean =>
		other.path.length > path.length &&
		other.step === step &&
		path.every((name, n) => name === other.path[n]);
	/** A list of which another one of them is an entry is no number; nor is what has fewer digits than any. */
	const mayHoldNumber = (column: Column): boolean => {
		if (named.some((other) => isInside(other, column))) return false;
		const ofEntries: Path = column.path.map((name) => (name === ENTRIES ? 0 : name));
		const isLong = (value: unknown): boolean =>
			!isBlank(value) && digitsIn(textIfAny(value) ?? LONG).length >= FEWEST;
		return steps.itemsOf(column.step).some((fields) => valuesAt(fields, ofEntries).some(isLong));
	};
	let byItem: Map<number, Set<string>> | undefined;
	const numbersOf = (rows: readonly number[]): string[] => {
		byItem ??= numbersByItem(checked);
		return rows.flatMap((row) => [...(byItem!.get(row) ?? [])]);
	};
	const holding = new Map<Fields, readonly Held[]>();
	return {
		from: named.filter(mayHoldNumber),
		count: (rows) => new Set(numbersOf(rows)).size,
		listsIn(fields, rows) {
			const lists =
				holding.get(fields) ??
				listsHolding(
					fields,
					new Map(
						numbersOf(rows).flatMap((number) =>
							endsOf(number).map((end) => [end, number] as const),
						),
					),
				);
			holding.set(fields, lists);
			return lists;
		},
		areOfOthers(items, rowsOf) {
			const rows = [...rowsOf.values()].flat();
			const ends = new Map(
				numbersOf(rows).flatMap((number) => endsOf(number).map((end) => [end, number] as const)),
			);
			const all = [...items];
			const at = listsHolding({ all }, ends).find(({ list }) => list === all)?.at ?? [];
			const known = heldIn([{ at }]);
			const placeOf = new Map(items.map((fields, place) => [fields, place]));
			return [...rowsOf].some(([fields, of]) =>
				numbersOf(of).some(
					(number) => known.has(number) && !at[placeOf.get(fields) ?? -1]?.has(number),
				),
			);
		},
		listsOfCells(fields, rows) {
			const cells = rows.flatMap((row) => Object.values(steps.itemsOf(undefined)[row] ?? {}));
			const ends = cells
				.map((cell) => endOf(textIfAny(cell) ?? ''))
				.filter(({ length }) => length === TELLING);
			return listsHolding(fields, new Map(ends.map((end) => [end, end])));
		},
	};
}

/** A list in an item, and which of the looked for each entry of it holds. */
export interface Held {
	list: unknown[];
	at: ReadonlyArray<ReadonlySet<string>>;
}

export const heldIn = (lists: ReadonlyArray<Pick<Held, 'at'>>): Set<string> =>
	new Set(lists.flatMap(({ at }) => at.flatMap((held) => [...held])));

/** The lists in an item that hold some of these. `byEnd`: what is looked for, by what cells that hold it end in. */
function listsHolding(fields: Fields, byEnd: ReadonlyMap<string, string>): Held[] {
	const lists: Held[] = [];
	const known = new Map<unknown, ReadonlySet<string>>();
	const look = (value: unknown, depth: number): ReadonlySet<string> => {
		const found = new Set<string>();
		if (typeof value !== 'object' || value === null) {
			const held = byEnd.get(endOf(textIfAny(value) ?? ''));
			return held === undefined ? found : found.add(held);
		}
		// Items of a Code step may refer to themselves.
		const before = known.get(value);
		if (before || depth > DEEPEST) return before ?? found;
		known.set(value, found);
		const at = Object.values(value).map((each) => look(each, depth + 1));
		for (const held of at) for (const each of held) found.add(each);
		if (Array.isArray(value) && found.size > 0) lists.push({ list: value, at });
		return found;
	};
	if (byEnd.size > 0) look(fields, 0);
	return lists;
}

const DEEPEST = 20;

/** So many digits at its end tell a number from others, however its beginning is written; a whole one may have fewer behind its country's code. */
const TELLING = 8;
const FEWEST = 5;
const LONGEST_CODE = 3;
const LONGEST = 15;

const digitsIn = (text: string): string => text.replace(/\D/g, '');
/** A list or an object may hold anything. */
const LONG = '0'.repeat(FEWEST);

/** The digits of the numbers that each input item has. */
function numbersByItem(checked: readonly CheckedRow[]): Map<number, Set<string>> {
	const numbers = new Map<number, Set<string>>();
	for (const each of checked) {
		const { itemIndex, destination } = each.ok ? each.value : each.error;
		const of = numbers.get(itemIndex) ?? new Set();
		const digits = digitsIn(destination);
		numbers.set(itemIndex, digits.length < FEWEST ? of : of.add(digits));
	}
	return numbers;
}

/** What a cell that holds the number may end in. */
const endsOf = (number: string): string[] => [
	number.slice(-TELLING),
	...[...Array(TELLING).keys()]
		.slice(FEWEST, TELLING)
		.flatMap((length) => (number.length - length <= LONGEST_CODE ? [number.slice(-length)] : [])),
];

function endOf(cell: string): string {
	const digits = cell.length > MOST_CHARACTERS ? '' : digitsIn(cell).replace(/^0+/, '');
	return digits.length > LONGEST ? '' : digits.slice(-TELLING);
}

const MOST_CHARACTERS = 100;
