import type { Bench } from '../helpers/bench';
import { atMost, inSeconds, median, micros, millis, type Section } from '../helpers/figures';
import { RealN8n, type HostRun } from '../helpers/realN8n';
import { thisNode } from '../helpers/workflows';

const ROWS = 2_000;
const LATENCY_MS = 20;
/** V8 compiles n8n's own code in the first runs; we measure a server that has been up for an hour. */
const WARM_UPS = 8;
/** With an empty memory, in microseconds. */
const MOST_CPU = 820;

/** A run in a real n8n: what all of n8n's processes need for it, with everything that is stored. */
export async function host(bench: Bench): Promise<Section> {
	const rows = ROWS / bench.smaller;
	return await RealN8n.with(bench, LATENCY_MS, async (n8n) => {
		const { sandbox } = n8n;
		const workflow = await n8n.save(thisNode(), rows);
		const runs: HostRun[] = [];
		for (let turn = -WARM_UPS; turn < bench.runs; turn++) {
			if (turn >= 0) bench.progress(`${rows} rows in a real n8n: ${turn + 1} of ${bench.runs}`);
			sandbox.reset();
			await n8n.remember(workflow, 0);
			const run = await n8n.measure(workflow);
			if (sandbox.journal.length !== rows) throw new Error(JSON.stringify(run.statuses));
			if (turn >= 0) runs.push(run);
		}
		const cpuOfRow = (median(runs.map(({ cpuMs }) => cpuMs)) * 1_000) / rows;
		const silence = median(runs.map(({ longestSilenceMs }) => longestSilenceMs));
		const what = 'CPU of a whole n8n for each row, nobody remembered';
		return {
			title: 'A whole n8n',
			figures: [atMost(what, cpuOfRow, MOST_CPU, micros)],
			table: [
				{
					Rows: String(rows),
					Time: inSeconds(median(runs.map(({ nodeMs }) => nodeMs))),
					'Longest without an answer': millis(silence),
				},
			],
			details: { rows, latencyMs: LATENCY_MS, runs },
		};
	});
}
