import { cellIn, valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import { codesOf } from '../domain/expression/tree';
import type { Column } from '../domain/expression/values';
import { type Fields, isBlank } from '../domain/fields';
import { ok } from '../domain/problem';
import type { Execution } from '../execution/execution';
import type { MadeColumn } from '../execution/madeColumns';
import { ENDED, OF_ITEM, type PerItem, tryRead } from '../execution/parameters';
import type { Reader } from './oneOfMany';
import { madeOf } from './readings';

/** What fits any text. */
const OF_TEXT =
	/\.(?:concat|endsWith|includes|normalize|pad(?:End|Start)|replace(?:All)?|slice|startsWith|substring|to(?:Lower|Upper)Case|toString|trim(?:End|Start)?)\(/g;
/** These are others in an Edit Fields than here. */
export const OF_PLACE = /\$(?:binary|input|item|items|itemIndex|node|position|prevNode|runIndex)\b/;

/**
 * `read`, of parameters as they are stored, that throws where an Edit Fields has made one of their columns of a cell that its expression does not fit: n8n leaves it
 * empty then, without a word. `isWhole`: an empty cell is a part that is missing; otherwise it says nothing.
 */
export function fittingBehind<T>(
	execution: Execution,
	stored: readonly unknown[],
	read: PerItem<T>,
	isWhole = false,
): PerItem<T> {
	const checks = stored
		.flatMap((each) => readingOf(each).columns)
		.flatMap((column) => checkOf(execution, column, isWhole) ?? []);
	if (checks.length === 0) return read;
	return (row) => {
		for (const check of checks) check(row);
		return read(row);
	};
}

/**
 * What an Edit Fields makes of all that it takes: of each of the items that it was given, as far as they say something to it, and of the lists of other steps. As an
 * expression here; undefined where that cannot be said.
 */
export function madeOfAll(
	{ steps }: Reader,
	{ stored, inside, step: given, input }: MadeColumn,
): string | undefined {
	const { columns } = readingOf(stored);
	// Of one step before it, each item is that of another one, as far as they were let through.
	const named = columns.find(({ step: of, takes }) => of !== undefined && takes === 'ofRow')?.step;
	const step =
		named !== undefined && columns.every(({ step: of }) => of !== undefined) ? named : given;
	const isOwn = ({ step: of, takes }: Column): boolean =>
		of === undefined || (of === step && takes === 'ofRow');
	const own = columns.filter(isOwn);
	// As they are told here.
	const areTold = (): boolean => {
		const [all, items] = [input(), steps.itemsOf(step)];
		return named === step || (items.length === all.length && items[0] === all[0]);
	};
	// A code ends at the next }} (n8n behaviour).
	if (
		step.includes('}}') ||
		inside.length > 0 ||
		columns.some((each) => !isOwn(each) && each.takes !== 'each') ||
		(own.length > 0 && !areTold())
	)
		return undefined;
	const names = ["'", '"', '`'].map((quote) => `$(${quote}${step}${quote}).item.json`);
	const ofGiven = (code: string): string =>
		names
			.reduce((all, each) => all.replaceAll(each, '$json'), code)
			.replace(OF_ITEM, 'givenItem.json');
	const codes = codesOf(stored).map((code) => ofGiven(code).replace(ENDED, ''));
	if (codes.some((code) => OF_PLACE.test(code))) return undefined;
	const cells = own.map(
		({ path }) =>
			`givenItem.json${cellIn(path)
				.map((name) => `?.[${JSON.stringify(name)}]`)
				.join('')}`,
	);
	const said = `[${cells.join()}].some((cell) => String(cell ?? '').trim() !== '')`;
	// Behind a comment, a new line ends it.
	const made = codes.map((code) => `${code}\n`).join();
	return own.length === 0
		? `={{ [${made}] }}`
		: `={{ $(${JSON.stringify(step)}).all().filter((givenItem) => ${said}).map((givenItem) => [${made}]) }}`;
}

/** Whether the expression of an Edit Fields fits all that it takes. Undefined where that cannot be worked out here. */
export function fitsList(reader: Reader, made: MadeColumn): boolean | undefined {
	const all = madeOfAll(reader, made);
	return all === undefined
		? undefined
		: tryRead(() => ok(reader.parameters.inAllParts(all, () => undefined)(0))).ok;
}

function checkOf(
	{ parameters, steps, input }: Execution,
	column: Column,
	isWhole: boolean,
): ((row: number) => void) | undefined {
	const made = column.takes === 'ofRow' ? madeOf(steps, column) : undefined;
	if (made?.inside.length !== 0 || typeof made.stored !== 'string' || made.step.includes('}}'))
		return undefined;
	const here = made.stored.replace(OF_ITEM, () => `$(${JSON.stringify(made.step)}).item.json`);
	const itemOf = (row: number): Fields | undefined =>
		column.step === undefined ? input[row] : steps.itemOf(column.step, row);
	const said = (row: number): unknown => valuesAt(itemOf(row), column.path)[0] ?? undefined;
	const check = parameters.inAllParts(here, said, { step: made.by, stored: made.stored });
	if (check === said || OF_PLACE.test(here)) return undefined;
	const { columns } = readingOf(made.stored);
	const isOfOneStep = columns.every(({ step }) => step === undefined);
	// In a cell that is text, no field is text.
	const isOfText =
		isOfOneStep &&
		columns.every(({ path }) => path.length === 1) &&
		!/\.\w+\(/.test(made.stored.replace(OF_TEXT, ' ('));
	return (row) => {
		// The host takes its time to tell whose item a row is.
		const item = steps.itemOf(made.step, row);
		if (!item) return;
		const cells = columns.flatMap(({ path }) => valuesAt(item, path));
		if (isOfOneStep && !isWhole && cells.every(isBlank)) return;
		if (!(isOfText && cells.every((cell) => typeof cell === 'string'))) check(row);
	};
}
