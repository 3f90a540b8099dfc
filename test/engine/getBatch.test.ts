import { apiRefusals } from './helpers/apiRefusals';
import { workbench } from './helpers/workbench';
import { getBatch, pairs, phone, shown, text } from './helpers/workflows';

const bench = workbench();

const impatient = { options: { maxRetryWait: 0 } };
const MISSING = '00000000-0000-4000-8000-000000000000';

const batchOf = (count: number) =>
	bench.sandbox.addBatch({ phones: Array.from({ length: count }, (_, n) => phone(n)) });
const paths = () =>
	bench.sandbox.requests.map(({ path }) => path.replace(/^.*\/batches\/[^?]*/, ''));

describe('all call records of a batch', () => {
	it.each<[number, string[]]>([
		[1, ['']],
		[20, ['']],
		[21, ['', '?page=2']],
		[45, ['', '?page=2', '?page=3']],
	])('%d records are read with pages %j', async (count, expected) => {
		const { batchId, consentIds } = batchOf(count);
		const { items } = await bench.run(getBatch(), [{ batch_id: batchId }]);
		expect(items.map(({ json }) => json.id)).toEqual([...consentIds].reverse());
		expect(pairs(items)).toEqual(Array(count).fill(0));
		expect(paths()).toEqual(expected);
		expect(bench.sandbox.requests.map(({ method }) => method)).toEqual(expected.map(() => 'GET'));
	});

	it.each(['records', 'batch'])(
		'a record with a field named error, which n8n takes for a failed item, has it as record_error (%s)',
		async (output) => {
			const { batchId } = batchOf(1);
			const consents = [{ error: 'Busy' }, { id: 7, error: null }, { id: 8 }];
			bench.sandbox.fault({
				kind: 'respond',
				route: 'batch',
				status: 200,
				body: { success: true, batch_id: batchId, error: 'x', consents },
			});
			const { json, errorItems } = await bench.run(getBatch({ output }), [{ batch_id: batchId }], {
				onError: 'continueErrorOutput',
			});
			const records = [{ record_error: 'Busy' }, { id: 7, record_error: null }, { id: 8 }].map(
				(record) => ({ reached: null, ...record }),
			);
			expect(json).toEqual(
				output === 'records' ? records : [{ success: true, batch_id: batchId, consents: records }],
			);
			expect(errorItems).toEqual([]);
		},
	);

	it.each<[number, number, number]>([
		[7, 7, 1],
		[20, 20, 1],
		[21, 21, 2],
		[100, 45, 3],
	])('with Limit %d, %d of 45 come out, with %d requests', async (limit, records, requests) => {
		const { batchId, consentIds } = batchOf(45);
		const { json } = await bench.run(getBatch({ returnAll: false, limit }), [
			{ batch_id: batchId },
		]);
		expect(json.map(({ id }) => id)).toEqual([...consentIds].reverse().slice(0, records));
		expect(bench.sandbox.requests).toHaveLength(requests);
	});

	it.each(['={{ "abc" }}', '={{ null }}'])(
		'a Limit of %s cannot be used, and nothing is read',
		async (limit) => {
			const { batchId } = batchOf(60);
			const { message } = shown(
				await bench.run(getBatch({ returnAll: false, limit }), [{ batch_id: batchId }]),
			);
			expect(message).toMatch(/^Limit is (empty|"abc")/);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it('as one item they come with the batch and its summary', async () => {
		const { batchId } = batchOf(45);
		const { items } = await bench.run(getBatch({ output: 'batch' }), [{ batch_id: batchId }]);
		expect(items).toHaveLength(1);
		expect(items[0]?.json).toMatchObject({
			batch_id: batchId,
			agent_name: 'Reminder',
			agent_number: '+15550001000',
			summary: { total: 45, approved: 45, called: 45 },
		});
		expect(items[0]?.json.consents).toHaveLength(45);
		expect(pairs(items)).toEqual([0]);
	});
});

describe('several items', () => {
	it('that name one batch read it once, and its records are paired with all of them', async () => {
		const { batchId } = batchOf(3);
		const { items } = await bench.run(getBatch(), [
			{ batch_id: batchId },
			{ batch_id: batchId.toUpperCase() },
			{ batch_id: ` ${batchId} ` },
		]);
		expect(items).toHaveLength(3);
		expect(pairs(items)).toEqual(Array(3).fill([0, 1, 2]));
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with one that is no batch keep the others: %s',
		async (onError) => {
			const { batchId } = batchOf(1);
			const { items, errorItems } = await bench.run(
				getBatch(),
				[{ batch_id: batchId }, { batch_id: 'x' }, { batch_id: MISSING }],
				{ onError },
			);
			const apart = onError === 'continueErrorOutput';
			expect(pairs(items)).toEqual(apart ? [0] : [0, 1, 2]);
			expect(pairs(errorItems)).toEqual(apart ? [1, 2] : []);
			const [invalid, missing] = apart ? errorItems : items.slice(1);
			expect(text(invalid?.json.error)).toMatch(/^Row 2: the batch ID "x"/);
			expect(text(missing?.json.error)).toMatch(
				new RegExp(`^Row 3: no batch with the ID "${MISSING}"`),
			);
			expect(bench.sandbox.requests).toHaveLength(2);
		},
	);
});

describe('an ID that is none', () => {
	it.each([['x'], [''], [null], [42], ['../calls'], [{ id: 1 }]])(
		'%j: nothing is sent',
		async (batch_id) => {
			const ended = shown(await bench.run(getBatch(), [{ batch_id }]));
			expect(ended.message).toMatch(/^Row 1: the batch ID /);
			expect(ended.description).toMatch(/batch_id/);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);
});

describe('an API whose page parameter has another name', () => {
	beforeEach(() => {
		bench.sandbox.settings.pageParameter = 'p';
	});

	it('is noticed with the second request', async () => {
		const { batchId } = batchOf(45);
		const ended = shown(await bench.run(getBatch(), [{ batch_id: batchId }]));
		expect(ended.message).toMatch(/^Row 1: .*page 1 instead of page 2.*“page”/);
		expect(ended.description).toMatch(/option Page Parameter/);
		expect(bench.sandbox.requests).toHaveLength(2);
	});

	it('is read completely once the option Page Parameter says so', async () => {
		const { batchId } = batchOf(45);
		const { json } = await bench.run(getBatch({ options: { pageParameter: 'p' } }), [
			{ batch_id: batchId },
		]);
		expect(new Set(json.map(({ id }) => id)).size).toBe(45);
		expect(paths()).toEqual(['', '?p=2', '?p=3']);
	});
});

describe('what the API refuses', () => {
	it.each(apiRefusals)('$name', async ({ fault, httpCode, message, remedy }) => {
		const { batchId } = batchOf(1);
		bench.sandbox.fault(fault);
		const ended = shown(await bench.run(getBatch(impatient), [{ batch_id: batchId }]));
		expect(ended.message).toMatch(/^Row 1: /);
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(remedy);
		expect(ended.httpCode).toBe(httpCode);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it.each<[string, Parameters<typeof bench.sandbox.fault>[0]]>([
		['a reset', { kind: 'resetBefore', times: 1 }],
		['a gateway’s page', { kind: 'gateway', times: 1 }],
		['an answer of which half is missing', { kind: 'truncated', times: 1 }],
		['429', { kind: 'rateLimited', retryAfter: 0, times: 1 }],
	])('after %s it is read again', async (_, fault) => {
		const { batchId } = batchOf(2);
		bench.sandbox.fault(fault);
		expect(
			(await bench.run(getBatch({ options: { maxRetryWait: 5 } }), [{ batch_id: batchId }])).json,
		).toHaveLength(2);
		expect(bench.sandbox.requests).toHaveLength(2);
	});
});
