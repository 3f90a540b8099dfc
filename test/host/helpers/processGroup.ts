import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

export interface ProcessGroup {
	pid: number;
	/** Undefined while it runs; null when a signal ended it. */
	exitCode(): number | null | undefined;
	/** Resolves with the exit status once the first process has ended. */
	ended: Promise<number | null>;
	/** SIGTERM to the first process, SIGKILL to whatever of the group is left after `graceMs`. */
	stop(graceMs?: number): Promise<void>;
	/** SIGKILL to the whole group, at once. */
	kill(): void;
}

const live = new Set<ProcessGroup>();

/** Ends every group that this process started, also one that is still starting, and waits until they are gone. */
export async function endProcessGroups(): Promise<void> {
	for (const group of live) group.kill();
	await Promise.all([...live].map((group) => group.ended));
}

export interface User {
	uid: number;
	gid: number;
}

interface Command {
	program: string;
	args: string[];
	folder: string;
	env: NodeJS.ProcessEnv;
	/** Output and complaints are appended to this file. */
	logFile: string;
	/** Whom it runs as, for a program that refuses root. */
	user?: User;
}

const signalGroup = (pid: number, signal: NodeJS.Signals) => {
	try {
		process.kill(-pid, signal);
	} catch {
		// The group has ended already.
	}
};

/**
 * A shell that waits for the end of a pipe we hold: it kills the group even if we are killed ourselves,
 * so that no n8n, task runner or npm outlives a test run.
 */
function guard(pid: number): ChildProcess {
	const script = 'read -r _; kill -s KILL -- "-$1"';
	const watcher = spawn('sh', ['-c', script, 'sh', String(pid)], {
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	watcher.unref();
	return watcher;
}

/** Starts a program as the leader of its own process group, which ends when this process ends, at the latest. */
export async function startProcessGroup(command: Command): Promise<ProcessGroup> {
	const log = openSync(command.logFile, 'a');
	const child = spawn(command.program, command.args, {
		cwd: command.folder,
		env: command.env,
		...command.user,
		detached: true,
		stdio: ['ignore', log, log],
	});
	closeSync(log);
	await once(child, 'spawn');

	const pid = child.pid!;
	const watcher = guard(pid);
	let code: number | null | undefined;
	const ended = new Promise<number | null>((resolve) =>
		child.once('exit', (exitCode) => {
			code = exitCode;
			signalGroup(pid, 'SIGKILL');
			watcher.kill('SIGKILL');
			resolve(exitCode);
		}),
	);

	const group: ProcessGroup = {
		pid,
		ended,
		exitCode: () => code,
		async stop(graceMs = 15_000) {
			child.kill('SIGTERM');
			const impatience = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
			await ended;
			clearTimeout(impatience);
		},
		kill: () => signalGroup(pid, 'SIGKILL'),
	};
	live.add(group);
	void ended.then(() => live.delete(group));
	return group;
}
