import './quietHost';
import 'reflect-metadata';
import { join } from 'node:path';
import {
	ExecuteContext,
	ExecutionLifecycleHooks,
	PackageDirectoryLoader,
	WorkflowExecute,
} from 'n8n-core';
import {
	NodeOperationError,
	Workflow,
	type ExecutionError,
	type IBinaryKeyData,
	type IConnection,
	type IConnections,
	type ICredentialsHelper,
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IPinData,
	type IRunExecutionData,
	type ISourceData,
	type ITaskData,
	type IWorkflowExecuteAdditionalData,
	type NodeExecutionHint,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { hostCredentials } from './hostCredentials';
import { hostData, newRun, savedWorkflow } from './hostData';

const PACKAGE = 'n8n-nodes-outbound-calls';
const START_TYPE = 'n8n-nodes-base.manualTrigger';

const start: INodeType = {
	description: {
		displayName: 'Start',
		name: 'manualTrigger',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
};

const TABLE_TYPE = 'n8n-nodes-base.dataTable';
const READ_TYPE = 'n8n-nodes-base.googleSheets';
const SET_TYPE = 'n8n-nodes-base.set';

/** Gives what is in its settings. Where it cannot read, that is an item that says why, or the very input (n8n behaviour). */
const reading: INodeType = {
	description: {
		...start.description,
		displayName: 'Read',
		name: 'googleSheets',
		inputs: ['main'],
		properties: [
			{ displayName: 'Operation', name: 'operation', type: 'string', default: 'get' },
			{ displayName: 'Gives', name: 'gives', type: 'string', default: '[]' },
		],
	},
	async execute() {
		const gives = JSON.parse(this.getNodeParameter('gives', 0) as string) as
			IDataObject[] | 'its input' | 'nothing';
		if (gives === 'nothing')
			throw new NodeOperationError(this.getNode(), 'The service is not available');
		const input = this.getInputData();
		if (gives === 'its input') return await Promise.resolve([input]);
		// As n8n's nodes do where they could not work for some items, each says from which one it comes.
		const says = gives.length === input.length && gives.some(({ error }) => error !== undefined);
		return await Promise.resolve([
			gives.map((json, item) => ({ json, ...(says ? { pairedItem: { item } } : {}) })),
		]);
	},
};

/** Reads a table up to its Limit: as the host's nodes name these fields, and with their defaults. */
const table: INodeType = {
	...reading,
	description: {
		...reading.description,
		displayName: 'Table',
		name: 'dataTable',
		properties: [
			...reading.description.properties,
			{ displayName: 'Return All', name: 'returnAll', type: 'boolean', default: false },
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				default: 50,
				displayOptions: { show: { returnAll: [false] } },
			},
		],
	},
};

/** What it makes its columns of stands in its settings, as in the host's. */
const set: INodeType = {
	...reading,
	description: {
		...reading.description,
		displayName: 'Set',
		name: 'set',
		properties: [
			...reading.description.properties,
			// From version 3.3 on, from 3 on, and before.
			...['assignments', 'fields', 'values', 'options'].map((name) => ({
				displayName: name,
				name,
				type: 'assignmentCollection' as const,
				default: {},
			})),
			...['mode', 'jsonOutput'].map((name) => ({
				displayName: name,
				name,
				type: 'string' as const,
				default: '',
			})),
			{
				displayName: 'Include Other Input Fields',
				name: 'includeOtherFields',
				type: 'boolean',
				default: true,
			},
		],
	},
};

const FILTER_TYPE = 'n8n-nodes-base.filter';

const filter: INodeType = {
	description: {
		...start.description,
		displayName: 'Filter',
		name: 'filter',
		inputs: ['main'],
		properties: [{ displayName: 'Conditions', name: 'conditions', type: 'filter', default: {} }],
	},
	async execute() {
		return await Promise.resolve([
			this.getInputData().flatMap(({ json }, item) =>
				json.phone ? [{ json, pairedItem: { item } }] : [],
			),
		]);
	},
};

const AGGREGATE_TYPE = 'n8n-nodes-base.aggregate';

const aggregate: INodeType = {
	description: {
		...start.description,
		displayName: 'Aggregate',
		name: 'aggregate',
		inputs: ['main'],
		properties: ['fieldsToAggregate', 'options'].map((name) => ({
			displayName: name,
			name,
			type: 'assignmentCollection',
			default: {},
		})),
	},
	async execute() {
		const { fieldToAggregate: fields } = this.getNodeParameter('fieldsToAggregate', 0, {}) as {
			fieldToAggregate?: Array<Record<string, string>>;
		};
		const { fieldToAggregate: name = 'phone', outputFieldName = name } = fields?.[0] ?? {};
		return await Promise.resolve([
			[
				{
					json: {
						[outputFieldName]: this.getInputData().flatMap(
							({ json }) => json[name] ?? [],
						) as string[],
					},
				},
			],
		]);
	},
};

const MERGE_TYPE = 'n8n-nodes-base.merge';

/** Append, as the host's Merge does by default. */
const merge: INodeType = {
	description: {
		...start.description,
		displayName: 'Merge',
		name: 'merge',
		inputs: ['main', 'main'],
		requiredInputs: 1,
		properties: ['mode', 'joinMode'].map((name) => ({
			displayName: name,
			name,
			type: 'string',
			default: 'append',
		})),
	},
	async execute() {
		const of = (input: number): INodeExecutionData[] =>
			this.getInputData(input).map((each, item) => ({ ...each, pairedItem: { item, input } }));
		return await Promise.resolve([[...of(0), ...of(1)]]);
	},
};

const LOOP_TYPE = 'n8n-nodes-base.splitInBatches';

/** Gives all rows to its second output, `rounds` times, or one batch of them after the other: what n8n's loop does. */
const loop: INodeType = {
	description: {
		displayName: 'Loop',
		name: 'splitInBatches',
		group: ['organization'],
		version: 1,
		description: '',
		defaults: { name: 'Loop' },
		inputs: ['main'],
		outputs: ['main', 'main'],
		properties: [
			{ displayName: 'Rounds', name: 'rounds', type: 'number', default: 1 },
			{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 0 },
		],
	},
	async execute() {
		const memory = this.getContext('node') as {
			round?: number;
			items?: INodeExecutionData[];
			source?: ISourceData;
		};
		memory.items ??= this.getInputData();
		memory.source ??= this.getInputSourceData();
		memory.round = (memory.round ?? 0) + 1;
		const size = this.getNodeParameter('batchSize', 0) as number;
		const rounds =
			size > 0
				? Math.ceil(memory.items.length / size)
				: (this.getNodeParameter('rounds', 0) as number);
		const items = memory.items.map(({ json }, item) => ({
			json,
			pairedItem: { item, sourceOverwrite: memory.source },
		}));
		const batch = size > 0 ? items.slice((memory.round - 1) * size, memory.round * size) : items;
		return await Promise.resolve(memory.round > rounds ? [items, []] : [[], batch]);
	},
};

/** The package as it is published: what gulp built, loaded as the host loads it. */
const loader = new PackageDirectoryLoader(join(__dirname, '../../..'));
const loaded = loader.loadAll();

const STEPS: Partial<Record<string, INodeType>> = {
	[TABLE_TYPE]: table,
	[READ_TYPE]: reading,
	[FILTER_TYPE]: filter,
	'n8n-nodes-base.if': filter,
	'n8n-nodes-base.switch': filter,
	[AGGREGATE_TYPE]: aggregate,
	[MERGE_TYPE]: merge,
	'n8n-nodes-base.limit': reading,
	[SET_TYPE]: set,
	'n8n-nodes-base.postgres': reading,
	'n8n-nodes-base.noOp': start,
};

const nodeTypes: INodeTypes = {
	getByName: (type) => nodeTypes.getByNameAndVersion(type),
	getByNameAndVersion: (type) =>
		type === LOOP_TYPE
			? loop
			: STEPS[type]
				? STEPS[type]
				: type.startsWith(`${PACKAGE}.`)
					? (loader.getNode(type.slice(PACKAGE.length + 1).replace(/Tool$/, '')).type as INodeType)
					: start,
	getKnownTypes: () => ({}),
};

export interface RunRequest {
	parameters: INodeParameters;
	items: IDataObject[];
	/** The files of each item. */
	files?: IBinaryKeyData[];
	api: { baseUrl: string; token: string };
	onError?: INode['onError'];
	/** Why the host cannot read the credential. */
	credentialProblem?: string;
	/** What happens each time that the host reads the credential. */
	onCredentialRead?: () => void;
	/** The node as an agent's tool has it: the host makes a second type of it. */
	asTool?: boolean;
	/** Types of the steps that hold the node as their tool, each one a tool of the next. */
	toolOf?: readonly string[];
	retry?: { tries: number; waitMs: number };
	/** The node's setting of that name. */
	executeOnce?: boolean;
	/** The node is deactivated. */
	disabled?: boolean;
	/** Items of a step before the one that reads the rows, which all come from its first item, as Execute Once makes them. Its name is List. */
	listBefore?: IDataObject[];
	/**
	 * That step runs: it reads these items, with these settings, or cannot begin. `behind`: another one reads them, and it is a Filter, an Aggregate, an Edit Fields
	 * that finds no column, a dry run of the node with these parameters, or a step of its own. `errors`: where its error output leads.
	 */
	listReads?: {
		gives: IDataObject[] | 'its input' | 'nothing';
		settings?: Partial<INode>;
		behind?: 'filter' | 'aggregate' | 'edit fields' | INodeParameters | { step: Partial<INode> };
		errors?: 'rows' | 'alert' | 'calls';
	};
	/** Another step reads these items, and a Merge appends them to what the first one reads. */
	merged?: { gives: IDataObject[]; settings?: Partial<INode> };
	/** That step is a table's, with these parameters. */
	listTable?: INodeParameters;
	/** The step that reads the list is deactivated. */
	listDisabled?: boolean;
	/** The step that reads the rows has not Execute Once on: a Limit before it lets one item through, or it reads some for each item. */
	listTaken?: 'byLimit' | 'inTurns';
	/** Settings of the step that gives the rows; `type`, if that is no reading step. */
	rowsSettings?: Partial<INode>;
	/** The item of the list that each row comes from, if that is not the first one. */
	rowsFrom?: readonly number[];
	/** In a loop, a step behind the node, which goes on with these items, or cannot begin. */
	writes?: { gives: IDataObject[] | 'its input' | 'nothing'; settings?: Partial<INode> };
	/** Another node of the same type and credential, between Start and the node. */
	nodeBefore?: INodeParameters;
	/** Runs the node this often with the same rows, in a loop, which reads the list in each round if there is one. */
	rounds?: number;
	/** Runs the node in a loop, with so many rows after the other, or so many items of the list. */
	batchSize?: number;
	/** Without a workflow, as n8n's Agents run a tool. */
	alone?: boolean;
	/** Of another workflow, such as a copy. */
	workflowId?: string;
	/** Of another node with the same settings, such as a copy. */
	nodeId?: string;
	/** The node is called otherwise, such as after it was renamed: not for a loop, a list or a tool. */
	nodeName?: string;
	/** The execution's, if it is not the same as that of others. */
	executionId?: string;
	/** How the execution began, if not by hand or by Retry: a sub-workflow is `integrated`. */
	mode?: WorkflowExecuteMode;
	/** Type of the step that it began with, if that is no Manual Trigger. */
	startType?: string;
	/** An execution that ended with a message or was stopped. This run continues it, as the Retry button does. */
	retryOf?: Finished | undefined;
	/** Retry “with currently saved workflow”: with this request's parameters, and not those of the execution. */
	withSavedWorkflow?: boolean;
	/** Called with a function that stops the execution, as the Stop button does. */
	onStarted?: (stop: () => void) => void;
	/** Stands in each request of this execution, as the header `EXECUTION_HEADER`: so the sandbox's journal says whose it is. */
	mark?: string;
}

/** What came out of one run of the node. */
export interface Output {
	/** The items of the first output: of an operation that calls, those of All Rows. */
	items: INodeExecutionData[];
	called: INodeExecutionData[];
	notCalled: INodeExecutionData[];
	errorItems: INodeExecutionData[];
}

export interface Finished extends Output {
	json: IDataObject[];
	error?: ExecutionError;
	/** Whether the node's last run ended with an output, however the execution ended. */
	outputStands: boolean;
	hints: NodeExecutionHint[];
	data: IRunExecutionData;
	/** The rows of each round, in a loop. */
	rounds: IDataObject[][];
}

const node = (
	name: string,
	type: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters,
	...more,
});

