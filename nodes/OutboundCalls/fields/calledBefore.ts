import type { INodeProperties } from 'n8n-workflow';

export const calledBeforeField: INodeProperties = {
	displayName: 'People Called Before',
	name: 'calledBefore',
	type: 'options',
	default: 'skip',
	options: [
		{
			name: 'Skip: Call Each Person Once, Over All Runs',
			value: 'skip',
			description:
				'The workflow remembers in n8n’s database whom it has called, and leaves them out',
		},
		{
			name: 'Call Again in Each Run',
			value: 'callAgain',
			description: 'Nothing is remembered: executing again calls everybody again',
		},
	],
	builderHint: {
		propertyHint: 'Keep skip, unless the same people are meant to be called again in each run.',
	},
	description:
		'What to do with people whom an earlier run of this workflow has called. A person is known by the number, or by the option Remember People By.',
};
