import type { IDataObject } from 'n8n-workflow';
import { bulk, contacts } from '../engine/helpers/workflows';
import { chain, node } from '../workflowNode';
import { startToolModel } from './helpers/aiToolModel';
import { CALL_NODE, CALLS, holding, LIST, ROWS, START } from './helpers/callWorkflow';
import type { Execution, SavedWorkflow } from './helpers/client';
import { jsonOf, shown, statuses, succeeded } from './helpers/executions';
import { hostBench, until } from './helpers/hostBench';

/** Whoever asks for calls from outside the workflow gets all rows: a parent, a webhook, an agent. Also what must not call, and the trigger. */
const bench = hostBench();

/** Two people who can be called, one who cannot, and a duplicate. */
const [amara, bruno] = [contacts(2)[0]!, contacts(2)[1]!];
const rows = [amara, { ...bruno, phone: '0155 501' }, bruno, amara];
const OUTCOMES = ['initiated', 'invalid', 'initiated', 'duplicate'];

const SUB = 'Call them';

/** A published sub-workflow that calls whatever it is given. */
async function callingChild(parameters = bulk()): Promise<SavedWorkflow> {
	const trigger = { inputSource: 'passthrough' };
	const child = await bench.stage.client.createWorkflow({
		name: bench.newName(),
		nodes: [
			node(START, 'n8n-nodes-base.executeWorkflowTrigger', 1.1, trigger),
			node(CALLS, CALL_NODE, 1, parameters, holding(bench.stage.credential)),
		],
		connections: chain(START, CALLS),
	});
	await bench.publish(child);
	return child;
}

