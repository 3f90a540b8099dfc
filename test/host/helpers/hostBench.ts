import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox';
import { BY_HAND, CALLS, callWorkflow, START, type CallWorkflow } from './callWorkflow';
import type { Execution, SavedWorkflow, WorkflowDefinition } from './client';
import { Clock } from './clock';
import { startN8n } from './n8n';
import { setUpStage, type Stage } from './stage';
import { Teardown } from './teardown';

/** Unlike any other text, so that it can be searched for. */
export const TOKEN = 'tk_host_c41d9e27_do_not_show';

/** How long an expected state may take on a slow machine. */
const PATIENCE_MS = 120_000;

/** Waits for a state; throws with `what` when it does not come. */
export async function until(
	what: string,
	happened: () => boolean | Promise<boolean>,
): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await happened())) {
		if (Date.now() > deadline) throw new Error(`Waited ${PATIENCE_MS / 1000} s in vain: ${what}`);
		await sleep(20);
	}
}

/** A line in the test's output, for a person who follows it. */
export const say = (line: string): void => void process.stdout.write(`  ${line}\n`);

export const SATURDAY = 6;
export const MONDAY = 1;

/** One real n8n for the tests of a file. */
export class HostBench {
	stage!: Stage;
	/** The logs of every n8n that ran here. */
	readonly logFiles: string[] = [];
	private readonly teardown = new Teardown();
	private readonly clock = new Clock();
	private settings = '{}';
	private workflows = 0;
	/** Dry runs that were only made because Live needs one. */
	private readonly dryRuns = new Set<string>();

	async open(): Promise<void> {
		this.teardown.add(async () => await Promise.resolve(this.clock.remove()));
		const { env } = this.clock;
		this.stage = await setUpStage(say, this.teardown, { sandbox: { token: TOKEN }, env });
		this.logFiles.push(this.stage.n8n.logFile, path.join(this.stage.userFolder, 'sandbox.log'));
		this.settings = JSON.stringify(this.sandbox.settings);
		// It has answered the test of the credential.
		this.sandbox.reset();
	}

	async close(): Promise<void> {
		await this.teardown.run();
	}

	get sandbox(): Sandbox {
		return this.stage.sandbox;
	}

	/** Phones that were dialed, in order. */
	get dialed(): string[] {
		return this.sandbox.journal.map(({ phone }) => phone);
	}

	newName(): string {
		return `campaign-${++this.workflows}`;
	}

	/** Sets n8n's clock to a moment of the next week in UTC, or so many weeks later. */
	async setClock(weekday: number, time: string, weeksLater = 0): Promise<Date> {
		const day = new Date(Date.now() + 86_400_000);
		while (day.getUTCDay() !== weekday) day.setTime(day.getTime() + 86_400_000);
		day.setTime(day.getTime() + weeksLater * 7 * 86_400_000);
		return await this.moveTo(new Date(`${day.toISOString().slice(0, 10)}T${time}Z`));
	}

	async moveTo(moment: Date): Promise<Date> {
		await this.clock.set(moment.getTime());
		// The session may be over by then.
		await this.stage.client.logIn(this.stage.login);
		return moment;
	}

	define(given: CallWorkflow): WorkflowDefinition {
		return callWorkflow(given.webhook ?? this.newName(), this.stage.credential, given);
	}

	/** A workflow in n8n. One that is Live and uses the memory has had its dry run. */
	async saved(given: CallWorkflow): Promise<SavedWorkflow> {
		const { client } = this.stage;
		const definition = this.define(given);
		const { mode, calledBefore, rules } = given.parameters;
		const workflow = await client.createWorkflow(definition);
		if (mode !== 'live' || (calledBefore === 'callAgain' && !rules)) return workflow;
		const start = given.webhook ? BY_HAND : START;
		return await this.rehearsed(workflow, async (dry) => await client.runAndWait(dry, start));
	}

	/** Saves a workflow in a dry run, executes that, and saves it as it was. */
	async rehearsed(
		workflow: SavedWorkflow,
		dryRun: (dry: SavedWorkflow) => Promise<unknown>,
		calling = CALLS,
	): Promise<SavedWorkflow> {
		const { client } = this.stage;
		const dry = await client.updateWorkflow(withFields(workflow, calling, { mode: 'dryRun' }));
		await dryRun(dry);
		for (const { id } of await client.listExecutions({ workflowId: workflow.id })) {
			await client.waitForExecution(id, PATIENCE_MS);
			this.dryRuns.add(id);
		}
		return await client.updateWorkflow({ ...workflow, versionId: dry.versionId });
	}

