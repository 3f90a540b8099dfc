import type { INodeProperties, NodeConnectionType } from 'n8n-workflow';
import { type Choice, CHOICES, NUMBER_FIELDS, type NumberField } from '../domain/panelDefaults';

type DisplayOptions = NonNullable<INodeProperties['displayOptions']>;

/** Shows a field while other fields have one of these values. */
export const showWhen = (show: DisplayOptions['show']) => ({
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

/** The same without expressions: one value for the run, which no row and no model can change. */
export const fixedChoiceField: typeof choiceField = (name, description) => ({
	...choiceField(name, description),
	noDataExpression: true,
});

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

const whileWaiting = showWhen({ waitUntil: ['dialed', 'finished'] });

/** Wait fields of an operation that places the calls itself. */
export const waitFields: INodeProperties[] = [
	fixedChoiceField('waitUntil', 'What to wait for before the rows are returned'),
	{ ...numberField('waitTimeout', 'How long to wait at most'), ...whileWaiting },
];

/** Wait fields of an operation that reads calls. */
export const readWaitFields: INodeProperties[] = [
	...waitFields,
	{
		...choiceField('onTimeout', 'What to do if some calls are still open when the time is up'),
		...whileWaiting,
	},
];

/** n8n 1.82 does not export NodeConnectionTypes yet. */
export const MAIN: NodeConnectionType = 'main';

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	description: 'Whether to include the fields of the input item in each row',
};

export const maxRetryWait = numberField(
	'maxRetryWait',
	'How long to wait in total when the API asks to try again later. If it asks for a longer wait, the node says when to run again.',
);

const pageParameter: INodeProperties = {
	displayName: 'Page Parameter',
	name: 'pageParameter',
	type: 'string',
	default: 'page',
	description:
		'Name of the query parameter for the page number. The API does not document it. Change it only if the node asks you to.',
};

export const parallelRequests = numberField(
	'parallelRequests',
	'How many requests to send at the same time, from 1 to 10',
);

export const pollInterval = numberField(
	'pollInterval',
	'How often to check the calls while waiting. The longer it waits, the less often it checks, down to about once a minute.',
);

export const timeout = numberField('timeout', 'How long to wait for the answer to one request');

/** One collection of technical options. */
export const optionsOf = (...options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options,
});

/** Of an operation that reads calls, with `own` ones. */
const readOptions = (...own: INodeProperties[]): INodeProperties =>
	optionsOf(...own, maxRetryWait, pageParameter, parallelRequests, pollInterval, timeout);

export const getCallOptions = readOptions(includeInputFields);
export const getBatchOptions = readOptions();
export const cancelBatchOptions = optionsOf(maxRetryWait, pageParameter, parallelRequests, timeout);
export const cancelCallOptions = optionsOf(
	choiceField(
		'ifAlreadyPlaced',
		'What to do if the call was already placed and can no longer be cancelled',
	),
	includeInputFields,
	maxRetryWait,
	parallelRequests,
	timeout,
);
