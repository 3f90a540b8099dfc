import { type Bench, warmUp, withProcesses } from '../helpers/bench';
import {
	atMost,
	bytes,
	count,
	exactly,
	inSeconds,
	megabytes,
	millis,
	type Section,
} from '../helpers/figures';
import type { Run } from '../helpers/messages';
import { numberOf } from '../helpers/rows';

const SIZES = [10_000, 100_000, 300_000];
const EXECUTIONS = 1_000;
const LIST = 100_000;
const MOST_STOP_MS = 100;
/** What stays of an execution of one row, code that is compiled on first use included. */
const MOST_HELD_BYTES = 10_000;

/** How long nobody else has a turn, and what is left behind, as one process gets more to do. */
export async function load(bench: Bench): Promise<Section> {
	const runs = new Map<string, Run>();
	const [executions, list] = [EXECUTIONS / bench.smaller, LIST / bench.smaller];
	const sizes = SIZES.map((size) => size / bench.smaller);
	const manyName = `${count(executions)} executions of one row`;
	const nameOf = (rows: number): string => `${count(rows)} rows in one execution`;
	const twins = new Map<number, Run>();
	await withProcesses(bench, async (runner, sandbox) => {
		await warmUp(runner, sandbox, 'node');
		const reset = async (): Promise<void> => {
			await sandbox.ask({ kind: 'reset', settings: {} });
		};
		for (const rows of sizes) {
			bench.progress(nameOf(rows));
			await reset();
			// A node that only sends has n8n's own stops.
			twins.set(
				rows,
				await runner.ask({ kind: 'run', side: 'sender', options: { ...sandbox.address, rows } }),
			);
			await reset();
			runs.set(
				nameOf(rows),
				await runner.ask({ kind: 'run', side: 'node', options: { ...sandbox.address, rows } }),
			);
		}
		bench.progress(manyName);
		await reset();
		runs.set(
			manyName,
			await runner.ask({ kind: 'many', executions, options: { ...sandbox.address, rows: 1 } }),
		);
		const listName = `A list of ${count(list)} numbers in one item`;
		bench.progress(listName);
		await reset();
		const destinationsJson = JSON.stringify(Array.from({ length: list }, (_, n) => numberOf(n)));
		const variables = {
			variablesFrom: 'json',
			promptVariablesJson: '{"name": "Ada", "amount": "1"}',
		};
		const parameters = { destinationSource: 'json', destinationsJson, ...variables };
		runs.set(
			listName,
			await runner.ask({
				kind: 'run',
				side: 'node',
				options: { ...sandbox.address, rows: 1, parameters },
			}),
		);
	});
	const all = [...runs.values()];
	const sum = (name: 'timersLeft' | 'listenersLeft'): number =>
		all.reduce((total, run) => total + run[name], 0);
	return {
		title: 'Under load',
		figures: [
			...sizes.map((rows) =>
				atMost(
					`Longest stop with ${count(rows)} rows, above that of a node that only sends`,
					Math.max(0, runs.get(nameOf(rows))!.longestStopMs - twins.get(rows)!.longestStopMs),
					MOST_STOP_MS,
					millis,
				),
			),
			exactly('Timers left', sum('timersLeft'), 0, count),
			exactly('Listeners left', sum('listenersLeft'), 0, count),
			atMost(
				'Held for each execution of one row',
				runs.get(manyName)!.heldBytes / executions,
				MOST_HELD_BYTES,
				bytes,
			),
		],
		table: [...runs].map(([name, run]) => ({
			Load: name,
			Time: inSeconds(run.wallMs),
			'Longest stop': millis(run.longestStopMs),
			'Longest garbage collection': millis(run.longestCollectionMs),
			'Most memory': megabytes(run.maxRssBytes),
			'Timers left': count(run.timersLeft),
			'Listeners left': count(run.listenersLeft),
		})),
		details: { runs: Object.fromEntries(runs), sender: Object.fromEntries(twins) },
	};
}
