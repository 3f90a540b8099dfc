import type { INodeProperties } from 'n8n-workflow';
import { COUNTRIES } from '../domain/phone/countries';
import { promptVariables } from './promptVariables';
import { showWhen } from './showWhen';

export const destinationField: INodeProperties = {
	displayName: 'Destination',
	name: 'destination',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. +14155550123',
	description:
		'The phone number to call, best with + and the country code. Drag the column in from the left.',
};

/** For numbers as people write them. Empty: rows whose number has no country code are not called. */
export const countryField: INodeProperties = {
	displayName: 'Country of Numbers Without +',
	name: 'defaultCountry',
	type: 'options',
	default: '',
	options: [
		{ name: 'None, or the Only Country That May Be Called', value: '' },
		...COUNTRIES.map(({ iso, callingCode, name }) => ({
			name: `${name} (${iso}, +${callingCode})`,
			value: iso,
		})),
	],
	description:
		'The country of numbers like 0171 2345678. Type to search. If exactly one country may be called, None means that one; otherwise such numbers are not called. An expression may decide for each row: a code like DE or a calling code like 49.',
};

/** Where Bulk Call takes its destinations from. */
export const destinationSourceFields: INodeProperties[] = [
	{
		displayName: 'Destinations From',
		name: 'destinationSource',
		type: 'options',
		noDataExpression: true,
		default: 'items',
		options: [
			{
				name: 'Input Items',
				value: 'items',
				description: 'One call for each input item, such as the rows of a sheet',
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
		hint: 'Drag the column with the phone numbers in from the left',
		...showWhen({ destinationSource: ['items'] }),
	},
	{
		displayName: 'Destinations',
		name: 'destinationList',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Destination' },
		default: {},
		placeholder: 'Add Destination',
		description: 'The phone numbers to call. The whole list is read for each input item.',
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
		displayName: 'Destinations (JSON)',
		name: 'destinationsJson',
		type: 'json',
		default: '[]',
		hint: 'Like ["+14155550123", "+14155550124"] or [{"phone": "+14155550123", "prompt_variables": {"name": "Ada"}}]',
		description:
			'A list of phone numbers, or of objects with phone and prompt_variables. The whole list is read for each input item.',
		...showWhen({ destinationSource: ['json'] }),
	},
];
