import type { INodeProperties } from 'n8n-workflow';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const callingHours: INodeProperties = {
	displayName: 'Calling Hours',
	name: 'callingHours',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Window' },
	default: {},
	placeholder: 'Add Window',
	description:
		'When people may be called, on their own clocks: the time zone comes from the option Time Zone, or else from the number. If a number may be in several zones, it must be inside the hours in all of them. Rows outside the hours are not called, and say from when they may be.',
	options: [
		{
			displayName: 'Window',
			name: 'window',
			values: [
				{
					displayName: 'Days',
					name: 'days',
					type: 'multiOptions',
					default: ['mon', 'tue', 'wed', 'thu', 'fri'],
					options: DAYS.map((name) => ({ name, value: name.slice(0, 3).toLowerCase() })),
				},
				{
					displayName: 'From',
					name: 'from',
					type: 'string',
					default: '09:00',
					placeholder: 'e.g. 09:00',
					description: 'Hours and minutes',
				},
				{
					displayName: 'To',
					name: 'to',
					type: 'string',
					default: '20:00',
					placeholder: 'e.g. 20:00',
					description: 'Hours and minutes, up to 24:00. From this minute on, nobody is called.',
				},
			],
		},
	],
};

const timeZone: INodeProperties = {
	displayName: 'Time Zone',
	name: 'timeZone',
	type: 'string',
	default: '',
	placeholder: 'e.g. Europe/Berlin',
	description:
		'The time zone of the person called, for Calling Hours and No-Call Dates, such as a column of the sheet. If it is empty, the number decides.',
};

const unknownTimeZone: INodeProperties = {
	displayName: 'Unknown Time Zone',
	name: 'unknownTimeZone',
	type: 'options',
	default: 'doNotCall',
	options: [
		{
			name: 'Do Not Call',
			value: 'doNotCall',
			description: 'Do not call people whose time zone is not known',
		},
		{
			name: 'Use the Workflow’s Time Zone',
			value: 'workflow',
			description: 'The one in the settings of this workflow',
		},
	],
	description: 'What to do with numbers whose time zone is not known',
};

const noCallDates: INodeProperties = {
	displayName: 'No-Call Dates',
	name: 'noCallDates',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2026-12-25, 2027-01-01',
	description:
		'Dates on which nobody is called, such as holidays, by the calendar of the person called. Separate them with commas.',
};

const doNotCall: INodeProperties = {
	displayName: 'Do Not Call',
	name: 'doNotCall',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. +14155550123, +14155550124',
	description:
		'Numbers that are never called, separated by commas or line breaks, or an expression that gives a list of them',
};

const optedOut: INodeProperties = {
	displayName: 'Opted Out',
	name: 'optedOut',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.opted_out }}',
	description:
		'The column that says who asked not to be called. Yes, true, x, stop or a date means do not call; no or an empty cell means call.',
};

const specialNumbers: INodeProperties = {
	displayName: 'Special Numbers',
	name: 'specialNumbers',
	type: 'options',
	default: 'doNotCall',
	options: [
		{
			name: 'Do Not Call',
			value: 'doNotCall',
			description: 'Do not call numbers that cost more than others',
		},
		{
			name: 'Call',
			value: 'call',
			description: 'Call them like others. Some cost several dollars a minute.',
		},
	],
	description:
		'What to do with premium-rate, shared-cost and personal numbers, pagers, voicemail and satellite phones. Emergency numbers and short numbers are never called.',
};

const maxCalls: INodeProperties = {
	displayName: 'Max Calls',
	name: 'maxCalls',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 100,
	description:
		'The most calls that this node starts in one execution of the workflow. The remaining rows are not called.',
};

const callsPerPerson: INodeProperties = {
	displayName: 'Calls per Person',
	name: 'callsPerPerson',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Limit' },
	default: {},
	placeholder: 'Add Limit',
	description:
		'How often one number is called, over all runs of this workflow: for attempts, 1 per day and 3 ever, with People Called Before set to Call Again. Days, weeks and months are those of the workflow’s time zone.',
	options: [
		{
			displayName: 'Limit',
			name: 'limit',
			values: [
				{
					displayName: 'Calls',
					name: 'calls',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 1,
					description: 'The most calls to one number',
				},
				{
					displayName: 'Per',
					name: 'per',
					type: 'options',
					default: 'day',
					options: [
						{ name: 'Day', value: 'day', description: 'From midnight to midnight' },
						{ name: 'Ever', value: 'ever', description: 'For all time' },
						{
							name: 'Month',
							value: 'month',
							description: 'From the first of a month to the first of the next one',
						},
						{ name: 'Week', value: 'week', description: 'From Monday to Monday' },
					],
					description: 'In which time so many calls are allowed',
				},
			],
		},
	],
};

const maxCallsPerDay: INodeProperties = {
	displayName: 'Max Calls per Day',
	name: 'maxCallsPerDay',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description:
		'The most calls that this workflow starts in a day, over all its runs and nodes that set this option. The remaining rows are not called, and say from when they may be.',
};

// Somebody who adds a switch wants it on. An option that was not added is off.
const stopWhenReached: INodeProperties = {
	displayName: 'Stop When Reached',
	name: 'stopWhenReached',
	type: 'boolean',
	default: true,
	description:
		'Whether people who were reached are never called again. Only a run that waits for its calls (Wait Until) learns whom it has reached.',
};

/** Whom it is right to call, and when, in the order in which people need them. */
export const rightToCallOptions: INodeProperties[] = [
	callingHours,
	timeZone,
	unknownTimeZone,
	noCallDates,
	doNotCall,
	optedOut,
	specialNumbers,
	callsPerPerson,
	stopWhenReached,
	maxCalls,
	maxCallsPerDay,
];
