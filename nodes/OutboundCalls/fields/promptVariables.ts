import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from './showWhen';

export const promptVariables: INodeProperties = {
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
		// Otherwise a column that is dragged a little too far would be dropped here.
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
				description:
					'Every field of the input item except the phone number, with names like first_name',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'An object of names and values, best for AI agents and code',
			},
		],
		description: 'Where the values for the {{placeholders}} in the agent’s prompt come from',
	},
	{ ...promptVariables, ...showWhen({ variablesFrom: ['fields'] }) },
	{
		displayName: 'Fields to Leave Out',
		name: 'fieldsToLeaveOut',
		type: 'string',
		default: '',
		placeholder: 'e.g. notes, owner',
		description:
			'Names of input fields that are not sent, separated by commas. The phone number is never sent.',
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
