import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from './showWhen';

export const waitFields: INodeProperties[] = [
	{
		displayName: 'Wait Until',
		name: 'waitUntil',
		type: 'options',
		noDataExpression: true,
		default: 'none',
		options: [
			{ name: 'Do Not Wait', value: 'none', description: 'Return the call records as they are now' },
			{ name: 'Each Call Is Dialed', value: 'dialed', description: 'Each call was dialed, could not be dialed, or was cancelled' },
			{ name: 'Each Call Is Finished', value: 'finished', description: 'Each call has its conversation, could not be dialed, or was cancelled' },
		],
		description: 'Whether to wait for the calls, and for what',
	},
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollInterval',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description: 'How often to look whether the calls are there yet',
		...showWhen({ waitUntil: ['dialed', 'finished'] }),
	},
	{
		displayName: 'Wait Timeout (Minutes)',
		name: 'waitTimeout',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 10,
		description: 'How long to wait at most',
		...showWhen({ waitUntil: ['dialed', 'finished'] }),
	},
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		default: 'error',
		options: [
			{ name: 'Stop with a Message', value: 'error', description: 'Treat rows whose call is still open as failed ones' },
			{ name: 'Return What Is There', value: 'output', description: 'Return all rows; the field settled says which calls are still open' },
		],
		description: 'What to do when the time is up and some calls are still open',
		...showWhen({ waitUntil: ['dialed', 'finished'] }),
	},
];
