import { readFile } from 'node:fs/promises';

/** The last lines of a log, or a sentence when there is none yet. */
export async function endOfLog(file: string, lines = 30): Promise<string> {
	const text = await readFile(file, 'utf8').catch(() => '');
	const end = text.trimEnd().split('\n').slice(-lines).join('\n');
	return end || '(the log is empty)';
}
