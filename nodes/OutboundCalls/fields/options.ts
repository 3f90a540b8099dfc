import type { INodeProperties } from 'n8n-workflow';
import { COUNTRIES } from '../domain/phone/countries';
import { choiceField, collectionLength, numberField } from './common';

const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	description: 'Whether to include the fields of the input item in each row',
};

const maxRetryWait = numberField(
	'maxRetryWait',
	'How long to wait in total when the API asks to try again later. If it asks for a longer wait, the node says when to run again.',
);

const pageParameter: INodeProperties = {
	displayName: 'Page Parameter',
	name: 'pageParameter',
	type: 'string',
	default: 'page',
	description:
		'Name of the query parameter for the page number. The API does not document it. Change it only if the node asks you to.',
};

const parallelRequests = numberField(
	'parallelRequests',
	'How many requests to send at the same time, from 1 to 10',
);

const pollInterval = numberField(
	'pollInterval',
	'How often to check the calls while waiting. The longer it waits, the less often it checks, down to about once a minute.',
);

const timeout = numberField('timeout', 'How long to wait for the answer to one request');

/** One collection of technical options. */
const optionsOf = (...options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options,
});

/** Of an operation that calls people, with `own` ones. */
const callOptions = (...own: INodeProperties[]): INodeProperties =>
	optionsOf(
		numberField(
			'callsPerMinute',
			'Maximum number of calls started per minute, across all executions of this node. Without this option, there is no limit.',
		),
		{
			displayName: 'Country of Numbers Without +',
			name: 'defaultCountry',
			type: 'options',
			default: '',
			options: [
				{ name: 'Same as the Chosen Country, If Only One', value: '' },
				...COUNTRIES.map(({ iso, callingCode, name }) => ({
					name: `${name} (${iso}, +${callingCode})`,
					value: iso,
				})),
			],
			description:
				'The country of numbers like 0171 2345678. Only matters if you chose several countries. An expression can return a code such as DE or 49.',
		},
		...own,
		includeInputFields,
		collectionLength,
		maxRetryWait,
		parallelRequests,
		pollInterval,
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
		timeout,
	);

/** Of an operation that reads calls, with `own` ones. */
const readOptions = (...own: INodeProperties[]): INodeProperties =>
	optionsOf(...own, maxRetryWait, pageParameter, parallelRequests, pollInterval, timeout);

export const bulkCallOptions = callOptions();
export const placeCallOptions = callOptions({
	displayName: 'External Call ID',
	name: 'externalCallId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	description:
		'Your own ID for this call. The API returns it in its answer and in the post-call callback.',
});
export const getCallOptions = readOptions(includeInputFields);
export const getBatchOptions = readOptions();
export const cancelBatchOptions = optionsOf(maxRetryWait, pageParameter, parallelRequests, timeout);
export const cancelCallOptions = optionsOf(
	choiceField(
		'ifAlreadyPlaced',
		'What to do if the call was already placed and can no longer be cancelled',
	),
	includeInputFields,
	maxRetryWait,
	parallelRequests,
	timeout,
);
