import { columnsIn, columnsOfItems, hasColumn, isBlank, listsIn, neededColumns, type Path } from '../domain/expressions';
import type { Fields } from '../domain/fields';
import { quoted } from '../domain/format';
import type { Execution } from '../execution/execution';

type Reader = Pick<Execution, 'parameters' | 'steps'>;

/** The one empty item of Always Output Data is none (n8n behaviour). */
const listOf = (steps: Reader['steps'], step: string | undefined): readonly Fields[] =>
	steps.itemsOf(step).filter((fields) => Object.keys(fields).length > 0);

/** Of the rows, an empty one is a row. */
const itemsOf = (steps: Reader['steps'], step: string | undefined): readonly Fields[] =>
	step === undefined ? steps.itemsOf(step) : listOf(steps, step);

const haveColumn = (items: readonly Fields[], path: Path): boolean => items.some((fields) => hasColumn(fields, path));

/**
 * Says that an option needs a column which no item has: it was renamed, or is misspelt. What such an option says is the same for everybody then, such as the no
 * of `{{ $json.stauts === 'stop' }}`. Undefined where each is there. Of a step that has no items, nobody knows.
 */
export function missingColumn({ parameters, steps }: Reader, name: string, label: string): string | undefined {
	const stored = parameters.raw(name);
	const { columns, ofItems } = neededColumns(stored);
	for (const each of columns) {
		const isThere = each.some(({ step, path }) => {
			const items = itemsOf(steps, step);
			return items.length === 0 || haveColumn(items, path);
		});
		if (!isThere)
			return missing(
				each[0]!.step,
				each.map(({ path }) => path),
				label,
			);
	}
	const lists = listsIn(stored)
		.map((step) => ({ step, items: listOf(steps, step) }))
		.filter(({ items }) => items.length > 0);
	for (const each of lists.length > 0 ? ofItems : [])
		if (!lists.some(({ items }) => each.some((path) => haveColumn(items, path)))) return missing(lists[0]!.step, each, label);
	// Of several lists, each has its own.
	const asked = ofItems.flat();
	const without = asked.length > 0 ? lists.find(({ items }) => !asked.some((path) => haveColumn(items, path))) : undefined;
	return without && missing(without.step, asked, label);
}

function missing(step: string | undefined, paths: readonly Path[], label: string): string {
	const columns = [...new Set(paths.map((path) => quoted(path.join('.'))))].join(' or ');
	return `No ${step === undefined ? 'row' : `item of the step ${quoted(step)}`} has the column ${columns}, which ${label} names`;
}

/** Whether a value is blank, or nothing but commas, as a misspelt column leaves them between. */
export const saysNothing = (value: unknown): boolean => isBlank(typeof value === 'string' ? value.replace(/[,;]/g, '') : value);

/**
 * Whether an option that came to nothing may be meant so: a column that it names is there and empty, or its list is. What names no column cannot be looked up, nor
 * can what it takes from entries inside one item, of which commas remain.
 */
export function mayBeEmpty({ parameters, steps }: Reader, name: string, value: unknown): boolean {
	const stored = parameters.raw(name);
	const ofItems = columnsOfItems(stored);
	return (
		columnsIn(stored).some(({ step, path }) => (isBlank(value) || step === undefined) && haveColumn(itemsOf(steps, step), path)) ||
		(ofItems.length > 0 &&
			listsIn(stored).some((step) => {
				const items = listOf(steps, step);
				return items.length === 0 || ofItems.some((path) => haveColumn(items, path));
			}))
	);
}
