import type { GenericValue, INodeParameters } from 'n8n-workflow';
import { AGENT } from './account';

export * from './account';
export * from './onError';
export * from './turns';

/** A live run that calls in every country, at any hour, and remembers nobody, its rows without the input's fields: what most tests are about. `more` has the last word. */
export const bulk = ({ options, ...more }: INodeParameters = {}): INodeParameters => ({
	resource: 'call',
	operation: 'bulkCall',
	mode: 'live',
	agentNumber: AGENT,
	destination: '={{ $json.phone }}',
	countries: ['any'],
	callingHours: 'any',
	calledBefore: 'callAgain',
	options: {
		includeInputFields: false,
		simplify: false,
		...(options as INodeParameters | undefined),
	},
	...more,
});

export const place = (more: INodeParameters = {}): INodeParameters => ({
	...bulk(more),
	operation: 'placeCall',
});

/** What calls people, by name. */
export const OPERATIONS = [
	['Bulk Call', bulk],
	['Place Call', place],
] as const;

export const getBatch = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'batch',
	operation: 'getBatch',
	batchId: '={{ $json.batch_id }}',
	...more,
});

export const cancel = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'call',
	operation: 'cancelCall',
	callRecordId: '={{ $json.consent_id }}',
	...more,
});

export const getCall = (more: INodeParameters = {}): INodeParameters => ({
	...cancel(),
	...getBatch(),
	resource: 'call',
	operation: 'getCall',
	...more,
});

/** The ID of a batch that nobody has placed. */
export const NO_BATCH = '00000000-0000-4000-8000-000000000000';

export const phone = (n: number): string => `+1555010${1_000 + n}`;

export const phones = (count: number, first = 0): string[] =>
	Array.from({ length: count }, (_, n) => phone(first + n));

/** Rows of a sheet: phone, name and amount. */
export const contacts = (count: number): Array<{ phone: string; name: string; amount: number }> =>
	Array.from({ length: count }, (_, n) => ({
		phone: phone(n),
		name: `Person ${n}`,
		amount: n + 0.5,
	}));

/** An assignment collection, as dragging columns in makes it. */
export const assignments = (values: Record<string, GenericValue>): INodeParameters =>
	({
		assignments: Object.entries(values).map(([name, value]) => ({
			id: name,
			name,
			value,
			type: 'string',
		})),
	}) as unknown as INodeParameters;
