const { statSync } = require('node:fs');
const Sequencer = require('@jest/test-sequencer').default;

/** Files of the real n8n that take longest. */
const FIRST = ['demo', 'editor', 'examples', 'cluster', 'trigger'];

/** The longest first, so that no worker is left with it in the end: those named above, chaos, then the largest files. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const named = FIRST.findIndex((name) => path.endsWith(`/test/host/${name}.test.ts`));
			if (named >= 0) return named;
			return path.includes('/test/chaos/') ? FIRST.length : FIRST.length + 1;
		};
		const size = ({ path }) => statSync(path).size;
		return [...tests].sort((a, b) => rank(a) - rank(b) || size(b) - size(a));
	}
};
