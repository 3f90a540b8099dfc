import type { OutsideHours } from './hours/callingHours';
import type { LimitRefusal } from './limits';
import type { Problem } from './values/problem';
import type { RefusalReach } from './api/refusalReach';
import type { RejectedRow, Row } from './row';
import {
	anyText,
	idText,
	isBlank,
	isObject,
	plainText,
	typedText,
	without,
} from './values/untrustedValues';

/**
 * Whether a row's own call was placed: `unknown` if nothing proves that it was not; `otherRow` if
 * another row's call went to the number.
 */
export type Placement = 'placed' | 'unknown' | 'none' | 'otherRow';

/** Which rows the reason for not calling one of them applies to, too. */
export type Reach =
	| RefusalReach
	/** Of the same person. */
	| 'person'
	/** Of the same person, with the same value of Once for Each. */
	| 'purpose'
	/** Of the same person, on the same clocks and dates. */
	| 'hours';

/** What became of a row. */
export type CallOutcome = {
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
} & ({ call: 'placed' | 'unknown' } | NotCalled);

interface NotCalled {
	call: 'none' | 'otherRow';
	/** Undefined for a row of a dry run that would be called. */
	reach?: Reach | undefined;
	/** The reason without what to do. */
	brief?: string;
	/** The run ended before the row had its turn. */
	notSent?: true;
	hours?: OutsideHours;
	/** Which of the rules holds a `do_not_call` row back. */
	rule?: 'optedOut' | 'doNotCall';
	/** Of the row of a test: of its call, and what had become of the row in a dry run. */
	test?: { call: Placement; otherwise: CallOutcome };
	/** When a limit of calls allows the next one, on the clock of the workflow. */
	callableAt?: string;
}

/** A row of the run, and what became of it. */
export interface RowOutcome {
	row: Row | RejectedRow;
	outcome: CallOutcome;
}

/** Whether the row's own call was started, or may have been. */
export const isCalled = (outcome: Pick<CallOutcome, 'call'> | undefined): boolean =>
	outcome?.call === 'placed' || outcome?.call === 'unknown';

/** How far the node’s own reasons reach, if nothing else is said. */
const REACH = {
	invalid: 'row',
	not_allowed: 'person',
	do_not_call: 'person',
	already_called: 'purpose',
	outside_hours: 'hours',
	refused: 'run',
	limit_reached: 'run',
	dry_run: undefined,
} satisfies Record<string, Reach | undefined>;

/**
 * Statuses that this node gives to rows that were not sent, or that may have been called. All
 * others but `duplicate`, `placed` and `test_call` are the API's.
 */
type NodeStatus = keyof typeof REACH | 'unknown';

/** An outcome with one of the node's own statuses: not placed, or `unknown`. */
export function nodeOutcome(status: NodeStatus, why: string | Problem, reach?: Reach): CallOutcome {
	const { message, remedy } = typeof why === 'string' ? { message: why } : why;
	const reason = remedy === undefined ? message : `${message}. ${remedy}`;
	const result = { status, reason, success: false };
	return status === 'unknown'
		? { ...result, call: 'unknown' }
		: { ...result, call: 'none', brief: message, reach: reach ?? REACH[status] };
}

/** The outcome of a row that a limit of calls keeps from being called. */
export const limitReached = ({ reason, callableAt, isOfAll }: LimitRefusal): CallOutcome => ({
	...nodeOutcome('limit_reached', reason),
	call: 'none',
	reach: isOfAll ? 'run' : 'person',
	...(callableAt !== undefined && { callableAt }),
});

/** What the API says of one row. */
type ApiResult = Pick<CallOutcome, 'status' | 'reason' | 'success' | 'answer'>;

/**
 * The outcome of a row by what the API says of it. It was not dialed where that is proved, so that
 * it may be called by a later run: "on failure it gives the reason the destination was not dialed".
 * A status never seen before proves nothing.
 */
export function apiOutcome(result: ApiResult): CallOutcome {
	const { status, success, answer } = result;
	const callSid = answer?.call_sid ?? null;
	const provesNotDialed = !success && NOT_DIALED.includes(status) && callSid === null;
	return provesNotDialed
		? { ...result, call: 'none', reach: 'person' }
		: { ...result, call: success ? 'placed' : 'unknown' };
}

/**
 * Results of one bulk request, one for each row sent; undefined for a row that the answer does not
 * account for.
 */
export function readBulkResults(
	rows: readonly Row[],
	body: unknown,
): Array<CallOutcome | undefined> {
	const { results, batch_id: batch } = isObject(body) ? body : ({} as Record<string, unknown>);
	const batchId = typeof batch === 'string' ? bounded(batch) : null;
	const byNumber = new Map<string, CallOutcome>();
	for (const result of Array.isArray(results) ? (results as unknown[]) : []) {
		if (!isObject(result) || typeof result.destination !== 'string') continue;
		const outcome = readResult(result, batchId);
		const earlier = byNumber.get(result.destination);
		if (outcome && (!earlier || saysMore(outcome, earlier)))
			byNumber.set(result.destination, outcome);
	}
	return rows.map((row) => byNumber.get(row.destination));
}

