import { ENTRIES, holdsNoField, isChosenBy, isPlace, nameOf, type Path, valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { type Fields, isBlank } from '../domain/fields';
import { quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import { noFields, type PerItem } from '../execution/parameters';
import type { Reader } from './oneOfMany';
import { madeOf } from './readings';

const isText = (value: unknown): boolean => typeof value === 'string' && !isBlank(value);

/** What an expression asks of a cell that it allows for: whether it is there, and what it holds. */
const GUARDS = [
	/\btypeof\s+([^\s=!&|?:)]+)/g,
	/\bisArray\(([^)]+)\)/g,
	/([^\s(!&|]{1,200})\s+instanceof\b/g,
	/([^\s(!&|]{1,200})\s*[!=]==?\s*undefined\b/g,
];

/** Whether an expression asks itself what one of the cells holds. */
function isGuarded(stored: unknown, columns: readonly Column[]): boolean {
	const asked = typeof stored === 'string' ? GUARDS.flatMap((guard) => [...stored.matchAll(guard)].map(([, of]) => of!)) : [];
	return asked.some((of) => columns.some(({ path }) => of.includes(String(path[0]))));
}

/**
 * `read`, of a parameter as it is stored, that throws where it takes a field of a cell that is text, a number or a list in this row: the cell says something, and the
 * field, which is not there, would say that there is nothing. An Edit Fields may take it, too.
 */
export function fieldsOfCells<T>({ steps, input }: Execution, stored: unknown, read: PerItem<T>): PerItem<T> {
	const made = readingOf(stored).columns.flatMap((column) => madeOf(steps, column) ?? []);
	const checks = [{ stored, inside: undefined, step: undefined, by: undefined }, ...made].flatMap(({ stored: of, inside, step, by }) =>
		readingOf(of, inside)
			.needed.filter((columns) => !isGuarded(of, columns))
			.map((columns) => ({ by, columns: columns.map((column) => ({ ...column, step: column.step ?? step })) }))
			.filter(({ columns }) => columns.every(({ takes, path }) => takes === 'ofRow' && path.length > 1)),
	);
	if (checks.length === 0) return read;
	const itemOf = (row: number, { step }: Column): Fields | undefined => (step === undefined ? input[row] : steps.itemOf(step, row));
	/** Which of them stand in a list in some row. */
	const inLists = new Map<Column, boolean>();
	const isTextAmongLists = (row: number, column: Column): boolean => {
		const listOf = (of: number): unknown => valuesAt(itemOf(of, column), column.path.slice(0, column.path.findIndex(isPlace)))[0];
		if (!column.path.some(isPlace) || !isText(listOf(row))) return false;
		const isInLists = inLists.get(column) ?? input.some((_, other) => Array.isArray(listOf(other)));
		inLists.set(column, isInLists);
		return isInLists;
	};
	const isNoField = (row: number, column: Column): boolean => isTextAmongLists(row, column) || holdsNoField(itemOf(row, column), column.path);
	return (row) => {
		for (const { by, columns } of checks) if (columns.every((column) => isNoField(row, column))) throw noFields(nameOf(columns[0]!.path), by);
		return read(row);
	};
}

/** Whether it is so of an entry of a list that the path leads to. */
function lacksField(fields: unknown, path: Path): boolean {
	const at = path.findIndex((name) => name === ENTRIES || isChosenBy(name));
	if (at < 0) return holdsNoField(fields, path);
	return (
		holdsNoField(fields, path.slice(0, at)) ||
		valuesAt(fields, path.slice(0, at))
			.flat()
			.some((entry) => lacksField(entry, path.slice(at + 1)))
	);
}

/**
 * Why the list of Do Not Call may lack somebody: it has fewer entries than there are cells, and takes a field of one that holds something else. An Edit Fields may take
 * it, too. May be cut where it yields. `entries`: of the list.
 */
export function* fieldsOfList({ parameters, steps }: Reader, entries: number): Generator<void, Problem | undefined> {
	const stored = parameters.raw('options.doNotCall');
	const reading = readingOf(stored);
	const made = reading.columns.flatMap((column) => madeOf(steps, column) ?? []);
	const checks = [undefined, ...made].flatMap((by) =>
		(by ? readingOf(by.stored, by.inside) : reading).needed
			.filter((columns) => columns.length > 0 && columns.every(({ path, takes }) => path.length > 1 && (by !== undefined || takes === 'each')))
			.filter((columns) => !isGuarded(by?.stored ?? stored, columns))
			.map((columns) => ({ by, columns, first: columns[0]! })),
	);
	for (const { by, columns, first } of checks) {
		let filled = 0;
		let lacking = 0;
		for (const fields of by && first.step === undefined ? by.input() : steps.itemsOf(first.step)) {
			if (valuesAt(fields, first.path.slice(0, 1)).some((cell) => !isBlank(cell))) filled++;
			if (columns.every(({ path }) => lacksField(fields, path))) lacking++;
			yield;
		}
		if (lacking > 0 && entries < filled)
			return {
				message: `${by ? `The step ${quoted(by.by)}` : 'Do Not Call'} takes ${quoted(nameOf(first.path))} of a cell that holds something else`,
				remedy: 'Correct the cell, or write item.json.contact.phone ?? item.json.contact.',
				field: true,
			};
	}
	return undefined;
}
