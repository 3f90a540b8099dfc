import { isReached, isSettled, type WaitUntil } from '../domain/callRecord';
import { type Fields, isBlank } from '../domain/fields';
import { formatDuration } from '../domain/format';
import { idOf } from '../domain/ids';
import { fail, ok } from '../domain/problem';
import type { Items } from '../execution/items';
import type { Run } from '../execution/run';
import type { RunParameters } from '../execution/runParameters';
import type { ApiProblem } from '../http/apiErrors';
import type { Throttle } from '../http/throttle';
import { type BatchDetail, type BatchRead, readPages } from './pages';
import { pollBatches, type PolledBatch } from './poll';
import { without } from '../domain/json';

/** How a run waits for its calls, in milliseconds. */
export interface Waiting {
	until: WaitUntil;
	pollIntervalMs: number;
	timeoutMs: number;
}

/** Reads it from the panel; undefined: the run does not wait. */
export function readWaiting(read: RunParameters): Waiting | undefined {
	const until = read.choice('waitUntil', 'Wait Until', ['none', 'dialed', 'finished']);
	if (until === 'none') return undefined;
	return {
		until,
		pollIntervalMs: read.number('pollInterval', 'Poll Interval', 10, 1, 86_400) * 1_000,
		timeoutMs: read.number('waitTimeout', 'Wait Timeout', 10, 0, Number.MAX_VALUE) * 60_000,
	};
}

/** Batches, and of each the IDs of the records that are asked for; undefined: all of its records. */
export type Wanted = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** Reads batches once or, with `waiting`, again and again until the wanted records have arrived or the time is up. */
export async function readBatches(
	run: Run,
	wanted: Wanted,
	waiting: Waiting | undefined,
	{
		stop,
		pageParameter = 'page',
		limit,
	}: { stop: boolean; pageParameter?: string; limit?: number | undefined },
): Promise<Map<string, PolledBatch>> {
	const { signal, concurrency } = run;
	const batchIds = [...wanted.keys()];
	const read = (reads: Throttle) => (batchId: string) =>
		readPages({ ...run, reads }, batchId, pageParameter, limit);
	if (!waiting)
		return await pollBatches(batchIds, read(run.reads), () => true, { concurrency, stop, signal });

	const { until, pollIntervalMs, timeoutMs } = waiting;
	// A limit that asks to come back later must not hold the rows for longer than calls are waited for. A single look is tried again as any other.
	const look = read(timeoutMs > 0 ? run.readsWithin(timeoutMs) : run.reads);
	const known = new Map<string, Fields[]>();
	return await pollBatches(
		batchIds,
		async (batchId) => {
			const seen = notVisibleYet(await look(batchId));
			if (!seen.ok || !wanted.get(batchId)) return seen;
			const records = withEarlier(seen.value.records, known.get(batchId));
			known.set(batchId, records);
			return ok({ ...seen.value, records });
		},
		(batchId, detail) => areSettled(detail, until, wanted.get(batchId)),
		{ concurrency, stop, signal, poll: { pollIntervalMs, timeoutMs } },
	);
}

const EVIDENCE = ['auto_call_sid', 'conversation_id'];

/** What an earlier look has shown of a call stays known, also if a later one does not show it any more: the record, or that it was dialed, or answered. */
function withEarlier(records: Fields[], before: Fields[] = []): Fields[] {
	const earlier = new Map(before.map((record) => [idOf(record), record]));
	const shown = records.map((record) => {
		const known = earlier.get(idOf(record));
		earlier.delete(idOf(record));
		const isGone = (field: string): boolean =>
			known !== undefined && isBlank(record[field]) && !isBlank(known[field]);
		return {
			...record,
			...Object.fromEntries(EVIDENCE.filter(isGone).map((field) => [field, known![field]])),
		};
	});
	return [...shown, ...earlier.values()];
}

/** Whether each wanted record is there and has arrived. A batch without records, and a record that is missing, may not be visible yet. */
function areSettled(
	{ records }: BatchDetail,
	until: WaitUntil,
	wanted?: ReadonlySet<string>,
): boolean {
	const named = wanted ? records.filter((record) => wanted.has(idOf(record))) : records;
	return named.length >= (wanted?.size ?? 1) && named.every((record) => isSettled(record, until));
}

/** While calls are waited for, a batch that does not exist is asked for again: it may not be visible yet. */
const notVisibleYet = (read: BatchRead): BatchRead =>
	read.ok || read.error.httpCode !== 404 ? read : fail({ ...read.error, retryable: true });

/** Refusals come first: with On Error = Stop they say more than a call that is still open. */
export function rejectUnread<T>(
	items: Items<T>,
	batches: ReadonlyMap<string, { items: number[] }>,
	read: ReadonlyMap<string, PolledBatch>,
): void {
	for (const [id, batch] of batches) {
		const result = read.get(id);
		if (result?.ok === false) items.reject(batch.items, result.error);
	}
}

/** A record as a row: first whether the person was reached, last whether it is settled where the run waited for that. */
export function recordRow(record: Fields, waiting: Waiting | undefined, settled?: boolean): Fields {
	// A field of that name would not be ours.
	return {
		reached: isReached(record),
		...without(record, 'reached'),
		...(waiting ? { settled: settled ?? isSettled(record, waiting.until) } : {}),
	};
}

/** Reads from the panel whether open calls come out as rows when the time is up, not as n8n errors. */
export const outputsOpen = (read: RunParameters): boolean =>
	read.choice('onTimeout', 'On Timeout', ['output', 'error']) === 'output';

export const stillOpen = (open: number, of: number, { until, timeoutMs }: Waiting): ApiProblem => ({
	message: `${of === 1 ? 'the call is' : `${open} of ${of} calls are`} not ${until === 'dialed' ? 'dialed' : 'finished'} ${timeoutMs > 0 ? `after ${formatDuration(timeoutMs)}` : 'yet'}`,
	remedy:
		'The calls go on, and looking again calls nobody. Raise Wait Timeout, or set On Timeout to “Return What Is There” to go on with the calls that are ready.',
});
