import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Execution, SavedCredential, SavedWorkflow, WorkflowDefinition } from './client';
import { itemsOf, outcomesByRow, type Outcome } from './outcomes';
import { repository } from './package';
import { step, type Progress } from './progress';
import type { Stage } from './stage';

/** The files' folder in the example: where n8n's Docker image looks for them. */
const exampleFolder = '/home/node/.n8n-files';
const examples = path.join(repository, 'examples');

const nodes = { start: 'Start campaign', rows: 'Rows', calls: 'Call contacts' };

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
	resultsFile: string;
}

/** The example workflow, with this n8n's credential and files folder filled in as a person would in the editor. */
async function exampleWorkflow(credential: SavedCredential, filesFolder: string): Promise<WorkflowDefinition> {
	const text = await readFile(path.join(examples, 'campaign.workflow.json'), 'utf8');
	const workflow = JSON.parse(
		text.replaceAll(exampleFolder, JSON.stringify(filesFolder).slice(1, -1)),
	) as WorkflowDefinition;
	for (const node of workflow.nodes) {
		if (!node.credentials?.[credential.type]) continue;
		node.credentials[credential.type] = { id: credential.id, name: credential.name };
	}
	return workflow;
}

/** Imports `examples/campaign.workflow.json`, runs it on `examples/contacts.csv` and reads what it did. */
export async function runCampaign({ client, credential, filesFolder, sandbox }: Stage, progress: Progress): Promise<Campaign> {
	await copyFile(path.join(examples, 'contacts.csv'), path.join(filesFolder, 'contacts.csv'));
	const workflow = await step(progress, 'Importing the campaign workflow', async () =>
		client.createWorkflow(await exampleWorkflow(credential, filesFolder)),
	);
	const execution = await step(
		progress,
		'Running the campaign',
		() => client.runAndWait(workflow, nodes.start, 10 * 60_000),
		{ everyMs: 2_000, detail: () => `${sandbox.journal.length} numbers dialed` },
	);

	const contacts = itemsOf(execution, nodes.rows).map(({ json }) => json as unknown as Contact);
	return {
		workflow,
		execution,
		contacts,
		outcomes: outcomesByRow(execution, nodes.calls, contacts.length),
		resultsFile: path.join(filesFolder, 'campaign-results.csv'),
	};
}
