import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../domain/sendPolicy';
import { duplicateOf } from '../../domain/outcome';
import { callBody } from '../../domain/plan';
import type { Row } from '../../domain/row';
import { agentFields, destinationField, placeCallOptions, promptVariableFields, shownFor } from '../../fields/options';
import { callRows, type CallOperation } from '../../placement/callRows';
import type { Operation } from '../operation';
import { CALLED_OTHERWISE, UNANSWERED } from '../../placement/reasons';
import { readRows } from '../../placement/readRows';

const CALL_PATH = '/calls';

const single: CallOperation<IDataObject> = {
	chunkSize: () => 1,
	endpoint: (timeoutMs) => ({
		purpose: 'placeCall',
		request: ([row]) => ({ method: 'POST', path: CALL_PATH, body: callBody(row!), timeoutMs }),
		read: (_rows, body) => [placedCall(body)],
		unknown: (row, reason) => notPlaced(row, 'unknown', reason),
	}),
	alreadyCalled: (row, reason) => notPlaced(row, 'already_called', reason),
	planned: (row) => ({ ...notPlaced(row, 'dry_run', ''), reason: null }),
	duplicate: (earlier, { destination }) => ({ ...duplicateOf(earlier), destination }),
	toJson: (answer) => ({ ...answer }),

	pack: (answer) => answer,
	unpack: (_row, packed) => (isObject(packed) ? (packed as IDataObject) : undefined),
	unanswered: (row) => notPlaced(row, 'unknown', UNANSWERED),
	calledOtherwise: (row) => notPlaced(row, 'already_called', CALLED_OTHERWISE),
};

/**
 * The API's answer as it is, because most of its fields are not shown. Any 2xx is a placed call, but one
 * without the documented `call_id` may be somebody else's answer, and then nothing is known. Only the key `error` is renamed: n8n would take the item for a failed one.
 */
function placedCall(body: unknown): IDataObject | undefined {
	if (!isObject(body) || body.success === false) return undefined;
	if (body.call_id === undefined && body.success !== true) return undefined;
	const { error, ...answer } = body as IDataObject;
	return error === undefined ? answer : { ...answer, reason: error };
}

const notPlaced = ({ destination }: Row, status: string, reason: string): IDataObject => ({
	destination,
	success: false,
	status,
	reason,
	call_id: null,
});

export const placeCall: Operation = {
	value: 'placeCall',
	name: 'Place Call',
	action: 'Call a number',
	description: 'Call one phone number for each input item',
	fields: shownFor('call', 'placeCall', [...agentFields, destinationField, ...promptVariableFields, placeCallOptions]),

	async execute(context) {
		const { items } = await callRows(context, readRows(context, 'items'), single);
		return items;
	},
};
