import { isObject } from './answer';
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

/** Statuses whose rows the API may dial when asked again later (API document, "Bulk per-destination result"). */
export const UNDIALED_FOR_NOW: readonly string[] = ['rate_limited', 'temporarily_unavailable'];

/** Results of one bulk request, one for each row sent; undefined for a row that the answer does not account for. */
export function readBulkResults(rows: readonly Row[], body: unknown): Array<CallOutcome | undefined> {
	const { results, batch_id: batch } = isObject(body) ? body : ({} as Record<string, unknown>);
	const batchId = typeof batch === 'string' ? batch : null;
	const byNumber = new Map<string, CallOutcome>();
	for (const result of Array.isArray(results) ? (results as unknown[]) : []) {
		const outcome = readResult(result, batchId);
		// Named twice: a success counts, so that a call that was placed is never taken for one that was not.
		if (outcome && !byNumber.get(outcome.destination)?.success) byNumber.set(outcome.destination, outcome);
	}
	return rows.map((row) => byNumber.get(row.destination));
}

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

const idOrNull = (value: unknown): number | string | null =>
	typeof value === 'number' || typeof value === 'string' ? value : null;

/** A row that was sent without a clear answer: the call may have been placed. */
export const unknownOutcome = (destination: string, reason: string): CallOutcome => ({
	destination,
	success: false,
	status: 'unknown',
	reason,
	consent_id: null,
	call_sid: null,
	batch_id: null,
});

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
