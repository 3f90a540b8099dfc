import { BESIDE_JSON, haveColumn, nameOf } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { type Fields, isBlank } from '../domain/fields';
import { quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import type { MadeColumn } from '../execution/madeColumns';
import { SETTINGS } from './labels';
import { madeOf } from './readings';

type Reader = Pick<Execution, 'parameters' | 'steps'>;

/** The items that a column is of. Of the rows, an empty one is a row; of a list, the one empty item of Always Output Data is none (n8n behaviour). */
const itemsOf = (steps: Reader['steps'], { step, takes }: Column): readonly Fields[] =>
	ofRowsOrList(steps.itemsOf(step), takes);

const ofRowsOrList = (items: readonly Fields[], takes: Column['takes']): readonly Fields[] =>
	takes !== 'each' ? items : items.filter((fields) => Object.keys(fields).length > 0);

/**
 * Says that an option needs a column which no item has: it was renamed, or is misspelt. What such an option says is the same for everybody then, such as the no
 * of `{{ $json.stauts === 'stop' }}`. Undefined where each is there. Of a step that has no items, nobody knows. `remedy`: of a column that was renamed.
 */
export function missingColumn(
	{ parameters, steps }: Reader,
	name: string,
	label: string,
	remedy: string,
): Problem | undefined {
	const { needed } = readingOf(parameters.raw(name));
	const missing = needed.find(
		(each) => !each.some((column) => haveColumn(itemsOf(steps, column), column.path)),
	);
	if (!missing) return missingBehind(steps, needed, label, remedy);
	const besideJson = missing.find(({ path }) => path[0] === BESIDE_JSON);
	if (besideJson) {
		const column = nameOf(besideJson.path);
		// `$("List").json` is of a step, which is no item.
		const lacks = column.startsWith('json') ? '.item' : '.json';
		return {
			message: `${label} names ${quoted(column)} without ${lacks} before it, and finds nothing`,
			remedy: `Write ${lacks}.${column} there.`,
			field: true,
		};
	}
	const columns = [...new Set(missing.map(({ path }) => quoted(nameOf(path))))].join(' or ');
	const [{ step } = { step: undefined }] = missing;
	const message = `No ${step === undefined ? 'row' : `item of the step ${quoted(step)}`} has the column ${columns}, which ${label} names`;
	return { message, remedy, field: true };
}

/** The same of a column that an Edit Fields before the node makes: it makes it whether what it is made of is there or not (n8n behaviour). */
function missingBehind(
	steps: Reader['steps'],
	needed: ReadonlyArray<readonly Column[]>,
	label: string,
	remedy: string,
): Problem | undefined {
	for (const each of needed) {
		const missing = each.map((column) => {
			const made = madeOf(steps, column);
			const lacking =
				made &&
				readingOf(made.stored, made.inside).needed.find(
					(of) => !of.some((one) => isThereBehind(steps, made, one, column)),
				);
			return lacking && { made, column: lacking[0]! };
		});
		const [first] = missing;
		if (first && missing.every((one) => one !== undefined)) {
			const { made, column } = first;
			return {
				message: `No item of the step ${quoted(column.step ?? made.step)} has the column ${quoted(nameOf(column.path))}, of which the step ${quoted(made.by)} makes ${label}`,
				remedy: remedy.replace('in that option', 'in that step'),
				field: true,
			};
		}
	}
	return undefined;
}

/** Whether a column is there of which an Edit Fields makes another one. Its input is a list where all of what it gives is one. */
const isThereBehind = (
	steps: Reader['steps'],
	made: MadeColumn,
	column: Column,
	{ takes }: Column,
): boolean =>
	haveColumn(
		column.step === undefined
			? ofRowsOrList(made.input(), made.isList ? 'each' : takes)
			: itemsOf(steps, column),
		column.path,
	);

/** What is said above the table of columns that are not there: some are optional, such as one that says of a few rows that they are tests. */
export const withoutColumn = (execution: Reader): string =>
	Object.entries(SETTINGS)
		.map(([name, label]) => missingColumn(execution, name, label, ''))
		.map((missing) => (missing ? ` ${missing.message}.` : ''))
		.join('');

/** Whether a value is blank, or nothing but commas, as a misspelt column leaves them between. */
export const saysNothing = (value: unknown): boolean =>
	isBlank(typeof value === 'string' ? value.replace(/[,;]/g, '') : value);

/**
 * Whether an option that came to nothing may be meant so: a column that it names is there and empty, or its list is. What names no column cannot be looked up. Of
 * a single cell of an earlier step, no commas remain.
 */
export function mayBeEmpty({ parameters, steps }: Reader, name: string, value: unknown): boolean {
	return readingOf(parameters.raw(name)).columns.some((column) => {
		const items = itemsOf(steps, column);
		const isMeant =
			column.takes === 'each' ||
			(items.length > 0 && (isBlank(value) || Array.isArray(value) || column.step === undefined));
		const made = madeOf(steps, column);
		const behind = made ? readingOf(made.stored, made.inside).columns : [];
		const isMade =
			behind.length === 0 || behind.some((each) => isThereBehind(steps, made!, each, column));
		return isMeant && isMade && haveColumn(items, column.path, true);
	});
}
