import type { INodeProperties } from 'n8n-workflow';
import { COUNTRIES } from '../domain/phone/countries';
import {
	collectionLength,
	fixedChoiceField,
	includeInputFields,
	maxRetryWait,
	numberField,
	optionsOf,
	parallelRequests,
	pollInterval,
	showWhen,
	timeout,
	waitFields,
} from './common';
import { countriesField, modeFields, protectingFields, rulesField } from './safety';

/**
 * Who calls. The caller number is asked for as soon as the agent is, or may turn out to be, a SIP
 * ID. It is not `required`: the host would then not start a workflow whose agent is an expression
 * for a phone number, and would put its own words in the place of ours.
 */
const agentFields: INodeProperties[] = [
	{
		displayName: 'Agent Number',
		name: 'agentNumber',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. +14155550100',
		description:
			'The phone number of the AI agent that makes the call, or its SIP ID, which starts with t',
	},
	{
		displayName: 'Caller Number',
		name: 'callerNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. +14155550199',
		hint: 'Required if the agent is a SIP ID',
		description: 'The caller ID that the person sees. It must be registered on your account.',
		// Not one regex: the host gives each a time limit, which a busy machine can miss. And it
		// drops what a field holds that it does not show.
		...showWhen({
			agentNumber: ['t', '=', ' '].map((beginning) => ({ _cnd: { startsWith: beginning } })),
		}),
	},
];

export const promptVariables: INodeProperties = {
	displayName: 'Prompt Variables',
	name: 'promptVariables',
	type: 'assignmentCollection',
	default: {},
	description:
		'Values for the {{placeholders}} in the agent’s prompt. Drag a column in, then give it the placeholder’s exact name, such as first_name. Numbers and dates are sent as text.',
};

const promptVariableFields: INodeProperties[] = [
	// Without expressions: a column that is dragged a little too far would be dropped here.
	fixedChoiceField(
		'variablesFrom',
		'Where the values for the {{placeholders}} in the agent’s prompt come from',
	),
	{ ...promptVariables, ...showWhen({ variablesFrom: ['fields'] }) },
	{
		displayName: 'Fields to Leave Out',
		name: 'fieldsToLeaveOut',
		type: 'string',
		default: '',
		placeholder: 'e.g. notes, owner',
		description:
			'Names of input fields that are not sent, separated by commas. The phone number is always left out.',
		...showWhen({ variablesFrom: ['input'] }),
	},
	{
		displayName: 'Prompt Variables (JSON)',
		name: 'promptVariablesJson',
		type: 'json',
		default: '{}',
		hint: 'For example {"name": "Ada", "amount": "12.50"}',
		description:
			'An object whose keys are the placeholders’ names in the agent’s prompt, at most 25, with values of at most 500 characters',
		...showWhen({ variablesFrom: ['json'] }),
	},
];

export const destinationField: INodeProperties = {
	displayName: 'Phone Number',
	name: 'destination',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. +14155550123',
	description: 'The phone number to call, preferably with + and the country code',
};

/** Where Bulk Call takes its destinations from. */
export const destinationSourceFields: INodeProperties[] = [
	fixedChoiceField('destinationSource', 'Where the phone numbers to call come from'),
	{
		...destinationField,
		hint: 'Drag the column with the phone numbers here from the left',
		...showWhen({ destinationSource: ['items'] }),
	},
	{
		displayName: 'Phone Numbers',
		name: 'destinationList',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Number' },
		default: {},
		placeholder: 'Add Number',
		options: [
			{
				displayName: 'Destination',
				name: 'destination',
				values: [
					{ ...destinationField, displayName: 'Phone', name: 'phone' },
					{
						...promptVariables,
						displayName: 'Prompt Variables for This Call',
						description: 'Values for this call only, in addition to the prompt variables below',
					},
				],
			},
		],
		...showWhen({ destinationSource: ['list'] }),
	},
	{
		displayName: 'Phone Numbers (JSON)',
		name: 'destinationsJson',
		type: 'json',
		default: '[]',
		hint: 'For example ["+14155550123", "+14155550124"] or [{"phone": "+14155550123", "prompt_variables": {"name": "Ada"}}]',
		description: 'A list of phone numbers, or of objects with phone and prompt_variables',
		...showWhen({ destinationSource: ['json'] }),
	},
];

/** An option of Place Call. */
export const externalCallId: INodeProperties = {
	displayName: 'External Call ID',
	name: 'externalCallId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042',
	description:
		'Your own ID for this call. The API returns it in its answer and in the post-call callback.',
};

/** Of an operation that calls people, with `own` ones. */
const callOptions = (own: readonly INodeProperties[]) =>
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

/** The panel of an operation that calls people, with the fields that say whom, and `own` options. */
export const callingFields = (
	destinations: readonly INodeProperties[],
	...own: INodeProperties[]
): INodeProperties[] => [
	...modeFields,
	...agentFields,
	...destinations,
	countriesField,
	...promptVariableFields,
	...protectingFields,
	...waitFields,
	rulesField,
	callOptions(own),
];
