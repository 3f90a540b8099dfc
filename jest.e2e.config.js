const base = require('./jest.config');

/** The real n8n. Two workers, because half of a test is waiting for n8n to start, and each file has an n8n of its own. */
module.exports = {
	...base,
	testEnvironment: 'node',
	runtime: 'jest-runtime',
	testMatch: ['<rootDir>/test/host/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	globalSetup: '<rootDir>/test/host/helpers/prepare.ts',
	testTimeout: 20 * 60_000,
	maxWorkers: 2,
};
