import { cancelRecord } from '../../batches/cancelRecord';
import { checkCallRecordId } from '../../domain/ids';
import { ok } from '../../domain/problem';
import { eachItem } from '../../execution/eachItem';
import { RunParameters } from '../../execution/runParameters';
import { callRecordIdField } from '../../fields/callRecordId';
import { pinNotice } from '../../fields/notice';
import { cancelCallOptions } from '../../fields/options';
import type { Operation } from '../operation';

export const cancelCall: Operation = {
	value: 'cancelCall',
	name: 'Cancel Call',
	action: 'Cancel a call',
	description: 'Cancel a call that is not dialed yet',
	fields: [pinNotice, callRecordIdField, cancelCallOptions],

	async execute(execution) {
		const callRecordId = execution.parameters.perItem<unknown>('callRecordId', '');
		const read = new RunParameters(execution);
		const returnPlaced = read.choice('options.ifAlreadyPlaced', 'If Already Placed', ['error', 'output']) === 'output';
		read.check();
		const rows = await eachItem(
			execution,
			(itemIndex) => checkCallRecordId(callRecordId(itemIndex)),
			async (run, id) => {
				const result = await cancelRecord(run, id);
				if (result.ok) return ok([{ id: Number(id), status: 'cancelled', ...result.value, cancelled: true, reason: null }]);
				const { alreadyPlaced, message } = result.error;
				return alreadyPlaced && returnPlaced
					? ok([{ success: false, id: Number(id), status: 'already_placed', cancelled: false, reason: message }])
					: result;
			},
		);
		return [rows];
	},
};
