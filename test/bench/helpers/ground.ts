import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureHost, type Host } from '../../host/helpers/host';
import { installPackage, packPackage } from '../../host/helpers/package';
import type { Ground } from './messages';

/** The package as it is published, beside the parts of an installed n8n that it meets there. */
export interface Laid {
	ground: Ground;
	host: Host;
	tarballBytes: number;
	remove(): Promise<void>;
}

export async function layGround(): Promise<Laid> {
	const host = await ensureHost(() => undefined);
	const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'outbound-calls-bench-'));
	const { tarball, bytes } = await packPackage();
	const unpacked = await installPackage(tarball, folder);
	await rm(path.dirname(tarball), { recursive: true });
	await symlink(
		path.join(host.folder, 'node_modules', 'n8n-workflow'),
		path.join(path.dirname(unpacked), 'n8n-workflow'),
	);
	return {
		ground: { host: host.folder, package: unpacked },
		host,
		tarballBytes: bytes,
		remove: () => rm(folder, { recursive: true }),
	};
}
