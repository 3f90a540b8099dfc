import { isReached, isSettled, type WaitUntil } from '../domain/callRecord';
import type { Fields } from '../domain/fields';
import { formatDuration } from '../domain/format';
import { idOf } from '../domain/ids';
import { fail } from '../domain/problem';
import type { Execution } from '../execution/execution';
import type { Items } from '../execution/items';
import type { Run } from '../execution/run';
import { RunParameters } from '../execution/runParameters';
import type { ApiProblem } from '../http/apiErrors';
import { Throttle } from '../http/throttle';
import { type BatchDetail, type BatchRead, pageParameterOf, readPages } from './pages';
import { pollBatches, type PolledBatch } from './poll';

/** How this run waits for call records. */
export interface Waiting {
	/** Undefined: it does not wait. */
	until: WaitUntil | undefined;
	pollIntervalMs: number;
	timeoutMs: number;
	/** Open calls come out as rows, not as n8n errors. */
	outputsOpen: boolean;
}

export function waitingOf(execution: Execution): Waiting {
	const read = new RunParameters(execution);
	const until = read.choice('waitUntil', 'Wait Until', ['none', 'dialed', 'finished']);
	const waiting: Waiting = {
		until: until === 'none' ? undefined : until,
		pollIntervalMs: read.number('pollInterval', 'Poll Interval', 10, 1, 86_400) * 1_000,
		timeoutMs: read.number('waitTimeout', 'Wait Timeout', 10, 0, Number.MAX_VALUE) * 60_000,
		outputsOpen: read.choice('onTimeout', 'On Timeout', ['output', 'error']) === 'output',
	};
	read.check();
	return waiting;
}

/** Reads batches, and waits for all of their records or, with `wanted`, for the records with these ids of each batch. */
export async function readAndWait(
	execution: Execution,
	run: Run,
	batchIds: readonly string[],
	{ until, pollIntervalMs, timeoutMs }: Waiting,
	limit?: number,
	wanted?: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Map<string, PolledBatch>> {
	const pageParameter = pageParameterOf(execution);
	const settled = (batchId: string, detail: BatchDetail): boolean => until === undefined || areSettled(detail, until, wanted?.get(batchId));
	// A limit that asks to come back later must not hold the rows for longer than calls are waited for. A single look is tried again as any other.
	const throttle = until && timeoutMs > 0 ? new Throttle({ maxWaitMs: Math.min(run.maxWaitMs, timeoutMs), signal: run.signal }) : run.throttle;
	const read = (batchId: string) => readPages({ ...run, throttle }, batchId, pageParameter, limit);
	return await pollBatches(batchIds, until === undefined ? read : async (batchId) => notVisibleYet(await read(batchId)), settled, {
		concurrency: run.concurrency,
		stop: execution.stops,
		signal: run.signal,
		poll: until && { pollIntervalMs, timeoutMs },
	});
}

/** Whether each wanted record is there and has arrived. A batch without records, and a record that is missing, may not be visible yet. */
export function areSettled({ records }: BatchDetail, until: WaitUntil, wanted?: ReadonlySet<string>): boolean {
	const named = wanted ? records.filter((record) => wanted.has(idOf(record))) : records;
	return named.length >= (wanted?.size ?? 1) && named.every((record) => isSettled(record, until));
}

/** While calls are waited for, a batch that does not exist is asked for again: it may not be visible yet. */
export const notVisibleYet = (read: BatchRead): BatchRead =>
	read.ok || read.error.httpCode !== 404 ? read : fail({ ...read.error, retryable: true });

/** Refusals come first: with On Error = Stop they say more than a call that is still open. */
export function rejectUnread<T>(items: Items<T>, batches: ReadonlyMap<string, { items: number[] }>, read: ReadonlyMap<string, PolledBatch>): void {
	for (const [id, batch] of batches) {
		const result = read.get(id);
		if (result?.ok === false) items.reject(batch.items, result.error);
	}
}

/** A record as a row: first whether the person was reached, last whether it is settled where the run waited for that. */
export function recordRow(record: Fields, { until }: Waiting, settled?: boolean): Fields {
	const { reached: _notOurs, ...fields } = record;
	return { reached: isReached(record), ...fields, ...(until ? { settled: settled ?? isSettled(record, until) } : {}) };
}

export const stillOpen = (open: number, of: number, { until, timeoutMs }: Waiting): ApiProblem => ({
	message: `${of === 1 ? 'the call is' : `${open} of ${of} calls are`} not ${until === 'dialed' ? 'dialed' : 'finished'} ${timeoutMs > 0 ? `after ${formatDuration(timeoutMs)}` : 'yet'}`,
	remedy: 'Raise Wait Timeout, or set On Timeout to “Return What Is There” to go on with the calls that are ready.',
});
