import { execFile } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { version } from '../../../package.json';
import { textTable } from '../../host/helpers/textTable';
import { n8nVersion } from '../../host/helpers/host';
import type { Section } from './figures';

const run = promisify(execFile);

/** The machine and versions, in words. */
export async function setting(node: string, runs: number): Promise<string> {
	const { stdout } = await run(node, ['--version']);
	const processors = cpus();
	return [
		`${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}`,
		`${Math.round(totalmem() / 2 ** 30)} GB`,
		`Node.js ${stdout.trim().slice(1)}`,
		`n8n ${n8nVersion}`,
		`n8n-nodes-outbound-calls ${version}`,
		`medians of ${runs} runs`,
		new Date().toISOString().slice(0, 10),
	].join(' · ');
}

const tableOf = (rows: Array<Record<string, string>>): string =>
	textTable(
		Object.keys(rows[0]!),
		rows.map((row) => Object.values(row)),
	);

/** A section for the terminal: each figure beside its bar, then what else was measured. */
export function printed({ title, figures, table }: Section): string {
	const bars = figures.map(({ what, shown, bar, holds }) => ({
		[title]: what,
		Measured: shown,
		Bar: bar,
		Holds: holds ? 'yes' : 'NO',
	}));
	return [bars, table]
		.filter(({ length }) => length > 0)
		.map(tableOf)
		.join('\n');
}
