import { parseArgs } from 'node:util';
import { addUp } from '../unit/memory/lockModel';
import { broken } from './count';
import { seedsFrom, series } from './series';

/** `npm run chaos -- --runs N --rows M [--seed S] [--bail]`: campaigns under faults, counted against the sandbox's journal; with --runs 1, its story, too; with --bail, until the first breach. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			runs: { type: 'string', default: '1000' },
			rows: { type: 'string', default: '60' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
			bail: { type: 'boolean', default: false },
		},
	});
	const runs = Number(values.runs);
	const rows = Number(values.rows);
	const first = Number(values.seed);
	const total: Record<string, number> = {};
	let wrong = 0;
	// The campaigns move the other clocks.
	const seconds = (): number => Math.round(process.uptime());
	console.log(`${runs} runs of up to ${rows} rows from seed ${first}`);
	const tell = runs === 1 ? console.log : undefined;
	for await (const { seed, count } of series(seedsFrom(first, runs), rows, tell)) {
		addUp(total, count);
		const found = broken(count);
		if (Object.keys(found).length > 0) {
			wrong++;
			console.log(`seed ${seed}`, found);
			if (values.bail) break;
		}
		const done = seed - first + 1;
		if (done % 100 === 0) console.log(`${done} of ${runs} runs, ${seconds()} s`);
	}
	console.log(`seed ${first}, ${runs} runs of up to ${rows} rows, ${seconds()} s`);
	console.table(total);
	if (wrong === 0) return;
	console.log(
		`${wrong} runs broke the promise. What happened in one: npm run chaos -- --runs 1 --rows ${rows} --seed N`,
	);
	process.exitCode = 1;
}

void main();
