import type { IRunExecutionData } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { closedPort } from './helpers/otherServers';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, place, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const rows = contacts(12);
const oneLane = { options: { parallelRequests: 1, maxRetryWait: 0 } };
const statuses = ({ json }: Finished): unknown[] => json.map(({ status }) => status);
const forget = async (number: string) =>
	await bench.run({
		resource: 'memory',
		operation: 'forget',
		forgetWhat: 'people',
		people: number,
	});

/** The record of an execution in which a node before this one failed: nothing of this node is in it, and n8n offers Retry. */
async function failedBefore(items = rows, id = 'execution'): Promise<Finished> {
	const failed = await bench.run(bulk(oneLane), items, {
		api: { baseUrl: await closedPort(), token: 'tk_nobody_listens' },
		executionId: id,
	});
	const data = JSON.parse(JSON.stringify(failed.data)) as IRunExecutionData;
	delete data.resultData.runData.Calls;
	delete data.resultData.error;
	return { ...failed, data };
}

describe('G4 Retry of one execution, more than once, with Call Again', () => {
	it('G4 a second Retry calls nobody again', async () => {
		const first = await failedBefore();
		await bench.run(bulk(), rows, { retryOf: first });
		const twice = await bench.run(bulk(), rows, { retryOf: first });
		expect(bench.dialed).toHaveLength(12);
		expect(statuses(twice)).toEqual(Array(12).fill('already_called'));
		expect(twice.json[0]?.reason).toMatch(/another Retry/i);
	});

	it.each([
		['Bulk Call', bulk],
		['Place Call', place],
	])('G4 %s: two Retries at the same moment dial each number once', async (_, calls) => {
		const first = await failedBefore();
		await Promise.all([1, 2].map(async () => await bench.run(calls(), rows, { retryOf: first })));
		expect([...bench.dialed].sort()).toEqual(rows.map((row) => row.phone));
	});

	it('G4 a Retry of a Retry, and two more of the first execution, call only the rest', async () => {
		const many = contacts(30);
		const first = await failedBefore(many);
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1, times: 1 });
		const second = await bench.run(bulk(oneLane), many, { retryOf: first });
		expect(second.error).toBeDefined();
		for (const retryOf of [second, first, first]) await bench.run(bulk(), many, { retryOf });
		expect(bench.dialed).toHaveLength(30);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G4 Retries of an execution that broke off call only the rest', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1, times: 1 });
		const first = await bench.run(bulk(oneLane), contacts(30));
		expect(first.error).toBeDefined();
		for (let n = 0; n < 2; n++) await bench.run(bulk(), contacts(30), { retryOf: first });
		expect(bench.dialed).toHaveLength(30);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G4 Retries of two executions know nothing of each other', async () => {
		for (const id of ['one', 'other'])
			await bench.run(bulk(), rows, { retryOf: await failedBefore(rows, id) });
		expect(bench.dialed).toHaveLength(24);
	});

	it('G4 nor do those of two nodes of the workflow', async () => {
		const first = await failedBefore();
		await bench.run(bulk(), rows, { retryOf: first });
		const copy = { nodeId: 'copy', nodeName: 'Copy', withSavedWorkflow: true };
		await bench.run(bulk(), rows, { retryOf: first, ...copy });
		expect(bench.dialed).toHaveLength(24);
	});

	it('G4 a node that was renamed before the Retry is still the same', async () => {
		const first = await failedBefore();
		await bench.run(bulk(), rows, { retryOf: first });
		const renamed = { nodeName: 'Renamed', withSavedWorkflow: true };
		await bench.run(bulk(), rows, { retryOf: first, ...renamed });
		expect(bench.dialed).toHaveLength(12);
	});

	it('a Retry that cannot reach the database calls nobody and says so; the next one calls', async () => {
		const first = await failedBefore();
		store.outOfOrder = 'database is locked';
		const stopped = shown(await bench.run(bulk(), rows, { retryOf: first }));
		expect(stopped.message).toMatch(/database.*database is locked/);
		expect(stopped.description).toMatch(/Retry/);
		const continued = await bench.run(bulk(), rows, {
			retryOf: first,
			withSavedWorkflow: true,
			onError: 'continueRegularOutput',
		});
		expect(statuses(continued)).toEqual(Array(12).fill('refused'));
		expect(bench.sandbox.requests).toEqual([]);
		store.outOfOrder = undefined;
		await bench.run(bulk(), rows, { retryOf: first });
		expect(bench.dialed).toHaveLength(12);
	});

	it('a new run of the workflow is no retry: it calls everybody', async () => {
		await bench.run(bulk(), rows);
		await bench.run(bulk(), rows, { executionId: 'next' });
		expect(bench.dialed).toHaveLength(24);
	});
});

it('G8 a Retry and the next run remember whom an earlier try called; Forget People frees them', async () => {
	const skipping = bulk({ calledBefore: 'skip', ...oneLane });
	bench.sandbox.settings.dailyLimit = 10;
	const stopped = await bench.run(skipping, rows);
	delete bench.sandbox.settings.dailyLimit;
	const retried = await bench.run(skipping, rows, { retryOf: stopped });
	expect(statuses(retried)).toEqual(Array(12).fill('initiated'));
	expect(statuses(await bench.run(skipping, rows))).toEqual(Array(12).fill('already_called'));
	await forget(phone(0));
	expect(statuses(await bench.run(skipping, rows)).slice(0, 2)).toEqual([
		'initiated',
		'already_called',
	]);
});
