import { stringify } from 'csv-stringify/sync';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENT_WITH_PROMPT, assignments } from '../../engine/helpers/workflows';
import { node } from '../../workflowNode';
import type { SavedWorkflow } from '../helpers/client';
import { rehearsed } from '../helpers/exampleBench';
import { picturesOf, themes, type Theme } from './artefacts';
import type { Editor } from './editor';
import type { EditorBench } from './editorBench';

const FILE = 'Read contacts';
const ROWS = 'Rows';
const CALL = 'Call contacts';

interface Contact {
	name: string;
	phone: string;
	opted_out: string;
	time_zone?: string;
}

const contact = (name: string, phone: string, more: Partial<Contact> = {}): Contact => ({
	name,
	phone,
	opted_out: 'no',
	...more,
});

/** Where it is day now, and where it is night. One of each is found at any hour. */
function zones(): { day: string; night: string } {
	const hourIn = (timeZone: string) =>
		Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone }).format());
	const known = [
		'Europe/Berlin',
		'America/New_York',
		'Asia/Tokyo',
		'America/Los_Angeles',
		'Asia/Kolkata',
		'Australia/Sydney',
		'Asia/Dubai',
	];
	const day = known.find((zone) => hourIn(zone) >= 9 && hourIn(zone) < 19);
	const night = known.find((zone) => hourIn(zone) >= 20 || hourIn(zone) < 8);
	return { day: day!, night: night! };
}

const everyDay = {
	window: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '09:00', to: '20:00' }],
};

/** Each kind of row that a dry run finds. */
function messySheet(): Contact[] {
	const { day, night } = zones();
	const awake = { time_zone: day };
	return [
		contact('Amara Osei', '+15550100101', awake),
		contact('Bruno Keller', '+15550100102', awake),
		contact('Bruno Keller', '+15550100102', awake),
		contact('Chiara Romano', '0171 2345678', awake),
		contact('Elena Petrova', '+15550100105', { ...awake, opted_out: 'yes' }),
		contact('Farid Haddad', '+15550100106', { time_zone: night }),
		contact('Grace Mwangi', '+15550100107', awake),
	];
}

/** A campaign in which each row that is called is a call of its own. */
const cleanSheet = [
	contact('Amara Osei', '+15550100101'),
	contact('Bruno Keller', '+15550100102'),
	contact('Chiara Romano', '+15550100103'),
	contact('Dmitri Volkov', '0171 2345678'),
	contact('Elena Petrova', '+15550100105'),
	contact('Farid Haddad', '+15550100106'),
	contact('Grace Mwangi', '+15550100107'),
	contact('Hiro Tanaka', '+15550100108', { opted_out: 'yes' }),
	contact('Ingrid Larsen', '+15550100109'),
	contact('João Almeida', '+15550100110'),
	contact('Katrin Braun', '+15550100111'),
	contact('Liam O’Connor', '+15550100112'),
];

interface Campaign {
	rows: Contact[];
	parameters: object;
	/** Names of the steps behind the outputs. */
	behind?: string[];
}

/** A file that is called, with the people's name as the one placeholder of the agent's prompt. */
async function campaign(
	bench: EditorBench,
	{ rows, parameters, behind = [] }: Campaign,
): Promise<SavedWorkflow> {
	const { client, credential } = bench.stage;
	const leadsTo = (...names: string[]) => ({
		main: names.map((next) => [{ node: next, type: 'main' as const, index: 0 }]),
	});
	bench.sandbox.settings.agents.find(({ number }) => number === AGENT_WITH_PROMPT)!.placeholders = [
		'name',
	];
	const file = `${rows[0]!.time_zone ? 'messy' : 'people'}.csv`;
	await writeFile(path.join(bench.stage.filesFolder, file), stringify(rows, { header: true }));
	const nodes = [
		node('Start campaign', 'n8n-nodes-base.manualTrigger', 1, {}, { position: [0, 0] }),
		node(
			FILE,
			'n8n-nodes-base.readWriteFile',
			1.1,
			{ operation: 'read', fileSelector: `.n8n-files/${file}`, options: {} },
			{ position: [208, 0] },
		),
		node(
			ROWS,
			'n8n-nodes-base.extractFromFile',
			1.1,
			{ operation: 'csv', binaryPropertyName: 'data', options: {} },
			{ position: [416, 0] },
		),
		node(
			CALL,
			'n8n-nodes-outbound-calls.outboundCalls',
			1,
			{
				resource: 'call',
				operation: 'bulkCall',
				agentNumber: AGENT_WITH_PROMPT,
				destination: '={{ $json.phone }}',
				promptVariables: assignments({ name: '={{ $json.name }}' }),
				waitUntil: 'finished',
				...parameters,
			},
			{
				position: [624, 0],
				credentials: { outboundCallsApi: { id: credential.id, name: credential.name } },
			},
		),
		...behind.map((name, index) =>
			node(name, 'n8n-nodes-base.noOp', 1, {}, { position: [896, (index - 1) * 160] }),
		),
	];
	const calling = nodes.find(({ name }) => name === CALL)!;
	const goesLive = calling.parameters.mode === 'live';
	if (goesLive) calling.parameters.mode = 'dryRun';
	const workflow = await client.createWorkflow({
		name: 'Campaign',
		nodes,
		connections: {
			'Start campaign': leadsTo(FILE),
			[FILE]: leadsTo(ROWS),
			[ROWS]: leadsTo(CALL),
			[CALL]: leadsTo(...behind),
		},
		settings: { executionOrder: 'v1' },
	});
	return goesLive ? await rehearsed(bench, workflow, CALL, 'Start campaign') : workflow;
}

