import type { IConnections, INode, INodeConnections, INodeParameters } from 'n8n-workflow';
import { node } from '../../workflowNode';
import type { RunOptions, Runnable } from './messages';
import { AGENT } from './rows';

export const START = 'Start';
/** The node that talks to the API, on each side. */
export const CALLS = 'Calls';

/** A workflow behind its rows: its last node gives what the user wanted, one row for each call. */
export interface MeasuredWorkflow {
	nodes: INode[];
	connections: IConnections;
	last: string;
}

const to = ({ name }: INode): INodeConnections => ({
	main: [[{ node: name, type: 'main', index: 0 }]],
});

/** Start → the nodes, one after the other. */
function inARow(...nodes: INode[]): MeasuredWorkflow {
	const all = [node(START, 'n8n-nodes-base.manualTrigger', 1, {}), ...nodes];
	const connections: IConnections = {};
	for (let i = 1; i < all.length; i++) {
		connections[all[i - 1]!.name] = to(all[i]!);
	}
	return { nodes: all, connections, last: all.at(-1)!.name };
}

const CREDENTIALS = { credentials: { outboundCallsApi: { id: '1', name: 'API' } } };

const settings = ({ onError, retryOnFail }: RunOptions): Partial<INode> => ({
	...CREDENTIALS,
	...(onError ? { onError } : {}),
	...(retryOnFail ? { retryOnFail, maxTries: 3, waitBetweenTries: 1_000 } : {}),
});

/** Both variables dragged in, as the editor writes them. */
const DRAGGED = {
	assignments: [
		{ id: '1', name: 'name', value: '={{ $json.name }}', type: 'string' },
		{ id: '2', name: 'amount', value: '={{ $json.amount }}', type: 'number' },
	],
};

const thisNode = (options: RunOptions): MeasuredWorkflow =>
	inARow(
		node(
			CALLS,
			'n8n-nodes-outbound-calls.outboundCalls',
			1,
			{
				resource: 'call',
				operation: 'bulkCall',
				mode: 'live',
				agentNumber: AGENT,
				destination: '={{ $json.phone }}',
				countries: ['any'],
				promptVariables: DRAGGED,
				...options.parameters,
			},
			settings(options),
		),
	);

const request = (options: RunOptions, path: string, body: string): INode =>
	node(
		CALLS,
		'n8n-nodes-base.httpRequest',
		4.2,
		{
			method: 'POST',
			url: `${options.baseUrl}${path}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'outboundCallsApi',
			sendBody: true,
			contentType: 'json',
			specifyBody: 'json',
			jsonBody: body,
			options: {},
		},
		settings(options),
	);

const requestPerRow = (options: RunOptions): MeasuredWorkflow =>
	inARow(
		request(
			options,
			'/calls',
			`={{ { destination: $json.phone, agent_number: "${AGENT}", prompt_variables: { name: $json.name, amount: String($json.amount) } } }}`,
		),
	);

const code = (name: string, jsCode: string): INode =>
	node(name, 'n8n-nodes-base.code', 2, { mode: 'runOnceForAllItems', jsCode });

const CHUNK = `
const rows = $input.all();
const requests = [];
for (let i = 0; i < rows.length; i += 10) {
  requests.push({ json: {
    agent_number: "${AGENT}",
    destinations: rows.slice(i, i + 10).map(({ json }) => ({
      phone: json.phone, prompt_variables: { name: json.name, amount: String(json.amount) },
    })),
  } });
}
return requests;`;

const SPREAD = `
return $input.all().flatMap(({ json }) =>
  (json.results ?? []).map((result) => ({ json: { ...result, batch_id: json.batch_id } })));`;

const chunkedByHand = (options: RunOptions): MeasuredWorkflow =>
	inARow(
		code('Chunk', CHUNK),
		request(options, '/calls/bulk', '={{ $json }}'),
		code('Spread', SPREAD),
	);

/** The same requests by a node that does nothing else. */
const sender = ({ parameters }: RunOptions): MeasuredWorkflow =>
	inARow(
		node(CALLS, 'bench.sender', 1, (parameters?.options ?? {}) as INodeParameters, CREDENTIALS),
	);

export const workflowOf: Record<Runnable, (options: RunOptions) => MeasuredWorkflow> = {
	node: thisNode,
	requestPerRow,
	chunkedByHand,
	sender,
};

/** The same behind a node that makes the rows, as `campaignRows` does: a real n8n takes none from outside. */
export function withRows(
	{ nodes, connections, last }: MeasuredWorkflow,
	count: number,
): MeasuredWorkflow {
	const rows = code(
		'Rows',
		`return Array.from({ length: ${count} }, (_, n) => ({ json: { phone: '+1555' + (1000000 + n), name: 'Person ' + n, amount: n + 0.5 } }));`,
	);
	return {
		nodes: [...nodes, rows],
		connections: { ...connections, [START]: to(rows), [rows.name]: connections[START]! },
		last,
	};
}

/** What n8n itself holds for the items of such a run: the same input, and output of the same shape. */
export const twinWorkflow = (): MeasuredWorkflow => inARow(node(CALLS, 'bench.twin', 1, {}));

export const followWorkflow = (options: Pick<RunOptions, 'parameters'>): MeasuredWorkflow =>
	inARow(
		node(
			CALLS,
			'n8n-nodes-outbound-calls.outboundCalls',
			1,
			{
				resource: 'call',
				operation: 'getCall',
				batchId: '={{ $json.batch_id }}',
				callRecordId: '={{ $json.consent_id }}',
				waitUntil: 'finished',
				...options.parameters,
			},
			CREDENTIALS,
		),
	);
