import path from 'node:path';

/**
 * Imported before the host's packages, which read such settings once: none of another n8n on this machine counts, its
 * time zone neither, and the tests' servers, which are here, are reached without the proxy of an office.
 */
for (const name of Object.keys(process.env)) {
	if (/^(?:N8N_|GENERIC_TIMEZONE$)|_proxy$/i.test(name)) Reflect.deleteProperty(process.env, name);
}
process.env.N8N_LOG_LEVEL = 'silent';
// The host writes a key there as it starts. Each process has a folder of its own; HOME is somebody else's, and may be read-only.
process.env.N8N_USER_FOLDER = path.join(
	__dirname,
	'../../../.cache/engine',
	process.env.JEST_WORKER_ID ?? 'alone',
);
