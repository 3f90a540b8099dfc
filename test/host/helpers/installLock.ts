import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './processGroup';
import type { Progress } from './progress';

const heartbeatMs = 5_000;
const abandonedAfterMs = 60_000;

interface Owner {
	host: string;
	pid: number;
}

async function isAbandoned(lockFolder: string): Promise<boolean> {
	const age = await stat(lockFolder).then(
		({ mtimeMs }) => Date.now() - mtimeMs,
		() => 0,
	);
	if (age > abandonedAfterMs) return true;
	const owner = await readFile(`${lockFolder}/owner.json`, 'utf8').then(
		(text) => JSON.parse(text) as Owner,
		() => undefined,
	);
	return owner !== undefined && owner.host === hostname() && !isRunning(owner.pid);
}

/**
 * Lets one process at a time do `work`, so that two starts do not both install. It only saves work: if two
 * processes take over the same abandoned lock, no harm is done, because each installs in its own folder.
 */
export async function withInstallLock<T>(
	lockFolder: string,
	progress: Progress,
	work: () => Promise<T>,
): Promise<T> {
	for (let round = 0; ; round++) {
		const taken = await mkdir(lockFolder).then(
			() => true,
			(refusal: unknown) => {
				if ((refusal as NodeJS.ErrnoException).code === 'EEXIST') return false;
				throw refusal;
			},
		);
		if (taken) break;
		if (await isAbandoned(lockFolder)) {
			await rm(lockFolder, { recursive: true, force: true });
			continue;
		}
		if (round % 10 === 0) progress('Waiting for another start that is installing n8n right now');
		await sleep(1_000);
	}

	const owner: Owner = { host: hostname(), pid: process.pid };
	await writeFile(`${lockFolder}/owner.json`, JSON.stringify(owner));
	const heartbeat = setInterval(() => {
		const now = new Date();
		utimes(lockFolder, now, now).catch(() => {});
	}, heartbeatMs);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		await rm(lockFolder, { recursive: true, force: true });
	}
}
