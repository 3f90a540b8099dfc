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
	Workflow,
	type ExecutionError,
	type IBinaryKeyData,
	type ICredentialsHelper,
	type ICredentialType,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypeDescription,
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
import { chain, node } from '../../workflowNode';
import { hostData, newRun, savedWorkflow } from './hostData';

const PACKAGE = 'n8n-nodes-outbound-calls';
const START_TYPE = 'n8n-nodes-base.manualTrigger';

/** What a node of the host says of itself, as far as the engine asks. */
const describedAs = (name: string, more: Partial<INodeTypeDescription>): INodeTypeDescription => ({
	...{ name, displayName: name, description: '', group: ['input'], version: 1, defaults: { name } },
	...{ inputs: ['main'], outputs: ['main'], properties: [] },
	...more,
});

const start: INodeType = {
	description: describedAs('manualTrigger', { group: ['trigger'], inputs: [] }),
};

const LOOP_TYPE = 'n8n-nodes-base.splitInBatches';

/** Gives all rows to its second output, `rounds` times, or one batch of them after the other: what n8n's loop does. */
const loop: INodeType = {
	description: describedAs('splitInBatches', {
		outputs: ['main', 'main'],
		properties: [
			{ displayName: 'Rounds', name: 'rounds', type: 'number', default: 1 },
			{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 0 },
		],
	}),
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

/** The package in a folder, as the host loads it. Two copies of it share no more than two processes do. */
export function packageIn(folder: string) {
	const loader = new PackageDirectoryLoader(folder);
	const nodeTypes: INodeTypes = {
		getByName: (type) => nodeTypes.getByNameAndVersion(type),
		getByNameAndVersion: (type) =>
			type === LOOP_TYPE
				? loop
				: type.startsWith(`${PACKAGE}.`)
					? (loader.getNode(type.slice(PACKAGE.length + 1).replace(/Tool$/, '')).type as INodeType)
					: start,
		getKnownTypes: () => ({}),
	};
	return { loader, loaded: loader.loadAll(), nodeTypes };
}

/** As it is published: what gulp built. */
const published = packageIn(join(__dirname, '../../..'));
const { loader, loaded } = published;

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
	retry?: { tries: number; waitMs: number };
	/** Another node of the same type and credential, between Start and the node. */
	nodeBefore?: INodeParameters;
	/** Runs the node this often with the same rows, in a loop. */
	rounds?: number;
	/** Runs the node in a loop, with so many rows each time. */
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
	/** An execution that ended with a message or was stopped. This run continues it, as the Retry button does. */
	retryOf?: Finished | undefined;
	/** Retry “with currently saved workflow”: with this request's parameters, and not those of the execution. */
	withSavedWorkflow?: boolean;
	/** Called with a function that stops the execution, as the Stop button does, and with the execution's record. */
	onStarted?: (stop: () => void, data: IRunExecutionData) => void;
	/** Stands in each request of this execution, as the header `EXECUTION_HEADER`: so the sandbox's journal says whose it is. */
	mark?: string;
	/** Another process of the same host. */
	process?: ReturnType<typeof packageIn>;
}

export interface Output {
	/** The items of the output, one for each row. */
	items: INodeExecutionData[];
	/** Those whose row was called, or may have been. */
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

/** Runs Start → Outbound Calls in the real engine, with the rows as pinned data of Start. */
export async function run(request: RunRequest): Promise<Finished> {
	const { nodeTypes } = request.process ?? published;
	await loaded;
	await request.process?.loaded;
	const { onError, retry, api, rounds, batchSize = 0, credentialProblem, nodeBefore } = request;
	const type = `${PACKAGE}.outboundCalls${request.asTool ? 'Tool' : ''}`;
	const credentials = { outboundCallsApi: { id: '1', name: 'API' } };
	const calls = node(request.nodeName ?? 'Calls', type, 1, request.parameters, {
		id: request.nodeId ?? 'Calls',
		credentials,
		...(onError ? { onError } : {}),
		...(retry ? { retryOnFail: true, maxTries: retry.tries, waitBetweenTries: retry.waitMs } : {}),
	});
	const workflow = new Workflow({
		...(request.alone ? {} : { id: request.workflowId ?? 'workflow' }),
		name: 'Campaign',
		nodes: [
			node('Start', START_TYPE, 1, {}),
			node('Loop', LOOP_TYPE, 1, { rounds: rounds ?? 1, batchSize }),
			...(nodeBefore ? [node('Before', type, 1, nodeBefore, { credentials })] : []),
			calls,
		],
		connections:
			rounds || batchSize
				? {
						...chain('Start', 'Loop'),
						Loop: { main: [[], [{ node: 'Calls', type: 'main', index: 0 }]] },
						...chain('Calls', 'Loop'),
					}
				: chain('Start', ...(nodeBefore ? ['Before'] : []), calls.name),
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});
	const items = request.items.map((json, row) => ({
		json,
		...(request.files?.[row] && { binary: request.files[row] }),
	}));
	const pinData: IPinData = { Start: items };
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
	}, data);
	const finished = await execution;
	const runs = finished.data.resultData.runData[calls.name] ?? [];
	const ran = runs.at(-1);
	const output = outputOf(ran);
	return {
		...output,
		json: output.items.map(({ json }) => json),
		...(finished.data.resultData.error ? { error: finished.data.resultData.error } : {}),
		outputStands: ran !== undefined && !ran.error,
		hints: ran?.hints ?? [],
		data: finished.data,
		rounds: runs.map((each) => outputOf(each).items.map(({ json }) => json)),
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
	const nodeType = published.nodeTypes.getByNameAndVersion(calls.type);
	const nothing: Finished = {
		...split([]),
		...{ errorItems: [], json: [], hints: [], rounds: [] },
		...{ outputStands: false, data },
	};
	try {
		const output = (await nodeType.execute!.call(context)) as INodeExecutionData[][];
		const [first = []] = output;
		return {
			...nothing,
			...split(first),
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
		.map((each) => outputOf(each));

function outputOf(ran: ITaskData | undefined): Output {
	const [items, errorItems] = (ran?.data?.main ?? []).map((output) => output ?? []);
	return { ...split(items ?? []), errorItems: errorItems ?? [] };
}

/** Rows by their column `called`. */
function split(items: INodeExecutionData[]): Omit<Output, 'errorItems'> {
	const isCalled = ({ json }: INodeExecutionData): boolean =>
		json.called === 'yes' || json.called === 'maybe';
	const notCalled = items.filter((item) => item.json.called !== undefined && !isCalled(item));
	return { items, called: items.filter(isCalled), notCalled };
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

async function credentialType(): Promise<ICredentialType> {
	await loaded;
	return loader.getCredential('outboundCallsApi').type;
}
