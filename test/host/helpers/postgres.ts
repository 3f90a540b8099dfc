import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { logSays } from './logFile';
import { freePort } from './n8n';
import { startProcessGroup, type User } from './processGroup';
import type { Teardown } from './teardown';

const run = promisify(execFile);

export interface Postgres {
	host: string;
	port: number;
	user: string;
	password: string;
	database: string;
	/** Rows as text, for the test's own questions. */
	query: (sql: string) => Promise<Array<Record<string, string>>>;
}

/** Debian keeps the server's programs off the PATH, one folder for each version: the newest. */
async function programs(): Promise<string> {
	const versions = '/usr/lib/postgresql';
	const found = (await readdir(versions).catch(() => [])).sort((a, b) => Number(b) - Number(a));
	if (!found[0])
		throw new Error(
			`There is no PostgreSQL in ${versions}: install Debian's package "postgresql".`,
		);
	return path.join(versions, found[0], 'bin');
}

/** PostgreSQL refuses to run as root; its package made a user for it. */
async function unprivileged(): Promise<User | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
	return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** Starts a PostgreSQL of our own on 127.0.0.1, in a folder of its own that is gone at teardown. */
export async function startPostgres(teardown: Teardown): Promise<Postgres> {
	const bin = await programs();
	const user = await unprivileged();
	const login = { user: 'n8n', password: randomBytes(16).toString('hex'), database: 'postgres' };

	// Not below n8n's folder, which the server's user may not enter.
	const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'outbound-calls-postgres-'));
	teardown.add(() => rm(folder, { recursive: true, force: true }));
	const passwordFile = path.join(folder, 'password');
	await writeFile(passwordFile, login.password, { mode: 0o600 });
	if (user) for (const owned of [folder, passwordFile]) await chown(owned, user.uid, user.gid);

	const data = path.join(folder, 'data');
	const account = ['--username', login.user, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
	await run(
		path.join(bin, 'initdb'),
		['--pgdata', data, '--encoding=UTF8', '--no-locale', '--no-sync', ...account],
		{
			cwd: folder,
			...user,
		},
	);

	const port = await freePort();
	const logFile = path.join(folder, 'postgres.log');
	const listening = `-h 127.0.0.1 -p ${port} -c max_connections=200`.split(' ');
	const server = await startProcessGroup({
		program: path.join(bin, 'postgres'),
		args: ['-D', data, '-k', '', ...listening],
		folder,
		env: { PATH: process.env.PATH },
		logFile,
		user,
	});
	teardown.add(() => server.stop());
	await logSays('ready to accept connections', logFile, server);

	const host = '127.0.0.1';
	return {
		host,
		port,
		...login,
		async query(sql) {
			const where = ['-h', host, '-p', String(port), '-U', login.user, '-d', login.database];
			const { stdout } = await run(
				path.join(bin, 'psql'),
				[...where, '--csv', '--quiet', '-c', sql],
				{
					env: { PATH: process.env.PATH, PGPASSWORD: login.password },
					maxBuffer: 64 * 1024 * 1024,
				},
			);
			return parse<Record<string, string>>(stdout, { columns: true });
		},
	};
}
