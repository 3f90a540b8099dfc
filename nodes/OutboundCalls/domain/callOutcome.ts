import { isObject } from './json';
import type { OutsideHours } from './rightToCall';
import type { Row } from './row';

/** Statuses that this node gives; all others are the API's. */
export type NodeStatus =
	'duplicate' | 'already_called' | 'unknown' | 'dry_run' | 'invalid' | 'refused' | 'placed' | 'outside_hours' | 'do_not_call' | 'limit_reached';

/** What became of a row. */
export interface CallOutcome {
	/** The API's own status, or one of the node's. */
	status: string;
	/** Why there was no call, short enough for a table; null where there is nothing to say. */
	reason: string | null;
	success: boolean;
	/** The rest of what the API said. Bulk Call: consent_id, call_sid, batch_id. Place Call: all that it answered. */
	answer: Readonly<Record<string, unknown>>;
	/** Whether somebody was called, where the status is the node's: the API may come to use the same words. */
	called?: Called;
	/** The run ended before the row had its turn. */
	notReached?: true;
	/** An earlier row with another number has the same key. */
	sharesKey?: true;
	hours?: OutsideHours;
}

/** The IDs of a call that Bulk Call placed; each is null when there is none. */
export interface BulkIds extends Record<string, unknown> {
	consent_id: number | string | null;
	call_sid: string | null;
	batch_id: string | null;
}

export const NO_BULK_IDS: BulkIds = { consent_id: null, call_sid: null, batch_id: null };

/** Whether somebody was called: `maybe` where nothing proves that nobody was. */
export type Called = 'yes' | 'no' | 'maybe';

export function calledBy(outcome: CallOutcome): Called {
	if (outcome.called) return outcome.called;
	if (provesNotDialed(outcome)) return 'no';
	return outcome.success ? 'yes' : 'maybe';
}

/** Whether the row shares the call of another one. */
export const sharesCall = ({ status, called }: CallOutcome): boolean => status === 'duplicate' && called !== undefined;

/** An outcome that is not the API's. `answer`: the IDs of a row without a call. */
export const notPlaced = (status: NodeStatus, reason: string | null, answer: CallOutcome['answer']): CallOutcome => ({
	status,
	reason,
	success: false,
	answer,
	called: status === 'unknown' ? 'maybe' : 'no',
});

/** Results of one bulk request, one for each row sent; undefined for a row that the answer does not account for. */
export function readBulkResults(rows: readonly Row[], body: unknown): Array<CallOutcome | undefined> {
	const { results, batch_id: batch } = isObject(body) ? body : ({} as Record<string, unknown>);
	const batchId = typeof batch === 'string' ? batch : null;
	const byNumber = new Map<string, CallOutcome>();
	for (const result of Array.isArray(results) ? (results as unknown[]) : []) {
		if (!isObject(result) || typeof result.destination !== 'string') continue;
		const outcome = readResult(result, batchId);
		const earlier = byNumber.get(result.destination);
		if (outcome && (!earlier || saysMore(outcome, earlier))) byNumber.set(result.destination, outcome);
	}
	return rows.map((row) => byNumber.get(row.destination));
}

/** For a number that the answer names twice: a call that was or may have been placed must not count as not placed. */
const saysMore = (outcome: CallOutcome, earlier: CallOutcome): boolean => !earlier.success && (outcome.success || provesNotDialed(earlier));

function readResult(result: Record<string, unknown>, batchId: string | null): CallOutcome | undefined {
	const status = typeof result.status === 'string' ? result.status : undefined;
	if (status === undefined && typeof result.success !== 'boolean') return undefined;
	const success = typeof result.success === 'boolean' ? result.success : status === 'initiated';
	const ids: BulkIds = { consent_id: idOrNull(result.consent_id), call_sid: textOrNull(result.call_sid), batch_id: batchId };
	return {
		status: status === undefined ? (success ? 'initiated' : 'failed') : bounded(status),
		reason: success ? null : textOrNull(result.error),
		success,
		answer: ids,
	};
}

/** A table cell, and n8n's database, hold no text without end. */
const LONGEST_TEXT = 500;

const bounded = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

const textOrNull = (value: unknown): string | null =>
	value === undefined || value === null ? null : bounded(typeof value === 'string' ? value : JSON.stringify(value));

const idOrNull = (value: unknown): number | string | null => (typeof value === 'string' ? bounded(value) : typeof value === 'number' ? value : null);

/**
 * The API's answer to Place Call as it is, because most of its fields are not shown. Any 2xx is a placed call, but one
 * without the documented `call_id` may be somebody else's answer, and then nothing is known: undefined.
 */
export function readPlacedCall(body: unknown): CallOutcome | undefined {
	if (!isObject(body) || body.success === false) return undefined;
	if (body.call_id === undefined && body.success !== true) return undefined;
	const { status, error, destination: _destination, success: _success, reason, ...answer } = body;
	return { status: typeof status === 'string' ? bounded(status) : 'placed', reason: textOrNull(reason ?? error), success: true, answer };
}

/**
 * Whether a result proves that the number was not dialed, so that it may be called by a later run: "on
 * failure it gives the reason the destination was not dialed". A status never seen before proves nothing.
 */
export const provesNotDialed = ({ success, status, answer: { call_sid: callSid } }: CallOutcome): boolean =>
	!success && NOT_DIALED.includes(status) && (callSid === null || callSid === undefined);

/** Whether the API may dial the number when it is asked again later. */
export const isUndialedForNow = (outcome: CallOutcome): boolean => provesNotDialed(outcome) && UNDIALED_FOR_NOW.includes(outcome.status);

const UNDIALED_FOR_NOW: readonly string[] = ['rate_limited', 'temporarily_unavailable'];
const NOT_DIALED: readonly string[] = ['failed', 'skipped', 'locked', ...UNDIALED_FOR_NOW];
