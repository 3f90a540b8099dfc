import { homedir } from 'node:os';
import path from 'node:path';

/** Where an installed n8n stays between starts: outside the repository, as the XDG base directories ask for. */
export const cacheFolder = () => path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'n8n-nodes-outbound-calls');
