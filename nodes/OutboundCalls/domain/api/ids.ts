import { isBatchId, isCallRecordId } from './apiLimits';
import { type Checked, ok, problem } from '../values/problem';
import { quoted, typedText } from '../values/untrustedValues';

/** A batch's ID as a cell gives it. */
export function checkBatchId(value: unknown): Checked<string> {
	const id = typedText(value);
	return isBatchId(id)
		? ok(id)
		: problem(
				id === ''
					? 'the batch ID is empty'
					: `the batch ID ${quoted(id)} is not one of the API’s IDs`,
				'Drag in the column batch_id from Bulk Call, which looks like 8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e. Rows that were not placed have none: filter them out before.',
			);
}

/** One key for a batch, however its ID is spelled. */
export const batchKey = (batchId: string): string => batchId.toLowerCase();

/** A call record's ID as a cell gives it. */
export function checkCallRecordId(value: unknown): Checked<string> {
	if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
		return problem(
			`the call record ID ${value} is a number that may have lost its last digits`,
			'Give it as text, as the API wrote it.',
		);
	}
	const id = typedText(value);
	return isCallRecordId(id)
		? ok(id)
		: problem(
				id === ''
					? 'the call record ID is empty'
					: `the call record ID ${quoted(id)} is not a whole number`,
				'Drag in the column consent_id from Bulk Call, or id from Get Batch. Rows that were not placed have none: filter them out before.',
			);
}

/** The ID of a record as the API sent it, as text; empty when it has none. */
export const idOf = ({ id }: { id?: unknown }): string => typedText(id);
