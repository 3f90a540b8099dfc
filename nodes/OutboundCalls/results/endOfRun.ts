import type { ApiProblem } from '../domain/api/exchange';
import { type CallOutcome, isCalled, nodeOutcome, type RowOutcome } from '../domain/outcome';
import { capitalized, type Problem, rowNames } from '../domain/values';
import type { CheckedRow, Row } from '../domain/row';
import { isFreedBy, saysTheSame, type Shared } from '../domain/sharing';

/** Why a run ended before each row had its call. */
export type Halt =
	/** `rows` is empty if the reason has nothing to do with rows. */
	{ kind: 'refused' | 'unknown'; rows: Row[]; problem: ApiProblem } | { kind: 'stopped' };

/** What is known of a run's rows when it ends. */
interface EndOfRun {
	/** Nobody is called. */
	isDry: boolean;
	shared: Shared;
	/**
	 * What became of rows, by position: of their calls first, then why others are not called.
	 */
	outcomes: ReadonlyArray<ReadonlyMap<number, CallOutcome>>;
	/** The execution was stopped. */
	isStopped: boolean;
	/** This is why no row was called. */
	problem: Problem | undefined;
}

/**
 * All rows of the run, in their order, with what became of them. A field of the panel that keeps
 * all of them back is to be corrected first.
 */
export function rowOutcomes(checked: readonly CheckedRow[], end: EndOfRun): RowOutcome[] {
	const ofAll = end.problem?.field ? end.problem : undefined;
	return checked.map((each) => {
		if (each.ok) return { row: each.value, outcome: finalOutcome(each.value, end) };
		const outcome = ofAll
			? nodeOutcome('refused', capital(ofAll))
			: nodeOutcome('invalid', capital(each.error.problem));
		return { row: each.error, outcome };
	});
}

const capital = (why: Problem): Problem => ({ ...why, message: capitalized(why.message) });

function finalOutcome(row: Row, end: EndOfRun): CallOutcome {
	const first = end.shared.followers.get(row.position);
	const known = outcomeAt(row.position, end);
	if (!first || known) return known ?? withoutOutcome(end);
	const outcome = outcomeAt(first.position, end) ?? withoutOutcome(end);
	// This row would have been called next.
	if (isFreedBy(outcome, first, row)) return notSent(end);
	const isShared = isCalled(outcome) || outcome.status === 'dry_run' || outcome.answer;
	return isShared ? duplicate(row, first, outcome) : outcome;
}

/** The first that is known of a row counts. */
const outcomeAt = (position: number, { outcomes }: EndOfRun): CallOutcome | undefined =>
	outcomes.find((each) => each.has(position))?.get(position);

function withoutOutcome(end: EndOfRun): CallOutcome {
	if (end.problem) return nodeOutcome('refused', capital(end.problem));
	return end.isDry ? nodeOutcome('dry_run', 'Would be called') : notSent(end);
}

function notSent({ isStopped }: EndOfRun): CallOutcome {
	const reason = isStopped ? 'Not sent: the execution was stopped' : 'Not sent: the run ended';
	return { ...nodeOutcome('refused', reason), call: 'none', reach: 'run', notSent: true };
}

/**
 * The outcome of a row whose person an earlier row has. With different details it does not carry
 * that row's call.
 */
function duplicate(row: Row, first: Row, outcome: CallOutcome): CallOutcome {
	const name = rowNames([first.rowNumber]);
	const same = `Same number as ${name}`;
	if (row.onceForEach !== first.onceForEach)
		return { ...OTHER_ROW, reason: `${same}. The next run can call it for its own value` };
	if (!saysTheSame(first, row))
		return { ...OTHER_ROW, reason: `${same}, so ${name}’s details are spoken` };
	const { success, answer } = outcome;
	return { ...OTHER_ROW, reason: same, success, ...(answer && { answer }) };
}

const OTHER_ROW = {
	status: 'duplicate',
	success: false,
	call: 'otherRow',
	reach: 'person',
} as const;
