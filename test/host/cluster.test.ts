import { parse } from 'csv-parse/sync';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { bulk, contacts } from '../engine/helpers/workflows';
import type { Sandbox } from '../sandbox';
import { CALLS, callWorkflow, START } from './helpers/callWorkflow';
import { setUpCluster, workerNames, type Cluster, type Worker } from './helpers/cluster';
import {
	ClusterCampaigns,
	writeContacts,
	type CallLine,
	type ClusterCampaign,
} from './helpers/clusterCampaign';
import { exampleWorkflow, fillIn } from './helpers/exampleWorkflow';
import { callsOf, say, until } from './helpers/hostBench';
import { itemsOf } from './helpers/outcomes';
import { Teardown } from './helpers/teardown';

/** How long an answer of the phone service takes. The workers spend most of their time waiting for it. */
const LATENCY_MS = 250;

const teardown = new Teardown();
let cluster: Cluster;
let sandbox: Sandbox;
let campaigns: ClusterCampaigns;
const workers: Worker[] = [];

beforeAll(async () => {
	cluster = await setUpCluster(say, teardown, { latencyMs: LATENCY_MS });
	({ sandbox } = cluster);
	workers.push(...(await Promise.all(workerNames.map((name) => cluster.addWorker(name)))));
	campaigns = await ClusterCampaigns.publishedIn(cluster);
	await campaigns.setMode('live');
	// It has answered the test of the credential.
	sandbox.reset();
});
afterEach(() => sandbox.reset());
afterAll(() => teardown.run());

interface CallRow {
	phone: string;
	name: string;
	amount: number;
}

const dialed = () => sandbox.journal.map(({ phone }) => phone);
const dialedNames = () =>
	sandbox.journal.map(({ phone, variables }) => [phone, variables.name]).sort();

/** Rows that were dialed in a second, from the first dial to the last. */
function pace(): string {
	const [first, last] = [sandbox.journal[0]!.at, sandbox.journal.at(-1)!.at];
	return `${Math.round((sandbox.journal.length * 1_000) / (last - first))} rows a second`;
}

/** How many of these lines each worker called, by the executions in its log. */
async function shares(lines: CallLine[]): Promise<number[]> {
	const ran = await Promise.all(workers.map((worker) => worker.executions()));
	return ran.map((executions) => lines.filter(({ execution }) => executions.has(execution)).length);
}

/** How much a row adds to PostgreSQL, to plan the size of the disk. */
async function saySizes(lines: CallLine[]): Promise<void> {
	const slices = [...new Set(lines.map(({ execution }) => execution))]
		.filter((id) => id !== '')
		.join(', ');
	const [sizes] = await cluster.postgres.query(
		`SELECT pg_total_relation_size('campaign_calls') AS rows, sum(pg_column_size(data)) AS executions
		FROM execution_data WHERE "executionId" IN (${slices})`,
	);
	const perRow = (bytes?: string) => Math.round(Number(bytes) / lines.length);
	say(
		`a row takes ${perRow(sizes!.rows)} bytes in the table and ${perRow(sizes!.executions)} bytes of n8n's execution data`,
	);
}

/** Two spellings of one mobile number of Argentina, which are different numbers by their digits. */
const IN_TWO_WAYS = ['+54 9 11 2345 6789', '+54 11 2345 6789'].map((phone) => ({
	phone,
	name: 'Ana',
	amount: 1,
})) as [CallRow, CallRow];

/** So many people of Argentina, whose numbers come between those two in the order of the digits. */
const inArgentina = (count: number): CallRow[] =>
	Array.from({ length: count }, (_, n) => ({
		phone: `+54911234567${10 + n}`,
		name: `Person ${n}`,
		amount: n,
	}));

