import type { DataTable, Execution, SavedCredential, SavedWorkflow } from './client';
import { Clock } from './clock';
import { exampleWorkflow, fillIn } from './exampleWorkflow';
import { hostBench, shown, until, type HostBench } from './hostBench';
import { itemsOf } from './outcomes';

export const SUNDAY = 0;
export const MONDAY = 1;

/** One real n8n for the tests of a file, whose clock they set. Call once at the top of the file. */
export function hostBenchWithClock() {
	const clock = new Clock();
	const bench = hostBench(clock.env);
	afterAll(() => clock.remove());
	// Whoever is signed in must do so again: the session may be over by then.
	const signIn = async () => await bench.stage.client.logIn(bench.stage.login);
	return {
		bench,
		/** A moment of the next week in UTC, or so many days later. */
		setClock: async (weekday: number, time: string, daysLater = 0) => {
			const day = new Date(Date.now() + 86_400_000);
			while (day.getUTCDay() !== weekday) day.setTime(day.getTime() + 86_400_000);
			day.setTime(day.getTime() + daysLater * 86_400_000);
			await clock.set(Date.parse(`${day.toISOString().slice(0, 10)}T${time}Z`));
			await signIn();
		},
		resetClock: async () => {
			await clock.reset();
			await signIn();
		},
	};
}

/** What a node put out in its last run. */
export const jsonOf = (execution: Execution, node: string, output = 0) =>
	itemsOf(execution, node, output).map(({ json }) => json);

/** An execution that went through. */
export const succeeded = (execution: Execution): Execution => {
	expect({ status: execution.status, ...shown(execution) }).toEqual({
		status: 'success',
		message: '',
		description: '',
	});
	return execution;
};

/** A person chooses the table in the node's list. */
export const chosen = ({ id }: DataTable) => ({
	dataTableId: { __rl: true, mode: 'id', value: id },
});

/** What a test changes in an example before it is saved: for a node's name, some of its fields. */
type Changes = Record<string, object>;

/** Imports an example into the bench's n8n, with the credentials that the bench and the test have. */
export async function importExample(
	{ stage }: HostBench,
	file: string,
	{ changes = {}, credentials = [] }: { changes?: Changes; credentials?: SavedCredential[] } = {},
): Promise<SavedWorkflow> {
	const { client, credential, filesFolder } = stage;
	const workflow = await exampleWorkflow(file, {
		credentials: [credential, ...credentials],
		filesFolder,
	});
	for (const [node, parameters] of Object.entries(changes)) fillIn(workflow, node, parameters);
	return await client.createWorkflow(workflow);
}

/** Executes a workflow in a dry run from `start`, and sets its node `calling` to Live, as the notes of the examples say. */
export async function rehearsed(
	bench: HostBench,
	workflow: SavedWorkflow,
	calling: string,
	start: string,
): Promise<SavedWorkflow> {
	const live = structuredClone(workflow);
	fillIn(live, calling, { mode: 'live' });
	return await bench.afterDryRun(
		live,
		async () => await bench.stage.client.runAndWait(workflow, start),
	);
}

/** The bench's credential, with a secret for callbacks. */
export async function credentialWithSecret(
	{ stage, sandbox }: HostBench,
	callbackSecret: string,
): Promise<SavedCredential> {
	const data = { baseUrl: sandbox.baseUrl, apiToken: sandbox.token, callbackSecret };
	return await stage.client.createCredential({
		name: 'Outbound Calls with a secret',
		type: 'outboundCallsApi',
		data,
	});
}

/** Where a webhook of an active workflow listens; `path` is below `/webhook/`. */
export const webhookUrl = ({ stage }: HostBench, path: string) =>
	`${stage.n8n.url}/webhook/${path}`;

/** n8n knows a webhook a moment after its workflow was activated; `probe` must not start anything. */
export async function webhookListens(probe: () => Promise<Response>): Promise<void> {
	await until('the webhook listens', async () => {
		const answer = await probe();
		await answer.arrayBuffer();
		return answer.status !== 404;
	});
}

/** Sends JSON, as a CRM or a dashboard does. */
export const postJson = (
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<Response> =>
	fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
