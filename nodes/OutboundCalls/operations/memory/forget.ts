import type { INodeProperties } from 'n8n-workflow';
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
				description:
					'Empties the call history of this workflow. Live then needs a dry run or a test again.',
			},
		],
		description: 'Whom this workflow no longer remembers',
	},
	{
		displayName: 'People to Forget',
		name: 'people',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. +14155550123, +14155550124',
		description:
			'Phone numbers with + and country code, separated by commas or line breaks, or a list of them. For calls made with Once for Each, add its values, such as the appointment.',
		...showWhen({ forgetWhat: ['people'] }),
	},
];

export const forget: Operation<'forget'> = {
	value: 'forget',
	name: 'Forget People',
	action: 'Forget people who were called',
	description: 'Let this workflow call people again whom it has called before',
	fields,
};
