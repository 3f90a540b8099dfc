import { createRequire } from 'node:module';
import path from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IRun,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { hostCredentials } from '../../engine/helpers/hostCredentials';
import { hostData, newRun, savedWorkflow } from '../../engine/helpers/hostData';
import type { Ground } from './messages';
import { keysOfDryRun } from './keys';
import { Store } from './store';
import { CALLS, OUTBOUND_CALLS, READER, START, type MeasuredWorkflow } from './workflows';

const WORKFLOW = 'workflow';
const PACKAGE = 'n8n-nodes-outbound-calls';

/** n8n's own part of a run without requests: it resolves this node's parameters for each row. */
const readerOf = ({ description }: INodeType): INodeType => ({
	description,
	async execute() {
		const rows = this.getInputData();
		for (const name of Object.keys(this.getNode().parameters))
			rows.forEach((_row, item) => this.getNodeParameter(name, item));
		return await Promise.resolve([rows]);
	},
});

type Start = (items: INodeExecutionData[], context?: object) => Promise<IRun>;

/**
 * n8n's own engine, from an installed n8n, with its default for expressions (an isolate). The
 * database, the editor's messages and the encryption of credentials are left out.
 */
export class Engine {
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

		const ours = (type: string) => loader.getNode(type.slice(PACKAGE.length + 1)).type as INodeType;
		const types: Record<string, INodeType> = { ...extra, [READER]: readerOf(ours(OUTBOUND_CALLS)) };
		const nodeTypes: INodeTypes = {
			getByName: (type) => nodeTypes.getByNameAndVersion(type),
			getByNameAndVersion: (type) => types[type] ?? ours(type),
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
			this.store.fill(keysOfDryRun(WORKFLOW));
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
			return await execution.processRunExecutionData(workflow);
		};
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
		} as unknown as IWorkflowExecuteAdditionalData;
	}
}
