import type { IDataObject, INode } from 'n8n-workflow';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENT_WITH_PROMPT } from '../engine/helpers/workflows';
import { startToolModel } from './helpers/aiToolModel';
import { CALL_NODE } from './helpers/callWorkflow';
import type {
	CredentialDefinition,
	DataTable,
	Execution,
	SavedCredential,
	SavedWorkflow,
} from './helpers/client';
import { jsonOf, succeeded } from './helpers/executions';
import { examples, exampleWorkflow, KIT } from './helpers/exampleWorkflow';
import { hostBench, MONDAY, until, withFields } from './helpers/hostBench';
import { complaintsAbout, describedNodes, type Described } from './helpers/nodeDescriptions';
import { startPostgres, type Postgres } from './helpers/postgres';
import { Teardown } from './helpers/teardown';

/** Each example is imported, filled in as its note says, run in a dry run, and then Live. */
const bench = hostBench();
const teardown = new Teardown();
const credentials: SavedCredential[] = [];
let postgres: Postgres;
let described: Described;
let optOuts: DataTable;
let contacts: DataTable;

const SECRET = 'only the dashboard knows';
const HEADER = { 'X-CRM-Secret': 'only the CRM knows' };
let tomorrow: string;
/** Three people in New York, of whom the last one opted out. */
const people = ['Amara', 'Bruno', 'Chen'].map((name, n) => ({
	name,
	phone: `+1212555010${n}`,
	amount: '12.50',
	opted_out: n === 2 ? 'yes' : 'no',
}));
const [A, B, C] = people.map(({ phone }) => phone) as [string, string, string];

beforeAll(async () => {
	postgres = await startPostgres(teardown);
	await postgres.query(
		['customers', 'contacts']
			.map(
				(
					table,
				) => `CREATE TABLE ${table} (id serial, name text, phone text, amount text, opted_out boolean,
				call_status text, call_reason text, reached text, called_at timestamptz, tried_at timestamptz);
				INSERT INTO ${table} (name, phone, amount, opted_out) VALUES
				${people.map((row) => `('${row.name}', '${row.phone}', 12.5, '${row.opted_out}')`).join(', ')};`,
			)
			.join('\n') +
			'CREATE TABLE claimed (campaign text, phone text, PRIMARY KEY (campaign, phone))',
	);
	const { host, query: _, ...login } = postgres;
	const { client, filesFolder } = bench.stage;
	const [name, value] = Object.entries(HEADER)[0]!;
	const definitions: CredentialDefinition[] = [
		{ name: 'Database', type: 'postgres', data: { host, ...login, ssl: 'disable' } },
		{ name: 'CRM', type: 'httpHeaderAuth', data: { name, value } },
	];
	const { baseUrl, token: apiToken } = bench.sandbox;
	const data = { baseUrl, apiToken, callbackSecret: SECRET };
	definitions.push({ name: 'Outbound Calls', type: 'outboundCallsApi', data });
	for (const definition of definitions) credentials.push(await client.createCredential(definition));
	const lines = [Object.keys(people[0]!), ...people.map((row) => Object.values(row))];
	await writeFile(path.join(filesFolder, 'contacts.csv'), lines.join('\n'));
	// As campaign-setup leaves them; the outcomes are a table of the workflows' own.
	const empty = { time_zone: '', call_at: null, call_status: '', call_reason: '', callable_at: '' };
	const rows = people.map(({ name, phone, amount }) => ({ name, phone, amount, ...empty }));
	contacts = await client.createDataTable('outbound_calls_contacts', rows);
	optOuts = await client.createDataTable('outbound_calls_opt_outs', [
		{ phone: C, reported_at: '', reported_by: 'CRM' },
	]);
	described = await describedNodes(bench.stage.client);
	// 15:00 in New York, 10:00 in Honolulu.
	const now = await bench.setClock(MONDAY, '20:00');
	tomorrow = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
});
beforeEach(() =>
	bench.sandbox.settings.agents.forEach((agent) =>
		Object.assign(agent, { placeholders: agent.placeholders.length > 0 ? ['name', 'amount'] : [] }),
	),
);
afterAll(() => teardown.run());

