import type { INodeProperties, NodeConnectionType } from 'n8n-workflow';
import { type Choice, CHOICES } from '../domain/choices';
import { NUMBER_FIELDS, type NumberField } from '../domain/fieldDefaults';

type DisplayOptions = NonNullable<INodeProperties['displayOptions']>;

/** Shows a field while other fields have one of these values. */
export const showWhen = (show: DisplayOptions['show']): { displayOptions: DisplayOptions } => ({
	displayOptions: { show },
});

/** A number as the panel asks for it. */
export function numberField(
	name: keyof typeof NUMBER_FIELDS,
	description: string,
): INodeProperties {
	const { label, unit, initial, least, most }: NumberField = NUMBER_FIELDS[name];
	return {
		displayName: unit ? `${label} (${unit})` : label,
		name,
		type: 'number',
		typeOptions: { minValue: least, ...(most !== undefined && { maxValue: most }) },
		default: initial,
		description,
	};
}

/** A field with a fixed choice as the panel shows it. */
export function choiceField(name: keyof typeof CHOICES, description: string): INodeProperties {
	const { label, options }: Choice = CHOICES[name];
	const [{ value: initial }] = options;
	return {
		displayName: label,
		name,
		type: 'options',
		default: initial,
		options: [...options],
		description,
	};
}

/**
 * n8n empties a collection that is a text or a list before the node sees it: all rules would be
 * gone. Only its length stays, as if it were an option (n8n behavior). The editor does not show it.
 */
export const collectionLength: INodeProperties = {
	displayName: 'Length',
	name: 'length',
	type: 'hidden',
	default: '',
};

/** The batch that an operation reads or cancels. */
export const batchIdField: INodeProperties = {
	displayName: 'Batch ID',
	name: 'batchId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 8f14e45f-ceea-4672-9d2c-…',
	hint: 'Drag batch_id here from the left',
	description:
		'The batch_id that Bulk Call returned. Several rows may have the same batch, which is read once.',
};

/** The call record that an operation reads or cancels. */
export const callRecordIdField: INodeProperties = {
	displayName: 'Call Record ID',
	name: 'callRecordId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 10042',
	hint: 'Drag consent_id here from the left',
	description: 'The consent_id that Bulk Call returned, or the ID of a record from Get Batch',
};

/** Wait fields of an operation that places the calls itself. */
export const waitFields: INodeProperties[] = [
	{
		...choiceField('waitUntil', 'What to wait for before the rows are returned'),
		noDataExpression: true,
	},
	{
		...numberField('waitTimeout', 'How long to wait at most'),
		...showWhen({ waitUntil: ['dialed', 'finished'] }),
	},
];

/** Wait fields of an operation that reads calls. */
export const readWaitFields: INodeProperties[] = [
	...waitFields,
	{
		...choiceField('onTimeout', 'What to do if some calls are still open when the time is up'),
		...showWhen({ waitUntil: ['dialed', 'finished'] }),
	},
];

/** n8n 1.82 does not export NodeConnectionTypes yet. */
export const MAIN: NodeConnectionType = 'main';
