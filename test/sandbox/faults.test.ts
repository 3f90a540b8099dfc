import { phones } from '../engine/helpers/workflows';
import { Client } from './client';
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
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const A = '+15551110001';
const B = '+15551110002';

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
])('%j in the place of the answer dials nothing', async (rule, status, retryAfter, body) => {
	sandbox.fault(rule);
	const answer = await client.bulk([A, B]);
	expect(answer.status).toBe(status);
	expect(answer.headers.get('retry-after')).toBe(retryAfter);
	expect(answer.body).toEqual(body);
	expect(sandbox.journal).toEqual([]);
	expect(sandbox.requests).toMatchObject([{ status, fault: rule.kind, dialed: 0 }]);
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