const files = readdirSync(examples).filter((file) => file.endsWith('.workflow.json'));
const isCalling = ({ type, parameters }: INode): boolean =>
	type.startsWith(CALL_NODE) && /^(bulkCall|placeCall)$/.test(parameters.operation as string);
const isOf =
	(...kinds: string[]) =>
	({ type }: INode): boolean =>
		kinds.some((kind) => type.endsWith(`.${kind}`));

/** An example in n8n, with a person's agent, countries, tables and credentials. What leads out of this machine is pinned. */
async function imported(file: string, pinned: Record<string, object[]> = {}) {
	const { client, filesFolder } = bench.stage;
	const workflow = await exampleWorkflow(`${file}.workflow.json`, { credentials, filesFolder });
	const own = { ...people[0], invoice: '', time_zone: '', call_status: '', call_reason: '' };
	const columns = { ...own, call_reached: '', called_at: '' };
	const rows = people.map((row, n) => ({
		...columns,
		...row,
		invoice: `i-${n}`,
		time_zone: 'America/New_York',
	}));
	let table: DataTable | undefined;
	const pinData: Record<string, object[]> = { ...pinned };
	for (const node of workflow.nodes) {
		const { parameters } = node;
		if (isCalling(node)) {
			const options = { ...(parameters.options as object), pollInterval: 1 };
			Object.assign(parameters, { agentNumber: AGENT_WITH_PROMPT, countries: ['US'], options });
		}
		const { dataTableId } = parameters as { dataTableId?: { mode: string; value: string } };
		if (isOf('dataTable')(node) && dataTableId?.mode === 'name') {
			table ??= await client.createDataTable(bench.newName(), rows);
			dataTableId.value = table.name;
		}
		if (isOf('googleSheets')(node)) {
			pinData[node.name] = parameters.operation === 'read' ? sheet() : [{}];
			delete node.credentials;
		}
	}
	const items = Object.entries(pinData).map(([name, all]) => [name, all.map((json) => ({ json }))]);
	return await client.createWorkflow({
		...workflow,
		pinData: Object.fromEntries(items) as Record<string, object[]>,
	});
}

const sheet = (): object[] =>
	people.map((row, n) => ({
		row_number: n + 2,
		...row,
		appointment: `a-${n}`,
		date: tomorrow,
		time: '10:00',
		call_status: '',
		call_reason: '',
	}));

const startOf = ({ nodes }: SavedWorkflow): string =>
	nodes.find(isOf('manualTrigger', 'scheduleTrigger', 'webhook', 'chatTrigger'))!.name;
/** The node that dials; another one in the same workflow only checks numbers. */
const dialing = ({ nodes }: SavedWorkflow): INode => nodes.filter(isCalling).at(-1)!;

/** Runs it in a dry run, Live, and Live again; answers with the phones that were dialed. */
async function runs(workflow: SavedWorkflow): Promise<string[]> {
	const { client } = bench.stage;
	const [start, { name }] = [startOf(workflow), dialing(workflow)];
	const dry = succeeded(await client.runAndWait(workflow, start));
	expect(jsonOf(dry, name).filter(({ status }) => status === 'dry_run')).not.toEqual([]);
	expect(bench.sandbox.requests).toEqual([]);
	succeeded(await bench.runWith(workflow, name, { mode: 'live' }, start));
	const dialed = [...bench.dialed].sort();
	succeeded(await client.runAndWait(workflow, start));
	expect([...bench.dialed].sort()).toEqual(dialed);
	return dialed;
}

/** Where no column of opt-outs is dragged in, everybody is called. */
const everybody = [A, B, C];
const campaigns: Record<string, string[]> = {
	'csv-campaign': everybody,
	'database-campaign': [A, B],
	'google-sheets-campaign': everybody,
	'reminders-once-for-each': everybody,
};

it.each(Object.entries(campaigns))(
	'%s calls nobody in a dry run, each person once in Live, and nobody when it is run again',
	async (file, dialed) => {
		if (file === 'reminders-once-for-each')
			bench.sandbox.settings.agents.forEach((agent) => (agent.placeholders = []));
		expect(await runs(await imported(file))).toEqual(dialed);
	},
);

