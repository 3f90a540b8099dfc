import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from './showWhen';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** When people may be called, on their own clocks. */
export const hoursFields: INodeProperties[] = [
	{
		displayName: 'Calling Hours',
		name: 'callingHours',
		type: 'options',
		noDataExpression: true,
		default: 'weekdays',
		options: [
			{ name: 'Monday to Friday, 09:00 to 20:00', value: 'weekdays' },
			{ name: 'Every Day, 09:00 to 20:00', value: 'daily' },
			{ name: 'Any Hour', value: 'any', description: 'Day and night' },
			{ name: 'Custom', value: 'custom', description: 'Days and times that you choose' },
		],
		description:
			'When people may be called, on the clock of the person called. The time zone comes from the number, or from Time Zone under Rules.',
	},
	{
		displayName: 'Calling Windows',
		name: 'callingWindows',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Window' },
		// n8n stores no value that equals an inner default, so these never change (n8n behavior).
		default: {
			window: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '20:00' }],
		},
		placeholder: 'Add Window',
		description: 'People are called in any of these windows',
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
						default: ['mon', 'tue', 'wed', 'thu', 'fri'],
						options: DAYS.map((name) => ({ name, value: name.slice(0, 3).toLowerCase() })),
					},
					{
						displayName: 'From',
						name: 'from',
						type: 'string',
						noDataExpression: true,
						default: '09:00',
						placeholder: 'e.g. 09:00',
						description: 'Hours and minutes. The first minute in which people may be called.',
					},
					{
						displayName: 'To',
						name: 'to',
						type: 'string',
						noDataExpression: true,
						default: '20:00',
						placeholder: 'e.g. 20:00',
						description: 'Hours and minutes, up to 24:00. Nobody is called from this minute on.',
					},
				],
			},
		],
		...showWhen({ callingHours: ['custom'] }),
	},
];
