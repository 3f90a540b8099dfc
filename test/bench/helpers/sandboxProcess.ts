import { startSandbox, type Sandbox } from '../../sandbox';
import { answerMessages } from './childProcess';
import type { Batches, Counts, SandboxTask } from './messages';
import { numberOf } from './rows';

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
		case 'addBatches':
			return addBatches(sandbox, task);
	}
});

function countsOf(sandbox: Sandbox): Counts {
	const { journal, requests, mostInFlight } = sandbox;
	return { requests: requests.length, mostInFlight, dialed: journal.length, dialedTwice: sandbox.doubleDialed().length };
}

function addBatches(sandbox: Sandbox, { batches, callsEach, finishAfterMs }: SandboxTask & { kind: 'addBatches' }): Batches {
	const finishedAt = Date.now() + finishAfterMs;
	const rows: Batches['rows'] = [];
	for (let batch = 0; batch < batches; batch++) {
		const phones = Array.from({ length: callsEach }, (_, call) => numberOf(batch * callsEach + call));
		const { batchId, consentIds } = sandbox.addBatch({ phones, finishAfterMs: finishedAt - Date.now() });
		for (const id of consentIds) rows.push({ batch_id: batchId, consent_id: id });
	}
	return { finishedAt, rows };
}
