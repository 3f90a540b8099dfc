import { type Bench, warmUp, withProcesses } from '../helpers/bench';
import { atMost, count, micros, percent, type Section } from '../helpers/figures';
import type { Profile } from '../helpers/messages';
import { THIS_NODE } from '../helpers/profile';

const ROWS = 100_000;
const CALCULATED_ROWS = 5_000;
const MOST_LEDGER = 0.05;

/** Fields with expressions that do more than name a column: n8n evaluates each of them for each row. */
const CALCULATED = {
	destination: '={{ $json.phone.trim() }}',
	promptVariables: {
		assignments: [
			{ id: '1', name: 'name', value: '={{ $json.name.trim() }}', type: 'string' },
			{ id: '2', name: 'amount', value: '={{ $json.amount * 2 }}', type: 'number' },
		],
	},
};

/** Where the CPU time of a large run goes. */
export async function time(bench: Bench): Promise<Section> {
	const rows = ROWS / bench.smaller;
	const calculatedRows = CALCULATED_ROWS / bench.smaller;
	const [columns, calculated] = await withProcesses(bench, async (runner, sandbox) => {
		await warmUp(runner, sandbox, 'node');
		bench.progress(`Profile of ${count(rows)} rows`);
		await sandbox.ask({ kind: 'reset', settings: {} });
		const ofColumns = await runner.ask({
			kind: 'profile',
			side: 'node',
			options: { ...sandbox.address, rows },
		});
		bench.progress(`Profile of ${count(calculatedRows)} rows with calculated fields`);
		await sandbox.ask({ kind: 'reset', settings: {} });
		const options = { ...sandbox.address, rows: calculatedRows, parameters: CALCULATED };
		return [ofColumns, await runner.ask({ kind: 'profile', side: 'node', options })];
	});
	const names = Object.keys(columns.groups).sort((a, b) => columns.groups[b]! - columns.groups[a]!);
	return {
		title: 'Where the time goes',
		figures: [
			atMost('Share of the ledger', columns.ledgerMs / columns.totalMs, MOST_LEDGER, percent),
		],
		table: [
			...names.map((name) => ({
				Where: name,
				'Columns dragged in': percent(columns.groups[name]! / columns.totalMs),
				'µs for each row': micros((columns.groups[name]! * 1_000) / rows),
				'Calculated fields': percent((calculated.groups[name] ?? 0) / calculated.totalMs),
				'µs for each': micros(((calculated.groups[name] ?? 0) * 1_000) / calculatedRows),
			})),
			...filesOf(columns).map(([file, ms]) => ({
				Where: `${THIS_NODE}: ${file}`,
				'Columns dragged in': percent(ms / columns.totalMs),
				'µs for each row': `${((ms * 1_000) / rows).toFixed(1)} µs`,
				'Calculated fields': '',
				'µs for each': '',
			})),
		],
		details: { rows, columns, calculatedRows, calculated },
	};
}

const filesOf = ({ files }: Profile): Array<[string, number]> =>
	Object.entries(files)
		.sort((a, b) => b[1] - a[1])
		.slice(0, 8);
