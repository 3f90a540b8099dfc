import { type CallOutcome, notPlaced } from './callOutcome';
import { type CallableNumbers, notAllowed } from './phone/callableNumbers';
import type { Blocked, Judge } from './rightToCall';
import type { Row } from './row';

/** Says of a row why it must not be called at this moment; undefined when it may be. */
export type BlockedNow = (row: Row) => CallOutcome | undefined;

/** Judges a row anew each time it is asked. Undefined when there is nothing to judge. */
export const blockedBy = (judge: Judge | undefined): BlockedNow | undefined => judge && ((row) => outcomeOf(judge.blocked(row, Date.now())));

function outcomeOf(blocked: Blocked | undefined): CallOutcome | undefined {
	if (!blocked) return undefined;
	const outcome = notPlaced(blocked.status, blocked.reason);
	return blocked.status === 'outside_hours' && outcome.called === 'no' ? { ...outcome, hours: blocked.hours } : outcome;
}

/**
 * Outcomes of the rows that must not be called as the run begins, by position. Whoever an earlier try of this execution called
 * has that outcome to show, whatever the hour is now.
 */
export function blockedRows(
	rows: readonly Row[],
	callable: CallableNumbers,
	blockedNow: BlockedNow | undefined,
	called: { has(person: string): boolean } | undefined,
): Map<number, CallOutcome> {
	const blocked = new Map<number, CallOutcome>();
	for (const row of rows) {
		if (!row.isDry && called?.has(row.person)) continue;
		const reason = notAllowed(row, callable);
		const outcome = reason === undefined ? blockedNow?.(row) : notPlaced('not_allowed', reason);
		if (outcome) blocked.set(row.position, outcome);
	}
	return blocked;
}
