import { type Bench, withProcesses } from '../helpers/bench';
import {
	atMost,
	count,
	exactly,
	inSeconds,
	millis,
	thousandths,
	type Section,
} from '../helpers/figures';

const BATCHES = 1_000;
const CALLS_EACH = 10;
const LATENCY_MS = 20;
/** Calls last between 20 seconds and 5 minutes. */
const FINISH_AFTER_MS: [least: number, most: number] = [20_000, 300_000];
const MOST_READS = 2;
const MOST_LATE_MS = 60_000;

/** Get Call over many batches until their calls are finished: what it asks of the API, and when it sees that a call has ended. */
export async function waiting(bench: Bench): Promise<Section> {
	const batches = BATCHES / bench.smaller;
	const calls = batches * CALLS_EACH;
	const finishAfterMs = FINISH_AFTER_MS.map((ms) => ms / bench.smaller) as typeof FINISH_AFTER_MS;
	return await withProcesses(bench, async (runner, sandbox) => {
		bench.progress(`Waiting for ${count(calls)} calls of up to ${inSeconds(finishAfterMs[1])}`);
		await sandbox.ask({ kind: 'reset', settings: { latencyMs: LATENCY_MS } });
		const { rows } = await sandbox.ask({
			kind: 'addBatches',
			batches,
			callsEach: CALLS_EACH,
			finishAfterMs,
		});
		const run = await runner.ask({ kind: 'follow', options: sandbox.address, rows });
		const { reads, latestMs } = await sandbox.ask({ kind: 'seen' });
		return {
			title: 'Waiting',
			figures: [
				atMost(
					`Reads for each of ${count(calls)} calls that last up to five minutes`,
					reads / calls,
					MOST_READS,
					thousandths,
				),
				atMost('Latest look after the end of a call', latestMs, MOST_LATE_MS, inSeconds),
				exactly('Timers and listeners left', run.timersLeft + run.listenersLeft, 0, count),
			],
			table: [
				{
					Batches: count(batches),
					Rows: count(run.items),
					Reads: count(reads),
					Time: inSeconds(run.wallMs),
					'Latest look': inSeconds(latestMs),
					'Longest stop': millis(run.longestStopMs),
				},
			],
			details: { latencyMs: LATENCY_MS, finishAfterMs, reads, latestMs, run },
		};
	});
}
