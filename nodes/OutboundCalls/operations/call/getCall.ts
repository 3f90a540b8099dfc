import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../domain/sendPolicy';
import { ok } from '../../domain/problem';
import { isSettled } from '../../domain/callRecord';
import { getCallOptions, shownFor } from '../../fields/options';
import { perItem } from '../../execution/parameters';
import {
	batchIdField,
	batchKey,
	checkBatchId,
	followBatches,
	rejectUnread,
	stillOpen,
	waitFields,
	waitingOf,
	withSettled,
} from '../../batches/follow';
import { callRecordIdField, checkCallRecordId, idOf } from '../../fields/callRecordId';
import { groupBy, Items, openRun } from '../../execution/eachItem';
import { inputFields } from '../../execution/inputFields';
import type { Operation } from '../operation';

export const getCall: Operation = {
	value: 'getCall',
	name: 'Get Call',
	action: 'Get a call',
	description: 'Get what became of each call, row for row, and wait for it if you like',
	fields: shownFor('call', 'getCall', [batchIdField, callRecordIdField, ...waitFields, getCallOptions]),

	async execute(context) {
		const batchId = perItem<unknown>(context, 'batchId', '');
		const callRecordId = perItem<unknown>(context, 'callRecordId', '');
		const waiting = waitingOf(context);
		const input = context.getInputData();
		const withInput = inputFields(context);
		const items = new Items<{ batch: string; record: string } | NotPlaced>(context, (itemIndex) => {
			const notPlaced = rowThatWasNotPlaced(input[itemIndex]!.json);
			if (notPlaced) return ok({ notPlaced });
			const batch = checkBatchId(batchId(itemIndex));
			if (!batch.ok) return batch;
			const recordId = callRecordId(itemIndex);
			const record = checkCallRecordId(recordId);
			if (record.ok) return ok({ batch: batch.value, record: record.value });
			const withoutRecord = isEmpty(recordId) ? rowWithoutRecord(input[itemIndex]!.json) : undefined;
			return withoutRecord ? ok({ notPlaced: withoutRecord }) : record;
		});
		const placed: Array<{ itemIndex: number; value: { batch: string; record: string } }> = [];
		for (const { itemIndex, value } of items.accepted) {
			if ('notPlaced' in value) items.add([itemIndex], [withInput(itemIndex, withSettled(value.notPlaced, waiting, true))]);
			else placed.push({ itemIndex, value });
		}
		const batches = groupBy(placed, ({ batch }) => batchKey(batch));
		const wanted = new Map([...batches].map(([id, { values }]) => [id, new Set(values.map(({ record }) => record))]));
		const isWanted = (id: string, record: IDataObject): boolean => wanted.get(id)?.has(idOf(record)) ?? false;
		const followed = await followBatches(context, await openRun(context), [...batches.keys()], waiting, undefined, isWanted);

		rejectUnread(items, batches, followed);
		for (const [id, { items: indexes, values }] of batches) {
			const result = followed.get(id);
			if (!result?.ok) continue;
			const records = new Map(result.detail.records.map((record) => [idOf(record), record]));
			values.forEach(({ record: recordId, batch }, i) => {
				const itemIndex = indexes[i]!;
				const record = records.get(recordId);
				if (!record) items.reject([itemIndex], notInBatch(recordId, batch));
				else if (waiting.until && !waiting.outputsOpen && !isSettled(record, waiting.until)) {
					items.reject([itemIndex], stillOpen(1, 1, waiting));
				} else items.add([itemIndex], [withInput(itemIndex, withSettled(record, waiting))]);
			});
		}
		return items.toOutput();
	},
};

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
