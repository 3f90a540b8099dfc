const { join } = require('node:path');
const base = require('./jest.config');

/** The engine tests against another version of n8n-core, installed in the folder OLDER_N8N_CORE. */
const host = join(process.env.OLDER_N8N_CORE, 'node_modules');

/** What depends on the host: each operation, Retry, On Error, the memory, the output, and use as a tool. */
const SUITES = '{bulkCall,cancel,get,host,memory,output,placeCall,retry}';

module.exports = {
	...base,
	// An older host of its own for each test file.
	testEnvironment: 'node',
	runtime: 'jest-runtime',
	// Older hosts leave handles open that end with the process.
	forceExit: true,
	testMatch: [`<rootDir>/test/engine/${SUITES}{,.*}.test.ts`],
	moduleNameMapper: {
		'^n8n-(core|workflow)$': join(host, 'n8n-$1'),
		'^reflect-metadata$': join(host, 'reflect-metadata'),
	},
};
