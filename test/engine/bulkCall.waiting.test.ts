import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../sandbox';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { pairs, shown, all, statuses } from './helpers/outcomes';
import { workbench } from './helpers/workbench';
import { goesOn, ON_ERROR } from './helpers/onError';
import { bulk, contacts, phone, phones, place } from './helpers/workflows';

const bench = workbench();

/** Waits until the calls are ready, and reads as often as the node can. */
const waits = (
	waitUntil: 'dialed' | 'finished',
	{ options, ...more }: INodeParameters = {},
): INodeParameters =>
	bulk({
		waitUntil,
		waitTimeout: 60,
		...more,
		options: {
			pollInterval: 1,
			parallelRequests: 1,
			maxRetryWait: 0,
			...(options as INodeParameters | undefined),
		},
	});

const LONG = 3_600_000;
const BATCH = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';

const placements = (): number =>
	bench.sandbox.requests.filter(({ method }) => method === 'POST').length;
const ends = (rows: IDataObject[]): unknown[] =>
	rows.map(({ status, reached, settled }) => [status, reached, settled]);

/** How a row's call ended, as the node says it. */
const REACHED = {
	reached: 'yes',
	reason: 'Reached',
	conversation_id: expect.any(Number),
	auto_call_error: null,
	record_status: 'called',
	updated_at: expect.any(String),
	settled: true,
};
const NO_RECORD = {
	conversation_id: null,
	auto_call_error: null,
	record_status: null,
	updated_at: null,
	settled: true,
};
const NOT_CALLED = { ...NO_RECORD, reached: 'not_called' };
const NOT_KNOWN = expect.stringMatching(/^Call started.*not known/);
const UNREAD = { ...NO_RECORD, reached: 'open', reason: NOT_KNOWN, settled: false };
const OPEN = { ...UNREAD, record_status: 'pending', updated_at: expect.any(String) };

/** A row whose call was started, with the record that the journal has of it. */
const started = (n: number): IDataObject => {
	const dial = bench.sandbox.journal.find((each) => each.phone === phone(n))!;
	const ids = { consent_id: dial.consentId, batch_id: dial.batchId };
	return { status: 'initiated', called: 'yes', destination: phone(n), success: true, ...ids };
};

const eachStarted = (count: number, more: object): object[] =>
	contacts(count).map((_, n) => ({ ...started(n), ...more }));

/** A run that was stopped, as by the Stop button, when its first batch had been read. */
async function stoppedWhileWaiting(
	parameters: INodeParameters,
	rows: IDataObject[],
	more: object = {},
): Promise<Finished> {
	const { run, stop } = bench.start(parameters, rows, more);
	await bench.time.standStill();
	stop();
	const stopped = await run;
	bench.time.goOn();
	return stopped;
}

