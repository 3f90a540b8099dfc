import type { INodeProperties } from 'n8n-workflow';
import { FIRST_CUSTOM_WINDOW, HOURS_BETWEEN, LIMITS_FOR_ALL } from '../domain/panelDefaults';
import { COUNTRY_CHOICES, EVERY_COUNTRY } from '../domain/phone/callableCountries';
import { choiceField, collectionLength, fixedChoiceField, numberField, showWhen } from './common';

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

const { days, from, to } = FIRST_CUSTOM_WINDOW;
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** When people may be called, on their own clocks, and who may be called at all. */
export const protectingFields: INodeProperties[] = [
	fixedChoiceField(
		'callingHours',
		'When people may be called, in their own time zone. It comes from the number, or from Time Zone under Rules.',
	),
	{
		displayName: 'Calling Windows',
		name: 'callingWindows',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Window' },
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
		...fixedChoiceField(
			'calledBefore',
			'What to do with people whom this workflow has called before',
		),
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

/** Who is called, when and how often. */
export const rulesField: INodeProperties = {
	displayName: 'Rules',
	name: 'rules',
	type: 'collection',
	placeholder: 'Add Rule',
	default: {},
	description: 'Who is called, when and how often',
	options: [
		{
			displayName: 'Calls per Person',
			name: 'callsPerPerson',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Limit' },
			default: { limit: [{ calls: 1, per: 'day' }] },
			placeholder: 'Add at Least One Limit',
			description:
				'How often one person may be called, across all runs of this workflow. For several attempts, set People Called Before to Call Again.',
			options: [
				{
					displayName: 'Limit',
					name: 'limit',
					values: [
						numberField('calls', 'Maximum number of calls to one person in the period'),
						choiceField(
							'per',
							'The period in which calls are counted, in the time zone of this workflow',
						),
					],
				},
			],
		},
		{
			displayName: 'Do Not Call',
			name: 'doNotCall',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. +14155550123, +14155550124',
			description:
				'Numbers that are never called, separated by commas or line breaks, or an expression that returns a list',
		},
		{
			displayName: 'Hours Between Calls',
			name: 'hoursBetweenCalls',
			type: 'options',
			default: 3,
			options: HOURS_BETWEEN.map((hours) => ({
				name: `${hours} Hour${hours > 1 ? 's' : ''}`,
				value: hours,
			})),
			description:
				'Minimum time between two calls to one person, across all runs of this workflow. It can be up to a quarter longer. To try people again, set People Called Before to Call Again.',
		},
		collectionLength,
		numberField(
			'maxCalls',
			'Maximum number of calls that this node starts in one execution of the workflow',
		),
		...Object.entries(LIMITS_FOR_ALL).map(([name, { per }]) =>
			numberField(
				name as keyof typeof LIMITS_FOR_ALL,
				`Maximum number of calls that this workflow starts in a ${per}, across all runs and all nodes that have this rule`,
			),
		),
		{
			displayName: 'No-Call Dates',
			name: 'noCallDates',
			type: 'string',
			default: '',
			placeholder: 'e.g. 2026-12-25, 2027-01-01',
			description:
				'Dates without calls, such as holidays, on the calendar of the person called. Separate them with commas.',
		},
		fixedChoiceField(
			'specialNumbers',
			'What to do with premium-rate, shared-cost and personal numbers, pagers, voicemail and satellite phones. Emergency and short numbers are never called.',
		),
		// Somebody who adds a switch wants it on. A rule that was not added is off.
		{
			displayName: 'Stop When Reached',
			name: 'stopWhenReached',
			type: 'boolean',
			default: true,
			description:
				'Whether to stop calling people once they were reached. Requires Wait Until: Each Call Is Finished.',
		},
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.time_zone }}',
			description:
				'The time zone of the person called, such as Europe/Berlin. If it is empty, the number decides.',
		},
	],
};