const totals = (editor: Editor, text: string) =>
	editor.part('output-panel').getByText(text).waitFor();

async function bothOutputs(bench: EditorBench, theme: Theme): Promise<void> {
	const parameters = {
		mode: 'live',
		countries: ['US'],
		pollInterval: 1,
		options: { optedOut: '={{ $json.opted_out }}' },
	};
	const workflows = [
		await campaign(bench, { rows: cleanSheet, parameters }),
		await campaign(bench, {
			rows: cleanSheet,
			parameters,
			behind: ['Write outcomes', 'Thank them', 'Tell me'],
		}),
	];
	Object.assign(bench.sandbox.settings, { dialAfterMs: 300, finishAfterMs: 900 });
	bench.sandbox.callErrors.set('+15550100107', 'Busy');
	bench.sandbox.callErrors.set('+15550100110', 'No answer');

	const editor = await bench.editor({ theme, width: 1600, height: 760 });
	await editor.goToWorkflow(workflows[0]!);
	await editor.executeWorkflow();
	await editor.openNode(CALL);
	await totals(
		editor,
		'12 rows: 10 called, 2 not called (1 invalid, 1 not to be called); of 10 called: 8 reached, 2 not',
	);
	await editor.moveParameters(-190);
	await editor.part('node-credentials-slot').scrollIntoViewIfNeeded();
	await editor.picture(picturesOf.bulkCall(theme));
	await editor.moveParameters(190);

	await editor.page.setViewportSize({ width: 1440, height: 560 });
	await editor.goToWorkflow(workflows[1]!);
	await editor.executeWorkflow();
	await editor.picture(picturesOf.outputs(theme));
	expect(bench.dialed).toHaveLength(20);
}

async function dryRun(bench: EditorBench, theme: Theme): Promise<void> {
	const options = {
		callingHours: everyDay,
		timeZone: '={{ $json.time_zone }}',
		optedOut: '={{ $json.opted_out }}',
	};
	const workflow = await campaign(bench, { rows: messySheet(), parameters: { options } });
	const editor = await bench.editor({ theme, width: 2220, height: 930 });
	await editor.goToWorkflow(workflow);
	await editor.openNode(CALL);
	await editor.click(editor.part('node-execute-button'));
	const output = editor.part('output-panel');
	await totals(
		editor,
		'Nobody was called: Mode is Dry Run. 7 rows: 3 people would be called (4 rows), 3 not',
	);
	await output.getByText('All Rows Branch (7 items)').waitFor();
	await editor.moveParameters(-500);
	const shown = await output.locator('tbody tr').allInnerTexts();
	const statuses = [
		'dry_run',
		'dry_run',
		'duplicate',
		'invalid',
		'do_not_call',
		'outside_hours',
		'dry_run',
	];
	expect(shown.map((row) => row.split(/\s/)[0])).toEqual(statuses);
	await editor.picture(picturesOf.dryRun(theme), output);
	await editor.moveParameters(500);
	expect(bench.sandbox.requests).toEqual([]);
}

async function panel(bench: EditorBench, theme: Theme): Promise<void> {
	const workflow = await campaign(bench, { rows: cleanSheet, parameters: {} });
	const editor = await bench.editor({ theme, width: 1920, height: 1400 });
	await editor.goToWorkflow(workflow);
	await editor.openNode(CALL);
	await editor.fetchColumns('phone');
	// What the expressions of both fields come to.
	for (const value of [cleanSheet[0]!.phone, cleanSheet[0]!.name])
		await editor.part('node-parameters').getByText(value).waitFor();
	await editor.picture(picturesOf.panel(theme), editor.part('node-parameters'));
	expect(bench.sandbox.requests).toEqual([]);
}

export const picturesOfTheDocumentation = (bench: EditorBench) =>
	describe.each(themes)('pictures of the documentation, %s', (theme) => {
		it('a campaign ends with those called on one output, and the others on the other', () =>
			bothOutputs(bench, theme));

		it('the panel, as it is filled in', () => panel(bench, theme));

		it('a dry run over a messy sheet says of each row whether it would be called, and why not', () =>
			dryRun(bench, theme));
	});
