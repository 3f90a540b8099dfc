import type { INodeProperties } from 'n8n-workflow';
import { promptVariables } from './promptVariables';
import { showWhen } from './showWhen';

export const destinationField: INodeProperties = {
	displayName: 'Phone Number',
	name: 'destination',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. +14155550123',
	description: 'The phone number to call, best with + and the country code',
};

/** Where Bulk Call takes its destinations from. */
export const destinationSourceFields: INodeProperties[] = [
	{
		displayName: 'Numbers From',
		name: 'destinationSource',
		type: 'options',
		noDataExpression: true,
		default: 'items',
		options: [
			{
				name: 'Input Items',
				value: 'items',
				description: 'One call per input item, such as a row of a sheet',
			},
			{
				name: 'List Below',
				value: 'list',
				description: 'Numbers entered here, each with prompt variables of its own',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'A list of numbers, or of numbers with prompt variables',
			},
		],
		description: 'Where the phone numbers to call come from',
	},
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
		description: 'The phone numbers to call',
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
						description: 'The phone number to call, best with + and the country code',
					},
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
