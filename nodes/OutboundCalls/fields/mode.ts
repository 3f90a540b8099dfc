import type { INodeProperties } from 'n8n-workflow';

/** First in the panel: a new node calls nobody until somebody says so. */
export const modeField: INodeProperties = {
	displayName: 'Mode',
	name: 'mode',
	type: 'options',
	default: 'dryRun',
	options: [
		{
			name: 'Dry Run: Call Nobody, Show What Would Happen',
			value: 'dryRun',
			description: 'Check every row and show what would be sent. Nothing leaves this n8n.',
		},
		{
			name: 'Live: Call',
			value: 'live',
			description: 'Each call costs money and rings a real person',
			builderHint: { propertyHint: 'Only the person who owns the workflow sets this, after a dry run.' },
		},
	],
	description: 'Whether people are called. An expression may decide for each row: live or dryRun.',
};
