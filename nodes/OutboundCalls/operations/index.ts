import type { INodeProperties } from 'n8n-workflow';
import { showWhen } from '../fields/common';
import { cancelBatch } from './batch/cancelBatch';
import { getBatch } from './batch/getBatch';
import { bulkCall } from './call/bulkCall';
import { cancelCall } from './call/cancelCall';
import { getCall } from './call/getCall';
import { placeCall } from './call/placeCall';
import { forget } from './memory/forget';

/**
 * Everything that the node can do, in the order in which it is needed; the panel is made from it.
 * Each operation has a handler (`execute.ts`). Values are stored in saved workflows: they never
 * change.
 */
const resources = [
	{ value: 'call', name: 'Call', operations: [bulkCall, placeCall, getCall, cancelCall] },
	{ value: 'batch', name: 'Batch', operations: [getBatch, cancelBatch] },
	{ value: 'memory', name: 'Memory', operations: [forget] },
] as const;

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: 'call',
	options: resources.map(({ name, value }) => ({ name, value })),
};

/** One field for each resource; its first operation is the default. */
const operationFields = resources.map(
	({ value: resource, operations: all, operations: [{ value: initial }] }): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: initial,
		...showWhen({ resource: [resource] }),
		options: all.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
	}),
);

const operations = resources.flatMap((resource) => resource.operations);
const names = JSON.stringify(
	Object.fromEntries(operations.map(({ value, name }) => [value, name])),
);
const modes = JSON.stringify({ dryRun: 'Dry Run', test: 'Test', live: 'Live' });

/** Under the node's name: the operation, and its mode if it has one. An expression of n8n. */
export const subtitle = `={{ (${names})[$parameter["operation"]] + ($parameter["mode"] ? ": " + ((${modes})[$parameter["mode"]] ?? "Mode by Expression") : "") }}`;

export const properties: INodeProperties[] = [
	resourceField,
	...operationFields,
	// The fields of an operation are shown for it alone, under their own conditions.
	...resources.flatMap((resource) =>
		resource.operations.flatMap(({ value, fields }) =>
			fields.map((field) => ({
				...field,
				displayOptions: {
					...field.displayOptions,
					show: { resource: [resource.value], operation: [value], ...field.displayOptions?.show },
				},
			})),
		),
	),
];
