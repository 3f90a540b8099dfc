import type { INodeProperties, NodeHint } from 'n8n-workflow';
import { cancelBatch } from './batch/cancelBatch';
import { getBatch } from './batch/getBatch';
import { bulkCall } from './call/bulkCall';
import { cancelCall } from './call/cancelCall';
import { getCall } from './call/getCall';
import { placeCall } from './call/placeCall';
import type { Executes } from './executes';
import { forget } from './memory/forget';
import type { Operation } from './operation';

interface Resource {
	/** Stored in saved workflows: never changes. */
	value: string;
	name: string;
	operations: Operation[];
}

/** It shows no operation that nothing executes. */
interface Executed<Value extends keyof Executes> extends Resource {
	value: Value;
	operations: Array<Operation<string & keyof Executes[Value]>>;
}

/** Everything that the node can do, in the order in which it is needed; the panel is made from it. */
const call: Executed<'call'> = {
	value: 'call',
	name: 'Call',
	operations: [bulkCall, placeCall, getCall, cancelCall],
};
const batch: Executed<'batch'> = {
	value: 'batch',
	name: 'Batch',
	operations: [getBatch, cancelBatch],
};
const memory: Executed<'memory'> = { value: 'memory', name: 'Memory', operations: [forget] };
const resources: Resource[] = [call, batch, memory];

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

const memoryOperations: INodeProperties = {
	...callOperations,
	default: 'forget',
	displayOptions: { show: { resource: [memory.value] } },
	options: optionsOf(memory),
};

const operations = resources.flatMap((resource) => resource.operations);
const calling = JSON.stringify(
	operations.filter(({ callsPeople }) => callsPeople).map(({ value }) => value),
);
const names = JSON.stringify(
	Object.fromEntries(operations.map(({ value, name }) => [value, name])),
);

const callsPeople = `${calling}.includes($parameter["operation"])`;
const mode = '(String($parameter["mode"]).trim().toLowerCase())';
const option = (name: string): string => `($parameter["options"] ?? {})["${name}"]`;

/** Under the node's name: the operation, and its mode. An expression of the host. */
export const subtitle = `={{ (${names})[$parameter["operation"]] + (${callsPeople} ? ": " + (({ dryrun: "Dry Run", test: "Test", live: "Live" })[${mode}] ?? "Mode by Row") : "") }}`;

const beforeExecution = (message: string, condition: string): NodeHint => ({
	message,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
	displayCondition: `={{ ${callsPeople} && ${mode} === "live" && ${condition} }}`,
});

/** What a live node may do that nobody meant, said in its panel before anything runs. Conditions are expressions of the host, which know this node's parameters alone. */
export const hints: NodeHint[] = [
	beforeExecution(
		'Mode is Live, and Countries That May Be Called is empty: nobody is called before the countries are chosen.',
		'[].concat($parameter["countries"] ?? []).length === 0',
	),
	beforeExecution(
		'Mode is Live, without Calling Hours: people may be called at any time of their day or night, as soon as this workflow runs. The option Calling Hours keeps calls inside the hours that you choose.',
		`!${option('callingHours')}`,
	),
	beforeExecution(
		'Mode is Live, and People Called Before is Call Again: each time this node runs, it calls everybody in its input again. That includes Execute Step, schedules and loops. Skip does not know of these calls later.',
		`$parameter["calledBefore"] === "callAgain" && !${option('callsPerPerson')}`,
	),
];

/** Operations that call people have three outputs; an expression of the host. */
export const outputs =
	`={{ ${callsPeople} ? [{ type: "main", displayName: "All Rows" }, { type: "main", displayName: "Called" }, { type: "main", displayName: "Not Called" }] : [{ type: "main" }] }}` as const;

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
	memoryOperations,
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => fieldsOf(resource, operation)),
	),
];
