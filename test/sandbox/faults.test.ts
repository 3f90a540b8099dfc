import { Client, phones } from './client';
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
		[{ kind: 'rateLimited', form: 'allowance', retryAfter: 9 }, 429, '9', allowance429(9)],
		[{ kind: 'rateLimited', form: 'allowance', header: false }, 429, null, allowance429(1)],
		[{ kind: 'unavailable', retryAfter: 2 }, 503, '2', ownError],
		[{ kind: 'unavailable', form: 'allowance' }, 503, null, unchecked],
		[{ kind: 'gateway' }, 502, null, undefined],
		[{ kind: 'redirect', status: 307, location: 'https://example.test/' }, 307, null, undefined],
		[{ kind: 'empty', status: 201 }, 201, null, undefined],
		[{ kind: 'respond', status: 201, body: { odd: [1] } }, 201, null, { odd: [1] }],
		[{ kind: 'unauthorized' }, 401, null, ownError],
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
});

describe('a spoilt answer of a request that was carried out', () => {
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
});

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
