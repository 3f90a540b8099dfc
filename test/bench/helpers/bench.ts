import { Runner, SandboxProcess, type Laid } from './ground';
import type { Answer, Task } from './messages';

/** What all sections measure with. */
export interface Bench {
	laid: Laid;
	/** How often each measurement is taken. */
	runs: number;
	/** The numbers of rows are divided by this: 1, or more for a quick look during development. */
	smaller: number;
	progress: (line: string) => void;
}

type Ask = <T extends Pick<Task, 'kind' | 'side'>>(
	task: T,
	rows: number,
	parameters?: Task['options']['parameters'],
) => Promise<Answer<T & Task>>;

/** A measured process and the stand-in that it talks to, ended when the work is done. */
export async function withProcesses<T>(
	{ laid }: Bench,
	work: (ask: Ask) => Promise<T>,
): Promise<T> {
	const runner = new Runner(laid);
	const sandbox = new SandboxProcess(laid);
	try {
		return await work(async (task, rows, parameters) => {
			const address = await sandbox.reset();
			const options = { ...address, rows, ...(parameters ? { parameters } : {}) };
			return await runner.ask({ ...task, options });
		});
	} finally {
		runner.end();
		sandbox.end();
	}
}
