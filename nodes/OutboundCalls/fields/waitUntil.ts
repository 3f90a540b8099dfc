import type { INodeProperties } from 'n8n-workflow';
import { choiceField, numberField, showWhen } from './common';

/** Wait fields of an operation that places the calls itself. */
export const waitFields: INodeProperties[] = [
	{
		...choiceField('waitUntil', 'Whether to wait for the calls, and for what'),
		noDataExpression: true,
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
		...choiceField('onTimeout', 'What to do when the time is up and some calls are still open'),
		...showWhen({ waitUntil: ['dialed', 'finished'] }),
	},
];
