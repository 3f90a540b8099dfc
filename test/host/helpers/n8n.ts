import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from './host';
import { endOfLog } from './logFile';
import { startProcessGroup } from './processGroup';

export interface N8nOptions {
	host: Host;
	/**
	 * n8n keeps its database, keys and community nodes in `.n8n` below it. It is also n8n's home folder, so
	 * that workflows may read and write files in `.n8n-files` below it.
	 */
	userFolder: string;
	logFile: string;
	port?: number;
	/** Added to the environment, over everything that is set here. */
	env?: Record<string, string>;
}

/** A process of n8n: all of it, or a worker of a cluster. */
export interface N8nProcess {
	pid: number;
	logFile: string;
	/** Asks n8n to end, ends it for good after 15 s, and waits until it is gone. */
	stop(): Promise<void>;
	/** Ends n8n at once, as a crash or a power cut would, and waits until it is gone. */
	kill(): Promise<void>;
}

export interface RunningN8n extends N8nProcess {
	url: string;
}

/** Where workflows of an n8n with this user folder may read and write files. */
export const filesFolderIn = (userFolder: string) => path.join(userFolder, '.n8n-files');

/** Everything that would ask the internet, plus the questions n8n asks a new user. */
const switchedOff = Object.fromEntries(
	[
		'N8N_DIAGNOSTICS_ENABLED',
		'N8N_VERSION_NOTIFICATIONS_ENABLED',
		'N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED',
		'N8N_TEMPLATES_ENABLED',
		'N8N_PERSONALIZATION_ENABLED',
		'N8N_DYNAMIC_BANNERS_ENABLED',
		'N8N_HIRING_BANNER_ENABLED',
		'N8N_VERIFIED_PACKAGES_ENABLED',
	].map((name) => [name, 'false']),
);

export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

type Answers = (answer: Response) => boolean;

/** `/healthz` answers before the REST interface does; the settings are JSON only once everything is loaded. */
const isJson: Answers = ({ headers }) =>
	(headers.get('content-type') ?? '').includes('application/json');

async function isReady(url: string, answers: Answers): Promise<boolean> {
	try {
		const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
		return answer.ok && answers(answer);
	} catch {
		return false;
	}
}

/** What differs between n8n and a worker. */
interface Kind {
	args: string[];
	env: Record<string, string>;
	readyUrl: string;
	answers: Answers;
}

/** A process of the real n8n in its user folder. */
async function spawn(
	{ host, userFolder, logFile, env }: N8nOptions,
	args: string[],
	ofKind: Record<string, string>,
) {
	await mkdir(path.join(userFolder, '.n8n'), { recursive: true });
	await mkdir(filesFolderIn(userFolder), { recursive: true });
	const temporary = path.join(userFolder, 'tmp');
	await mkdir(temporary, { recursive: true });
	await mkdir(path.dirname(logFile), { recursive: true });
	await writeFile(logFile, '');
	return await startProcessGroup({
		program: host.node,
		args: [host.n8n, ...args],
		folder: userFolder,
		env: {
			// Nothing else from the developer's environment: it may contain secrets, or settings of another n8n.
			PATH: `${path.dirname(host.node)}${path.delimiter}${process.env.PATH ?? ''}`,
			HOME: userFolder,
			TMPDIR: temporary,
			LANG: 'C.UTF-8',
			...switchedOff,
			N8N_USER_FOLDER: userFolder,
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...ofKind,
			...env,
		},
		logFile,
	});
}

/** The first start in a user folder migrates for about 40 s. */
const START_MS = 180_000;

/** Starts a process of the real n8n. Rejects with the end of its log when it does not come up. */
async function start(options: N8nOptions, kind: Kind): Promise<N8nProcess> {
	const { logFile } = options;
	const n8n = await spawn(options, kind.args, kind.env);

	const deadline = Date.now() + START_MS;
	while (!(await isReady(kind.readyUrl, kind.answers))) {
		const ended = n8n.exitCode() !== undefined;
		if (ended || Date.now() > deadline) {
			if (!ended) n8n.kill();
			await n8n.ended;
			const what = ended ? 'ended while starting' : `was not ready after ${START_MS / 1000} s`;
			throw new Error(`n8n ${what}. The end of ${logFile}:\n${await endOfLog(logFile)}`);
		}
		await sleep(250);
	}

	return {
		pid: n8n.pid,
		logFile,
		stop: () => n8n.stop(),
		async kill() {
			n8n.kill();
			await n8n.ended;
		},
	};
}

/** Starts the real n8n on free ports of 127.0.0.1. Rejects with the end of its log when it does not come up. */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	const n8n = await start(options, {
		args: ['start'],
		env: {
			N8N_PORT: String(port),
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			// A browser sends a secure cookie over plain HTTP to some names of this machine only.
			N8N_SECURE_COOKIE: 'false',
		},
		readyUrl: `${url}/rest/settings`,
		answers: isJson,
	});
	return { url, ...n8n };
}

/** Starts a worker that runs up to `concurrency` executions of a cluster at a time. The cluster is in `options.env`. */
export async function startWorker(options: N8nOptions, concurrency: number): Promise<N8nProcess> {
	const port = options.port ?? (await freePort());
	return await start(options, {
		args: ['worker', `--concurrency=${concurrency}`],
		env: {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		},
		readyUrl: `http://127.0.0.1:${port}/healthz/readiness`,
		answers: ({ ok }) => ok,
	});
}
