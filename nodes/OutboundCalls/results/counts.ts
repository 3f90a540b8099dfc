import { ownOutcome, type RowOutcome } from '../domain/outcome';
import { counted, formatCount } from '../domain/values/format';

/** The words of statuses that do not say themselves. */
const WORDS: Record<string, string> = {
	already_called: 'called before',
	outside_hours: 'outside calling hours',
	not_allowed: 'country or kind of number not allowed',
	do_not_call: 'opted out or on the Do Not Call list',
};

const wordOf = (status: string): string => WORDS[status] ?? status.replace(/_/g, ' ');

/** Counts rows by what became of them. */
export function countRows(rows: readonly RowOutcome[]) {
	let [called, maybe, planned] = [0, 0, 0];
	const words = new Map<string, number>();
	for (const each of rows) {
		const outcome = ownOutcome(each);
		if (outcome.call === 'placed') called++;
		else if (outcome.call === 'unknown') maybe++;
		else if (outcome.status === 'dry_run') planned++;
		else {
			const word = 'notSent' in outcome ? 'not sent' : wordOf(outcome.status);
			words.set(word, (words.get(word) ?? 0) + 1);
		}
	}
	return {
		called,
		maybe,
		planned,
		/** Of the rows that were not called, in words, most frequent first. */
		notCalled: [...words].sort((a, b) => b[1] - a[1]),
	};
}

/** Why at least so many rows were refused, or may have been called. */
export function sharedReasons(rows: readonly RowOutcome[], least: number): string[] {
	const counts = new Map<string, number>();
	for (const { outcome } of rows) {
		const { status, reason = '' } = outcome;
		if (!('notSent' in outcome) && ['refused', 'unknown'].includes(status))
			counts.set(reason, (counts.get(reason) ?? 0) + 1);
	}
	return [...counts.keys()].filter((reason) => counts.get(reason)! >= least);
}

/** "40 of 300 rows called, 3 possibly called, 257 not called (250 called before, 7 invalid)" */
export function formatCalls(rows: readonly RowOutcome[]): string {
	const { called, maybe, notCalled } = countRows(rows);
	const sum = notCalled.reduce((all, [, each]) => all + each, 0);
	const why = notCalled.map(([word, each]) => `${formatCount(each)} ${word}`).join(', ');
	const possibly = maybe > 0 ? `, ${formatCount(maybe)} possibly called` : '';
	const not = sum > 0 ? `, ${formatCount(sum)} not called (${why})` : '';
	return `${formatCount(called)} of ${counted(rows.length, 'row')} called${possibly}${not}`;
}
