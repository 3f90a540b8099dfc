const Sequencer = require('@jest/test-sequencer').default;

/**
 * What takes longest runs first, so that no worker is left with it in the end; jest itself knows that only from an earlier run, and a
 * fresh clone has had none. The demo is the main job of the real n8n's tests.
 */
const FIRST = [
	...['demo', 'editor', 'examples', 'cluster', 'trigger'].map((name) => `host/${name}`),
	...['chaos/chaos.second', 'chaos/chaos', 'published', 'verify/verify'],
	...['strangeAnswers', 'waiting', 'bulkCall.waiting', 'outputs', 'proofs', 'limits'].map(
		(name) => `engine/${name}`,
	),
	'unit/claims/claims.property',
];

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const index = FIRST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
			return index < 0 ? FIRST.length : index;
		};
		return [...tests].sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));
	}
};