/** One person in two rows, of which the second opts out, and one who did not. */
const OPTED_OUT_LATER = [
	{ phone: '+12125550101', name: 'Ada', amount: 1, opted_out: '' },
	{ phone: '(212) 555-0101', name: 'Ada', amount: 1, opted_out: 'yes' },
	{ phone: '+12125550102', name: 'Bob', amount: 1, opted_out: 'no' },
];

const recordOf = (): Map<string, string> =>
	new Map(sandbox.journal.map(({ phone, consentId }) => [phone, String(consentId)]));

describe('call-once-on-a-cluster.workflow.json', () => {
	beforeAll(async () => {
		await cluster.postgres.query(
			'CREATE TABLE outbound_calls (campaign text, phone text, called_at timestamptz DEFAULT now(), PRIMARY KEY (campaign, phone))',
		);
	});

	it('calls each number once when four executions on two workers have the same rows, and nobody when it is run again', async () => {
		const rows = [
			{ phone: '+12125550101', name: 'Spelled in two ways', amount: 1 },
			...contacts(60),
		];
		await writeContacts(cluster, [
			...rows,
			{ ...rows[0], phone: '(212) 555-0101', name: 'Spelled otherwise' },
		]);
		const { client, credential, postgres, postgresCredential, filesFolder } = cluster;
		const example = await exampleWorkflow('call-once-on-a-cluster.workflow.json', {
			credentials: [credential, postgresCredential],
			filesFolder,
		});
		const claimed = async () =>
			(await postgres.query('SELECT phone FROM outbound_calls ORDER BY phone')).map(
				({ phone }) => phone,
			);

		// As it is imported: nobody is called, and each number is given back.
		const dry = await client.runAndWait(await client.createWorkflow(example), 'Start campaign');
		expect(itemsOf(dry, 'Call contacts').map(({ json }) => [json.phone, json.status])).toEqual(
			rows.map(({ phone }) => [phone, 'dry_run']),
		);
		expect([dry.status, dialed(), await claimed()]).toEqual(['success', [], []]);

		fillIn(example, 'Call contacts', { mode: 'live' });
		const workflow = await client.createWorkflow(example);
		const run = () => client.runAndWait(workflow, 'Start campaign');
		const together = await Promise.all([run(), run(), run(), run()]);
		expect(together.map(({ status }) => status)).toEqual(Array(4).fill('success'));
		expect(dialed().sort()).toEqual(rows.map(({ phone }) => phone));
		const called = together.flatMap((execution) =>
			itemsOf(execution, 'Called').map(({ json }) => json.destination),
		);
		expect(called.sort()).toEqual(rows.map(({ phone }) => phone));
		// Each row has its own name, to show that claimed numbers are still paired with their rows.
		expect(dialedNames()).toEqual(rows.map(({ phone, name }) => [phone, name]));
		expect(await claimed()).toEqual(rows.map(({ phone }) => phone));

		expect((await run()).status).toBe('success');
		expect(sandbox.journal).toHaveLength(rows.length);
	});

	it('gives back the numbers that a limit kept from being called, and the next run calls them', async () => {
		const rows = contacts(30).map((row) => ({
			...row,
			phone: row.phone.replace('+15550', '+15551'),
		}));
		await writeContacts(cluster, rows);
		const { client, credential, postgresCredential, filesFolder } = cluster;
		const example = await exampleWorkflow('call-once-on-a-cluster.workflow.json', {
			credentials: [credential, postgresCredential],
			filesFolder,
		});
		fillIn(example, 'Call contacts', { mode: 'live' });
		const workflow = await client.createWorkflow(example);
		sandbox.settings.dailyLimit = 10;
		const limited = await client.runAndWait(workflow, 'Start campaign');
		delete sandbox.settings.dailyLimit;
		expect([
			limited.status,
			itemsOf(limited, 'Called').length,
			itemsOf(limited, 'Release numbers').length > 0,
		]).toEqual(['success', 10, true]);
		expect(sandbox.journal).toHaveLength(10);

		expect((await client.runAndWait(workflow, 'Start campaign')).status).toBe('success');
		expect(dialed().sort()).toEqual(rows.map(({ phone }) => phone));
	});

	/** Another file, for the example as somebody has filled it in. */
	async function live(parameters: object) {
		const { client, credential, postgresCredential, filesFolder } = cluster;
		const example = await exampleWorkflow('call-once-on-a-cluster.workflow.json', {
			credentials: [credential, postgresCredential],
			filesFolder,
		});
		fillIn(example, 'Call contacts', { mode: 'live', ...parameters });
		const workflow = await client.createWorkflow(example);
		return async (rows: object[]) => {
			await writeContacts(cluster, rows);
			const execution = await client.runAndWait(workflow, 'Start campaign');
			expect(execution.status).toBe('success');
			return itemsOf(execution, 'Call contacts').map(({ json }) => [json.phone, json.status]);
		};
	}

	it('calls a person once whose number a later file spells in another way', async () => {
		const [one, other] = IN_TWO_WAYS;
		const run = await live({ countries: ['AR'] });
		expect(await run([one])).toEqual([['+5491123456789', 'initiated']]);
		expect(await run([other, ...inArgentina(1)])).toEqual([
			['+541123456789', 'do_not_call'],
			['+5491123456710', 'initiated'],
		]);
		expect(await run([other])).toEqual([['+541123456789', 'do_not_call']]);
		expect(dialed()).toEqual(['+5491123456789', '+5491123456710']);
	});

	it('calls nobody who opts out in any row of the file', async () => {
		const run = await live({ options: { optedOut: "={{ $('Rows').item.json.opted_out }}" } });
		const [ada, , bob] = OPTED_OUT_LATER.map((row) => ({
			...row,
			phone: row.phone.replace('0101', '0111').replace('0102', '0112'),
		}));
		await run([ada!, { ...ada!, phone: '(212) 555-0111', opted_out: 'yes' }, bob!]);
		expect(dialed()).toEqual(['+12125550112']);
	});
});

