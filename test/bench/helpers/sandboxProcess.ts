import { startSandbox, type Sandbox } from '../../sandbox';
import { answerMessages } from './childProcess';
import type { Batches, Counts, SandboxTask, Seen } from './messages';
import { numberOf } from './rows';

/** Different lengths of calls. */
const SPREAD = 50;

/** When the calls of each batch end. */
const ends = new Map<string, number>();

const started = startSandbox();

answerMessages(async (task: SandboxTask | { kind: 'address' }) => {
	const sandbox = await started;
	switch (task.kind) {
		case 'address':
			return { baseUrl: sandbox.baseUrl, token: sandbox.token };
		case 'reset':
			sandbox.reset();
			Object.assign(sandbox.settings, { latencyMs: 0, rateLimit: undefined }, task.settings);
			return null;
		case 'counts':
			return countsOf(sandbox);
		case 'seen':
			return seen(sandbox);
		case 'addBatches':
			return addBatches(sandbox, task);
	}
});

function countsOf(sandbox: Sandbox): Counts {
	const { journal, requests, mostInFlight } = sandbox;
	return {
		requests: requests.length,
		mostInFlight,
		dialed: journal.length,
		dialedTwice: sandbox.doubleDialed().length,
	};
}

function addBatches(
	sandbox: Sandbox,
	{ batches, callsEach, finishAfterMs }: SandboxTask & { kind: 'addBatches' },
): Batches {
	const rows: Batches['rows'] = [];
	const [least, most] = finishAfterMs;
	ends.clear();
	for (let batch = 0; batch < batches; batch++) {
		const phones = Array.from({ length: callsEach }, (_, call) =>
			numberOf(batch * callsEach + call),
		);
		// Spread evenly, as calls of all lengths would be.
		const lastsMs = least + ((most - least) * (batch % SPREAD)) / (SPREAD - 1);
		const { batchId, consentIds } = sandbox.addBatch({ phones, finishAfterMs: lastsMs });
		ends.set(batchId, Date.now() + lastsMs);
		for (const id of consentIds) rows.push({ batch_id: batchId, consent_id: id });
	}
	return { rows };
}

function seen({ requests }: Sandbox): Seen {
	let latestMs = 0;
	for (const [batchId, end] of ends) {
		const look = requests.find(({ path, at }) => path.includes(batchId) && at >= end);
		latestMs = Math.max(latestMs, look ? look.at - end : Infinity);
	}
	return { reads: requests.length, latestMs };
}
