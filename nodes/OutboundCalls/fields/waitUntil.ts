import type { INodeProperties } from 'n8n-workflow';
import { choiceField, numberField, showWhen } from './common';

/** Wait fields of an operation that places the calls itself. */
export const waitFields: INodeProperties[] = [
	{
		...choiceField('waitUntil', 'What to wait for before the rows are returned'),
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
		...choiceField('onTimeout', 'What to do if some calls are still open when the time is up'),
		...showWhen({ waitUntil: ['dialed', 'finished'] }),
	},
];
