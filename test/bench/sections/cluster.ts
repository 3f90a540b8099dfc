import { bulk, contacts } from '../../engine/helpers/workflows';
import { setUpCluster, type Cluster } from '../../host/helpers/cluster';
import { HostBench } from '../../host/helpers/hostBench';
import { Teardown } from '../../host/helpers/teardown';
import type { Bench } from '../helpers/bench';
import { median, type Section, show } from '../helpers/figures';
import { cpuMsOf } from '../helpers/processes';

const { count, inSeconds, micros } = show;

const ROWS = 2_000;
const LATENCY_MS = 20;
/** Executions at once, with the same rows. */
const EXECUTIONS = 4;

/** Executions that want the same people at the same time, on two workers and on one. */
export async function cluster({ runs, smaller, progress }: Bench): Promise<Section> {
	const rows = contacts(ROWS / smaller);
	const teardown = new Teardown();
	try {
		const stage = await setUpCluster(progress, teardown, { latencyMs: LATENCY_MS });
		const bench = new HostBench();
		bench.stage = stage;
		const measure = async (): Promise<{ ms: number; cpuMs: number }> => {
			stage.sandbox.reset();
			const { workflow, start } = await bench.published({
				rows: JSON.stringify({ rows }),
				parameters: bulk({ calledBefore: 'skip' }),
			});
			const [cpuMs, begun] = [await cpuMsOf(processesOf(stage)), Date.now()];
			await Promise.all(Array.from({ length: EXECUTIONS }, async () => await start()));
			await bench.ended(workflow, EXECUTIONS);
			const { journal } = stage.sandbox;
			if (journal.length !== rows.length) throw new Error(`${journal.length} dials`);
			return { ms: journal.at(-1)!.at - begun, cpuMs: (await cpuMsOf(processesOf(stage))) - cpuMs };
		};
		const table: Section['table'] = [];
		for (const workers of [2, 1]) {
			if (workers === 1) await stage.workers[1]!.kill();
			const measured = [];
			// The first one loads and compiles.
			for (let run = 0; run <= runs; run++) {
				progress(`${count(rows.length)} rows on ${workers} of the workers: ${run} of ${runs}`);
				const each = await measure();
				if (run > 0) measured.push(each);
			}
			const ms = median(measured.map((each) => each.ms));
			const cpuMs = median(measured.map((each) => each.cpuMs));
			table.push({
				[`${count(rows.length)} rows, ${EXECUTIONS} executions at once`]: `Workers: ${workers}`,
				'Until all are called': inSeconds(ms),
				'CPU of n8n for each row': micros((cpuMs * 1_000) / rows.length),
			});
		}
		return { title: 'Several workers', figures: [], table };
	} finally {
		await teardown.run();
	}
}

const processesOf = ({ n8n, workers }: Cluster): number[] => [
	n8n.pid,
	...workers.map((worker) => worker.pid()),
];
