import { type Answered, Client, phones } from './client';
import { sandboxUnderContract } from './contractWatch';
import { FaultPlan } from './faults';
import type { FaultRule, Sandbox } from './index';

const startSandbox = sandboxUnderContract();

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterEach(async () => {
	// The server notices a moment later that a client gave up.
	while (sandbox.inFlight > 0) await new Promise(setImmediate);
	sandbox.reset();
});
afterAll(() => sandbox.close());

const A = '+15551110001';
const B = '+15551110002';
const C = '+15551110003';

describe('a fault in the place of the answer', () => {
	const plain429 = {
		success: false,
		error: 'Outbound rate limit exceeded. Please retry later.',
		error_type: 'rate_limit',
		detail: expect.any(String),
	};
	const allowance429 = (retry_after: number) => ({
		error: 'mf-core:rate-limit-exceeded',
		message: expect.any(String),
		details: { policy: 'outbound_bulk', retry_after },
	});
	const unchecked = {
		error: 'mf-core:rate-limiter-unavailable',
		message: expect.any(String),
		details: { policy: 'outbound_bulk' },
	};
	const ownError = { success: false, error: expect.any(String) };

	test.each<[FaultRule, number, string | null, unknown]>([
		[{ kind: 'rateLimited' }, 429, null, plain429],
		[{ kind: 'rateLimited', retryAfter: 'soon' }, 429, 'soon', plain429],
		[{ kind: 'rateLimited', form: 'allowance', retryAfter: 9 }, 429, '9', allowance429(9)],
		[{ kind: 'rateLimited', form: 'allowance', header: false }, 429, null, allowance429(1)],
		[{ kind: 'unavailable', retryAfter: 2 }, 503, '2', ownError],
		[{ kind: 'unavailable', form: 'allowance' }, 503, null, unchecked],
		[{ kind: 'gateway' }, 502, null, undefined],
		[{ kind: 'gateway', status: 504, retryAfter: 3 }, 504, '3', undefined],
		[{ kind: 'redirect', status: 307, location: 'https://example.test/' }, 307, null, undefined],
		[{ kind: 'empty', status: 201 }, 201, null, undefined],
		[{ kind: 'respond', status: 418, body: 'teapot' }, 418, null, undefined],
		[{ kind: 'respond', status: 201, body: { odd: [1] } }, 201, null, { odd: [1] }],
		[{ kind: 'unauthorized' }, 401, null, ownError],
		[{ kind: 'forbidden' }, 403, null, ownError],
		[{ kind: 'accountLocked' }, 422, null, ownError],
		[{ kind: 'dailyLimit' }, 422, null, { ...ownError, error_type: expect.any(String) }],
	])('%j dials nothing', async (rule, status, retryAfter, body) => {
		sandbox.fault(rule);
		const answer = await client.bulk([A, B]);
		expect(answer.status).toBe(status);
		expect(answer.headers.get('retry-after')).toBe(retryAfter);
		expect(answer.body).toEqual(body);
		expect(sandbox.journal).toEqual([]);
		expect(sandbox.requests).toMatchObject([{ status, fault: rule.kind, dialed: 0 }]);
	});
});

describe('a cut connection', () => {
	test.each<[FaultRule['kind'], number]>([
		['resetBefore', 0],
		['resetAfter', 2],
	])('%s leaves %i calls placed and no answer', async (kind, dialed) => {
		sandbox.fault({ kind } as FaultRule);
		await expect(client.bulk([A, B])).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
		expect(sandbox.journal).toHaveLength(dialed);
		expect(sandbox.requests).toMatchObject([{ status: null, fault: kind, dialed }]);
	});

	test.each<[FaultRule['kind'], number]>([
		['hangBefore', 0],
		['hangAfter', 2],
	])('%s leaves %i calls placed until the client gives up', async (kind, dialed) => {
		sandbox.fault({ kind } as FaultRule);
		const ending = new AbortController();
		const asked = client.send(
			'POST',
			'/calls/bulk',
			{ destinations: [A, B], agent_number: '+15550001000' },
			{ signal: ending.signal },
		);
		const gaveUp = expect(asked).rejects.toMatchObject({ name: 'AbortError' });
		while (sandbox.requests.length === 0 || sandbox.journal.length < dialed)
			await new Promise(setImmediate);
		expect(sandbox.inFlight).toBe(1);
		ending.abort();
		await gaveUp;
		expect(sandbox.journal).toHaveLength(dialed);
		expect(sandbox.requests).toMatchObject([{ status: null, fault: kind }]);
	});

	test('inside the body leaves the calls placed', async () => {
		sandbox.fault({ kind: 'truncated', cut: true });
		await expect(client.bulk([A, B])).rejects.toThrow();
		expect(sandbox.journal).toHaveLength(2);
		expect(sandbox.requests).toMatchObject([{ status: null, dialed: 2 }]);
	});

	test('closing the sandbox ends hung sockets', async () => {
		const other = await startSandbox();
		for (const kind of ['hangBefore', 'hangAfter'] as const) other.fault({ kind, times: 1 });
		const hung = [1, 2].map(() => new Client(other).call(A).catch(() => 'ended'));
		while (other.inFlight < 2) await new Promise(setImmediate);
		await other.close();
		expect(await Promise.all(hung)).toEqual(['ended', 'ended']);
		await expect(new Client(other).call(A)).rejects.toMatchObject({
			cause: { code: 'ECONNREFUSED' },
		});
	});
});

