import { plainText, thrownText } from './untrustedValues';

/** "a", "a and b", "a, b and c": the first `limit` names, then how many more. */
export function listed(names: readonly string[], limit = 5): string {
	const shown =
		names.length > limit ? [...names.slice(0, limit), `${names.length - limit} more`] : names;
	return shown.length < 2
		? (shown[0] ?? '')
		: `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}

/** Stretches of rows that a message names; the others are counted. */
const MAX_STRETCHES_NAMED = 5;

/**
 * "row 3", "rows 21 to 30", "rows 1, 4 and 9", "rows 1 to 10 and 31 to 40", from row numbers in any
 * order.
 */
export function rowNames(rowNumbers: readonly number[]): string {
	if (rowNumbers.length === 1) return `row ${rowNumbers[0]!}`;
	const named = stretches([...rowNumbers].sort((a, b) => a - b)).slice(0, MAX_STRETCHES_NAMED);
	const names = named.map(([from, to]) => (from === to ? `${to}` : `${from} to ${to}`));
	const more = rowNumbers.length - named.reduce((rows, [from, to]) => rows + to - from + 1, 0);
	return `rows ${listed(more === 0 ? names : [...names, `${formatCount(more)} more`], MAX_STRETCHES_NAMED + 1)}`;
}

/**
 * Phone numbers, however they are written, with their last four digits only: n8n writes thrown
 * messages into its log.
 */
export const withoutNumbers = (text: string): string =>
	plainText(text).replace(/\+?\d(?:[\s()./-]*\d){6,}/g, (number) =>
		number.replace(/\d(?=(?:\D*\d){4})/g, '•'),
	);

/** Numbers that follow each other, as [first, last]; two are named one by one. */
function stretches(numbers: readonly number[]) {
	const found: Array<[number, number]> = [];
	for (let i = 0; i < numbers.length;) {
		const from = i;
		while (numbers[i + 1] === numbers[i]! + 1) i++;
		if (i - from < 2) i = from;
		found.push([numbers[from]!, numbers[i]!]);
		i++;
	}
	return found;
}

/** "1,000" */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** "1 row", "1,000 rows" */
export const counted = (count: number, one: string, many = `${one}s`): string =>
	`${formatCount(count)} ${count === 1 ? one : many}`;

/** What was thrown, for the end of a message: " (disk full)", or empty if it says nothing. */
export const thrownReason = (thrown: unknown): string =>
	thrown instanceof Error && thrown.message !== '' ? ` (${thrownText(thrown)})` : '';

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** For the middle of a sentence. An abbreviation stays as it is. */
export const uncapitalized = (text: string): string =>
	text.replace(/^\p{Lu}(?!\p{Lu})/u, (first) => first.toLowerCase());

const UNITS = Object.entries({ day: 86_400_000, hour: 3_600_000, minute: 60_000 });

/**
 * "45 seconds", "10 minutes", "3 hours", "2 days": rounded up, so that coming back then is not too
 * early.
 */
export function formatDuration(ms: number): string {
	// Below twice the unit, the smaller unit is more exact.
	const [unit, size] = UNITS.find(([, each]) => ms >= 2 * each) ?? ['second', 1_000];
	return counted(Math.max(1, Math.ceil(ms / size)), unit);
}
