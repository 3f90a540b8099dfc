import { isSettled } from '../../calls/callRecord';
import {
	acceptRead,
	readBatches,
	readSettings,
	recordRow,
	stillOpen,
	type Waiting,
} from '../../calls/readBatches';
import { batchKey, checkBatchId, checkCallRecordId, idOf } from '../../domain/api/apiLimits';
import { type Checked, type Fields, isBlank, ok } from '../../domain/values';
import type { Execution, OutputItem } from '../../execution/execution';
import { inputFieldsOf } from '../../results/flatRow';
import { groupBy, Items } from '../../execution/items';
import { openApiAccess } from '../../http/apiAccess';
import { RunParameters } from '../../execution/runParameters';
import { batchIdField, callRecordIdField } from '../../fields/common';
import { getCallOptions } from '../../fields/options';
import { readWaitFields } from '../../fields/waitUntil';
import { RECORD_COLUMNS } from '../../domain/columns';
import type { Operation } from '../operation';

export const getCall: Operation = {
	value: 'getCall',
	name: 'Get Call',
	action: 'Get call',
	description: 'Get the outcome of each call, row by row, and optionally wait for it',
	fields: [batchIdField, callRecordIdField, ...readWaitFields, getCallOptions],
};

/** A call record that a row names. */
interface Named {
	batch: string;
	record: string;
}

export async function handleGetCall(execution: Execution): Promise<OutputItem[]> {
	const parameters = new RunParameters(execution);
	const { waiting, isOpenReturned, pageParameter } = readSettings(parameters);
	const withInput = inputFieldsOf(execution, parameters);
	const api = await openApiAccess(execution, parameters);
	const items = await Items.read(execution, readItem(execution));
	const named: Array<{ itemIndex: number; value: Named }> = [];
	const notPlaced: Array<{ itemIndex: number; row: Fields }> = [];
	for (const { itemIndex, value } of items.accepted) {
		if ('notPlaced' in value)
			notPlaced.push({ itemIndex, row: recordRow(value.notPlaced, waiting, true) });
		else named.push({ itemIndex, value });
	}
	const batches = groupBy(named, ({ batch }) => batchKey(batch));
	const records = new Map(
		[...batches].map(([id, { values }]) => [id, new Set(values.map(({ record }) => record))]),
	);
	const read = await readBatches(api, records, waiting, {
		stop: execution.stops,
		pageParameter,
	});

	const found = acceptRead(items, batches, read).flatMap(({ batch, records: all }) =>
		recordsOf(items, batch, all, waiting, isOpenReturned),
	);
	const rows = [...notPlaced, ...found];
	// A column of the input that a record has in one row is renamed in all rows, so that it means
	// the same in each.
	const ownColumns = new Set([
		...RECORD_COLUMNS,
		OLDER_STATUS,
		...rows.flatMap(({ row }) => Object.keys(row)),
	]);
	for (const { itemIndex, row } of rows)
		items.add([itemIndex], [withInput(itemIndex, row, ownColumns)]);
	return items.toOutput();
}

/**
 * What Bulk Call calls the status of a record that it waited for: it may be an older one than the
 * record's.
 */
const OLDER_STATUS = 'record_status';

/** Reads what an item names: a call record, or a row of Bulk Call that has none. */
function readItem(execution: Execution): (itemIndex: number) => Checked<Named | NotPlaced> {
	const batchId = execution.parameters.perItem<unknown>('batchId', '');
	const callRecordId = execution.parameters.perItem<unknown>('callRecordId', '');
	return (itemIndex) => {
		const recordId = callRecordId(itemIndex);
		const row = execution.input[itemIndex]!;
		if (isBlank(recordId) && typeof row.called === 'string')
			return ok({ notPlaced: asRecord(row) });
		const batch = checkBatchId(batchId(itemIndex));
		if (!batch.ok) return batch;
		const record = checkCallRecordId(recordId);
		return record.ok ? ok({ batch: batch.value, record: record.value }) : record;
	};
}

/** The record of each item of a batch, as a row; items without one are told why. */
function recordsOf<T>(
	items: Items<T>,
	{ items: indexes, values }: { items: number[]; values: Named[] },
	read: readonly Fields[],
	waiting: Waiting | undefined,
	isOpenReturned: boolean,
): Array<{ itemIndex: number; row: Fields }> {
	const records = new Map(read.map((record) => [idOf(record), record]));
	return values.flatMap(({ record: recordId, batch }, i) => {
		const itemIndex = indexes[i]!;
		const record = records.get(recordId);
		if (record && (!waiting || isOpenReturned || isSettled(record, waiting.until)))
			return [{ itemIndex, row: recordRow(record, waiting) }];
		items.reject(
			[itemIndex],
			record && waiting ? stillOpen(1, 1, waiting) : notInBatch(recordId, batch),
		);
		return [];
	});
}

/**
 * A row of Bulk Call without a call record, in the form of one: there is nothing to look up or to
 * wait for.
 */
interface NotPlaced {
	notPlaced: Fields;
}

/** People whom an earlier run called may have been reached. */
const asRecord = ({ destination, status, called, reason }: Fields): Fields => ({
	id: null,
	phone: destination ?? null,
	status,
	auto_call_sid: null,
	auto_call_error: called === 'no' && status !== 'already_called' ? (reason ?? null) : null,
	conversation_id: null,
});

const notInBatch = (recordId: string, batchId: string) => ({
	message: `the batch ${batchId} has no call record ${recordId}`,
	remedy: 'Take Batch ID and Call Record ID from the same row of Bulk Call.',
});
