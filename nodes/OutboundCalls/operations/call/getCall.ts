import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { readAndWait, recordRow, rejectUnread, stillOpen, type Waiting, waitingOf } from '../../batches/waiting';
import { provesNotDialed } from '../../domain/callOutcome';
import { isSettled } from '../../domain/callRecord';
import { batchKey, checkBatchId, checkCallRecordId, idOf } from '../../domain/ids';
import { type Checked, ok } from '../../domain/problem';
import { flatRow } from '../../execution/flatRow';
import { groupBy, Items } from '../../execution/items';
import { perItem } from '../../execution/parameters';
import { openRun } from '../../execution/run';
import { RunParameters } from '../../execution/runParameters';
import { batchIdField } from '../../fields/batchId';
import { callRecordIdField } from '../../fields/callRecordId';
import { pinNotice } from '../../fields/notice';
import { getCallOptions } from '../../fields/options';
import { readWaitFields } from '../../fields/waiting';
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
	fields: [pinNotice, batchIdField, callRecordIdField, ...readWaitFields, getCallOptions],

	async execute(context) {
		const waiting = waitingOf(context);
		const withInput = inputFieldsOf(context);
		const items = new Items(context, readItem(context));
		const named: Array<{ itemIndex: number; value: Named }> = [];
		for (const { itemIndex, value } of items.accepted) {
			if ('notPlaced' in value) items.add([itemIndex], [withInput(itemIndex, recordRow(value.notPlaced, waiting, true))]);
			else named.push({ itemIndex, value });
		}
		const batches = groupBy(named, ({ batch }) => batchKey(batch));
		const records = new Map([...batches].map(([id, { values }]) => [id, new Set(values.map(({ record }) => record))]));
		const read = await readAndWait(context, await openRun(context), [...batches.keys()], waiting, undefined, records);

		rejectUnread(items, batches, read);
		for (const [id, batch] of batches) {
			const result = read.get(id);
			if (result?.ok) addRecords(items, batch, result.value.detail.records, waiting, withInput);
		}
		return [items.toOutput()];
	},
};

/** Fields of a call record that are documented: a column with one of these names is renamed, whether the record has it or not. */
const RECORD_FIELDS = new Set([
	'reached',
	'id',
	'phone',
	'status',
	'consent_method',
	'auto_call_sid',
	'auto_call_error',
	'conversation_id',
	'updated_at',
	'settled',
]);

/** Puts the fields of the input item behind those of its record, unless that is switched off. */
function inputFieldsOf(context: IExecuteFunctions): (itemIndex: number, row: IDataObject) => IDataObject {
	const items = context.getInputData();
	const read = new RunParameters(context);
	const included = read.flag('options.includeInputFields', 'Include Input Fields', true);
	read.check();
	return included ? (itemIndex, row) => flatRow(row, items[itemIndex]!.json, {}, RECORD_FIELDS) : (_itemIndex, row) => row;
}

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
		} else items.add([itemIndex], [withInput(itemIndex, recordRow(record, waiting))]);
	});
}

/** A row of Bulk Call without a call record, in the form of one: there is nothing to look up or to wait for. */
interface NotPlaced {
	notPlaced: IDataObject;
}

const rowThatWasNotPlaced = (row: IDataObject): IDataObject | undefined =>
	isEmpty(row.consent_id) && isEmpty(row.batch_id) && isCallRow(row) ? asRecord(row) : undefined;

/** A row of Bulk Call that has neither a call nor a call record, though the API gave its request a batch. */
const rowWithoutRecord = (row: IDataObject): IDataObject | undefined =>
	isCallRow(row) && row.success === false && isEmpty(row.consent_id) && isEmpty(row.call_sid) ? asRecord(row) : undefined;

const isCallRow = ({ destination, status }: IDataObject): boolean => typeof destination === 'string' && typeof status === 'string';

const asRecord = (row: IDataObject): IDataObject => ({
	id: null,
	phone: row.destination ?? null,
	status: row.status,
	auto_call_sid: null,
	auto_call_error: wasCalledByNobody(row) ? (row.reason ?? null) : null,
	conversation_id: null,
});

/** A person whom an earlier run called, or this one perhaps, may have been reached. */
const wasCalledByNobody = ({ status, success, call_sid }: IDataObject): boolean =>
	['invalid', 'refused', 'dry_run'].includes(status as string) ||
	provesNotDialed({ status: status as string, reason: null, success: success === true, answer: { call_sid } });

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

const notInBatch = (recordId: string, batchId: string) => ({
	message: `the batch ${batchId} has no call record ${recordId}`,
	remedy: 'Take Batch ID and Call Record ID from the same row of Bulk Call.',
});
