import type { INode, INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import type { Sandbox } from '../../sandbox';
import { BY_HAND, callWorkflow, CALLS, START } from './callWorkflow';
import type { Execution, SavedWorkflow, WorkflowDefinition } from './client';
import { startN8n } from './n8n';
import { rowsOf } from './outcomes';
import { setUpStage, type Stage } from './stage';
import { Teardown } from './teardown';

/** Unlike any other text, so that it can be searched for. */
export const TOKEN = 'tk_host_c41d9e27_do_not_show';

interface Given {
	rows: object[] | string;
	gate?: string;
	between?: INode[];
	timeout?: number;
	parameters: INodeParameters;
	settings?: Partial<INode>;
	behindCalled?: Record<string, INodeParameters>;
}

/** How long an expected state may take on a slow machine. */
const PATIENCE_MS = 120_000;

/** Waits for a state; throws with `what` when it does not come. */
export async function until(
	what: string,
	happened: () => boolean | Promise<boolean>,
	patienceMs = PATIENCE_MS,
): Promise<void> {
	const deadline = Date.now() + patienceMs;
	while (!(await happened())) {
		if (Date.now() > deadline) throw new Error(`Waited ${patienceMs / 1000} s in vain: ${what}`);
		await sleep(10);
	}
}

/** A line in the test's output, for a person who follows it. */
export const say = (line: string): void => void process.stdout.write(`  ${line}\n`);

/** One real n8n for the tests of a file. */
export class HostBench {
	stage!: Stage;
	/** The logs of every n8n that ran here. */
	readonly logFiles: string[] = [];
	private readonly teardown = new Teardown();
	private settings = '{}';
	private workflows = 0;
	private readonly dryRuns = new Set<string>();

	/** `env` is added to n8n's environment. */
	constructor(private readonly env: Record<string, string> = {}) {}

	async open(): Promise<void> {
		this.stage = await setUpStage(say, this.teardown, { sandbox: { token: TOKEN }, env: this.env });
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

	/** An active workflow, and what starts one execution of it, in production. */
	async activeWorkflow(
		given: Given,
	): Promise<{ workflow: SavedWorkflow; start: (body?: object) => Promise<void> }> {
		const { client, credential } = this.stage;
		const name = this.newName();
		const workflow = await this.saved(callWorkflow({ name, credential, webhook: name, ...given }));
		await client.activate(workflow);
		// n8n knows the webhook a moment after the activation, or after its own start.
		const start = async (body: object = {}) =>
			await until('the webhook answers', async () => await this.startedBy(name, body));
		return { workflow, start };
	}

	/** Runs a workflow once, by hand. */
	async run(given: Given): Promise<Execution> {
		const { client, credential } = this.stage;
		const workflow = await this.saved(callWorkflow({ name: this.newName(), credential, ...given }));
		return await client.runAndWait(workflow, START, PATIENCE_MS);
	}

	/** A workflow in n8n. One that is live and remembers whom it called was executed in a dry run before, as the node asks for. */
	async saved(definition: WorkflowDefinition): Promise<SavedWorkflow> {
		const { client } = this.stage;
		const calling = definition.nodes.find(({ name }) => name === CALLS)!;
		if (calling.parameters.mode !== 'live' || calling.parameters.calledBefore === 'callAgain')
			return await client.createWorkflow(definition);
		const dry = {
			...calling,
			onError: 'continueRegularOutput' as const,
			parameters: { ...calling.parameters, mode: 'dryRun' },
		};
		const workflow = await client.createWorkflow({
			...definition,
			nodes: definition.nodes.map((node) => (node === calling ? dry : node)),
		});
		const start = definition.nodes.some(({ name }) => name === BY_HAND) ? BY_HAND : START;
		return await this.afterDryRun(
			{ ...workflow, nodes: definition.nodes },
			async () => await client.runAndWait(workflow, start, PATIENCE_MS),
		);
	}

	/** Saves a workflow anew once what is saved of it was executed. These executions, also those of its `parents`, are not among the `ended` ones. */
	async afterDryRun(
		workflow: SavedWorkflow,
		dryRun: () => Promise<unknown>,
		parents: SavedWorkflow[] = [],
	): Promise<SavedWorkflow> {
		const { client } = this.stage;
		await dryRun();
		for (const { id: workflowId } of [workflow, ...parents]) {
			for (const { id } of await client.listExecutions({ workflowId })) {
				this.dryRuns.add(id);
				await client.waitForExecution(id, PATIENCE_MS);
			}
		}
		return await client.updateWorkflow(workflow);
	}

	/** Publishes what is saved of a workflow, and waits until it listens. */
	async publish(workflow: SavedWorkflow): Promise<void> {
		const { client } = this.stage;
		await client.activate(workflow);
		await until(
			'n8n has published it',
			async () => (await client.liveVersion(workflow)) === workflow.versionId,
		);
	}

	/** The executions of a workflow, oldest first, once there are `count` and all have ended. */
	async ended({ id: workflowId }: SavedWorkflow, count: number): Promise<Execution[]> {
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

	/** Ends n8n as a power failure does. */
	async crash(): Promise<void> {
		await this.stage.n8n.kill();
	}

	/** Starts n8n again with the same files, at the same address. */
	async startAgain(): Promise<void> {
		const { host, userFolder, client, login, n8n } = this.stage;
		const logFile = path.join(userFolder, `n8n-${this.logFiles.length}.log`);
		const again = await startN8n({
			host,
			userFolder,
			logFile,
			port: Number(new URL(n8n.url).port),
			env: this.env,
		});
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

	private newName(): string {
		return `campaign-${++this.workflows}`;
	}

	private async startedBy(webhook: string, body: object): Promise<boolean> {
		const { ok, status } = await fetch(`${this.stage.n8n.url}/webhook/${webhook}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!ok && status !== 404) throw new Error(`The webhook answered ${status}`);
		return ok;
	}
}

/** Call once at the top of a test file. */
export function hostBench(env?: Record<string, string>): HostBench {
	const bench = new HostBench(env);
	beforeAll(() => bench.open());
	afterEach(() => bench.reset());
	afterAll(() => bench.close());
	return bench;
}

/** The rows that the calling node put out, in the order of its input. */
export const callsOf = (execution: Execution) => rowsOf(execution, CALLS).map(({ json }) => json);

/** What n8n shows for an execution that did not succeed. */
export function shown({ data }: Execution): { message: string; description: string } {
	const { message = '', description } = (data.resultData.error ?? {}) as {
		message?: string;
		description?: string | null;
	};
	return { message, description: description ?? '' };
}
