import type { INodeProperties } from 'n8n-workflow';

type DisplayOptions = NonNullable<INodeProperties['displayOptions']>;

/** Shows fields for one operation, in addition to the conditions that they have themselves. */
export function shownFor(resource: string, operation: string, fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { resource: [resource], operation: [operation], ...field.displayOptions?.show },
		},
	}));
}

const when = (show: DisplayOptions['show']): { displayOptions: DisplayOptions } => ({ displayOptions: { show } });

/**
 * Who calls. The caller number is asked for as soon as the agent is, or may turn out to be, a SIP ID. It is
 * not `required`: the host would then not start a workflow whose agent is an expression for a phone number,
 * and would put its own words in the place of ours.
 */
export const agentFields: INodeProperties[] = [
	{
		displayName: 'Agent Number',
		name: 'agentNumber',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. +14155550100',
		description: 'The phone number of the AI agent that makes the call, or its SIP ID, which starts with t',
	},
	{
		displayName: 'Caller Number',
		name: 'callerNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. +14155550199',
		hint: 'Needed when the agent is a SIP ID',
		description: 'The number that the person called sees. It must be registered on your account.',
		// Not one regex: the host gives each a time limit, which a busy machine can miss.
		...when({ agentNumber: [{ _cnd: { startsWith: 't' } }, { _cnd: { startsWith: '=' } }] }),
	},
];

export const destinationField: INodeProperties = {
	displayName: 'Destination',
	name: 'destination',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. +14155550123',
	description: 'The phone number to call, with a leading + and the country code. Drag the column in from the left.',
};

const promptVariables: INodeProperties = {
	displayName: 'Prompt Variables',
	name: 'promptVariables',
	type: 'assignmentCollection',
	default: {},
	description:
		'Values for the {{placeholders}} in the agent’s prompt. Drag a column in, then give it the placeholder’s exact name, such as first_name. Numbers and dates are sent as text.',
};

export const promptVariableFields: INodeProperties[] = [
	{
		displayName: 'Prompt Variables From',
		name: 'variablesFrom',
		type: 'options',
		// A column that is dragged a little too far would land in it.
		noDataExpression: true,
		default: 'fields',
		options: [
			{
				name: 'Fields Below',
				value: 'fields',
				description: 'Drag columns in, or type names and values',
			},
			{
				name: 'All Input Fields',
				value: 'input',
				description: 'Every field of the input item but the destination, named like first_name',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'An object of names and values, best for AI agents and code',
			},
		],
		description: 'Where the values for the {{placeholders}} in the agent’s prompt come from',
	},
	{ ...promptVariables, ...when({ variablesFrom: ['fields'] }) },
	{
		displayName: 'Fields to Leave Out',
		name: 'fieldsToLeaveOut',
		type: 'string',
		default: '',
		placeholder: 'e.g. notes, owner',
		description: 'Names of input fields that are not sent, with commas between them. The destination is never sent.',
		...when({ variablesFrom: ['input'] }),
	},
	{
		displayName: 'Prompt Variables (JSON)',
		name: 'promptVariablesJson',
		type: 'json',
		default: '{}',
		hint: 'Like {"name": "Ada", "amount": "12.50"}',
		description: 'An object whose keys are the placeholders’ names in the agent’s prompt, at most 25, with values of at most 500 characters',
		...when({ variablesFrom: ['json'] }),
	},
];

/** Where Bulk Call takes its destinations from. */
export const destinationSourceFields: INodeProperties[] = [
	{
		displayName: 'Destinations From',
		name: 'destinationSource',
		type: 'options',
		noDataExpression: true,
		default: 'items',
		options: [
			{ name: 'Input Items', value: 'items', description: 'One call for each input item, such as the rows of a sheet' },
			{ name: 'List Below', value: 'list', description: 'Numbers entered here, each with prompt variables of its own' },
			{ name: 'JSON', value: 'json', description: 'A list of numbers, or of numbers with prompt variables' },
		],
		description: 'Where the phone numbers to call come from',
	},
	{
		...destinationField,
		hint: 'Drag the column with the phone numbers in from the left',
		...when({ destinationSource: ['items'] }),
	},
	{
		displayName: 'Destinations',
		name: 'destinationList',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Destination' },
		default: {},
		placeholder: 'Add Destination',
		description: 'The phone numbers to call. The list is taken once for each input item.',
		options: [
			{
				displayName: 'Destination',
				name: 'destination',
				values: [
					{
						displayName: 'Phone',
						name: 'phone',
						type: 'string',
						required: true,
						default: '',
						placeholder: 'e.g. +14155550123',
						description: 'The phone number to call, with a leading + and the country code',
					},
					{
						...promptVariables,
						displayName: 'Prompt Variables for This Call',
						description: 'Values for this call only, in addition to the prompt variables below',
					},
				],
			},
		],
		...when({ destinationSource: ['list'] }),
	},
	{
		displayName: 'Destinations (JSON)',
		name: 'destinationsJson',
		type: 'json',
		default: '[]',
		hint: 'Like ["+14155550123", "+14155550124"] or [{"phone": "+14155550123", "prompt_variables": {"name": "Ada"}}]',
		description: 'A list of phone numbers, or of objects with phone and prompt_variables. It is taken once for each input item.',
		...when({ destinationSource: ['json'] }),
	},
];

