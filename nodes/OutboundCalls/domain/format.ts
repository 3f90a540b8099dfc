import { listed } from './problem';

/** "Row 3 (+14155550123)", as the user sees the row in the table: counted from 1. */
export const rowName = (position: number, destination?: string): string =>
	`Row ${formatCount(position + 1)}${destination === undefined ? '' : ` (${destination})`}`;

/** Stretches of rows that a message names; the others are counted. */
const NAMED = 5;

/** "Row 3", "Rows 21 to 30", "Rows 1, 4 and 9", "Rows 1 to 10 and 31 to 40", from positions in ascending order. */
export function rowNames(positions: readonly number[]): string {
	if (positions.length === 1) return rowName(positions[0]!);
	const named = stretches(positions).slice(0, NAMED);
	const names = named.map(([from, to]) => (from === to ? '' : `${formatCount(from + 1)} to `) + formatCount(to + 1));
	const more = positions.length - named.reduce((rows, [from, to]) => rows + to - from + 1, 0);
	return `Rows ${listed(more === 0 ? names : [...names, `${formatCount(more)} more`], NAMED + 1)}`;
}

/** Positions that follow each other, as [first, last]; two are named one by one. */
function stretches(positions: readonly number[]): Array<[number, number]> {
	const found: Array<[number, number]> = [];
	for (let i = 0; i < positions.length;) {
		const from = i;
		while (positions[i + 1] === positions[i]! + 1) i++;
		if (i - from < 2) i = from;
		found.push([positions[from]!, positions[i]!]);
		i++;
	}
	return found;
}

/** "1,000" */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** "1 row", "1,000 rows" */
export const formatRows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`;

export const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
