import { fail, type Fields, formatDuration, ok, without } from '../domain/values';
import { idOf } from '../domain/api/apiLimits';
import type { Items } from '../execution/items';
import type { ApiAccess } from '../http/apiAccess';
import type { RunParameters } from '../execution/runParameters';
import type { ApiProblem } from '../domain/api/apiProblem';
import { isSettled, reachedOf, type WaitUntil } from './callRecord';
import { pageParameterOf, readPages } from './pages';
import { pollBatches, type PolledBatch, type PollOptions } from './poll';

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

/** Settings of an operation that reads calls. */
export const readSettings = (parameters: RunParameters) => ({
	waiting: readWaiting(parameters),
	/** On Timeout: open calls come out as rows when the time is up, and not as errors. */
	isOpenReturned: parameters.choice('onTimeout') === 'output',
	pageParameter: pageParameterOf(parameters),
});

/**
 * The batches to read, each with the IDs of the records that are asked for; undefined for all
 * records.
 */
type Wanted = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/**
 * Reads batches once or, with `waiting`, until the wanted records are settled or the time is up.
 */
export async function readBatches(
	api: ApiAccess,
	wanted: Wanted,
	waiting: Waiting | undefined,
	{
		stop,
		pageParameter = 'page',
		limit,
	}: { stop: boolean; pageParameter?: string; limit?: number | undefined },
): Promise<Map<string, PolledBatch>> {
	const { signal, concurrency, maxWaitMs } = api;
	// A limit must not hold the rows for longer than the run waits for the calls.
	const reads = waiting?.timeoutMs
		? api.reads.within(Math.min(maxWaitMs, waiting.timeoutMs))
		: api.reads;
	/** Settled records of which some are wanted, by ID. */
	const settled = new Map<string, Fields>();
	return await pollBatches(
		[...wanted.keys()],
		async (batchId) => {
			const read = await readPages({ ...api, reads }, batchId, pageParameter, limit);
			if (!waiting) return read;
			const ids = wanted.get(batchId);
			if (read.ok && ids) {
				for (const record of read.value)
					if (isSettled(record, waiting.until)) settled.set(idOf(record), record);
				// What an earlier look has settled stays so.
				const open = read.value.filter((record) => !settled.has(idOf(record)));
				return ok([
					...open,
					...[...settled].filter(([id]) => ids.has(id)).map(([, record]) => record),
				]);
			}
			// A batch that was just placed may not be visible yet.
			return !read.ok && read.error.httpCode === 404
				? fail({ ...read.error, retryable: true })
				: read;
		},
		(batchId, records) => !waiting || areSettled(records, waiting.until, wanted.get(batchId)),
		{ concurrency, stop, signal, poll: waiting },
	);
}

/** Whether each wanted record is there and settled. A missing record may not be visible yet. */
function areSettled(
	records: readonly Fields[],
	until: WaitUntil,
	wanted?: ReadonlySet<string>,
): boolean {
	const named = wanted ? records.filter((record) => wanted.has(idOf(record))) : records;
	return named.length >= (wanted?.size ?? 1) && named.every((record) => isSettled(record, until));
}

/**
 * The batches that could be read, each with the items that name it. The items of the others are
 * rejected: with On Error = Stop this says more than a call that is still open.
 */
export function acceptRead<T, B extends { items: number[] }>(
	items: Items<T>,
	batches: ReadonlyMap<string, B>,
	read: ReadonlyMap<string, PolledBatch>,
) {
	return [...batches].flatMap(([id, batch]) => {
		const result = read.get(id);
		if (result?.ok) return [{ batch, ...result.value }];
		if (result) items.reject(batch.items, result.error);
		return [];
	});
}

/** A record as a row, with `reached` first and, if the run waited, `settled` last. */
export function recordRow(record: Fields, waiting: Waiting | undefined, settled?: boolean): Fields {
	return {
		reached: reachedOf(record),
		...without(record, 'reached'),
		...(waiting && { settled: settled ?? isSettled(record, waiting.until) }),
	};
}

/** Why an item is rejected when the time is up and On Timeout is `error`. */
export const stillOpen = (open: number, of: number, { until, timeoutMs }: Waiting): ApiProblem => ({
	message: `${of === 1 ? 'the call is' : `${open} of ${of} calls are`} not ${until === 'dialed' ? 'dialed' : 'finished'} ${timeoutMs > 0 ? `after ${formatDuration(timeoutMs)}` : 'yet'}`,
	remedy:
		'The calls continue, and you can look again at any time. Raise Stop Waiting After, or set On Timeout to “Return What Is Available”.',
});
