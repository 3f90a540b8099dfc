import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The version of the host that these tests run on, where it is an older one. */
function olderHost(): string | undefined {
	const folder = process.env.OLDER_N8N_CORE;
	if (folder === undefined) return undefined;
	return (
		JSON.parse(readFileSync(path.join(folder, 'node_modules/n8n-core/package.json'), 'utf8')) as {
			version: string;
		}
	).version;
}

/** Whether expressions may hold functions, and letters of other languages as names. With n8n-core 1.82, and the parser that it installs today, they may not: nobody is called. */
export const readsFunctions = olderHost()?.startsWith('1.82.') !== true;

/** A test whose expressions hold functions. */
export const itWithFunctions = readsFunctions ? it : it.skip;
