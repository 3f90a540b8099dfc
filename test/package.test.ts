import './engine/helpers/quietHost';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import type { INodeTypeDescription } from 'n8n-workflow';

const root = join(__dirname, '..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface PackageJson {
	version: string;
	n8n: { n8nNodesApiVersion: number; strict: boolean; nodes: string[]; credentials: string[] };
}

const manifest = read('package.json') as PackageJson;
const loader = new PackageDirectoryLoader(root);
let node: INodeTypeDescription;
beforeAll(async () => {
	await loader.loadAll();
	node = loader.getNode('outboundCalls').type.description as INodeTypeDescription;
});

describe('package.json', () => {
	it('has the version that its lock file and the newest part of the changelog have', () => {
		const lock = read('package-lock.json') as {
			version: string;
			packages: Record<string, { version: string }>;
		};
		const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
		const [, newest] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog) ?? [];
		expect([newest, lock.version, lock.packages['']!.version]).toEqual(
			Array(3).fill(manifest.version),
		);
	});

	it('names files that were built, and every one that n8n must load', () => {
		expect(manifest.n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
		for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials])
			expect([file, existsSync(join(root, file))]).toEqual([file, true]);
		expect(Object.keys(loader.known.credentials)).toEqual(['outboundCallsApi']);
		expect(Object.keys(loader.known.nodes)).toContain('outboundCalls');
	});
});

it('the node has a codex that n8n loads', () => {
	expect(read('dist/nodes/OutboundCalls/OutboundCalls.node.json')).toMatchObject({
		node: 'n8n-nodes-outbound-calls.outboundCalls',
	});
	expect(node.codex?.resources?.primaryDocumentation?.length).toBeGreaterThan(0);
});

it('node and credential have icons for light and dark', () => {
	for (const { iconUrl } of [node, loader.getCredential('outboundCallsApi').type])
		for (const icon of Object.values(iconUrl as Record<'light' | 'dark', string>))
			expect(existsSync(join(root, icon.replace('icons/n8n-nodes-outbound-calls/', '')))).toBe(
				true,
			);
});

it('the package is at most 300 kB and holds only what n8n needs', () => {
	// npm writes into its cache even when it only looks, and HOME may be read-only.
	const cache = mkdtempSync(join(tmpdir(), 'npm-cache-'));
	const pack = ['pack', '--dry-run', '--json', '--ignore-scripts', '--cache', cache];
	const [packed] = JSON.parse(
		execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
	) as Array<{
		size: number;
		files: Array<{ path: string }>;
	}>;
	const strangers = packed?.files
		.map(({ path }) => path)
		.filter(
			(path) => !/^(dist\/|(package\.json|README\.md|LICENSE(\.md)?|CHANGELOG\.md)$)/.test(path),
		);
	expect(strangers).toEqual([]);
	expect(packed?.files.map(({ path }) => path)).toEqual(
		expect.arrayContaining(['package.json', 'README.md', ...manifest.n8n.nodes]),
	);
	expect(packed?.files.filter(({ path }) => /test|\.ts$|\.map$/.test(path))).toEqual([]);
	expect(packed?.size).toBeLessThanOrEqual(300 * 1000);
	rmSync(cache, { recursive: true, force: true });
});

it('the bundled library needs no other module, and comes with its version and both licenses', () => {
	const words = (file: string): string => readFileSync(file, 'utf8').replace(/\s+/g, ' ').trim();
	const library = join(root, 'node_modules/libphonenumber-js');
	const { version } = read('node_modules/libphonenumber-js/package.json') as { version: string };
	const bundled = words(join(root, 'dist/nodes/OutboundCalls/libphonenumber.js'));
	expect(bundled).not.toMatch(/\brequire\s*\(/);
	for (const text of [`libphonenumber-js ${version}`, 'The Libphonenumber Authors'])
		expect(bundled).toContain(text);
	for (const license of ['LICENSE', 'LICENSE.Apache'])
		expect(bundled).toContain(words(join(library, license)));
});
