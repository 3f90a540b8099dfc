import type { INodeProperties } from 'n8n-workflow';
import { readBatch, type BatchRead } from '../api/batchPages';
import { request } from '../api/reading';
import { found, passed, quoted, type Checked } from '../domain/finding';
import { isBatchId } from '../domain/limits';
import { getBatchOptions, shownFor } from '../fields';
import { perItem, perRun } from '../parameters';
import { eachItem, type Run } from './eachItem';
import type { Operation } from './operation';

const fields: INodeProperties[] = [
	{
		displayName: 'Batch ID',
		name: 'batchId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e',
		description: 'The batch_id that Place Call or Bulk Call returned. Several rows may name the same batch: it is read once.',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'records',
		options: [
			{ name: 'One Item per Call Record', value: 'records', description: 'A row for each call of the batch' },
			{ name: 'One Item for the Batch', value: 'batch', description: 'The batch, its summary and all its call records' },
		],
		description: 'What to return for each batch',
	},
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: true,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

export function checkBatchId(value: unknown): Checked<string> {
	const id = typeof value === 'string' ? value.trim() : '';
	return isBatchId(id)
		? passed(id)
		: found(
				id === '' ? 'the batch ID is empty' : `the batch ID ${quoted(id)} is not one of the API’s IDs`,
				'Drag in the column batch_id from Bulk Call, which looks like 8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e.',
			);
}

export const getBatch: Operation = {
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get the calls of a batch',
	description: 'Get the call records of a batch, with what became of each call',
	fields: shownFor('batch', 'getBatch', [...fields, getBatchOptions]),

	async execute(context) {
		const batchId = perItem<unknown>(context, 'batchId', '');
		const limit = perRun<boolean>(context, 'returnAll', true) ? Infinity : Math.max(1, perRun(context, 'limit', 50));
		const asBatch = perRun<string>(context, 'output', 'records') === 'batch';
		const pageParameter = perRun(context, 'options.pageParameter', 'page').trim() || 'page';

		return await eachItem(
			context,
			(itemIndex) => checkBatchId(batchId(itemIndex)),
			async (run, id) => {
				const read = await readPages(run, id, pageParameter, limit);
				if (!read.ok) return read;
				const { batch, records } = read.detail;
				return { ok: true, rows: asBatch ? [{ ...batch, consents: records }] : records };
			},
			(id) => id.toLowerCase(),
		);
	},
};

function readPages({ send, pace, timeoutMs }: Run, batchId: string, pageParameter: string, limit: number): Promise<BatchRead> {
	const path = `/batches/${encodeURIComponent(batchId)}`;
	const subject = { purpose: 'read' as const, batchId, timeoutMs };
	// Page 1 is what the API sends without being asked for a page, so it needs no parameter's name.
	return readBatch(
		(page) =>
			request(send, pace, { method: 'GET', path, timeoutMs, ...(page > 1 ? { query: { [pageParameter]: page } } : {}) }, subject),
		pageParameter,
		limit,
	);
}
