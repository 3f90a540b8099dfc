import { type Column, columnsIn, hasColumn, isBlank, listsIn } from '../domain/expressions';
import type { Fields } from '../domain/fields';
import type { Execution } from '../execution/execution';
import { holdsExpression } from '../execution/parameters';

type Reader = Pick<Execution, 'parameters' | 'steps'>;

const isOfRow = ({ step, takes }: Column): boolean => step === undefined && takes === 'ofRow';

/**
 * Of an option, whether what it came to for a row may be that of a misspelt column: nothing has any of those that its expression names, and it does not
 * say of each what is to count without it. `{{ $json.stauts === 'stop' }}` is false for everybody. What names no column cannot be looked up: there, a
 * blank may be one.
 */
export function mayBeMisspelt({ parameters, steps }: Reader, name: string): (value: unknown, row: Fields) => boolean {
	const stored = parameters.raw(name);
	if (!holdsExpression(stored)) return () => false;
	const columns = columnsIn(stored);
	const saysOtherwise = columns.every((column) => column.saysOtherwise);
	const lists = listsIn(stored);
	const namesList = lists.steps.length > 0 && lists.columns.length > 0;
	let isInLists: boolean | undefined;
	let isInStep: boolean | undefined;
	const lookUp = (): boolean =>
		columns.some((column) => !isOfRow(column) && steps.itemsOf(column.step).some((fields) => hasColumn(fields, column.path)));
	return (value, row) => {
		if (value === undefined || !(isInLists ??= eachHasTheirs(steps, lists))) return true;
		if (columns.some((column) => isOfRow(column) && hasColumn(row, column.path))) return false;
		return ((isBlank(value) && !namesList) || !saysOtherwise) && !(isInStep ??= lookUp());
	};
}

/** Whether each list has one of the columns that are asked of its items; the one empty item of Always Output Data is no list (n8n behaviour). */
function eachHasTheirs(steps: Reader['steps'], lists: ReturnType<typeof listsIn>): boolean {
	const asked = lists.columns.filter(({ saysOtherwise }) => !saysOtherwise);
	if (asked.length === 0) return true;
	return lists.steps.every((step) => {
		const items = steps.itemsOf(step).filter((fields) => Object.keys(fields).length > 0);
		return items.length === 0 || items.some((fields) => asked.some(({ path }) => hasColumn(fields, path)));
	});
}
