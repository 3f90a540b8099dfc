import { readPlacedCall } from '../../domain/api/answers';
import { callBody } from '../../domain/api/requests';
import { callingFields, destinationField, externalCallId } from '../../fields/call';
import type { CallOperation } from '../../placement/callOperation';
import { callRows } from '../../placement/callRows';
import type { Handler, Operation } from '../operation';

export const placeCall: Operation = {
	value: 'placeCall',
	name: 'Place Call',
	action: 'Place a single call',
	description: 'Call one phone number for each input item',
	fields: callingFields([destinationField], externalCallId),
};

const single: CallOperation = {
	purpose: 'placeCall',
	path: '/calls',
	rowsPerRequest: () => 1,
	body: ([row]) => callBody(row!),
	read: (_rows, body) => [readPlacedCall(body)],
};

export const handlePlaceCall: Handler = (execution) => callRows(execution, single);