const to = (name: string): IConnection[] => [{ node: name, type: 'main', index: 0 }];

/** From the node to the first of its holders, and from each of them to the next. */
const toolConnections = (holders: number): IConnections =>
	Object.fromEntries(
		Array.from({ length: holders }, (_, n) => [
			n === 0 ? 'Calls' : `Holder ${n - 1}`,
			{ ai_tool: [[{ node: `Holder ${n}`, type: 'ai_tool', index: 0 }]] },
		]),
	);

const isStep = (behind: object): behind is { step: Partial<INode> } => 'step' in behind;

/** The step List, and the one that reads for it. */
function listSteps(
	{ listReads, listTable, listDisabled, merged }: RunRequest,
	type: string,
	credentials: INode['credentials'],
): INode[] {
	if (!listReads)
		return [
			node('List', listTable ? TABLE_TYPE : START_TYPE, listTable ?? {}, {
				disabled: listDisabled === true,
			}),
		];
	const { gives, settings, behind } = listReads;
	if (merged)
		return [
			node('Read', READ_TYPE, { gives: JSON.stringify(gives) }, settings),
			node('Other', READ_TYPE, { gives: JSON.stringify(merged.gives) }, merged.settings),
			node('List', MERGE_TYPE, {}),
		];
	if (!behind) return [node('List', READ_TYPE, { gives: JSON.stringify(gives) }, settings)];
	const types = { filter: FILTER_TYPE, aggregate: AGGREGATE_TYPE, 'edit fields': SET_TYPE };
	const parameters = {
		gives: '[{ "phone": null }]',
		fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'phone' }] },
	};
	const passes =
		typeof behind === 'string'
			? node('List', types[behind], parameters, { alwaysOutputData: true })
			: isStep(behind)
				? node('List', READ_TYPE, {}, behind.step)
				: node('List', type, behind, { credentials, onError: 'continueRegularOutput' });
	return [node('Read', READ_TYPE, { gives: JSON.stringify(gives) }, settings), passes];
}

