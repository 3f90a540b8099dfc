import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contacts } from '../engine/workflows';
import type { Sandbox } from '../sandbox';
import { runCampaign } from './campaign';
import type { Execution } from './client';
import { credentialWithSecret, importExample, postJson, webhookListens, webhookUrl } from './exampleBench';
import { examples } from './exampleWorkflow';
import { hostBench, say, shown, until } from './hostBench';
import { complaintsAbout, describedNodes, type Described } from './nodeDescriptions';
import { itemsOf } from './outcomes';
import { findings, unfollowed } from './verdict';

const bench = hostBench();

const jsonOf = (execution: Execution, node: string, output = 0) => itemsOf(execution, node, output).map(({ json }) => json);
const quiet = () => {};

/** A sheet of contacts where the examples look for it; answers with its address outside n8n as well. */
async function sheetOf(rows: object[]): Promise<string> {
	const file = path.join(bench.stage.userFolder, 'contacts.csv');
	await writeFile(file, stringify(rows, { header: true }));
	return file;
}

const succeeded = (execution: Execution): Execution => {
	expect({ status: execution.status, ...shown(execution) }).toEqual({ status: 'success', message: '', description: '' });
	return execution;
};

describe('campaign.workflow.json', () => {
	it('calls 100 contacts, waits for their calls, and writes each one’s conversation into the results file', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 600 });
		const rows = contacts(100);
		const campaign = await runCampaign(bench.stage, quiet, await sheetOf(rows));
		expect(await findings(campaign, bench.sandbox)).toEqual([]);
		expect(unfollowed(campaign)).toEqual([]);

		const results = parse<Record<string, string>>(await readFile(campaign.resultsFile), { columns: true, bom: true });
		const records = new Map(bench.sandbox.journal.map(({ phone, consentId }) => [phone, String(consentId)]));
		expect(results).toEqual(
			rows.map(({ name, phone }) => ({
				name,
				phone,
				status: 'initiated',
				reason: '',
				call_record_id: records.get(phone),
				finished: 'TRUE',
				conversation_id: expect.stringMatching(/^\d+$/),
			})),
		);
		expect(new Set(results.map(({ conversation_id }) => conversation_id)).size).toBe(100);

		const reads = bench.sandbox.requests.filter(({ route }) => route === 'batch').length;
		say(`100 contacts, 10 batches, ${reads} reads until all were finished`);
	});

	it('writes a row also for those who were not dialed, with the reason and without a conversation', async () => {
		const rows = contacts(4);
		bench.sandbox.destinationOutcome.set(rows[1]!.phone, { status: 'failed', error: 'No route to this number' });
		const campaign = await runCampaign(bench.stage, quiet, await sheetOf(rows));
		expect(campaign.execution.status).toBe('success');
		const results = parse<Record<string, string>>(await readFile(campaign.resultsFile), { columns: true, bom: true });
		expect(results.map(({ name, status, reason, conversation_id }) => [name, status, reason, conversation_id !== ''])).toEqual(
			rows.map(({ name }, n) => (n === 1 ? [name, 'failed', 'No route to this number', false] : [name, 'initiated', '', true])),
		);
	});

	it('needs no step between Get Call and the file: each row keeps its columns and has its conversation', async () => {
		const rows = contacts(100);
		await writeFile(path.join(bench.stage.filesFolder, 'contacts.csv'), stringify(rows, { header: true }));
		const workflow = await importExample(bench, 'campaign.workflow.json', {
			changes: {
				'Call contacts': { options: { includeInputFields: true } },
				'Get outcomes': {
					batchId: '={{ $json.call.batch_id }}',
					callRecordId: '={{ $json.call.consent_id }}',
					pollInterval: 1,
					options: { includeInputFields: true },
				},
			},
		});
		const nodes = workflow.nodes.filter(({ name }) => name !== 'Results');
		const { Results: _, ...connections } = workflow.connections;
		connections['Get outcomes'] = workflow.connections.Results!;
		succeeded(await bench.stage.client.runAndWait(await bench.stage.client.createWorkflow({ ...workflow, nodes, connections }), 'Start campaign'));
		const file = path.join(bench.stage.filesFolder, 'campaign-results.csv');
		const results = parse<Record<string, string>>(await readFile(file), { columns: true, bom: true });
		expect(results.map(({ name, phone }) => ({ name, phone }))).toEqual(rows.map(({ name, phone }) => ({ name, phone })));
		expect(new Set(results.map((row) => row['call.conversation_id'])).size).toBe(100);
	});

	it('after the Retry button, writes those without an answer as unknown and the others with their conversation', async () => {
		const rows = contacts(15);
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		const { execution, resultsFile } = await runCampaign(bench.stage, quiet, await sheetOf(rows));
		expect(execution.status).toBe('error');
		succeeded(await bench.stage.client.retryExecution(execution.id));
		const results = parse<Record<string, string>>(await readFile(resultsFile), { columns: true, bom: true });
		expect(results.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
		const known = results.filter(({ status }) => status === 'initiated');
		const unknown = results.filter(({ status }) => status === 'unknown');
		expect([known.length + unknown.length, unknown.length === 5 || unknown.length === 10]).toEqual([15, true]);
		expect(known.every(({ conversation_id, finished }) => conversation_id !== '' && finished === 'TRUE')).toBe(true);
		expect(unknown.every(({ conversation_id, reason }) => conversation_id === '' && reason !== '')).toBe(true);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});
});

