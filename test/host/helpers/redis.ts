import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from './n8n';
import { startProcessGroup } from './processGroup';
import { logSays } from './logFile';
import type { Teardown } from './teardown';

export interface Redis {
	port: number;
	password: string;
}

/** Starts a Redis of our own on 127.0.0.1, which keeps nothing on disk. */
export async function startRedis(folder: string, teardown: Teardown): Promise<Redis> {
	await mkdir(folder, { recursive: true });
	const port = await freePort();
	// Every user of the machine reaches the port, and n8n runs what is in its queue.
	const password = randomBytes(16).toString('hex');
	const settings = path.join(folder, 'redis.conf');
	await writeFile(
		settings,
		[
			`port ${port}`,
			'bind 127.0.0.1',
			`dir ${folder}`,
			`requirepass ${password}`,
			'save ""',
			'appendonly no',
			'',
		].join('\n'),
		{ mode: 0o600 },
	);
	const logFile = path.join(folder, 'redis.log');
	const redis = await startProcessGroup({
		program: 'redis-server',
		args: [settings],
		folder,
		env: process.env,
		logFile,
	});
	teardown.add(() => redis.stop());
	await logSays('Ready to accept connections', logFile, redis);
	return { port, password };
}
