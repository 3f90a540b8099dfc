import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import Table from 'cli-table3';
import { fillPage } from '../../docs/pageSection';
import { n8nVersion } from '../../host/helpers/host';
import { repository } from '../../host/helpers/package';
import type { Section } from './figures';
import { picture } from './picture';
import { snippet } from './snippet';

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

const tableOf = (rows: Array<Record<string, string>>): string => {
	const table = new Table({
		head: Object.keys(rows[0]!),
		style: { head: [], border: [], compact: true },
	});
	for (const row of rows) table.push(Object.values(row));
	return table.toString();
};

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

const RESULTS = path.join(repository, 'docs', 'bench', 'latest.json');

/** The sections that were published last. Throws where they were measured on another machine or with other versions. */
export async function published(measuredOn: Setting): Promise<Record<string, Section>> {
	const last = JSON.parse(await readFile(RESULTS, 'utf8')) as {
		measuredOn: Setting;
		sections: Record<string, Section>;
	};
	const { date } = measuredOn;
	if (!isDeepStrictEqual({ ...last.measuredOn, date }, measuredOn))
		throw new Error('The figures of before are of another machine or other versions.');
	return last.sections;
}

/** Writes the numbers, the picture and the figures in `docs/speed.md`. */
export async function publish(
	measuredOn: Setting,
	sections: Record<string, Section>,
): Promise<void> {
	await mkdir(path.dirname(RESULTS), { recursive: true });
	await writeFile(RESULTS, `${JSON.stringify({ measuredOn, sections }, null, '\t')}\n`);
	await writeFile(
		path.join(repository, 'docs', 'pictures', 'bench.svg'),
		await picture(measuredOn, sections),
	);
	fillPage('docs/speed.md', 'bench', snippet(measuredOn, sections));
}
