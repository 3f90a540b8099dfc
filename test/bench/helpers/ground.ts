import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureHost, type Host } from '../../host/helpers/host';
import { installPackage, packPackage } from '../../host/helpers/package';
import { Child } from './childProcess';
import type { Answer, Ground, Task } from './messages';

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

/** A process that runs workflows and measures itself. */
export class Runner {
	private readonly child: Child;

	constructor({ ground, host }: Laid) {
		this.child = new Child(path.join(__dirname, 'runner.ts'), host.node, {
			flags: ['--expose-gc'],
			env: { BENCH_GROUND: JSON.stringify(ground) },
		});
	}

	async ask<T extends Task>(task: T): Promise<Answer<T>> {
		return (await this.child.ask(task)) as Answer<T>;
	}

	end(): void {
		this.child.end();
	}
}

/** The stand-in for the API, in its own process, so that its work counts for no side. */
export class SandboxProcess {
	private readonly child: Child;

	constructor({ host }: Laid) {
		this.child = new Child(path.join(__dirname, 'sandboxProcess.ts'), host.node);
	}

	/** As new; resolves with its address. */
	async reset(): Promise<{ baseUrl: string; token: string }> {
		return (await this.child.ask(null)) as { baseUrl: string; token: string };
	}

	end(): void {
		this.child.end();
	}
}
