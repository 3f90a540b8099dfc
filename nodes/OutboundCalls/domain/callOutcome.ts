import { isObject } from './json';
import type { Row } from './row';

/** What one row of Bulk Call comes out as. The keys are a public interface. */
export interface CallOutcome {
	destination: string;
	success: boolean;
	/** The API's own status, or `duplicate` or `unknown` from this node. */
	status: string;
	/** Why there was no call, null on success. */
	reason: string | null;
	consent_id: number | string | null;
	call_sid: string | null;
	batch_id: string | null;
}

/** Results of one bulk request, one for each row sent; undefined for a row that the answer does not account for. */
export function readBulkResults(rows: readonly Row[], body: unknown): Array<CallOutcome | undefined> {
	const { results, batch_id: batch } = isObject(body) ? body : ({} as Record<string, unknown>);
	const batchId = typeof batch === 'string' ? batch : null;
	const byNumber = new Map<string, CallOutcome>();
	for (const result of Array.isArray(results) ? (results as unknown[]) : []) {
		const outcome = readResult(result, batchId);
		if (!outcome) continue;
		const earlier = byNumber.get(outcome.destination);
		if (!earlier || saysMore(outcome, earlier)) byNumber.set(outcome.destination, outcome);
	}
	return rows.map((row) => byNumber.get(row.destination));
}

/** For a number that the answer names twice: a call that was or may have been placed must not count as not placed. */
const saysMore = (outcome: CallOutcome, earlier: CallOutcome): boolean => !earlier.success && (outcome.success || provesNotDialed(earlier));

function readResult(result: unknown, batchId: string | null): CallOutcome | undefined {
	if (!isObject(result) || typeof result.destination !== 'string') return undefined;
	const status = typeof result.status === 'string' ? result.status : undefined;
	if (status === undefined && typeof result.success !== 'boolean') return undefined;
	const success = typeof result.success === 'boolean' ? result.success : status === 'initiated';
	return {
		destination: result.destination,
		success,
		status: status ?? (success ? 'initiated' : 'failed'),
		reason: success ? null : textOrNull(result.error),
		consent_id: idOrNull(result.consent_id),
		call_sid: textOrNull(result.call_sid),
		batch_id: batchId,
	};
}

const textOrNull = (value: unknown): string | null =>
	typeof value === 'string' ? value : value === undefined || value === null ? null : JSON.stringify(value);

const idOrNull = (value: unknown): number | string | null => (typeof value === 'number' || typeof value === 'string' ? value : null);

/** The outcome of a row that is not the API's: one of the node's own statuses, and why. */
export type NotPlaced<T> = (row: Row, status: 'unknown' | 'already_called' | 'dry_run', reason: string | null) => T;

export const notPlacedInBulk: NotPlaced<CallOutcome> = ({ destination }, status, reason) => ({
	destination,
	success: false,
	status,
	reason,
	consent_id: null,
	call_sid: null,
	batch_id: null,
});

/**
 * Whether a result proves that the number was not dialed, so that it may be called by a later run: "on
 * failure it gives the reason the destination was not dialed". A status never seen before proves nothing.
 */
export const provesNotDialed = ({ success, status, call_sid: callSid }: PlacementResult): boolean =>
	success === false && NOT_DIALED.includes(String(status)) && (callSid === null || callSid === undefined);

/** Whether the API may dial the number when it is asked again later. */
export const isUndialedForNow = (result: PlacementResult): boolean => provesNotDialed(result) && UNDIALED_FOR_NOW.includes(String(result.status));

const UNDIALED_FOR_NOW: readonly string[] = ['rate_limited', 'temporarily_unavailable'];
const NOT_DIALED: readonly string[] = ['failed', 'skipped', 'locked', ...UNDIALED_FOR_NOW];

/** A result of either placement endpoint, as far as placing needs to know it. */
export interface PlacementResult {
	success?: unknown;
	status?: unknown;
	call_sid?: unknown;
}

/** A row whose number an earlier row has: it repeats that row's ids, and whether that person was called. */
export const duplicateOf = <T extends object>(earlier: T): T & { status: string } => ({
	...earlier,
	status: 'duplicate',
});

/** "3 rows" counts for the panel: how many rows came out with which status, most frequent first. */
export function countedStatuses(statuses: Iterable<string>): Array<[status: string, rows: number]> {
	const counts = new Map<string, number>();
	for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
	return [...counts].sort((a, b) => b[1] - a[1]);
}
