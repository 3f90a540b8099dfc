import type { INodeProperties } from 'n8n-workflow';
import { cancelBatch } from './batch/cancelBatch';
import { getBatch } from './batch/getBatch';
import { bulkCall } from './call/bulkCall';
import { cancelCall } from './call/cancelCall';
import { getCall } from './call/getCall';
import { placeCall } from './call/placeCall';
import type { Operation } from './operation';

interface Resource {
	/** Stored in saved workflows: never changes. */
	value: string;
	name: string;
	operations: Operation[];
}

/** Everything that the node can do, in the order in which it is needed; the panel and the hand-over are made from it. */
const call: Resource = { value: 'call', name: 'Call', operations: [bulkCall, placeCall, getCall, cancelCall] };
const batch: Resource = { value: 'batch', name: 'Batch', operations: [getBatch, cancelBatch] };
const resources = [call, batch];

const byValue = new Map(
	resources.flatMap(({ value, operations }) => operations.map((operation) => [`${value} ${operation.value}`, operation] as const)),
);

/** Undefined for names that this version of the node does not have. */
export const operationFor = (resource: string, operation: string): Operation | undefined => byValue.get(`${resource} ${operation}`);

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: 'call',
	options: resources.map(({ name, value }) => ({ name, value })),
};

const optionsOf = ({ operations }: Resource): INodeProperties['options'] =>
	operations.map(({ name, value, action, description }) => ({ name, value, action, description }));

const callOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: 'placeCall',
	displayOptions: { show: { resource: [call.value] } },
	options: optionsOf(call),
};

const batchOperations: INodeProperties = {
	...callOperations,
	default: 'getBatch',
	displayOptions: { show: { resource: [batch.value] } },
	options: optionsOf(batch),
};

const operations = resources.flatMap((resource) => resource.operations);
const calling = JSON.stringify(operations.filter(({ callsPeople }) => callsPeople).map(({ value }) => value));
const names = JSON.stringify(Object.fromEntries(operations.map(({ value, name }) => [value, name])));

/** Under the node's name: the operation, and that nobody will be called. An expression of the host. */
export const subtitle = `={{ (${names})[$parameter["operation"]] + (!${calling}.includes($parameter["operation"]) || $parameter["mode"] === "live" ? "" : $parameter["mode"] === "dryRun" ? ": Dry Run" : ": Mode by Row") }}`;

/** Operations that call people have two outputs; an expression of the host. */
export const outputs =
	`={{ ${calling}.includes($parameter["operation"]) ? [{ type: "main", displayName: "Called" }, { type: "main", displayName: "Not Called" }] : [{ type: "main" }] }}` as const;

/** An operation's fields, shown for it alone, in addition to the conditions that they have themselves. */
const fieldsOf = (resource: Resource, { value, fields }: Operation): INodeProperties[] =>
	fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { resource: [resource.value], operation: [value], ...field.displayOptions?.show },
		},
	}));

export const properties: INodeProperties[] = [
	resourceField,
	callOperations,
	batchOperations,
	...resources.flatMap((resource) => resource.operations.flatMap((operation) => fieldsOf(resource, operation))),
];
