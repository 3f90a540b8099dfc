import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { workbench } from './helpers/workbench';
import { pairs, shown, text, says } from './helpers/outcomes';
import { CONTINUE, goesOn } from './helpers/onError';
import { bulk, contacts, getBatch, getCall, NO_BATCH, phone, phones } from './helpers/workflows';

const bench = workbench();

describe('Get Call', () => {
	const batchOf = (count: number, first = 0) =>
		bench.sandbox.addBatch({ phones: phones(count, first) });
	const row = (batch_id: unknown, consent_id: unknown): IDataObject =>
		({ batch_id, consent_id }) as IDataObject;
	const reads = () =>
		bench.sandbox.requests
			.filter(({ method }) => method === 'GET')
			.map(({ path }) => path.replace(/^.*\/batches\//, ''));

	/** A finished call of the sandbox, as a row has it. */
	const record = (id: number, n: number): IDataObject => ({
		reached: 'yes',
		id,
		phone: phone(n),
		status: 'called',
		consent_method: 'direct',
		auto_call_sid: expect.any(String),
		auto_call_error: null,
		conversation_id: expect.any(Number),
		updated_at: expect.any(String),
	});

	describe('rows of Bulk Call', () => {
		it('40 rows in 4 batches are read with exactly 4 requests, and each row gets the record of its own call', async () => {
			const { json: rows } = await bench.run(bulk(), contacts(40));
			const { items, error } = await bench.run(getCall(), rows);
			expect(error).toBeUndefined();
			expect(items.map(({ json: { id, phone: number } }) => [id, number])).toEqual(
				rows.map(({ consent_id, destination }) => [consent_id, destination]),
			);
			expect(pairs(items)).toEqual(rows.map((_, n) => n));
			expect(reads().sort()).toEqual([...new Set(rows.map(({ batch_id }) => batch_id))].sort());
			expect(reads()).toHaveLength(4);
		});

		it('in any order and more than once get their records, in the rows’ order', async () => {
			const [one, two] = [batchOf(3), batchOf(2, 10)];
			const wanted = [
				row(two.batchId, two.consentIds[1]),
				row(one.batchId, one.consentIds[2]),
				row(one.batchId, one.consentIds[0]),
				row(two.batchId, two.consentIds[1]),
			];
			const { items } = await bench.run(getCall(), wanted);
			expect(items.map(({ json }) => json.id)).toEqual(wanted.map(({ consent_id }) => consent_id));
			expect(pairs(items)).toEqual([0, 1, 2, 3]);
			expect(reads()).toEqual([two.batchId, one.batchId]);
		});
	});

	it('the record may come from a column, and the batch from the node', async () => {
		const { batchId, consentIds } = batchOf(2);
		const rows = consentIds.map((id) => ({ id }));
		const { json } = await bench.run(getCall({ batchId, callRecordId: '={{ $json.id }}' }), rows);
		expect(json.map(({ id }) => id)).toEqual(consentIds);
	});

	it.each([['x'], [null], ['../calls'], [`${NO_BATCH}/../x`]])(
		'the batch %j is none',
		async (batch_id) => {
			const { batchId, consentIds } = batchOf(1);
			const ended = await bench.run(getCall(), [row(batchId, consentIds[0]), row(batch_id, 7)]);
			says(ended, /^Row 2: the batch ID /, /batch_id/);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	describe('a row of Bulk Call without a call and a batch', () => {
		it('passes through with its reason and its own fields, and nothing is asked', async () => {
			bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk' });
			const sheet = bulk({ options: { includeInputFields: true } });
			const { json: rows } = await bench.run(sheet, contacts(2), goesOn);
			const sent = bench.sandbox.requests.length;
			const { json, error } = await bench.run(getCall({ waitUntil: 'finished' }), rows);
			expect(error).toBeUndefined();
			const said = expect.stringMatching(/^The daily call limit .*reached/) as string;
			expect(json).toMatchObject(
				contacts(2).map(({ name, amount }, n) => ({
					...{ reached: 'no', id: null, phone: phone(n), status: 'refused', auto_call_error: said },
					...{ settled: true, input_status: 'refused', called: 'no', reason: rows[n]!.reason },
					...{ destination: phone(n), input_phone: phone(n), name, amount, consent_id: null },
				})),
			);
			expect(bench.sandbox.requests).toHaveLength(sent);
		});

		it.each<[string, string, string]>([
			['invalid', 'no', 'no'],
			['failed', 'no', 'no'],
			['unknown', 'maybe', 'open'],
			['already_called', 'no', 'open'],
			['duplicate', 'other_row', 'open'],
			['teleported', 'maybe', 'open'],
		])(
			'%s (%s) comes out with reached %s: was it certainly no?',
			async (status, called, reached) => {
				const none = { consent_id: null, call_sid: null, batch_id: null };
				const said = { status, called, reason: 'Why', success: false };
				const alone = getCall({ options: { includeInputFields: false } });
				const { json } = await bench.run(alone, [{ destination: phone(0), ...said, ...none }]);
				const auto_call_error = reached === 'no' ? 'Why' : null;
				const record = { status, auto_call_sid: null, auto_call_error, conversation_id: null };
				expect(json).toEqual([{ reached, id: null, phone: phone(0), ...record }]);
				expect(bench.sandbox.requests).toEqual([]);
			},
		);
	});

	it('a sheet with columns named destination, status and reason is looked up by the calls that it names', async () => {
		const { batchId, consentIds } = batchOf(1);
		const named = { batchId: '={{ $json.call_batch }}', callRecordId: '={{ $json.call_record }}' };
		const calls = { call_batch: batchId, call_record: consentIds[0]! };
		const customer = { destination: 'Rome', status: 'locked', reason: 'Late', ...calls };
		const { json } = await bench.run(getCall(named), [customer]);
		expect(json).toMatchObject([
			{ ...record(consentIds[0]!, 0), input_status: 'locked', destination: 'Rome' },
		]);
	});

	describe('a row of Bulk Call that has a batch and no call record', () => {
		const LISTED = 'Listed as do not call';
		const undialed = (batch_id: string, more: IDataObject = {}): IDataObject => ({
			...{ destination: phone(1), success: false, status: 'skipped', called: 'no' },
			...{ reason: LISTED, consent_id: null, call_sid: null, batch_id },
			...more,
		});
		const skipped = { id: null, phone: phone(1), status: 'skipped' };
		const through = { ...skipped, auto_call_error: LISTED, conversation_id: null };

		it.each<[string, IDataObject]>([
			['no', { reached: 'no' }],
			// Its reason says which row it shares a call with, and nothing of that call.
			['other_row', { reached: 'open', auto_call_error: null }],
			['maybe', { reached: 'open', auto_call_error: null }],
		])('passes through (called: %s), and the others are looked up', async (called, said) => {
			const { batchId, consentIds } = batchOf(1);
			const { json, items, error } = await bench.run(getCall({ waitUntil: 'dialed' }), [
				undialed(batchId, { called }),
				row(batchId, consentIds[0]),
			]);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([
				{ ...through, ...said, settled: true },
				{ id: consentIds[0], settled: true },
			]);
			expect(pairs(items)).toEqual([0, 1]);
			expect(reads()).toEqual([batchId]);
		});

		it.each<[string, INodeParameters, IDataObject]>([
			['a wrong column is dragged in', { callRecordId: '={{ $json.destination }}' }, {}],
			['it is no row of Bulk Call', {}, { called: undefined }],
		])('is told when %s', async (_, parameters, more) => {
			const { batchId } = batchOf(1);
			const ended = shown(await bench.run(getCall(parameters), [undialed(batchId, more)]));
			expect(ended.message).toMatch(/^Row 1: the (batch|call record) ID /);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	it('a record of another batch ends the run, and the message names batch and record', async () => {
		const [one, two] = [batchOf(2), batchOf(1, 10)];
		const id = two.consentIds[0]!;
		const rows = [row(one.batchId, one.consentIds[0]), row(one.batchId, id)];
		const ended = shown(await bench.run(getCall(), rows));
		expect(ended.message).toContain(`Row 2: the batch ${one.batchId} has no call record ${id}`);
		expect(ended.description).toMatch(/same row of Bulk Call/);
	});

	it.each(CONTINUE)('%s: each row comes out once, in order; bad ones say why', async (onError) => {
		const [one, two] = [batchOf(2), batchOf(1, 10)];
		const [first, second] = one.consentIds.map((id) => row(one.batchId, id));
		const lost = [row(one.batchId, two.consentIds[0]), row(NO_BATCH, 7), row(NO_BATCH, 8)];
		const rows = [second!, row('x', 7), row(one.batchId, 'x'), ...lost, first!];
		const { items, errorItems, error } = await bench.run(getCall(), rows, { onError });
		expect(error).toBeUndefined();
		const apart = onError === 'continueErrorOutput';
		expect(pairs(items)).toEqual(apart ? [0, 6] : [0, 1, 2, 3, 4, 5, 6]);
		expect(pairs(errorItems)).toEqual(apart ? [1, 2, 3, 4, 5] : []);
		const failed = apart ? errorItems : items.slice(1, 6);
		expect(failed.map(({ json }) => text(json.error))).toEqual([
			expect.stringMatching(/^Row 2: the batch ID "x"/),
			expect.stringMatching(/^Row 3: the call record ID "x"/),
			expect.stringMatching(/^Row 4: the batch .* has no call record/),
			expect.stringMatching(/^Row 5: no batch with the ID/),
			expect.stringMatching(/^Row 6: no batch with the ID/),
		]);
		const good = apart ? items : [items[0]!, items[6]!];
		expect(good.map(({ json }) => json.id)).toEqual([one.consentIds[1], one.consentIds[0]]);
		expect(reads().sort()).toEqual([one.batchId, NO_BATCH].sort());
	});

	it('the columns of the sheet come along through Bulk Call and Get Call, each beside its own call', async () => {
		const sheet = bulk({ options: { includeInputFields: true } });
		const { json: rows } = await bench.run(sheet, contacts(12));
		const { items, json } = await bench.run(getCall({ waitUntil: 'dialed' }), rows);
		expect(json).toEqual(
			contacts(12).map(({ name, amount }, n) => {
				const { called_at, consent_id, call_sid, batch_id } = rows[n]!;
				return {
					...{ ...record(consent_id as number, n), settled: true, input_status: 'initiated' },
					...{ called: 'yes', reason: 'Call started', destination: phone(n) },
					...{ input_phone: phone(n), name, amount, success: true },
					...{ called_at, consent_id, call_sid, batch_id },
				};
			}),
		);
		expect(pairs(items)).toEqual(contacts(12).map((_, n) => n));
	});
});

describe('Get Batch', () => {
	const batchOf = (count: number) => bench.sandbox.addBatch({ phones: phones(count) });
	const paths = () =>
		bench.sandbox.requests.map(({ path }) => path.replace(/^.*\/batches\/[^?]*/, ''));

	describe('all call records of a batch', () => {
		it.each<[number, string[]]>([
			[20, ['']],
			[45, ['', '?page=2', '?page=3']],
		])('%d records are read with pages %j', async (count, expected) => {
			const { batchId, consentIds } = batchOf(count);
			const { items } = await bench.run(getBatch(), [{ batch_id: batchId }]);
			expect(items.map(({ json }) => json.id)).toEqual([...consentIds].reverse());
			expect(pairs(items)).toEqual(Array(count).fill(0));
			expect(paths()).toEqual(expected);
			expect(bench.sandbox.requests.map(({ method }) => method)).toEqual(expected.map(() => 'GET'));
		});

		it('a record with a field named error, which n8n takes for a failed item, has it as record_error', async () => {
			const { batchId } = batchOf(1);
			const consents = [{ error: 'Busy' }, { id: 7, error: null }, { id: 8 }];
			const body = { success: true, batch_id: batchId, error: 'x', consents };
			bench.sandbox.fault({ kind: 'respond', route: 'batch', status: 200, body });
			const apart = { onError: 'continueErrorOutput' } as const;
			const { json, errorItems } = await bench.run(getBatch(), [{ batch_id: batchId }], apart);
			const records = [{ record_error: 'Busy' }, { id: 7, record_error: null }, { id: 8 }];
			expect(json).toEqual(records.map((record) => ({ reached: 'open', ...record })));
			expect(errorItems).toEqual([]);
		});

		it.each<[number, number, number]>([
			[7, 7, 1],
			[20, 20, 1],
			[21, 21, 2],
			[100, 45, 3],
		])('with Limit %d, %d of 45 come out, with %d requests', async (limit, records, requests) => {
			const { batchId, consentIds } = batchOf(45);
			const parameters = getBatch({ returnAll: false, limit });
			const { json } = await bench.run(parameters, [{ batch_id: batchId }]);
			expect(json.map(({ id }) => id)).toEqual([...consentIds].reverse().slice(0, records));
			expect(bench.sandbox.requests).toHaveLength(requests);
		});

		it.each(['={{ "abc" }}', '={{ null }}'])('with the Limit %s nothing is read', async (limit) => {
			const { batchId } = batchOf(60);
			const parameters = getBatch({ returnAll: false, limit });
			const ended = await bench.run(parameters, [{ batch_id: batchId }]);
			says(ended, /^Limit is (empty|"abc")/);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	describe('an API whose page parameter has another name', () => {
		beforeEach(() => {
			bench.sandbox.settings.pageParameter = 'p';
		});

		it('is noticed with the second request', async () => {
			const { batchId } = batchOf(45);
			const ended = await bench.run(getBatch(), [{ batch_id: batchId }]);
			says(ended, /^Row 1: .*page 1 instead of page 2.*“page”/, /option Page Parameter/);
			expect(bench.sandbox.requests).toHaveLength(2);
		});

		it('is read completely once the option Page Parameter says so', async () => {
			const { batchId } = batchOf(45);
			const parameters = getBatch({ options: { pageParameter: 'p' } });
			const { json } = await bench.run(parameters, [{ batch_id: batchId }]);
			expect(new Set(json.map(({ id }) => id)).size).toBe(45);
			expect(paths()).toEqual(['', '?p=2', '?p=3']);
		});
	});

	describe('what the API refuses', () => {
		it.each<[string, Parameters<typeof bench.sandbox.fault>[0]]>([
			['a reset', { kind: 'resetBefore', times: 1 }],
			['a gateway’s page', { kind: 'gateway', times: 1 }],
			['an answer of which half is missing', { kind: 'truncated', times: 1 }],
			['429', { kind: 'rateLimited', retryAfter: 0, times: 1 }],
		])('after %s it is read again', async (_, fault) => {
			const { batchId } = batchOf(2);
			bench.sandbox.fault(fault);
			const parameters = getBatch({ options: { maxRetryWait: 5 } });
			expect((await bench.run(parameters, [{ batch_id: batchId }])).json).toHaveLength(2);
			expect(bench.sandbox.requests).toHaveLength(2);
		});
	});
});
