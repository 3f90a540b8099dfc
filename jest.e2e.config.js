const base = require('./jest.config');

/** The real n8n: one worker, because the cases share two cores with n8n itself. */
module.exports = {
	...base,
	testMatch: ['<rootDir>/test/host/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	testTimeout: 20 * 60_000,
	maxWorkers: 1,
	testSequencer: '<rootDir>/test/host/helpers/demoFirst.js',
};
