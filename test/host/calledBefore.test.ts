import type { INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bulk, contacts, phone } from '../engine/helpers/workflows';
import { BY_HAND, CALLS, LIST } from './helpers/callWorkflow';
import type { Execution } from './helpers/client';
import { callsOf, hostBench, say, shown, until } from './helpers/hostBench';
import { placesWithTheToken } from './helpers/leaks';
import { runCommand } from './helpers/n8n';

const bench = hostBench();

const once = (parallelRequests: number) =>
	bulk({ calledBefore: 'skip', options: { parallelRequests } });

describe('G8 People Called Before: skip', () => {
	it('G8 three executions at the same time dial each number once', async () => {
		bench.sandbox.settings.latencyMs = 50;
		const rows = contacts(60);
		const { workflow, start } = await bench.activeWorkflow({ rows, parameters: once(5) });
		await Promise.all([start(), start(), start()]);
		const executions = await bench.ended(workflow, 3);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		const outputs = executions.map(callsOf);
		for (const [index, row] of rows.entries()) {
			expect(outputs.map((output) => output[index]?.destination)).toEqual([
				row.phone,
				row.phone,
				row.phone,
			]);
			expect(outputs.map((output) => output[index]?.status).sort()).toEqual([
				'already_called',
				'already_called',
				'initiated',
			]);
		}
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(60);
	});

	it('G8 after n8n was killed in the middle of a campaign, running it again and its Retry button call nobody twice', async () => {
		bench.sandbox.settings.latencyMs = 50;
		const rows = contacts(300);
		const { workflow, start } = await bench.activeWorkflow({ rows, parameters: once(2) });
		await start();
		await until('120 numbers were dialed', () => bench.dialed.length >= 120);
		await bench.crash();
		await until('the requests under way are answered', () => bench.sandbox.inFlight === 0);
		const before = new Set<unknown>(bench.dialed);
		expect(before.size).toBeLessThan(300);

		await bench.startAgain();
		const [crashed] = await bench.ended(workflow, 1);
		expect(crashed!.status).toBe('crashed');

		await start();
		const again = (await bench.ended(workflow, 2)).at(-1)!;
		expect(again.status).toBe('success');
		expect(callsOf(again).map(({ destination }) => destination)).toEqual(
			rows.map((row) => row.phone),
		);
		const after = outcomes(again);
		const claimed = [...after.already].filter((number) => !before.has(number));
		say(
			`killed after ${before.size} of 300 dials; run again: ${after.initiated.size} initiated, ` +
				`${after.already.size} already_called, ${claimed.length} of these claimed but not dialed`,
		);
		expect([...before].filter((number) => !after.already.has(number))).toEqual([]);
		expect(after.initiated.size + after.already.size).toBe(300);
		expect(before.size + after.initiated.size + claimed.length).toBe(300);
		// Two requests were under way at most.
		expect(claimed.length).toBeLessThanOrEqual(20);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(before.size + after.initiated.size);

		const retried = await bench.stage.client.retryExecution(crashed!.id);
		expect(outcomes(retried).already.size).toBe(300);
		expect(bench.dialed).toHaveLength(before.size + after.initiated.size);
	});

	/** n8n gives a workflow that is duplicated, pasted or imported a new ID; nodes without an ID get one. */
	it.each(['with its nodes’ IDs', 'without IDs'])(
		'a copy of the workflow (%s) calls nobody until somebody has looked at a dry run',
		async (how) => {
			const { client } = bench.stage;
			const rows = contacts(20);
			const original = await bench.activeWorkflow({ rows, parameters: once(2) });
			await original.start();
			await bench.ended(original.workflow, 1);
			expect(bench.dialed).toHaveLength(20);

			const nodes = original.workflow.nodes.map((node) =>
				how === 'without IDs' ? ({ ...node, id: undefined } as unknown as INode) : node,
			);
			const copy = await client.createWorkflow({ ...original.workflow, nodes });
			for (let times = 0; times < 2; times++) {
				const ended = await client.runAndWait(copy, BY_HAND);
				expect({ status: ended.status, ...shown(ended) }).toMatchObject({
					status: 'error',
					message: expect.stringMatching(
						/^20 rows: 0 called, 20 not called .*no dry run or test was made in this workflow yet/,
					),
					description: expect.stringContaining(
						'A copy of a workflow does not know whom the original has called',
					),
				});
			}
			expect(bench.dialed).toHaveLength(20);

			const inMode = async (mode: string) => {
				const { parameters } = copy.nodes.find(({ name }) => name === CALLS)!;
				parameters.mode = mode;
				return await client.runAndWait(await client.updateWorkflow(copy), BY_HAND);
			};
			expect(callsOf(await inMode('dryRun')).map(({ status }) => status)).toEqual(
				rows.map(() => 'dry_run'),
			);
			expect(bench.dialed).toHaveLength(20);
			const live = await inMode('live');
			expect(callsOf(live).map(({ status, called }) => [status, called])).toEqual(
				rows.map(() => ['initiated', 'yes']),
			);
			expect(callsOf(await client.runAndWait(copy, BY_HAND)).map(({ status }) => status)).toEqual(
				rows.map(() => 'already_called'),
			);
			expect(bench.dialed).toHaveLength(40);
		},
	);

	it('a workflow that is exported and imported again with its ID still knows whom it called, and goes on', async () => {
		const { client, host, userFolder } = bench.stage;
		const { workflow, start } = await bench.activeWorkflow({
			rows: contacts(20),
			parameters: once(2),
		});
		await start();
		await bench.ended(workflow, 1);
		const nodes = workflow.nodes.map((node) =>
			node.name === LIST
				? {
						...node,
						parameters: { ...node.parameters, jsonOutput: JSON.stringify({ rows: contacts(25) }) },
					}
				: node,
		);
		const exported = path.join(userFolder, 'exported.json');
		await writeFile(
			exported,
			JSON.stringify({ ...(await client.send<object>('GET', `/workflows/${workflow.id}`)), nodes }),
		);
		await runCommand(
			{ host, userFolder, logFile: path.join(userFolder, 'import.log') },
			'import:workflow',
			`--input=${exported}`,
		);

		const again = await client.runAndWait(workflow, BY_HAND);
		expect(callsOf(again).map(({ status }) => status)).toEqual(
			contacts(25).map((_, n) => (n < 20 ? 'already_called' : 'initiated')),
		);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(25);
	});

	it('a node that was copied beside itself, or deleted and added again, calls nobody a second time', async () => {
		const { client } = bench.stage;
		const rows = contacts(20);
		const { workflow, start } = await bench.activeWorkflow({ rows, parameters: once(2) });
		await start();
		await bench.ended(workflow, 1);
		const nodes = workflow.nodes.map((node) =>
			node.name === CALLS ? { ...node, id: randomUUID() } : node,
		);
		const again = await client.runAndWait(
			await client.updateWorkflow({ ...workflow, nodes }),
			BY_HAND,
		);
		expect(callsOf(again).map(({ status }) => status)).toEqual(rows.map(() => 'already_called'));
		expect(bench.dialed).toHaveLength(20);
	});

	it('G9 the token is in no execution, log or database of all these runs', async () => {
		expect(await placesWithTheToken(bench, phone(0))).toEqual([]);
	});
});

/** The numbers that a run dialed, and those that it did not dial because an earlier run had claimed them. */
function outcomes(execution: Execution): { initiated: Set<unknown>; already: Set<unknown> } {
	const rows = callsOf(execution);
	const numbers = (status: string) =>
		new Set(rows.filter((row) => row.status === status).map(({ destination }) => destination));
	for (const row of rows) {
		if (row.status === 'already_called') expect(row.reason).toMatch(/earlier run/);
	}
	return { initiated: numbers('initiated'), already: numbers('already_called') };
}
