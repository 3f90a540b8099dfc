import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../host/helpers/cacheFolder';
import { runNpm } from '../host/helpers/npm';

/** n8n-core of the oldest n8n that is supported (1.83), and of the last 1.x. `npm test` uses the current one. */
const OLDER = ['1.82.0', '1.122.48'];

/** Installs an engine outside the repository, once, and returns its folder. */
async function engine(version: string): Promise<string> {
	const folder = path.join(cacheFolder(), `n8n-core-${version}`);
	const done = path.join(folder, 'installed');
	if (existsSync(done)) return folder;
	await mkdir(folder, { recursive: true });
	// Some versions do not declare the schema library that they use.
	const dependencies = { 'n8n-core': version, zod: '3.25.76' };
	await writeFile(
		path.join(folder, 'package.json'),
		JSON.stringify({ private: true, dependencies }),
	);
	await runNpm(console.log, `Installing n8n-core ${version}`, {
		args: ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'],
		folder,
		logFile: path.join(folder, 'install.log'),
	});
	await writeFile(done, '');
	return folder;
}

/** Runs the engine tests on it. A run that does not finish counts as one failed test. */
async function test(version: string): Promise<{ passed: number; failed: number }> {
	const folder = await engine(version);
	const outputFile = path.join(folder, 'results.json');
	await rm(outputFile, { force: true });
	console.log(`Engine tests on n8n-core ${version}`);
	const jest = spawn(
		'npx',
		['jest', '-c', 'jest.compat.config.js', '--silent', '--json', '--outputFile', outputFile],
		{ env: { ...process.env, OLDER_N8N_CORE: folder }, stdio: ['ignore', 'ignore', 'pipe'] },
	);
	const log: string[] = [];
	jest.stderr.on('data', (text) => log.push(String(text)));
	const status = await new Promise((resolve) => jest.on('close', resolve));
	if (status !== 0) console.log(log.join(''));
	if (!existsSync(outputFile)) return { passed: 0, failed: 1 };
	const result = JSON.parse(await readFile(outputFile, 'utf8')) as Record<string, number>;
	const { numPassedTests, numFailedTests, numFailedTestSuites } = result;
	return { passed: numPassedTests!, failed: Math.max(numFailedTests!, numFailedTestSuites!) };
}

/** `npm run test:compat`: the engine tests on older hosts, one after the other. */
async function main(): Promise<void> {
	let passed = 0;
	let failed = 0;
	for (const version of OLDER) {
		const result = await test(version);
		console.log(`n8n-core ${version}: ${result.passed} passed, ${result.failed} failed`);
		passed += result.passed;
		failed += result.failed;
	}
	// In jest's format, so that .ci/run counts these too.
	console.log(`Tests: ${failed} failed, ${passed} passed, ${passed + failed} total`);
	if (failed > 0) process.exitCode = 1;
}

void main();