describe('webhook-one-call.workflow.json', () => {
	it('calls a customer once, however often the CRM asks', async () => {
		const secret = await bench.stage.client.createCredential({
			name: 'CRM secret',
			type: 'httpHeaderAuth',
			data: { name: 'X-CRM-Secret', value: 'only the CRM knows' },
		});
		const workflow = await importExample(bench, 'webhook-one-call.workflow.json', { credentials: [secret] });
		await bench.stage.client.activate(workflow);
		const url = webhookUrl(bench, 'call-customer');
		const customer = { record_id: 'crm-4711', name: 'Ada', phone: '+15550107001', amount: 12.5 };
		const ask = async (record: object) => {
			const answer = await postJson(url, record, { 'X-CRM-Secret': 'only the CRM knows' });
			return (await answer.json()) as { status?: string };
		};
		await webhookListens(() => postJson(url, customer));
		expect((await postJson(url, customer)).status).toBe(403);
		expect(bench.dialed).toEqual([]);

		expect(await ask(customer)).toMatchObject({ status: 'initiated', call_id: expect.any(String), external_call_id: 'crm-4711' });
		expect(await ask(customer)).toMatchObject({ status: 'already_called', call_id: null });
		const others = ['crm-4712', 'crm-4712', 'crm-4712'].map((record_id) => ({ ...customer, record_id, phone: '+15550107002' }));
		const answers = await Promise.all(others.map(ask));
		expect(answers.map(({ status }) => status).sort()).toEqual(['already_called', 'already_called', 'initiated']);
		expect(bench.dialed).toEqual([customer.phone, '+15550107002']);
		expect(bench.sandbox.journal[0]).toMatchObject({ externalCallId: 'crm-4711', variables: { name: 'Ada', amount: '12.5' } });
	});
});

