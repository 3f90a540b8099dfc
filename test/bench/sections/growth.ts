import { type Bench, withProcesses } from '../helpers/bench';
import { atMost, median, type Section, show } from '../helpers/figures';
import type { Run } from '../helpers/messages';

const { bytes, count, inSeconds, megabytes, micros, millis, times } = show;

const SIZES = [1_000, 10_000, 100_000];
/** Small runs are repeated, so that each measurement takes long enough to be meaningful. */
const LEAST_ROWS = 10_000;
const WARM_UP_ROWS = 2_000;
const MOST_GROWTH = 1.1;
const MOST_BYTES = 2_200;
const MOST_LEDGER_BYTES = 20_000_000;
const MOST_STOP_MS = 50;

/** What a row costs when there are more of them, and how long nobody else has a turn. */
export async function growth(bench: Bench): Promise<Section> {
	const sizes = SIZES.map((size) => size / bench.smaller);
	const largest = sizes.at(-1)!;
	const cpu = await cpuBySize(bench, sizes);
	const { node, sender, dry } = await stopsOf(bench, largest);
	bench.progress(`Memory of ${count(largest)} rows`);
	const memory = await withProcesses(
		bench,
		async (ask) => await ask({ kind: 'memory', side: 'node' }, largest),
	);
	const growths = cpu.get(largest)!.map((ofLargest, run) => ofLargest / cpu.get(sizes[0]!)![run]!);
	return {
		title: 'Growth',
		figures: [
			atMost(
				`CPU for each of ${count(largest)} rows ÷ each of ${count(sizes[0]!)}`,
				median(growths),
				MOST_GROWTH,
				times,
			),
			atMost(
				`Most memory for each of ${count(largest)} rows, n8n’s own included`,
				memory.peakBytes / largest,
				MOST_BYTES,
				bytes,
			),
			atMost(`Ledger of ${count(largest)} rows`, memory.ledgerBytes, MOST_LEDGER_BYTES, megabytes),
			atMost(
				`Longest stop with ${count(largest)} rows, above that of a node that only sends`,
				Math.max(0, node.longestStopMs - sender.longestStopMs),
				MOST_STOP_MS,
				millis,
			),
			atMost('Timers left', node.timersLeft, 0, count),
		],
		table: [
			...sizes.map((size) => ({
				Rows: count(size),
				'CPU for each row': micros(median(cpu.get(size)!)),
				'Longest stop': size === largest ? millis(node.longestStopMs) : '',
				Time: size === largest ? inSeconds(node.wallMs) : '',
			})),
			...Object.entries({ 'only sends': sender, 'dry run': dry }).map(([what, run]) => ({
				Rows: `${count(largest)}, ${what}`,
				'CPU for each row': micros((run.cpuMs * 1_000) / largest),
				'Longest stop': millis(run.longestStopMs),
				Time: inSeconds(run.wallMs),
			})),
		],
	};
}

/** In microseconds for each row, by size, one for each run. */
async function cpuBySize(bench: Bench, sizes: number[]): Promise<Map<number, number[]>> {
	const cpu = new Map<number, number[]>(sizes.map((size) => [size, []]));
	await withProcesses(bench, async (ask) => {
		// We measure a server that has been up for an hour, not a fresh one.
		for (let i = 0; i < 2; i++) await ask({ kind: 'run', side: 'node' }, WARM_UP_ROWS);
		for (let run = 0; run < bench.runs; run++) {
			bench.progress(`CPU of ${sizes.map(count).join(', ')} rows: ${run + 1} of ${bench.runs}`);
			for (const rows of sizes) {
				const repeats = Math.max(1, Math.round(LEAST_ROWS / bench.smaller / rows));
				let cpuMs = 0;
				for (let i = 0; i < repeats; i++)
					cpuMs += (await ask({ kind: 'run', side: 'node' }, rows)).cpuMs;
				cpu.get(rows)!.push((cpuMs * 1_000) / (rows * repeats));
			}
		}
	});
	return cpu;
}

/** Of this node, of one that only sends, which has n8n's own stops, and of a dry run. */
async function stopsOf(
	bench: Bench,
	rows: number,
): Promise<Record<'node' | 'sender' | 'dry', Run>> {
	bench.progress(`Stops with ${count(rows)} rows`);
	return await withProcesses(bench, async (ask) => {
		await ask({ kind: 'run', side: 'node' }, WARM_UP_ROWS);
		return {
			sender: await ask({ kind: 'run', side: 'sender' }, rows),
			node: await ask({ kind: 'run', side: 'node' }, rows),
			dry: await ask({ kind: 'run', side: 'node' }, rows, { mode: 'dryRun' }),
		};
	});
}
