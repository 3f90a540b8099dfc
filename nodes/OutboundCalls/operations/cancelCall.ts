import type { INodeProperties } from 'n8n-workflow';
import { request } from '../api/reading';
import { isObject } from '../domain/answer';
import { found, passed, quoted, type Checked } from '../domain/finding';
import { isCallRecordId } from '../domain/limits';
import { cancelCallOptions, shownFor } from '../fields';
import { perItem, perRun } from '../parameters';
import { eachItem } from './eachItem';
import type { Operation } from './operation';

const fields: INodeProperties[] = [
	{
		displayName: 'Call Record ID',
		name: 'callRecordId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 10042',
		description: 'The consent_id that Bulk Call returned, or the ID of a record from Get Batch',
	},
];

function checkCallRecordId(value: unknown): Checked<string> {
	const id = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
	return isCallRecordId(id)
		? passed(id)
		: found(
				id === '' ? 'the call record ID is empty' : `the call record ID ${quoted(id)} is not a whole number`,
				'Drag in the column consent_id from Bulk Call, or id from Get Batch. Rows that were not placed have none.',
			);
}

export const cancelCall: Operation = {
	value: 'cancelCall',
	name: 'Cancel Call',
	action: 'Cancel a call',
	description: 'Cancel a call that is not dialed yet',
	fields: shownFor('call', 'cancelCall', [...fields, cancelCallOptions]),

	async execute(context) {
		const callRecordId = perItem<unknown>(context, 'callRecordId', '');
		const returnPlaced = perRun<string>(context, 'options.ifAlreadyPlaced', 'error') === 'output';
		return await eachItem(
			context,
			(itemIndex) => checkCallRecordId(callRecordId(itemIndex)),
			async ({ send, pace, timeoutMs }, id) => {
				const answer = await request(
					send,
					pace,
					{ method: 'POST', path: `/consents/${encodeURIComponent(id)}/cancel`, timeoutMs },
					{ purpose: 'cancel', callRecordId: id, timeoutMs },
				);
				if (answer.ok) {
					return isObject(answer.body) && answer.body.success === true
						? { ok: true, rows: [{ id: Number(id), status: 'cancelled', ...answer.body, cancelled: true, reason: null }] }
						: { ok: false, refusal: unclear(answer.status) };
				}
				const { refusal } = answer;
				return refusal.alreadyPlaced && returnPlaced
					? { ok: true, rows: [{ success: false, id: Number(id), status: 'already_placed', cancelled: false, reason: refusal.message }] }
					: answer;
			},
		);
	},
};

const unclear = (httpCode: number) => ({
	message: 'the answer does not say whether the call is cancelled',
	remedy: 'Look at the call record with Get Batch; cancelling it once more does no harm.',
	httpCode,
});
