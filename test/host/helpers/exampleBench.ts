import { exampleWorkflow, fillIn } from './exampleWorkflow';
import { until, type HostBench } from './hostBench';
import type { SavedCredential, SavedWorkflow } from './client';

/** What a test changes in an example before it is saved: for a node's name, some of its fields. */
type Changes = Record<string, object>;

/** Imports an example into the bench's n8n, with the credentials that the bench and the test have. */
export async function importExample(
	{ stage }: HostBench,
	file: string,
	{ changes = {}, credentials = [] }: { changes?: Changes; credentials?: SavedCredential[] } = {},
): Promise<SavedWorkflow> {
	const { client, credential, filesFolder } = stage;
	const workflow = await exampleWorkflow(file, { credentials: [credential, ...credentials], filesFolder });
	for (const [node, parameters] of Object.entries(changes)) fillIn(workflow, node, parameters);
	return await client.createWorkflow(workflow);
}

/** Executes a workflow in a dry run from `start`, and sets its node `calling` to Live, as the notes of the examples say. */
export async function rehearsed(bench: HostBench, workflow: SavedWorkflow, calling: string, start: string): Promise<SavedWorkflow> {
	const live = structuredClone(workflow);
	fillIn(live, calling, { mode: 'live' });
	return await bench.afterDryRun(live, async () => await bench.stage.client.runAndWait(workflow, start));
}

/** The bench's credential, with a secret for callbacks. */
export async function credentialWithSecret({ stage, sandbox }: HostBench, callbackSecret: string): Promise<SavedCredential> {
	const data = { baseUrl: sandbox.baseUrl, apiToken: sandbox.token, callbackSecret };
	return await stage.client.createCredential({ name: 'Outbound Calls with a secret', type: 'outboundCallsApi', data });
}

/** Where a webhook of an active workflow listens; `path` is below `/webhook/`. */
export const webhookUrl = ({ stage }: HostBench, path: string) => `${stage.n8n.url}/webhook/${path}`;

/** n8n knows a webhook a moment after its workflow was activated; `probe` must not start anything. */
export async function webhookListens(probe: () => Promise<Response>): Promise<void> {
	await until('the webhook listens', async () => {
		const answer = await probe();
		await answer.arrayBuffer();
		return answer.status !== 404;
	});
}

/** Sends JSON, as a CRM or a dashboard does. */
export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
	fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
