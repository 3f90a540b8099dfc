const { statSync } = require('node:fs');
const Sequencer = require('@jest/test-sequencer').default;

/** What takes longest: files of the real n8n, and those that wait. */
const FIRST = [
	'host/editor',
	'host/examples',
	'host/cluster',
	'engine/waiting',
	'engine/limits',
	'chaos/chaos',
];

/** The longest first, so that no worker is left with it in the end: those named above, then the largest files. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const named = FIRST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
			return named < 0 ? FIRST.length : named;
		};
		const size = ({ path }) => statSync(path).size;
		return [...tests].sort((a, b) => rank(a) - rank(b) || size(b) - size(a));
	}
};
