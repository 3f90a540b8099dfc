import { parse } from 'csv-parse/sync';
import type { INode } from 'n8n-workflow';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AGENT_WITH_PROMPT } from '../../engine/helpers/account';
import type { Sandbox } from '../../sandbox';
import { CALL_NODE } from './callWorkflow';
import type { Execution, SavedWorkflow, WorkflowDefinition } from './client';
import { jsonOf, summaryOf, type OutputRow } from './executions';
import { examples, exampleWorkflow, fillIn, type FilledIn } from './exampleWorkflow';
import { step, type Progress } from './progress';
import type { Stage } from './stage';
import { textTable } from './textTable';

const contactsFile = path.join(examples, 'contacts.csv');

/** A row of `examples/contacts.csv`. */
export interface Contact {
	name: string;
	phone: string;
	amount: string;
}

export const readContacts = async (): Promise<Contact[]> =>
	parse<Contact>(await readFile(contactsFile), { columns: true, bom: true });

/** How long the sandbox's calls ring and last, in milliseconds: long enough that the workflow has to wait for them. */
export const callsLast = { dialAfterMs: 300, finishAfterMs: 900 };

/** One of them is on the phone. */
export const BUSY = '+12155550106';

/** `examples/csv-campaign.workflow.json`, at whatever hour it is, and the node in it that calls. */
export async function exampleCampaign(
	filledIn: FilledIn,
): Promise<{ example: WorkflowDefinition; calling: INode }> {
	const example = await exampleWorkflow('csv-campaign.workflow.json', filledIn);
	const calling = example.nodes.find(({ type }) => type === CALL_NODE)!;
	const { options } = calling.parameters;
	fillIn(example, calling.name, {
		agentNumber: AGENT_WITH_PROMPT,
		countries: ['US'],
		optedOut: '={{ $json.opted_out }}',
		callingHours: 'any',
		waitUntil: 'finished',
		// The sandbox's calls last a moment only.
		options: { ...(options as object), pollInterval: 1 },
	});
	return { example, calling };
}

/** What came of one execution. */
export interface Ran {
	rows: OutputRow[];
	/** The lines above the table. */
	summary: string[];
	/** Why the workflow stopped, if it did. */
	problem?: string | undefined;
}

export const ranIn = (execution: Execution, calling: string): Ran => {
	const { status, data } = execution;
	return {
		rows: jsonOf(execution, calling),
		summary: summaryOf(execution, calling),
		problem: status === 'success' ? undefined : (data.resultData.error?.message ?? status),
	};
};

export interface Campaign {
	contacts: Contact[];
	dry: Ran;
	live: Ran;
}

/** Runs the campaign in a dry run and then Live, as a person does, in whichever n8n `execute` has. */
export async function runCampaign(
	execute: (mode: 'dryRun' | 'live') => Promise<Ran>,
	{ journal, callErrors }: Pick<Sandbox, 'journal' | 'callErrors'>,
	progress: Progress,
): Promise<Campaign> {
	callErrors.set(BUSY, 'busy');
	const contacts = await readContacts();
	const dry = await step(progress, 'Dry run, which calls nobody', () => execute('dryRun'));
	const live = await step(progress, 'Live run, followed to its end', () => execute('live'), {
		everyMs: 2_000,
		detail: () => `${journal.length} numbers dialed`,
	});
	return { contacts, dry, live };
}

/** Imports the example as a person does, with the contacts where it looks for them. Nobody has executed it. */
export async function importCampaign(
	{ client, credential, filesFolder }: Stage,
	progress: Progress,
): Promise<{ workflow: SavedWorkflow; calling: string }> {
	await copyFile(contactsFile, path.join(filesFolder, 'contacts.csv'));
	const { example, calling } = await exampleCampaign({ credentials: [credential], filesFolder });
	const workflow = await step(progress, 'Importing the campaign workflow', () =>
		client.createWorkflow(example),
	);
	return { workflow, calling: calling.name };
}

/** The campaign in the real n8n. */
export async function campaignInN8n(stage: Stage, progress: Progress): Promise<Campaign> {
	const { client, sandbox } = stage;
	const { workflow, calling } = await importCampaign(stage, progress);
	const start = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger')!.name;
	const execute = async (mode: 'dryRun' | 'live'): Promise<Ran> => {
		fillIn(workflow, calling, { mode });
		Object.assign(workflow, await client.updateWorkflow(workflow));
		return ranIn(await client.runAndWait(workflow, start, 10 * 60_000), calling);
	};
	return await runCampaign(execute, sandbox, progress);
}

/** What may keep somebody of the list from being called. */
const HELD = ['do_not_call', 'invalid', 'not_allowed'];

/** What breaks the promise (one true outcome for each row, each number dialed once): a sentence for each case. */
export function findings(
	{ contacts, dry, live }: Campaign,
	journal: ReadonlyArray<{ phone: string }>,
): string[] {
	const found: string[] = [];
	for (const { problem } of [dry, live])
		if (problem !== undefined) found.push(`The workflow stopped: ${problem}`);
	const { rows } = live;
	contacts.forEach(({ name, phone }, n) => {
		const { destination, called, reached, status } = rows[n] ?? {};
		const times = journal.filter((dial) => dial.phone === destination).length;
		const isCalled = called === 'yes' || called === 'other_row';
		if (times !== (isCalled ? 1 : 0))
			found.push(`${name} (${phone}) was dialed ${times} times, and the row says: ${called}`);
		if (isCalled ? !reached || reached === 'open' : !HELD.includes(String(status)))
			found.push(`${name} (${phone}) has no outcome: ${JSON.stringify(rows[n])}`);
	});
	if (rows.length !== contacts.length)
		found.push(`There are ${rows.length} outcomes for ${contacts.length} rows.`);
	return found;
}

/** Both summaries, and the results as a table. */
export function campaignReport({ contacts, dry, live }: Campaign): string {
	const table = textTable(
		['Row', 'Name', 'Phone', 'Status', 'Called', 'Reached', 'Reason'],
		contacts.map(({ name, phone }, n) => {
			const { status, called, reached, reason } = live.rows[n] ?? {};
			return [n + 1, name, phone, ...[status, called, reached, reason].map(String)];
		}),
	);
	const lines = ({ summary }: Ran) => summary.join('\n  ');
	return `\nDry run\n  ${lines(dry)}\n\nLive\n  ${lines(live)}\n\n${table}\n`;
}
