import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { SavedWorkflow } from '../../host/helpers/client';
import { setUpStage, type Stage } from '../../host/helpers/stage';
import { Teardown } from '../../host/helpers/teardown';
import type { Bench } from './bench';
import { keysOfDryRun } from './keys';
import { START, withRows, type MeasuredWorkflow } from './workflows';

const run = promisify(execFile);

const script = (name: string): string => path.join(__dirname, '../inN8n', `${name}.js`);

/** Jiffies of a process: user and system time, where `/proc` has it. */
const PER_SECOND = 100;
const ASKED_EVERY_MS = 20;
const PATIENCE_MS = 900_000;

export interface HostRun {
	/** Of the node, as n8n says it. */
	nodeMs: number;
	/** Of all of n8n's processes, from the start of the execution until it was stored. */
	cpuMs: number;
	/** The longest time in which n8n answered nobody. */
	longestSilenceMs: number;
	statuses: Record<string, number>;
}

/** A real n8n with SQLite, as most users have it. */
export class RealN8n {
	private constructor(private readonly stage: Stage) {}

	/** Starts one, and ends it when the work is done. `latencyMs`: after which the API answers. */
	static async with<T>(
		{ progress }: Bench,
		latencyMs: number,
		work: (n8n: RealN8n) => Promise<T>,
	): Promise<T> {
		const teardown = new Teardown();
		try {
			const stage = await setUpStage(progress, teardown, { sandbox: { latencyMs } });
			return await work(new RealN8n(stage));
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
		const saved = await client.createWorkflow({
			name: 'Measured',
			nodes: owned,
			connections,
			settings: { executionOrder: 'v1' },
		});
		await this.remember(saved, 0);
		return saved;
	}

	/** Runs a workflow by hand, and meanwhile asks n8n whether it is well. `measured`: the node. */
	async measure(workflow: SavedWorkflow, measured: string): Promise<HostRun> {
		const { client } = this.stage;
		const silence = this.listen();
		const before = await this.cpuMs();
		const execution = await client.runAndWait(workflow, START, PATIENCE_MS);
		const cpuMs = (await this.cpuMs()) - before;
		const { runData, error } = execution.data.resultData;
		if (error) throw error;
		const done = runData[measured]!.at(-1)!;
		const statuses: Record<string, number> = {};
		for (const { json } of done.data?.main?.[0] ?? []) {
			const status = typeof json.status === 'string' ? json.status : 'none';
			statuses[status] = (statuses[status] ?? 0) + 1;
		}
		return { nodeMs: done.executionTime, cpuMs, longestSilenceMs: await silence(), statuses };
	}

	/** Makes n8n remember so many people whom nobody calls here, and nobody else, for a workflow in which a dry run was made. */
	async remember({ id }: SavedWorkflow, people: number): Promise<void> {
		const database = path.join(this.stage.userFolder, '.n8n', 'database.sqlite');
		const { stdout } = await run(this.stage.host.node, [
			'--no-warnings',
			script('fillMemory'),
			database,
			id,
			String(people),
			JSON.stringify(keysOfDryRun(id)),
		]);
		if (stdout.trim() !== '1') throw new Error(`${stdout.trim()} lists were filled`);
	}

	/** CPU time of n8n and its task runner so far. */
	async cpuMs(): Promise<number> {
		let jiffies = 0;
		for (const name of await readdir('/proc')) {
			if (!/^\d+$/.test(name)) continue;
			const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
			// Behind the name of the program, which may hold anything.
			const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
			if (Number(fields[2]) === this.stage.n8n.pid)
				jiffies += Number(fields[11]) + Number(fields[12]);
		}
		return (jiffies * 1_000) / PER_SECOND;
	}

	/** Begins to ask; the function that comes back ends it, and resolves with the longest wait for an answer. */
	private listen(): () => Promise<number> {
		const listening = { ended: false };
		let longest = 0;
		const asking = (async () => {
			while (!listening.ended) {
				const asked = performance.now();
				// n8n closes a connection that waited long for it: the next question tells.
				await fetch(`${this.stage.n8n.url}/healthz`)
					.then(async (answer) => await answer.text())
					.catch(() => undefined);
				longest = Math.max(longest, performance.now() - asked);
				await sleep(ASKED_EVERY_MS);
			}
		})();
		return async () => {
			listening.ended = true;
			await asking;
			return longest;
		};
	}
}
