import { type CallOutcome, readPlacedCall } from '../../domain/callOutcome';
import { callBody } from '../../domain/requests';
import type { Execution, OutputItem } from '../../execution/execution';
import { callingFields, destinationField } from '../../fields/call';
import { placeCallOptions } from '../../fields/options';
import type { CallOperation } from '../../placement/callOperation';
import { callRows } from '../../placement/callRows';
import { answerColumns } from '../../results/columns';
import type { Operation } from '../operation';

export const placeCall: Operation<'placeCall'> = {
	value: 'placeCall',
	name: 'Place Call',
	action: 'Call one number per item',
	description: 'Call one phone number for each input item',
	callsPeople: true,
	fields: callingFields([destinationField], placeCallOptions),
};

const CALL_PATH = '/calls';

const single: CallOperation = {
	purpose: 'placeCall',
	chunkSize: () => 1,
	request: ([row], timeoutMs) => ({
		purpose: 'placeCall',
		method: 'POST',
		path: CALL_PATH,
		body: callBody(row!),
		timeoutMs,
	}),
	read: (_rows, body) => [withOwnColumns(readPlacedCall(body))],
};

const withOwnColumns = (outcome: CallOutcome | undefined): CallOutcome | undefined =>
	outcome?.answer ? { ...outcome, answer: answerColumns(outcome.answer) } : outcome;

export async function executePlaceCall(execution: Execution): Promise<OutputItem[]> {
	return await callRows(execution, single);
}
