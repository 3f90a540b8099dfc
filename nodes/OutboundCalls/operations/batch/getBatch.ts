import type { INodeProperties } from 'n8n-workflow';
import { isSettled } from '../../calls/callRecord';
import {
	acceptRead,
	readBatches,
	readSettings,
	recordRow,
	stillOpen,
} from '../../calls/readBatches';
import { batchKey, checkBatchId } from '../../domain/api/apiLimits';
import type { Execution, OutputItem } from '../../execution/execution';
import { groupBy, Items } from '../../execution/items';
import { openApiAccess } from '../../http/apiAccess';
import { RunParameters } from '../../execution/runParameters';
import { batchIdField, numberField, showWhen } from '../../fields/common';
import { getBatchOptions } from '../../fields/options';
import { readWaitFields } from '../../fields/waitUntil';
import type { Operation } from '../operation';

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

export async function handleGetBatch(execution: Execution): Promise<OutputItem[]> {
	const batchId = execution.parameters.perItem<unknown>('batchId', '');
	const parameters = new RunParameters(execution);
	const limit = parameters.flag('returnAll', 'Return All', false)
		? undefined
		: parameters.number('limit');
	const { waiting, isOpenReturned, pageParameter } = readSettings(parameters);
	const api = await openApiAccess(execution, parameters);
	const items = await Items.read(execution, (itemIndex) => checkBatchId(batchId(itemIndex)));
	const batches = groupBy(items.accepted, batchKey);
	const wanted = new Map([...batches.keys()].map((id) => [id, undefined]));
	const batchesRead = await readBatches(api, wanted, waiting, {
		stop: execution.stops,
		pageParameter,
		limit,
	});

	for (const { batch, records, settled } of acceptRead(items, batches, batchesRead)) {
		if (waiting && !settled && !isOpenReturned) {
			const open = records.filter((record) => !isSettled(record, waiting.until)).length;
			items.reject(batch.items, stillOpen(open, records.length, waiting));
			continue;
		}
		items.add(
			batch.items,
			records.map((record) => recordRow(record, waiting)),
		);
	}
	return items.toOutput();
}
