import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readAndWait, rejectUnread, stillOpen, type Waiting, waitingOf, withSettled } from '../../batches/waiting';
import { isSettled } from '../../domain/callRecord';
import { batchKey, checkBatchId, checkCallRecordId, idOf } from '../../domain/ids';
import { isObject } from '../../domain/json';
import { type Checked, ok } from '../../domain/problem';
import { inputFields } from '../../execution/inputFields';
import { groupBy, Items } from '../../execution/items';
import { perItem } from '../../execution/parameters';
import { openRun } from '../../execution/run';
import { batchIdField } from '../../fields/batchId';
import { callRecordIdField } from '../../fields/callRecordId';
import { getCallOptions } from '../../fields/options';
import { waitFields } from '../../fields/waiting';
import type { Operation } from '../operation';

/** A call record that a row names. */
interface Named {
	batch: string;
	record: string;
}

export const getCall: Operation = {
	value: 'getCall',
	name: 'Get Call',
	action: 'Get a call',
	description: 'Get what became of each call, row for row, and wait for it if you like',
	fields: [batchIdField, callRecordIdField, ...waitFields, getCallOptions],

	async execute(context) {
		const waiting = waitingOf(context);
		const withInput = inputFields(context);
		const items = new Items(context, readItem(context));
		const named: Array<{ itemIndex: number; value: Named }> = [];
		for (const { itemIndex, value } of items.accepted) {
			if ('notPlaced' in value) items.add([itemIndex], [withInput(itemIndex, withSettled(value.notPlaced, waiting, true))]);
			else named.push({ itemIndex, value });
		}
		const batches = groupBy(named, ({ batch }) => batchKey(batch));
		const records = new Map([...batches].map(([id, { values }]) => [id, new Set(values.map(({ record }) => record))]));
		const isWanted = (id: string, record: IDataObject): boolean => records.get(id)?.has(idOf(record)) ?? false;
		const read = await readAndWait(context, await openRun(context), [...batches.keys()], waiting, undefined, isWanted);

		rejectUnread(items, batches, read);
		for (const [id, batch] of batches) {
			const result = read.get(id);
			if (result?.ok) addRecords(items, batch, result.value.detail.records, waiting, withInput);
		}
		return items.toOutput();
	},
};

/** Reads what an item names: a call record, or a row of Bulk Call that has none. */
function readItem(context: IExecuteFunctions): (itemIndex: number) => Checked<Named | NotPlaced> {
	const batchId = perItem<unknown>(context, 'batchId', '');
	const callRecordId = perItem<unknown>(context, 'callRecordId', '');
	const input = context.getInputData();
	return (itemIndex) => {
		const notPlaced = rowThatWasNotPlaced(input[itemIndex]!.json);
		if (notPlaced) return ok({ notPlaced });
		const batch = checkBatchId(batchId(itemIndex));
		if (!batch.ok) return batch;
		const recordId = callRecordId(itemIndex);
		const record = checkCallRecordId(recordId);
		if (record.ok) return ok({ batch: batch.value, record: record.value });
		const withoutRecord = isEmpty(recordId) ? rowWithoutRecord(input[itemIndex]!.json) : undefined;
		return withoutRecord ? ok({ notPlaced: withoutRecord }) : record;
	};
}

/** Gives each item of a batch its record, or says why there is none. */
function addRecords<T>(
	items: Items<T>,
	{ items: indexes, values }: { items: number[]; values: Named[] },
	read: readonly IDataObject[],
	waiting: Waiting,
	withInput: (itemIndex: number, row: IDataObject) => IDataObject,
): void {
	const records = new Map(read.map((record) => [idOf(record), record]));
	values.forEach(({ record: recordId, batch }, i) => {
		const itemIndex = indexes[i]!;
		const record = records.get(recordId);
		if (!record) items.reject([itemIndex], notInBatch(recordId, batch));
		else if (waiting.until && !waiting.outputsOpen && !isSettled(record, waiting.until)) {
			items.reject([itemIndex], stillOpen(1, 1, waiting));
		} else items.add([itemIndex], [withInput(itemIndex, withSettled(record, waiting))]);
	});
}

/** A row of Bulk Call without a call record, in the form of one: there is nothing to look up or to wait for. */
interface NotPlaced {
	notPlaced: IDataObject;
}

function rowThatWasNotPlaced(json: IDataObject): IDataObject | undefined {
	const row = bulkRow(json);
	return row.consent_id === null && row.batch_id === null && typeof row.status === 'string' ? asRecord(row) : undefined;
}

/** A row that Bulk Call has neither a call nor a call record for, though the API gave its request a batch. */
function rowWithoutRecord(json: IDataObject): IDataObject | undefined {
	const row = bulkRow(json);
	const isBulkRow = typeof row.destination === 'string' && typeof row.status === 'string';
	return isBulkRow && row.success === false && row.consent_id === null && row.call_sid === null ? asRecord(row) : undefined;
}

const bulkRow = (json: IDataObject): IDataObject => (isObject(json.call) ? (json.call as IDataObject) : json);

const asRecord = (row: IDataObject): IDataObject => ({
	id: null,
	phone: row.destination ?? null,
	status: row.status,
	auto_call_sid: null,
	auto_call_error: row.reason ?? null,
	conversation_id: null,
});

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

const notInBatch = (recordId: string, batchId: string) => ({
	message: `the batch ${batchId} has no call record ${recordId}`,
	remedy: 'Take Batch ID and Call Record ID from the same row of Bulk Call.',
});
