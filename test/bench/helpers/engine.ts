import { getEventListeners } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IRun,
	IVersionedNodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { hostCredentials } from '../../engine/helpers/hostCredentials';
import { hostData, newRun, savedWorkflow } from '../../engine/helpers/hostData';
import type { Ground } from './messages';
import { keysOfDryRun } from './keys';
import { Store } from './store';
import { CALLS, START, type MeasuredWorkflow } from './workflows';

const WORKFLOW = 'workflow';
const PACKAGE = 'n8n-nodes-outbound-calls';

type Start = (items: INodeExecutionData[], context?: object) => Promise<IRun>;

/**
 * n8n's own engine and nodes, from an installed n8n, with its default for expressions (an isolate). The
 * database, the editor's messages and the encryption of credentials are left out for all sides alike.
 */
export class Engine {
	private readonly signals: AbortSignal[] = [];

	private constructor(
		private readonly n8n: typeof import('n8n-workflow'),
		private readonly core: typeof import('n8n-core'),
		private readonly loader: InstanceType<(typeof import('n8n-core'))['PackageDirectoryLoader']>,
		private readonly nodeTypes: INodeTypes,
		private readonly store: Store,
	) {}

	/** `extra`: node types of the benchmark itself. */
	static async open(ground: Ground, extra: Record<string, INodeType>): Promise<Engine> {
		process.env.N8N_LOG_LEVEL = 'silent';
		const fromHost = createRequire(path.join(ground.host, 'package.json'));
		fromHost('reflect-metadata');
		const n8n = fromHost('n8n-workflow') as typeof import('n8n-workflow');
		const core = fromHost('n8n-core') as typeof import('n8n-core');
		await n8n.Expression.initExpressionEngine({
			engine: 'vm',
			poolSize: 1,
			maxCodeCacheSize: 1024,
			bridgeTimeout: 5_000,
			bridgeMemoryLimit: 128,
		});
		const store = new Store();
		await core.DataDeduplicationService.init(store);
		const loader = new core.PackageDirectoryLoader(ground.package);
		await loader.loadAll();

		const ofHost = (name: string, version: number): INodeType => {
			const file = path.join(
				ground.host,
				'node_modules',
				'n8n-nodes-base',
				'dist',
				'nodes',
				name,
				`${name}.node.js`,
			);
			const type = new (fromHost(file) as Record<string, new () => INodeType | IVersionedNodeType>)[
				name
			]!();
			return 'getNodeType' in type ? type.getNodeType(version) : type;
		};
		const base: Record<string, INodeType> = {
			'n8n-nodes-base.httpRequest': ofHost('HttpRequest', 4.2),
			'n8n-nodes-base.code': ofHost('Code', 2),
			'n8n-nodes-base.manualTrigger': ofHost('ManualTrigger', 1),
			...extra,
		};
		const nodeTypes: INodeTypes = {
			getByName: (type) => nodeTypes.getByNameAndVersion(type),
			getByNameAndVersion: (type) =>
				base[type] ?? (loader.getNode(type.slice(PACKAGE.length + 1)).type as INodeType),
			getKnownTypes: () => ({}),
		};
		return new Engine(n8n, core, loader, nodeTypes, store);
	}

	/**
	 * Prepares a workflow; the function that comes back runs it once, with items that Start gives out. Its `context`
	 * takes the place of what the host would keep for the node that calls. A dry run was made, and nobody was called before.
	 */
	prepare(
		{ nodes, connections }: MeasuredWorkflow,
		credential: ICredentialDataDecryptedObject,
	): Start {
		return async (items, context) => {
			this.store.fill(keysOfDryRun(WORKFLOW, nodes));
			const workflow = new this.n8n.Workflow({
				id: WORKFLOW,
				name: 'Campaign',
				nodes,
				connections,
				active: false,
				nodeTypes: this.nodeTypes,
				settings: { executionOrder: 'v1' },
			});
			const data = newRun(
				workflow.getNode(START)!,
				{ [START]: items },
				context && { [`node:${CALLS}`]: context },
			);
			const execution = new this.core.WorkflowExecute(
				this.additionalData(credential),
				'manual',
				data,
			);
			// The one that n8n aborts when somebody presses Stop.
			const { abortController } = execution as unknown as { abortController?: AbortController };
			if (abortController) this.signals.push(abortController.signal);
			return await execution.processRunExecutionData(workflow);
		};
	}

	/** Listeners on the signals of all executions so far. */
	get listenersLeft(): number {
		return this.signals.reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0);
	}

	private additionalData(
		credential: ICredentialDataDecryptedObject,
	): IWorkflowExecuteAdditionalData {
		return {
			...hostData,
			credentialsHelper: hostCredentials(
				this.loader.getCredential('outboundCallsApi').type,
				credential,
			),
			hooks: new this.core.ExecutionLifecycleHooks('manual', hostData.executionId, savedWorkflow),
			startRunnerTask: runCode,
		} as unknown as IWorkflowExecuteAdditionalData;
	}
}

/**
 * The Code node hands its code to n8n's task runner, a process beside n8n. Here the code runs directly in
 * the measured process. The cost of sending all items there and back is left out, in the Code node's favor.
 */
const runCode = async (
	_data: unknown,
	_kind: string,
	{ code }: { code: string },
	_context: unknown,
	_input: unknown,
	_node: unknown,
	_workflow: unknown,
	_execution: unknown,
	_run: number,
	_item: number,
	_name: string,
	items: INodeExecutionData[],
): Promise<object> => {
	// eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is the benchmark's own code
	const run = new Function('$input', code) as (input: object) => unknown;
	return await Promise.resolve({ ok: true, result: run({ all: () => items }) });
};