describe('scheduled-retry-undialed.workflow.json', () => {
	it('calls the others when a row cannot be called, and gives that row out for mending', async () => {
		const { client, filesFolder } = bench.stage;
		const rows = contacts(12).map((row, n) => (n === 4 ? { ...row, phone: '0155 501' } : row));
		await writeFile(path.join(filesFolder, 'contacts.csv'), stringify(rows, { header: true }));
		const workflow = await importExample(bench, 'scheduled-retry-undialed.workflow.json');
		const execution = succeeded(await client.runAndWait(workflow, 'Every weekday at nine'));
		expect(bench.dialed).toHaveLength(11);
		expect(jsonOf(execution, 'Rows to mend')).toMatchObject([{ error: expect.stringContaining('is not a phone number in international format') }]);
	});

	it('tries rows again that the service was too busy for, and calls nobody twice on the next day', async () => {
		const { client, filesFolder } = bench.stage;
		const rows = contacts(25);
		await writeFile(path.join(filesFolder, 'contacts.csv'), stringify(rows, { header: true }));
		const [busy, full] = [rows[3]!.phone, rows[20]!.phone];
		bench.sandbox.destinationOutcome.set(busy, { status: 'rate_limited', error: 'Too many calls', times: 1 });
		bench.sandbox.destinationOutcome.set(full, { status: 'temporarily_unavailable', error: 'Lines are busy' });
		const workflow = await importExample(bench, 'scheduled-retry-undialed.workflow.json', {
			changes: {
				// Long enough for the one row, and over soon for the other.
				'Call new contacts': { options: { callOnce: true, includeInputFields: true, maxRetryWait: 4, retryUndialed: true } },
			},
		});
		const firstDay = succeeded(await client.runAndWait(workflow, 'Every weekday at nine'));
		const statuses = jsonOf(firstDay, 'Call new contacts').map(({ call }) => (call as { status: string }).status);
		expect(statuses).toEqual(rows.map(({ phone }) => (phone === full ? 'temporarily_unavailable' : 'initiated')));
		expect(jsonOf(firstDay, 'Not called today')).toMatchObject([{ name: 'Person 20', phone: full, call: { reason: 'Lines are busy' } }]);
		expect(bench.dialed.sort()).toEqual(rows.map(({ phone }) => phone).filter((phone) => phone !== full));

		bench.sandbox.destinationOutcome.clear();
		const secondDay = succeeded(await client.runAndWait(workflow, 'Every weekday at nine'));
		expect(bench.dialed.at(-1)).toBe(full);
		expect(bench.dialed).toHaveLength(25);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(jsonOf(secondDay, 'Not called today')).toEqual([]);
	});
});

describe('cancel-not-dialed.workflow.json', () => {
	/** A batch whose first calls are dialed at once, and the others not for an hour. */
	function halfDialedBatch(sandbox: Sandbox, phones: string[], dialed: number) {
		let records = 0;
		Object.defineProperty(sandbox.settings, 'dialAfterMs', {
			configurable: true,
			enumerable: true,
			get: () => (records++ < dialed ? 0 : 3_600_000),
		});
		return sandbox.addBatch({ phones });
	}

	it('cancels what is not dialed, and says of each other record that it was', async () => {
		const phones = contacts(23).map(({ phone }) => phone);
		const { batchId, consentIds } = halfDialedBatch(bench.sandbox, phones, 7);
		const workflow = await importExample(bench, 'cancel-not-dialed.workflow.json');
		const { nodes } = workflow;
		const which = nodes.find(({ name }) => name === 'Which batch')!;
		const assignments = (which.parameters.assignments as unknown as { assignments: Array<{ value: string }> }).assignments;
		assignments[0]!.value = batchId;
		const filled = await bench.stage.client.createWorkflow(workflow);

		const execution = succeeded(await bench.stage.client.runAndWait(filled, 'Start'));
		const rowsOf = (node: string) => jsonOf(execution, node).sort((a, b) => Number(a.id) - Number(b.id));
		expect(rowsOf('Not cancelled')).toMatchObject(
			phones.slice(0, 7).map((phone, n) => ({ phone, id: consentIds[n], cancelled: false, status: 'already_placed' })),
		);
		expect(rowsOf('Not called any more')).toMatchObject(
			phones.slice(7).map((phone, n) => ({ phone, id: consentIds[n + 7], cancelled: true, status: 'cancelled', reason: null })),
		);
	});
});

