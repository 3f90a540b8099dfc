import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { textTable } from '../../host/helpers/textTable';
import { n8nVersion } from '../../host/helpers/host';
import { repository } from '../../host/helpers/package';
import type { Section } from './figures';

const run = promisify(execFile);

/** The machine and versions, in words. */
export interface Setting {
	machine: string;
	memory: string;
	node: string;
	n8n: string;
	package: string;
	runs: string;
	date: string;
}

export async function setting(node: string, runs: number): Promise<Setting> {
	const { version } = JSON.parse(await readFile(path.join(repository, 'package.json'), 'utf8')) as {
		version: string;
	};
	const { stdout } = await run(node, ['--version']);
	const processors = cpus();
	return {
		machine: `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}`,
		memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
		node: `Node.js ${stdout.trim().slice(1)}`,
		n8n: `n8n ${n8nVersion}`,
		package: `n8n-nodes-outbound-calls ${version}`,
		runs: `medians of ${runs} runs`,
		date: new Date().toISOString().slice(0, 10),
	};
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
	return [tableOf(bars), ...(table.length > 0 ? [tableOf(table)] : [])].join('\n');
}
