import type { RowOutcome } from '../domain/callOutcome';
import { formatCount, formatRows, rowName } from '../domain/format';
import type { FollowedCall } from './followCalls';

/** What became of a run, in people: rows that share a call are one. */
export interface Count {
	rows: number;
	called: number;
	maybe: number;
	/** Of the rows that were not called, in words, most frequent first. */
	notCalled: Array<[word: string, rows: number]>;
	/** Rows that another try may call. */
	rest: number;
	/** Rows of a dry run that would be called. */
	planned: number;
	isDry: boolean;
}

/** The words of the totals, by status, for one row and for several. The API's other statuses say themselves. */
const WORDS: Record<string, string | [one: string, several: string]> = {
	invalid: 'invalid',
	refused: 'refused',
	duplicate: ['duplicate', 'duplicates'],
	already_called: 'called before',
	rate_limited: 'rate limited',
	temporarily_unavailable: 'temporarily unavailable',
	failed: 'failed',
	skipped: 'skipped',
	locked: 'locked',
	outside_hours: 'outside calling hours',
	do_not_call: 'not to be called',
	limit_reached: 'beyond Max Calls',
	dry_run: 'in a dry run',
	not_reached: 'not reached by the run',
};

export function countPeople(rows: readonly RowOutcome[]): Count {
	const count: Count = { rows: rows.length, called: 0, maybe: 0, notCalled: [], rest: 0, planned: 0, isDry: true };
	const words = new Map<string, number>();
	for (const { row, outcome: shown } of rows) {
		// Of a test, it counts what would become of the row.
		const outcome = shown.called === 'no' && shown.test ? shown.test.otherwise : shown;
		if (!row.isDry) count.isDry = false;
		if (outcome.called === 'no') {
			const status = outcome.notReached ? 'not_reached' : outcome.status;
			if (status === 'dry_run') count.planned++;
			if (outcome.status === 'refused') count.rest++;
			words.set(status, (words.get(status) ?? 0) + 1);
		} else if (outcome.isDuplicate) words.set('duplicate', (words.get('duplicate') ?? 0) + 1);
		else if (outcome.called === 'yes') count.called++;
		else count.maybe++;
	}
	if (count.isDry) words.delete('dry_run');
	count.notCalled = [...words].sort((a, b) => b[1] - a[1]);
	return count;
}

/** "300 rows: 40 called, 260 not called (250 not reached by the run, 7 invalid, 3 duplicates)" */
export function formatPeople({ rows, called, maybe, notCalled, planned, isDry }: Count): string {
	const others = notCalled.reduce((sum, [, each]) => sum + each, 0);
	const why = notCalled.length > 0 ? ` (${notCalled.map(([status, each]) => `${formatCount(each)} ${wordOf(status, each)}`).join(', ')})` : '';
	const parts = isDry
		? [`${formatCount(planned)} would be called`, `${formatCount(others)} not${why}`]
		: [
				`${formatCount(called)} called`,
				...(maybe > 0 ? [`${formatCount(maybe)} may have been called`] : []),
				`${formatCount(others)} not called${why}`,
			];
	return `${formatRows(rows)}: ${parts.join(', ')}`;
}

function wordOf(status: string, rows: number): string {
	const word = WORDS[status] ?? 'with another status';
	return typeof word === 'string' ? word : word[rows === 1 ? 0 : 1];
}

/** What stands above the table of results. `noTest`: why no phone rang in a test; undefined where it did, or where no row is one of a test. */
export function totals(rows: readonly RowOutcome[], followed: ReadonlyMap<RowOutcome, FollowedCall>, noTest?: string): string {
	const count = countPeople(rows);
	const people = formatPeople(count);
	const own = ownPhone(rows, noTest);
	if (count.isDry) {
		return `${own ?? 'Nobody was called: Mode is Dry Run'}. ${people}.${count.planned > 0 ? ' To call them, set Mode to Live.' : ''}`;
	}
	return `${people}${reachedPeople(followed)}${sharedKeys(rows)}${own === undefined ? '' : `. ${own}`}`;
}

/** What came of a test; undefined where no row is one. */
function ownPhone(rows: readonly RowOutcome[], noTest: string | undefined): string | undefined {
	if (!rows.some(({ row }) => 'isTest' in row)) return undefined;
	for (const { row, outcome } of rows) {
		if (outcome.called !== 'no' || !outcome.test) continue;
		const number = rowName(row.position).toLowerCase();
		switch (outcome.test.called) {
			case 'yes':
				return `Only your own phone was called, with the words of ${number}: Mode is Test`;
			case 'maybe':
				return `Your own phone may have been called, with the words of ${number}: Mode is Test`;
			case 'no':
				return `Nobody was called: Mode is Test, and your own phone was not called, see ${number}`;
		}
	}
	return `Nobody was called: Mode is Test${noTest === undefined ? '' : `, but ${noTest}`}`;
}

function reachedPeople(followed: ReadonlyMap<RowOutcome, FollowedCall>): string {
	if (followed.size === 0) return '';
	let [reached, not, open] = [0, 0, 0];
	for (const [{ outcome }, call] of followed) {
		if (outcome.isDuplicate || outcome.called === 'no') continue;
		if (call.reached === true) reached++;
		else if (call.reached === false) not++;
		else open++;
	}
	if (reached + not + open === 0) return '';
	return `; ${formatCount(reached)} reached, ${formatCount(not)} not${open > 0 ? `, ${formatCount(open)} not known yet` : ''}`;
}

/** One key for everybody keeps everybody but one from being called: that is said here. */
function sharedKeys(rows: readonly RowOutcome[]): string {
	const shared = rows.filter(({ outcome }) => outcome.called === 'no' && outcome.sharesKey).length;
	if (shared === 0) return '';
	const one = shared === 1;
	return `. ${formatRows(shared)} ${one ? 'has' : 'have'} the same value in Remember People By as an earlier row with another number, so ${one ? 'it was' : 'they were'} not called. Look at the column in that option.`;
}
