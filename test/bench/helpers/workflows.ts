import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { chain, NAME_AND_AMOUNT, node } from '../../workflowNode';
import type { Runnable, RunOptions } from './messages';
import { AGENT } from './rows';

export const START = 'Start';
/** The node that talks to the API, on each side. */
export const CALLS = 'Calls';
/** Makes the rows in a real n8n, which takes none from outside. */
export const ROWS = 'Rows';

export const OUTBOUND_CALLS = 'n8n-nodes-outbound-calls.outboundCalls';
export const READER = 'bench.reader';

/** A workflow after its rows: its last node gives what the user wanted, one row for each call. */
export interface MeasuredWorkflow {
	nodes: INode[];
	connections: IConnections;
}

export function inARow(...nodes: INode[]): MeasuredWorkflow {
	const all = [node(START, 'n8n-nodes-base.manualTrigger', 1, {}), ...nodes];
	return { nodes: all, connections: chain(...all.map(({ name }) => name)) };
}

const CREDENTIALS = { credentials: { outboundCallsApi: { id: '1', name: 'API' } } };

/** A live run of this node; `parameters` have the last word. */
export const thisNode = (
	parameters: INodeParameters = {},
	type = OUTBOUND_CALLS,
): MeasuredWorkflow =>
	inARow(
		node(
			CALLS,
			type,
			1,
			{
				resource: 'call',
				operation: 'bulkCall',
				mode: 'live',
				agentNumber: AGENT,
				destination: '={{ $json.phone }}',
				countries: ['any'],
				callingHours: 'any',
				promptVariables: NAME_AND_AMOUNT,
				...parameters,
			},
			// What cannot be called is a row.
			{ ...CREDENTIALS, onError: 'continueRegularOutput' },
		),
	);

export const code = (name: string, jsCode: string): INode =>
	node(name, 'n8n-nodes-base.code', 2, { mode: 'runOnceForAllItems', jsCode });

/** What runs in a process without a whole n8n. */
export const measuredWorkflow = (side: Runnable, { parameters }: RunOptions): MeasuredWorkflow =>
	side === 'sender'
		? inARow(node(CALLS, 'bench.sender', 1, {}, CREDENTIALS))
		: thisNode(parameters, side === 'node' ? OUTBOUND_CALLS : READER);

/** The same after a node that makes the rows, as `campaignRows` does. */
export function withRows(
	{ nodes, connections }: MeasuredWorkflow,
	count: number,
): MeasuredWorkflow {
	const rows = code(
		ROWS,
		`return Array.from({ length: ${count} }, (_, n) => ({ json: { phone: '+49171' + (1000000 + n), name: 'Person ' + n, amount: n + 0.5 } }));`,
	);
	const { [START]: first = {} } = connections;
	return {
		nodes: [...nodes, rows],
		connections: { ...connections, ...chain(START, ROWS), [ROWS]: first },
	};
}
