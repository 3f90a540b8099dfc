import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, contacts, getBatch, phone, place } from './helpers/workflows';

const bench = workbench();
storeForEach();
const statuses = ({ json }: Finished): unknown[] => json.map(({ status }) => status);
const BATCH = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';

const record = (id: number, n: number, more: object) => ({
	id,
	phone: phone(n),
	status: 'called',
	auto_call_sid: `CA${id}`,
	...more,
});
const page = (...consents: object[]) => ({
	success: true,
	batch_id: BATCH,
	consents,
	total_pages: 1,
	current_page: 1,
});

/** The first look: 0 was reached, 1 is still talking. All further ones: 1 was reached, and 0 is not on the page. */
function firstIsGoneLater(): void {
	const first = page(
		record(1, 0, { conversation_id: 701 }),
		record(2, 1, { conversation_id: null }),
	);
	bench.sandbox.fault({ kind: 'respond', route: 'batch', times: 1, body: first });
	bench.sandbox.fault({
		kind: 'respond',
		route: 'batch',
		body: page(record(2, 1, { conversation_id: 702 })),
	});
}

describe('G8 whom a run has seen to be reached stays reached', () => {
	it('a record that a later look does not show any more: the person was reached, and is not called again (Stop When Reached)', async () => {
		const results = [0, 1].map((n) => ({
			destination: phone(n),
			success: true,
			consent_id: n + 1,
			call_sid: null,
			status: 'initiated',
			error: null,
		}));
		bench.sandbox.fault({
			kind: 'respond',
			route: 'bulk',
			status: 201,
			times: 1,
			place: true,
			body: { success: true, batch_id: BATCH, total: 2, succeeded: 2, failed: 0, results },
		});
		firstIsGoneLater();
		const parameters = bulk({
			waitUntil: 'finished',
			pollInterval: 1,
			waitTimeout: 0.06,
			options: { stopWhenReached: true, maxRetryWait: 0 },
		});
		const first = await bench.run(parameters, contacts(2));
		const second = await bench.run({ ...parameters, waitTimeout: 0 }, contacts(2));
		expect(statuses(second)).toEqual(['limit_reached', 'limit_reached']);
		expect(bench.dialed).toEqual([phone(0), phone(1)]);
		expect(first.json.map(({ reached }) => reached)).toEqual([true, true]);
	}, 30_000);
});

describe('G3 a refusal that names a call all the same', () => {
	it.each(['batch_id', 'consent_id', 'call_sid'])('503 with %s: not sent again', async (name) => {
		const ids = { batch_id: BATCH, consent_id: 77, call_sid: 'CA77' } as Record<string, unknown>;
		for (const route of ['bulk', 'call'] as const)
			bench.sandbox.fault({
				kind: 'respond',
				route,
				status: 503,
				times: 1,
				place: true,
				body: { success: false, error: 'The dialer did not answer in time', [name]: ids[name] },
			});
		await bench.run(bulk({ calledBefore: 'skip' }), contacts(1), {
			onError: 'continueRegularOutput',
		});
		await bench.run(place({ calledBefore: 'skip' }), contacts(2).slice(1), {
			onError: 'continueRegularOutput',
		});
		expect(bench.dialed).toEqual([phone(0), phone(1)]);
	});
});

describe('Get Call that waits', () => {
	it('shows a record that it has seen ended, also if a later look does not show it', async () => {
		firstIsGoneLater();
		const items = [1, 2].map((consent_id) => ({ consent_id, batch_id: BATCH }));
		const parameters = {
			resource: 'call',
			operation: 'getCall',
			batchId: '={{ $json.batch_id }}',
			callRecordId: '={{ $json.consent_id }}',
		};
		const run = await bench.run(
			{ ...parameters, waitUntil: 'finished', pollInterval: 1, waitTimeout: 0.06 },
			items,
		);
		expect(run.error?.message).toBeUndefined();
		expect(run.json.map(({ reached }) => reached)).toEqual([true, true]);
	}, 30_000);
});

it('Get Batch with a Limit gives no more records, also if another one is shown first later', async () => {
	bench.sandbox.fault({
		kind: 'respond',
		route: 'batch',
		times: 1,
		body: page(record(1, 0, { conversation_id: null }), record(2, 1, { conversation_id: null })),
	});
	bench.sandbox.fault({
		kind: 'respond',
		route: 'batch',
		body: page(record(2, 1, { conversation_id: 702 }), record(1, 0, { conversation_id: 701 })),
	});
	const parameters = {
		returnAll: false,
		limit: 1,
		waitUntil: 'finished',
		pollInterval: 1,
		waitTimeout: 0.06,
	};
	const { json } = await bench.run(getBatch(parameters), [{ batch_id: BATCH }]);
	expect(json.map(({ id, settled }) => [id, settled])).toEqual([[2, true]]);
}, 30_000);
