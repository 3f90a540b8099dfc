import type { INodeProperties } from 'n8n-workflow';
import { problem, ok, quoted, type Checked } from '../domain/problem';
import { isCallRecordId } from '../domain/limits';

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

/** The ID of a record as the API sent it, as text; empty when it has none. */
export const idOf = ({ id }: { id?: unknown }): string => (typeof id === 'number' || typeof id === 'string' ? String(id) : '');

export function checkCallRecordId(value: unknown): Checked<string> {
	const id = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
	return isCallRecordId(id)
		? ok(id)
		: problem(
				id === '' ? 'the call record ID is empty' : `the call record ID ${quoted(id)} is not a whole number`,
				'Drag in the column consent_id from Bulk Call, or id from Get Batch. Rows that were not placed have none: filter them out before.',
			);
}
