import { apiRefusals } from './helpers/apiRefusals';
import { workbench } from './helpers/workbench';
import { cancel, getBatch, pairs, phone, shown } from './helpers/workflows';

const bench = workbench();

const impatient = { options: { maxRetryWait: 0 } };
const LONG = 3_600_000;

const records = (count: number, dialAfterMs: number) =>
	bench.sandbox.addBatch({
		phones: Array.from({ length: count }, (_, n) => phone(n)),
		dialAfterMs,
	});
const named = (ids: unknown[]) => ids.map((consent_id) => ({ consent_id: consent_id as number }));
const cancelled = async (batchId: string) =>
	(await bench.run(getBatch(), [{ batch_id: batchId }])).json
		.filter(({ status }) => status === 'cancelled')
		.map(({ id }) => id);

it('calls that are not dialed yet are cancelled, one request each', async () => {
	const { batchId, consentIds } = records(3, LONG);
	const { items } = await bench.run(cancel(), named([consentIds[2], String(consentIds[0])]));
	expect(items.map(({ json }) => json)).toEqual(
		[consentIds[2], String(consentIds[0])].map((consent_id) => ({
			success: true,
			id: Number(consent_id),
			status: 'cancelled',
			cancelled: true,
			reason: null,
			consent_id,
		})),
	);
	expect(pairs(items)).toEqual([0, 1]);
	expect(bench.sandbox.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
		[consentIds[0], consentIds[2]].map((id) => `POST /api/v1/outbound/consents/${id ?? ''}/cancel`),
	);
	for (const body of bench.bodies()) expect(body).toBeUndefined();
	expect(await cancelled(batchId)).toEqual([consentIds[2], consentIds[0]]);
});

describe('the input’s own fields', () => {
	const row = { name: 'Ada', status: 'initiated', id: 'A-7', reason: '', error: 'x' };
	const kept = {
		name: 'Ada',
		input_status: 'initiated',
		input_id: 'A-7',
		input_reason: '',
		input_error: 'x',
	};

	it('come along behind what became of the call, a column with a name of ours as input_…', async () => {
		const { consentIds } = records(1, LONG);
		const { items } = await bench.run(cancel(), [{ ...row, consent_id: consentIds[0] }]);
		expect(items.map(({ json }) => json)).toEqual([
			{
				success: true,
				id: consentIds[0],
				status: 'cancelled',
				cancelled: true,
				reason: null,
				consent_id: consentIds[0],
				...kept,
			},
		]);
		expect(Object.keys(items[0]!.json).slice(-6)).toEqual([
			'name',
			'input_status',
			'input_id',
			'input_reason',
			'input_error',
			'consent_id',
		]);
	});

	it('stay behind when the option is switched off', async () => {
		const { consentIds } = records(1, LONG);
		const { items } = await bench.run(cancel({ options: { includeInputFields: false } }), [
			{ ...row, consent_id: consentIds[0] },
		]);
		expect(items.map(({ json }) => json)).toEqual([
			{ success: true, id: consentIds[0], status: 'cancelled', cancelled: true, reason: null },
		]);
	});
});

it.each([
	['another record', '{"success":true,"id":7777,"status":"cancelled"}'],
	['a record that is not cancelled', '{"success":true,"status":"pending"}'],
])('an answer that tells of %s cancels nothing that is known', async (_, body) => {
	bench.sandbox.fault({ kind: 'respond', status: 200, body });
	const ended = shown(await bench.run(cancel(), [{ consent_id: '12' }]));
	expect(ended.message).toMatch(/^Row 1: .*does not say whether/);
});

it('a number that has lost digits names another record, so nothing is sent', async () => {
	const ended = shown(await bench.run(cancel(), [{ consent_id: 2 ** 53 + 2 }]));
	expect(ended.message).toMatch(/^Row 1: .*9007199254740994.*lost its last digits/);
	expect(ended.description).toMatch(/as text/);
	expect(bench.sandbox.requests).toEqual([]);
});

describe.each([400, 409])('a call that was already placed, refused with %d', (status) => {
	beforeEach(() => {
		bench.sandbox.settings.alreadyPlacedStatus = status;
	});

	it('ends the run with a message that says so', async () => {
		const { consentIds } = records(1, 0);
		const ended = shown(await bench.run(cancel(impatient), named(consentIds)));
		expect(ended.message).toMatch(/^Row 1: .*already placed/);
		expect(ended.description).toMatch(/If Already Placed/);
		expect(ended.httpCode).toBe(String(status));
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('is a result, where the option says so', async () => {
		const { consentIds } = records(1, 0);
		const { items, error } = await bench.run(
			cancel({ options: { ifAlreadyPlaced: 'output' } }),
			named(consentIds),
		);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ id: consentIds[0], success: false, cancelled: false });
		expect(items[0]?.json).not.toHaveProperty('error');
		expect(pairs(items)).toEqual([0]);
	});
});

describe('a record that does not exist', () => {
	it('is named', async () => {
		const ended = shown(await bench.run(cancel(), named([99])));
		expect(ended.message).toMatch(/^Row 1: no call record .*"99"/);
		expect(ended.description).toMatch(/consent_id/);
		expect(ended.httpCode).toBe('404');
	});
});

describe('an ID that is no whole number', () => {
	it.each([['x'], [''], [null], [1.5], [0], ['1/../2'], [{ id: 1 }]])(
		'%j: nothing is sent',
		async (id) => {
			const ended = shown(await bench.run(cancel(), named([7, id])));
			expect(ended.message).toMatch(/^Row 2: the call record ID /);
			expect(ended.description).toMatch(/consent_id/);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);
});

describe('one bad row among several', () => {
	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'%s: the others are cancelled',
		async (onError) => {
			const { batchId, consentIds } = records(2, LONG);
			const { items, errorItems } = await bench.run(
				cancel(),
				named([consentIds[0], 'x', consentIds[1], 99]),
				{ onError },
			);
			const apart = onError === 'continueErrorOutput';
			expect(pairs(items)).toEqual(apart ? [0, 2] : [0, 1, 2, 3]);
			expect(pairs(errorItems)).toEqual(apart ? [1, 3] : []);
			expect((await cancelled(batchId)).sort()).toEqual([...consentIds].sort());
		},
	);

	it('with Stop no request follows a refused one', async () => {
		const { consentIds } = records(3, LONG);
		bench.sandbox.fault({ kind: 'unauthorized', times: 1 });
		shown(await bench.run(cancel({ options: { parallelRequests: 1 } }), named(consentIds)));
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe('what the API refuses', () => {
	it.each(apiRefusals)('$name', async ({ fault, httpCode, message, remedy }) => {
		const { consentIds } = records(1, LONG);
		bench.sandbox.fault(fault);
		const ended = shown(await bench.run(cancel(impatient), named(consentIds)));
		expect(ended.message).toMatch(/^Row 1: /);
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(remedy);
		expect(ended.httpCode).toBe(httpCode);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('a reset: the message says that the call may or may not be cancelled', async () => {
		const { consentIds } = records(1, LONG);
		bench.sandbox.fault({ kind: 'resetAfter' });
		expect(shown(await bench.run(cancel(), named(consentIds))).message).toMatch(
			/may or may not be cancelled/,
		);
	});

	it('an answer that does not say whether it is cancelled', async () => {
		bench.sandbox.fault({ kind: 'empty' });
		const ended = shown(await bench.run(cancel(), named([7])));
		expect(ended.message).toMatch(/^Row 1: .*does not say whether/);
		expect(ended.description).toMatch(/Get Batch/);
	});
});
