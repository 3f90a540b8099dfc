import type { INodeProperties } from 'n8n-workflow';

/** Who asked not to be called, row by row. */
export const optedOutField: INodeProperties = {
	displayName: 'Opted Out',
	name: 'optedOut',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.opted_out }}',
	hint: 'Drag in the column that says who asked not to be called, if there is one',
	description:
		'Yes, true, x, stop or a date means do not call. No or an empty cell means call. Anything else keeps the person from being called.',
};
