import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { TOKEN, type HostBench } from './hostBench';

/** Every file that n8n made: its database, settings, event logs and binary data; not the packages it loads. */
async function filesOfN8n(userFolder: string): Promise<string[]> {
	const entries = await readdir(path.join(userFolder, '.n8n'), {
		recursive: true,
		withFileTypes: true,
	});
	return entries
		.filter((entry) => entry.isFile())
		.map((entry) => path.join(entry.parentPath, entry.name))
		.filter((file) => !file.includes(`${path.sep}node_modules${path.sep}`));
}

/**
 * Where the token is in clear text: in executions as n8n's interface returns them, in logs, and in the bytes
 * of the files. Throws if it does not find `marker`, a text that must be there: then the search proves nothing.
 */
export async function placesWithTheToken(
	{ stage, logFiles }: HostBench,
	marker: string,
): Promise<string[]> {
	const { client, userFolder } = stage;
	const places = new Map<string, Buffer>();
	for (const { id } of await client.listExecutions()) {
		const record = await client.send('GET', `/executions/${id}`);
		places.set(`execution ${id}`, Buffer.from(JSON.stringify(record)));
	}
	for (const file of [...logFiles, ...(await filesOfN8n(userFolder))]) {
		// The database's journals come and go.
		const bytes = await readFile(file).catch(() => undefined);
		if (bytes) places.set(path.relative(userFolder, file), bytes);
	}
	const holding = (text: string) =>
		[...places].filter(([, bytes]) => bytes.includes(text)).map(([place]) => place);

	const marked = holding(marker);
	for (const kind of [/^execution /, /database\.sqlite/]) {
		if (!marked.some((place) => kind.test(place)))
			throw new Error(`${marker} is in no ${kind.source}: only in ${marked.join(', ')}`);
	}
	return holding(TOKEN);
}
