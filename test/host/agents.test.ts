import type { INodeParameters } from 'n8n-workflow';
import { AGENT } from '../engine/helpers/workflows';
import { node } from '../workflowNode';
import { startToolModel, type NextMove } from './helpers/aiToolModel';
import { CALLS, START } from './helpers/callWorkflow';
import { fillIn } from './helpers/exampleWorkflow';
import { hostBench } from './helpers/hostBench';

/** What the model of one of n8n’s own Agents reads that has our node, or a workflow with it, as its tool. */
const bench = hostBench();

const PHONE = '+12125550101';
const part: NextMove[] = [
	() => ({ tool: 'Place_call', arguments: { destination: PHONE } }),
	() => ({ says: 'Done.' }),
];

const placing = (fields: INodeParameters = {}): INodeParameters => ({
	resource: 'call',
	operation: 'placeCall',
	mode: 'live',
	agentNumber: AGENT,
	destination: '={{ $fromAI("destination", "Phone number with + and country code", "string") }}',
	countries: ['US'],
	...fields,
});

const ourNode = (fields?: INodeParameters) => {
	const { id, name, type } = bench.stage.credential;
	const credentials = { [type]: { id, name } };
	const tool = {
		nodeType: 'n8n-nodes-outbound-calls.outboundCallsTool',
		nodeTypeVersion: 1,
		nodeParameters: placing(fields),
		credentials,
	};
	return {
		type: 'node',
		name: 'Place call',
		description: 'Calls one person by phone now.',
		node: tool,
	};
};

/** A new agent with this tool is told to call; what its model reads of the tool. */
async function read(tool: object): Promise<string> {
	const { client } = bench.stage;
	const model = await startToolModel(part);
	const { id: credential } = await client.createCredential({
		name: 'Stand-in',
		type: 'deepSeekApi',
		data: { apiKey: 'none', url: model.url },
	});
	const { id: project } = await client.send<{ id: string }>('GET', '/projects/personal');
	const agents = `/projects/${project}/agents/v2`;
	const { id, configHash } = await client.send<{ id: string; configHash: string }>('POST', agents, {
		name: 'Caller',
	});
	const memory = { enabled: false, storage: 'n8n' };
	const config = {
		name: 'Caller',
		model: 'deepseek/deepseek-chat',
		credential,
		instructions: 'You call people.',
		memory,
		tools: [tool],
	};
	await client.send('PUT', `${agents}/${id}/config`, { config, baseConfigHash: configHash });
	await client.sendForText('POST', `${agents}/${id}/chat`, { message: 'Call Ada.' });
	await model.close();
	expect(model.answers).toHaveLength(1);
	return model.answers[0]!;
}

/** Of the node itself, the rows that came out. */
const rowsOf = (answer: string) =>
	(JSON.parse(answer) as { data: Array<{ json: object }> }).data.map(({ json }) => json);

describe('Place Call as a tool of n8n’s own Agents', () => {
	it.each<[string, INodeParameters]>([
		['with Skip', {}],
		['with Skip in a dry run', { mode: 'dryRun' }],
		['with Max Calls per Day', { calledBefore: 'callAgain', options: { maxCallsPerDay: 3 } }],
	])('calls nobody %s, and says what to build instead', async (_, fields) => {
		const reason = expect.stringMatching(
			/^n8n’s own Agents cannot remember who was called\. .* give the agent that workflow as its tool\.$/,
		) as string;
		expect(rowsOf(await read(ourNode(fields)))).toMatchObject([
			{ status: 'refused', called: 'no', destination: PHONE, reason },
		]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('calls nobody with Max Calls, and says why', async () => {
		const [row] = rowsOf(
			await read(ourNode({ calledBefore: 'callAgain', options: { maxCalls: 3 } })),
		);
		expect(row).toMatchObject({
			status: 'refused',
			called: 'no',
			reason: expect.stringMatching(/^Max Calls cannot be kept here\. .*an AI Agent node/),
		});
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('calls with Call Again, and says what became of it, also where nobody knows', async () => {
		const again = { calledBefore: 'callAgain' };
		expect(rowsOf(await read(ourNode({ ...again, mode: 'dryRun' })))).toMatchObject([
			{ status: 'dry_run', called: 'no' },
		]);
		expect(bench.sandbox.requests).toEqual([]);
		expect(rowsOf(await read(ourNode(again)))).toMatchObject([
			{ status: 'initiated', called: 'yes', destination: PHONE },
		]);
		expect(bench.dialed).toEqual([PHONE]);
		bench.sandbox.fault({ kind: 'resetAfter', route: 'call', times: 1 });
		expect(rowsOf(await read(ourNode(again)))).toMatchObject([
			{
				status: 'unknown',
				called: 'maybe',
				reason: expect.stringContaining('may have been placed'),
			},
		]);
	});
});

it('a workflow as the tool of one of n8n’s own Agents remembers whom it has called', async () => {
	const { client, credential } = bench.stage;
	const credentials = { [credential.type]: { id: credential.id, name: credential.name } };
	const workflowInputs = { values: [{ name: 'destination', type: 'string' }] };
	const desk = await client.createWorkflow({
		name: 'Desk',
		nodes: [
			node(START, 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { workflowInputs }),
			node(
				CALLS,
				'n8n-nodes-outbound-calls.outboundCalls',
				1,
				placing({ mode: 'dryRun', destination: '={{ $json.destination }}' }),
				{ credentials },
			),
		],
		connections: { [START]: { main: [[{ node: CALLS, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await bench.publish(desk);
	const tool = {
		type: 'workflow',
		workflow: desk.name,
		workflowId: desk.id,
		name: 'Place_call',
		description: 'Calls one person by phone now.',
	};
	expect(await read(tool)).toContain('"status":"dry_run","called":"no"');
	expect(bench.sandbox.requests).toEqual([]);

	fillIn(desk, CALLS, { mode: 'live' });
	await bench.publish(await client.updateWorkflow(desk));
	expect(await read(tool)).toContain('"status":"initiated","called":"yes"');
	expect(await read(tool)).toContain('"status":"already_called","called":"no"');
	expect(bench.dialed).toEqual([PHONE]);
});
