import { type CallOutcome, notPlaced } from '../domain/callOutcome';
import { type CallableNumbers, notAllowed } from '../domain/phone/callableNumbers';
import type { HeldBack, Judge } from '../domain/rightToCall';
import type { Row } from '../domain/row';
import type { PlacementPolicy } from './placement';

/** Says of a row why it must not be called at this moment; undefined when that cannot be. */
export const heldBackBy = (judge: Judge | undefined): PlacementPolicy['heldBack'] => judge && ((row) => heldOutcome(judge.heldBack(row, Date.now())));

function heldOutcome(held: HeldBack | undefined): CallOutcome | undefined {
	if (!held) return undefined;
	const outcome = notPlaced(held.status, held.reason);
	return held.status === 'outside_hours' && outcome.called === 'no' ? { ...outcome, hours: held.hours } : outcome;
}

/**
 * Outcomes of the rows that must not be called as the run begins, by position. Whoever an earlier try of this execution called
 * has that outcome to show, whatever the hour is now.
 */
export function heldRows(
	rows: readonly Row[],
	callable: CallableNumbers,
	heldBack: PlacementPolicy['heldBack'],
	called: { has(person: string): boolean } | undefined,
): Map<number, CallOutcome> {
	const held = new Map<number, CallOutcome>();
	for (const row of rows) {
		if (!row.isDry && called?.has(row.person)) continue;
		const reason = notAllowed(row, callable);
		const outcome = reason === undefined ? heldBack?.(row) : notPlaced('not_allowed', reason);
		if (outcome) held.set(row.position, outcome);
	}
	return held;
}
