import type { IDataObject } from 'n8n-workflow';
import { duplicateOf } from '../../domain/callOutcome';
import { isObject } from '../../domain/json';
import { callBody } from '../../domain/requestPlan';
import { agentFields } from '../../fields/agent';
import { destinationField } from '../../fields/destination';
import { placeCallOptions } from '../../fields/options';
import { promptVariableFields } from '../../fields/promptVariables';
import { type CallOperation, callRows } from '../../placement/callRows';
import { readRows } from '../../placement/readRows';
import type { Operation } from '../operation';

const CALL_PATH = '/calls';

const single: CallOperation<IDataObject> = {
	chunkSize: () => 1,
	endpoint: (timeoutMs) => ({
		purpose: 'placeCall',
		request: ([row]) => ({ method: 'POST', path: CALL_PATH, body: callBody(row!), timeoutMs }),
		read: (_rows, body) => [placedCall(body)],
	}),
	notPlaced: ({ destination }, status, reason) => ({ destination, success: false, status, reason, call_id: null }),
	duplicate: (earlier, { destination }) => ({ ...duplicateOf(earlier), destination }),
	toJson: (answer) => ({ ...answer }),

	pack: (answer) => answer,
	unpack: (_row, packed) => (isObject(packed) ? (packed as IDataObject) : undefined),
};

/**
 * The API's answer as it is, because most of its fields are not documented. Any 2xx is a placed call. But an
 * answer without the documented `call_id` may come from another server, and then nothing is known. Only the
 * key `error` is renamed: otherwise n8n would take the item for a failed one.
 */
function placedCall(body: unknown): IDataObject | undefined {
	if (!isObject(body) || body.success === false) return undefined;
	if (body.call_id === undefined && body.success !== true) return undefined;
	const { error, ...answer } = body as IDataObject;
	return error === undefined ? answer : { ...answer, reason: error };
}

export const placeCall: Operation = {
	value: 'placeCall',
	name: 'Place Call',
	action: 'Call a number',
	description: 'Call one phone number for each input item',
	fields: [...agentFields, destinationField, ...promptVariableFields, placeCallOptions],

	async execute(context) {
		const { items } = await callRows(context, readRows(context, 'items'), single);
		return items;
	},
};
