import path from 'node:path';
import {
	callsLast,
	campaignInN8n,
	campaignReport,
	findings,
	importCampaign,
	type Campaign,
} from './helpers/campaign';
import type { Progress } from './helpers/progress';
import { setUpStage, type Stage } from './helpers/stage';
import { Teardown } from './helpers/teardown';

const help = `npm run demo             runs the example campaign in n8n's engine, then opens a real n8n until you press Ctrl-C
npm run demo -- --once   runs the example campaign in a real n8n and ends`;

/** Since this program was started, with the time that it took to load. */
const elapsed = () => process.uptime().toFixed(1);
const progress: Progress = (line) => console.log(`${elapsed().padStart(6)} s  ${line}`);

/** Shows what came of the campaign, and whether it kept the promise. */
function report(campaign: Campaign, journal: ReadonlyArray<{ phone: string }>): boolean {
	console.log(campaignReport(campaign));
	const found = findings(campaign, journal);
	for (const finding of found) progress(finding);
	if (found.length === 0)
		progress(`Every row has its outcome, and ${journal.length} numbers were dialed, each once`);
	return found.length === 0;
}

/** The campaign within seconds, before anything is downloaded. */
async function firstMinute(): Promise<boolean> {
	progress('The example campaign in the engine of n8n, with a sandbox as the phone service');
	// n8n's engine is loaded without the settings of this machine, such as a proxy, which npm needs later.
	const environment = { ...process.env };
	const { embeddedCampaign } = await import('./helpers/embeddedCampaign');
	const { campaign, journal } = await embeddedCampaign(progress);
	Object.assign(process.env, environment);
	if (!report(campaign, journal)) return false;
	const rest = 'The rest is a real n8n to look around in: Ctrl-C is fine at any time';
	progress(`That took ${elapsed()} s. ${rest}`);
	return true;
}

function showEditor(
	{ n8n, login, sandbox, filesFolder }: Stage,
	{ workflow, calling }: Awaited<ReturnType<typeof importCampaign>>,
): void {
	console.log(`
n8n is open for you. The phone service is a sandbox: nobody is called.

  Workflow    ${n8n.url}/workflow/${workflow.id}
  E-mail      ${login.email}
  Password    ${login.password}
  Dialed      ${sandbox.origin}/sandbox/journal

  1. Sign in, and press "Execute workflow". It is a dry run, which calls nobody.
  2. Open "${calling}": rows with the status dry_run would be called. For the others, reason says why not.
  3. Set Mode to Live, go back to the canvas, and press "Execute workflow" again.
  4. Once more: nobody is called twice, because the node remembers.

For a campaign of your own:

  Contacts    ${path.join(filesFolder, 'contacts.csv')}
  Agent       +15550002000, whose prompt needs name and amount; or +15550001000, which needs nothing
  Base URL    ${sandbox.baseUrl}
  API token   ${sandbox.token}

Press Ctrl-C to end n8n and remove everything this demo set up.
`);
}

const demo = {
	teardown: new Teardown(),
	/** Whatever comes now, people have seen what they came for. */
	shown: false,
	ending: false,
	keepFolder: false,
	async end(status: number): Promise<void> {
		if (this.ending) return;
		this.ending = true;
		progress('Ending what this demo started …');
		await this.teardown.run().catch((complaint: unknown) => progress(String(complaint)));
		progress('Done');
		process.exit(status);
	},
};

const openStage = () =>
	setUpStage(progress, demo.teardown, { sandbox: callsLast, keepFolder: () => demo.keepFolder });

/** The whole campaign in a real n8n; the status says whether it kept the promise. */
async function once(): Promise<void> {
	const stage = await openStage();
	const fulfilled = report(await campaignInN8n(stage, progress), stage.sandbox.journal);
	demo.keepFolder = !fulfilled;
	if (!fulfilled) progress(`n8n's log and files are kept in ${stage.userFolder}`);
	await demo.end(fulfilled ? 0 : 1);
}

async function tour(): Promise<void> {
	demo.shown = await firstMinute();
	if (!demo.shown) return await demo.end(1);
	const stage = await openStage();
	showEditor(stage, await importCampaign(stage, progress));
}

async function main(args: string[]): Promise<void> {
	if (args.some((arg) => arg !== '--once')) {
		console.log(help);
		process.exitCode = args.includes('--help') ? 0 : 2;
		return;
	}
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void demo.end(demo.shown ? 0 : 130));
	}
	try {
		await (args.includes('--once') ? once() : tour());
	} catch (complaint) {
		// A step that Ctrl-C cut short complains too.
		if (demo.ending) return;
		progress(complaint instanceof Error ? complaint.message : String(complaint));
		await demo.end(1);
	}
}

void main(process.argv.slice(2));
