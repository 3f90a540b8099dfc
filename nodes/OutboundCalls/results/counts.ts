import type { RowOutcome } from '../domain/callOutcome';
import { formatCount, formatRows } from '../domain/format';
import { ownOutcome } from './testRow';

/** What became of the rows of a run. */
interface RowCounts {
	rows: number;
	called: number;
	maybe: number;
	planned: number;
	/** Of the rows that were not called, in words, most frequent first. */
	notCalled: ReadonlyArray<readonly [word: string, rows: number]>;
}

/** The words of the counts, by status. The API's other statuses say themselves. */
const WORDS: Record<string, string> = {
	invalid: 'invalid',
	refused: 'refused',
	duplicate: 'duplicate',
	already_called: 'called before',
	rate_limited: 'rate limited',
	temporarily_unavailable: 'temporarily unavailable',
	failed: 'failed',
	skipped: 'skipped',
	locked: 'locked',
	outside_hours: 'outside calling hours',
	not_allowed: 'country or kind of number not allowed',
	do_not_call: 'opted out or on the Do Not Call list',
	limit_reached: 'limit reached',
};

/** Counts rows by what became of them. */
export function countRows(rows: readonly RowOutcome[]): RowCounts {
	let [called, maybe, planned] = [0, 0, 0];
	const words = new Map<string, number>();
	for (const each of rows) {
		const outcome = ownOutcome(each);
		if (outcome.call === 'placed') called++;
		else if (outcome.call === 'unknown') maybe++;
		else if (outcome.status === 'dry_run') planned++;
		else {
			const isUnsent = 'notSent' in outcome;
			const word = isUnsent ? 'not sent' : (WORDS[outcome.status] ?? 'with another status');
			words.set(word, (words.get(word) ?? 0) + 1);
		}
	}
	return {
		rows: rows.length,
		called,
		maybe,
		planned,
		notCalled: [...words].sort((a, b) => b[1] - a[1]),
	};
}

/** "257 not called: 250 called before, 7 invalid", or empty. */
function formatNotCalled({ notCalled }: RowCounts): string {
	if (notCalled.length === 0) return '';
	const sum = notCalled.reduce((all, [, rows]) => all + rows, 0);
	const why = notCalled.map(([word, rows]) => `${formatCount(rows)} ${word}`).join(', ');
	return `${formatCount(sum)} not called (${why})`;
}

/** "40 of 300 rows called, 3 possibly called, 257 not called (250 called before, 7 invalid)" */
export function formatCalls(counts: RowCounts): string {
	const { rows, called, maybe } = counts;
	const parts = [
		`${formatCount(called)} of ${formatRows(rows)} called`,
		maybe > 0 ? `${formatCount(maybe)} possibly called` : '',
		formatNotCalled(counts),
	];
	return parts.filter((part) => part !== '').join(', ');
}
