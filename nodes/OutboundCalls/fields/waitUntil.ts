import type { INodeProperties } from 'n8n-workflow';
import { numberField, showWhen } from './common';

/** Wait fields of an operation that places the calls itself. */
export const waitFields: INodeProperties[] = [
	{
		displayName: 'Wait Until',
		name: 'waitUntil',
		type: 'options',
		noDataExpression: true,
		default: 'none',
		options: [
			{
				name: 'Each Call Is Started',
				value: 'none',
				description: 'Do not wait: return the rows at once',
			},
			{
				name: 'Each Call Is Dialed',
				value: 'dialed',
				description: 'Each call was dialed, could not be dialed, or was cancelled',
			},
			{
				name: 'Each Call Is Finished',
				value: 'finished',
				description: 'Each call has its conversation, could not be dialed, or was cancelled',
			},
		],
		description: 'What to wait for before the rows are returned',
	},
	{
		...numberField('waitTimeout', 'How long to wait at most'),
		...showWhen({ waitUntil: ['dialed', 'finished'] }),
	},
];

/** Wait fields of an operation that reads calls. */
export const readWaitFields: INodeProperties[] = [
	...waitFields,
	{
		displayName: 'On Timeout',
		name: 'onTimeout',
		type: 'options',
		default: 'output',
		options: [
			{
				name: 'Return What Is Available',
				value: 'output',
				description: 'Return all rows; the field settled says which calls are still open',
			},
			{
				name: 'Stop with a Message',
				value: 'error',
				description: 'End the execution with a message that says how many calls are still open',
			},
		],
		description: 'What to do if some calls are still open when the time is up',
		...showWhen({ waitUntil: ['dialed', 'finished'] }),
	},
];