describe('a spoilt answer of a request that was carried out', () => {
	test('truncated JSON arrives as a complete answer', async () => {
		sandbox.fault({ kind: 'truncated' });
		const answer = await client.bulk([A, B]);
		expect(answer.status).toBe(201);
		expect(answer.text).toMatch(/^\{"success":true/);
		expect(answer.body).toBeUndefined();
		expect(sandbox.journal).toHaveLength(2);
	});

	test.each<[FaultRule, number, string]>([
		[{ kind: 'empty', status: 201, place: true }, 201, ''],
		[{ kind: 'respond', status: 500, body: 'oops', place: true }, 500, 'oops'],
		[
			{ kind: 'respond', status: 201, body: { success: true }, place: true },
			201,
			'{"success":true}',
		],
	])('%j', async (rule, status, text) => {
		sandbox.fault(rule);
		expect(await client.bulk([A, B])).toMatchObject({ status, text });
		expect(sandbox.journal).toHaveLength(2);
		expect(sandbox.requests).toMatchObject([{ status, dialed: 2 }]);
	});

	test('latency delays the answer, after placing', async () => {
		sandbox.fault({ kind: 'latency', ms: 60 });
		const started = performance.now();
		const asked = client.call(A);
		while (sandbox.journal.length === 0) await new Promise(setImmediate);
		expect(sandbox.inFlight).toBe(1);
		expect((await asked).status).toBe(201);
		// A timer may fire up to a millisecond early by this clock.
		expect(performance.now() - started).toBeGreaterThanOrEqual(59);
	});

	test.each<[string, (body: Answered['body']) => unknown, unknown]>([
		['reorder', (body) => destinations(body), [C, B, A]],
		['missing', (body) => destinations(body), [A, B]],
		['allMissing', ({ results, total }) => [results, total], [[], 3]],
		['miscounted', ({ total, succeeded, failed }) => [total, succeeded, failed], [4, 4, 0]],
		['extra', (body) => destinations(body), [A, B, C, '+15559990000']],
		['repeated', (body) => destinations(body), [A, B, C, A]],
		['noBatchId', (body) => body.batch_id, undefined],
		['strangeStatus', (body) => body.results[0].status, 'teleported'],
	])('results can be mangled: %s', async (mode, view, expected) => {
		sandbox.fault({ kind: 'results', mode } as FaultRule);
		const { status, body } = await client.bulk([A, B, C]);
		expect(status).toBe(201);
		expect(view(body)).toEqual(expected);
		expect(sandbox.journal).toHaveLength(3);
	});
});

function destinations(body: { results: Array<{ destination: string }> }): string[] {
	return body.results.map(({ destination }) => destination);
}

describe('which request meets which fault', () => {
	test('a rule skips, applies and ends, on its own route', async () => {
		sandbox.fault({ kind: 'gateway', route: 'bulk', after: 1, times: 2 });
		await client.call(A);
		for (const phone of phones(4)) await client.bulk([phone]);
		expect(sandbox.requests.map(({ status }) => status)).toEqual([201, 201, 502, 502, 201]);
	});

	test('chance depends on the seed alone', () => {
		const draw = (seed: number) => {
			const plan = new FaultPlan(seed);
			plan.add({ kind: 'gateway', probability: 0.3 });
			return Array.from({ length: 1000 }, () => (plan.next('bulk') ? 1 : 0));
		};
		expect(draw(7)).toEqual(draw(7));
		expect(draw(7)).not.toEqual(draw(8));
		const hits = draw(7).filter(Boolean).length;
		expect(hits).toBeGreaterThan(230);
		expect(hits).toBeLessThan(370);
	});

	test('a rule that does not exist is refused', () => {
		expect(() => sandbox.fault({ kind: 'gatway' } as never)).toThrow('There is no fault "gatway"');
		expect(() => sandbox.fault({ kind: 'gateway', retryafter: 1 } as never)).toThrow(
			'has no "retryafter"',
		);
	});
});