describe('n8n’s own memory of the people called', () => {
	const PARALLEL_REQUESTS = 5;

	it('G8 four executions on two workers that write it at the same moments forget at most the last requests of each', async () => {
		const { client, credential, postgres } = cluster;
		const definition = callWorkflow({
			name: 'Four at once',
			credential,
			rows: [],
			parameters: bulk({ calledBefore: 'skip', options: { parallelRequests: PARALLEL_REQUESTS } }),
		});
		const rows =
			'{{ { rows: Array.from({ length: 501 }, (_, n) => ({ phone: "+1555" + (1000000 + 1000 * $execution.id + n) })) } }}';
		const list = definition.nodes.find(({ parameters }) => 'jsonOutput' in parameters)!;
		list.parameters.jsonOutput = `=${rows}`;
		const calling = definition.nodes.find(({ name }) => name === CALLS)!;
		const dry = await client.createWorkflow({
			...definition,
			nodes: definition.nodes.map((each) =>
				each === calling ? { ...each, parameters: { ...each.parameters, mode: 'dryRun' } } : each,
			),
		});
		expect(callsOf(await client.runAndWait(dry, START)).map(({ status }) => status)).toEqual(
			Array(501).fill('dry_run'),
		);
		const workflow = await client.updateWorkflow({ ...dry, nodes: definition.nodes });
		const executions = await Promise.all(
			Array.from({ length: 4 }, () => client.runAndWait(workflow, START)),
		);
		expect(executions.map(({ status }) => status)).toEqual(Array(4).fill('success'));
		expect(sandbox.journal).toHaveLength(2_004);
		expect(sandbox.doubleDialed()).toEqual([]);
		const ran = await Promise.all(workers.map((worker) => worker.executions()));
		expect(ran.map((ids) => executions.some(({ id }) => ids.has(id)))).toEqual([true, true]);

		const [{ value }] = (await postgres.query(
			`SELECT value FROM processed_data WHERE "workflowId" = '${workflow.id}'`,
		)) as [{ value: string }];
		const known = new Set((JSON.parse(value) as { data: string[] }).data);
		const remembered = dialed().filter((phone) =>
			known.has(createHash('md5').update(`${workflow.id} person ${phone}`).digest('base64')),
		);
		say(
			`of 2,004 people called by four executions on two workers, n8n remembers ${remembered.length}`,
		);
		// What a worker read before another execution looked at the list for the last time, and writes afterwards, is without that one's last requests.
		expect(remembered.length).toBeGreaterThanOrEqual(
			2_004 - executions.length * PARALLEL_REQUESTS * 10,
		);
	});
});