describe('Bulk Call that waits for its calls', () => {
	it.each(['dialed', 'finished'] as const)('rows say who was reached: %s', async (waitUntil) => {
		// At the first read each call is short of what the node waits for. A second later it is there.
		const [dialAfterMs, finishAfterMs] = waitUntil === 'dialed' ? [500, LONG] : [0, 500];
		Object.assign(bench.sandbox.settings, { dialAfterMs, finishAfterMs });
		const { items, json, error } = await bench.run(waits(waitUntil), contacts(3));
		expect(error).toBeUndefined();
		const dialed = { ...UNREAD, record_status: 'called', settled: true };
		const state =
			waitUntil === 'finished' ? REACHED : { ...dialed, updated_at: expect.any(String) };
		expect(json).toMatchObject(eachStarted(3, state));
		expect(pairs(items)).toEqual([0, 1, 2]);
		const { batchId } = bench.sandbox.journal[0]!;
		expect(bench.batchesRead).toEqual([batchId, batchId]);
		expect(placements()).toBe(1);
	});

	it('reads a batch again only while its calls are open', async () => {
		// The first batch that is read is not visible yet.
		const body = { success: false, error: 'Batch not found' };
		bench.sandbox.fault({ kind: 'respond', route: 'batch', times: 1, status: 404, body });
		const { json } = await bench.run(waits('finished'), contacts(25));
		const batches = [...new Set(bench.sandbox.journal.map(({ batchId }) => batchId))];
		expect(batches).toHaveLength(3);
		expect(bench.batchesRead).toEqual([...batches, batches[0]]);
		expect(ends(json)).toEqual(Array(25).fill(['initiated', 'yes', true]));
		// Each row has the conversation of its own call.
		const conversations = json.map((row) => Number(row.conversation_id) - Number(row.consent_id));
		expect(new Set(conversations).size).toBe(1);
	});

	it('waits for no rows that were not called, or that nobody knows of', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'skipped', error: 'Listed' });
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
		const rows = [...contacts(12), { phone: '12' }, contacts(1)[0]!];
		const { json, hints } = await bench.run(waits('finished'), rows, goesOn);
		expect(json.map(({ status, reached }) => [status, reached])).toEqual([
			['initiated', 'yes'],
			['skipped', 'not_called'],
			...Array<unknown>(8).fill(['initiated', 'yes']),
			['unknown', 'open'],
			['unknown', 'open'],
			['invalid', 'not_called'],
			['duplicate', 'other_row'],
		]);
		expect(json[1]).toMatchObject({ ...NOT_CALLED, reason: 'Listed' });
		// A duplicate carries the outcome of the call that it shares.
		const { conversation_id, record_status, settled } = json[0]!;
		expect(json[13]).toMatchObject({ conversation_id, record_status, settled });
		expect(bench.batchesRead).toEqual([json[0]?.batch_id]);
		expect(hints[0]!.message).toMatch(/<br>9 reached, 0 not reached</);
	});

	it('says who was reached, who was not and why, and what is not known', async () => {
		bench.sandbox.settings.dialAfterMs = LONG;
		bench.meanwhile = () => {
			const { batchId } = bench.sandbox.journal[0]!;
			const states = [
				{ status: 'called', conversation_id: 71 },
				{ status: 'called', auto_call_error: 'No answer' },
				{ status: 'cancelled' },
				{ status: 'pending' },
			];
			const consents = states.map((state, n) => {
				const { consentId: id, phone: number } = bench.sandbox.journal[n]!;
				return { id, phone: number, ...state };
			});
			const body = { success: true, batch_id: batchId, consents };
			bench.sandbox.fault({ kind: 'respond', route: 'batch', status: 200, body });
		};
		const { json, hints } = await bench.run(waits('finished', { waitTimeout: 0.03 }), contacts(5));
		expect(json.map(({ reached, reason, settled }) => [reached, reason, settled])).toEqual([
			['yes', 'Reached', true],
			['no', 'Not reached: No answer', true],
			['no', 'Not reached: cancelled', true],
			['open', NOT_KNOWN, false],
			['open', NOT_KNOWN, false],
		]);
		expect(hints[0]!.message).toMatch(/<br>1 reached, 2 not reached, 2 not known yet/);
	});
});

describe('when the time is up', () => {
	it.each(ON_ERROR)('%s: a row whose call is still open is not settled', async (onError) => {
		bench.sandbox.settings.dialAfterMs = LONG;
		bench.meanwhile = async ({ path }) => {
			// When the calls have been placed.
			if (path === '/calls/bulk') await bench.cancel(Number(started(1).consent_id));
		};
		const parameters = waits('dialed', { waitTimeout: 0.03 });
		const run = await bench.run(parameters, contacts(3), { onError });
		expect([run.error, run.errorItems]).toEqual([undefined, []]);
		expect(run.json).toMatchObject([
			{ ...started(0), ...OPEN },
			{ reached: 'no', record_status: 'cancelled', settled: true },
			{ ...started(2), ...OPEN },
		]);
		// At once, after a second, and when the time is up.
		expect(bench.batchesRead).toHaveLength(3);
	});

	it('a limit that asks for a longer wait does not hold the rows', async () => {
		bench.sandbox.fault({ kind: 'rateLimited', route: 'batch', retryAfter: 200 });
		const options = { maxRetryWait: 300 };
		const parameters = waits('dialed', { waitTimeout: 0.02, options });
		const begun = bench.time.now();
		const { json, error } = await bench.run(parameters, contacts(2));
		expect(error).toBeUndefined();
		expect(ends(json)).toEqual(Array(2).fill(['initiated', 'open', false]));
		expect(bench.time.now() - begun).toBeLessThanOrEqual(1_200);
	});
});

