const swc = ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }];

/** Unit, property and engine tests. The host tests (real n8n) have a configuration of their own. */
module.exports = {
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/host/'],
	setupFiles: ['<rootDir>/test/seed.ts'],
	// Each worker loads n8n-core once.
	testEnvironment: '<rootDir>/test/oneHost/environment.js',
	runtime: '<rootDir>/test/oneHost/runtime.js',
	transform: { '^.+\\.ts$': swc },
	modulePathIgnorePatterns: ['<rootDir>/dist/package.json'],
	// Only a test that waits forever takes so long.
	testTimeout: 60_000,
	// More than half of the time they wait, so two cores are busy with four. The default is one.
	maxWorkers: 4,
	testSequencer: '<rootDir>/test/longestFirst.js',
};
