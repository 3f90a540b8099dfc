import type { INodeProperties } from 'n8n-workflow';
import { batchIdField } from '../../fields/ids';
import { getBatchOptions } from '../../fields/options';
import { readWaitFields } from '../../fields/waiting';
import type { Operation } from '../operation';

const fields: INodeProperties[] = [
	batchIdField,
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'records',
		options: [
			{
				name: 'One Item per Call Record',
				value: 'records',
				description: 'A row for each call of the batch',
			},
			{
				name: 'One Item for the Batch',
				value: 'batch',
				description: 'The batch, its summary and all its call records',
			},
		],
		description: 'What to return for each batch',
	},
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: true,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
	...readWaitFields,
];

export const getBatch: Operation<'getBatch'> = {
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get calls of batch',
	description: 'Get the call records of a batch, with the outcome of each call',
	fields: [...fields, getBatchOptions],
};
