import { type Column, columnsIn, hasColumn, isBlank } from '../domain/expressions';
import type { Fields } from '../domain/fields';
import type { Execution } from '../execution/execution';
import { holdsExpression } from '../execution/parameters';

const isOfRow = ({ step, takes }: Column): boolean => step === undefined && takes === 'ofRow';

/**
 * Of an option, whether what it came to for a row may be that of a misspelt column: nothing has any of those that its expression names, and it does not
 * say of each what is to count without it. `{{ $json.stauts === 'stop' }}` is false for everybody. What names no column cannot be looked up: there, a
 * blank may be one.
 */
export function mayBeMisspelt(
	{ parameters, steps }: Pick<Execution, 'parameters' | 'steps'>,
	name: string,
): (value: unknown, row: Fields) => boolean {
	const stored = parameters.raw(name);
	if (!holdsExpression(stored)) return () => false;
	const columns = columnsIn(stored);
	const saysOtherwise = columns.every((column) => column.saysOtherwise);
	let isElsewhere: boolean | undefined;
	const findElsewhere = (): boolean =>
		columns.some((column) => !isOfRow(column) && steps.itemsOf(column.step).some((fields) => hasColumn(fields, column.path)));
	return (value, row) => {
		if (value === undefined) return true;
		if (columns.some((column) => isOfRow(column) && hasColumn(row, column.path))) return false;
		return (isBlank(value) || !saysOtherwise) && !(isElsewhere ??= findElsewhere());
	};
}
