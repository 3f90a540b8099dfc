import { bulk, contacts, phone } from '../engine/helpers/workflows';
import type { Execution } from './helpers/client';
import { callsOf, hostBench, say, until } from './helpers/hostBench';
import { placesWithTheToken } from './helpers/leaks';

const bench = hostBench();

const once = (parallelRequests: number) => bulk({ calledBefore: 'skip', options: { parallelRequests } });

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
			expect(outputs.map((output) => output[index]?.destination)).toEqual([row.phone, row.phone, row.phone]);
			expect(outputs.map((output) => output[index]?.status).sort()).toEqual(['already_called', 'already_called', 'initiated']);
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
		expect(callsOf(again).map(({ destination }) => destination)).toEqual(rows.map((row) => row.phone));
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

	it('G9 the token is in no execution, log or database of all these runs', async () => {
		expect(await placesWithTheToken(bench, phone(0))).toEqual([]);
	});
});

/** The numbers that a run dialed, and those that it did not dial because an earlier run had claimed them. */
function outcomes(execution: Execution): { initiated: Set<unknown>; already: Set<unknown> } {
	const rows = callsOf(execution);
	const numbers = (status: string) => new Set(rows.filter((row) => row.status === status).map(({ destination }) => destination));
	for (const row of rows) {
		if (row.status === 'already_called') expect(row.reason).toMatch(/earlier run/);
	}
	return { initiated: numbers('initiated'), already: numbers('already_called') };
}
