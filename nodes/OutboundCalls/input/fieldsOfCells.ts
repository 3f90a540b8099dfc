import {
	cellIn,
	ENTRIES,
	holdsNoField,
	isChosenBy,
	isPlace,
	nameOf,
	type Path,
	valuesAt,
} from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { countEntries } from '../domain/doNotCall';
import { type Fields, isBlank } from '../domain/fields';
import { quoted } from '../domain/format';
import { isObject, leavesOf } from '../domain/json';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import { noFields, type PerItem } from '../execution/parameters';
import type { Reader } from './oneOfMany';
import type { MadeColumn } from '../execution/madeColumns';
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
	const asked =
		typeof stored === 'string'
			? GUARDS.flatMap((guard) => [...stored.matchAll(guard)].map(([, of]) => of!))
			: [];
	return asked.some((of) => columns.some(({ path }) => of.includes(String(path[0]))));
}

/**
 * `read`, of a parameter as it is stored, that throws where it takes a field of a cell that is text, a number or a list in this row: the cell says something, and the
 * field, which is not there, would say that there is nothing. An Edit Fields may take it, too.
 */
export function fieldsOfCells<T>(
	{ steps, input }: Execution,
	stored: unknown,
	read: PerItem<T>,
): PerItem<T> {
	const made = readingOf(stored).columns.flatMap((column) => madeOf(steps, column) ?? []);
	const checks = [{ stored, inside: undefined, step: undefined, by: undefined }, ...made].flatMap(
		({ stored: of, inside, step, by }) =>
			readingOf(of, inside)
				.needed.filter((columns) => !isGuarded(of, columns))
				.map((columns) => ({
					by,
					columns: columns.map((column) => ({ ...column, step: column.step ?? step })),
				}))
				.filter(({ columns }) =>
					columns.every(({ takes, path }) => takes === 'ofRow' && path.length > 1),
				),
	);
	if (checks.length === 0) return read;
	const itemOf = (row: number, { step }: Column): Fields | undefined =>
		step === undefined ? input[row] : steps.itemOf(step, row);
	/** Which of them stand in a list in some row. */
	const inLists = new Map<Column, boolean>();
	const isTextAmongLists = (row: number, column: Column): boolean => {
		const listOf = (of: number): unknown =>
			valuesAt(itemOf(of, column), column.path.slice(0, column.path.findIndex(isPlace)))[0];
		if (!column.path.some(isPlace) || !isText(listOf(row))) return false;
		const isInLists = inLists.get(column) ?? input.some((_, other) => Array.isArray(listOf(other)));
		inLists.set(column, isInLists);
		return isInLists;
	};
	const isNoField = (row: number, column: Column): boolean =>
		isTextAmongLists(row, column) || holdsNoField(itemOf(row, column), column.path);
	return (row) => {
		for (const { by, columns } of checks)
			if (columns.every((column) => isNoField(row, column)))
				throw noFields(nameOf(columns[0]!.path), by);
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

/** A cell as it would be if what it says were the field that is taken of it. */
function withField(cell: unknown, [name, ...rest]: Path, said: unknown): unknown {
	if (name === undefined) return cell ?? said;
	const isOfAll = !isPlace(name) && name.startsWith('\0');
	if (Array.isArray(cell) && isOfAll)
		return cell.map((entry) =>
			holdsNoField(entry, rest) ? withField(entry, rest, leavesOf(entry)[0]) : (entry as unknown),
		);
	if (isObject(cell) && !isPlace(name))
		return { ...cell, [name]: withField(cell[name], rest, said) };
	if (name === 'length') return String(said);
	const field = withField(undefined, rest, said);
	return isPlace(name) || isOfAll ? [field] : { [name]: field };
}

const ofHolding = (by: MadeColumn | undefined, label: string, path: Path): Problem => ({
	message: `${by ? `The step ${quoted(by.by)}` : label} takes ${quoted(nameOf(path))} of a cell that holds something else`,
	remedy: 'Correct the cell, or write item.json.contact.phone ?? item.json.contact.',
	field: true,
});

/** As many items of a step are tried. */
const MOST_TRIED = 200;

/**
 * Why what an option takes of a list may lack something: it takes a field of cells that hold something else. `list`: of people; then, if it would have more entries if
 * these had it; where an Edit Fields takes it, or an Aggregate holds them all: if it has fewer entries than there are cells. May be cut where it yields.
 */
export function* fieldsOfList(
	{ parameters, steps }: Reader,
	name: string,
	label: string,
	list?: unknown,
): Generator<void, Problem | undefined> {
	const stored = parameters.raw(name);
	const reading = readingOf(stored);
	const made = reading.columns.flatMap((column) => madeOf(steps, column) ?? []);
	const checks = [undefined, ...made].flatMap((by) =>
		(by ? readingOf(by.stored, by.inside) : reading).needed
			.filter((columns) =>
				columns.every(({ takes, step }) =>
					list === undefined
						? takes === 'each' && step !== undefined
						: by !== undefined || takes === 'each',
				),
			)
			.filter((columns) => (!by && list !== undefined) || !isGuarded(by?.stored ?? stored, columns))
			// An Aggregate takes a column that has the whole name first.
			.flatMap((columns) =>
				columns
					.filter(({ path }) => path.length > 1)
					.slice(0, 1)
					.map((first) => ({ by, columns, first })),
			),
	);
	const entries = countEntries(list);
	let lacks: Problem | undefined;
	/** By step and place, cells with all fields that are taken of them: as they say it, or as it is asked for. */
	const cells = [new Map<string | undefined, Cells>(), new Map<string | undefined, Cells>()];
	for (const { by, columns, first } of checks) {
		const { step, path } = first;
		const { lacking, filled } = yield* lackingIn(
			by && step === undefined ? by.input() : steps.itemsOf(step),
			first,
			columns,
		);
		if (lacking.size === 0) continue;
		lacks ??= ofHolding(by, label, path);
		if (list === undefined) return lacks;
		if (by || !allOf(step).test(String(stored))) {
			if (entries < filled) return ofHolding(by, label, path);
			continue;
		}
		const word = reading.asked.find((asked) => nameOf(asked.path) === nameOf(path))?.word;
		const cell = String(path[0]);
		for (const [place, fields] of [...lacking].slice(0, MOST_TRIED))
			cells.forEach((ofWay, way) => {
				const said = leavesOf(fields[cell])[0];
				const tried = ofWay.get(step) ?? {};
				const of = { ...fields, ...tried[place] }[cell];
				tried[place] = {
					...tried[place],
					[cell]: withField(of, path.slice(1), way === 0 ? said : (word ?? said)),
				};
				ofWay.set(step, tried);
			});
	}
	const isLonger = cells.some((ofWay) => {
		const would = [...ofWay].reduce(
			(code, [step, tried]) => withCells(code, step, tried),
			String(stored),
		);
		return ofWay.size > 0 && countEntries(parameters.comesTo(would, 0)) > entries;
	});
	return isLonger ? lacks : undefined;
}

/** By place, cells of an item by their names. */
type Cells = Record<number, Record<string, unknown>>;

/** The items of which a cell lacks what all these take of it, by their places, and how many cells hold something. */
function* lackingIn(
	items: readonly Fields[],
	{ path }: Column,
	columns: readonly Column[],
): Generator<void, { lacking: Map<number, Fields>; filled: number }> {
	const lacking = new Map<number, Fields>();
	let filled = 0;
	for (const [place, fields] of items.entries()) {
		const held = valuesAt(fields, path.includes(ENTRIES) ? cellIn(path) : path.slice(0, 1));
		filled += held.flat().filter((cell) => !isBlank(cell)).length;
		if (
			columns.every((column) =>
				column.path.length === 1
					? isBlank(fields[String(column.path[0])])
					: lacksField(fields, column.path),
			)
		)
			lacking.set(place, fields);
		yield;
	}
	return { lacking, filled };
}

/** How an expression names all items of a step. */
const allOf = (step: string | undefined): RegExp => {
	const name =
		step === undefined
			? String.raw`\$input`
			: String.raw`\$\(\s*(['"\`])${step.replace(/\W/g, String.raw`\$&`)}\1\s*\)`;
	return new RegExp(String.raw`${name}\s*\.\s*all\(\s*0?\s*\)`, 'g');
};

/** An expression as it is stored, with these cells in items of a step, by their places. */
function withCells(stored: string, step: string | undefined, cells: Cells): string {
	// A code ends at the next }} (n8n behaviour).
	const json = JSON.stringify(cells).replaceAll('}', '} ');
	const other = `.map((item, place) => Object.assign({ }, item, { json: Object.assign({ }, item.json, (${json})[place]) }))`;
	return stored.replace(allOf(step), (all) => all + other);
}
