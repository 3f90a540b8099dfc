const Sequencer = require('@jest/test-sequencer').default;

/** The demo is the main job and runs first. Beside it, what takes longest, so that no worker is left with it in the end. */
const FIRST = ['demo', 'editor', 'examples', 'cluster', 'trigger'];

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const index = FIRST.findIndex((name) => path.endsWith(`/${name}.test.ts`));
			return index < 0 ? FIRST.length : index;
		};
		return [...tests].sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
	}
};
