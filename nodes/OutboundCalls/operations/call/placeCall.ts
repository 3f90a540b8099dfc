import { type CallOutcome, readPlacedCall } from '../../domain/callOutcome';
import { isObject } from '../../domain/json';
import { callBody } from '../../domain/requestBodies';
import { agentFields } from '../../fields/agent';
import { calledBeforeField } from '../../fields/calledBefore';
import { countriesField } from '../../fields/countries';
import { countryField, destinationField } from '../../fields/destination';
import { modeField, testNumberField } from '../../fields/mode';
import { placeCallOptions } from '../../fields/options';
import { promptVariableFields } from '../../fields/promptVariables';
import { callWaitFields } from '../../fields/waiting';
import type { CallOperation } from '../../placement/callOperation';
import { callRows } from '../../placement/callRows';
import type { Operation } from '../operation';

const CALL_PATH = '/calls';

const single: CallOperation = {
	purpose: 'placeCall',
	chunkSize: () => 1,
	request: ([row], timeoutMs) => ({ purpose: 'placeCall', method: 'POST', path: CALL_PATH, body: callBody(row!), timeoutMs }),
	read: (_rows, body) => [readPlacedCall(body)],

	pack: (outcome) => outcome,
	unpack: (packed) => (isObject(packed) && typeof packed.status === 'string' ? (packed as unknown as CallOutcome) : undefined),
};

export const placeCall: Operation = {
	value: 'placeCall',
	name: 'Place Call',
	action: 'Call number',
	description: 'Call one phone number for each input item',
	callsPeople: true,
	fields: [
		modeField,
		testNumberField,
		...agentFields,
		destinationField,
		countriesField,
		countryField,
		...promptVariableFields,
		calledBeforeField,
		...callWaitFields,
		placeCallOptions,
	],
	execute: async (execution) => await callRows(execution, single),
};
