import type { INodeProperties } from 'n8n-workflow';
import { batchKey, checkBatchId } from '../../domain/api/apiLimits';
import { ok } from '../../domain/values';
import { groupBy, type Handler, type Operation, readCalls } from '../operation';
import { RunParameters } from '../../execution/runParameters';
import {
	batchIdField,
	numberField,
	readWaitFields,
	showWhen,
	getBatchOptions,
} from '../../fields/common';

const fields: INodeProperties[] = [
	batchIdField,
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		...numberField('limit', 'Max number of results to return'),
		...showWhen({ returnAll: [false] }),
	},
	...readWaitFields,
];

export const getBatch: Operation = {
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get calls of batch',
	description: 'Get the call records of a batch, with the outcome of each call',
	fields: [...fields, getBatchOptions],
};

export const handleGetBatch: Handler = async (execution) => {
	const batchId = execution.parameters.perItem('batchId');
	const parameters = new RunParameters(execution);
	const limit = parameters.flag('returnAll', 'Return All', false)
		? undefined
		: parameters.number('limit');
	const { items, accepted, batches, rejectOpen, rowOf } = await readCalls(
		execution,
		parameters,
		(itemIndex) => {
			const batch = checkBatchId(batchId(itemIndex));
			return batch.ok ? ok({ batch: batch.value }) : batch;
		},
		limit,
	);
	for (const [id, { items: together }] of groupBy(accepted, ({ batch }) => batchKey(batch))) {
		const read = batches.get(id);
		if (read?.ok && !rejectOpen(together, read.value))
			items.add(
				together,
				read.value.map((record) => rowOf(record)),
			);
	}
	return items.toOutput();
};
