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
			name: 'Test: Call My Own Phone Once',
			value: 'test',
			description:
				'A dry run in which your own phone rings once, with the details of the first row that would be called',
		},
		{
			name: 'Live: Call',
			value: 'live',
			description: 'Each call costs money and rings a real person',
			builderHint: {
				propertyHint: 'Only the person who owns the workflow sets this, after a dry run.',
			},
		},
	],
	description: 'Whether people are called',
};

/** The phone of a test. Without an expression, so that no row and no model can put another number in its place. */
export const testNumberField: INodeProperties = {
	displayName: 'My Own Phone',
	name: 'testNumber',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. +14155550123',
	description:
		'Your own number, with + and the country code. It rings once in each execution that you start by hand. Countries, hours, lists and limits do not apply to it.',
	// Also if the mode is an expression: n8n drops what a field holds that it does not show.
	displayOptions: { hide: { mode: ['dryRun', 'live'] } },
};
