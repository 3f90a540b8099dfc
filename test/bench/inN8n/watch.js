const { DatabaseSync } = require('node:sqlite');
const { setTimeout: sleep } = require('node:timers/promises');
const { answerMessages } = require('../helpers/childProcess');

const LOOK_EVERY_MS = 20;

/**
 * Watches n8n during an execution, in a process that the sandbox does not keep busy. It looks into
 * the database: answering whether an execution has ended is work for n8n. For n8n's own Node.js.
 */
let listening;

/** Asks n8n whether it is well until `ended`; resolves with the longest wait for an answer. */
function listen(url) {
	const state = { ended: false };
	const longest = (async () => {
		let longest = 0;
		while (!state.ended) {
			const asked = performance.now();
			// n8n closes a connection that waited long for it: the next question tells.
			await fetch(`${url}/healthz`)
				.then(async (answer) => await answer.text())
				.catch(() => undefined);
			longest = Math.max(longest, performance.now() - asked);
			await sleep(LOOK_EVERY_MS);
		}
		return longest;
	})();
	return async () => {
		state.ended = true;
		return await longest;
	};
}

async function untilEnded(database, id) {
	const opened = new DatabaseSync(database, { readOnly: true });
	opened.exec('PRAGMA busy_timeout = 30000');
	const found = opened.prepare(
		'SELECT 1 FROM execution_entity WHERE id = ? AND stoppedAt IS NOT NULL',
	);
	while (!found.get(id)) await sleep(LOOK_EVERY_MS);
	opened.close();
}

/** With a `url`, begins to ask; otherwise answers at an execution's end, with the longest silence. */
answerMessages(async ({ url, database, id }) => {
	if (url) {
		listening = listen(url);
		return undefined;
	}
	await untilEnded(database, id);
	return await listening();
});
