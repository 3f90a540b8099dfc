import type { ApiProblem } from '../domain/api/exchange';
import { type CallOutcome, ownOutcome, type RowOutcome } from '../domain/outcome';
import type { Execution } from '../execution/execution';
import type { CallSettings } from '../input/settings';
import type { leaveMark } from '../memory/liveGate';
import type { FollowedCalls } from './followCalls';
import { type Cause, counted, formatCount } from '../domain/values';

/** What the memory told a dry run. */
export interface MemoryNotes {
	/** Numbers of rows that would be called whose person was called before. */
	calledBefore: readonly number[];
	/** The workflow remembers nobody yet. */
	isEmpty: boolean;
	notAsked: string | undefined;
	/** Undefined if this dry run leaves no mark. */
	mark?: Awaited<ReturnType<typeof leaveMark>>;
}

/** A run that has ended, as its rows and the lines above them tell of it. */
export interface RunResult {
	execution: Execution;
	settings: CallSettings;
	operation: 'bulkCall' | 'placeCall';
	rows: readonly RowOutcome[];
	/** Reasons that several rows have. */
	reasons: ReturnType<typeof sharedReasons>;
	followed: FollowedCalls;
	/** In a dry run, the number of each row's request, by position. */
	requests?: ReadonlyMap<number, number>;
	/** When the request to a person left, in milliseconds since 1970. */
	leftAt: (person: string) => number | undefined;
	/** Undefined unless the run was a dry one that asked. */
	memory?: MemoryNotes;
	/** What of a live run is missing in the call history. */
	unwritten: ApiProblem | undefined;
	/** Why the user's own phone did not ring in a test. */
	noTest: string | undefined;
}

/** The words of statuses that do not say themselves. */
const WORDS: Record<string, string> = {
	already_called: 'called before',
	outside_hours: 'outside calling hours',
	not_allowed: 'country or kind of number not allowed',
	do_not_call: 'opted out or on the Do Not Call list',
};

const wordOf = (status: string) => WORDS[status] ?? status.replace(/_/g, ' ');

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
			const word = outcome.notSent ? 'not sent' : wordOf(outcome.status);
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

/** From so many rows with one reason on, they only name it, and the summary says the rest. */
const MIN_ROWS_NAMED = 5;
/** Of reasons that fewer rows have, as many as this stand in the summary, too. */
const MAX_REASONS = 3;

/** What many rows lack: how they name it, and what to do. */
type Shared = readonly [brief: string, remedy?: string];
const CAUSES: Record<Cause, Shared> & Partial<Record<string, Shared>> = {
	noCountry: ['No country code', 'have no country code: set Country of Numbers Without +'],
	noTrunkPrefix: [
		'No area code or leading zero',
		'have no area code or leading zero. If your sheet dropped the zeros, format the column as plain text and enter the numbers again',
	],
};

/** What tells the reasons of rows apart; undefined for one that is never shared. */
export function reasonKey(outcome: CallOutcome) {
	const { status, reason = '' } = outcome;
	if (outcome.cause) return outcome.cause;
	return !outcome.notSent && ['refused', 'unknown'].includes(status) ? reason : undefined;
}

/** Why several rows were refused, are invalid or may have been called; the largest group first. */
export function sharedReasons(rows: readonly RowOutcome[]) {
	const groups = new Map<string, { outcome: CallOutcome; count: number }>();
	for (const { outcome } of rows) {
		const key = reasonKey(outcome);
		if (key === undefined) continue;
		const group = groups.get(key) ?? { outcome, count: 0 };
		groups.set(key, group);
		group.count++;
	}
	return [...groups]
		.sort(([, a], [, b]) => b.count - a.count)
		.filter(([, { count }], place) => count >= MIN_ROWS_NAMED || (count > 1 && place < MAX_REASONS))
		.map(([key, { outcome, count }]) => {
			const [brief, remedy] = CAUSES[key] ?? [briefOf(outcome)];
			const text = remedy === undefined ? key : `${counted(count, 'row')} ${remedy}.`;
			return {
				/** What its rows have in common (`reasonKey`). */
				key,
				count,
				/** In the summary. */
				text,
				/** What its rows say; undefined if they say all of it. */
				brief: count >= MIN_ROWS_NAMED ? brief : undefined,
			};
		});
}

const briefOf = (outcome: CallOutcome) =>
	outcome.call === 'unknown' ? 'May have been called' : (outcome.brief ?? '');

/** "40 of 300 rows called, 3 possibly called, 257 not called (250 called before, 7 invalid)" */
export function formatCalls(rows: readonly RowOutcome[]) {
	const { called, maybe, notCalled } = countRows(rows);
	const sum = notCalled.reduce((all, [, each]) => all + each, 0);
	const why = notCalled.map(([word, each]) => `${formatCount(each)} ${word}`).join(', ');
	const possibly = maybe > 0 ? `, ${formatCount(maybe)} possibly called` : '';
	const not = sum > 0 ? `, ${formatCount(sum)} not called (${why})` : '';
	return `${formatCount(called)} of ${counted(rows.length, 'row')} called${possibly}${not}`;
}
