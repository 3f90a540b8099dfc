import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Execution, SavedWorkflow } from './client';
import { examples, exampleWorkflow, fillIn } from './exampleWorkflow';
import { itemsOf, outcomesByRow, totalsOf, type Outcome } from './outcomes';
import { step, type Progress } from './progress';
import type { Stage } from './stage';

/** Of the example. */
export const nodes = {
	start: 'Start campaign',
	rows: 'Rows',
	calls: 'Call contacts',
	followed: 'How they went',
};

/** A row of `examples/contacts.csv`, as n8n reads it. */
export interface Contact {
	name: string;
	phone: string;
}

export interface Campaign {
	workflow: SavedWorkflow;
	execution: Execution;
	contacts: Contact[];
	/** For each contact, its outcomes. */
	outcomes: Outcome[][];
	/** What the node says above its rows; undefined when it put none out. */
	totals: string | undefined;
	/** What it said in the dry run before it was set to Live. */
	forecast: string | undefined;
	resultsFile: string;
}

/**
 * Imports `examples/campaign.workflow.json`, runs it on a list of contacts and reads what it did: first in a dry run,
 * and then Live, as a person would do, unless `mode` says otherwise.
 */
export async function runCampaign(
	{ client, credential, filesFolder, sandbox }: Stage,
	progress: Progress,
	{
		contactsFile = path.join(examples, 'contacts.csv'),
		mode = 'live',
	}: { contactsFile?: string; mode?: 'live' | 'dryRun' } = {},
): Promise<Campaign> {
	await copyFile(contactsFile, path.join(filesFolder, 'contacts.csv'));
	let workflow = await step(progress, 'Importing the campaign workflow', async () => {
		const example = await exampleWorkflow('campaign.workflow.json', {
			credentials: [credential],
			filesFolder,
		});
		// The sandbox's calls last a moment only.
		fillIn(example, nodes.followed, { pollInterval: 1 });
		return await client.createWorkflow(example);
	});
	let execution = await step(progress, 'Dry run, which calls nobody', () =>
		client.runAndWait(workflow, nodes.start),
	);
	const forecast = totalsOf(execution, nodes.calls);
	if (mode === 'live') {
		fillIn(workflow, nodes.calls, { mode });
		workflow = await client.updateWorkflow(workflow);
		execution = await step(
			progress,
			'Running the campaign',
			() => client.runAndWait(workflow, nodes.start, 10 * 60_000),
			{
				everyMs: 2_000,
				detail: () => `${sandbox.journal.length} numbers dialed`,
			},
		);
	}

	const contacts = itemsOf(execution, nodes.rows).map(({ json }) => json as unknown as Contact);
	return {
		workflow,
		execution,
		contacts,
		outcomes: outcomesByRow(execution, nodes.calls, contacts.length, nodes.followed),
		totals: totalsOf(execution, nodes.calls),
		forecast,
		resultsFile: path.join(filesFolder, 'campaign-results.csv'),
	};
}
