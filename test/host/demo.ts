import path from 'node:path';
import { findings, runCampaign, type Campaign } from './helpers/campaign';
import { fillIn } from './helpers/exampleWorkflow';
import type { Progress } from './helpers/progress';
import { textTable } from './helpers/textTable';
import { setUpStage, type Stage } from './helpers/stage';
import { Teardown } from './helpers/teardown';

const help = `npm run demo             runs the example campaign and leaves n8n open until you press Ctrl-C
npm run demo -- --once   runs the example campaign and ends`;

/** How long the sandbox's calls ring and last, in milliseconds: long enough that the workflow has to wait for them. */
const callsLast = { dialAfterMs: 300, finishAfterMs: 900 };

const start = Date.now();
const progress: Progress = (line) => {
	const elapsed = ((Date.now() - start) / 1000).toFixed(1);
	console.log(`${elapsed.padStart(6)} s  ${line}`);
};

const resultsTable = ({ contacts, rows }: Campaign): string =>
	textTable(
		['Row', 'Name', 'Phone', 'Status', 'Called', 'Reason'],
		contacts.map(({ name, phone }, n) => {
			const { status, called, reason } = rows[n] ?? {};
			return [n + 1, name, phone, String(status), String(called), String(reason)];
		}),
	);

function report(campaign: Campaign, stage: Stage): boolean {
	const { dry, live } = campaign.summaries;
	console.log(`\nDry run\n  ${dry.join('\n  ')}\n\nLive\n  ${live.join('\n  ')}\n`);
	console.log(`${resultsTable(campaign)}\n`);
	const found = findings(campaign, stage.sandbox.journal);
	for (const finding of found) progress(finding);
	progress(
		found.length > 0
			? `n8n's log and files are kept in ${stage.userFolder}`
			: `Every row has its outcome, and ${stage.sandbox.journal.length} numbers were dialed, each once`,
	);
	return found.length === 0;
}

function showEditor(
	{ n8n, login, sandbox, filesFolder }: Stage,
	{ workflow, execution }: Campaign,
): void {
	console.log(`
n8n is open for you. The phone service is a sandbox: nobody is called.

  Workflow    ${n8n.url}/workflow/${workflow.id}
  This run    ${n8n.url}/workflow/${workflow.id}/executions/${execution.id}
  E-mail      ${login.email}
  Password    ${login.password}

For a campaign of your own:

  Contacts    ${path.join(filesFolder, 'contacts.csv')}
  Agent       +15550002000, whose prompt needs name and amount; or +15550001000, which needs nothing
  Base URL    ${sandbox.baseUrl}
  API token   ${sandbox.token}

The workflow is in Dry Run again: executed as it is, it calls nobody. Set Mode to Live, and nobody
is called twice: the node remembers. To call them once more, set People Called Before to Call Again.

Press Ctrl-C to end n8n and remove everything this demo set up.
`);
}

async function main(args: string[]): Promise<void> {
	const once = args.includes('--once');
	if (args.some((arg) => arg !== '--once')) {
		console.log(help);
		process.exitCode = args.includes('--help') ? 0 : 2;
		return;
	}

	const teardown = new Teardown();
	const demo = { open: false, ending: false, keepFolder: false };
	const end = async (status: number) => {
		if (demo.ending) return;
		demo.ending = true;
		progress('Ending n8n and the sandbox …');
		await teardown.run().catch((complaint: unknown) => progress(String(complaint)));
		progress('Done');
		process.exit(status);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void end(demo.open ? 0 : 130));
	}

	try {
		const stage = await setUpStage(progress, teardown, {
			sandbox: callsLast,
			keepFolder: () => demo.keepFolder,
		});
		const campaign = await runCampaign(stage, progress);
		const fulfilled = report(campaign, stage);
		demo.keepFolder = !fulfilled;
		if (once) return await end(fulfilled ? 0 : 1);
		// Whoever opens the workflow and presses a button calls nobody.
		fillIn(campaign.workflow, campaign.calling, { mode: 'dryRun' });
		await stage.client.updateWorkflow(campaign.workflow);
		showEditor(stage, campaign);
		demo.open = true;
	} catch (complaint) {
		// A step that Ctrl-C cut short complains too.
		if (demo.ending) return;
		progress(complaint instanceof Error ? complaint.message : String(complaint));
		await end(1);
	}
}

void main(process.argv.slice(2));
