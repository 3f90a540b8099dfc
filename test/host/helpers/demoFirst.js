const Sequencer = require('@jest/test-sequencer').default;

/** The demo is the main job: it runs first, the rest in the order of its names. */
module.exports = class DemoFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => (path.endsWith('demo.test.ts') ? 0 : 1);
		return [...tests].sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
	}
};
