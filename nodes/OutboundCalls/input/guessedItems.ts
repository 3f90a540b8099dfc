import { readingOf } from '../domain/expression/reading';
import type { Column } from '../domain/expression/values';
import { quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { NumbersOfRows } from './numbersOfRows';
import type { Reader } from './oneOfMany';

/** Why an item of a step would speak for another row: behind a Code step that makes new items, n8n guesses by their places which ones they come from (n8n behaviour). */
export function ofGuessedItem(
	{ steps }: Reader,
	numbers: NumbersOfRows,
	stored: readonly unknown[],
	label: string,
): Problem | undefined {
	if (!steps.mayBePairedByPlace()) return undefined;
	const isOfOther = ({ step, takes }: Column): boolean =>
		takes === 'ofRow' &&
		step !== undefined &&
		numbers.areOfOthers(steps.itemsOf(step), steps.rowsOfItems(step));
	const column = stored.flatMap((each) => readingOf(each).columns).find(isOfOther);
	return (
		column && {
			message: `${label} takes the item of another person from the step ${quoted(column.step!)}`,
			remedy:
				'A Code step behind it gives new items, and n8n guesses which ones they come from. Let that step keep the column in its items, and take it from there.',
			field: true,
		}
	);
}
