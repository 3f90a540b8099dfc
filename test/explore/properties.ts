import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Finding } from './finding';

const root = path.join(__dirname, '../..');

interface Report {
	testResults: Array<{
		name: string;
		message: string;
		assertionResults: Array<{ status: string; fullName: string; failureMessages: string[] }>;
	}>;
}

/** Runs the tests of these files once, with everything that they draw drawn from `seed`. */
export async function properties(files: readonly string[], seed: number): Promise<Finding[]> {
	const folder = await mkdtemp(path.join(tmpdir(), 'explore-'));
	try {
		const file = path.join(folder, 'report.json');
		const printed = await jest(
			['--ci', '--runInBand', '--json', `--outputFile=${file}`, ...files],
			seed,
		);
		const report = await readFile(file, 'utf8').catch(() => undefined);
		if (report === undefined)
			return [
				{ what: 'jest', seed, found: printed.slice(-300), replay: replayOf(files.join(' '), seed) },
			];
		return findings(JSON.parse(report) as Report, seed);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

function findings({ testResults }: Report, seed: number): Finding[] {
	return testResults.flatMap(({ name, message, assertionResults }): Finding[] => {
		const file = path.relative(root, name);
		const failed = assertionResults.filter(({ status }) => status === 'failed');
		// A file that could not be loaded has no results of its own.
		if (assertionResults.length === 0 && message)
			return [{ what: file, seed, found: firstOf(message), replay: replayOf(file, seed) }];
		return failed.map(({ fullName, failureMessages }) => ({
			what: `${file}: ${fullName}`,
			seed,
			found: firstOf(failureMessages.join('\n')),
			replay: replayOf(file, seed, fullName),
		}));
	});
}

/** The values that break a property; of another test, how it begins to say why. */
const firstOf = (message: string): string =>
	(/Counterexample: .*/.exec(message)?.[0] ?? message.trim().split('\n')[0]!).slice(0, 200);

const replayOf = (file: string, seed: number, name?: string): string =>
	`TEST_SEED=${seed} npx jest ${file}${name === undefined ? '' : ` -t ${quoted(name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))}`}`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What jest printed. Its status says no more than its report. */
async function jest(args: readonly string[], seed: number): Promise<string> {
	const child = spawn(process.execPath, [require.resolve('jest/bin/jest'), ...args], {
		cwd: root,
		env: { ...process.env, TEST_SEED: String(seed) },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let printed = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
	await new Promise((resolve) => child.once('close', resolve));
	return printed;
}
