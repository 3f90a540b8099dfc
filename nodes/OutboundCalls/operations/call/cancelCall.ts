import { cancelCallOptions, shownFor } from '../../fields/options';
import { perItem, perRun } from '../../execution/parameters';
import { callRecordIdField, checkCallRecordId } from '../../fields/callRecordId';
import { cancelRecord } from '../../batches/cancelRecord';
import { eachItem } from '../../execution/eachItem';
import type { Operation } from '../operation';

export const cancelCall: Operation = {
	value: 'cancelCall',
	name: 'Cancel Call',
	action: 'Cancel a call',
	description: 'Cancel a call that is not dialed yet',
	fields: shownFor('call', 'cancelCall', [callRecordIdField, cancelCallOptions]),

	async execute(context) {
		const callRecordId = perItem<unknown>(context, 'callRecordId', '');
		const returnPlaced = perRun<string>(context, 'options.ifAlreadyPlaced', 'error') === 'output';
		return await eachItem(
			context,
			(itemIndex) => checkCallRecordId(callRecordId(itemIndex)),
			async (run, id) => {
				const result = await cancelRecord(run, id);
				if (result.ok) {
					return { ok: true, rows: [{ id: Number(id), status: 'cancelled', ...result.body, cancelled: true, reason: null }] };
				}
				const { alreadyPlaced, message } = result.refusal;
				return alreadyPlaced && returnPlaced
					? { ok: true, rows: [{ success: false, id: Number(id), status: 'already_placed', cancelled: false, reason: message }] }
					: result;
			},
		);
	},
};
