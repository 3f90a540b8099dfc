import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Job {
	permissions?: Record<string, string>;
	steps: Array<{ uses?: string; run?: string; with?: Record<string, unknown> }>;
}

interface Workflow {
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

const root = path.join(__dirname, '..');
const folder = path.join(root, '.github/workflows');
const textOf = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow;
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};

/** Jobs that may do more than read, and what. */
const MORE = [
	['publish.yml', 'publish', { contents: 'read', 'id-token': 'write' }],
	['publish.yml', 'release', { contents: 'write' }],
] as const;

describe.each(readdirSync(folder))('the workflow %s', (file) => {
	const { permissions, jobs } = workflowOf(file);
	const steps = Object.values(jobs).flatMap((job) => job.steps);

	it('runs only npm scripts that exist', () => {
		const commands = steps.flatMap(({ run }) => run?.split('\n') ?? []);
		const named = commands.flatMap((command) =>
			[...command.matchAll(/npm (?:run )?(test|(?<=run )[\w:-]+)/g)].map((match) => match[1]!),
		);
		expect(named).not.toEqual([]);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});

	it('pins each action to a commit, with its version beside it', () => {
		const used = textOf(file).match(/^\s*- uses:.*$/gm) ?? [];
		expect(used).toHaveLength(steps.filter(({ uses }) => uses).length);
		expect(
			used.filter((line) => !/ [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
		).toEqual([]);
	});

	it('only reads the repository, keeps no login in the checkout, and uses no stored secret', () => {
		expect(permissions).toEqual({ contents: 'read' });
		const more = Object.entries(jobs).filter(([, job]) => job.permissions);
		expect(more.map(([name, job]) => [file, name, job.permissions])).toEqual(
			MORE.filter(([where]) => where === file),
		);
		const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
		for (const checkout of checkouts)
			expect(checkout.with).toMatchObject({ 'persist-credentials': false });
		expect(textOf(file)).not.toMatch(/secrets\./);
	});
});

it.each(MORE)('the job that may do more in %s, %s, runs no code of a dependency', (file, job) => {
	for (const { run = '', uses = '' } of workflowOf(file).jobs[job]!.steps) {
		expect(uses).not.toContain('actions/checkout');
		expect(run).not.toMatch(/npm (ci|install|test|run)/);
	}
});
