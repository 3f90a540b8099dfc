import { listed } from './finding';

/** "Row 3 (+14155550123)", as the user sees the row in the table: counted from 1. */
export const rowName = (position: number, destination?: string): string =>
	`Row ${spokenCount(position + 1)}${destination === undefined ? '' : ` (${destination})`}`;

/** "Row 3", "Rows 21 to 30" or "Rows 1, 4 and 9", from positions in ascending order. */
export function rowNames(positions: readonly number[]): string {
	const first = positions[0]!;
	const last = positions[positions.length - 1]!;
	if (positions.length === 1) return rowName(first);
	if (positions.length > 2 && last - first === positions.length - 1) {
		return `Rows ${spokenCount(first + 1)} to ${spokenCount(last + 1)}`;
	}
	return `Rows ${listed(positions.map((position) => spokenCount(position + 1)))}`;
}

/** "1,000" */
export const spokenCount = (count: number): string => count.toLocaleString('en-US');

export const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
