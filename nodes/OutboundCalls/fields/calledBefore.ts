import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from './showWhen';

/** What to do with people whom an earlier run of this workflow has called. */
export const calledBeforeFields: INodeProperties[] = [
	{
		displayName: 'People Called Before',
		name: 'calledBefore',
		type: 'options',
		noDataExpression: true,
		default: 'skip',
		options: [
			{
				name: 'Skip: Call Each Person Once, over All Runs',
				value: 'skip',
				description: 'This workflow remembers whom it has called and leaves them out',
			},
			{
				name: 'Once for Each …',
				value: 'onceForEach',
				description: 'Once for each appointment, invoice, month or purpose',
			},
			{
				name: 'Call Again in Each Run',
				value: 'callAgain',
				description: 'Executing again calls everybody again',
			},
		],
		builderHint: {
			propertyHint: 'Keep skip, unless the same people are meant to be called again.',
		},
		description: 'What to do with people whom this workflow has called before',
	},
	{
		displayName: 'Once for Each',
		name: 'onceForEach',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.appointment }}',
		hint: 'Drag the column in, or type a word such as reminder',
		description:
			'The appointment, invoice or purpose that each person is called for once. The phone number is part of it automatically.',
		...showWhen({ calledBefore: ['onceForEach'] }),
	},
];
