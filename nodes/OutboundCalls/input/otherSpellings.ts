import { ENTRIES, isChosenBy, nameOf, type Path, valuesAt } from '../domain/expression/path';
import { type Asked, readingOf } from '../domain/expression/reading';
import { quoted } from '../domain/format';
import { hasWord, meansNo, readOptedOut, sameWord } from '../domain/optedOut';
import { type Column, isOfRow } from '../domain/expression/values';
import { leavesOf } from '../domain/json';
import { readNoCallDates } from '../domain/hours/noCallDates';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import type { MadeColumn } from '../execution/madeColumns';
import { Misread, type PerItem } from '../execution/parameters';
import { type Reader, textOf } from './oneOfMany';
import { madeOf } from './readings';
import { OF_EACH_ROW } from './labels';
import { NO_CALL_DATES, OPTED_OUT, TIME_ZONE } from './stored';

/** Whether a cell is, or has in it, the word as it stands. Of a list, each entry. `==` and names of properties compare numbers to what they are written as. */
function isAsAsked({ word, isPart, isLoose, isName }: Asked, cell: unknown): boolean {
	if (isPart)
		return typeof cell === 'string'
			? cell.includes(String(word))
			: Array.isArray(cell) && cell.includes(word);
	return (
		word === cell ||
		(isName === true && String(word) === String(cell)) ||
		(isLoose === true && typeof word !== typeof cell && Number(word) === Number(cell))
	);
}

/** The cell, or what of a list in it is the word in another spelling; a text may have it in it. Undefined if nothing is. */
const otherSpelling = ({ word, isPart }: Asked, cell: unknown): unknown =>
	word === undefined
		? undefined
		: leavesOf(cell).find(
				(entry) =>
					sameWord(word, entry) ||
					(isPart === true && entry === cell && hasWord(word, String(entry))),
			);

/** Of a list, each entry. */
function cellsAt(fields: unknown, path: Path): unknown[] {
	const place = path.findIndex((name) => name === ENTRIES || isChosenBy(name));
	if (place < 0) return valuesAt(fields, path);
	return valuesAt(fields, path.slice(0, place))
		.flat()
		.flatMap((entry) => cellsAt(entry, path.slice(place + 1)));
}

function* cellsOfAll(items: readonly unknown[], path: Path): Generator {
	for (const fields of items) yield* cellsAt(fields, path);
}

/** The words that a cell spells otherwise; none of those that it may be, if it is one of them. */
function spelledOtherwise(all: readonly Asked[], cell: unknown): Asked[] {
	const isOne = all.some((asked) => !asked.isPart && isAsAsked(asked, cell));
	return all.filter(
		(asked) =>
			!isAsAsked(asked, cell) &&
			!(isOne && !asked.isPart) &&
			otherSpelling(asked, cell) !== undefined,
	);
}

/** What is asked of one column, together: what knows the cell as it stands knows it. `by`: the Edit Fields that asks. */
interface AskedOfColumn {
	by: MadeColumn | undefined;
	step: string | undefined;
	column: Column;
	/** Each row by its own cell. */
	isOfRow: boolean;
	all: Asked[];
}

function askedIn({ parameters, steps }: Reader, name: string): AskedOfColumn[] {
	const stored = parameters.raw(name);
	const reading = readingOf(stored);
	const made = reading.columns.flatMap((column) => {
		const by = madeOf(steps, column);
		return by ? [{ by, reading: readingOf(by.stored, by.inside), ofRows: isOfRow(column) }] : [];
	});
	const found = new Map<string, AskedOfColumn>();
	for (const {
		by,
		reading: { asked: all },
		ofRows,
	} of [{ by: undefined, reading, ofRows: true }, ...made])
		for (const asked of all) {
			const { path, takes } = asked;
			const step = asked.step ?? by?.step;
			const key = JSON.stringify([by?.by, ofRows, step, takes, path]);
			const same = found.get(key);
			if (same) same.all.push(asked);
			else
				found.set(key, {
					by,
					step,
					column: asked,
					isOfRow: ofRows && isOfRow(asked),
					all: [asked],
				});
		}
	return [...found.values()];
}

/** Why the answer of a cell that comes to no is another one than it says: it has a word in another spelling ("Yes", or true, is not === 'yes'), or counts as true. */
function misreadIn(
	{ by, column, all }: AskedOfColumn,
	label: string,
	cell: unknown,
	remedy: string,
): Problem | undefined {
	const isOther = spelledOtherwise(all, cell).length > 0;
	const isTrue =
		all.some(({ word }) => word === undefined) &&
		meansNo(cell) &&
		!all.some((asked) => isAsAsked(asked, cell));
	if (!isOther && !isTrue) return undefined;
	const who = by ? `the step ${quoted(by.by)}` : label;
	const name = quoted(nameOf(column.path));
	const message = isOther
		? `${who} compares ${name} with a word that the cell spells otherwise: ${quoted(cell)}`
		: `${who} counts any text in ${name} as true, also ${quoted(cell)}`;
	return { message, remedy };
}

