import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { SavedWorkflow } from '../../host/helpers/client';
import { setUpStage, type Stage } from '../../host/helpers/stage';
import { Teardown } from '../../host/helpers/teardown';
import type { Bench } from './bench';
import { Child } from './childProcess';
import { keysOfDryRun } from './keys';
import { cpuMsOf } from './processes';
import { countStatuses } from './rows';
import { ROWS, START, withRows, type MeasuredWorkflow } from './workflows';

const run = promisify(execFile);

const script = (name: string): string => path.join(__dirname, '../inN8n', `${name}.js`);

/** n8n cleans up for a moment after it has stored an execution. */
const CLEANS_UP_MS = 200;

export interface HostRun {
	/** Of the nodes after the rows, as n8n says it. */
	nodeMs: number;
	/** Of all of n8n's processes, from the start of the execution until it was stored. */
	cpuMs: number;
	/** The longest time in which n8n answered nobody. */
	longestSilenceMs: number;
	/** How many items of the last node have which status. */
	statuses: Record<string, number>;
}

/** A real n8n with SQLite, as most users have it. */
export class RealN8n {
	private constructor(
		private readonly stage: Stage,
		private readonly watch: Child,
	) {}

	/** Starts one, and ends it when the work is done. `latencyMs`: after which the API answers. */
	static async with<T>(
		{ progress }: Bench,
		latencyMs: number,
		work: (n8n: RealN8n) => Promise<T>,
	): Promise<T> {
		const teardown = new Teardown();
		try {
			const stage = await setUpStage(progress, teardown, { sandbox: { latencyMs } });
			const watch = new Child(script('watch'), stage.host.node);
			teardown.add(async () => await Promise.resolve(watch.end()));
			return await work(new RealN8n(stage, watch));
		} finally {
			await teardown.run();
		}
	}

	get sandbox(): Stage['sandbox'] {
		return this.stage.sandbox;
	}

	/** Saves a workflow whose rows come out of a Code node, as one in which a dry run was made. */
	async save(workflow: MeasuredWorkflow, rows: number): Promise<SavedWorkflow> {
		const { nodes, connections } = withRows(workflow, rows);
		const { client, credential } = this.stage;
		const owned = nodes.map((each) =>
			each.credentials
				? {
						...each,
						credentials: { [credential.type]: { id: credential.id, name: credential.name } },
					}
				: each,
		);
		const saved = await client.createWorkflow({ name: 'Measured', nodes: owned, connections });
		await this.remember(saved, 0);
		return saved;
	}

	/** Runs a workflow by hand, and meanwhile asks n8n whether it is well. */
	async measure(workflow: SavedWorkflow): Promise<HostRun> {
		const { client, n8n } = this.stage;
		await this.watch.ask({ url: n8n.url });
		const before = await this.cpuMs();
		const id = await client.run(workflow, START);
		const longest = await this.watch.ask({ database: this.database, id });
		await sleep(CLEANS_UP_MS);
		const cpuMs = (await this.cpuMs()) - before;
		const { resultData } = (await client.waitForExecution(id)).data;
		if (resultData.error) throw resultData.error;
		const { [START]: _, [ROWS]: rows, ...after } = resultData.runData;
		const done = Object.values(after).map((runs) => runs.at(-1)!);
		const last = resultData.runData[resultData.lastNodeExecuted!] ?? rows;
		return {
			nodeMs: done.reduce((sum, { executionTime }) => sum + executionTime, 0),
			cpuMs,
			longestSilenceMs: longest as number,
			statuses: countStatuses(last?.at(-1)?.data?.main?.[0] ?? []),
		};
	}

	/** Makes n8n remember so many people whom nobody calls here, and nobody else, for a workflow in which a dry run was made. */
	async remember({ id }: SavedWorkflow, people: number): Promise<void> {
		const { stdout } = await run(this.stage.host.node, [
			'--no-warnings',
			script('fillMemory'),
			this.database,
			id,
			String(people),
			JSON.stringify(keysOfDryRun(id)),
		]);
		if (stdout.trim() !== '1') throw new Error(`${stdout.trim()} lists were filled`);
	}

	/** CPU time of n8n and its task runner so far. */
	async cpuMs(): Promise<number> {
		return await cpuMsOf([this.stage.n8n.pid]);
	}

	private get database(): string {
		return path.join(this.stage.userFolder, '.n8n', 'database.sqlite');
	}
}
