import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { readBatch, type BatchDetail, type BatchRead } from './pages';
import { sendWithRetry } from '../http/retry';
import type { ApiProblem } from '../http/apiErrors';
import { problem, ok, quoted, type Checked } from '../domain/problem';
import { isBatchId } from '../domain/limits';
import { formatDuration } from '../domain/retryTiming';
import { isSettled, type WaitUntil } from '../domain/callRecord';
import { perRun } from '../execution/parameters';
import { pollBatches, type PolledBatch } from './poll';
import type { Items, Run } from '../execution/eachItem';
import { clamp } from '../execution/runOptions';

export const batchIdField: INodeProperties = {
	displayName: 'Batch ID',
	name: 'batchId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 8f14e45f-ceea-4672-9d2c-…',
	hint: 'Drag batch_id in from the left',
	description: 'The batch_id that Bulk Call returned. Several rows may name the same batch: it is read once.',
};

export const waitFields: INodeProperties[] = [
	{
		displayName: 'Wait Until',
		name: 'waitUntil',
		type: 'options',
		noDataExpression: true,
		default: 'none',
		options: [
			{ name: 'Do Not Wait', value: 'none', description: 'Return the call records as they are now' },
			{ name: 'Each Call Is Dialed', value: 'dialed', description: 'Each call was dialed, could not be dialed, or was cancelled' },
			{ name: 'Each Call Is Finished', value: 'finished', description: 'Each call has its conversation, could not be dialed, or was cancelled' },
		],
		description: 'Whether to wait for the calls, and for what',
	},
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollInterval',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description: 'How often to look whether the calls are there yet',
		displayOptions: { show: { waitUntil: ['dialed', 'finished'] } },
	},
	{
		displayName: 'Wait Timeout (Minutes)',
		name: 'waitTimeout',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 10,
		description: 'How long to wait at most',
		displayOptions: { show: { waitUntil: ['dialed', 'finished'] } },
	},
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		default: 'error',
		options: [
			{ name: 'Stop with a Message', value: 'error', description: 'Treat rows whose call is still open as failed ones' },
			{ name: 'Return What Is There', value: 'output', description: 'Return all rows; the field settled says which calls are still open' },
		],
		description: 'What to do when the time is up and some calls are still open',
		displayOptions: { show: { waitUntil: ['dialed', 'finished'] } },
	},
];

export function checkBatchId(value: unknown): Checked<string> {
	const id = typeof value === 'string' ? value.trim() : '';
	return isBatchId(id)
		? ok(id)
		: problem(
				id === '' ? 'the batch ID is empty' : `the batch ID ${quoted(id)} is not one of the API’s IDs`,
				'Drag in the column batch_id from Bulk Call, which looks like 8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e. Rows that were not placed have none: filter them out before.',
			);
}

/** One key for a batch, however its ID is spelled. */
export const batchKey = (batchId: string): string => batchId.toLowerCase();

/** All pages of a batch, or as many as `limit` records need. */
export async function readPages({ send, pace, timeoutMs }: Run, batchId: string, pageParameter: string, limit = Infinity): Promise<BatchRead> {
	const path = `/batches/${encodeURIComponent(batchId)}`;
	const subject = { purpose: 'read' as const, batchId, timeoutMs };
	// Page 1 is what the API sends without being asked for a page, so it needs no parameter's name.
	const page = (number: number) => {
		const query = number > 1 ? { query: { [pageParameter]: number } } : {};
		return sendWithRetry(send, pace, { method: 'GET', path, timeoutMs, ...query }, subject);
	};
	return await readBatch(page, pageParameter, limit);
}

export const pageParameterOf = (context: IExecuteFunctions): string =>
	String(perRun<string | number | null>(context, 'options.pageParameter', 'page') ?? '').trim() || 'page';

/** How this run waits for call records. */
export interface Waiting {
	/** Undefined: it does not wait. */
	until: WaitUntil | undefined;
	timeoutMs: number;
	/** Open calls come out as rows, not as refusals. */
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
export async function followBatches(
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
export function rejectUnread<T>(
	items: Items<T>,
	batches: ReadonlyMap<string, { items: number[] }>,
	followed: ReadonlyMap<string, PolledBatch>,
): void {
	for (const [id, batch] of batches) {
		const result = followed.get(id);
		if (result?.ok === false) items.reject(batch.items, result.refusal);
	}
}

/** The record, with whether it is settled where the run waited for that. */
export const withSettled = (record: IDataObject, { until }: Waiting, settled?: boolean): IDataObject =>
	until ? { ...record, settled: settled ?? isSettled(record, until) } : record;

export const stillOpen = (open: number, of: number, { until, timeoutMs }: Waiting): ApiProblem => ({
	message: `${of === 1 ? 'the call is' : `${open} of ${of} calls are`} not ${until === 'dialed' ? 'dialed' : 'finished'} ${timeoutMs > 0 ? `after ${formatDuration(timeoutMs)}` : 'yet'}`,
	remedy: 'Raise Wait Timeout, or set On Timeout to “Return What Is There” to go on with the calls that are ready.',
});