const isCallable = (value: unknown): boolean => {
	const said = readOptedOut(value);
	return said.ok && said.value === 'callable';
};

const isOptedOut = (value: unknown, meant: unknown): boolean =>
	!isCallable(value) || isCallable(meant);

/** What is no date is refused for that. */
const hasDays = (value: unknown, meant: unknown): boolean => {
	const [said, wanted] = [readNoCallDates(value), readNoCallDates(meant)];
	return !said.ok || (wanted.ok && [...wanted.value].every((day) => said.value.has(day)));
};

const isSameText = (value: unknown, meant: unknown): boolean => textOf(value) === textOf(meant);

const COMPARED = 'Compare in small letters: String(…).toLowerCase() === "east".';

/** The options of a row that protect its person: whether one does it as well as it is meant to, and what to do where a cell is compared. */
export const OF_ROWS = {
	[OPTED_OUT]: {
		label: OF_EACH_ROW.optedOut,
		does: isOptedOut,
		remedy:
			'Drag that column into Opted Out as it is: the option knows yes, TRUE, stop and the like.',
	},
	[NO_CALL_DATES]: { label: OF_EACH_ROW.noCallDates, does: hasDays, remedy: COMPARED },
	[TIME_ZONE]: { label: OF_EACH_ROW.timeZone, does: isSameText, remedy: COMPARED },
};

/** `read`, of such an option, that throws where its expression, or that of an Edit Fields, takes a cell for something else than it says, and would come to something else. */
export function asWritten(
	{ parameters, steps, input }: Execution,
	name: keyof typeof OF_ROWS,
	read: PerItem<unknown>,
): PerItem<unknown> {
	const stored = parameters.raw(name);
	const { label, does, remedy } = OF_ROWS[name];
	const checks = askedIn({ parameters, steps }, name).flatMap((check) => {
		const { step, column } = check;
		if (!check.isOfRow) return [];
		const items =
			step === undefined ? input : column.takes === 'samePlace' ? steps.itemsOf(step) : undefined;
		return [{ ...check, itemOf: (row: number) => (items ? items[row] : steps.itemOf(step!, row)) }];
	});
	if (checks.length === 0) return read;
	return (row) => {
		const value = read(row);
		const misread = checks.flatMap((check) =>
			cellsAt(check.itemOf(row), check.column.path).flatMap((cell) => {
				const problem = misreadIn(check, `the option ${label}`, cell, remedy);
				return problem ? [{ ...check, cell, problem }] : [];
			}),
		);
		const [first] = misread;
		if (first && !does(value, parameters.wouldBe(stored, row, asMeant(misread)) ?? true))
			throw new Misread(first.problem);
		return value;
	};
}

/** Columns of the row as an expression would know them, by name: something else may make it no all the same. Undefined where some are of no row. */
function asMeant(misread: ReadonlyArray<AskedOfColumn & { cell: unknown }>): object | undefined {
	if (
		misread.some(
			({ by, step, column }) => by !== undefined || step !== undefined || column.path.length > 1,
		)
	)
		return undefined;
	return Object.fromEntries(
		misread.map(({ column, all, cell }) => [
			column.path[0]!,
			spelled(spelledOtherwise(all, cell), cell),
		]),
	);
}

/** A cell with these words as they are asked for; if there are none, an empty one. */
function spelled([first, ...others]: readonly Asked[], cell: unknown): unknown {
	if (!first?.isPart) return first?.word ?? '';
	const parts = [first, ...others].map(({ word }) => word);
	return Array.isArray(cell)
		? [...(cell as unknown[]), ...parts]
		: [...parts, cell, ...parts].join(' ');
}

/** Why a list in an option may lack somebody: it is chosen by a word that a cell spells otherwise. May be cut where it yields. */
export function* chosenOtherwise(
	execution: Reader,
	name: string,
	label: string,
): Generator<void, Problem | undefined> {
	for (const check of askedIn(execution, name)) {
		const { by, step, column } = check;
		if (check.isOfRow && name in OF_ROWS) continue;
		if (!by && column.takes !== 'each' && !column.path.includes(ENTRIES)) continue;
		const items = by && column.step === undefined ? by.input() : execution.steps.itemsOf(step);
		// Most of them say the same.
		const seen = new Set<unknown>();
		for (const cell of cellsOfAll(items, column.path)) {
			const misread = seen.has(cell) ? undefined : misreadIn(check, label, cell, COMPARED);
			if (misread) return { ...misread, message: misread.message.replace(/^t/, 'T'), field: true };
			seen.add(cell);
			yield;
		}
	}
	return undefined;
}
