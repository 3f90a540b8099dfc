import type { Row } from '../domain/row';
import type { ApiProblem } from '../http/apiErrors';

/** Whether the row has no value for one of the prompt variables. */
export const lacksAny = ({ variables }: Row, names: readonly string[]): boolean =>
	names.some((name) => !Object.prototype.hasOwnProperty.call(variables ?? {}, name));

/**
 * Splits rows that were refused together with 400 so that the good ones are still called. Where the API
 * names the missing variables the bad rows are known at once; otherwise halves are tried.
 */
export function isolateBadRows(rows: readonly Row[], why: ApiProblem): { bad: readonly Row[]; again: ReadonlyArray<readonly Row[]> } {
	const needed = why.missingVariables;
	if (needed) {
		const bad = rows.filter((row) => lacksAny(row, needed));
		if (bad.length > 0) {
			const good = rows.filter((row) => !lacksAny(row, needed));
			return { bad, again: good.length > 0 ? [good] : [] };
		}
	}
	if (rows.length === 1) return { bad: rows, again: [] };
	const middle = Math.ceil(rows.length / 2);
	return { bad: [], again: [rows.slice(0, middle), rows.slice(middle)] };
}
