import type { INodeProperties } from 'n8n-workflow';

export const batchIdField: INodeProperties = {
	displayName: 'Batch ID',
	name: 'batchId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 8f14e45f-ceea-4672-9d2c-…',
	hint: 'Drag batch_id in from the left',
	description:
		'The batch_id that Bulk Call returned. Several rows may name the same batch: it is read once.',
};
