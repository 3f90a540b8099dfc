import type { INodeProperties } from 'n8n-workflow';
import { HOURS_BETWEEN, LIMITS_FOR_ALL } from '../domain/fieldDefaults';
import { choiceField, collectionLength, numberField } from './common';

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
		{
			...choiceField(
				'specialNumbers',
				'What to do with premium-rate, shared-cost and personal numbers, pagers, voicemail and satellite phones. Emergency and short numbers are never called.',
			),
			noDataExpression: true,
		},
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
