import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { npmEnvironment } from './host/helpers/npm';

/** What is published is what is in the repository: built alike anywhere, and nothing else passes. */

const run = promisify(execFile);
const root = path.join(__dirname, '..');

const scratch = mkdtempSync(path.join(tmpdir(), 'outbound-calls-published-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** npm writes into its cache whatever it does, and HOME may be read-only; and it would ask a proxy for this machine, too. */
const ownNpm = (): NodeJS.ProcessEnv => ({
	...npmEnvironment(),
	npm_config_cache: path.join(scratch, 'npm-cache'),
	npm_config_noproxy: '127.0.0.1',
});

interface Built {
	folder: string;
	tarball: Buffer;
}

let builds: [Built, Built];
beforeAll(async () => {
	const env = ownNpm();
	const packed = async (folder: string): Promise<Built> => {
		const place = mkdtempSync(path.join(scratch, 'packed-'));
		await run('npm', ['pack', '--ignore-scripts', '--pack-destination', place], {
			cwd: folder,
			env,
		});
		const { name, version } = JSON.parse(
			readFileSync(path.join(folder, 'package.json'), 'utf8'),
		) as { name: string; version: string };
		return { folder, tarball: readFileSync(path.join(place, `${name}-${version}.tgz`)) };
	};
	const elsewhere = async (): Promise<Built> => {
		const files = (
			await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
				cwd: root,
				maxBuffer: 10_000_000,
			})
		).stdout;
		const folder = path.join(scratch, 'far/away/in another folder');
		mkdirSync(folder, { recursive: true });
		for (const file of files.split('\0').filter((name) => name !== ''))
			cpSync(path.join(root, file), path.join(folder, file));
		symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
		await run('npm', ['run', 'build'], { cwd: folder, env });
		return await packed(folder);
	};
	// This repository's own was built before the tests began.
	builds = [await packed(root), await elsewhere()];
}, 300_000);

const sha512 = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('hex');

it('two builds at different places give the same bytes', () => {
	const [one, other] = builds;
	expect(one.tarball.length).toBeGreaterThan(50_000);
	expect(sha512(one.tarball)).toBe(sha512(other.tarball));
});

it('the bill of materials names what the build took in, with its version and its sum in the lock file', () => {
	const [one, other] = builds.map(({ folder }) =>
		readFileSync(path.join(folder, 'bill-of-materials.cdx.json'), 'utf8'),
	) as [string, string];
	expect(one).toBe(other);
	const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { version: string; integrity: string }>;
	};
	const library = packages['node_modules/libphonenumber-js']!;
	expect(JSON.parse(one)).toMatchObject({
		bomFormat: 'CycloneDX',
		metadata: { component: { name: 'n8n-nodes-outbound-calls' } },
		components: [
			{
				name: 'libphonenumber-js',
				version: library.version,
				purl: `pkg:npm/libphonenumber-js@${library.version}`,
				hashes: [
					{
						alg: 'SHA-512',
						content: Buffer.from(library.integrity.slice('sha512-'.length), 'base64').toString(
							'hex',
						),
					},
				],
				components: [
					{
						name: 'libphonenumber: numbering plans',
						licenses: [{ license: { id: 'Apache-2.0' } }],
					},
				],
			},
			{
				name: 'libphonenumber: time zones by number',
				version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
			},
		],
	});
});

describe('the job that publishes, rehearsed with a registry of its own,', () => {
	interface Job {
		steps: Array<{ run?: string; env?: Record<string, string> }>;
	}
	const { jobs } = parse(
		readFileSync(path.join(root, '.github/workflows/publish.yml'), 'utf8'),
	) as { jobs: { publish: Job } };

	/** Its commands, one after the other as on GitHub, in a folder with this tarball. What the registry was sent. */
	async function publish(
		tarball: Buffer,
		sums: { package: string; rebuild: string },
	): Promise<string[]> {
		const sent: string[] = [];
		const registry = createServer((request, response) => {
			const parts: Buffer[] = [];
			request.on('data', (part: Buffer) => parts.push(part));
			request.on('end', () => {
				if (request.method === 'PUT') {
					const { _attachments: files } = JSON.parse(Buffer.concat(parts).toString()) as {
						_attachments: Record<string, { data: string }>;
					};
					sent.push(...Object.values(files).map(({ data }) => sha512(Buffer.from(data, 'base64'))));
				}
				response
					.writeHead(request.method === 'PUT' ? 201 : 404, { 'content-type': 'application/json' })
					.end('{}');
			});
		});
		registry.listen(0, '127.0.0.1');
		await once(registry, 'listening');
		const address = `127.0.0.1:${(registry.address() as AddressInfo).port}/`;
		const folder = mkdtempSync(path.join(scratch, 'publish-'));
		writeFileSync(path.join(folder, 'package.tgz'), tarball);
		writeFileSync(
			path.join(folder, '.npmrc'),
			`registry=http://${address}\n//${address}:_authToken=none\n`,
		);
		const outputs = (text: string): string =>
			text.replace(
				/\$\{\{ needs\.(package|rebuild)\.outputs\.sha512 \}\}/,
				(_, job: 'package' | 'rebuild') => sums[job],
			);
		try {
			for (const { run: command, env = {} } of jobs.publish.steps) {
				if (command === undefined) continue;
				const own = Object.fromEntries(
					Object.entries(env).map(([name, value]) => [name, outputs(value)]),
				);
				// Provenance comes from GitHub, which is not here.
				await run('bash', ['-e', '-c', command.replace(' --provenance', '')], {
					cwd: folder,
					env: { ...ownNpm(), ...own },
				});
			}
		} catch {
			sent.push('stopped');
		} finally {
			registry.close();
		}
		return sent;
	}

	const changed = (bytes: Buffer, place: number): Buffer => {
		const copy = Buffer.from(bytes);
		copy[place]! ^= 1;
		return copy;
	};

	it('publishes what both builds made', async () => {
		const { tarball } = builds[0];
		expect(await publish(tarball, { package: sha512(tarball), rebuild: sha512(tarball) })).toEqual([
			sha512(tarball),
		]);
	});

	it.each([
		['first', () => 0],
		['middle', (length: number) => length >> 1],
		['last', (length: number) => length - 1],
	])('does not publish it with its %s byte changed', async (_, place) => {
		const { tarball } = builds[0];
		const sum = sha512(tarball);
		expect(
			await publish(changed(tarball, place(tarball.length)), { package: sum, rebuild: sum }),
		).toEqual(['stopped']);
	});

	it('does not publish what only one of the builds made, or nobody knows who', async () => {
		const { tarball } = builds[0];
		const other = changed(tarball, 100);
		expect(await publish(other, { package: sha512(other), rebuild: sha512(tarball) })).toEqual([
			'stopped',
		]);
		expect(await publish(tarball, { package: sha512(other), rebuild: sha512(tarball) })).toEqual([
			'stopped',
		]);
		expect(await publish(tarball, { package: '', rebuild: '' })).toEqual(['stopped']);
	});
});
