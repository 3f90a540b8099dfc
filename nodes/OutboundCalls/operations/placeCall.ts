import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../domain/answer';
import { duplicateOf } from '../domain/outcome';
import { callBody, plan } from '../domain/plan';
import type { Row } from '../domain/row';
import { agentFields, destinationField, placeCallOptions, promptVariableFields, shownFor } from '../fields';
import { callRows, toItems, type CallOperation } from './callRows';
import type { Operation } from './operation';
import { readRows } from './rows';

const CALL_PATH = '/calls';

const single: CallOperation<IDataObject> = {
	plan: (rows, duplicates) => plan(rows, duplicates, 1),
	endpoint: ({ timeoutMs }) => ({
		purpose: 'placeCall',
		request: ([row]) => ({ method: 'POST', path: CALL_PATH, body: callBody(row!), timeoutMs }),
		read: ([row], body) => [placedCall(row!, body)],
		unknown: ({ destination }, reason) => ({ destination, success: false, status: 'unknown', reason, call_id: null }),
		plan: (rows) => plan(rows, 'callEach', 1).chunks,
	}),
	duplicate: (earlier, { destination }) => ({ ...duplicateOf(earlier), destination }),
};

/**
 * The API's answer as it is: any 2xx is a placed call (send policy), and most of its fields are not shown.
 * Only the key `error` is renamed: n8n would take the item for a failed one.
 */
function placedCall({ destination }: Row, body: unknown): IDataObject {
	if (!isObject(body)) {
		return { destination, success: true, call_id: null, reason: 'The call was placed, but the API’s answer could not be read.' };
	}
	const { error, ...answer } = body as IDataObject;
	return error === undefined ? answer : { ...answer, reason: error };
}

export const placeCall: Operation = {
	value: 'placeCall',
	name: 'Place Call',
	action: 'Call a number',
	description: 'Call one phone number for each input item',
	fields: shownFor('call', 'placeCall', [...agentFields, destinationField, ...promptVariableFields, placeCallOptions]),

	async execute(context) {
		const settled = await callRows(context, readRows(context, 'items'), single);
		return toItems(context.getNode(), settled, (answer) => answer);
	},
};