/** Runs Start → Outbound Calls in the real engine, with the rows as pinned data of Start. */
export async function run(request: RunRequest): Promise<Finished> {
	await loaded;
	const {
		onError,
		retry,
		api,
		rounds,
		batchSize = 0,
		credentialProblem,
		nodeBefore,
		listBefore,
		listReads,
	} = request;
	const type = `${PACKAGE}.outboundCalls${request.asTool ? 'Tool' : ''}`;
	const credentials = { outboundCallsApi: { id: '1', name: 'API' } };
	const calls = node(request.nodeName ?? 'Calls', type, request.parameters, {
		id: request.nodeId ?? 'Calls',
		credentials,
		...(onError ? { onError } : {}),
		...(request.executeOnce ? { executeOnce: true } : {}),
		...(request.disabled ? { disabled: true } : {}),
		...(retry ? { retryOnFail: true, maxTries: retry.tries, waitBetweenTries: retry.waitMs } : {}),
	});
	const workflow = new Workflow({
		...(request.alone ? {} : { id: request.workflowId ?? 'workflow' }),
		name: 'Campaign',
		nodes: [
			node('Start', request.startType ?? START_TYPE, {}, listBefore ? {} : request.rowsSettings),
			node('Loop', LOOP_TYPE, { rounds: rounds ?? 1, batchSize }),
			...(request.writes
				? [
						node(
							'Write',
							READ_TYPE,
							{ gives: JSON.stringify(request.writes.gives) },
							request.writes.settings,
						),
					]
				: []),
			...(nodeBefore ? [node('Before', type, nodeBefore, { id: 'Before', credentials })] : []),
			...(listBefore
				? [
						...listSteps(request, type, credentials),
						node('Alert', START_TYPE, {}),
						node('Limit', 'n8n-nodes-base.limit', {}),
						node(
							'Rows',
							START_TYPE,
							{},
							{ executeOnce: request.listTaken === undefined, ...request.rowsSettings },
						),
					]
				: []),
			...(request.toolOf ?? []).map((type, n) => node(`Holder ${n}`, type, {})),
			calls,
		],
		connections: request.toolOf
			? { Start: { main: [to('Calls')] }, ...toolConnections(request.toolOf.length) }
			: listBefore && (rounds || batchSize)
				? {
						Start: { main: [to(rounds ? 'Loop' : 'List')] },
						List: { main: [to(rounds ? 'Rows' : 'Loop')] },
						Loop: { main: [[], to(rounds ? 'List' : 'Rows')] },
						Rows: { main: [to('Calls')] },
						Calls: { main: [to('Loop')] },
					}
				: rounds || batchSize
					? {
							Start: { main: [to('Loop')] },
							Loop: { main: [[], to('Calls')] },
							Calls: { main: [to(request.writes ? 'Write' : 'Loop')] },
							Write: { main: [to('Loop')] },
						}
					: nodeBefore
						? { Start: { main: [to('Before')] }, Before: { main: [to('Calls')] } }
						: listBefore
							? {
									Start: {
										main: [
											request.merged
												? [...to('Read'), ...to('Other')]
												: to(listReads?.behind ? 'Read' : 'List'),
										],
									},
									Read: { main: [to('List')] },
									Other: { main: [[{ node: 'List', type: 'main', index: 1 }]] },
									List: {
										main: [
											to(request.listTaken === 'byLimit' ? 'Limit' : 'Rows'),
											...(listReads?.errors
												? [
														to(
															{ rows: 'Rows', alert: 'Alert', calls: calls.name }[listReads.errors],
														),
													]
												: []),
										],
									},
									Limit: { main: [to('Rows')] },
									Rows: { main: [to('Calls')] },
								}
							: { Start: { main: [to(calls.name)] } },
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});
	const items = request.items.map((json, row) => ({
		json,
		...(request.files?.[row] && { binary: request.files[row] }),
	}));
	const pinData: IPinData = listBefore
		? {
				Start: listReads ? listBefore.map((json) => ({ json })) : [{ json: {} }],
				...(listReads ? {} : { List: listBefore.map((json) => ({ json })) }),
				Alert: [{ json: {} }],
				Limit: [{ json: listBefore[0] ?? {}, pairedItem: 0 }],
				Rows: items.map((item, row) => ({ ...item, pairedItem: request.rowsFrom?.[row] ?? 0 })),
			}
		: { Start: items };
	const data = request.retryOf
		? resumed(request.retryOf.data)
		: newRun(workflow.getNode('Start')!, pinData);

	if (request.withSavedWorkflow)
		for (const entry of data.executionData?.nodeExecutionStack ?? [])
			entry.node = workflow.getNode(entry.node.name) ?? calls;

	const credentialsHelper = hostCredentials(await credentialType(), {
		baseUrl: api.baseUrl,
		apiToken: api.token,
		callbackSecret: '',
	});
	if (credentialProblem !== undefined)
		credentialsHelper.getDecrypted = async () => await Promise.reject(new Error(credentialProblem));
	const getDecrypted = credentialsHelper.getDecrypted.bind(credentialsHelper);
	credentialsHelper.getDecrypted = async (...asked) => {
		request.onCredentialRead?.();
		return await getDecrypted(...asked);
	};
	if (request.mark !== undefined) mark(credentialsHelper, request.mark);
	const additionalData = {
		...hostData,
		// n8n's Agents have none.
		executionId: request.alone ? undefined : (request.executionId ?? hostData.executionId),
		credentialsHelper,
		hooks: new ExecutionLifecycleHooks('manual', hostData.executionId, {
			...savedWorkflow,
			// Somebody has just saved what is to be retried.
			...(request.withSavedWorkflow ? { updatedAt: new Date() } : {}),
		}),
	} as unknown as IWorkflowExecuteAdditionalData;

	if (request.alone) return await runAlone(workflow, calls, request.items, additionalData);
	const execution = new WorkflowExecute(
		additionalData,
		request.retryOf ? 'retry' : (request.mode ?? 'manual'),
		data,
	).processRunExecutionData(workflow);
	request.onStarted?.(() => {
		execution.cancel();
	});
	const finished = await execution;
	const runs = finished.data.resultData.runData[calls.name] ?? [];
	const ran = runs.at(-1);
	const callsPeople = ['bulkCall', 'placeCall'].some(
		(operation) => operation === request.parameters.operation,
	);
	const output = outputOf(ran, callsPeople);
	return {
		...output,
		json: output.items.map(({ json }) => json),
		...(finished.data.resultData.error ? { error: finished.data.resultData.error } : {}),
		outputStands: ran !== undefined && !ran.error,
		hints: ran?.hints ?? [],
		data: finished.data,
		rounds: runs.map((each) => outputOf(each, true).items.map(({ json }) => json)),
	};
}