it('webhook-one-call answers whoever asks with the secret, calls the person once, and nobody else may ask', async () => {
	const { client } = bench.stage;
	const body = { name: 'Amara', phone: A, amount: '12.50' };
	const workflow = await imported('webhook-one-call', { 'CRM asks for a call': [{ body }] });
	const { name } = dialing(workflow);
	const live = await bench.rehearsed(
		withFields(workflow, name, { mode: 'live' }),
		async (dry) => succeeded(await client.runAndWait(dry, startOf(dry))),
		name,
	);
	await bench.publish(live);
	expect((await bench.post('call-this-person', body)).status).toBe(403);
	const asks = async () =>
		(await (await bench.post('call-this-person', body, HEADER)).json()) as IDataObject;
	expect(await asks()).toMatchObject({ status: expect.any(String), called: 'yes' });
	expect(await asks()).toMatchObject({ status: 'already_called', called: 'no' });
	expect(bench.dialed).toEqual([A]);
});

/** What the workflows have written about calls. */
const written = async () =>
	await (await bench.stage.client.dataTable('outbound_calls_outcomes')).rows();
const statusesOfContacts = async () =>
	(await contacts.rows()).map(({ call_status }) => call_status);

it('call-desk and call-desk-caller: each person is called once for a reminder, and nobody who opted out', async () => {
	const { client } = bench.stage;
	const desk = await imported('call-desk');
	const sampled = succeeded(await client.runAndWait(desk, startOf(desk)));
	expect(jsonOf(sampled, dialing(desk).name)).toMatchObject([{ status: 'dry_run' }]);
	await bench.publish(desk);
	const caller = await imported('call-desk-caller');
	const [asking] = caller.nodes.filter(isOf('executeWorkflow')) as [INode];
	const inputs = asking.parameters.workflowInputs as { value: object };
	const run = async (mode: string): Promise<Execution> =>
		succeeded(
			await bench.runWith(
				caller,
				asking.name,
				{
					workflowId: { __rl: true, mode: 'id', value: desk.id },
					workflowInputs: { ...inputs, value: { ...inputs.value, mode } },
				},
				startOf(caller),
			),
		);
	const outcomes = (execution: Execution) =>
		jsonOf(execution, asking.name).map((row) =>
			row.status === 'refused' ? row.reason : row.status,
		);
	expect(outcomes(await run('dryRun'))).toEqual(['dry_run', 'dry_run', 'do_not_call']);
	expect(bench.sandbox.requests).toEqual([]);
	expect(await statusesOfContacts()).toEqual(['dry_run', 'dry_run', 'do_not_call']);
	expect(outcomes(await run('live'))).toEqual(['initiated', 'initiated', 'do_not_call']);
	expect(outcomes(await run('live'))).toEqual(['already_called', 'already_called', 'do_not_call']);
	expect(bench.dialed.sort()).toEqual([A, B]);
	expect(await statusesOfContacts()).toEqual(['already_called', 'already_called', 'do_not_call']);
	expect(await written()).toMatchObject(
		[A, B].map((phone, n) => ({ contact_id: n + 1, phone, called: 'yes', reached: 'yes' })),
	);
});

it('ai-agent: the model reads that nobody was called in a dry run; in Live it calls whom it was asked for, once', async () => {
	const { client } = bench.stage;
	const call = {
		tool: 'Place_call',
		arguments: { phone: A, prompt_variables: { name: 'Ada', amount: '12.50' } },
	};
	const moves = [call, call, { says: 'Done.' }];
	const model = await startToolModel(moves);
	const data = { apiKey: 'none', url: model.url, header: false };
	const openAi = await client.createCredential({ name: 'Model', type: 'openAiApi', data });
	credentials.push(openAi);
	const said = { sessionId: '1', action: 'sendMessage', chatInput: 'Call Ada.' };
	const workflow = await imported('ai-agent', { Chat: [said] });
	const { name } = workflow.nodes.find(isCalling)!;
	const read = () =>
		model.answers.map((answer) => (JSON.parse(answer) as IDataObject[])[0]!.status);
	succeeded(await client.runAndWait(workflow, startOf(workflow)));
	expect([read(), bench.sandbox.requests]).toEqual([['dry_run', 'dry_run'], []]);
	succeeded(await bench.runWith(workflow, name, { mode: 'live' }, startOf(workflow)));
	await model.close();
	expect([read()[0], bench.dialed]).toEqual(['initiated', [A]]);
});

