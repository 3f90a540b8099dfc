const { join } = require('node:path');
const base = require('./jest.config');

/** The engine tests against another version of n8n-core, installed in the folder N8N_CORE_FOLDER. */
const host = join(process.env.N8N_CORE_FOLDER, 'node_modules');

module.exports = {
	...base,
	// Older hosts leave handles open that end with the process.
	forceExit: true,
	testMatch: ['<rootDir>/test/engine/**/*.test.ts'],
	// Calls the engine's routing in the form of the newest version.
	testPathIgnorePatterns: ['/node_modules/', 'credential.test.ts'],
	moduleNameMapper: {
		'^n8n-(core|workflow)$': join(host, 'n8n-$1'),
		'^reflect-metadata$': join(host, 'reflect-metadata'),
	},
};
