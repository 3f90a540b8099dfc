import { type Bench, withProcesses } from '../helpers/bench';
import { atMost, count, inSeconds, median, times, type Section } from '../helpers/figures';

const BATCHES = 1_000;
const CALLS_EACH = 10;
const LATENCY_MS = 5;
const POLL_INTERVAL_S = 1;
/** The node's default for parallel requests. */
const LANES = 5;
const FINISH_AFTER_MS = 6_000;

/** Get Call over many batches until their calls are finished. */
export async function waiting(bench: Bench): Promise<Section> {
	const batches = BATCHES / bench.smaller;
	const runs: Array<{ reads: number; rounds: number; roundMs: number; lateMs: number; rows: number }> = [];
	await withProcesses(bench, async (runner, sandbox) => {
		const options = { ...sandbox.address, parameters: { pollInterval: POLL_INTERVAL_S } };
		const once = async (finishAfterMs: number) => {
			await sandbox.ask({ kind: 'reset', settings: { latencyMs: LATENCY_MS } });
			const { rows, finishedAt } = await sandbox.ask({ kind: 'addBatches', batches, callsEach: CALLS_EACH, finishAfterMs });
			const run = await runner.ask({ kind: 'follow', options, rows });
			return { run, finishedAt, reads: (await sandbox.ask({ kind: 'counts' })).requests };
		};
		await once(0);
		for (let i = 0; i < bench.runs; i++) {
			bench.progress(`Waiting for ${count(batches)} batches: ${i + 1} of ${bench.runs}`);
			// Batches that are finished already take one round of reads.
			const { run: single } = await once(0);
			const { run, finishedAt, reads } = await once(FINISH_AFTER_MS);
			runs.push({
				reads,
				// As many as the clock has room for: a round of reads, a poll interval, a round …
				rounds: 1 + Math.floor(run.wallMs / (POLL_INTERVAL_S * 1_000 + (batches / LANES) * LATENCY_MS)),
				roundMs: single.wallMs,
				lateMs: run.endedAt - finishedAt,
				rows: run.items,
			});
		}
	});
	const of = (name: keyof (typeof runs)[number]): number => median(runs.map((run) => run[name]));
	return {
		title: 'Waiting',
		figures: [
			atMost(
				`Reads for each of ${count(batches)} batches in each round`,
				median(runs.map(({ reads, rounds }) => reads / rounds / batches)),
				1,
				times,
			),
			atMost('From “finished” to the rows; a poll interval and a round', of('lateMs'), POLL_INTERVAL_S * 1_000 + of('roundMs'), inSeconds),
		],
		table: [
			{
				Batches: count(batches),
				Rows: count(of('rows')),
				Rounds: count(of('rounds')),
				Reads: count(of('reads')),
				'One round': inSeconds(of('roundMs')),
				'After “finished”': inSeconds(of('lateMs')),
			},
		],
		details: { latencyMs: LATENCY_MS, pollIntervalMs: POLL_INTERVAL_S * 1_000, runs },
	};
}
