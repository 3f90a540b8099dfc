import { holdsNoField, nameOf } from '../domain/expression/path';
import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import type { Execution } from '../execution/execution';
import { noFields, type PerItem } from '../execution/parameters';
import { madeOf } from './readings';

/**
 * `read`, of a parameter as it is stored, that throws where it takes a field of a cell that is text, a number or a list in this row: the cell says something, and the
 * field, which is not there, would say that there is nothing. An Edit Fields may take it, too.
 */
export function fieldsOfCells<T>({ steps, input }: Execution, stored: unknown, read: PerItem<T>): PerItem<T> {
	const own = readingOf(stored);
	const made = own.columns.flatMap((column) => madeOf(steps, column) ?? []);
	const behind = made.map(({ stored: of, inside, step, by }) => ({
		by,
		needed: readingOf(of, inside).needed.map((each) => each.map((column) => ({ ...column, step: column.step ?? step }))),
	}));
	const checks = [{ by: undefined, needed: own.needed }, ...behind].flatMap(({ by, needed }) =>
		needed.filter((columns) => columns.every(({ takes, path }) => takes === 'ofRow' && path.length > 1)).map((columns) => ({ by, columns })),
	);
	if (checks.length === 0) return read;
	const isNoField = (row: number, { step, path }: Column): boolean => holdsNoField(step === undefined ? input[row] : steps.itemOf(step, row), path);
	return (row) => {
		for (const { by, columns } of checks) if (columns.every((column) => isNoField(row, column))) throw noFields(nameOf(columns[0]!.path), by);
		return read(row);
	};
}
