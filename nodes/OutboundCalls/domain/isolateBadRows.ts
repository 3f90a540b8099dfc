import type { Row } from './row';

/** Whether the row has no value for one of the prompt variables. */
export const lacksAny = ({ variables }: Row, names: readonly string[]): boolean =>
	names.some((name) => !Object.hasOwn(variables ?? {}, name));

/**
 * Splits rows that were refused together with 400 so that the good ones are still called. Where the API named the prompt
 * variables that are `missing`, the bad rows are known at once; otherwise halves are tried.
 */
export function isolateBadRows(
	rows: readonly Row[],
	missing: readonly string[] | undefined,
): { bad: readonly Row[]; again: ReadonlyArray<readonly Row[]> } {
	if (missing) {
		const bad = rows.filter((row) => lacksAny(row, missing));
		if (bad.length > 0) {
			const good = rows.filter((row) => !lacksAny(row, missing));
			return { bad, again: good.length > 0 ? [good] : [] };
		}
	}
	if (rows.length === 1) return { bad: rows, again: [] };
	const middle = Math.ceil(rows.length / 2);
	return { bad: [], again: [rows.slice(0, middle), rows.slice(middle)] };
}