// After those whom it must not hold back.
it('crm-opt-outs: one outcome for each call, which the callback completes; opt-outs come from the CRM and from calls', async () => {
	const workflow = await imported('crm-opt-outs');
	await bench.publish(workflow);
	const { webhookId } = workflow.nodes.find(isOf('outboundCallsTrigger'))!;
	const address = `${webhookId}/callback`;
	const headers = { 'X-Callback-Secret': SECRET };
	bench.sandbox.settings.callback = {
		url: `${bench.stage.n8n.url}/webhook/${address}`,
		headers,
	};
	expect(await runs(workflow)).toEqual([A, B]);
	expect(await statusesOfContacts()).toEqual(['already_called', 'already_called', 'do_not_call']);
	const ofCrm = async () =>
		(await written()).filter(({ external_call_id: id }) => `${id}`.startsWith('crm '));
	const ended = ['crm 1', 'crm 2'].map((external_call_id, n) => ({
		external_call_id,
		contact_id: n + 1,
		phone: [A, B][n],
		called: 'yes',
		reached: 'yes',
		ended_at: expect.stringContaining('T'),
	}));
	await until('both callbacks are stored', async () =>
		(await ofCrm()).every(({ ended_at }) => ended_at),
	);
	expect((await ofCrm()).sort((a, b) => Number(a.contact_id) - Number(b.contact_id))).toMatchObject(
		ended,
	);

	const numbers = async () => (await optOuts.rows()).map((row) => [row.phone, row.reported_by]);
	const before = await numbers();
	const call = { call_id: 'c', external_call_id: 'crm 1' };
	await bench.post(address, { ...call, opted_out: 'no' }, headers);
	await bench.post(address, { ...call, external_call_id: 'desk 2', opted_out: 'yes' }, headers);
	await bench.post(address, [{ ...call, opted_out: 'yes' }, { call_id: 'd' }], headers);
	await until('the opt-out is stored', async () => (await numbers()).length > before.length);
	for (const phone of [B, '+1 (212) 555-0101'])
		expect((await bench.post('opt-out', { phone }, HEADER)).status).toBe(200);
	// The CRM learns that nothing was stored: one such entry would keep everybody from being called.
	for (const body of [
		{ number: C },
		{ phone: 'Mrs. Osei' },
		{ phone: 2125550101 },
		{ phone: `${C} x5` },
	])
		expect((await bench.post('opt-out', body, HEADER)).ok).toBe(false);
	// Each report is kept, so that nobody loses the time of the first one.
	expect(await numbers()).toEqual([...before, [A, 'call'], [B, 'CRM'], [B, 'CRM']]);
	expect(await ofCrm()).toHaveLength(2);
});

describe.each(files)('%s', (file) => {
	it('imports, and n8n knows all its nodes and fields', async () => {
		const { client, filesFolder } = bench.stage;
		const example = await exampleWorkflow(file, { credentials, filesFolder });
		const { nodes } = await client.createWorkflow(example);
		const complaints = nodes.flatMap((node) => complaintsAbout(node, described(node)));
		// What only the person who imports it can choose.
		const chosenLater = /agentNumber|countries|workflowId|workflowInputs/;
		expect(complaints.filter((complaint) => !chosenLater.test(complaint))).toEqual([]);
	});

	it('is run by one of the tests above, or by those of the campaign kit', () =>
		expect([
			...Object.keys(campaigns),
			...KIT,
			'webhook-one-call',
			'crm-opt-outs',
			// In a file of its own, with a browser.
			'campaign-report',
			'call-desk',
			'call-desk-caller',
			'ai-agent',
		]).toContain(file.replace('.workflow.json', '')));
});
