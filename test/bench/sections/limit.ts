import { bareRequestMs } from '../helpers/bareClient';
import { type Bench, warmUp, withProcesses } from '../helpers/bench';
import { atMost, inSeconds, median, thousandths, type Section } from '../helpers/figures';

const ROWS = 4_000;
const LATENCY_MS = 100;
const LANES = [1, 5, 10];
/** Compared with a node that only sends. */
const MOST = 1.01;
const BARE_REQUESTS = 100;
/** Nobody has called with the account in the process before. */
const FIRST_ROWS = 1_000;
const FIRST_LANES = 5;

/** How close a run comes to the shortest possible time for its requests, and how much of the rest is n8n's own. */
export async function limit(bench: Bench): Promise<Section> {
	const rows = ROWS / bench.smaller;
	const section: Section = { title: 'Against the limit', figures: [], table: [], details: {} };
	const details: Record<string, unknown> = { rows, latencyMs: LATENCY_MS };
	for (const lanes of LANES) {
		const leastMs = (Math.ceil(rows / 10) / lanes) * LATENCY_MS;
		bench.progress(
			`${rows} rows, ${lanes} parallel: ${bench.runs} runs of at least ${inSeconds(leastMs)}, beside a node that only sends`,
		);
		const wallMs: Record<'node' | 'sender', number[]> = { node: [], sender: [] };
		const one = async (side: 'node' | 'sender') =>
			wallMs[side].push((await measure(bench, side, rows, lanes)).wallMs);
		for (let run = 0; run < bench.runs; run++) {
			// With one request at a time the machine mostly waits, so the two hardly slow each other down.
			if (lanes === 1) await Promise.all([one('node'), one('sender')]);
			else {
				await one('node');
				await one('sender');
			}
		}
		const toSender = median(wallMs.node.map((ms, run) => ms / wallMs.sender[run]!));
		const ratio = (side: 'node' | 'sender'): number =>
			median(wallMs[side].map((ms) => ms / leastMs));
		section.figures.push(
			atMost(
				`Time for ${rows} rows, ${lanes} parallel, ÷ that of a node that only sends`,
				toSender,
				MOST,
				thousandths,
			),
		);
		section.table.push({
			'Parallel requests': String(lanes),
			'Least possible': inSeconds(leastMs),
			'Median time': inSeconds(median(wallMs.node)),
			Ratio: ratio('node').toFixed(3),
			'A node that only sends': ratio('sender').toFixed(3),
		});
		details[`parallel${lanes}`] = { leastMs, wallMs: wallMs.node, onlySendsMs: wallMs.sender };
	}
	const first = await firstRuns(bench);
	const bareMs = await withProcesses(bench, async (_runner, sandbox) => {
		await sandbox.ask({ kind: 'reset', settings: { latencyMs: LATENCY_MS } });
		return await bareRequestMs(sandbox.address, BARE_REQUESTS);
	});
	section.table.push({
		'Parallel requests': '1, by a bare HTTP client',
		'Least possible': inSeconds(BARE_REQUESTS * LATENCY_MS),
		'Median time': inSeconds(BARE_REQUESTS * bareMs),
		Ratio: (bareMs / LATENCY_MS).toFixed(3),
		'A node that only sends': '',
	});
	return { ...section, details: { ...details, bareRequestMs: bareMs, first } };
}

/** What the first run of a process takes: its code is loaded and compiled, and this node's first request goes alone. */
async function firstRuns(
	bench: Bench,
): Promise<{ rows: number; lanes: number; nodeMs: number; senderMs: number }> {
	bench.progress(`The first run of a process, ${FIRST_ROWS} rows, ${FIRST_LANES} parallel`);
	const wallMs: Record<'node' | 'sender', number[]> = { node: [], sender: [] };
	for (let run = 0; run < bench.runs; run++) {
		for (const side of ['node', 'sender'] as const)
			wallMs[side].push((await measure(bench, side, FIRST_ROWS, FIRST_LANES, 'cold')).wallMs);
	}
	return {
		rows: FIRST_ROWS,
		lanes: FIRST_LANES,
		nodeMs: median(wallMs.node),
		senderMs: median(wallMs.sender),
	};
}

const measure = async (
	bench: Bench,
	side: 'node' | 'sender',
	rows: number,
	lanes: number,
	start: 'warm' | 'cold' = 'warm',
) =>
	await withProcesses(bench, async (runner, sandbox) => {
		const parameters = { options: { parallelRequests: lanes } };
		if (start === 'warm') await warmUp(runner, sandbox, side, { parameters });
		await sandbox.ask({ kind: 'reset', settings: { latencyMs: LATENCY_MS } });
		const run = await runner.ask({
			kind: 'run',
			side,
			options: { ...sandbox.address, rows, parameters },
		});
		if (run.message !== undefined || run.items !== rows)
			throw new Error(`${run.items} rows came out: ${run.message ?? 'no message'}`);
		return run;
	});
