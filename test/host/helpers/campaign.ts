import { parse } from 'csv-parse/sync';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { CALL_NODE } from './callWorkflow';
import type { Execution, SavedWorkflow } from './client';
import { jsonOf, summaryOf, type OutputRow } from './executions';
import { examples, exampleWorkflow, fillIn } from './exampleWorkflow';
import { step, type Progress } from './progress';
import type { Stage } from './stage';

const contactsFile = path.join(examples, 'contacts.csv');

/** A row of `examples/contacts.csv`. */
export interface Contact {
	name: string;
	phone: string;
}

export const readContacts = async (): Promise<Contact[]> =>
	parse<Contact>(await readFile(contactsFile), { columns: true, bom: true });

export interface Campaign {
	workflow: SavedWorkflow;
	/** The node that calls. */
	calling: string;
	execution: Execution;
	contacts: Contact[];
	rows: OutputRow[];
	/** The lines above the table of the dry run, and of the live run. */
	summaries: { dry: string[]; live: string[] };
}

/** Imports `examples/csv-campaign.workflow.json`, runs it in a dry run and then Live, as a person does, at whatever hour it is. */
export async function runCampaign(
	{ client, credential, filesFolder, sandbox }: Stage,
	progress: Progress,
): Promise<Campaign> {
	await copyFile(contactsFile, path.join(filesFolder, 'contacts.csv'));
	const example = await exampleWorkflow('csv-campaign.workflow.json', {
		credentials: [credential],
		filesFolder,
	});
	const named = (type: string) => example.nodes.find((node) => node.type === type)!.name;
	const [start, calling] = [named('n8n-nodes-base.manualTrigger'), named(CALL_NODE)];
	const { options } = example.nodes.find(({ name }) => name === calling)!.parameters;
	fillIn(example, calling, {
		callingHours: 'any',
		waitUntil: 'finished',
		// The sandbox's calls last a moment only.
		options: { ...(options as object), pollInterval: 1 },
	});
	const workflow = await step(progress, 'Importing the campaign workflow', () =>
		client.createWorkflow(example),
	);
	const dry = await step(progress, 'Dry run, which calls nobody', () =>
		client.runAndWait(workflow, start),
	);
	fillIn(workflow, calling, { mode: 'live' });
	Object.assign(workflow, await client.updateWorkflow(workflow));
	const execution = await step(
		progress,
		'Live run, followed to its end',
		() => client.runAndWait(workflow, start, 10 * 60_000),
		{ everyMs: 2_000, detail: () => `${sandbox.journal.length} numbers dialed` },
	);
	return {
		workflow,
		calling,
		execution,
		contacts: await readContacts(),
		rows: jsonOf(execution, calling),
		summaries: { dry: summaryOf(dry, calling), live: summaryOf(execution, calling) },
	};
}

/** What breaks the promise (one true outcome for each row, each number dialed once): a sentence for each case. */
export function findings(
	{ contacts, rows, execution }: Campaign,
	journal: ReadonlyArray<{ phone: string }>,
): string[] {
	const found: string[] = [];
	if (execution.status !== 'success')
		found.push(`The workflow stopped: ${execution.data.resultData.error?.message ?? ''}`);
	contacts.forEach(({ name, phone }, n) => {
		const row = rows[n];
		const times = journal.filter((dial) => dial.phone === phone).length;
		if (times !== 1) found.push(`${name} (${phone}) was dialed ${times} times instead of once.`);
		if (row?.phone !== phone) found.push(`${name} (${phone}) has no outcome.`);
		else if (!['yes', 'other_row'].includes(String(row.called)) || row.reached !== row.called)
			found.push(`${name} (${phone}) was dialed, and the row says: ${JSON.stringify(row)}`);
	});
	if (rows.length !== contacts.length)
		found.push(`There are ${rows.length} outcomes for ${contacts.length} rows.`);
	return found;
}
