import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_WINDOW } from '../domain/fieldDefaults';
import { COUNTRY_CHOICES, EVERY_COUNTRY } from '../domain/phone/callableCountries';
import { choiceField, showWhen } from './common';

/** First in the panel: a new node calls nobody until somebody says so. */
export const modeFields: INodeProperties[] = [
	choiceField('mode', 'Whether people are called'),
	// The phone of a test. Without an expression, so that no row and no model can put another number
	// in its place.
	{
		displayName: 'My Own Phone',
		name: 'testNumber',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. +14155550123',
		description:
			'Your own number, with + and the country code. It rings once in each execution that you start by hand. Countries, hours, lists and limits do not apply to it.',
		// `hide`, not `show`: a mode that is an expression must show it, because n8n drops the value of a
		// hidden field.
		displayOptions: { hide: { mode: ['dryRun', 'live'] } },
	},
];

/** The field says where calls may lead. */
export const countriesField: INodeProperties = {
	displayName: 'Countries That May Be Called',
	name: 'countries',
	type: 'multiOptions',
	required: true,
	noDataExpression: true,
	default: [],
	options: [
		{ name: 'Any Country', value: EVERY_COUNTRY },
		...COUNTRY_CHOICES.map(({ iso: value, ...shown }) => ({ ...shown, value })),
	],
	builderHint: {
		propertyHint: 'Only the person who owns the workflow chooses the countries.',
	},
	description: 'Numbers of other countries are not called. Type a name or a code to search.',
};

const { days, from, to } = DEFAULT_WINDOW;
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** When people may be called, on their own clocks, and who may be called at all. */
export const protectingFields: INodeProperties[] = [
	{
		...choiceField(
			'callingHours',
			'When people may be called, in their own time zone. It comes from the number, or from Time Zone under Rules.',
		),
		noDataExpression: true,
	},
	{
		displayName: 'Calling Windows',
		name: 'callingWindows',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Window' },
		// n8n stores no value that equals an inner default, so these never change (n8n behavior).
		default: { window: [{ days: [...days], from, to }] },
		placeholder: 'Add Window',
		description: 'People may be called during any of these windows',
		options: [
			{
				displayName: 'Window',
				name: 'window',
				values: [
					{
						displayName: 'Days',
						name: 'days',
						type: 'multiOptions',
						noDataExpression: true,
						default: [...days],
						options: DAYS.map((name) => ({ name, value: name.slice(0, 3).toLowerCase() })),
					},
					{
						displayName: 'From',
						name: 'from',
						type: 'string',
						noDataExpression: true,
						default: from,
						placeholder: 'e.g. 09:00',
						description: 'Hours and minutes. The first minute in which people may be called.',
					},
					{
						displayName: 'To',
						name: 'to',
						type: 'string',
						noDataExpression: true,
						default: to,
						placeholder: 'e.g. 20:00',
						description: 'Hours and minutes, up to 24:00. Nobody is called from this minute on.',
					},
				],
			},
		],
		...showWhen({ callingHours: ['custom'] }),
	},
	{
		displayName: 'Opted Out',
		name: 'optedOut',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.opted_out }}',
		hint: 'Drag in the column that says who asked not to be called, if there is one',
		description:
			'Yes, true, x, stop or a date means do not call. No or an empty cell means call. Anything else keeps the person from being called.',
	},
	{
		...choiceField('calledBefore', 'What to do with people whom this workflow has called before'),
		noDataExpression: true,
		builderHint: {
			propertyHint: 'Keep skip, unless the same people are meant to be called again.',
		},
	},
	{
		displayName: 'Once for Each',
		name: 'onceForEach',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.appointment }}',
		hint: 'Drag in what makes it a new call, such as the date and the time. Or type a word, such as reminder.',
		description:
			'The appointment, invoice or purpose for which each person is called once. The phone number is part of it automatically.',
		...showWhen({ calledBefore: ['onceForEach'] }),
	},
];