	/** Runs a workflow once, by hand. */
	async run(given: CallWorkflow): Promise<Execution> {
		return await this.stage.client.runAndWait(await this.saved(given), START, PATIENCE_MS);
	}

	/** Changes fields of one node and executes the workflow by hand. */
	async runWith(
		workflow: SavedWorkflow,
		nodeName: string,
		fields: object,
		start = START,
	): Promise<Execution> {
		const { client } = this.stage;
		Object.assign(workflow, await client.updateWorkflow(withFields(workflow, nodeName, fields)));
		return await client.runAndWait(workflow, start, PATIENCE_MS);
	}

	/** A published workflow with a webhook, and what starts one execution of it, in production. */
	async published(
		given: Omit<CallWorkflow, 'webhook'>,
	): Promise<{ workflow: SavedWorkflow; start: (body?: object) => Promise<Response> }> {
		const webhook = this.newName();
		const workflow = await this.saved({ ...given, webhook });
		await this.publish(workflow);
		return { workflow, start: async (body = {}) => await this.post(webhook, body) };
	}

	/** Publishes what is saved of a workflow, and waits until it is live. */
	async publish(workflow: SavedWorkflow): Promise<void> {
		const { client } = this.stage;
		const { id, versionId } = workflow;
		await client.send('POST', `/workflows/${id}/activate`, { versionId });
		await until('n8n has published it', async () => {
			const status = await client.send('GET', `/workflows/${id}/publication-status`);
			return (status as { liveVersionId: string | null }).liveVersionId === versionId;
		});
	}

	/** Sends JSON to a webhook below `/webhook/`. n8n knows it a moment after the activation, or after its own start. */
	async post(webhook: string, body: unknown, headers: object = {}): Promise<Response> {
		let answer: Response | undefined;
		await until(`the webhook ${webhook} answers`, async () => {
			answer = await fetch(`${this.stage.n8n.url}/webhook/${webhook}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body: JSON.stringify(body),
			});
			return answer.status !== 404;
		});
		return answer!;
	}

	/** The executions of a workflow, oldest first, once there are `count` and all have ended. */
	async ended({ id: workflowId }: { id: string }, count: number): Promise<Execution[]> {
		const { client } = this.stage;
		let ids: string[] = [];
		await until(`${count} executions have begun`, async () => {
			// The list may name an execution twice while it ends.
			ids = [...new Set((await client.listExecutions({ workflowId })).map(({ id }) => id))]
				.filter((id) => !this.dryRuns.has(id))
				.reverse();
			return ids.length >= count;
		});
		return await Promise.all(ids.map(async (id) => await client.waitForExecution(id, PATIENCE_MS)));
	}

	/** Ends n8n as a power failure does, and starts it again with the same files, at the same address. */
	async crash(): Promise<void> {
		const { host, userFolder, client, login, n8n } = this.stage;
		await n8n.kill();
		await until('the requests under way are answered', () => this.sandbox.inFlight === 0);
		const logFile = path.join(userFolder, `n8n-${this.logFiles.length}.log`);
		const port = Number(new URL(n8n.url).port);
		const again = await startN8n({ host, userFolder, logFile, port, env: this.clock.env });
		this.teardown.add(() => again.stop());
		this.logFiles.push(logFile);
		await client.logIn(login);
		this.stage.n8n = again;
	}

	reset(): void {
		const { settings } = this.sandbox;
		for (const name of Object.keys(settings)) Reflect.deleteProperty(settings, name);
		Object.assign(settings, JSON.parse(this.settings));
		this.sandbox.reset();
	}
}

/** The same workflow with other values in fields of one node. */
export function withFields<T extends WorkflowDefinition>(
	workflow: T,
	nodeName: string,
	fields: object,
): T {
	const nodes = workflow.nodes.map((each) =>
		each.name === nodeName ? { ...each, parameters: { ...each.parameters, ...fields } } : each,
	);
	return { ...workflow, nodes };
}

/** Call once at the top of a test file. */
export function hostBench(): HostBench {
	const bench = new HostBench();
	beforeAll(() => bench.open());
	afterEach(() => bench.reset());
	afterAll(() => bench.close());
	return bench;
}
