import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SandboxOptions } from '../../sandbox';
import type { SavedCredential } from './client';
import { ensureHost, type Host } from './host';
import { freePort, startN8n, startWorker, type N8nProcess } from './n8n';
import { startPostgres, type Postgres } from './postgres';
import { endProcessGroups } from './processGroup';
import { step, type Progress } from './progress';
import { startRedis, type Redis } from './redis';
import { freshFolder, installPacked, openSandbox, signUp, type Stage } from './stage';
import type { Teardown } from './teardown';

/** How many executions a worker in these tests runs at a time. */
export const CONCURRENCY = 5;

/** A worker, and which executions it began, as its own log tells. */
export interface Worker extends N8nProcess {
	name: string;
	executions(): Promise<Set<string>>;
}

/** n8n in queue mode: one main process, workers that can be added, PostgreSQL and Redis. */
export interface Cluster extends Stage {
	postgres: Postgres;
	/** Leads to the cluster's own database. */
	postgresCredential: SavedCredential;
	/** Starts a worker in a folder that was made for it. */
	addWorker(name: WorkerName): Promise<Worker>;
}

export const workerNames = ['worker 1', 'worker 2'] as const;
export type WorkerName = (typeof workerNames)[number];

interface Settings {
	postgres: Postgres;
	redis: Redis;
	filesFolder: string;
}

/** What all processes of a cluster have in common. */
const clusterEnvironment = ({
	postgres,
	redis,
	filesFolder,
}: Settings): Record<string, string> => ({
	EXECUTIONS_MODE: 'queue',
	// n8n has announced this as its future default: manual executions run on a worker, too.
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
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
	// The example turns it off for its slices: a run that continues in the middle calls its rows twice.
	EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true',
	// The folder that the machines share.
	N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
});

async function startedWorker(
	name: WorkerName,
	{ host, userFolder, env }: { host: Host; userFolder: string; env: Record<string, string> },
): Promise<Worker> {
	const worker = await startWorker(
		{ host, userFolder, logFile: path.join(userFolder, 'worker.log'), env },
		CONCURRENCY,
	);
	return {
		...worker,
		name,
		async executions() {
			const log = await readFile(worker.logFile, 'utf8');
			return new Set([...log.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id!));
		},
	};
}

/** Starts everything but the workers, step by step; `teardown` undoes it, also after half of it. */
export async function setUpCluster(
	progress: Progress,
	teardown: Teardown,
	sandboxOptions?: SandboxOptions,
): Promise<Cluster> {
	teardown.add(endProcessGroups);
	const host = await ensureHost(progress);
	const folder = await freshFolder(teardown);
	const folderOf = (name: string) => path.join(folder, name.replace(' ', '-'));
	const userFolder = folderOf('main');
	const filesFolder = folderOf('files');
	await mkdir(filesFolder);
	await installPacked(progress, ['main', ...workerNames].map(folderOf));
	const sandbox = await openSandbox(progress, teardown, folder, sandboxOptions);

	const postgres = await step(progress, 'Starting PostgreSQL', () => startPostgres(teardown));
	const redis = await step(progress, 'Starting Redis', () =>
		startRedis(folderOf('redis'), teardown),
	);
	const env = clusterEnvironment({ postgres, redis, filesFolder });
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

	return {
		host,
		n8n,
		sandbox,
		...owned,
		userFolder,
		filesFolder,
		postgres,
		postgresCredential,
		async addWorker(name) {
			const worker = await step(progress, `Starting ${name}`, () =>
				startedWorker(name, { host, userFolder: folderOf(name), env }),
			);
			teardown.add(() => worker.stop());
			return worker;
		},
	};
}