/** What n8n 2.41 does for a tool of its Agents: it executes the node by itself, without the record of an execution. */
async function runAlone(
	workflow: Workflow,
	calls: INode,
	rows: IDataObject[],
	additionalData: IWorkflowExecuteAdditionalData,
): Promise<Finished> {
	const items = rows.map((json) => ({ json }));
	const data = { version: 1, resultData: { runData: {} } } as IRunExecutionData;
	const executeData = { node: calls, data: { main: [items] }, source: null };
	const context = new ExecuteContext(
		workflow,
		calls,
		additionalData,
		'internal',
		data,
		0,
		items,
		executeData.data,
		executeData,
		[],
	);
	const nodeType = nodeTypes.getByNameAndVersion(calls.type);
	const nothing: Finished = {
		items: [],
		called: [],
		notCalled: [],
		errorItems: [],
		json: [],
		outputStands: false,
		hints: [],
		data,
		rounds: [],
	};
	try {
		const output = (await nodeType.execute!.call(context)) as INodeExecutionData[][];
		const [first = [], called = [], notCalled = []] = output;
		return {
			...nothing,
			items: first,
			called,
			notCalled,
			json: first.map(({ json }) => json),
			outputStands: true,
			hints: context.hints,
		};
	} catch (thrown) {
		return { ...nothing, error: thrown as ExecutionError };
	}
}

