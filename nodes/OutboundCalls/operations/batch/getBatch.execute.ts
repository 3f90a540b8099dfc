import { pageParameterOf } from '../../batches/pages';
import {
	outputsOpen,
	readBatches,
	readWaiting,
	recordRow,
	rejectUnread,
	stillOpen,
} from '../../batches/waiting';
import { isSettled } from '../../domain/callRecord';
import { batchKey, checkBatchId } from '../../domain/ids';
import { groupBy, Items } from '../../execution/items';
import { openRun } from '../../execution/run';
import { RunParameters } from '../../execution/runParameters';
import type { Execute } from '../operation';

export const executeGetBatch: Execute = async (execution) => {
	const batchId = execution.parameters.perItem<unknown>('batchId', '');
	const read = new RunParameters(execution);
	const limit = read.flag('returnAll', 'Return All', true)
		? undefined
		: read.number('limit', 'Limit', 50, 1, Number.MAX_VALUE);
	const asBatch = read.choice('output', 'Output', ['records', 'batch']) === 'batch';
	const waiting = readWaiting(read);
	const isOpenReturned = outputsOpen(read);
	const pageParameter = pageParameterOf(read);
	await read.check();
	const items = await Items.read(execution, (itemIndex) => checkBatchId(batchId(itemIndex)));
	const batches = groupBy(items.accepted, batchKey);
	const wanted = new Map([...batches.keys()].map((id) => [id, undefined]));
	const batchesRead = await readBatches(await openRun(execution), wanted, waiting, {
		stop: execution.stops,
		pageParameter,
		limit,
	});

	rejectUnread(items, batches, batchesRead);
	for (const [id, batch] of batches) {
		const result = batchesRead.get(id);
		if (!result?.ok) continue;
		const { detail, settled } = result.value;
		if (waiting && !settled && !isOpenReturned) {
			const open = detail.records.filter((record) => !isSettled(record, waiting.until)).length;
			items.reject(batch.items, stillOpen(open, detail.records.length, waiting));
			continue;
		}
		const records = detail.records.map((record) => recordRow(record, waiting));
		items.add(batch.items, asBatch ? [{ ...detail.batch, consents: records }] : records);
	}
	return items.toOutput();
};
