import type { INode, INodeParameters } from 'n8n-workflow';
import { node } from '../../workflowNode';
import type { SavedCredential, WorkflowDefinition } from './client';

/** The nodes of a test workflow: a trigger, rows as separate items, the calls, and where its outputs lead. */
export const START = 'Start';
export const CALLS = 'Calls';
export const ALL_ROWS = 'All rows';
export const CALLED = 'Called';
export const NOT_CALLED = 'Not called';
/** Behind n8n's own error output, where a test switches it on. */
export const ERROR_OUTPUT = 'Error output';
/** Starts it by hand, past the gate: what a person does in the editor before the workflow goes live. */
export const BY_HAND = 'By hand';
const GATE = 'Gate';
export const LIST = 'List';
export const ROWS = 'Rows';

interface CallWorkflow {
	name: string;
	credential: SavedCredential;
	/** Or an expression that comes to `{ "rows": [ … ] }` as text, such as from what a webhook was sent. */
	rows: object[] | string;
	parameters: INodeParameters;
	/** Settings of the node that calls: On Error, Retry On Fail … */
	settings?: Partial<INode>;
	/** The nodes behind its outputs, one for each; without it, all that it has. */
	outputs?: string[];
	/** Names and fields of nodes of ours, each behind the node that calls, on its output Called. */
	behindCalled?: Record<string, INodeParameters>;
	/** An address that is asked before the rows are there: the workflow fails when it answers badly. */
	gate?: string;
	/** Steps between the rows and the node that calls, one behind the other. */
	between?: INode[];
	/** After so many seconds n8n ends each execution of it. */
	timeout?: number;
	/** The path of a webhook that starts it; without it, the workflow is started by hand. */
	webhook?: string;
}

const leadsTo = (...names: string[]) => ({
	main: names.map((name) => [{ node: name, type: 'main' as const, index: 0 }]),
});

const outputsWith = (settings?: Partial<INode>): string[] =>
	settings?.onError === 'continueErrorOutput'
		? [ALL_ROWS, CALLED, NOT_CALLED, ERROR_OUTPUT]
		: [ALL_ROWS, CALLED, NOT_CALLED];

/** A workflow that calls `rows`, built of n8n's own nodes and ours. */
export function callWorkflow({
	name,
	credential,
	rows,
	parameters,
	settings,
	webhook,
	outputs = outputsWith(settings),
	behindCalled = {},
	between = [],
	gate,
	timeout,
}: CallWorkflow): WorkflowDefinition {
	const { id, name: credentialName, type } = credential;
	const startsAlone = webhook === undefined && gate === undefined;
	const credentials = { [type]: { id, name: credentialName } };
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
			...(startsAlone ? [] : [node(BY_HAND, 'n8n-nodes-base.manualTrigger', 1, {})]),
			...(gate === undefined
				? []
				: [node(GATE, 'n8n-nodes-base.httpRequest', 4.2, { url: gate, options: {} })]),
			node(LIST, 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: typeof rows === 'string' ? rows : JSON.stringify({ rows }),
				options: {},
			}),
			node(ROWS, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
			...between,
			node(CALLS, 'n8n-nodes-outbound-calls.outboundCalls', 1, parameters, {
				credentials,
				...settings,
			}),
			node(ALL_ROWS, 'n8n-nodes-base.noOp', 1, {}),
			node(CALLED, 'n8n-nodes-base.noOp', 1, {}),
			node(NOT_CALLED, 'n8n-nodes-base.noOp', 1, {}),
			node(ERROR_OUTPUT, 'n8n-nodes-base.noOp', 1, {}),
			...Object.entries(behindCalled).map(([behind, fields]) =>
				node(behind, 'n8n-nodes-outbound-calls.outboundCalls', 1, fields, { credentials }),
			),
		],
		connections: {
			[START]: leadsTo(gate === undefined ? LIST : GATE),
			...(startsAlone ? {} : { [BY_HAND]: leadsTo(LIST) }),
			...(gate === undefined ? {} : { [GATE]: leadsTo(LIST) }),
			[LIST]: leadsTo(ROWS),
			...Object.fromEntries(
				[ROWS, ...between.map((step) => step.name)].map((name, n) => [
					name,
					leadsTo(between[n]?.name ?? CALLS),
				]),
			),
			[CALLED]: {
				main: [
					Object.keys(behindCalled).map((behind) => ({
						node: behind,
						type: 'main' as const,
						index: 0,
					})),
				],
			},
			[CALLS]: leadsTo(...outputs),
		},
		settings: {
			executionOrder: 'v1',
			...(timeout === undefined ? {} : { executionTimeout: timeout }),
		},
	};
}
