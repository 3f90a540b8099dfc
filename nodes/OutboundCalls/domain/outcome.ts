import type { Cause, Problem } from './values';
import type { RefusalReach } from './api/exchange';
import type { RejectedRow, Row } from './row';

/**
 * Whether a row's own call was placed: `unknown` if nothing proves that it was not; `otherRow` if
 * another row's call went to the number.
 */
export type Placement = 'placed' | 'unknown' | 'none' | 'otherRow';

/** Which rows the reason for not calling one of them applies to, too. */
export type Reach =
	| RefusalReach
	/** It applies to rows of the same person. */
	| 'person'
	/** It applies to rows of the same person with the same value of Once for Each. */
	| 'purpose'
	/** It applies to rows of the same person with the same time zones and dates. */
	| 'hours';

/** Tells what became of a row. */
export interface CallOutcome {
	/** The API's own status, or one of the node's. */
	status: string;
	/** Why there was no call; undefined if there is nothing to say. */
	reason: string | undefined;
	success: boolean;
	/**
	 * The rest of what the API said, if it said anything of the row. Bulk Call: consent_id,
	 * call_sid, batch_id. Place Call: all that it answered.
	 */
	answer?: Readonly<Record<string, unknown>>;
	call: Placement;
	/** Of a row that is not called, as all below; undefined if a dry run would call it. */
	reach?: Reach | undefined;
	/** This is the reason without what to do. */
	brief?: string;
	/** The run ended before the row had its turn. */
	notSent?: true;
	/** What many rows have in common. */
	cause?: Cause;
	/** Of a row that a protection holds back. */
	heldBack?: HeldBack;
	/** Of the row of a test: its call, the phone, and what the row would be in a dry run. */
	test?: { call: Placement; number: string; otherwise: CallOutcome };
}

/** A row of the run, and what became of it. */
export interface RowOutcome {
	row: Row | RejectedRow;
	outcome: CallOutcome;
}

/** Whether the row's own call was started, or may have been. */
export const isCalled = (outcome: Pick<CallOutcome, 'call'> | undefined) =>
	outcome?.call === 'placed' || outcome?.call === 'unknown';

/** How far the node’s own reasons reach, if nothing else is said. */
export const REACH = {
	invalid: 'row',
	refused: 'run',
	dry_run: undefined,
} satisfies Record<string, Reach | undefined>;

/**
 * What holds rows back, as the column `held_by` names it: the status of such a row, and which other
 * rows it applies to. What the summary says of a status is in `results/summary.ts` (Held back), and
 * its word in `results/runResult.ts`. Rows that can be called later also count for the mark of Live
 * (`couldCall` in `memory/liveGate.ts`).
 */
export const PROTECTIONS = {
	countries: ['not_allowed', 'person'],
	special_numbers: ['not_allowed', 'person'],
	opted_out: ['do_not_call', 'person'],
	do_not_call: ['do_not_call', 'person'],
	calling_hours: ['outside_hours', 'hours'],
	no_call_dates: ['outside_hours', 'hours'],
	called_before: ['already_called', 'purpose'],
	reached_before: ['limit_reached', 'person'],
	calls_per_person: ['limit_reached', 'person'],
	hours_between_calls: ['limit_reached', 'person'],
	max_calls: ['limit_reached', 'run'],
	max_calls_per_day: ['limit_reached', 'run'],
} as const satisfies Record<string, readonly [status: string, Reach]>;

/** A protection that can hold rows back. */
export type Protection = keyof typeof PROTECTIONS;

/** Tells why a row is held back. */
export interface HeldBack {
	by: Protection;
	reason: string;
	/**
	 * When the row can be called, in ISO 8601, on the clock of `zone` or else of the workflow;
	 * undefined if that never happens, or if nobody knows.
	 */
	callableAt?: string | undefined;
	/** Outside calling hours: the zones of the person called, and one of them that is closed. */
	zones?: readonly string[];
	zone?: string;
}

/**
 * An outcome with one of the node's own statuses: not placed, or `unknown`. All others but
 * `duplicate`, `placed` and `test_call` are the API's.
 */
export function nodeOutcome(
	status: keyof typeof REACH | 'unknown',
	why: string | Problem,
	reach?: Reach,
): CallOutcome {
	const { message, remedy, cause }: Pick<Problem, 'message'> & Partial<Problem> =
		typeof why === 'string' ? { message: why } : why;
	const reason = remedy === undefined ? message : `${message}. ${remedy}`;
	const result = { status, reason, success: false };
	const shared = cause && { cause };
	return status === 'unknown'
		? { ...result, call: 'unknown' }
		: { ...result, call: 'none', brief: message, reach: reach ?? REACH[status], ...shared };
}

/** The outcome of a row that a protection holds back. */
export function heldBackOutcome(heldBack: HeldBack): CallOutcome {
	const [status, reach] = PROTECTIONS[heldBack.by];
	return { status, reason: heldBack.reason, success: false, call: 'none', reach, heldBack };
}

/** Whether the user's own phone was called, or should have been, with the details of this row. */
export const isTest = ({ outcome }: RowOutcome) => outcome.test !== undefined;

/** A row's outcome; for the row of a test, the one that it would have in a dry run. */
export const ownOutcome = ({ outcome }: RowOutcome) => outcome.test?.otherwise ?? outcome;

/** Of the row's own call; for the row of a test, of the call to the user's own phone. */
export const placementOf = ({ outcome }: RowOutcome) => outcome.test?.call ?? outcome.call;

/** Rows that could be read. */
export const rowsRead = (all: readonly RowOutcome[]): Row[] =>
	all.flatMap(({ row }) => ('problem' in row ? [] : [row]));
