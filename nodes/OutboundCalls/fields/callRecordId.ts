import type { INodeProperties } from 'n8n-workflow';

export const callRecordIdField: INodeProperties = {
	displayName: 'Call Record ID',
	name: 'callRecordId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 10042',
	hint: 'Drag consent_id in from the left',
	description: 'The consent_id that Bulk Call returned, or the ID of a record from Get Batch',
};
