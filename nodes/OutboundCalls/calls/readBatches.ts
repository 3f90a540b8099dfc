import { batchKey, idOf } from '../domain/api/apiLimits';
import { fail, type Fields } from '../domain/values';
import type { RunParameters } from '../execution/runParameters';
import type { ApiAccess } from '../http/apiAccess';
import { isSettled, type WaitUntil } from './callRecord';
import { type BatchRead, readPages } from './pages';
import { pollBatches, type PollOptions } from './poll';

/** Says how a run waits for its calls. */
export interface Waiting extends PollOptions {
	until: WaitUntil;
}

/** Reads Wait Until, Stop Waiting After and Poll Interval; undefined when the run does not wait. */
export function readWaiting(parameters: RunParameters): Waiting | undefined {
	const until = parameters.choice('waitUntil');
	if (until === 'none') return undefined;
	return {
		until,
		pollIntervalMs: parameters.number('pollInterval', 'options') * 1_000,
		timeoutMs: parameters.number('waitTimeout') * 60_000,
	};
}

/** A call record that is asked for: all of the batch without `record`, and none without `batch`. */
export interface Named {
	batch?: string;
	record?: string;
}

/** What was read of batches, by `batchKey`. */
export type BatchesRead = ReadonlyMap<string, BatchRead>;

/**
 * Reads batches once or, with `waiting`, until the named records are settled or the time is up.
 */
export async function readBatches(
	api: ApiAccess,
	named: Iterable<Named>,
	waiting: Waiting | undefined,
	stop: boolean,
	pageParameter = 'page',
	limit?: number,
): Promise<BatchesRead> {
	const { signal, concurrency, maxWaitMs } = api;
	// A limit must not hold the rows for longer than the run waits for the calls.
	const reads = waiting?.timeoutMs
		? api.reads.within(Math.min(maxWaitMs, waiting.timeoutMs))
		: api.reads;
	const wanted = new Map<string, Set<string>>();
	for (const { batch, record } of named) {
		if (batch === undefined) continue;
		const records = wanted.get(batchKey(batch)) ?? new Set();
		wanted.set(batchKey(batch), record === undefined ? records : records.add(record));
	}
	return await pollBatches(
		[...wanted.keys()],
		async (batchId) => {
			const read = await readPages({ ...api, reads }, batchId, pageParameter, limit);
			// A batch that was just placed may not be visible yet.
			return !read.ok && read.error.httpCode === 404
				? fail({ ...read.error, retryable: true })
				: read;
		},
		(batchId, records) => !waiting || areSettled(records, waiting.until, wanted.get(batchId)!),
		{ concurrency, stop, signal, poll: waiting },
	);
}

/** Whether each wanted record is there and settled. A missing record may not be visible yet. */
function areSettled(records: readonly Fields[], until: WaitUntil, wanted: ReadonlySet<string>) {
	const named = wanted.size > 0 ? records.filter((record) => wanted.has(idOf(record))) : records;
	return named.length >= (wanted.size || 1) && named.every((record) => isSettled(record, until));
}

/** Finds the records that were named. */
export function recordsIn(batches: BatchesRead): (named: Named) => Fields | undefined {
	const records = new Map<string, Fields>();
	for (const [batch, read] of batches)
		for (const record of read.ok ? read.value : []) records.set(`${batch} ${idOf(record)}`, record);
	return ({ batch = '', record }) => records.get(`${batchKey(batch)} ${record}`);
}
