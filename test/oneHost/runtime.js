const Runtime = require('jest-runtime').default;

/** Loading them takes longer than most test files do. */
const HOST = new Set(['n8n-core', 'n8n-workflow', 'reflect-metadata']);

/** Gives all test files of a worker the same host. Whatever else they import is loaded anew for each. */
module.exports = class OneHostRuntime extends Runtime {
	requireModuleOrMock(from, name) {
		return HOST.has(name) ? require(name) : super.requireModuleOrMock(from, name);
	}

	/** The script runs in this realm, and not in a context: see ./environment.js. */
	createScriptFromCode(...source) {
		const script = super.createScriptFromCode(...source);
		return script && { runInContext: (_, options) => script.runInThisContext(options) };
	}
};
