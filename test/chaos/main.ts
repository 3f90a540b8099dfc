import { parseArgs } from 'node:util';
import { installStore } from '../engine/helpers/durableStore';
import { startSandbox } from '../sandbox';
import { campaign } from './campaign';
import { broken, type Count } from './count';

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
	const seed = Number(values.seed);
	const store = await installStore();
	const sandbox = await startSandbox();
	const total: Partial<Record<keyof Count, number>> = {};
	const wrong: Array<{ seed: number } & Partial<Count>> = [];
	const started = Date.now();
	for (let i = 0; i < runs; i++) {
		const count = await campaign(seed + i, rows, sandbox, store, runs === 1 ? console.log : undefined);
		for (const [name, value] of Object.entries(count) as Array<[keyof Count, number]>) {
			total[name] = (total[name] ?? 0) + value;
		}
		const found = broken(count);
		if (Object.keys(found).length > 0) wrong.push({ seed: seed + i, ...found });
		if ((i + 1) % 100 === 0) console.log(`${i + 1} of ${runs} runs, ${Math.round((Date.now() - started) / 1_000)} s`);
	}
	await sandbox.close();
	console.log(`seed ${seed}, ${runs} runs of up to ${rows} rows, ${Math.round((Date.now() - started) / 1_000)} s`);
	console.table(total);
	if (wrong.length > 0) {
		console.log(`${wrong.length} runs broke the promise:`);
		console.table(wrong.slice(0, 30));
		process.exitCode = 1;
	}
}

void main();
