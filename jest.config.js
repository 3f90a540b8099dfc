const swc = ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }];

/** Unit, property and engine tests. The host tests (real n8n) have a configuration of their own. */
module.exports = {
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/host/'],
	collectCoverageFrom: ['dist/**/*.js'],
	coverageProvider: 'v8',
	coverageReporters: ['text'],
	setupFiles: ['<rootDir>/test/seed.ts'],
	transform: { '^.+\\.ts$': swc },
	modulePathIgnorePatterns: ['<rootDir>/dist/package.json'],
	// What waits for ever, on whatever machine; what a test must not wait for takes minutes.
	testTimeout: 60_000,
	// Half of the time they wait, so that two cores are busy with four. The default on them is one.
	maxWorkers: 4,
	testSequencer: '<rootDir>/test/longestFirst.js',
};
