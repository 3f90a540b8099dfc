import type { INode, IPinData, IRunExecutionData } from 'n8n-workflow';

/** What the host gives every execution besides credentials and hooks. Our nodes use nothing of it. */
export const hostData = {
	executionId: 'execution',
	currentNodeExecutionIndex: 0,
	variables: {},
	logAiEvent: () => undefined,
};

/** The workflow as the host's database has it, for the hooks of an execution. */
export const savedWorkflow = {
	id: 'workflow',
	name: 'Campaign',
	active: false,
	isArchived: false,
	nodes: [],
	connections: {},
	createdAt: new Date(0),
	updatedAt: new Date(0),
	activeVersionId: null,
};

/** An execution that begins at `start`, in the plain form that all versions of the host read. `contextData` is what the host keeps for nodes. */
export function newRun(
	start: INode,
	pinData: IPinData,
	contextData: Record<string, object> = {},
): IRunExecutionData {
	return {
		version: 1,
		startData: {},
		resultData: { runData: {}, pinData },
		executionData: {
			contextData,
			metadata: {},
			nodeExecutionStack: [{ node: start, data: { main: [[{ json: {} }]] }, source: null }],
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	} as unknown as IRunExecutionData;
}
