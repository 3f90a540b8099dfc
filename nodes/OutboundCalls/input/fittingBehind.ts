import { valuesAt } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { type Fields, isBlank } from '../domain/fields';
import type { Execution } from '../execution/execution';
import type { PerItem } from '../execution/parameters';
import { madeOf } from './readings';

/** What fits any text. */
const OF_TEXT =
	/\.(?:concat|endsWith|includes|normalize|pad(?:End|Start)|replace(?:All)?|slice|startsWith|substring|to(?:Lower|Upper)Case|toString|trim(?:End|Start)?)\(/g;
/** These are others in an Edit Fields than here. */
const OF_PLACE = /\$(?:binary|input|item|items|itemIndex|node|position|prevNode|runIndex)\b/;

/**
 * `read`, of parameters as they are stored, that throws where an Edit Fields has made one of their columns of a cell that its expression does not fit: n8n leaves it
 * empty then, without a word. `isWhole`: an empty cell is a part that is missing; otherwise it says nothing.
 */
export function fittingBehind<T>(execution: Execution, stored: readonly unknown[], read: PerItem<T>, isWhole = false): PerItem<T> {
	const checks = stored.flatMap((each) => readingOf(each).columns).flatMap((column) => checkOf(execution, column, isWhole) ?? []);
	if (checks.length === 0) return read;
	return (row) => {
		for (const check of checks) check(row);
		return read(row);
	};
}

function checkOf({ parameters, steps, input }: Execution, column: Column, isWhole: boolean): ((row: number) => void) | undefined {
	const made = column.takes === 'ofRow' ? madeOf(steps, column) : undefined;
	// A code ends at the next }} (n8n behaviour).
	if (made?.inside.length !== 0 || typeof made.stored !== 'string' || made.step.includes('}}')) return undefined;
	const here = made.stored.replace(/\$json\b|\$input\.item\.json\b/g, () => `$(${JSON.stringify(made.step)}).item.json`);
	const itemOf = (row: number): Fields | undefined => (column.step === undefined ? input[row] : steps.itemOf(column.step, row));
	const said = (row: number): unknown => valuesAt(itemOf(row), column.path)[0] ?? undefined;
	const check = parameters.inAllParts(here, said, { step: made.by, stored: made.stored });
	if (check === said || OF_PLACE.test(here)) return undefined;
	const { columns } = readingOf(made.stored);
	const isOfOneStep = columns.every(({ step }) => step === undefined);
	const isOfText = isOfOneStep && !/\.\w+\(/.test(made.stored.replace(OF_TEXT, ' ('));
	return (row) => {
		// The host takes its time to tell whose item a row is.
		const item = steps.itemOf(made.step, row);
		if (!item) return;
		const cells = columns.flatMap(({ path }) => valuesAt(item, path));
		if (isOfOneStep && !isWhole && cells.every(isBlank)) return;
		if (!(isOfText && cells.every((cell) => typeof cell === 'string'))) check(row);
	};
}
