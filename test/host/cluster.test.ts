import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { AGENT, bulk, contacts } from '../engine/helpers/workflows';
import type { Sandbox } from '../sandbox';
import { BY_HAND, CALL_NODE } from './helpers/callWorkflow';
import type { Execution } from './helpers/client';
import { setUpCluster, type Cluster, type Worker } from './helpers/cluster';
import { exampleWorkflow } from './helpers/exampleWorkflow';
import { shown, statuses, succeeded } from './helpers/executions';
import { HostBench, say, until, withFields } from './helpers/hostBench';
import { Teardown } from './helpers/teardown';

/** How often each test plays its round. `ROUNDS=10` is for the record. */
const ROUNDS = Number(process.env.ROUNDS ?? 1);

/** n8n in queue mode: PostgreSQL, Redis, one main process, and two workers. */
const teardown = new Teardown();
const bench = new HostBench();
let cluster: Cluster;
let sandbox: Sandbox;
let workers: Worker[];

beforeAll(async () => {
	cluster = await setUpCluster(say, teardown, { latencyMs: 250 });
	bench.stage = cluster;
	({ sandbox, workers } = cluster);
});
beforeEach(() => sandbox.reset());
afterAll(() => teardown.run());

const dialed = (): string[] => sandbox.journal.map(({ phone }) => phone).sort();
const phones = (count: number): string[] => contacts(count).map(({ phone }) => phone);

/** A published workflow that calls the rows that its webhook is sent; by hand, all of them. */
async function campaign(count: number, parameters: INodeParameters = {}) {
	sandbox.reset();
	const rows = JSON.stringify(contacts(count));
	return await bench.published({
		rows: `={{ { rows: $json.body?.rows ?? ${rows} } }}`,
		parameters: bulk({ calledBefore: 'skip', ...parameters }),
	});
}

/** Executions at once on the workers, each with rows of its own. Resolves with all executions. */
async function together(
	{ workflow, start }: Awaited<ReturnType<typeof campaign>>,
	rows: object[][],
): Promise<Execution[]> {
	await Promise.all(rows.map(async (each) => await start({ rows: each })));
	return await bench.ended(workflow, rows.length);
}

/** Each worker had some of them. */
async function expectOnBothWorkers(executions: readonly Execution[]): Promise<void> {
	const ran = await Promise.all(workers.map((worker) => worker.executions()));
	expect(ran.map((ids) => executions.some(({ id }) => ids.has(id)))).toEqual([true, true]);
}

/** Plays a round several times, and says what it says. */
async function rounds(title: string, round: () => Promise<string>): Promise<void> {
	for (let n = 1; n <= ROUNDS; n++) {
		const begun = Date.now();
		const result = await round();
		say(`${title}, round ${n}: ${result}, ${((Date.now() - begun) / 1_000).toFixed(1)} s`);
	}
}

const lists = (many: number, rows: () => object[]): object[][] =>
	Array.from({ length: many }, () => rows());
/** For ten executions. */
const ten = (rows: object[]): object[][] => lists(10, () => rows);

it('database-campaign.workflow.json calls each number once when four executions on two workers take their rows from one table', async () => {
	const { client, credential, postgres, postgresCredential, filesFolder } = cluster;
	const values = phones(500).map((phone, n) => `('Person ${n}', '${phone}', 1)`);
	await postgres.query(
		`CREATE TABLE customers (id serial, name text, phone text, amount text, opted_out boolean,
		call_status text, call_reason text, reached text, called_at timestamptz, tried_at timestamptz);
		INSERT INTO customers (name, phone, amount) VALUES ${values.join(', ')}`,
	);
	const example = await exampleWorkflow('database-campaign.workflow.json', {
		credentials: [credential, postgresCredential],
		filesFolder,
	});
	const calls = example.nodes.find(({ type }) => type === CALL_NODE)!;
	Object.assign(calls.parameters, {
		agentNumber: AGENT,
		countries: ['any'],
		callingHours: 'any',
		waitUntil: 'none',
	});
	const first = example.nodes.find(({ type }) => type.endsWith('manualTrigger'))!;
	const workflow = await client.createWorkflow(example);
	succeeded(await client.runAndWait(workflow, first.name));
	expect(sandbox.requests).toEqual([]);
	const live = withFields(workflow, calls.name, { mode: 'live' });
	const webhook = { type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: 'database' };
	live.nodes = live.nodes.map((each) =>
		each.name === first.name
			? { ...each, ...webhook, parameters: { httpMethod: 'POST', path: 'database' } }
			: each,
	);
	const saved = await client.updateWorkflow(live);
	await bench.publish(saved);
	await Promise.all([1, 2, 3, 4].map(() => bench.post('database', {})));
	const executions = (await bench.ended(saved, 5)).map(succeeded);
	await expectOnBothWorkers(executions);
	expect(dialed()).toEqual(phones(500).sort());
	const [row] = await postgres.query('SELECT count(called_at) FROM customers');
	expect(row).toEqual({ count: '500' });
});

