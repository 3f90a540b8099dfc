import { bulk, contacts } from '../engine/helpers/workflows';
import { node } from '../workflowNode';
import { CALLS, START } from './helpers/callWorkflow';
import type { Execution } from './helpers/client';
import { callsOf, hostBench, until } from './helpers/hostBench';

/** n8n runs a workflow for real when it evaluates it: the node must call nobody of the data set. */
const bench = hostBench();

const DATASET = 'Dataset';
const GATE = 'Gate';
const leadsTo = (next: string) => ({ main: [[{ node: next, type: 'main' as const, index: 0 }]] });

it('nobody is called in an evaluation, in its sub-workflow, and by the Retry of its execution', async () => {
	const { client, credential } = bench.stage;
	const credentials = { [credential.type]: { id: credential.id, name: credential.name } };
	const live = node(CALLS, 'n8n-nodes-outbound-calls.outboundCalls', 1, bulk(), { credentials });
	const child = await client.createWorkflow({
		name: 'Calls for others',
		nodes: [
			node(START, 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			live,
		],
		connections: { [START]: leadsTo(CALLS) },
		settings: { executionOrder: 'v1' },
	});
	await bench.publish(child);
	const table = await client.createDataTable('people_to_evaluate', contacts(1));
	const metrics = { assignments: [{ id: '1', name: 'good', value: 1, type: 'number' }] };
	const parent = await client.createWorkflow({
		name: 'Evaluated',
		nodes: [
			node(DATASET, 'n8n-nodes-base.evaluationTrigger', 4.7, {
				source: 'dataTable',
				dataTableId: { __rl: true, mode: 'id', value: table.id },
			}),
			node('Desk', 'n8n-nodes-base.executeWorkflow', 1.2, {
				workflowId: { __rl: true, mode: 'id', value: child.id },
				mode: 'once',
				options: {},
			}),
			node(GATE, 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Not yet' }),
			{
				...live,
				parameters: {
					...live.parameters,
					destination: `={{ $('${DATASET}').first().json.phone }}`,
				},
			},
			node('Metrics', 'n8n-nodes-base.evaluation', 4.6, { operation: 'setMetrics', metrics }),
		],
		connections: {
			[DATASET]: leadsTo('Desk'),
			Desk: leadsTo(GATE),
			[GATE]: leadsTo(CALLS),
			[CALLS]: leadsTo('Metrics'),
		},
		settings: { executionOrder: 'v1' },
	});
	await client.send('POST', `/workflows/${parent.id}/test-runs/new`, {});
	const isEvaluated = async () =>
		(await client.listExecutions({ workflowId: parent.id, status: ['error'] })).length > 0;
	await until('the evaluation has ended', isEvaluated);
	const [evaluated] = await client.listExecutions({ workflowId: parent.id, status: ['error'] });
	const [inSubWorkflow] = await bench.ended(child, 1);
	expect(callsOf(inSubWorkflow!).map(({ status }) => status)).toEqual(['dry_run']);

	const nodes = parent.nodes.map((each) =>
		each.name === GATE ? node(GATE, 'n8n-nodes-base.noOp', 1, {}) : each,
	);
	await client.updateWorkflow({ ...parent, nodes });
	const { id } = await client.send<{ id: string }>('POST', `/executions/${evaluated!.id}/retry`, {
		loadWorkflow: true,
	});
	const retried: Execution = await client.waitForExecution(id);
	expect({ mode: retried.mode, calls: callsOf(retried).map(({ status }) => status) }).toEqual({
		mode: 'retry',
		calls: ['dry_run'],
	});
	expect(bench.dialed).toEqual([]);
});