describe('campaign-larger-than-one-machine.workflow.json', () => {
	it('in Dry Run calls nobody and writes for each row what would become of it; set to Live and started again, it calls them', async () => {
		const rows = [
			{ phone: '+12125550101', name: 'Spelled in two ways', amount: 1 },
			...contacts(250),
		];
		await campaigns.setMode('dryRun');
		const otherwise = { ...rows[0], phone: '(212) 555-0101', name: 'Spelled otherwise' };
		const campaign = await campaigns.enter('rehearsed', [
			...rows,
			otherwise,
			{ phone: '0155 1234', name: 'No number' },
		]);
		await campaign.start();
		await campaign.ended();
		const statuses = async () =>
			(await campaign.lines()).map(({ phone, status }) => [phone, status]);
		const each = (status: string) =>
			[...rows.map(({ phone }) => [phone, status]), ['0155 1234', 'invalid']].sort();
		expect(await statuses()).toEqual(each('dry_run'));
		expect(sandbox.requests).toEqual([]);

		await campaigns.setMode('live');
		await campaign.start();
		await campaign.ended();
		expect(await statuses()).toEqual(each('initiated'));
		expect(dialed().sort()).toEqual(rows.map(({ phone }) => phone));
	});

	it('calls 2,000 rows on both workers, each once, and writes one outcome for each', async () => {
		const rows = contacts(2_000);
		const campaign = await campaigns.enter('two workers', [
			...rows,
			{ ...rows[7] },
			{ phone: '0155 1234', name: 'No number' },
		]);
		await campaign.start();
		await campaign.ended();

		const lines = await campaign.lines();
		const records = recordOf();
		expect(lines.map(({ phone, status, consent_id }) => [phone, status, consent_id])).toEqual(
			[
				...rows.map(({ phone }) => [phone, 'initiated', records.get(phone)]),
				['0155 1234', 'invalid', ''],
			].sort(),
		);
		expect(sandbox.journal).toHaveLength(2_000);
		expect(sandbox.doubleDialed()).toEqual([]);
		expect(dialedNames()).toEqual(rows.map(({ phone, name }) => [phone, name]));
		const [one, two] = await shares(lines);
		expect([one! > 0, two! > 0, one! + two!]).toEqual([true, true, 2_000]);
		say(`two workers: ${one} and ${two} rows, ${pace()}, an answer takes ${LATENCY_MS} ms`);

		await saySizes(lines);
		const written = parse<Record<string, string>>(await readFile(await campaign.results()), {
			columns: true,
			bom: true,
		});
		const results = written.filter((row) => row.campaign === 'two workers');
		expect(results).toHaveLength(2_001);
		expect(results.find(({ phone }) => phone === '0155 1234')).toMatchObject({
			name: 'No number',
			status: 'invalid',
			reason: expect.stringMatching(
				/^The destination "0155 1234" is not a valid number with the country code \+1/,
			),
		});
	});

	it('is finished by starting it again when a worker was killed: nobody is called twice, and nobody is lost', async () => {
		const { client } = cluster;
		const [alive, killed] = workers as [Worker, Worker];
		const rows = contacts(1_200);
		const campaign = await campaigns.enter('a worker is killed', rows);
		await campaign.start();
		await until('300 numbers were dialed', () => sandbox.journal.length >= 300);
		await killed.kill();
		say(`killed ${killed.name} after ${sandbox.journal.length} of 1,200 dials`);

		const lost = await killed.executions();
		const begun = await Promise.all([...lost].map(async (id) => await client.getExecution(id)));
		const cutOff = begun.filter(
			({ workflowId, status }) => workflowId === campaigns.slices.id && status === 'running',
		);
		expect(cutOff.length).toBeGreaterThan(0);
		// n8n 1.x does so by itself: another worker gets what was kept of the execution.
		await Promise.all(cutOff.map(async ({ id }) => await client.retryExecution(id)));
		expect(sandbox.doubleDialed()).toEqual([]);

		await campaign.start();
		await campaign.ended(lost);
		const lines = await campaign.lines();
		const unknown = lines.filter(({ status }) => status === 'calling').map(({ phone }) => phone);
		const records = recordOf();
		expect(lines).toEqual(
			rows.map(({ phone }) =>
				expect.objectContaining(
					unknown.includes(phone)
						? { phone, status: 'calling' }
						: { phone, status: 'initiated', consent_id: records.get(phone) },
				),
			),
		);
		expect(unknown.length).toBeLessThanOrEqual(10 * cutOff.length);
		expect(sandbox.doubleDialed()).toEqual([]);
		const shared = await shares(lines);
		expect(Math.min(...shared)).toBeGreaterThan(0);
		const neverDialed = unknown.filter((phone) => !records.has(phone));
		say(
			`started again: ${sandbox.journal.length} dialed, 0 twice, by the workers ${shared.join(' and ')}; ` +
				`${unknown.length} unknown, ${neverDialed.length} of these not dialed`,
		);

		const ends = await Promise.all(cutOff.map(async ({ id }) => await client.waitForExecution(id)));
		say(
			`n8n shows the ${ends.length} slices that were cut off as ${[...new Set(ends.map(({ status }) => status))].join(' and ')}`,
		);
		const began = await alive.executions();
		expect([...lost].filter((id) => began.has(id))).toEqual([]);
		expect(sandbox.journal).toHaveLength(1_200 - neverDialed.length);

		const results = parse<Record<string, string>>(await readFile(await campaign.results()), {
			columns: true,
			bom: true,
		});
		const inDoubt = results.filter(
			(row) => row.campaign === 'a worker is killed' && row.status === 'unknown',
		);
		const reason: unknown = expect.stringMatching(/look at your dashboard/);
		expect(inDoubt).toEqual(unknown.map((phone) => expect.objectContaining({ phone, reason })));

		await campaign.reopen(neverDialed);
		await campaign.start();
		await campaign.ended(lost);
		expect(dialed().sort()).toEqual(rows.map(({ phone }) => phone));
	});

	it('calls the rows on one worker as well, when there is only one', async () => {
		const campaign = await campaigns.enter('one worker', contacts(600));
		await campaign.start();
		await campaign.ended();
		expect(sandbox.journal).toHaveLength(600);
		expect(sandbox.doubleDialed()).toEqual([]);
		say(
			`one worker: ${(await shares(await campaign.lines())).join(' and ')} rows, ${pace()}, an answer takes ${LATENCY_MS} ms`,
		);
	});

	describe('filled in for other people, or started again with another file', () => {
		const statuses = async (campaign: ClusterCampaign) =>
			(await campaign.lines()).map(({ phone, status }) => [phone, status]);

		afterEach(async () => {
			await campaigns.fillIn({ countries: ['US'], options: {} });
		});

		it('calls a person once whose number is spelled in two ways, in one file or in the file of a later start', async () => {
			await campaigns.fillIn({ countries: ['AR', 'US'] });
			const [one, other] = IN_TWO_WAYS;
			const others = inArgentina(24);
			const campaign = await campaigns.enter('two spellings', [one, ...others, other]);
			fillIn(campaign.workflow, 'Whose numbers', { countries: ['AR', 'US'] });
			const called = [
				...others.map(({ phone }) => [phone, 'initiated']),
				['+5491123456789', 'initiated'],
			].sort();
			await campaign.start();
			await campaign.ended();
			expect(await statuses(campaign)).toEqual(called);

			await writeContacts(cluster, [other, ...others]);
			await campaign.start();
			await campaign.ended();
			expect(await statuses(campaign)).toEqual([['+541123456789', 'do_not_call'], ...called]);
			expect(dialed().sort()).toEqual(called.map(([phone]) => phone));
		});

		it('calls nobody who opts out in any row of the file', async () => {
			await campaigns.fillIn({ options: { optedOut: '={{ $json.contact.opted_out }}' } });
			const campaign = await campaigns.enter('opted out later', OPTED_OUT_LATER);
			await campaign.start();
			await campaign.ended();
			expect(await statuses(campaign)).toEqual([
				['+12125550101', 'do_not_call'],
				['+12125550102', 'initiated'],
			]);
			expect(dialed()).toEqual(['+12125550102']);
		});

		it('started again, calls the open rows as the file has them now, and holds back those that are no longer in it', async () => {
			const [first, removed, ...others] = contacts(5).map((row) => ({ ...row, opted_out: 'no' }));
			const campaign = await campaigns.enter('a later file', [first!, removed!, ...others]);
			const { nodes } = structuredClone(campaign.workflow);
			// n8n broke down before a slice began.
			fillIn(campaign.workflow, 'Start slices', { url: 'http://127.0.0.1:9/' });
			await expect(campaign.start()).rejects.toThrow();
			expect((await statuses(campaign)).map(([, status]) => status)).toEqual(Array(5).fill('open'));

			// A start that cannot read the file opens nothing.
			fillIn(campaign.workflow, 'Read contacts', { fileSelector: '/nowhere/contacts.csv' });
			await expect(campaign.start()).rejects.toThrow();
			expect((await statuses(campaign)).map(([, status]) => status)).toEqual(
				Array(5).fill('held_back'),
			);

			Object.assign(campaign.workflow, { nodes });
			await writeContacts(cluster, [
				{ ...first!, opted_out: 'yes' },
				...others.map((row) => ({ ...row, amount: 999 })),
			]);
			await campaign.start();
			await campaign.ended();
			expect(await statuses(campaign)).toEqual([
				[first!.phone, 'do_not_call'],
				[removed!.phone, 'held_back'],
				...others.map(({ phone }) => [phone, 'initiated']),
			]);
			expect(
				sandbox.journal.map(({ phone, variables }) => [phone, variables.amount]).sort(),
			).toEqual(others.map(({ phone }) => [phone, '999']));

			// It is in the file again.
			await writeContacts(cluster, [removed!]);
			await campaign.start();
			await campaign.ended();
			expect(dialed().sort()).toEqual([removed!, ...others].map(({ phone }) => phone));
		});

		it('started again, calls those who were outside of their hours', async () => {
			const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
			const hours = (open: string[]) => ({
				options: {
					timeZone: 'UTC',
					callingHours: { window: [{ days: open, from: '00:00', to: '24:00' }] },
				},
			});
			await campaigns.fillIn(hours([days[(new Date().getUTCDay() + 3) % 7]!]));
			const rows = contacts(3);
			const campaign = await campaigns.enter('hours', rows);
			await campaign.start();
			await campaign.ended();
			expect(await statuses(campaign)).toEqual(rows.map(({ phone }) => [phone, 'outside_hours']));

			await campaigns.fillIn(hours(days));
			await campaign.start();
			await campaign.ended();
			expect(dialed().sort()).toEqual(rows.map(({ phone }) => phone));
		});
	});
});
