import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isSettled, type WaitUntil } from '../domain/callRecord';
import { formatDuration } from '../domain/format';
import type { Items } from '../execution/items';
import { perRun } from '../execution/parameters';
import { clamp, type Run } from '../execution/run';
import type { ApiProblem } from '../http/apiErrors';
import { type BatchDetail, pageParameterOf, readPages } from './pages';
import { pollBatches, type PolledBatch } from './poll';

/** How this run waits for call records. */
export interface Waiting {
	/** Undefined: it does not wait. */
	until: WaitUntil | undefined;
	timeoutMs: number;
	/** Open calls come out as rows, not as n8n errors. */
	outputsOpen: boolean;
}

export function waitingOf(context: IExecuteFunctions): Waiting {
	const until = perRun<WaitUntil | 'none'>(context, 'waitUntil', 'none');
	return {
		until: until === 'none' ? undefined : until,
		timeoutMs: clamp(perRun(context, 'waitTimeout', 10), 0, Infinity) * 60_000,
		outputsOpen: perRun<string>(context, 'onTimeout', 'error') === 'output',
	};
}

/** Reads batches, and waits for those of their records that `isWanted` names. */
export async function readAndWait(
	context: IExecuteFunctions,
	run: Run,
	batchIds: readonly string[],
	{ until, timeoutMs }: Waiting,
	limit?: number,
	isWanted: (batchId: string, record: IDataObject) => boolean = () => true,
): Promise<Map<string, PolledBatch>> {
	const pageParameter = pageParameterOf(context);
	const pollIntervalMs = clamp(perRun(context, 'pollInterval', 10), 1, 86_400) * 1_000;
	const settled = (batchId: string, { records }: BatchDetail): boolean =>
		until === undefined || records.every((record) => !isWanted(batchId, record) || isSettled(record, until));
	return await pollBatches(batchIds, (batchId) => readPages(run, batchId, pageParameter, limit), settled, {
		concurrency: run.concurrency,
		stop: !context.continueOnFail(),
		signal: run.signal,
		poll: until && { pollIntervalMs, timeoutMs },
	});
}

/** Refusals come first: with On Error = Stop they say more than a call that is still open. */
export function rejectUnread<T>(items: Items<T>, batches: ReadonlyMap<string, { items: number[] }>, read: ReadonlyMap<string, PolledBatch>): void {
	for (const [id, batch] of batches) {
		const result = read.get(id);
		if (result?.ok === false) items.reject(batch.items, result.error);
	}
}

/** The record, with whether it is settled where the run waited for that. */
export const withSettled = (record: IDataObject, { until }: Waiting, settled?: boolean): IDataObject =>
	until ? { ...record, settled: settled ?? isSettled(record, until) } : record;

export const stillOpen = (open: number, of: number, { until, timeoutMs }: Waiting): ApiProblem => ({
	message: `${of === 1 ? 'the call is' : `${open} of ${of} calls are`} not ${until === 'dialed' ? 'dialed' : 'finished'} ${timeoutMs > 0 ? `after ${formatDuration(timeoutMs)}` : 'yet'}`,
	remedy: 'Raise Wait Timeout, or set On Timeout to “Return What Is There” to go on with the calls that are ready.',
});
