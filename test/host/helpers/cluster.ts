import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxOptions } from '../../sandbox';
import type { SavedCredential } from './client';
import { ensureHost } from './host';
import { freePort, startN8n, startWorker, type N8nProcess } from './n8n';
import { startPostgres, type Postgres } from './postgres';
import { endProcessGroups } from './processGroup';
import { step, type Progress } from './progress';
import { startRedis, type Redis } from './redis';
import { freshFolder, installPacked, openSandbox, signUp, type Stage } from './stage';
import type { Teardown } from './teardown';

/** A worker, and which executions it began, as its own log tells. */
export interface Worker extends Pick<N8nProcess, 'kill'> {
	executions(): Promise<Set<string>>;
	/** After it was killed. */
	restart(): Promise<void>;
	pid(): number;
}

/** n8n in queue mode: one main process, two workers, PostgreSQL and Redis. */
export interface Cluster extends Stage {
	postgres: Postgres;
	/** Leads to the cluster's own database. */
	postgresCredential: SavedCredential;
	workers: Worker[];
}

/** What all processes of a cluster have in common. */
const environment = (postgres: Postgres, redis: Redis): Record<string, string> => ({
	EXECUTIONS_MODE: 'queue',
	// What somebody executes in the editor runs on the main process, beside the workers.
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'false',
	N8N_ENCRYPTION_KEY: randomBytes(16).toString('hex'),
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: postgres.host,
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_USER: postgres.user,
	DB_POSTGRESDB_PASSWORD: postgres.password,
	DB_POSTGRESDB_DATABASE: postgres.database,
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	QUEUE_BULL_REDIS_PASSWORD: redis.password,
	// Soon enough for a test. By default, n8n considers a worker lost after a minute and a half.
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
});

/** Starts everything, step by step; `teardown` undoes it, also after half of it. */
export async function setUpCluster(
	progress: Progress,
	teardown: Teardown,
	sandboxOptions?: SandboxOptions,
): Promise<Cluster> {
	teardown.add(endProcessGroups);
	const host = await ensureHost(progress);
	const folder = await freshFolder(teardown);
	const folderOf = (name: string) => path.join(folder, name);
	const [userFolder, filesFolder] = [folderOf('main'), folderOf('files')];
	const names = ['worker-1', 'worker-2'];
	await mkdir(filesFolder);
	await installPacked(progress, ['main', ...names].map(folderOf));
	const sandbox = await openSandbox(progress, teardown, folder, sandboxOptions);
	const postgres = await step(progress, 'Starting PostgreSQL', () => startPostgres(teardown));
	const redis = await step(progress, 'Starting Redis', () =>
		startRedis(folderOf('redis'), teardown),
	);
	const env = environment(postgres, redis);
	const port = await freePort();
	env.WEBHOOK_URL = `http://127.0.0.1:${port}/`;
	const n8n = await step(progress, 'Starting the main process of n8n', () =>
		startN8n({ host, userFolder, logFile: path.join(userFolder, 'n8n.log'), port, env }),
	);
	teardown.add(() => n8n.stop());

	const owned = await signUp(progress, n8n.url, sandbox);
	const { host: address, query: _, ...login } = postgres;
	const postgresCredential = await owned.client.createCredential({
		name: 'Postgres of the cluster',
		type: 'postgres',
		data: { host: address, ...login, ssl: 'disable' },
	});
	const started = names.map(async (name): Promise<Worker> => {
		const logs: string[] = [];
		const start = async (): Promise<N8nProcess> => {
			const logFile = path.join(folderOf(name), `worker-${logs.length}.log`);
			logs.push(logFile);
			const worker = await startWorker({ host, userFolder: folderOf(name), logFile, env }, 5);
			teardown.add(() => worker.stop());
			return worker;
		};
		let process = await start();
		return {
			pid: () => process.pid,
			kill: async () => await process.kill(),
			async executions() {
				const log = (await Promise.all(logs.map((file) => readFile(file, 'utf8')))).join('');
				return new Set([...log.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id!));
			},
			async restart() {
				process = await start();
			},
		};
	});
	const workers = await step(progress, 'Starting two workers', () => Promise.all(started));
	return {
		host,
		n8n,
		sandbox,
		...owned,
		userFolder,
		filesFolder,
		postgres,
		postgresCredential,
		workers,
	};
}
