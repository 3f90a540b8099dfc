import path from 'node:path';
import { Child } from './childProcess';
import type { Laid } from './ground';
import type { Answer, Fault, RunOptions, Task } from './messages';

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
	rows: RunOptions['rows'],
	parameters?: RunOptions['parameters'],
	fault?: Fault,
) => Promise<Answer<T & Task>>;

/** A measured process and the stand-in that it talks to, ended when the work is done. */
export async function withProcesses<T>(
	{ laid: { ground, host } }: Bench,
	work: (ask: Ask) => Promise<T>,
): Promise<T> {
	const runner = new Child(path.join(__dirname, 'runner.ts'), host.node, {
		flags: ['--expose-gc'],
		env: { BENCH_GROUND: JSON.stringify(ground) },
	});
	// In its own process, so that its work counts for no side.
	const sandbox = new Child(path.join(__dirname, 'sandboxProcess.ts'), host.node);
	try {
		return await work(async (task, rows, parameters, fault = null) => {
			const address = (await sandbox.ask(fault)) as Pick<RunOptions, 'baseUrl' | 'token'>;
			const options = { ...address, rows, parameters };
			return (await runner.ask({ ...task, options })) as Answer<typeof task & Task>;
		});
	} finally {
		runner.end();
		sandbox.end();
	}
}
