import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessGroup } from './processGroup';

/** The last lines of a log, or a sentence when there is none yet. */
export async function endOfLog(file: string): Promise<string> {
	const text = await readFile(file, 'utf8').catch(() => '');
	const end = text.trimEnd().split('\n').slice(-30).join('\n');
	return end || '(the log is empty)';
}

/** Waits until a program's log holds `words`. Rejects with its end when the program ends, or after a minute. */
export async function logSays(
	words: string,
	file: string,
	{ exitCode }: Pick<ProcessGroup, 'exitCode'>,
): Promise<void> {
	const deadline = Date.now() + 60_000;
	while (!(await readFile(file, 'utf8')).includes(words)) {
		if (exitCode() !== undefined || Date.now() > deadline) {
			throw new Error(`"${words}" is not in ${file}. Its end:\n${await endOfLog(file)}`);
		}
		await sleep(50);
	}
}
