import type { INodeProperties } from 'n8n-workflow';
import { rightToCallOptions } from './rightToCall';

const maxRetryWait: INodeProperties = {
	displayName: 'Max Retry Wait (Seconds)',
	name: 'maxRetryWait',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description:
		'How long to wait in total when the API says to come back later, to this or to another execution of the same account. If it asks for more, the node says when to run again.',
};

const parallelRequests: INodeProperties = {
	displayName: 'Parallel Requests',
	name: 'parallelRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10 },
	default: 5,
	description: 'How many requests to have under way at the same time, from 1 to 10',
};

const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'How long to wait for the answer to one request',
};

const callsPerMinute: INodeProperties = {
	displayName: 'Calls per Minute',
	name: 'callsPerMinute',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description:
		'Spread the calls so that at most this many are started in a minute, by all executions of this node together. Without this option there is no limit.',
};

const duplicates: INodeProperties = {
	displayName: 'Duplicates',
	name: 'duplicates',
	type: 'options',
	default: 'callOnce',
	options: [
		{
			name: 'Call Each Number Once',
			value: 'callOnce',
			description:
				'Rows with the same number share one call, with the prompt variables of the first',
		},
		{
			name: 'Call Each Row',
			value: 'callEach',
			description: 'A number in three rows is called three times',
		},
	],
	description: 'What to do when several rows have the same number',
};

const externalCallId: INodeProperties = {
	displayName: 'External Call ID',
	name: 'externalCallId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	description:
		'Your own ID for this call. The API sends it back with its answer and with the post-call callback.',
};

const ifAlreadyPlaced: INodeProperties = {
	displayName: 'If Already Placed',
	name: 'ifAlreadyPlaced',
	type: 'options',
	default: 'error',
	options: [
		{ name: 'Stop with a Message', value: 'error', description: 'End with a message' },
		{
			name: 'Return It as a Result',
			value: 'output',
			description: 'Return the item with cancelled: false',
		},
	],
	description: 'What to do when the call was already placed, so that it can no longer be cancelled',
};

const pageParameter: INodeProperties = {
	displayName: 'Page Parameter',
	name: 'pageParameter',
	type: 'string',
	default: 'page',
	description:
		'Name of the query parameter for the page number. The API does not document it; change it only when the node asks for it.',
};

// Somebody who adds a switch wants it on, so each starts as on. An option that was not added is off.
const retryUndialed: INodeProperties = {
	displayName: 'Retry Undialed Rows',
	name: 'retryUndialed',
	type: 'boolean',
	default: true,
	description:
		'Whether to try rows again that came back as rate_limited or temporarily_unavailable, within the Max Retry Wait',
};

const callOnceKey: INodeProperties = {
	displayName: 'Remember People By',
	name: 'callOnceKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. spring-campaign-{{ $json.customer_id }}',
	description:
		'What a person is remembered by, such as an invoice number: each value is called once, over all runs. Empty means the phone number. It has no effect if People Called Before is Call Again.',
};

const memoryOf: INodeProperties = {
	displayName: 'Share Memory With',
	name: 'memoryOf',
	type: 'options',
	default: 'workflow',
	options: [
		{
			name: 'All Nodes of This Workflow',
			value: 'workflow',
			description: 'Whoever was called by one of them is not called by another one',
		},
		{
			name: 'Nobody: This Node Alone',
			value: 'node',
			description: 'For a second node with a purpose of its own, such as a reminder',
		},
	],
	description:
		'Who knows whom this node has called. It has no effect if People Called Before is Call Again. After a change, make a dry run before you go live.',
};

const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	description: 'Whether each row comes out with the fields of the input item',
};

/** One collection of options, in the order in which people need them. */
const optionsOf = (...options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options,
});

const whomAndWhen = [callOnceKey, memoryOf, ...rightToCallOptions, callsPerMinute, duplicates];
const requests = [maxRetryWait, parallelRequests, timeout];

export const bulkCallOptions = optionsOf(
	...whomAndWhen,
	retryUndialed,
	includeInputFields,
	...requests,
);
export const placeCallOptions = optionsOf(
	...whomAndWhen,
	externalCallId,
	includeInputFields,
	...requests,
);
export const getBatchOptions = optionsOf(pageParameter, ...requests);
export const getCallOptions = optionsOf(includeInputFields, pageParameter, ...requests);
export const cancelBatchOptions = getBatchOptions;
export const forgetOptions = optionsOf({
	...memoryOf,
	description:
		'Which memory it is. If the node that calls remembers for itself alone, nobody else has its memory: set that node to Forget People, execute it, and set it back.',
});
export const cancelCallOptions = optionsOf(ifAlreadyPlaced, includeInputFields, ...requests);
