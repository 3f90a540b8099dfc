import { type Bench, warmUp, withProcesses } from '../helpers/bench';
import {
	atMost,
	bytes,
	count,
	median,
	megabytes,
	micros,
	times,
	type Section,
} from '../helpers/figures';
import type { Memory } from '../helpers/messages';

const SIZES = [1_000, 10_000, 100_000];
/** Small runs are repeated, so that each measurement takes long enough to be meaningful. */
const LEAST_ROWS = 10_000;
const MOST_GROWTH = 1.1;
const MOST_BYTES = 1_500;
const MOST_LEDGER_BYTES = 20_000_000;

/** What a row costs when there are more of them. */
export async function growth(bench: Bench): Promise<Section> {
	const sizes = SIZES.map((size) => size / bench.smaller);
	const largest = sizes.at(-1)!;
	const { cpu, maxRssBytes } = await cpuBySize(bench, sizes);
	const perRow = (size: number): number => median(cpu.get(size)!);
	const memory = new Map<number, { node: Memory; twin: Memory }>();
	for (const size of sizes)
		memory.set(size, await memoryOf(bench, size, size === sizes[0] ? bench.runs : 1));
	const above = (size: number): number =>
		(memory.get(size)!.node.peakBytes - memory.get(size)!.twin.peakBytes) / size;
	const growths = cpu.get(largest)!.map((ofLargest, run) => ofLargest / cpu.get(sizes[0]!)![run]!);
	const ledgerBytes = memory.get(largest)!.node.ledgerBytes;

	return {
		title: 'Growth',
		figures: [
			atMost(
				`CPU for each of ${count(largest)} rows ÷ each of ${count(sizes[0]!)}`,
				median(growths),
				MOST_GROWTH,
				times,
			),
			...sizes.map((size) =>
				atMost(
					`Memory for each of ${count(size)} rows, above n8n’s own`,
					above(size),
					MOST_BYTES,
					bytes,
				),
			),
			atMost(
				`Memory for each of ${count(largest)} rows ÷ each of ${count(sizes[1]!)}`,
				above(largest) / above(sizes[1]!),
				MOST_GROWTH,
				times,
			),
			atMost(`Ledger of ${count(largest)} rows`, ledgerBytes, MOST_LEDGER_BYTES, megabytes),
		],
		table: sizes.map((size) => ({
			Rows: count(size),
			'CPU for each row': micros(perRow(size)),
			'Peak for each row': bytes(memory.get(size)!.node.peakBytes / size),
			'Of it n8n’s own': bytes(memory.get(size)!.twin.peakBytes / size),
			Ledger: megabytes(memory.get(size)!.node.ledgerBytes),
		})),
		details: {
			cpuMicrosPerRow: Object.fromEntries(cpu),
			memory: Object.fromEntries(memory),
			maxRssBytes,
		},
	};
}

async function cpuBySize(
	bench: Bench,
	sizes: number[],
): Promise<{ cpu: Map<number, number[]>; maxRssBytes: number }> {
	const cpu = new Map<number, number[]>(sizes.map((size) => [size, []]));
	let maxRssBytes = 0;
	await withProcesses(bench, async (runner, sandbox) => {
		await warmUp(runner, sandbox, 'node');
		for (let run = 0; run < bench.runs; run++) {
			bench.progress(`CPU of ${sizes.map(count).join(', ')} rows: ${run + 1} of ${bench.runs}`);
			for (const rows of sizes) {
				const repeats = Math.max(1, Math.round(LEAST_ROWS / bench.smaller / rows));
				let cpuMs = 0;
				for (let i = 0; i < repeats; i++) {
					await sandbox.ask({ kind: 'reset', settings: {} });
					const measured = await runner.ask({
						kind: 'run',
						side: 'node',
						options: { ...sandbox.address, rows },
					});
					cpuMs += measured.cpuMs;
					maxRssBytes = measured.maxRssBytes;
				}
				cpu.get(rows)!.push((cpuMs * 1_000) / (rows * repeats));
			}
		}
	});
	return { cpu, maxRssBytes };
}

/** Nearly the same each time, because garbage is collected first. With few rows, code that is loaded late makes a difference. */
async function memoryOf(
	bench: Bench,
	rows: number,
	repeats: number,
): Promise<{ node: Memory; twin: Memory }> {
	bench.progress(`Memory of ${count(rows)} rows`);
	const once = async (side: 'node' | 'twin'): Promise<Memory> =>
		await withProcesses(bench, async (runner, sandbox) => {
			await sandbox.ask({ kind: 'reset', settings: {} });
			return await runner.ask({ kind: 'memory', side, options: { ...sandbox.address, rows } });
		});
	const of = async (side: 'node' | 'twin'): Promise<Memory> => {
		const measured = await Promise.all(
			Array.from({ length: repeats }, async () => await once(side)),
		);
		return {
			peakBytes: median(measured.map(({ peakBytes }) => peakBytes)),
			ledgerBytes: measured[0]!.ledgerBytes,
		};
	};
	return { node: await of('node'), twin: await of('twin') };
}
