import { parseArgs } from 'node:util';
import { broken, type Count } from './count';
import { seedsFrom, series } from './series';

/** `npm run chaos -- --runs N --rows M [--seed S]`: campaigns under faults, counted against the sandbox's journal; with --runs 1, its story, too. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			runs: { type: 'string', default: '1000' },
			rows: { type: 'string', default: '60' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
		},
	});
	const runs = Number(values.runs);
	const rows = Number(values.rows);
	const first = Number(values.seed);
	const total: Partial<Record<keyof Count, number>> = {};
	const wrong: Array<{ seed: number } & Partial<Count>> = [];
	// The campaigns move the other clocks.
	const seconds = (): number => Math.round(process.uptime());
	for await (const { seed, count } of series(
		seedsFrom(first, runs),
		rows,
		runs === 1 ? console.log : undefined,
	)) {
		for (const [name, value] of Object.entries(count) as Array<[keyof Count, number]>)
			total[name] = (total[name] ?? 0) + value;
		const found = broken(count);
		if (Object.keys(found).length > 0) {
			wrong.push({ seed, ...found });
			console.log(seed, found);
		}
		const done = seed - first + 1;
		if (done % 100 === 0) console.log(`${done} of ${runs} runs, ${seconds()} s`);
	}
	console.log(`seed ${first}, ${runs} runs of up to ${rows} rows, ${seconds()} s`);
	console.table(total);
	if (wrong.length > 0) {
		console.log(`${wrong.length} runs broke the promise:`);
		console.table(wrong.slice(0, 30));
		process.exitCode = 1;
	}
}

void main();