describe('G5 what cannot be read while waiting never loses a row', () => {
	const kind = 'respond';
	const answer = (status: number, body: object): FaultRule => ({ kind, status, body });

	const always: Array<[string, FaultRule]> = [
		['a gateway’s page', { kind: 'gateway' }],
		['429', { kind: 'rateLimited' }],
		['a batch that is not visible yet', answer(404, { success: false, error: 'Batch not found' })],
		['a record that is not visible yet', answer(200, { success: true, consents: [] })],
		['401', { kind: 'unauthorized' }],
		['JSON that is no batch', answer(200, { success: true })],
		['records that are none', answer(200, { success: true, consents: [null, 7, 'x', [], {}] })],
	];

	it.each(always)('%s each time: every row comes out open', async (name, fault) => {
		bench.sandbox.settings.dialAfterMs = LONG;
		bench.sandbox.fault({ ...fault, route: 'batch' });
		const onError = ON_ERROR[always.findIndex(([each]) => each === name) % ON_ERROR.length]!;
		const parameters = waits('finished', { waitTimeout: 0.002 });
		const run = await bench.run(parameters, contacts(12), { onError });
		expect([run.error, run.errorItems]).toEqual([undefined, []]);
		expect(run.json).toMatchObject(eachStarted(12, UNREAD));
		expect(pairs(run.items)).toEqual(contacts(12).map((_row, n) => n));
		expect(placements()).toBe(2);
	});
});

it.each([
	[1, 'stopWorkflow'],
	[3_600, 'continueRegularOutput'],
	[3_600, 'continueErrorOutput'],
] as const)(
	'G10 Stop ends the wait at once: polling each %d s, %s',
	async (pollInterval, onError) => {
		bench.sandbox.settings.dialAfterMs = LONG;
		const parameters = waits('finished', { waitTimeout: 600, options: { pollInterval } });
		const run = await stoppedWhileWaiting(parameters, contacts(3), { onError });
		expect([bench.batchesRead.length, placements()]).toEqual([1, 1]);
		expect(run.outputStands).toBe(true);
		expect(run.json).toMatchObject(eachStarted(3, { reached: 'open', settled: false }));
		expect(run.errorItems).toEqual([]);
	},
);

