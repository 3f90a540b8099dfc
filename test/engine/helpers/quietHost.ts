/**
 * Imported before the host's packages, which read such settings once: none of another n8n on this machine counts, its
 * time zone neither, and the tests' servers, which are here, are reached without the proxy of an office.
 */
for (const name of Object.keys(process.env)) {
	if (/^(?:N8N_|GENERIC_TIMEZONE$)|_proxy$/i.test(name)) Reflect.deleteProperty(process.env, name);
}
process.env.N8N_LOG_LEVEL = 'silent';
