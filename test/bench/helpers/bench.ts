import type { RunOptions, Runnable } from './messages';
import { Runner, SandboxProcess, type Laid } from './ground';

/** What all sections measure with. */
export interface Bench {
	laid: Laid;
	/** How often each measurement is taken. */
	runs: number;
	/** The numbers of rows are divided by this: 1, or more for a quick look during development. */
	smaller: number;
	progress: (line: string) => void;
}

/** A measured process and the stand-in that it talks to, ended when the work is done. */
export async function withProcesses<T>(
	{ laid }: Bench,
	work: (runner: Runner, sandbox: SandboxProcess) => Promise<T>,
): Promise<T> {
	const runner = new Runner(laid);
	const sandbox = await SandboxProcess.start(laid);
	try {
		return await work(runner, sandbox);
	} finally {
		runner.end();
		sandbox.end();
	}
}

export const WARM_UP_ROWS = 2_000;

/** Warms up, so that V8 has compiled the code: we measure a server that has been up for an hour, not a fresh one. */
export async function warmUp(
	runner: Runner,
	sandbox: SandboxProcess,
	side: Runnable,
	more: Partial<RunOptions> = {},
): Promise<void> {
	for (let i = 0; i < 2; i++) {
		await sandbox.ask({ kind: 'reset', settings: {} });
		await runner.ask({
			kind: 'run',
			side,
			options: { ...sandbox.address, rows: WARM_UP_ROWS, ...more },
		});
	}
}
