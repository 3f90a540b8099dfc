import type { INodeProperties } from 'n8n-workflow';
import { HOURS_BETWEEN } from '../domain/fieldDefaults';
import { choiceField, collectionLength, numberField } from './common';

const callsPerPerson: INodeProperties = {
	displayName: 'Calls per Person',
	name: 'callsPerPerson',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Limit' },
	default: { limit: [{ calls: 1, per: 'day' }] },
	placeholder: 'Add Limit (Needed)',
	description:
		'How often one person may be called, over all runs of this workflow. For several attempts, set People Called Before to Call Again.',
	options: [
		{
			displayName: 'Limit',
			name: 'limit',
			values: [
				numberField('calls', 'The most calls to one person'),
				{
					displayName: 'Per',
					name: 'per',
					type: 'options',
					default: 'day',
					options: [
						{ name: 'Day', value: 'day', description: 'From midnight to midnight' },
						{ name: 'Week', value: 'week', description: 'From Monday to Monday' },
						{ name: 'Month', value: 'month', description: 'From the first of a month' },
						{ name: 'Ever', value: 'ever', description: 'For all time' },
					],
					description: 'The period, in the time zone of this workflow',
				},
			],
		},
	],
};

const doNotCall: INodeProperties = {
	displayName: 'Do Not Call',
	name: 'doNotCall',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. +14155550123, +14155550124',
	description:
		'Numbers that are never called, separated by commas or line breaks, or an expression that returns a list',
};

const hoursBetweenCalls: INodeProperties = {
	displayName: 'Hours Between Calls',
	name: 'hoursBetweenCalls',
	type: 'options',
	default: 3,
	options: HOURS_BETWEEN.map((hours) => ({ name: `${hours}`, value: hours })),
	description:
		'At least so many hours, and up to a quarter more, between two calls to one person, over all runs of this workflow. To try people again, set People Called Before to Call Again.',
};

const maxCalls = numberField(
	'maxCalls',
	'The most calls that this node starts in one execution of the workflow',
);

const maxCallsPerDay = numberField(
	'maxCallsPerDay',
	'The most calls that this workflow starts in a day, over all runs and all nodes that have this rule',
);

const noCallDates: INodeProperties = {
	displayName: 'No-Call Dates',
	name: 'noCallDates',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2026-12-25, 2027-01-01',
	description:
		'Dates, where the person is, on which people are not called, such as holidays. Separate them with commas.',
};

const specialNumbers: INodeProperties = {
	...choiceField(
		'specialNumbers',
		'What to do with premium-rate, shared-cost and personal numbers, pagers, voicemail and satellite phones. Emergency and short numbers are never called.',
	),
	noDataExpression: true,
};

// Somebody who adds a switch wants it on. A rule that was not added is off.
const stopWhenReached: INodeProperties = {
	displayName: 'Stop When Reached',
	name: 'stopWhenReached',
	type: 'boolean',
	default: true,
	description:
		'Whether people who were reached are never called again. Needs Wait Until: Each Call Is Finished.',
};

const timeZone: INodeProperties = {
	displayName: 'Time Zone',
	name: 'timeZone',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.time_zone }}',
	description:
		'The time zone of the person called, such as Europe/Berlin. If it is empty, the number decides.',
};

/** Who is called, when and how often. */
export const rulesField: INodeProperties = {
	displayName: 'Rules',
	name: 'rules',
	type: 'collection',
	placeholder: 'Add Rule',
	default: {},
	description: 'Who is called, when and how often',
	options: [
		callsPerPerson,
		doNotCall,
		hoursBetweenCalls,
		collectionLength,
		maxCalls,
		maxCallsPerDay,
		noCallDates,
		specialNumbers,
		stopWhenReached,
		timeZone,
	],
};
