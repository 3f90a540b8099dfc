import { homedir } from 'node:os';
import path from 'node:path';

/** Where an installed n8n stays between starts: outside the repository, in the place that the XDG base directories define. */
export const cacheFolder = () =>
	path.join(
		process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
		'n8n-nodes-outbound-calls',
	);
