import { readdir, readFile } from 'node:fs/promises';

/** Jiffies of a process: user and system time, where `/proc` has it. */
const PER_SECOND = 100;

/** CPU time of processes and of what they started, so far. */
export async function cpuMsOf(groups: readonly number[]): Promise<number> {
	let jiffies = 0;
	for (const name of await readdir('/proc')) {
		if (!/^\d+$/.test(name)) continue;
		const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
		// Behind the name of the program, which may hold anything.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		if (groups.includes(Number(fields[2]))) jiffies += Number(fields[11]) + Number(fields[12]);
	}
	return (jiffies * 1_000) / PER_SECOND;
}
