/** Imported before the host's packages: they read their log level once. */
process.env.N8N_LOG_LEVEL = 'silent';
