import type { INode, INodeParameters } from 'n8n-workflow';
import { chain, node } from '../../workflowNode';
import type { SavedCredential, WorkflowDefinition } from './client';

/** The nodes of a test workflow: a trigger, a list, its rows as items, and the node that calls. */
export const START = 'Start';
/** Starts it by hand, where a webhook starts it otherwise. */
export const BY_HAND = 'By hand';
export const LIST = 'List';
export const ROWS = 'Rows';
export const CALLS = 'Calls';

export const CALL_NODE = 'n8n-nodes-outbound-calls.outboundCalls';

export interface CallWorkflow {
	/** Or an expression that evaluates to `{ rows: [ … ] }`, such as from what a webhook was sent. */
	rows: object[] | string;
	parameters: INodeParameters;
	/** Settings of the node that calls: On Error, Retry On Fail … */
	settings?: Partial<INode>;
	/** Nodes after the node that calls, one after the other. */
	after?: INode[];
	/** The path of a webhook that starts it. */
	webhook?: string;
	/** When the webhook answers: at once, or with all items of the last node. */
	responseMode?: 'onReceived' | 'lastNode';
}

/** The credential of a node, as a workflow holds it. */
export const holding = ({ id, name, type }: SavedCredential): Pick<INode, 'credentials'> => ({
	credentials: { [type]: { id, name } },
});

/** A workflow that calls `rows`, built of n8n's own nodes and ours, with its nodes side by side. */
export function callWorkflow(
	name: string,
	credential: SavedCredential,
	{ rows, parameters, settings, webhook, after = [], responseMode = 'onReceived' }: CallWorkflow,
): WorkflowDefinition {
	const manual = (called: string) => node(called, 'n8n-nodes-base.manualTrigger', 1, {});
	const answer = {
		responseMode,
		...(responseMode === 'lastNode' && { responseData: 'allEntries' }),
	};
	const path = { httpMethod: 'POST', path: webhook, ...answer, options: {} };
	const jsonOutput = typeof rows === 'string' ? rows : JSON.stringify({ rows });
	const nodes = [
		webhook
			? node(START, 'n8n-nodes-base.webhook', 2, path, { webhookId: webhook })
			: manual(START),
		node(LIST, 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
		node(ROWS, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
		node(CALLS, CALL_NODE, 1, parameters, { ...holding(credential), ...settings }),
		...after,
	];
	nodes.forEach((each, n) => (each.position = [n * 224, 0]));
	const connections = chain(...nodes.map((each) => each.name));
	if (webhook) {
		nodes.push({ ...manual(BY_HAND), position: [0, 192] });
		Object.assign(connections, chain(BY_HAND, LIST));
	}
	return { name, nodes, connections };
}
