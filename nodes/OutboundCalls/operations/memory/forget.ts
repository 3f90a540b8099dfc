import type { INodeProperties } from 'n8n-workflow';
import { forgetOptions } from '../../fields/options';
import { showWhen } from '../../fields/showWhen';
import type { Operation } from '../operation';

const fields: INodeProperties[] = [
	{
		displayName: 'Whom to Forget',
		name: 'forgetWhat',
		type: 'options',
		default: 'people',
		options: [
			{
				name: 'These People',
				value: 'people',
				description: 'They may be called again as if they had never been called',
			},
			{
				name: 'Everybody',
				value: 'everybody',
				description: 'Empties the memory. Live then needs a dry run or a test again.',
			},
		],
		description: 'Whose calls are taken out of the memory of this workflow',
	},
	{
		displayName: 'People to Forget',
		name: 'people',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. +14155550123, +14155550124',
		description:
			'Phone numbers with + and country code, separated by commas or line breaks, or an expression that gives a list of them. If the calling node has the option Remember People By, give the values that it made as well.',
		...showWhen({ forgetWhat: ['people'] }),
	},
];

export const forget: Operation<'forget'> = {
	value: 'forget',
	name: 'Forget People',
	action: 'Forget people who were called',
	description: 'Take people out of the memory of this workflow, so that they may be called again',
	fields: [...fields, forgetOptions],
};
