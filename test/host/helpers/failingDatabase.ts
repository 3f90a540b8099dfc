import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Stage } from './stage';

/** The tables of what workflows remember: the memory of people called, and n8n's own data tables. Renamed, each statement about them fails. */
const script = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1], { timeout: 30_000 });
const tables = database
	.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND (name = 'processed_data' OR name LIKE 'data_table_user_%')")
	.all()
	.map(({ name }) => name);
const rename = (from, to) => {
	for (const name of tables) database.exec('ALTER TABLE "' + from(name) + '" RENAME TO "' + to(name) + '"');
};
const gone = (name) => 'gone_' + name;
const there = (name) => name;
rename(there, gone);
setTimeout(() => rename(gone, there), 2_000);
`;

/** n8n's database fails for two seconds wherever it is asked about people; what n8n needs to run goes on. */
export async function failForTwoSeconds({ host, userFolder }: Stage): Promise<void> {
	await promisify(execFile)(host.node, [
		'-e',
		script,
		path.join(userFolder, '.n8n', 'database.sqlite'),
	]);
}
