import type { INode, INodeParameters } from 'n8n-workflow';
import { node } from '../workflowNode';
import type { SavedCredential, WorkflowDefinition } from './client';

/** The nodes of a test workflow: a trigger, rows as separate items, the calls, and where its outputs lead. */
export const START = 'Start';
export const CALLS = 'Calls';
export const CALLED = 'Called';
export const NOT_CALLED = 'Not called';
const LIST = 'List';
const ROWS = 'Rows';

interface CallWorkflow {
	name: string;
	credential: SavedCredential;
	rows: object[];
	parameters: INodeParameters;
	/** Settings of the node that calls: On Error, Retry On Fail … */
	settings?: Partial<INode>;
	/** The path of a webhook that starts it; without it, the workflow is started by hand. */
	webhook?: string;
}

const leadsTo = (...names: string[]) => ({ main: names.map((name) => [{ node: name, type: 'main' as const, index: 0 }]) });

/** A workflow that calls `rows`, built of n8n's own nodes and ours. */
export function callWorkflow({ name, credential, rows, parameters, settings, webhook }: CallWorkflow): WorkflowDefinition {
	const { id, name: credentialName, type } = credential;
	return {
		name,
		nodes: [
			webhook
				? node(
						START,
						'n8n-nodes-base.webhook',
						2,
						{ httpMethod: 'POST', path: webhook, responseMode: 'onReceived', options: {} },
						{ webhookId: webhook },
					)
				: node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
			node(LIST, 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} }),
			node(ROWS, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
			node(CALLS, 'n8n-nodes-outbound-calls.outboundCalls', 1, parameters, {
				credentials: { [type]: { id, name: credentialName } },
				...settings,
			}),
			node(CALLED, 'n8n-nodes-base.noOp', 1, {}),
			node(NOT_CALLED, 'n8n-nodes-base.noOp', 1, {}),
		],
		connections: {
			[START]: leadsTo(LIST),
			[LIST]: leadsTo(ROWS),
			[ROWS]: leadsTo(CALLS),
			[CALLS]: settings?.onError === 'continueErrorOutput' ? leadsTo(CALLED, NOT_CALLED) : leadsTo(CALLED),
		},
		settings: { executionOrder: 'v1' },
	};
}
