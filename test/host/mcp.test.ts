import type { INodeParameters } from 'n8n-workflow';
import { createRequire } from 'node:module';
import path from 'node:path';
import { AGENT } from '../engine/helpers/workflows';
import { node } from '../workflowNode';
import type { SavedWorkflow } from './helpers/client';
import { hostBench, until } from './helpers/hostBench';

/** As far as it is used here. */
interface McpClient {
	connect(transport: object): Promise<void>;
	listTools(): Promise<{
		tools: Array<{ name: string; description: string; inputSchema: { properties: object } }>;
	}>;
	callTool(call: {
		name: string;
		arguments: object;
	}): Promise<{ content: Array<{ text: string }> }>;
	close(): Promise<void>;
}

// Before the bench, so that they are closed before n8n is.
const clients: McpClient[] = [];
afterAll(async () => await Promise.all(clients.map(async (client) => await client.close())));

/** What a client of n8n’s MCP Server Trigger gets that has our node as a tool. */
const bench = hostBench();

const TRIGGER = 'MCP Server Trigger';
const PLACE = 'Place call';

/** The protocol's own client, as n8n has it installed. */
function mcpClient(url: string): [McpClient, object] {
	const load = createRequire(path.join(bench.stage.host.folder, 'package.json'));
	const { Client } = load('@modelcontextprotocol/sdk/client/index.js') as {
		Client: new (about: object) => McpClient;
	};
	const transport = load('@modelcontextprotocol/sdk/client/streamableHttp.js') as {
		StreamableHTTPClientTransport: new (url: URL) => object;
	};
	return [
		new Client({ name: 'somebody', version: '1.0.0' }),
		new transport.StreamableHTTPClientTransport(new URL(url)),
	];
}

/** A published workflow in which a model fills in whom to call, and a client of it. */
async function desk(name: string, fields: INodeParameters = {}) {
	const { client, credential, n8n } = bench.stage;
	const parameters = {
		...{
			resource: 'call',
			operation: 'placeCall',
			descriptionType: 'manual',
			toolDescription: 'Calls one person by phone now.',
		},
		agentNumber: AGENT,
		destination: '={{ $fromAI("destination", "Phone number with + and country code", "string") }}',
		countries: ['US'],
		...fields,
	};
	const credentials = { [credential.type]: { id: credential.id, name: credential.name } };
	let workflow: SavedWorkflow = await client.createWorkflow({
		name,
		nodes: [
			node(
				TRIGGER,
				'@n8n/n8n-nodes-langchain.mcpTrigger',
				2.1,
				{ path: name },
				{ webhookId: name },
			),
			node(PLACE, 'n8n-nodes-outbound-calls.outboundCallsTool', 1, parameters, { credentials }),
		],
		connections: { [PLACE]: { ai_tool: [[{ node: TRIGGER, type: 'ai_tool', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await bench.publish(workflow);
	const connected = async (): Promise<McpClient> => {
		let found: McpClient | undefined;
		await until('the MCP server listens', async () => {
			const [mcp, transport] = mcpClient(`${n8n.url}/mcp/${name}`);
			found = await mcp.connect(transport).then(
				() => mcp,
				() => undefined,
			);
			return found !== undefined;
		});
		clients.push(found!);
		return found!;
	};
	const mcp = await connected();
	return {
		mcp,
		connected,
		/** Publishes it with other fields of the tool. */
		set: async (changed: INodeParameters) => {
			const placeCall = workflow.nodes.find(({ name: nodeName }) => nodeName === PLACE)!;
			Object.assign(placeCall.parameters, changed);
			workflow = await client.updateWorkflow(workflow);
			await bench.publish(workflow);
		},
		/** What the model reads. */
		asks: async (destination: string, by = mcp) => {
			const { content } = await by.callTool({ name: 'Place_call', arguments: { destination } });
			return content.map(({ text }) => text).join('');
		},
	};
}

const rowOf = (answer: string) =>
	(
		JSON.parse(answer) as Array<{
			status: string;
			called: string;
			reason: string | null;
			destination: string;
		}>
	)[0]!;
const statusOf = (answer: string) => rowOf(answer).status;

describe('Place Call as a tool of the MCP Server Trigger', () => {
	it('calls nobody before a dry run, then each person once, also when two clients ask at the same moment', async () => {
		const { mcp, connected, set, asks } = await desk('once', { mode: 'live' });
		const { tools } = await mcp.listTools();
		expect(tools).toMatchObject([
			{ name: 'Place_call', description: 'Calls one person by phone now.' },
		]);
		expect(Object.keys(tools[0]!.inputSchema.properties)).toEqual(['destination']);

		expect(await asks('+12125550101')).toMatch(
			/no dry run or test was made in this workflow yet\s.*Set Mode to Dry Run.*Nobody was called/s,
		);
		await set({ mode: 'dryRun' });
		expect(rowOf(await asks('+12125550101'))).toMatchObject({ status: 'dry_run', called: 'no' });
		await set({ mode: 'live' });
		expect(bench.dialed).toEqual([]);

		const called = { status: 'initiated', called: 'yes', destination: '+12125550101' };
		expect(rowOf(await asks('+12125550101'))).toMatchObject(called);
		expect(bench.dialed).toEqual(['+12125550101']);
		expect(rowOf(await asks('+1 (212) 555-0101'))).toMatchObject({
			status: 'already_called',
			called: 'no',
			destination: '+12125550101',
		});

		const another = await connected();
		const answers = await Promise.all([asks('+12125550102'), asks('+1 212 555 0102', another)]);
		expect(answers.map(statusOf).sort()).toEqual(['already_called', 'initiated']);
		expect(bench.dialed).toEqual(['+12125550101', '+12125550102']);
	});

	it('calls nobody with Max Calls, and says why; Max Calls per Day holds over all uses', async () => {
		const { set, asks } = await desk('limited');
		await asks('+12125550103');
		await set({ mode: 'live', options: { maxCalls: 3 } });
		expect(await asks('+12125550103')).toMatch(
			/Max Calls cannot be kept here\s.*Each use of this tool is an execution of its own\..*Nobody was called/s,
		);
		expect(bench.dialed).toEqual([]);

		await set({ options: { maxCallsPerDay: 1 } });
		expect(statusOf(await asks('+12125550103'))).toBe('initiated');
		expect(rowOf(await asks('+12125550104'))).toMatchObject({
			status: 'limit_reached',
			called: 'no',
			reason: expect.stringMatching(/^Max Calls per Day is 1/),
		});
		expect(bench.dialed).toEqual(['+12125550103']);
	});
});
