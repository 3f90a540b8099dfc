import { type CallOutcome, notPlaced } from './callOutcome';
import { type CallableNumbers, notAllowed } from './phone/callableNumbers';
import type { Blocked, Judge } from './rightToCall';
import type { Row } from './row';

/** Says of a row why it must not be called at this moment; undefined when it may be. */
export type BlockedNow = (row: Row) => CallOutcome | undefined;

/** Judges rows by where they lead, by what their people have asked and, if something keeps people from being called at one time or another, by the clock, again each time. */
export const blockedBy =
	(callable: CallableNumbers, judge: Judge | undefined): BlockedNow =>
	(row) => {
		const reason = notAllowed(row, callable);
		if (reason !== undefined) return notPlaced('not_allowed', reason);
		const optedOut = judge?.optedOut(row);
		return optedOut === undefined
			? outcomeOf(judge?.blocked(row, Date.now()))
			: notPlaced('do_not_call', optedOut);
	};

function outcomeOf(blocked: Blocked | undefined): CallOutcome | undefined {
	if (!blocked) return undefined;
	const outcome = notPlaced(blocked.status, blocked.reason);
	return blocked.status === 'outside_hours' && outcome.called === 'no'
		? { ...outcome, hours: blocked.hours }
		: outcome;
}
