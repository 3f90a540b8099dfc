import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Step {
	name?: string;
	uses?: string;
	env?: Record<string, string>;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
	needs?: string | string[];
	outputs?: Record<string, string>;
	if?: string;
	environment?: string;
	steps: Step[];
}

interface Workflow {
	on: Record<string, unknown>;
	permissions?: Record<string, string>;
	concurrency?: { group: string };
	jobs: Record<string, Job>;
}

const root = path.join(__dirname, '..');
const folder = path.join(root, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};

const text = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const workflow = (file: string): Workflow => parse(text(file)) as Workflow;
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps);
const commandsOf = (file: string): string[] =>
	stepsOf(workflow(file)).flatMap(({ run }) => run?.split('\n') ?? []);

/** Jobs that may do more than read, and what. */
const MORE = [
	['publish.yml', 'publish', { contents: 'read', 'id-token': 'write' }],
	['publish.yml', 'release', { contents: 'write' }],
	['nightly.yml', 'tell', { issues: 'write' }],
] as const;

describe.each(readdirSync(folder))('the workflow %s', (file) => {
	it('runs only npm scripts that there are', () => {
		const named = commandsOf(file).flatMap((command) =>
			[...command.matchAll(/npm (?:run )?(test|(?<=run )[\w:]+)/g)].map((match) => match[1]!),
		);
		expect(named).not.toEqual([]);
		expect(named.filter((name) => !(name in scripts))).toEqual([]);
	});

	it('pins each action to a commit, with its version beside it', () => {
		const used = stepsOf(workflow(file)).flatMap(({ uses }) => uses ?? []);
		expect(used).not.toEqual([]);
		expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
		const lines = text(file)
			.split('\n')
			.filter((line) => /^\s*- uses:/.test(line));
		expect(lines.filter((line) => !/ # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
		expect(lines).toHaveLength(used.length);
	});

	it('may only read the repository, keeps no login in the checkout, and uses no stored secret', () => {
		const { permissions, jobs } = workflow(file);
		expect(permissions).toEqual({ contents: 'read' });
		const more = Object.entries(jobs).filter(([, job]) => job.permissions);
		expect(more.map(([name, job]) => [file, name, job.permissions])).toEqual(
			MORE.filter(([where]) => where === file),
		);
		const checkouts = stepsOf(workflow(file)).filter(({ uses }) =>
			uses?.startsWith('actions/checkout@'),
		);
		for (const checkout of checkouts)
			expect(checkout.with).toMatchObject({ 'persist-credentials': false });
		expect(text(file)).not.toMatch(/secrets\./);
	});

	it('ends each job that hangs, and never runs twice for the same branch', () => {
		const { jobs, concurrency } = workflow(file);
		for (const [name, job] of Object.entries(jobs))
			expect([name, job['timeout-minutes']]).toEqual([name, expect.any(Number)]);
		expect(concurrency?.group).toBeTruthy();
	});
});

it.each(MORE)(
	'the workflow %s runs no code of a dependency in its job %s, which may do more',
	(file, job) => {
		for (const { run = '', uses = '' } of workflow(file).jobs[job]!.steps) {
			expect(uses).not.toContain('actions/checkout');
			expect(run).not.toMatch(/npm (ci|install|test|run)/);
		}
	},
);

it('exploring runs every night, and what it finds becomes an issue', () => {
	const { on, jobs } = workflow('nightly.yml');
	expect(on).toMatchObject({ schedule: [{ cron: expect.any(String) }] });
	expect(commandsOf('nightly.yml')).toContainEqual(
		expect.stringMatching(/^npm run explore -- --minutes /),
	);
	expect(jobs.tell).toMatchObject({ needs: 'explore', if: 'failure()' });
	expect(jobs.tell!.steps.at(-1)!.run).toContain('gh issue create');
});

describe('publishing', () => {
	it('starts with a version tag only', () => {
		expect(workflow('publish.yml').on).toEqual({ push: { tags: ['v*'] } });
	});

	const { jobs } = workflow('publish.yml');
	const commands = (job: string): string[] => jobs[job]!.steps.flatMap(({ run }) => run ?? []);

	it('packs what the lock file and the commit say, on main, before anything else has run', () => {
		const [onTag, onMain, ...build] = commands('package');
		expect(onTag).toContain('$GITHUB_REF_NAME');
		expect(onMain).toBe('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
		expect(build.slice(0, 3)).toEqual([
			'npm ci --ignore-scripts',
			'npm audit signatures',
			'npm run build',
		]);
		expect(build[3]).toMatch(/^npm pack --ignore-scripts\n/);
		expect(build).toHaveLength(4);
		expect(jobs.package!.needs).toBeUndefined();
		expect(jobs.package!.steps[0]!.with).toMatchObject({ 'fetch-depth': 0 });
	});

	it('packs once more on another machine, in the same way', () => {
		expect(commands('rebuild')).toEqual(
			commands('package').filter((command) => !/audit|GITHUB_REF_NAME|merge-base/.test(command)),
		);
		expect(jobs.rebuild!.outputs).toEqual(jobs.package!.outputs);
		expect(jobs.rebuild!.needs).toBeUndefined();
	});

	it('tests and verifies apart from that, and publishes with provenance for everybody', () => {
		expect(commands('test')).toEqual(['npm ci', 'npm test', 'npm run verify']);
		expect(jobs.publish!.needs).toEqual(['package', 'rebuild', 'test']);
		expect(commands('publish')).toEqual([
			expect.stringContaining('sha512sum --check'),
			expect.stringMatching(/^npm publish .*--provenance --access public$/),
		]);
	});

	it('names the release with its bill of materials', () => {
		expect(jobs.release!.needs).toBe('publish');
		expect(commands('release')).toEqual([expect.stringContaining('bill-of-materials.cdx.json')]);
	});

	it('waits for the reviewer of an environment, in which alone npm trusts the workflow', () => {
		expect(Object.entries(jobs).map(([name, { environment }]) => [name, environment])).toEqual([
			['package', undefined],
			['rebuild', undefined],
			['test', undefined],
			['publish', 'npm'],
			['release', undefined],
		]);
		expect(readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')).toMatch(
			/^npm trust github .* --env npm$/m,
		);
	});
});

it('CI looks at what a pull request brings along, before any of it runs', () => {
	const { dependencies } = workflow('ci.yml').jobs;
	expect(dependencies!.if).toBe("github.event_name == 'pull_request'");
	expect(
		dependencies!.steps.map(({ uses, run }) => run ?? uses!.replace(/@.*/, '')).slice(1),
	).toEqual([
		'actions/dependency-review-action',
		'actions/setup-node',
		'npm ci --ignore-scripts',
		'npm audit signatures',
	]);
});

it('CI tests on each version of Node.js that n8n runs on, in the real n8n, and on older ones', () => {
	const { jobs } = workflow('ci.yml');
	expect(jobs.test).toMatchObject({ strategy: { matrix: { node: [20, 22, 24] } } });
	expect(commandsOf('ci.yml')).toEqual(
		expect.arrayContaining([
			'npm test',
			'npm run verify',
			'npm run test:e2e',
			'npm run test:compat',
		]),
	);
});

describe('updates of dependencies', () => {
	interface Update {
		'package-ecosystem': string;
		directory: string;
		schedule: { interval: string };
		allow?: unknown;
		cooldown: object;
		groups: Record<string, object>;
	}
	const { updates } = parse(readFileSync(path.join(root, '.github/dependabot.yml'), 'utf8')) as {
		updates: Update[];
	};
	const of = (ecosystem: string): Update[] =>
		updates.filter((update) => update['package-ecosystem'] === ecosystem);

	it('are proposed every month for the actions and for all packages, one entry for each', () => {
		for (const ecosystem of ['github-actions', 'npm']) {
			expect(of(ecosystem)).toEqual([
				expect.objectContaining({ directory: '/', schedule: { interval: 'monthly' } }),
			]);
			expect(of(ecosystem)[0]).not.toHaveProperty('allow');
		}
	});

	it('wait until others have tried them', () => {
		expect(updates.map(({ cooldown }) => cooldown)).toEqual(
			updates.map(() => ({ 'default-days': 14 })),
		);
	});

	it('come together for what is only used in development, and apart for the package that is published inside of ours', () => {
		expect(of('npm')[0]!.groups.development).toMatchObject({
			'dependency-type': 'development',
			'exclude-patterns': ['libphonenumber-js'],
		});
	});
});
