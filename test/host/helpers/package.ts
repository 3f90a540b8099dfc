import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { npmEnvironment } from './npm';

const run = promisify(execFile);

export const repository = path.resolve(__dirname, '../../..');

const packageName = 'n8n-nodes-outbound-calls';

export interface PackedPackage {
	tarball: string;
	bytes: number;
}

/** Packs the repository as `npm publish` would. Throws when `dist/` has not been built. */
export async function packPackage(): Promise<PackedPackage> {
	const manifest = JSON.parse(await readFile(path.join(repository, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		await stat(path.join(repository, file)).catch(() => {
			throw new Error(`${file} is not there: run "npm run build" first.`);
		});
	}

	return await packFolder(repository);
}

/** Packs any package, into a folder of its own. */
export async function packFolder(cwd: string): Promise<PackedPackage> {
	const folder = await mkdtemp(path.join(tmpdir(), 'outbound-calls-package-'));
	const { stdout } = await run(
		'npm',
		['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
		{ cwd, env: npmEnvironment() },
	);
	const [packed] = JSON.parse(stdout) as Array<{ filename: string; size: number }>;
	if (!packed) throw new Error(`npm pack named no tarball:\n${stdout}`);
	return { tarball: path.join(folder, packed.filename), bytes: packed.size };
}

/** Where the package is installed for an n8n with this user folder. */
export const installedIn = (userFolder: string): string =>
	path.join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);

/**
 * Unpacks the package where n8n loads community nodes from. Nodes get the type
 * `n8n-nodes-outbound-calls.…`, as after an installation in n8n's settings.
 */
export async function installPackage(tarball: string, userFolder: string): Promise<string> {
	const folder = installedIn(userFolder);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await extract({ file: tarball, cwd: folder, strip: 1 });
	return folder;
}
