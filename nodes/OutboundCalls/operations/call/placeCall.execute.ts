import { type CallOutcome, readPlacedCall } from '../../domain/callOutcome';
import { isObject } from '../../domain/json';
import { callBody } from '../../domain/requestBodies';
import type { CallOperation } from '../../placement/callOperation';
import { callRows } from '../../placement/callRows';
import { answerColumns } from '../../results/columns';
import type { Execute } from '../operation';

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

	pack: (outcome) => outcome,
	unpack: (packed) => (isOutcome(packed) ? packed : undefined),
};

const isOutcome = (packed: unknown): packed is CallOutcome =>
	isObject(packed) && typeof packed.status === 'string';

const withOwnColumns = (outcome: CallOutcome | undefined): CallOutcome | undefined =>
	outcome?.answer ? { ...outcome, answer: answerColumns(outcome.answer) } : outcome;

export const executePlaceCall: Execute = async (execution) => await callRows(execution, single);
