import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const manifest = {
	name: 'n8n-nodes-made-up',
	version: '1.0.0',
	description: 'A node that repeats its input',
	license: 'MIT',
	author: { name: 'Ada Lovelace', email: 'ada@example.com' },
	homepage: 'https://github.com/made-up/n8n-nodes-made-up#readme',
	repository: { type: 'git', url: 'git+https://github.com/made-up/n8n-nodes-made-up.git' },
	keywords: ['n8n-community-node-package'],
	files: ['dist'],
	n8n: {
		n8nNodesApiVersion: 1,
		strict: true,
		nodes: ['dist/nodes/Echo/Echo.node.js'],
		credentials: [],
	},
	peerDependencies: { 'n8n-workflow': '*' },
};

const echo = (statement: string): string =>
	`"use strict";\nclass Echo {\n\tasync execute() {\n\t\t${statement}\n\t\treturn [this.getInputData()];\n\t}\n}\nexports.Echo = Echo;\n`;

const folders: string[] = [];
afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** `npm run verify` on an unpacked package. The scan cannot be loaded inside jest: it is an ES module. */
function verify(
	packageJson: object,
	files: Record<string, string>,
): { status: number | null; said: string } {
	const folder = mkdtempSync(path.join(tmpdir(), 'outbound-calls-made-up-'));
	folders.push(folder);
	for (const [name, text] of Object.entries({
		'package.json': JSON.stringify(packageJson, undefined, '\t'),
		...files,
	})) {
		mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
		writeFileSync(path.join(folder, name), text);
	}
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		['--import', 'tsx', path.join(__dirname, 'main.ts'), folder],
		{ encoding: 'utf8' },
	);
	return { status, said: stdout + stderr };
}

describe('npm run verify', () => {
	it('finds nothing in a package that n8n would accept', () => {
		const files = {
			'README.md': '# Made up',
			LICENSE: 'MIT',
			'dist/nodes/Echo/Echo.node.js': echo(''),
		};
		expect(verify(manifest, files)).toEqual({
			status: 0,
			said: expect.stringContaining('nothing found'),
		});
	});

	it('names everything for which n8n would turn the package down', () => {
		const files = {
			LICENSE: 'MIT',
			'dist/log.js': echo('console.log("Hello");'),
			'dist/hidden.js': echo('console.log("Hello"); // eslint-disable-line no-console'),
			'dist/environment.js': echo('this.home = process.env.HOME;'),
			'dist/files.js': `const fs = require("fs");\n${echo('fs.readFileSync("/etc/hosts");')}`,
		};
		Object.assign(files, {
			'nodes/Echo/Echo.node.ts':
				'export const echo = (_unused: number): void => console.log("Hello"); // eslint-disable-line',
		});
		const bad = {
			...manifest,
			dependencies: { lodash: '^4.0.0' },
			overrides: { lodash: '4.0.0' },
			repository: undefined,
		};
		const { status, said } = verify(bad, files);
		expect(status).toBe(1);
		const lines = said.split('\n');
		const section = (name: string): string => {
			const start = lines.indexOf(name) + 1;
			const end = lines.findIndex((line, i) => i >= start && !line.startsWith(' '));
			return start === 0 ? '' : lines.slice(start, end).join('\n');
		};
		expect(section('dist/log.js')).toContain('no-console');
		expect(section('dist/hidden.js')).toContain('no-console');
		expect(section('dist/environment.js')).toContain('process');
		expect(section('dist/files.js')).toContain('no-restricted-imports');
		expect(section('package.json')).toContain('no-runtime-dependencies');
		expect(section('package.json')).toContain('no-overrides-field');
		expect(said).toContain('nodes/Echo/Echo.node.ts:1 no-console');
		expect(said).toContain('nodes/Echo/Echo.node.ts:1 @typescript-eslint/no-unused-vars');
		expect(said).toContain('README.md is not in the package.');
		expect(said).toContain('dist/nodes/Echo/Echo.node.js is not in the package.');
		expect(said).toContain('package.json names no repository on GitHub.');
	});
});
