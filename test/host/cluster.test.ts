import { bulk, contacts } from '../engine/helpers/workflows';
import type { Sandbox } from '../sandbox';
import { CALL_NODE, CALLS, callWorkflow, START } from './helpers/callWorkflow';
import type { SavedWorkflow } from './helpers/client';
import { setUpCluster, type Cluster, type Worker } from './helpers/cluster';
import { exampleWorkflow } from './helpers/exampleWorkflow';
import { statuses, succeeded } from './helpers/executions';
import { say, until, withFields } from './helpers/hostBench';
import { Teardown } from './helpers/teardown';

/** n8n in queue mode: PostgreSQL, Redis, one main process, and two workers. */
const teardown = new Teardown();
let cluster: Cluster;
let sandbox: Sandbox;
let workers: Worker[];

beforeAll(async () => {
	cluster = await setUpCluster(say, teardown, { latencyMs: 250 });
	({ sandbox, workers } = cluster);
});
beforeEach(() => sandbox.reset());
afterAll(() => teardown.run());

const dialed = (): string[] => sandbox.journal.map(({ phone }) => phone).sort();
const phones = (count: number): string[] => contacts(count).map(({ phone }) => phone);

/** A workflow after its dry run, Live. */
async function rehearsed(definition: SavedWorkflow, name: string, start: string) {
	const { client } = cluster;
	succeeded(await client.runAndWait(definition, start));
	expect(sandbox.requests).toEqual([]);
	return await client.updateWorkflow(withFields(definition, name, { mode: 'live' }));
}

/** Calls so many people, with the memory of a new node. */
async function remembering(count: number): Promise<SavedWorkflow> {
	const { client, credential } = cluster;
	const parameters = bulk({ calledBefore: 'skip', mode: 'dryRun' });
	const given = { rows: contacts(count), parameters };
	const workflow = await client.createWorkflow(callWorkflow('Remembering', credential, given));
	return await rehearsed(workflow, CALLS, START);
}

it('cluster-campaign.workflow.json calls each number once when four executions on two workers have the same rows', async () => {
	const { client, credential, postgres, postgresCredential, filesFolder } = cluster;
	const values = phones(60).map((phone, n) => `('Person ${n}', '${phone}', 1)`);
	await postgres.query(
		`CREATE TABLE contacts (id serial, name text, phone text, amount text, opted_out boolean,
		call_status text, call_reason text, called_at timestamptz, tried_at timestamptz);
		INSERT INTO contacts (name, phone, amount) VALUES ${values.join(', ')};
		CREATE TABLE claimed (campaign text, phone text, PRIMARY KEY (campaign, phone))`,
	);
	const example = await exampleWorkflow('cluster-campaign.workflow.json', {
		credentials: [credential, postgresCredential],
		filesFolder,
	});
	for (const { type, parameters } of example.nodes)
		if (type === CALL_NODE) Object.assign(parameters, { countries: ['any'], callingHours: 'any' });
	const start = example.nodes.find(({ type }) => type.endsWith('scheduleTrigger'))!.name;
	const workflow = await rehearsed(await client.createWorkflow(example), 'Call claimed', start);
	const together = await Promise.all([1, 2, 3, 4].map(() => client.runAndWait(workflow, start)));
	together.forEach(succeeded);
	expect(dialed()).toEqual(phones(60).sort());
	const ran = await Promise.all(workers.map((worker) => worker.executions()));
	expect(ran.map((ids) => together.some(({ id }) => ids.has(id)))).toEqual([true, true]);
	const [{ count }] = (await postgres.query(
		'SELECT count(*) FROM contacts WHERE called_at IS NOT NULL',
	)) as [{ count: string }];
	expect(count).toBe('60');
});

it('G8 one run after the other, on whichever worker: nobody is called twice by n8n’s own memory', async () => {
	const workflow = await remembering(40);
	const { client } = cluster;
	succeeded(await client.runAndWait(workflow, START));
	for (let n = 0; n < 3; n++)
		expect(new Set(statuses(succeeded(await client.runAndWait(workflow, START))))).toEqual(
			new Set(['already_called']),
		);
	expect(dialed()).toEqual(phones(40).sort());
});

// The last one: a worker is gone then.
it('G8 after a worker was killed, the next run on the other worker calls nobody who was called before', async () => {
	const workflow = await remembering(300);
	const { client } = cluster;
	const id = await client.run(workflow, START);
	await until('100 numbers were dialed', () => sandbox.journal.length >= 100);
	let killed: Worker | undefined;
	for (const worker of workers) if ((await worker.executions()).has(id)) killed = worker;
	await killed!.kill();
	await until('the requests under way are answered', () => sandbox.inFlight === 0);
	const before = sandbox.journal.length;
	expect(before).toBeLessThan(300);
	const again = statuses(succeeded(await client.runAndWait(workflow, START)));
	const already = again.filter((status) => status === 'already_called').length;
	say(`a worker was killed after ${before} of 300 calls; ${already - before} stay entered`);
	expect(already).toBeGreaterThanOrEqual(before);
	expect(sandbox.doubleDialed()).toEqual([]);
	expect(sandbox.journal).toHaveLength(before + 300 - already);
});
