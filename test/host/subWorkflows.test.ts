import type { INode, INodeParameters } from 'n8n-workflow';
import { bulk, contacts } from '../engine/helpers/workflows';
import { node } from '../workflowNode';
import { CALLS, START } from './helpers/callWorkflow';
import type { Execution, SavedWorkflow } from './helpers/client';
import { callsOf, hostBench, shown, until } from './helpers/hostBench';

/** Bulk Call in a sub-workflow: each try of its parent starts it anew, with nothing that n8n keeps for retries. */
const bench = hostBench();

const LIST = 'List';
const ROWS = 'Rows';
const SUB = 'Call them';
const rows = contacts(40);
const phones = rows.map((row) => row.phone);
const times = (count: number, status: string): string[] => Array<string>(count).fill(status);

/** A saved sub-workflow that calls whatever it is given, and a parent with the rows. */
async function family(
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): Promise<{ parent: SavedWorkflow; child: SavedWorkflow }> {
	const { client, credential } = bench.stage;
	const { id, name, type } = credential;
	const child = await client.createWorkflow({
		name: 'Calls',
		nodes: [
			node(START, 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			node(
				CALLS,
				'n8n-nodes-outbound-calls.outboundCalls',
				1,
				{ ...parameters, mode: 'dryRun' },
				{ credentials: { [type]: { id, name } } },
			),
		],
		connections: { [START]: { main: [[{ node: CALLS, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await bench.publish(child);
	const leadsTo = (next: string) => ({ main: [[{ node: next, type: 'main' as const, index: 0 }]] });
	const parent = await client.createWorkflow({
		name: 'Parent',
		nodes: [
			node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
			node(LIST, 'n8n-nodes-base.set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ rows }),
				options: {},
			}),
			node(ROWS, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
			node(
				SUB,
				'n8n-nodes-base.executeWorkflow',
				1.2,
				{ workflowId: { __rl: true, mode: 'id', value: child.id }, mode: 'once', options: {} },
				settings,
			),
		],
		connections: { [START]: leadsTo(LIST), [LIST]: leadsTo(ROWS), [ROWS]: leadsTo(SUB) },
		settings: { executionOrder: 'v1' },
	});
	// As the node asks for: a dry run first.
	const live = {
		...child,
		nodes: child.nodes.map((each) => (each.name === CALLS ? { ...each, parameters } : each)),
	};
	const published = await bench.afterDryRun(
		live,
		async () => await client.runAndWait(parent, START),
		[parent],
	);
	await bench.publish(published);
	return { parent, child: published };
}

/** What became of each number, over all executions of the sub-workflow. */
async function statuses(child: SavedWorkflow, executions: number): Promise<string[][]> {
	const ended = await bench.ended(child, executions);
	return ended.map((execution: Execution) =>
		callsOf(execution).map(({ status }) => status as string),
	);
}

describe('G4 Retry is safe in a sub-workflow (People Called Before: skip)', () => {
	const parameters = bulk({
		calledBefore: 'skip',
		options: { parallelRequests: 1, maxRetryWait: 0 },
	});

	it('G4 Retry on the parent calls only the rest after the daily limit ended the sub-workflow', async () => {
		bench.sandbox.settings.dailyLimit = 20;
		const { parent, child } = await family(parameters);
		const ended = await bench.stage.client.runAndWait(parent, START);
		expect({ status: ended.status, ...shown(ended) }).toMatchObject({
			status: 'error',
			message: expect.stringContaining('daily call limit'),
		});
		expect(bench.dialed).toHaveLength(20);

		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.stage.client.retryExecution(ended.id);
		expect(retried).toMatchObject({ status: 'success', retryOf: ended.id });
		expect(await statuses(child, 2)).toEqual([
			[],
			[...times(20, 'already_called'), ...times(20, 'initiated')],
		]);
		expect(bench.dialed).toEqual(phones);
	});

	it('G4 Retry On Fail on Execute Sub-workflow calls nobody twice, and whose call has no clear answer is not called again', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
		const { parent, child } = await family(parameters, {
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 10,
		});
		const execution = await bench.stage.client.runAndWait(parent, START);
		expect({ status: execution.status, ...shown(execution) }).toEqual({
			status: 'success',
			message: '',
			description: '',
		});
		expect(await statuses(child, 2)).toEqual([
			[],
			[...times(20, 'already_called'), ...times(20, 'initiated')],
		]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toEqual(phones);
	});

	it('G4 Retry pressed twice on the parent, and once more when all are called, calls nobody twice', async () => {
		const { parent, child } = await family(parameters);
		for (const limit of [10, 30]) {
			bench.sandbox.settings.dailyLimit = limit;
			expect((await bench.stage.client.runAndWait(parent, START)).status).toBe('error');
		}
		delete bench.sandbox.settings.dailyLimit;
		const [first] = (await bench.ended(parent, 2)) as [Execution, Execution];
		const retries = await Promise.all([
			bench.stage.client.retryExecution(first.id),
			bench.stage.client.retryExecution(first.id),
		]);
		expect(retries.map(({ status }) => status)).toEqual(['success', 'success']);
		const [third, fourth] = (await statuses(child, 4)).slice(2);
		expect([...third!, ...fourth!].sort()).toEqual([
			...times(70, 'already_called'),
			...times(10, 'initiated'),
		]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed.sort()).toEqual(phones);
	});
});

/** `docs/retry.md` says so. */
it('with Call Again, a sub-workflow that is started anew calls everybody again', async () => {
	const { parent, child } = await family(bulk());
	bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 3, times: 1 });
	const ended = await bench.stage.client.runAndWait(parent, START);
	expect(ended.status).toBe('error');
	bench.sandbox.clearFaults();
	expect((await bench.stage.client.retryExecution(ended.id)).status).toBe('success');
	expect((await statuses(child, 2))[1]).toEqual(times(40, 'initiated'));
	expect(bench.sandbox.doubleDialed().length).toBeGreaterThan(0);
});

/** `docs/retry.md` says so. */
it('n8n does not stop a sub-workflow with its parent, but by its own execution', async () => {
	const { client } = bench.stage;
	const { parent, child } = await family(
		bulk({ calledBefore: 'skip', options: { parallelRequests: 1 } }),
	);
	bench.sandbox.fault({ kind: 'latency', route: 'bulk', after: 1, ms: 2_000 });
	const id = await client.run(parent, START);
	await until('the sub-workflow calls', () => bench.sandbox.requests.length >= 2);
	await client.stopExecution(id);
	await until(
		'the parent is stopped',
		async () => (await client.getExecution(id)).status === 'canceled',
	);
	const sent = bench.sandbox.requests.length;
	await until('the sub-workflow calls on', () => bench.sandbox.requests.length > sent);
	const [calling] = await client.listExecutions({ workflowId: child.id, status: ['running'] });
	await client.stopExecution(calling!.id);
	const stoppedAt = bench.sandbox.requests.length;
	await until('the requests under way are answered', () => bench.sandbox.inFlight === 0);
	const [execution] = await bench.ended(child, 1);
	expect(execution!.status).toBe('canceled');
	expect(bench.sandbox.requests).toHaveLength(stoppedAt);
	expect(bench.dialed.length).toBeLessThan(rows.length);
});
