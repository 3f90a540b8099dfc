import type { IDataObject, INode } from 'n8n-workflow';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
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
import { jsonOf, shown, succeeded } from './helpers/executions';
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
		{ name: 'Team', type: 'httpBasicAuth', data: { user: 'team', password: 'x' } },
	];
	const { baseUrl, token: apiToken } = bench.sandbox;
	const data = { baseUrl, apiToken, callbackSecret: SECRET };
	definitions.push({ name: 'Outbound Calls', type: 'outboundCallsApi', data });
	for (const definition of definitions) credentials.push(await client.createCredential(definition));
	const lines = [Object.keys(people[0]!), ...people.map((row) => Object.values(row))];
	await writeFile(path.join(filesFolder, 'contacts.csv'), lines.join('\n'));
	const setup = await imported('campaign-setup');
	succeeded(await client.runAndWait(setup, startOf(setup)));
	contacts = await client.dataTable('outbound_calls_contacts');
	for (const [n, { name, phone, amount }] of people.entries())
		await contacts.update(n + 1, { name, phone, amount, time_zone: '' });
	await contacts.update(4, { call_status: 'duplicate' });
	optOuts = await client.dataTable('outbound_calls_opt_outs');
	await optOuts.insert([{ phone: C, reported_by: 'CRM' }]);
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
			const agentNumber = parameters.agentNumber || AGENT_WITH_PROMPT;
			const countries = (parameters.countries as string[]).length > 0 ? {} : { countries: ['US'] };
			Object.assign(parameters, { options, agentNumber, ...countries });
		}
		const { dataTableId } = parameters as { dataTableId?: { mode: string; value: string } };
		if (isOf('dataTable')(node) && dataTableId?.mode === 'name') {
			table ??= await client.createDataTable(bench.newName(), rows);
			dataTableId.value = table.name;
		}
		if (isOf('googleSheets')(node)) {
			pinData[node.name] ??= parameters.operation === 'read' ? sheet() : [{}];
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

it('csv-campaign writes cells that no spreadsheet runs as a formula', async () => {
	const { client, filesFolder } = bench.stage;
	const file = path.join(filesFolder, 'contacts.csv');
	const before = await readFile(file);
	await writeFile(file, `name,phone,amount,=1+1\nx;=1+1,${A},-12.50,＝1+1\n"@a, ""b""",${B},1,\n`);
	const workflow = await imported('csv-campaign');
	succeeded(await client.runAndWait(workflow, startOf(workflow)));
	const [head, first, second] = (
		await readFile(path.join(filesFolder, 'campaign-results.csv'), 'utf8')
	).split('\r\n');
	expect(head).toContain(`"name","phone","amount","'=1+1"`);
	expect(first).toContain(`"x;'=1+1","${A}","-12.50","'＝1+1"`);
	expect(second).toContain(`"'@a, ""b""","${B}"`);
	await writeFile(file, before);
});

it('reminders-once-for-each fails and names an appointment whose date cannot be read, after it has called the others', async () => {
	const rows = sheet().map((row, n) => ({ ...row, ...(n === 1 && { date: '12/1/2026' }) }));
	const workflow = await imported('reminders-once-for-each', { 'Read appointments': rows });
	const execution = await bench.stage.client.runAndWait(workflow, startOf(workflow));
	expect(shown(execution).message).toMatch(/a-1 \(12\/1\/2026\)$/);
	expect(jsonOf(execution, dialing(workflow).name).map(({ phone }) => phone)).toEqual([A, C]);
});

it('webhook-one-call answers whoever asks with the secret, calls the person once, keeps who opted out and no copies, and nobody else may ask', async () => {
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
	const path = 'call-this-person';
	expect((await bench.post(path, body)).status).toBe(403);
	const asks = async (phone: string) =>
		(await (await bench.post(path, { ...body, phone }, HEADER)).json()) as IDataObject;
	expect(await asks(A)).toMatchObject({ status: expect.any(String), called: 'yes' });
	expect(await asks(A)).toMatchObject({ status: 'already_called', called: 'no' });
	expect(await asks(C)).toMatchObject({ status: 'do_not_call', called: 'no' });
	expect(bench.dialed).toEqual([A]);
	bench.sandbox.settings.token = 'another';
	expect(await asks(B)).toMatchObject({ status: 'refused', called: 'no' });
	await until('only the failure is kept', async () => {
		const kept = await client.listExecutions({ workflowId: live.id });
		return kept.filter(({ mode }) => mode === 'webhook').every(({ status }) => status === 'error');
	});
});

/** What the workflows have written about calls. */
const written = async () =>
	await (await bench.stage.client.dataTable('outbound_calls_outcomes')).rows();
const statusesOfContacts = async () =>
	(await contacts.rows()).slice(0, 3).map(({ call_status }) => call_status);

it('call-desk and call-desk-caller: each person is called once for a reminder, and nobody who opted out', async () => {
	const { client } = bench.stage;
	const desk = await imported('call-desk');
	const sampled = succeeded(await client.runAndWait(desk, startOf(desk)));
	expect(jsonOf(sampled, dialing(desk).name)).toMatchObject([{ status: 'dry_run' }]);
	await bench.publish(desk);
	const caller = await imported('call-desk-caller');
	const [asking] = caller.nodes.filter(isOf('executeWorkflow')) as [INode];
	const inputs = asking.parameters.workflowInputs as { value: object };
	const run = async (mode: string): Promise<Execution> => {
		const workflowInputs = { ...inputs, value: { ...inputs.value, mode } };
		const workflowId = { __rl: true, mode: 'id', value: desk.id };
		const start = startOf(caller);
		return succeeded(
			await bench.runWith(caller, asking.name, { workflowId, workflowInputs }, start),
		);
	};
	const dry = jsonOf(await run('dryRun'), asking.name).map(({ status }) => status);
	expect(dry).toEqual(['dry_run', 'dry_run', 'do_not_call']);
	expect([bench.sandbox.requests, await written()]).toEqual([[], []]);
	expect(await statusesOfContacts()).toEqual([null, null, null]);
	await run('live');
	expect(await statusesOfContacts()).toEqual(['called', 'called', 'do_not_call']);
	await run('live');
	expect(bench.dialed.sort()).toEqual([A, B]);
	expect(await statusesOfContacts()).toEqual(['reached', 'reached', 'do_not_call']);
	expect(await written()).toMatchObject(
		[A, B].map((phone, n) => ({ contact_id: n + 1, name: people[n]!.name, phone, reached: 'yes' })),
	);
});

it('ai-agent: the model reads that nobody was called in a dry run; in Live it calls whom it was asked for, once', async () => {
	const { client } = bench.stage;
	const callOf = (phone: string) => ({
		tool: 'Place_call',
		arguments: { phone, prompt_variables: { name: 'Ada', amount: '12.50' } },
	});
	const moves = [callOf(A), callOf(C), callOf(A), { says: 'Done.' }];
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
	const dry = ['dry_run', 'do_not_call', 'dry_run'];
	expect([read(), bench.sandbox.requests]).toEqual([dry, []]);
	succeeded(await bench.runWith(workflow, name, { mode: 'live' }, startOf(workflow)));
	await model.close();
	expect([read().slice(0, 2), bench.dialed]).toEqual([['initiated', 'do_not_call'], [A]]);
});

// After those whom it must not hold back.
it('crm-opt-outs stores what the node reads as one number, from the CRM, and from calls of campaign; the CRM learns why not', async () => {
	const { client } = bench.stage;
	const workflow = await imported('crm-opt-outs');
	await bench.publish(workflow);
	const { webhookId } = workflow.nodes.find(isOf('outboundCallsTrigger'))!;
	const address = `${webhookId}/callback`;
	const headers = { 'X-Callback-Secret': SECRET };
	const before = (await optOuts.rows()).length;
	const numbers = async () => (await optOuts.rows()).slice(before);
	const report = async (phone: unknown) => await bench.post('opt-out', { phone }, HEADER);
	const good = ['+1 (212) 555-0101', '+48 (0) 22 123 45 67', '0044 7911 123456'];
	for (const phone of good) expect((await report(phone)).status).toBe(200);
	const bad = ['+49 151 12345678-12', '+49 171 2345678 - 2', '+12125550102 (12)', '0000000000'];
	bad.push('+-------', 'Mrs. Osei', '2125550101', `${C} x5`, '');
	for (const phone of bad) {
		const answer = await report(phone);
		expect([phone, answer.status]).toEqual([phone, 422]);
		expect(await answer.json()).toEqual({ error: expect.stringMatching(/\w+ \w+/) });
	}
	expect((await numbers()).map(({ phone, reported_by }) => [phone, reported_by])).toEqual(
		good.map((phone) => [phone, 'CRM']),
	);

	// As its note says, campaign gives each call an ID of its own.
	const phones = [5, 6, 7].map((n) => `+1212555020${n}`);
	await contacts.insert(phones.map((phone) => ({ name: 'Ada', phone, amount: '1' })));
	const campaign = await imported('campaign');
	const { parameters } = dialing(campaign);
	const externalCallId = '=campaign {{ $json.id }} {{ $execution.id }}';
	Object.assign(parameters, { operation: 'placeCall', options: { externalCallId } });
	const start = startOf(campaign);
	succeeded(await bench.runWith(campaign, 'Call', parameters, start));
	succeeded(await bench.runWith(campaign, 'Call', { mode: 'live' }, start));
	const calls = async () => (await written()).filter(({ phone }) => phones.includes(String(phone)));
	expect(await calls()).toHaveLength(3);
	const ids = (await calls()).map(({ external_call_id: id }) => id);
	const words = ['Stop.', 'no', 'perhaps'];
	for (const [n, opted_out] of words.entries())
		await bench.post(address, { call_id: n, external_call_id: ids[n], opted_out }, headers);
	await bench.post(address, { call_id: 9, external_call_id: 'desk 1', opted_out: 'yes' }, headers);
	await until('all have ended', async () => (await calls()).every(({ ended_at }) => ended_at));
	await until('the opt-out is stored', async () => (await numbers()).length > good.length);
	const ended = async () => await client.listExecutions({ workflowId: workflow.id });
	await until('what cannot be read is told', async () =>
		(await ended()).some(({ mode, status }) => mode === 'webhook' && status === 'error'),
	);
	expect((await numbers()).slice(good.length)).toMatchObject([
		{ phone: phones[0], reported_by: 'call' },
	]);
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
