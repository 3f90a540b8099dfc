import { calledBy, sharesCall } from '../domain/callOutcome';
import { formatCount, formatRows, rowName, rowNames, uncapitalized, withoutNumbers } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { CheckedRow, RejectedRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import type { FollowedCall } from './followCalls';
import type { RowOutcome } from './outputRows';
import type { Halt } from '../placement/placement';

/** What became of a run, in people: rows that share a call are one. */
export interface Count {
	rows: number;
	called: number;
	maybe: number;
	/** Of the rows that were not called, in words, most frequent first. */
	notCalled: Array<[word: string, rows: number]>;
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
	const count: Count = { rows: rows.length, called: 0, maybe: 0, notCalled: [], planned: 0, isDry: true };
	const words = new Map<string, number>();
	for (const row of rows) {
		const isDry = 'rejected' in row ? row.rejected.isDry : row.row.isDry;
		if (!isDry) count.isDry = false;
		const status = 'rejected' in row ? 'invalid' : row.outcome.notReached ? 'not_reached' : row.outcome.status;
		const called = 'rejected' in row || sharesCall(row.outcome) || isDry ? 'no' : calledBy(row.outcome);
		if (called === 'yes') count.called++;
		else if (called === 'maybe') count.maybe++;
		else if (status === 'dry_run') count.planned++;
		if (called === 'no') words.set(status, (words.get(status) ?? 0) + 1);
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

/** What stands above the table of results. */
export function totals(rows: readonly RowOutcome[], followed: ReadonlyMap<RowOutcome, FollowedCall>): string {
	const count = countPeople(rows);
	const people = formatPeople(count);
	if (count.isDry) {
		// A panel that is open while its node is executed stays on the empty first output (n8n behaviour).
		const next = `The rows are under Not Called.${count.planned > 0 ? ' To call them, set Mode to Live.' : ''}`;
		return `Nobody was called: Mode is Dry Run. ${people}. ${next}`;
	}
	return `${people}${reachedPeople(followed)}${sharedKeys(rows)}`;
}

function reachedPeople(followed: ReadonlyMap<RowOutcome, FollowedCall>): string {
	if (followed.size === 0) return '';
	let [reached, not, open] = [0, 0, 0];
	for (const [row, call] of followed) {
		if ('rejected' in row || sharesCall(row.outcome) || calledBy(row.outcome) === 'no') continue;
		if (call.reached === true) reached++;
		else if (call.reached === false) not++;
		else open++;
	}
	if (reached + not + open === 0) return '';
	return `; ${formatCount(reached)} reached, ${formatCount(not)} not${open > 0 ? `, ${formatCount(open)} not known yet` : ''}`;
}

/** One key for everybody keeps everybody but one from being called: that is said here. */
function sharedKeys(rows: readonly RowOutcome[]): string {
	const shared = rows.filter((row) => !('rejected' in row) && row.outcome.sharesKey).length;
	if (shared === 0) return '';
	const one = shared === 1;
	return `. ${formatRows(shared)} ${one ? 'has' : 'have'} the same value in Remember People By as an earlier row with another number, so ${one ? 'it was' : 'they were'} not called. Look at the column in that option.`;
}

/** Why nobody could be called: something that counts for the whole run. */
export const runProblemError = (execution: Execution, { message, remedy }: Problem): Error =>
	execution.operationError({ message, remedy: `${remedy} Nobody was called.` }, message);

/** Why nobody could be called: each row is invalid. The first one is named, or the field of the panel that keeps all back. */
export function allInvalid(execution: Execution, checked: readonly CheckedRow[]): Error {
	const rejected = checked.flatMap((each): RejectedRow[] => (each.ok ? [] : [each.error]));
	const { position, problem } = rejected[0]!;
	const sameForAll = rejected.every(({ problem: other }) => other.message === problem.message);
	const what = problem.field ? problem.message : withoutNumbers(problem.message);
	const message =
		problem.field && sameForAll
			? what
			: rejected.length === 1
				? `${rowName(position)}: ${what}`
				: `None of the ${formatRows(rejected.length)} can be called. ${rowName(position)}: ${what}`;
	return execution.operationError({ message, remedy: `${problem.remedy} Nobody was called.` }, message);
}

const RETRY = 'open the Executions tab, choose this execution and press Retry (the arrow icon): whoever was called is not called again.';
const NOT_ANEW = ' “Execute workflow” would start a new run and call everybody again.';

/** Why the run ended, and how far it got. `remembers`: a new run would not call the same people again either. */
export function haltError(execution: Execution, halt: Halt, count: Count, remembers: boolean): Error {
	const people = formatPeople(count);
	if (halt.kind === 'cancelled') {
		const look = count.maybe > 0 ? 'Look at the outbound calls page of your dashboard for those who may have been called. ' : '';
		const remedy = `${look}No further call was started after the stop. ${remembers ? 'A new run goes on with the rest.' : 'A new run calls these rows again, because People Called Before is set to Call Again in Each Run.'}`;
		const message = `The execution was stopped. ${people}`;
		return execution.operationError({ message, remedy }, message);
	}
	const { rows, problem } = halt;
	const names = rows.length === 1 ? rowName(rows[0]!.position, withoutNumbers(rows[0]!.destination)) : rowNames(rows.map(({ position }) => position));
	const were = rows.length === 1 ? 'was' : 'were';
	const event = `${names} ${were} ${halt.kind === 'unknown' ? 'sent without a clear answer' : 'not called'}: ${uncapitalized(problem.message)}`;
	const nobody = count.called + count.maybe === 0;
	const hasRest = count.notCalled.some(([status]) => status === 'refused' || status === 'not_reached');
	const press = nobody ? '' : `To go on${hasRest ? ' with the rest' : ''}, ${RETRY}${remembers ? '' : NOT_ANEW} `;
	const remedy = nobody ? `${problem.remedy} Nobody was called, so executing again is safe.` : `${press}${problem.remedy}`;
	return execution.apiError({ ...problem, remedy }, count.rows === 1 ? event : `${people}. ${event}`);
}
