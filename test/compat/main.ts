import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Table from 'cli-table3';
import { fillPage } from '../docs/pageSection';
import { cacheFolder } from '../host/helpers/cacheFolder';
import { runNpm } from '../host/helpers/npm';

/** The oldest host whose engine these tests can run, one in between, and the last 1.x. */
const OLDER = ['1.82.0', '1.93.0', '1.122.48'];
/** `npm test` uses it, so that it is asked here for the reference only. */
const CURRENT = '2.41.1';

interface Result {
	version: string;
	passed: number;
	failed: number;
}

/** Installs an engine beside the repository, once. */
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
async function test(version: string): Promise<Result> {
	const folder = await engine(version);
	const outputFile = path.join(folder, 'results.json');
	await rm(outputFile, { force: true });
	console.log(`Engine tests on n8n-core ${version}`);
	const jest = spawn(
		'npx',
		['jest', '-c', 'jest.compat.config.js', '--silent', '--json', '--outputFile', outputFile],
		{
			env: { ...process.env, N8N_CORE_FOLDER: folder },
			stdio: ['ignore', 'ignore', 'pipe'],
		},
	);
	const log: string[] = [];
	jest.stderr.on('data', (text) => log.push(String(text)));
	const status = await new Promise((resolve) => jest.on('close', resolve));
	if (status !== 0) console.log(log.join(''));
	if (!existsSync(outputFile)) return { version, passed: 0, failed: 1 };
	const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(
		await readFile(outputFile, 'utf8'),
	) as Record<string, number>;
	return {
		version,
		passed: numPassedTests!,
		failed: Math.max(numFailedTests!, numFailedTestSuites!),
	};
}

/** `npm run test:compat`: the engine tests on older hosts, one after the other; `--docs` writes the table of the reference. */
async function main(): Promise<void> {
	const results: Result[] = [];
	const forReference = process.argv.includes('--docs');
	for (const version of forReference ? [...OLDER, CURRENT] : OLDER)
		results.push(await test(version));

	const table = new Table({ head: ['n8n-core', 'passed', 'failed'] });
	table.push(...results.map(({ version, passed, failed }) => [version, passed, failed]));
	console.log(table.toString());
	const sum = (count: (result: Result) => number) =>
		results.reduce((total, result) => total + count(result), 0);
	const [passed, failed] = [sum((result) => result.passed), sum((result) => result.failed)];
	// In jest's format, so that scripts that count tests count these too.
	console.log(`Tests: ${failed} failed, ${passed} passed, ${passed + failed} total`);
	if (failed > 0) process.exitCode = 1;

	if (forReference) {
		const rows = results.map(
			({ version, failed }) =>
				`| ${version} | ${failed === 0 ? 'all pass' : `${failed} do not pass`} |`,
		);
		fillPage(
			'docs/reference.md',
			'compat',
			['| n8n-core | Engine tests |', '|---|---|', ...rows].join('\n'),
		);
	}
}

void main();