describe('what waits with a memory', () => {
	storeForEach();
	const remembers = (more: INodeParameters = {}): INodeParameters =>
		waits('finished', { calledBefore: 'skip', ...more });

	it('G4 a Retry after a limit calls the rest and waits for all, also for those of the first try', async () => {
		Object.assign(bench.sandbox.settings, { dailyLimit: 10, dialAfterMs: 500 });
		const stopped = await bench.run(waits('finished'), contacts(15));
		expect(shown(stopped).message).toMatch(/10 of 15 rows called/);
		expect(bench.batchesRead).toEqual([]);
		delete bench.sandbox.settings.dailyLimit;
		const { json } = await bench.run(waits('finished'), contacts(15), { retryOf: stopped });
		expect(json).toMatchObject(eachStarted(15, REACHED));
		expect(bench.dialed).toEqual(phones(15));
	});

	it('G8 after a stop, a new run dials nobody twice, and calls those who were added', async () => {
		bench.sandbox.settings.dialAfterMs = LONG;
		await stoppedWhileWaiting(remembers(), contacts(12));
		bench.sandbox.settings.dialAfterMs = 0;
		const { json } = await bench.run(remembers(), contacts(14));
		expect(json).toMatchObject([
			...Array<object>(12).fill({ status: 'already_called', called: 'no', ...NOT_CALLED }),
			...Array<object>(2).fill({ status: 'initiated', ...REACHED }),
		]);
		expect(bench.dialed).toEqual(phones(14));
	});

	/** An API whose batch shows one after the other of these at each read, the last one again and again. */
	const shows = (of: object, ...reads: object[][]): void => {
		const ids = { success: true, status: 'initiated', call_sid: null, ...of };
		const results = [0, 1].map((n) => ({ destination: phone(n), consent_id: n + 1, ...ids }));
		const body = { success: true, batch_id: BATCH, results };
		bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body, times: 1 });
		reads.forEach((states, read) => {
			const consents = states.map((state, n) => {
				const called = { status: 'called', auto_call_sid: `CA${n}` };
				return { id: n + 1, phone: phone(n), ...called, ...state };
			});
			const shown = { success: true, batch_id: BATCH, consents };
			const rule = { kind: 'respond', route: 'batch', status: 200, body: shown } as const;
			bench.sandbox.fault({ ...rule, ...(read < reads.length - 1 ? { times: 1 } : {}) });
		});
	};

	it('G8 who has a call_sid is not called again, though the record says cancelled', async () => {
		const cancelled = { status: 'cancelled', auto_call_sid: null };
		shows({ call_sid: 'CA' }, [cancelled, cancelled]);
		await bench.run(remembers({ waitTimeout: 0.05 }), contacts(2));
		bench.sandbox.clearFaults();
		const { json } = await bench.run(remembers({ waitTimeout: 0.05 }), contacts(2));
		expect(statuses(json)).toEqual(all(2, 'already_called'));
	});

	it('G8 whose outcome a later read no longer shows comes out as open, and Stop When Reached does not call them', async () => {
		const rules = { stopWhenReached: true };
		const parameters = waits('finished', { waitTimeout: 0.05, rules });
		shows({}, [{ conversation_id: 5 }, {}], [{}, { auto_call_error: 'Busy' }]);
		const { json } = await bench.run(parameters, contacts(2));
		expect(json.map((row) => [row.reached, row.conversation_id])).toEqual([
			['open', null],
			['no', null],
		]);
		bench.sandbox.clearFaults();
		expect(await bench.statuses(parameters, contacts(2))).toEqual(['limit_reached', 'initiated']);
	});
});

describe('a call that cannot be followed says so, and is not settled', () => {
	const NOT_FOLLOWED = expect.stringMatching(/cannot be followed/);

	it.each<[string, object, boolean]>([
		['without a batch ID', { batch_id: null }, true],
		['with a batch ID that is none', { batch_id: 'b-1' }, true],
		['not with the one that it has', {}, false],
	])('Bulk Call %s', async (_, more, says) => {
		const common = { success: true, status: 'initiated', consent_id: 1, call_sid: 'CA1' };
		const busy = { success: false, status: 'failed', call_sid: null, error: 'Busy' };
		const results = [
			{ destination: phone(0), ...common },
			{ destination: phone(1), ...common, ...busy },
		];
		const body = { success: true, batch_id: BATCH, results, ...more };
		bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body });
		const { json } = await bench.run(waits('finished', { waitTimeout: 0.02 }), contacts(2));
		expect(json).toMatchObject([
			{ reached: 'open', settled: false, reason: says ? NOT_FOLLOWED : NOT_KNOWN },
			{ status: 'failed', reached: 'not_called', settled: true, reason: 'Busy' },
		]);
	});

	it('Place Call waits where its answer holds the IDs, and says so where it does not', async () => {
		const options = { pollInterval: 1 };
		const parameters = place({ waitUntil: 'finished', options });
		expect((await bench.run(parameters, contacts(2))).json).toMatchObject(
			Array<object>(2).fill({ status: 'initiated', called: 'yes', ...REACHED }),
		);
		const reads = bench.batchesRead.length;
		bench.sandbox.fault({ kind: 'respond', status: 201, body: { success: true, call_id: 'c' } });
		const { json } = await bench.run(parameters, contacts(1));
		expect(json).toMatchObject([
			{ status: 'placed', call_id: 'c', reason: NOT_FOLLOWED, reached: 'open', settled: false },
		]);
		expect(bench.batchesRead).toHaveLength(reads);
	});
});