const maxRetryWait: INodeProperties = {
	displayName: 'Max Retry Wait (Seconds)',
	name: 'maxRetryWait',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 300,
	description: 'How long to wait, in all, when the API asks to come back later. If it asks for more, the node says when to run again.',
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
	description: 'Spread the calls so that at most this many are started in a minute. Without this option there is no limit.',
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
			description: 'Rows with the same number share one call, with the prompt variables of the first',
		},
		{ name: 'Call Each Row', value: 'callEach', description: 'A number in three rows is called three times' },
	],
	description: 'What to do when several rows have the same number',
};

const externalCallId: INodeProperties = {
	displayName: 'External Call ID',
	name: 'externalCallId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	description: 'Your own ID for this call. The API sends it back with its answer and with the post-call callback.',
};

const ifAlreadyPlaced: INodeProperties = {
	displayName: 'If Already Placed',
	name: 'ifAlreadyPlaced',
	type: 'options',
	default: 'error',
	options: [
		{ name: 'Stop with a Message', value: 'error', description: 'Treat the item as one that could not be cancelled' },
		{ name: 'Return It as a Result', value: 'output', description: 'Return the item with cancelled: false' },
	],
	description: 'What to do when the call was already placed, so that it can no longer be cancelled',
};

const pageParameter: INodeProperties = {
	displayName: 'Page Parameter',
	name: 'pageParameter',
	type: 'string',
	default: 'page',
	description: 'Name of the query parameter for the page number. The API does not document it; change it only when the node asks for it.',
};

// Whoever adds a switch means it, so each is on from the start. An option that was not added is off.
const retryUndialed: INodeProperties = {
	displayName: 'Retry Undialed Rows',
	name: 'retryUndialed',
	type: 'boolean',
	default: true,
	description: 'Whether to try rows again that came back as rate_limited or temporarily_unavailable, within the Max Retry Wait',
};

const callOnce: INodeProperties = {
	displayName: 'Call Once',
	name: 'callOnce',
	type: 'boolean',
	default: true,
	description: 'Whether to remember in n8n’s database who was called, so that no later run of this workflow calls the same key again',
};

const callOnceKey: INodeProperties = {
	displayName: 'Call Once Key',
	name: 'callOnceKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. spring-campaign-{{ $json.customer_id }}',
	description: 'What a call is remembered by when Call Once is on. Empty means the phone number.',
};

const cleanNumbers: INodeProperties = {
	displayName: 'Clean Numbers',
	name: 'cleanNumbers',
	type: 'boolean',
	default: true,
	description:
		'Whether to bring numbers as people write them into international format: without spaces, dashes and brackets, with + for 00. A changed row also shows the original.',
};

const defaultCountryCode: INodeProperties = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. 49',
	description: 'The country of numbers that have no country code, such as 0171 2345678. Used when Clean Numbers is on.',
};

const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description: 'Whether to check and plan everything but call nobody: each row shows what would be sent',
};

const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	description: 'Whether to return the fields of the input item too, with the result of the call in the field call',
};

/** One collection of options, in the order of their labels. (Loading a locale’s order would take longer than loading the node.) */
function optionsOf(...options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options].sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
	};
}

/** What both placing operations offer. */
const callOptions = [
	callOnce,
	callOnceKey,
	callsPerMinute,
	cleanNumbers,
	defaultCountryCode,
	dryRun,
	duplicates,
	includeInputFields,
	maxRetryWait,
	parallelRequests,
	timeout,
];

export const placeCallOptions = optionsOf(...callOptions, externalCallId);
export const bulkCallOptions = optionsOf(...callOptions, retryUndialed);
export const getBatchOptions = optionsOf(maxRetryWait, pageParameter, parallelRequests, timeout);
export const getCallOptions = optionsOf(includeInputFields, maxRetryWait, pageParameter, parallelRequests, timeout);
export const cancelBatchOptions = getBatchOptions;
export const cancelCallOptions = optionsOf(ifAlreadyPlaced, maxRetryWait, parallelRequests, timeout);
