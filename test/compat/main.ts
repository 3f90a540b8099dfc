import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Table from 'cli-table3';
import { cacheFolder } from '../host/cacheFolder';
import { runNpm } from '../host/npm';

/** The oldest host whose engine these tests can run, two between, and the newest 1.x; the newest is in `npm test`. */
const VERSIONS = ['1.82.0', '1.93.0', '1.122.48'];

/** Installs an engine beside the repository, once. */
async function engine(version: string): Promise<string> {
	const folder = path.join(cacheFolder(), `n8n-core-${version}`);
	const done = path.join(folder, 'installed');
	if (existsSync(done)) return folder;
	await mkdir(folder, { recursive: true });
	// Some versions leave their schema library to be found by chance.
	const dependencies = { 'n8n-core': version, zod: '3.25.76' };
	await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
	await runNpm(console.log, `Installing n8n-core ${version}`, {
		args: ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'],
		folder,
		logFile: path.join(folder, 'install.log'),
	});
	await writeFile(done, '');
	return folder;
}

/** Runs the engine tests on it; the summary lines of jest tell the rest. */
async function test(folder: string): Promise<boolean> {
	const jest = spawn('npx', ['jest', '-c', 'jest.compat.config.js'], {
		env: { ...process.env, N8N_CORE_FOLDER: folder },
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	return await new Promise((resolve) => jest.on('exit', (status) => resolve(status === 0)));
}

/** `npm run test:compat`: the engine tests against older hosts, one after the other. */
async function main(): Promise<void> {
	const table = new Table({ head: ['n8n-core', 'engine tests'] });
	for (const version of VERSIONS) {
		const passed = await test(await engine(version));
		table.push([version, passed ? 'pass' : 'do not pass']);
		if (!passed) process.exitCode = 1;
	}
	console.log(table.toString());
}

void main();
