import { type CallOutcome, isCalled, notPlaced } from './callOutcome';
import { rowName, uncapitalized } from './format';
import type { Problem } from './problem';
import type { Row } from './row';
import { difference, type Duplicates, leavesOut, type Shared } from './sharing';

/** What is known of a run's rows when it ends. */
export interface EndOfRun {
	/** Which rows share a call. */
	shared: Shared;
	duplicates: Duplicates;
	/** Outcomes of the rows that were to be called, by position. */
	placed: ReadonlyMap<number, CallOutcome>;
	/** Outcomes of the rows whose own words an earlier try of the execution has spoken, by position, whatever call they share by now. */
	spoken: ReadonlyMap<number, CallOutcome>;
	/** Outcomes of the rows that must not be called, by position. */
	blocked: ReadonlyMap<number, CallOutcome>;
	/** The execution was stopped. */
	isStopped: boolean;
	/** Why a row was not called that has no outcome; undefined where nothing kept the run from beginning. */
	problemOf: (row: Row) => Problem | undefined;
}

/** What became of each row that may be called; for one that shares an earlier row's call, what became of that. */
export function rowOutcomes({
	shared,
	duplicates,
	placed,
	spoken,
	blocked,
	isStopped,
	problemOf,
}: EndOfRun): (row: Row) => CallOutcome {
	const ended = isStopped ? 'The execution was stopped' : 'The run ended';
	const unsent = `${ended} before this row was sent. Nobody was called for it, and a later run can call it.`;
	const notReached: CallOutcome = {
		...notPlaced('refused', unsent),
		called: 'no',
		reach: 'run',
		notReached: true,
	};
	const own = (row: Row): CallOutcome => {
		const outcome =
			blocked.get(row.position) ?? spoken.get(row.position) ?? placed.get(row.position);
		if (outcome) return outcome;
		const why = problemOf(row);
		if (why) return notPlaced('refused', `${why.message}. ${why.remedy}`);
		return row.isDry ? notPlaced('dry_run', null) : notReached;
	};
	return (row) => {
		const first = shared.followers.get(row.position);
		if (first === undefined || spoken.has(row.position)) return own(row);
		const outcome = own(first);
		// It would have been its turn.
		if (leavesOut(outcome, first, row)) return notReached;
		return first.person === row.person
			? sameNumber(row, first, outcome, duplicates)
			: sameKey(first, outcome);
	};
}

/** The outcome of a row whose number an earlier row has. */
function sameNumber(
	row: Row,
	first: Row,
	outcome: CallOutcome,
	duplicates: Duplicates,
): CallOutcome {
	// Where each row of a number is called, those that share a call share a key.
	const sharesKey = duplicates === 'callEach';
	const same = `${sharesKey ? 'Same person (option Remember People By)' : 'Same number'} as ${rowName(first.position).toLowerCase()}`;
	const other = difference(first, row);
	if (other === undefined)
		return { ...outcome, isDuplicate: true, status: 'duplicate', reason: same };
	if (!isCalled(outcome) && outcome.status !== 'dry_run') return keptBackToo(outcome, same);
	const remedy = sharesKey ? 'let Remember People By differ' : 'set Duplicates to Call Each Row';
	const reason = `${same}, with ${other}. To call for each row, ${remedy}`;
	return {
		status: 'same_number',
		reason,
		success: false,
		called: row.isDry ? 'no' : 'other_row',
		reach: 'person',
	};
}

/** The outcome of a row with words of its own: what keeps the number from being called holds for it, but the API said nothing of it. */
function keptBackToo(outcome: CallOutcome, same: string): CallOutcome {
	if (outcome.answer === undefined) return outcome;
	const reason = `${same}, which was not dialed${outcome.reason === null ? '' : `: ${uncapitalized(outcome.reason)}`}`;
	return { status: 'same_number', reason, success: false, called: 'no', reach: 'person' };
}

/** The outcome of a row whose key an earlier row with another number has. */
function sameKey(first: Row, outcome: CallOutcome): CallOutcome {
	if (outcome.called === 'no' && (outcome.reach === 'run' || outcome.reach === 'agent'))
		return outcome;
	const samePerson = `Same person as ${rowName(first.position).toLowerCase()} (option Remember People By), with another number, so nobody is called for this row`;
	const reason = `${samePerson}. If they are two people, give this row another value there`;
	return { ...notPlaced('already_called', reason), called: 'no', reach: 'key', sharesKey: true };
}
