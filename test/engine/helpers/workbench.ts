import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { inspect } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type OwnAnswer, type Sandbox } from '../../sandbox';
import { ContractWatch } from '../../sandbox/contractWatch';
import { statuses } from './outcomes';
import { apiOf, run, type Finished, type RunRequest } from './harness';
import { VirtualTime } from './virtualTime';

const TOKEN = 'tk_8d1f03c7_do_not_show';

type More = Partial<Omit<RunRequest, 'parameters' | 'items'>>;

/** A sandbox for one test file. After each test, everything that it did is checked for leaks and against the documented API. */
export class Workbench {
	sandbox!: Sandbox;
	/** Happens when the API has done what a request asks for, before its answer leaves: no machine is too slow for it. */
	meanwhile: ((answer: OwnAnswer) => void | Promise<void>) | undefined;
	readonly time = new VirtualTime(() => this.sandbox);

	private finished: Finished[] = [];
	private settings = '{}';
	private accounts = 0;
	private readonly contract = new ContractWatch();

	async open(): Promise<void> {
		const onOwnAnswer = async (answer: OwnAnswer): Promise<void> => {
			this.contract.answer(answer);
			await this.meanwhile?.(answer);
		};
		const { now } = this.time;
		this.sandbox = await startSandbox({ token: TOKEN, onOwnAnswer, now });
		this.settings = JSON.stringify(this.sandbox.settings);
		this.time.install();
	}

	async close(): Promise<void> {
		this.time.uninstall();
		await this.sandbox.close();
	}

	/** Runs the node once in the real engine, by default against the sandbox and with one empty item. */
	async run(
		parameters: INodeParameters,
		items: IDataObject[] = [{}],
		more: More = {},
	): Promise<Finished> {
		const finished = await this.time.during(
			run({ parameters, items, api: apiOf(this.sandbox), ...more }),
		);
		this.finished.push(finished);
		return finished;
	}

	/** Starts such a run, which can be ended as by the Stop button. */
	start(...[parameters, items, more]: Parameters<Workbench['run']>) {
		let stop = (): void => undefined;
		const run = this.run(parameters, items, { onStarted: (it) => (stop = it), ...more });
		return { run, stop: (): void => stop() };
	}

	/** What became of each row of such a run. */
	async statuses(...asked: Parameters<Workbench['run']>): Promise<unknown[]> {
		return statuses((await this.run(...asked)).json);
	}

	/** The process learns that the API answers, as from a run before: requests of the next run leave at the same time from the first on. */
	async meet(): Promise<void> {
		await this.run({
			resource: 'batch',
			operation: 'getBatch',
			batchId: '00000000-0000-4000-8000-000000000000',
		});
	}

	get dialed(): string[] {
		return this.sandbox.journal.map(({ phone }) => phone);
	}

	/** The batches that were read, in order; further pages belong to the same read. */
	get batchesRead(): string[] {
		return this.sandbox.requests.flatMap(({ method, path }) =>
			method === 'GET' ? (/\/batches\/([^/?]+)$/.exec(path) ?? []).slice(1) : [],
		);
	}

	/** As somebody does it on the dashboard. */
	async cancel(...ids: number[]): Promise<void> {
		const { baseUrl, token } = this.sandbox;
		const headers = { authorization: `Bearer ${token}` };
		for (const id of ids) {
			const sent = request(`${baseUrl}/consents/${id}/cancel`, { method: 'POST', headers }).end();
			const [answer] = (await once(sent, 'response')) as [IncomingMessage];
			await once(answer.resume(), 'end');
		}
	}

	bodies<T>(): T[] {
		return this.sandbox.requests.map(({ body }) => body as T);
	}

	/** G9: the token is in the header of each request and nowhere else. Node and sandbox both keep to docs/api.openapi.yaml. */
	check(): void {
		const { token } = this.sandbox;
		for (const { headers } of this.sandbox.requests)
			expect(headers.authorization).toBe(`Bearer ${token}`);
		expect(
			this.sandbox.requests.filter(({ path, body }) =>
				`${path}${JSON.stringify(body)}`.includes(TOKEN),
			),
		).toEqual([]);
		for (const finished of this.finished) {
			const shown = inspect(finished, {
				depth: null,
				showHidden: true,
				maxArrayLength: null,
				maxStringLength: null,
			});
			expect(shown.includes(TOKEN)).toBe(false);
			expect(JSON.stringify(finished).includes(TOKEN)).toBe(false);
		}
		this.contract.requests(this.sandbox);
		expect(this.contract.take()).toEqual([]);
	}

	reset(): void {
		this.finished = [];
		this.contract.take();
		this.meanwhile = undefined;
		this.time.reset();
		const { settings } = this.sandbox;
		for (const name of Object.keys(settings)) Reflect.deleteProperty(settings, name);
		// What a process knows of an account, its limits and pauses, outlives an execution: each test has its own.
		Object.assign(settings, JSON.parse(this.settings), { token: `${TOKEN}_${++this.accounts}` });
		this.sandbox.reset();
	}
}

/** Call once at the top of a test file. */
export function workbench(): Workbench {
	const bench = new Workbench();
	beforeAll(() => bench.open());
	afterEach(() => {
		try {
			bench.check();
		} finally {
			bench.reset();
		}
	});
	afterAll(() => bench.close());
	return bench;
}