/**
 * For a number that the answer names twice: a call that was or may have been placed must not count
 * as not placed.
 */
const saysMore = (outcome: CallOutcome, earlier: CallOutcome): boolean =>
	!earlier.success && (outcome.success || earlier.call === 'none');

/** Undefined for what says nothing of a row. */
function readResult(result: unknown, batchId: string | null = null): CallOutcome | undefined {
	if (!isObject(result)) return undefined;
	const status = typeof result.status === 'string' ? result.status : undefined;
	if (status === undefined && typeof result.success !== 'boolean') return undefined;
	const success = typeof result.success === 'boolean' ? result.success : status === 'initiated';
	return apiOutcome({
		status: status === undefined ? (success ? 'initiated' : 'failed') : bounded(status),
		reason: success ? undefined : (textOrNull(result.error) ?? undefined),
		success,
		answer: {
			consent_id: idOrNull(result.consent_id),
			call_sid: textOrNull(result.call_sid),
			batch_id: batchId,
		},
	});
}

/** A table cell, and n8n's database, hold no text without end. */
const LONGEST_TEXT = 500;

const bounded = (text: string): string => plainText(text, LONGEST_TEXT);

/** A field of an answer or a record as a bounded text; null where it has none. */
export const textOrNull = (value: unknown): string | null =>
	isBlank(value) ? null : bounded(anyText(value, LONGEST_TEXT) ?? '?');

/** A call record's ID in an answer: a text stays one. */
const idOrNull = (value: unknown): number | string | null => {
	const id = idText(value);
	return id === '' ? null : typeof value === 'number' ? value : bounded(id);
};

/** "The primary public identifier of the call" (API document, "POST /calls"). */
export const isCallId = (value: unknown): boolean => typedText(value) !== '';

/** Whether an answer names a call, whatever else it says. */
export function namesCall(body: unknown): boolean {
	if (!isObject(body)) return false;
	const { call_id, call_sid, consent_id, batch_id, results } = body;
	const isStarted = (result: unknown): boolean => {
		const outcome = readResult(result);
		return outcome !== undefined && (outcome.success || outcome.answer?.call_sid !== null);
	};
	return (
		[call_id, call_sid, consent_id, batch_id].some(isCallId) ||
		(Array.isArray(results) && (results as unknown[]).some(isStarted))
	);
}

/**
 * The API's answer to Place Call as it is, because most of its fields are not shown. Any 2xx is a
 * placed call, but one without the documented `call_id` may be somebody else's answer, and then
 * nothing is known: undefined.
 */
export function readPlacedCall(body: unknown): CallOutcome | undefined {
	if (!isObject(body) || body.success === false) return undefined;
	if (!isCallId(body.call_id) && body.success !== true) return undefined;
	const { status, error, reason, ...answer } = without(body, ...OURS);
	return apiOutcome({
		status: typeof status === 'string' ? bounded(status) : 'placed',
		reason: textOrNull(reason ?? error) ?? undefined,
		success: true,
		answer: boundedAnswer(answer),
	});
}

/** Columns of the node: an answer's field with such a name would mean something else. */
const OURS = [
	'destination',
	'success',
	'called',
	'reached',
	'called_at',
	'callable_at',
	'settled',
	'record_status',
	'original_destination',
	'time_zones',
	'request',
] as const;

/** Fields of an answer that may come out of one row, and characters of each. */
const MOST_FIELDS = 100;
const LONGEST_FIELD = 2_000;

/** An answer's other fields are not shown by the API document: as they are, but not without end. */
const boundedAnswer = (answer: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(answer)
			.slice(0, MOST_FIELDS)
			.map(([name, value]) => {
				const text = typeof value === 'number' ? '' : (anyText(value, LONGEST_FIELD) ?? '?');
				return [
					name.slice(0, LONGEST_FIELD),
					text.length > LONGEST_FIELD ? plainText(text, LONGEST_FIELD) : value,
				];
			}),
	);

/** Whether the API may dial the number when it is asked again later. */
export const isUndialedForNow = ({ call, status }: CallOutcome): boolean =>
	call === 'none' && UNDIALED_FOR_NOW.includes(status);

/** Whether an answer to a bulk request says so of each of its rows. */
export const isUndialedAnswer = (body: unknown): boolean =>
	isObject(body) &&
	Array.isArray(body.results) &&
	body.results.length > 0 &&
	(body.results as unknown[]).every((result) => {
		const outcome = readResult(result);
		return outcome !== undefined && isUndialedForNow(outcome);
	});

const UNDIALED_FOR_NOW: readonly string[] = ['rate_limited', 'temporarily_unavailable'];
const NOT_DIALED: readonly string[] = ['failed', 'skipped', 'locked', ...UNDIALED_FOR_NOW];