describe('google-sheet-campaign.workflow.json', () => {
	/** The same workflow with a sheet in n8n itself: its rows come from code, and what would be written comes out. */
	async function withLocalSheet(rows: object[]) {
		const workflow = await importExample(bench, 'google-sheet-campaign.workflow.json');
		const nodes = workflow.nodes.map((node) => {
			if (node.type !== 'n8n-nodes-base.googleSheets') return node;
			const { id, name, position, parameters } = node;
			if (parameters.operation === 'read') {
				const jsCode = `return ${JSON.stringify(rows.map((row, n) => ({ json: { row_number: n + 2, ...row } })))};`;
				return { id, name, position, type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode } };
			}
			const { value } = parameters.columns as unknown as { value: Record<string, string> };
			const assignments = Object.entries(value).map(([column, written]) => ({ id: column, name: column, value: written, type: 'string' }));
			return { id, name, position, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: { assignments: { assignments }, options: {} } };
		});
		return await bench.stage.client.createWorkflow({ ...workflow, nodes });
	}

	it('writes each call’s conversation into its own row, and into a row without a country code how to mend it', async () => {
		const rows = contacts(12).map((row, n) => (n === 4 ? { ...row, phone: '0155 501' } : row));
		const workflow = await withLocalSheet(rows);
		const execution = succeeded(await bench.stage.client.runAndWait(workflow, 'Start campaign'));
		const written = jsonOf(execution, 'Write outcomes');
		expect(written.map(({ row_number }) => Number(row_number))).toEqual([2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13]);
		for (const { call_reason, conversation_id } of written) expect([call_reason, conversation_id]).toEqual([null, expect.stringMatching(/^\d+$/)]);
		expect(jsonOf(execution, 'Write refused rows')).toMatchObject([
			{ row_number: '6', call_status: 'not called', call_reason: expect.stringContaining('is not a phone number in international format') },
		]);

		const again = succeeded(await bench.stage.client.runAndWait(workflow, 'Start campaign'));
		expect(jsonOf(again, 'Write outcomes')).toEqual([]);
		expect(bench.dialed).toHaveLength(11);
	});
});

describe('wait-for-callback.workflow.json', () => {
	const SECRET = 'secret_of_the_callback_77';
	const CALLBACK = 'b6a4a2a4-0f5c-4d63-9a0e-3c1f5d7e9a03/callback';

	it.each([
		['while the workflow waits', { finishAfterMs: 1_500 }],
		['before the API has answered', { latencyMs: 2_000 }],
	])('goes on with the very execution that placed the call, when the callback comes %s', async (_when, settings) => {
		const { client } = bench.stage;
		const credential = await credentialWithSecret(bench, SECRET);
		const workflow = await importExample(bench, 'wait-for-callback.workflow.json', { credentials: [credential] });
		await client.activate(workflow);
		const url = webhookUrl(bench, CALLBACK);
		await webhookListens(() => postJson(url, {}));
		Object.assign(bench.sandbox.settings, {
			...settings,
			callback: { url, headers: { 'X-Callback-Secret': SECRET }, repeats: 1 },
		});

		const id = await client.run(workflow, 'Start');
		await until('the execution that placed the call has ended', async () => (await client.getExecution(id)).status === 'success');
		const execution = await client.getExecution(id);
		const [placed] = jsonOf(execution, 'Call');
		expect(jsonOf(execution, 'After the call')).toEqual([{ name: 'Amara Osei', phone: '+15550100101', call_id: placed!.call_id }]);
		expect(bench.sandbox.journal[0]!.externalCallId).toContain(`/webhook-waiting/${id}`);
		expect(bench.dialed).toEqual(['+15550100101']);

		const all = new Set((await client.listExecutions({ workflowId: workflow.id })).map((execution) => execution.id));
		all.delete(id);
		// The repeated callback started nothing.
		expect(all.size).toBe(1);
		succeeded(await client.waitForExecution([...all][0]!));
		await client.deactivate(workflow);
	});
});

describe('every example', () => {
	const files = readdirSync(examples).filter((file) => file.endsWith('.workflow.json'));
	let described: Described;
	beforeAll(async () => {
		described = await describedNodes(bench.stage);
	});

	it.each(files)('%s imports, and n8n knows all its nodes and their fields', async (file) => {
		const { nodes } = await importExample(bench, file);
		expect(nodes.flatMap((node) => complaintsAbout(node, described(node)))).toEqual([]);
	});

	it.each(files)('%s says on a note what it does and what to change', async (file) => {
		const { nodes } = await importExample(bench, file);
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const text = notes.map(({ parameters }) => parameters.content as string).join('\n');
		expect(text).toMatch(/^## /);
		expect(text).toMatch(/### (What to change|Before the first run)/);
		expect(text.replaceAll('*On Error*', '')).not.toMatch(/error|problem|failure|mistake/i);
	});
});
