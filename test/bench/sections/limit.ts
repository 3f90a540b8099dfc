import { bareRequestMs } from '../bareClient';
import { type Bench, warmUp, withProcesses } from '../bench';
import { atMost, inSeconds, median, times, type Section } from '../figures';

const ROWS = 10_000;
const LATENCY_MS = 100;
const LANES = [1, 5, 10];
const MOST = 1.03;
const BARE_REQUESTS = 100;

/** How close a run comes to the time that its requests take at the least. */
export async function limit(bench: Bench): Promise<Section> {
	const rows = ROWS / bench.smaller;
	const section: Section = { title: 'Against the limit', figures: [], table: [], details: {} };
	const details: Record<string, unknown> = { rows, latencyMs: LATENCY_MS };
	for (const lanes of LANES) {
		const leastMs = (Math.ceil(rows / 10) / lanes) * LATENCY_MS;
		const one = async (): Promise<number> => (await measure(bench, rows, lanes)).wallMs;
		bench.progress(`${rows} rows, ${lanes} parallel: ${bench.runs} runs of at least ${inSeconds(leastMs)}`);
		const wallMs: number[] = [];
		// With one lane the machine waits nearly all the time, so these runs do not get into each other's way.
		if (lanes === 1) wallMs.push(...(await Promise.all(Array.from({ length: bench.runs }, one))));
		else for (let run = 0; run < bench.runs; run++) wallMs.push(await one());
		const ratio = median(wallMs.map((ms) => ms / leastMs));
		section.figures.push(atMost(`Time for ${rows} rows, ${lanes} parallel, ÷ the least possible`, ratio, MOST, times));
		section.table.push({
			'Parallel requests': String(lanes),
			'Least possible': inSeconds(leastMs),
			'Median time': inSeconds(median(wallMs)),
			Ratio: ratio.toFixed(3),
		});
		details[`parallel${lanes}`] = { leastMs, wallMs };
	}
	const bareMs = await withProcesses(bench, async (_runner, sandbox) => {
		await sandbox.ask({ kind: 'reset', settings: { latencyMs: LATENCY_MS } });
		return await bareRequestMs(sandbox.address, BARE_REQUESTS);
	});
	section.table.push({
		'Parallel requests': '1, by a bare HTTP client',
		'Least possible': inSeconds(BARE_REQUESTS * LATENCY_MS),
		'Median time': inSeconds(BARE_REQUESTS * bareMs),
		Ratio: (bareMs / LATENCY_MS).toFixed(3),
	});
	return { ...section, details: { ...details, bareRequestMs: bareMs } };
}

const measure = async (bench: Bench, rows: number, lanes: number) =>
	await withProcesses(bench, async (runner, sandbox) => {
		await warmUp(runner, sandbox, 'node');
		await sandbox.ask({ kind: 'reset', settings: { latencyMs: LATENCY_MS } });
		const parameters = { options: { parallelRequests: lanes } };
		return await runner.ask({ kind: 'run', side: 'node', options: { ...sandbox.address, rows, parameters } });
	});
