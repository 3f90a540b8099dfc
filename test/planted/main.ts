import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type Bug, BUGS, OF_CAMPAIGNS } from './bugs';

const ROOT = join(__dirname, '../..');
const NOT_COPIED = ['node_modules', 'dist', '.git', '.cache'].map((name) => join(ROOT, name));
const JEST = 'jest --ci --bail --maxWorkers=2 --testMatch=**/test';
const FAILED_TEST = /^ {2}● (.*)$/m;

/** Who looks for bugs: a command that ends with its first finding, and what that looks like in its output. */
const LAYERS = {
	unit: { command: `${JEST}/unit/**/*.test.ts`, finding: FAILED_TEST },
	engine: { command: `${JEST}/engine/**/*.test.ts`, finding: FAILED_TEST },
	campaigns: {
		command: 'tsx test/chaos/main.ts --runs 200 --rows 30 --seed 1000 --bail',
		finding: /^(seed \d+ \{.*\})$/m,
	},
};
type Layer = keyof typeof LAYERS;

/** Runs a command of node_modules; resolves with what it says if it fails. */
async function complaintOf(folder: string, command: string): Promise<string | undefined> {
	const [name = '', ...more] = command.split(' ');
	const bin = join(ROOT, 'node_modules/.bin', name);
	try {
		await promisify(execFile)(bin, more, { cwd: folder, maxBuffer: Infinity });
		return undefined;
	} catch (thrown) {
		const { stdout, stderr } = thrown as Record<string, string>;
		return `${stdout}${stderr}`;
	}
}

/** What each layer finds first in these sources, after a change of this file. */
async function findingsIn(folder: string, layers: readonly Layer[], file?: string) {
	const isBroken = await complaintOf(folder, 'gulp');
	if (isBroken !== undefined) throw new Error(`The sources cannot be built: ${isBroken}`);
	const findings: Partial<Record<Layer, string>> = {};
	for (const layer of layers) {
		const { command, finding } = LAYERS[layer];
		// Unit tests run on the sources, so that only some of them can notice.
		const related = layer === 'unit' && file ? ` --findRelatedTests ${file}` : '';
		const complaint = await complaintOf(folder, command + related);
		if (complaint === undefined) continue;
		const [, found] = finding.exec(complaint) ?? [];
		if (found === undefined) throw new Error(`${layer} did not run: ${complaint}`);
		findings[layer] = found;
	}
	return findings;
}

/** Plants a bug in these sources while the layers look for it. */
async function findingsOf({ name, file, find, replace }: Bug, folder: string, layers: Layer[]) {
	const path = join(folder, file);
	const text = await readFile(path, 'utf8');
	const times = text.split(find).length - 1;
	if (times !== 1)
		throw new Error(`${name}: "${find}" stands ${times} times in ${file}, and not once`);
	await writeFile(
		path,
		text.replace(find, () => replace),
	);
	try {
		return await findingsIn(folder, layers, file);
	} finally {
		await writeFile(path, text);
	}
}

/** `npm run planted-bugs [-- --bug N] [--layer unit|engine|campaigns] [--jobs N]`: one bug after the other, in copies of the sources. */
async function main(): Promise<void> {
	const text = { type: 'string' } as const;
	const options = { bug: text, layer: text, jobs: { ...text, default: '2' } };
	const { bug: only, layer, jobs } = parseArgs({ options }).values;
	const layers = (Object.keys(LAYERS) as Layer[]).filter((each) => each === (layer ?? each));
	const chosen = BUGS.filter((_bug, i) => i + 1 === Number(only ?? i + 1));
	// Nothing may be found where nothing is planted.
	const left: Array<Bug | undefined> = [undefined, ...chosen];
	const table: Array<Partial<Record<Layer | 'bug', string>>> = [];
	let isWrong = false;
	const look = async (): Promise<void> => {
		const folder = await mkdtemp(join(tmpdir(), 'planted-'));
		try {
			const filter = (path: string): boolean => !NOT_COPIED.includes(path);
			await cp(ROOT, folder, { recursive: true, filter });
			await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
			while (left.length > 0) {
				const bug = left.shift();
				const findings = bug
					? await findingsOf(bug, folder, layers)
					: await findingsIn(folder, layers);
				const place = bug ? BUGS.indexOf(bug) + 1 : 0;
				table[place] = { bug: bug?.name ?? 'None', ...findings };
				const isFound = Object.keys(findings).length > 0;
				isWrong ||= bug ? !isFound && layer === undefined : isFound;
				console.log(`${Math.round(process.uptime())} s`, place, table[place]);
			}
		} finally {
			await rm(folder, { recursive: true });
		}
	};
	await Promise.all(Array.from({ length: Number(jobs) }, look));
	console.table(table, ['bug', ...layers]);
	const { first, least } = OF_CAMPAIGNS;
	const found = table.slice(1, first + 1).filter(({ campaigns }) => campaigns).length;
	if (layers.includes('campaigns')) console.log(`Of ${first}, the campaigns found ${found}.`);
	isWrong ||= found < least && !only && layers.includes('campaigns');
	if (isWrong) console.log('A bug was found by nobody or by too few, or something where none was.');
	process.exitCode = isWrong ? 1 : 0;
}

void main();