/** What came out of each run of a node that calls, in this execution and those that it continues. */
export const outputsOf = ({ data }: Finished): Output[] =>
	(data.resultData.runData.Calls ?? [])
		.filter((each) => !each.error && each.data)
		.map((each) => outputOf(each, true));

function outputOf(ran: ITaskData | undefined, callsPeople: boolean): Output {
	const outputs = (ran?.data?.main ?? []).map((output) => output ?? []);
	const [items = [], called = [], notCalled = []] = callsPeople ? outputs : outputs.slice(0, 1);
	return { items, called, notCalled, errorItems: outputs[callsPeople ? 3 : 1] ?? [] };
}

/** The header that a marked execution's requests carry. */
export const EXECUTION_HEADER = 'x-execution';

function mark(credentials: ICredentialsHelper, name: string): void {
	const authenticate = credentials.authenticate.bind(credentials);
	credentials.authenticate = async (...request) => {
		const options = await authenticate(...request);
		return { ...options, headers: { ...options.headers, [EXECUTION_HEADER]: name } };
	};
}

/** What the host does for its Retry button: the stored execution without the node's last, failed run. */
function resumed(data: IRunExecutionData): IRunExecutionData {
	const stored = JSON.parse(JSON.stringify(data)) as IRunExecutionData;
	delete stored.resultData.error;
	const last = stored.resultData.lastNodeExecuted;
	if (last && stored.resultData.runData[last]?.at(-1)?.error) stored.resultData.runData[last].pop();
	return stored;
}

export const apiOf = ({ baseUrl, token }: Sandbox): RunRequest['api'] => ({ baseUrl, token });

/** The credential type of the package, as the host loads it. */
export async function credentialType(): Promise<ICredentialType> {
	await loaded;
	return loader.getCredential('outboundCallsApi').type;
}