async function parentOf(child: SavedWorkflow, people: object[]): Promise<SavedWorkflow> {
	const jsonOutput = JSON.stringify({ rows: people });
	const workflowId = { __rl: true, mode: 'id', value: child.id };
	return await bench.stage.client.createWorkflow({
		name: bench.newName(),
		nodes: [
			node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
			node(LIST, 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
			node(ROWS, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
			node(SUB, 'n8n-nodes-base.executeWorkflow', 1.2, { workflowId, mode: 'once', options: {} }),
		],
		connections: chain(START, LIST, ROWS, SUB),
	});
}

describe('all rows come back', () => {
	it('to the parent of a sub-workflow', async () => {
		const parent = await parentOf(await callingChild(), rows);
		const execution = succeeded(await bench.stage.client.runAndWait(parent, START));
		expect(jsonOf(execution, SUB).map(({ status }) => status)).toEqual(OUTCOMES);
	});

	it('to whoever asked a webhook that answers When Last Node Finishes', async () => {
		const { start } = await bench.published({
			rows: '={{ JSON.stringify({ rows: $json.body?.rows ?? [] }) }}',
			parameters: bulk(),
			responseMode: 'lastNode',
		});
		const answer = (await (await start({ rows })).json()) as IDataObject[];
		expect(answer.map(({ status }) => status)).toEqual(OUTCOMES);
		expect(bench.dialed.sort()).toEqual([amara.phone, bruno.phone].sort());
	});

	it('to an AI agent that gives a list of people to its tool', async () => {
		const { client, credential } = bench.stage;
		const people = [amara.phone, '0155 501', bruno.phone, amara.phone];
		const model = await startToolModel([
			{ tool: CALLS, arguments: { people } },
			{ says: 'Two people are called.' },
		]);
		const openAi = await client.createCredential({
			name: 'OpenAI stand-in',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.url, header: false },
		});
		const langchain = '@n8n/n8n-nodes-langchain';
		const tool = {
			...bulk({ destination: '', destinationSource: 'json' }),
			destinationsJson: "={{ $fromAI('people', 'Phone numbers with + and country code', 'json') }}",
			descriptionType: 'manual',
			toolDescription: 'Calls people by phone',
		};
		const agentFields = { promptType: 'define', text: 'Call everybody.', options: {} };
		const modelFields = { model: { __rl: true, mode: 'id', value: 'stand-in' }, options: {} };
		const workflow = await client.createWorkflow({
			name: bench.newName(),
			nodes: [
				node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
				node('Agent', `${langchain}.agent`, 3, agentFields),
				node('Model', `${langchain}.lmChatOpenAi`, 1.2, modelFields, holding(openAi)),
				node(CALLS, `${CALL_NODE}Tool`, 1, tool, holding(credential)),
			],
			connections: {
				...chain(START, 'Agent'),
				Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
				[CALLS]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
			},
			// As in the editor; an agent of the older order gets no answer of its tools.
			settings: { executionOrder: 'v1' },
		});
		const execution = await client.runAndWait(workflow, START);
		await model.close();
		expect([execution.status, shown(execution).message]).toEqual(['success', '']);
		const [read] = model.answers.map((answer) => JSON.parse(answer) as IDataObject[]);
		expect(read!.map(({ status }) => status)).toEqual(OUTCOMES);
		expect(bench.dialed.sort()).toEqual([amara.phone, bruno.phone].sort());
	});
});

it('G4 Retry of the parent after the daily limit calls only the rest, because the sub-workflow remembers', async () => {
	const { client } = bench.stage;
	const people = contacts(30);
	const parameters = bulk({ calledBefore: 'skip', options: { parallelRequests: 1 } });
	const child = await callingChild(parameters);
	const parent = await parentOf(child, people);
	// A sub-workflow is not started by hand, so its own dry run is made in its editor.
	const byHand = 'By hand';
	const jsonOutput = JSON.stringify(people[0]);
	const withTrigger = {
		...child,
		nodes: [
			...child.nodes,
			node(byHand, 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Sample', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
		],
		connections: { ...child.connections, ...chain(byHand, 'Sample', CALLS) },
	};
	const live = await bench.rehearsed(withTrigger, async (dry) => {
		expect(statuses(succeeded(await client.runAndWait(dry, byHand)))).toEqual(['dry_run']);
	});
	await bench.publish(live);

	bench.sandbox.settings.dailyLimit = 20;
	const ended = await client.runAndWait(parent, START);
	expect([ended.status, bench.dialed.length]).toEqual(['error', 20]);
	delete bench.sandbox.settings.dailyLimit;
	succeeded(await client.retryExecution(ended.id));
	expect(bench.sandbox.doubleDialed()).toEqual([]);
	expect(bench.dialed).toEqual(people.map(({ phone }) => phone));
});

it('n8n’s Evaluations call nobody, also in Live', async () => {
	const { client, credential } = bench.stage;
	const [dataset, metricsNode] = ['Dataset', 'Metrics'];
	const table = await client.createDataTable('people_to_evaluate', contacts(1));
	const metrics = { assignments: [{ id: '1', name: 'good', value: 1, type: 'number' }] };
	const workflow = await client.createWorkflow({
		name: bench.newName(),
		nodes: [
			node(dataset, 'n8n-nodes-base.evaluationTrigger', 4.7, {
				source: 'dataTable',
				dataTableId: { __rl: true, mode: 'id', value: table.id },
			}),
			node(CALLS, CALL_NODE, 1, bulk(), holding(credential)),
			node(metricsNode, 'n8n-nodes-base.evaluation', 4.6, { operation: 'setMetrics', metrics }),
		],
		connections: chain(dataset, CALLS, metricsNode),
	});
	await client.send('POST', `/workflows/${workflow.id}/test-runs/new`, {});
	let evaluated: Execution | undefined;
	await until('the evaluation has ended', async () => {
		const [found] = await client.listExecutions({ workflowId: workflow.id, status: ['success'] });
		evaluated = found && (await client.getExecution(found.id));
		return evaluated !== undefined;
	});
	expect([evaluated!.mode, statuses(evaluated!)]).toEqual(['evaluation', ['dry_run']]);
	expect(bench.sandbox.requests).toEqual([]);
});

it('G9 n8n’s HTTP Request node sends the token to the credential’s own address, and to no other', async () => {
	const { client } = bench.stage;
	const { baseUrl, token: apiToken } = bench.sandbox;
	const data = { baseUrl, apiToken, allowedHttpRequestDomains: 'all' };
	const type = 'outboundCallsApi';
	const credential = await client.createCredential({ name: 'For all nodes', type, data });
	const asks = async (address: string): Promise<unknown> => {
		const workflow = await client.createWorkflow({
			name: bench.newName(),
			nodes: [
				node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
				node(
					'Read',
					'n8n-nodes-base.httpRequest',
					4.2,
					{
						url: `${address}/batches/00000000-0000-4000-8000-000000000000`,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: type,
						options: { response: { response: { fullResponse: true, neverError: true } } },
					},
					holding(credential),
				),
			],
			connections: chain(START, 'Read'),
		});
		return jsonOf(succeeded(await client.runAndWait(workflow, START)), 'Read')[0]!.statusCode;
	};
	// Without the token, the sandbox answers 401.
	const elsewhere = baseUrl.replace('127.0.0.1', 'localhost');
	expect([await asks(baseUrl), await asks(elsewhere)]).toEqual([404, 401]);
});

const SECRET = 'callback-secret-1';
const TRIGGER = 'A call has ended';

it('the trigger starts once for each call that the post-call action reports with the secret; nobody else starts it', async () => {
	const { client } = bench.stage;
	const data = {
		baseUrl: bench.sandbox.baseUrl,
		apiToken: bench.sandbox.token,
		callbackSecret: SECRET,
	};
	const type = 'outboundCallsApi';
	const credential = await client.createCredential({ name: 'With a secret', type, data });
	const workflow = await client.createWorkflow({
		name: bench.newName(),
		nodes: [
			node(
				TRIGGER,
				'n8n-nodes-outbound-calls.outboundCallsTrigger',
				1,
				{},
				{ webhookId: 'callback', ...holding(credential) },
			),
			node('Then', 'n8n-nodes-base.noOp', 1, {}),
		],
		connections: chain(TRIGGER, 'Then'),
	});
	await bench.publish(workflow);
	const sends = async (body: object, secret?: string) =>
		(
			await bench.post(
				'callback/callback',
				body,
				secret === undefined ? {} : { 'X-Callback-Secret': secret },
			)
		).status;
	expect([await sends({ call_id: 'c-0' }), await sends({ call_id: 'c-0' }, 'guess')]).toEqual([
		401, 401,
	]);
	const sent = await Promise.all(
		Array.from({ length: 5 }, async () => await sends({ call_id: 'c-1', note: 'x' }, SECRET)),
	);
	expect(sent).toEqual([200, 200, 200, 200, 200]);
	for (const call_id of ['c-1', 'c-2']) await sends({ call_id, note: 'x' }, SECRET);
	const ended = await bench.ended(workflow, 2);
	expect(ended.map((execution) => jsonOf(succeeded(execution), 'Then'))).toEqual([
		[{ call_id: 'c-1', note: 'x' }],
		[{ call_id: 'c-2', note: 'x' }],
	]);
});
