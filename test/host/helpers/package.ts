import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { npmEnvironment } from './npm';

const run = promisify(execFile);

export const repository = path.resolve(__dirname, '../../..');

const packageName = 'n8n-nodes-outbound-calls';

interface PackedPackage {
	tarball: string;
	bytes: number;
}

/** Packs the repository as `npm publish` would, into a folder of its own. Throws when `dist/` has not been built. */
export async function packPackage(): Promise<PackedPackage> {
	await stat(path.join(repository, 'dist/nodes')).catch(() => {
		throw new Error('dist/ is not there: run "npm run build" first.');
	});
	const folder = await mkdtemp(path.join(tmpdir(), 'outbound-calls-package-'));
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const { stdout } = await run('npm', args, { cwd: repository, env: npmEnvironment() });
	const [packed] = JSON.parse(stdout) as [{ filename: string; size: number }];
	return { tarball: path.join(folder, packed.filename), bytes: packed.size };
}

/** Unpacks a package into a folder that exists. */
export async function unpack(tarball: string, folder: string): Promise<void> {
	await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components', '1']);
}

/**
 * Unpacks the package where n8n loads community nodes from. Nodes get the type
 * `n8n-nodes-outbound-calls.…`, as after an installation in n8n's settings.
 */
export async function installPackage(tarball: string, userFolder: string): Promise<string> {
	const folder = path.join(userFolder, '.n8n/nodes/node_modules', packageName);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await unpack(tarball, folder);
	return folder;
}
