import type { INodeProperties } from 'n8n-workflow';
import { readAndWait, rejectUnread, stillOpen, waitingOf, withSettled } from '../../batches/waiting';
import { isSettled } from '../../domain/callRecord';
import { batchKey, checkBatchId } from '../../domain/ids';
import { groupBy, Items } from '../../execution/items';
import { perItem, perRun } from '../../execution/parameters';
import { openRun } from '../../execution/run';
import { batchIdField } from '../../fields/batchId';
import { getBatchOptions } from '../../fields/options';
import { waitFields } from '../../fields/waiting';
import type { Operation } from '../operation';

const fields: INodeProperties[] = [
	batchIdField,
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
	...waitFields,
];

/** An expression may give a limit that is no number. */
function limitOf(value: unknown): number {
	const limit = Number.parseFloat(String(value));
	return Number.isNaN(limit) ? 50 : Math.max(1, limit);
}

export const getBatch: Operation = {
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get the calls of a batch',
	description: 'Get the call records of a batch, with what became of each call',
	fields: [...fields, getBatchOptions],

	async execute(context) {
		const batchId = perItem<unknown>(context, 'batchId', '');
		const limit = perRun<boolean>(context, 'returnAll', true) ? undefined : limitOf(perRun<unknown>(context, 'limit', 50));
		const asBatch = perRun<string>(context, 'output', 'records') === 'batch';
		const waiting = waitingOf(context);
		const items = new Items(context, (itemIndex) => checkBatchId(batchId(itemIndex)));
		const batches = groupBy(items.accepted, batchKey);
		const read = await readAndWait(context, await openRun(context), [...batches.keys()], waiting, limit);

		rejectUnread(items, batches, read);
		for (const [id, batch] of batches) {
			const result = read.get(id);
			if (!result?.ok) continue;
			const { detail, settled } = result.value;
			if (!settled && !waiting.outputsOpen) {
				const open = detail.records.filter((record) => waiting.until && !isSettled(record, waiting.until)).length;
				items.reject(batch.items, stillOpen(open, detail.records.length, waiting));
				continue;
			}
			const records = detail.records.map((record) => withSettled(record, waiting));
			items.add(batch.items, asBatch ? [{ ...detail.batch, consents: records }] : records);
		}
		return items.toOutput();
	},
};
