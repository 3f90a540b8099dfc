import { apiRefusals } from './helpers/apiRefusals';
import { workbench } from './helpers/workbench';
import { pairs, shown, text, all, statuses, says } from './helpers/outcomes';
import { CONTINUE } from './helpers/onError';
import { turns } from './helpers/turns';
import { cancel, getBatch, NO_BATCH, phone, phones } from './helpers/workflows';
import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../sandbox';

const bench = workbench();
const LONG = 3_600_000;

describe('Cancel Call', () => {
	const impatient = { options: { maxRetryWait: 0 } };

	const records = (count: number, dialAfterMs: number) =>
		bench.sandbox.addBatch({ phones: phones(count), dialAfterMs });
	const named = (ids: unknown[]) => ids.map((consent_id) => ({ consent_id: consent_id as number }));
	const cancelled = async (batchId: string) =>
		(await bench.run(getBatch(), [{ batch_id: batchId }])).json
			.filter(({ status }) => status === 'cancelled')
			.map(({ id }) => id);

	it('calls that are not dialed yet are cancelled, one request each', async () => {
		const { batchId, consentIds } = records(3, LONG);
		const { items } = await bench.run(cancel(), named([consentIds[2], String(consentIds[0])]));
		const became = { success: true, status: 'cancelled', cancelled: true, reason: null };
		expect(items.map(({ json }) => json)).toEqual([
			{ ...became, id: consentIds[2], consent_id: consentIds[2] },
			{ ...became, id: consentIds[0], consent_id: String(consentIds[0]) },
		]);
		expect(pairs(items)).toEqual([0, 1]);
		expect(bench.sandbox.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
			[consentIds[0], consentIds[2]].map(
				(id) => `POST /api/v1/outbound/consents/${id ?? ''}/cancel`,
			),
		);
		for (const body of bench.bodies()) expect(body).toBeUndefined();
		expect(await cancelled(batchId)).toEqual([consentIds[2], consentIds[0]]);
	});

	describe('the input’s own fields', () => {
		const row = { name: 'Ada', status: 'initiated', id: 'A-7', reason: '', error: 'x' };
		const renamed = { input_status: 'initiated', input_id: 'A-7', input_reason: '' };
		const kept = { name: 'Ada', ...renamed, input_error: 'x' };

		it('come along behind what became of the call, a column with a name of ours as input_…', async () => {
			const { consentIds } = records(1, LONG);
			const { items } = await bench.run(cancel(), [{ ...row, consent_id: consentIds[0] }]);
			const [id] = consentIds;
			const became = { success: true, id, status: 'cancelled', cancelled: true, reason: null };
			expect(items.map(({ json }) => json)).toEqual([{ ...became, ...kept, consent_id: id }]);
			const order = [...Object.keys(kept), 'consent_id'];
			expect(Object.keys(items[0]!.json).slice(-6)).toEqual(order);
		});

		it('stay behind when the option is switched off', async () => {
			const { consentIds } = records(1, LONG);
			const [id] = consentIds;
			const without = cancel({ options: { includeInputFields: false } });
			const { json } = await bench.run(without, [{ ...row, consent_id: id }]);
			const became = { success: true, id, status: 'cancelled', cancelled: true, reason: null };
			expect(json).toEqual([became]);
		});
	});

	it.each([
		['nothing', ''],
		['another record', '{"success":true,"id":7777,"status":"cancelled"}'],
		['a record that is not cancelled', '{"success":true,"status":"pending"}'],
	])('an answer that tells of %s cancels nothing that is known', async (_, body) => {
		bench.sandbox.fault({ kind: 'respond', status: 200, body });
		const ended = await bench.run(cancel(), [{ consent_id: '12' }]);
		says(ended, /^Row 1: .*does not say whether/, /Get Batch/);
	});

	it('a number that has lost digits names another record, so nothing is sent', async () => {
		const ended = await bench.run(cancel(), [{ consent_id: 2 ** 53 + 2 }]);
		says(ended, /^Row 1: .*9007199254740994.*lost its last digits/, /as text/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	describe.each([400, 409])('a call that was already placed, refused with %d', (status) => {
		beforeEach(() => {
			bench.sandbox.settings.alreadyPlacedStatus = status;
		});

		it('ends the run with a message that says so', async () => {
			const { consentIds } = records(1, 0);
			const ended = await bench.run(cancel(impatient), named(consentIds));
			says(ended, /^Row 1: .*already placed/, /If Already Placed/, String(status));
			expect(bench.sandbox.requests).toHaveLength(1);
		});

		it('is a result, where the option says so', async () => {
			const { consentIds } = records(1, 0);
			const parameters = cancel({ options: { ifAlreadyPlaced: 'output' } });
			const { items, error } = await bench.run(parameters, named(consentIds));
			expect(error).toBeUndefined();
			expect(items[0]?.json).toMatchObject({ id: consentIds[0], success: false, cancelled: false });
			expect(items[0]?.json).not.toHaveProperty('error');
			expect(pairs(items)).toEqual([0]);
		});
	});

	it('a record that does not exist is named', async () => {
		const ended = await bench.run(cancel(), named([99]));
		says(ended, /^Row 1: no call record .*"99"/, /consent_id/, '404');
	});

	it.each([['x'], [null], [1.5], ['1/../2'], ['0'], ['1'.repeat(20)]])(
		'%j is no ID',
		async (id) => {
			says(await bench.run(cancel(), named([7, id])), /^Row 2: the call record ID /, /consent_id/);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	describe('one bad row among several', () => {
		it.each(CONTINUE)('%s: the others are cancelled', async (onError) => {
			const { batchId, consentIds } = records(2, LONG);
			const rows = named([consentIds[0], 'x', consentIds[1], 99]);
			const { items, errorItems } = await bench.run(cancel(), rows, { onError });
			const apart = onError === 'continueErrorOutput';
			expect(pairs(items)).toEqual(apart ? [0, 2] : [0, 1, 2, 3]);
			expect(pairs(errorItems)).toEqual(apart ? [1, 3] : []);
			expect((await cancelled(batchId)).sort()).toEqual([...consentIds].sort());
		});

		it('with Stop no request follows a refused one', async () => {
			const { consentIds } = records(3, LONG);
			bench.sandbox.fault({ kind: 'unauthorized', times: 1 });
			shown(await bench.run(cancel({ options: { parallelRequests: 1 } }), named(consentIds)));
			expect(bench.sandbox.requests).toHaveLength(1);
		});
	});

	describe('what the API refuses', () => {
		describe.each([
			['Cancel Call', cancel],
			['Get Batch', getBatch],
		])('%s', (_, operation) => {
			it.each(apiRefusals)('$name', async ({ fault, httpCode, message, remedy }) => {
				const { batchId, consentIds } = records(1, LONG);
				bench.sandbox.fault(fault);
				const rows = [{ batch_id: batchId, consent_id: consentIds[0]! }];
				says(await bench.run(operation(impatient), rows), [/^Row 1: /, message], remedy, httpCode);
				expect(bench.sandbox.requests).toHaveLength(1);
			});
		});

		it('a reset: the message says that the call may or may not be cancelled', async () => {
			const { consentIds } = records(1, LONG);
			bench.sandbox.fault({ kind: 'resetAfter' });
			says(await bench.run(cancel(), named(consentIds)), /may or may not be cancelled/);
		});
	});
});

describe('Cancel Batch', () => {
	const cancelBatch = (more: INodeParameters = {}): INodeParameters =>
		getBatch({ ...more, operation: 'cancelBatch' });

	const oneByOne = { options: { parallelRequests: 1 } };

	const batchOf = (count: number) =>
		bench.sandbox.addBatch({ phones: phones(count), dialAfterMs: LONG });
	const cancels = () =>
		bench.sandbox.requests
			.filter(({ route }) => route === 'cancel')
			.map(({ path }) => Number(path.split('/').at(-2)));
	const statusesIn = async (batchId: string) =>
		(await bench.run(getBatch(), [{ batch_id: batchId }])).json.map(({ status }) => status);

	it('all 23 calls of two pages are cancelled, with one row for each, newest first', async () => {
		const { batchId, consentIds } = batchOf(23);
		const newestFirst = [...consentIds].reverse();
		const { items, error } = await bench.run(cancelBatch(), [{ batch_id: batchId }]);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual(
			newestFirst.map((id) => ({
				...{ batch_id: batchId, id, phone: phone(consentIds.indexOf(id)) },
				...{ cancelled: true, status: 'cancelled', reason: null },
			})),
		);
		expect(pairs(items)).toEqual(Array(23).fill(0));
		const reads = bench.sandbox.requests
			.slice(0, 2)
			.map(({ method, path }) => `${method} ${path.replace(/^.*\/batches\//, '')}`);
		expect(reads).toEqual([`GET ${batchId}`, `GET ${batchId}?page=2`]);
		expect(cancels().sort((a, b) => b - a)).toEqual(newestFirst);
		expect(await statusesIn(batchId)).toEqual(all(23, 'cancelled'));
	});

	it('calls that are dialed meanwhile are told to be placed', async () => {
		const { batchId, consentIds } = bench.sandbox.addBatch({
			phones: phones(23),
			dialAfterMs: 1_000,
		});
		bench.meanwhile = () => {
			if (cancels().length === 10) bench.time.elapse(1_000);
		};
		const { items, error } = await bench.run(cancelBatch(oneByOne), [{ batch_id: batchId }]);
		expect(error).toBeUndefined();
		const [cancelled, placed] = [consentIds.slice(-10), consentIds.slice(0, -10)];
		expect(items.map(({ json }) => [json.id, json.cancelled, json.status])).toEqual([
			...cancelled.reverse().map((id) => [id, true, 'cancelled']),
			...placed.reverse().map((id) => [id, false, 'already_placed']),
		]);
		for (const { json } of items) expect(json).not.toHaveProperty('error');
		for (const { json } of items.slice(10)) expect(json.reason).toMatch(/already placed/);
		const { json } = await bench.run(getBatch(), [{ batch_id: batchId }]);
		const called = json.filter(({ status }) => status === 'called').map(({ id }) => id);
		expect(called).toEqual(placed);
	});

	it('calls that were cancelled before are told so, and no request is sent for them', async () => {
		const { batchId, consentIds } = batchOf(8);
		const before = consentIds.slice(0, 5);
		const named = before.map((consent_id) => ({ consent_id }));
		await bench.run(cancel(), named);
		const sent = cancels().length;
		const { json } = await bench.run(cancelBatch(), [{ batch_id: batchId }]);
		expect(json.map(({ id, cancelled, status }) => [id, cancelled, status])).toEqual(
			[...consentIds]
				.reverse()
				.map((id) =>
					before.includes(id) ? [id, false, 'already_cancelled'] : [id, true, 'cancelled'],
				),
		);
		expect(cancels()).toHaveLength(sent + 3);
	});

	describe('a record that meets something else in between', () => {
		const among = async (fault: FaultRule, options: INodeParameters = oneByOne.options) => {
			const { batchId } = batchOf(5);
			bench.sandbox.fault({ ...fault, route: 'cancel', after: 2, times: 1 });
			const { json, error } = await bench.run(cancelBatch({ options }), [{ batch_id: batchId }]);
			expect(error).toBeUndefined();
			for (const row of json) expect(row).not.toHaveProperty('error');
			return { json, now: await statusesIn(batchId) };
		};
		const others = ['cancelled', 'cancelled', 'cancelled', 'cancelled'];

		const unknown = { success: false, error: 'Consent not found' };
		it.each<[string, FaultRule, string, RegExp]>([
			[
				'is known no more',
				{ kind: 'respond', status: 404, body: unknown },
				'gone',
				/no call record/i,
			],
			['meets a gateway', { kind: 'gateway', status: 502 }, 'unknown', /may or may not be/],
			['is answered by nothing', { kind: 'empty', status: 200 }, 'unknown', /does not say whether/],
			['meets a locked account', { kind: 'accountLocked' }, 'not_cancelled', /account is locked/],
			['loses its answer', { kind: 'resetAfter' }, 'unknown', /may or may not be cancelled/],
		])('%s: its row says so, and the others are cancelled', async (_, fault, status, reason) => {
			const { json, now } = await among(fault);
			expect(statuses(json)).toEqual(others.toSpliced(2, 0, status));
			expect(json[2]).toMatchObject({ cancelled: false, reason: expect.stringMatching(reason) });
			// Only the one whose answer was lost is cancelled all the same.
			const became = fault.kind === 'resetAfter' ? 'cancelled' : 'pending';
			expect(now).toEqual(others.toSpliced(2, 0, became));
		});

		it('429 with Retry-After is waited for, and all are cancelled', async () => {
			const { json, now } = await among({ kind: 'rateLimited', retryAfter: 1 });
			expect(json.map(({ cancelled }) => cancelled)).toEqual(Array(5).fill(true));
			expect(now).toEqual(all(5, 'cancelled'));
			expect(cancels()).toHaveLength(6);
		});

		it('a wait that Max Retry Wait does not allow: it and the others say when to come back, and nothing more is asked', async () => {
			const options = { parallelRequests: 1, maxRetryWait: 30 };
			const { json } = await among({ kind: 'rateLimited', retryAfter: 90 }, options);
			expect(statuses(json)).toEqual(['cancelled', 'cancelled', ...all(3, 'not_cancelled')]);
			for (const { reason } of json.slice(2))
				expect(reason).toMatch(/limit is reached.*Try again in 90 seconds/);
			expect(cancels()).toHaveLength(3);
		});
	});

	describe.each([
		['Get Batch', getBatch, 1, 'pending'],
		['Cancel Batch', cancelBatch, 3, 'cancelled'],
	] as const)('%s with several items', (_, operation, requests, status) => {
		it('that name one batch reads it once, and its rows are paired with all of them', async () => {
			const { batchId } = batchOf(2);
			const written = [batchId, batchId.toUpperCase(), ` ${batchId} `];
			const { items } = await bench.run(
				operation(),
				written.map((batch_id) => ({ batch_id })),
			);
			expect(items.map(({ json }) => json.status)).toEqual([status, status]);
			expect(pairs(items)).toEqual(Array(2).fill([0, 1, 2]));
			expect(bench.sandbox.requests).toHaveLength(requests);
		});

		it.each(CONTINUE)('of which some are no batch keeps the others: %s', async (onError) => {
			const { batchId } = batchOf(2);
			const rows = ['x', batchId, NO_BATCH].map((batch_id) => ({ batch_id }));
			const { items, errorItems } = await bench.run(operation(), rows, { onError });
			const apart = onError === 'continueErrorOutput';
			expect(pairs(items)).toEqual(apart ? [1, 1] : [0, 1, 1, 2]);
			expect(pairs(errorItems)).toEqual(apart ? [0, 2] : []);
			const [invalid, missing] = apart ? errorItems : [items[0], items[3]];
			expect(text(invalid?.json.error)).toMatch(/^Row 1: the batch ID "x"/);
			const unknown = new RegExp(`^Row 3: no batch with the ID "${NO_BATCH}"`);
			expect(text(missing?.json.error)).toMatch(unknown);
			expect(bench.sandbox.requests).toHaveLength(requests + 1);
			expect(await statusesIn(batchId)).toEqual([status, status]);
		});
	});

	describe('a batch that cannot be read', () => {
		it('because nobody knows it ends the run', async () => {
			const ended = shown(await bench.run(cancelBatch(), [{ batch_id: NO_BATCH }]));
			const message = `Row 1: no batch with the ID "${NO_BATCH}" exists on your account`;
			expect(ended.message).toBe(message);
			expect(ended.httpCode).toBe('404');
			expect(cancels()).toEqual([]);
		});

		it('because the page parameter has another name ends the run before anything is cancelled', async () => {
			bench.sandbox.settings.pageParameter = 'p';
			const { batchId } = batchOf(21);
			const ended = await bench.run(cancelBatch(), [{ batch_id: batchId }]);
			says(ended, /instead of page 2.*“page”/, /option Page Parameter/);
			expect(bench.sandbox.requests).toHaveLength(2);
			expect(cancels()).toEqual([]);
		});
	});

	it('G10 no further call is cancelled after the stop', async () => {
		const { batchId } = batchOf(20);
		const { run, stop } = bench.start(cancelBatch(oneByOne), [{ batch_id: batchId }]);
		bench.meanwhile = () => {
			if (cancels().length === 2) stop();
		};
		await run;
		await turns();
		expect(cancels()).toHaveLength(2);
	});
});