it('G8 ten executions at once with the same list call each person once, and forget nobody', async () => {
	await rounds('the same list', async () => {
		const started = await campaign(200);
		const executions = await together(started, ten(contacts(200)));
		executions.forEach(succeeded);
		await expectOnBothWorkers(executions);
		expect(dialed()).toEqual(phones(200).sort());
		await started.start({ rows: contacts(200) });
		const again = (await bench.ended(started.workflow, 11)).at(-1)!;
		expect(new Set(statuses(succeeded(again)))).toEqual(new Set(['already_called']));
		return `${dialed().length} of 200 called, ${sandbox.doubleDialed().length} twice`;
	});
});

it('G8 ten executions at once with overlapping lists call each person once', async () => {
	await rounds('overlapping lists', async () => {
		const all = contacts(560);
		const some = lists(10, () => all.filter(() => Math.random() < 0.35));
		const executions = await together(await campaign(560), some);
		executions.forEach(succeeded);
		const wanted = new Set((some.flat() as typeof all).map(({ phone }) => phone));
		expect(dialed()).toEqual([...wanted].sort());
		return `${dialed().length} of ${wanted.size} called, ${sandbox.doubleDialed().length} twice`;
	});
});

it('ten executions at once reach each limit exactly: two calls a day to each person, or a number of calls for all', async () => {
	await rounds('two calls a day', async () => {
		const rules = { callsPerPerson: { limit: [{ calls: 2, per: 'day' }] } };
		const limited = await campaign(50, { calledBefore: 'callAgain', rules });
		(await together(limited, ten(contacts(50)))).forEach(succeeded);
		expect(dialed()).toEqual([...phones(50), ...phones(50)].sort());
		return `${dialed().length} calls to 50 people`;
	});
	await rounds('70 calls a day', async () => {
		const limited = await campaign(150, { rules: { maxCallsPerDay: 70 } });
		(await together(limited, ten(contacts(150)))).forEach(succeeded);
		expect([sandbox.journal.length, sandbox.doubleDialed()]).toEqual([70, []]);
		return `${sandbox.journal.length} calls`;
	});
});

it('G8 Execute workflow on the main process while workers run the same workflow: each person is called once', async () => {
	await rounds('Execute workflow meanwhile', async () => {
		const { client } = cluster;
		const started = await campaign(300);
		const begun = Promise.all(lists(4, () => contacts(300)).map((rows) => started.start({ rows })));
		const byHand = await Promise.all([
			client.run(started.workflow, BY_HAND),
			client.run(started.workflow, BY_HAND),
		]);
		await begun;
		(await bench.ended(started.workflow, 6)).forEach(succeeded);
		const onWorkers = await Promise.all(workers.map((worker) => worker.executions()));
		expect(byHand.filter((id) => onWorkers.some((ids) => ids.has(id)))).toEqual([]);
		expect(dialed()).toEqual(phones(300).sort());
		return `${dialed().length} of 300 called, ${sandbox.doubleDialed().length} twice`;
	});
});

it('G8 while workers are killed three times, nobody is called twice, and the next run calls the rest', async () => {
	await rounds('three kills', async () => {
		const people = contacts(900);
		const started = await campaign(people.length, { options: { parallelRequests: 1 } });
		const afterCalls: number[] = [];
		for (let kill = 0; kill < 3; kill++) {
			const some = people.slice(300 * kill, 300 * (kill + 1));
			const theirs = new Set(some.map(({ phone }) => phone));
			await Promise.all(lists(4, () => some).map((rows) => started.start({ rows })));
			const count = () => sandbox.journal.filter(({ phone }) => theirs.has(phone)).length;
			await until('some of them are called', () => count() > 20);
			await sleep(Math.random() * 1_000);
			const worker = workers[kill % 2]!;
			await worker.kill();
			afterCalls.push(count());
			await worker.restart();
		}
		await started.start({ rows: people });
		const executions = (await bench.ended(started.workflow, 13)).sort((a, b) => +a.id - +b.id);
		const last = succeeded(executions.at(-1)!);
		expect(sandbox.doubleDialed()).toEqual([]);
		// Those of a request under way when its worker was killed stay entered.
		const others = executions.filter(({ status }) => status !== 'success');
		const killed = others.length;
		// What n8n says of an execution whose worker is gone.
		for (const each of others) expect(shown(each).message).toMatch(/too many times|did not finish/);
		const entered = people.length - sandbox.journal.length;
		expect(entered).toBeLessThanOrEqual(10 * killed);
		const called = statuses(last).map((status) =>
			['initiated', 'already_called'].includes(String(status)),
		);
		expect(called).toEqual(people.map(() => true));
		return `${sandbox.journal.length} of ${people.length} called, ${sandbox.doubleDialed().length} twice, ${killed} of 13 executions killed (after ${afterCalls.join(', ')} of 300), ${entered} people stay entered`;
	});
});
