import { type Named, recordsIn } from '../../calls/batches';
import { checkBatchId, checkCallRecordId } from '../../domain/api/apiLimits';
import { type Checked, type Fields, isBlank, ok } from '../../domain/values';
import type { Execution } from '../../execution/execution';
import { inputFieldsOf } from '../../results/flatRow';
import { RunParameters } from '../../execution/runParameters';
import {
	batchIdField,
	callRecordIdField,
	readWaitFields,
	getCallOptions,
} from '../../fields/common';
import { RECORD_COLUMNS } from '../../domain/outputColumns';
import { type Handler, type Operation, readCalls } from '../operation';

export const getCall: Operation = {
	value: 'getCall',
	name: 'Get Call',
	action: 'Get call',
	description: 'Get the outcome of each call, row by row, and optionally wait for it',
	fields: [batchIdField, callRecordIdField, ...readWaitFields, getCallOptions],
};

export const handleGetCall: Handler = async (execution) => {
	const parameters = new RunParameters(execution);
	const withInput = inputFieldsOf(execution, parameters);
	const { items, accepted, batches, rejectOpen, rowOf } = await readCalls(
		execution,
		parameters,
		readItem(execution),
	);
	const recordOf = recordsIn(batches);
	const rows: Array<{ itemIndex: number; row: Fields }> = [];
	for (const { itemIndex, value } of accepted) {
		const { notPlaced } = value;
		const record = recordOf(value);
		if (notPlaced) rows.push({ itemIndex, row: rowOf(notPlaced, true) });
		else if (!record)
			items.reject([itemIndex], {
				message: `the batch ${value.batch} has no call record ${value.record}`,
				remedy: 'Take Batch ID and Call Record ID from the same row of Bulk Call.',
			});
		else if (!rejectOpen([itemIndex], [record])) rows.push({ itemIndex, row: rowOf(record) });
	}
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
};

/**
 * What Bulk Call calls the status of a record that it waited for: it may be an older one than the
 * record's.
 */
const OLDER_STATUS = 'record_status';

/**
 * A call record, or a row of Bulk Call that has none, in the form of one: there is nothing to look up
 * or to wait for.
 */
type Wanted = Named & { notPlaced?: Fields };

/** Reads what an item asks for. */
function readItem(execution: Execution): (itemIndex: number) => Checked<Wanted> {
	const batchId = execution.parameters.perItem('batchId');
	const callRecordId = execution.parameters.perItem('callRecordId');
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

/** People whom an earlier run called may have been reached. */
const asRecord = ({ destination, status, called, reason }: Fields): Fields => ({
	id: null,
	phone: destination ?? null,
	status,
	auto_call_sid: null,
	auto_call_error: called === 'no' && status !== 'already_called' ? (reason ?? null) : null,
	conversation_id: null,
});
