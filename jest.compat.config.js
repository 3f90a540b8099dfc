const base = require('./jest.config');

/** The engine tests against another version of n8n-core, installed in the folder N8N_CORE_FOLDER (test/hostBundle.js). */
module.exports = {
	...base,
	// Older hosts leave handles open that end with the process.
	forceExit: true,
	testMatch: ['<rootDir>/test/engine/**/*.test.ts'],
	// Calls the engine's routing in the form of the newest version.
	testPathIgnorePatterns: ['/node_modules/', 'credential.test.ts'],
};
