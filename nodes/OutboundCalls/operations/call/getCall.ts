import { isSettled } from '../../batches/callRecord';
import { pageParameterOf } from '../../batches/pages';
import {
	outputsOpen,
	readBatches,
	readWaiting,
	recordRow,
	rejectUnread,
	stillOpen,
	type Waiting,
} from '../../batches/waiting';
import { apiOutcome } from '../../domain/callOutcome';
import { batchKey, checkBatchId, checkCallRecordId, idOf } from '../../domain/ids';
import { type Checked, ok } from '../../domain/problem';
import type { Fields } from '../../domain/values';
import type { Execution, OutputItem } from '../../execution/execution';
import { inputFieldsOf } from '../../execution/flatRow';
import { groupBy, Items } from '../../execution/items';
import { openRun } from '../../execution/run';
import { RunParameters } from '../../execution/runParameters';
import { batchIdField, callRecordIdField } from '../../fields/common';
import { getCallOptions } from '../../fields/options';
import { readWaitFields } from '../../fields/waiting';
import { COLUMNS } from '../../results/columns';
import type { Operation } from '../operation';

export const getCall: Operation<'getCall'> = {
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

export async function executeGetCall(execution: Execution): Promise<OutputItem[]> {
	const params = new RunParameters(execution);
	const waiting = readWaiting(params);
	const isOpenReturned = outputsOpen(params);
	const withInput = inputFieldsOf(execution, params);
	const pageParameter = pageParameterOf(params);
	await params.check();
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
	const read = await readBatches(await openRun(execution), records, waiting, {
		stop: execution.stops,
		pageParameter,
	});

	rejectUnread(items, batches, read);
	const found = [...batches].flatMap(([id, batch]) => {
		const result = read.get(id);
		return result?.ok
			? recordsOf(items, batch, result.value.detail.records, waiting, isOpenReturned)
			: [];
	});
	const rows = [...notPlaced, ...found];
	// A column of the input that a record has in one row is renamed in all rows, so that it means
	// the same in each.
	const ownColumns = new Set([
		...COLUMNS.getCall,
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
	const input = execution.input;
	return (itemIndex) => {
		const recordId = callRecordId(itemIndex);
		const row = input[itemIndex]!;
		// A sheet may have columns named destination and status. In a row of Bulk Call, another
		// column may name an earlier call.
		const notPlaced =
			isEmpty(recordId) || (typeof row.called === 'string' && 'reason' in row)
				? rowThatWasNotPlaced(row)
				: undefined;
		if (notPlaced) return ok({ notPlaced });
		const batch = checkBatchId(batchId(itemIndex));
		if (!batch.ok) return batch;
		const record = checkCallRecordId(recordId);
		if (record.ok) return ok({ batch: batch.value, record: record.value });
		const withoutRecord = isEmpty(recordId) ? rowWithoutRecord(row) : undefined;
		return withoutRecord ? ok({ notPlaced: withoutRecord }) : record;
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

const rowThatWasNotPlaced = (row: Fields): Fields | undefined =>
	isEmpty(row.consent_id) && isEmpty(row.batch_id) && isCallRow(row) ? asRecord(row) : undefined;

/**
 * A row of Bulk Call that has neither a call nor a call record, though the API gave its request a
 * batch.
 */
const rowWithoutRecord = (row: Fields): Fields | undefined =>
	isCallRow(row) && row.success === false && isEmpty(row.consent_id) && isEmpty(row.call_sid)
		? asRecord(row)
		: undefined;

const isCallRow = ({ destination, status }: Fields): boolean =>
	typeof destination === 'string' && typeof status === 'string';

const asRecord = (row: Fields): Fields => ({
	id: null,
	phone: row.destination ?? null,
	status: row.status,
	auto_call_sid: null,
	auto_call_error: wasCalledByNobody(row) ? (row.reason ?? null) : null,
	conversation_id: null,
});

/** A person whom an earlier run called, or this one perhaps, may have been reached. */
const wasCalledByNobody = ({ status, success, call_sid }: Fields): boolean =>
	['invalid', 'refused'].includes(status as string) ||
	apiOutcome({
		status: status as string,
		reason: null,
		success: success === true,
		answer: { call_sid },
	}).called === 'no';

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

const notInBatch = (recordId: string, batchId: string) => ({
	message: `the batch ${batchId} has no call record ${recordId}`,
	remedy: 'Take Batch ID and Call Record ID from the same row of Bulk Call.',
});
