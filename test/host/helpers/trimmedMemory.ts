import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Stage } from './stage';

const script = `
const { DatabaseSync } = require('node:sqlite');
const [, database, workflowId, newest] = process.argv;
const opened = new DatabaseSync(database, { timeout: 30_000 });
const { value } = opened.prepare("SELECT value FROM processed_data WHERE workflowId = ? AND context = ''").get(workflowId);
const list = JSON.parse(value);
const trimmed = JSON.stringify({ ...list, data: list.data.slice(-Number(newest)) });
opened.prepare("UPDATE processed_data SET value = ? WHERE workflowId = ? AND context = ''").run(trimmed, workflowId);
`;

/** Keeps the newest entries only of what a workflow remembers, in n8n's database: what a node with another history size does. */
export async function trimMemory(
	{ host, userFolder }: Stage,
	workflowId: string,
	newest: number,
): Promise<void> {
	await promisify(execFile)(host.node, [
		'-e',
		script,
		path.join(userFolder, '.n8n', 'database.sqlite'),
		workflowId,
		String(newest),
	]);
}
