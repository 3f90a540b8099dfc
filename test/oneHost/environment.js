const { join, sep } = require('node:path');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const BUILT = join(__dirname, '../../dist') + sep;
const HOST = require.resolve('n8n-core');

/** What jest and tests replace while a test file runs. */
const REPLACED = [
	[globalThis, 'console'],
	[process, 'exit'],
	[Math, 'random'],
	[Date, 'now'],
];

/**
 * All test files of a worker run in its own realm, and not in a new one each: so the host that they share
 * has the Date, the errors and the timers that they have.
 */
module.exports = class OneHostEnvironment {
	constructor({ projectConfig: config }) {
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
		this.before = REPLACED.map(([object, name]) => object[name]);
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	/** Any object: ./runtime.js needs none. */
	getVmContext() {
		return {};
	}

	async setup() {}

	/** The next file finds the process as this one did: nodes know no account, and the host no database. */
	async teardown() {
		this.fakeTimersModern.dispose();
		REPLACED.forEach(([object, name], n) => (object[name] = this.before[n]));
		for (const file of Object.keys(require.cache))
			if (file.startsWith(BUILT)) delete require.cache[file];
		const host = require.cache[HOST]?.exports;
		if (host) delete host.DataDeduplicationService.instance;
	}
};
