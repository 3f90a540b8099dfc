import { phones } from '../engine/helpers/workflows';
import { Client } from './client';
import { sandboxUnderContract } from './contractWatch';
import type { Sandbox, SandboxOptions } from './index';

const startSandbox = sandboxUnderContract();

let sandbox: Sandbox;
let client: Client;
let time: number;
async function start(options: SandboxOptions = {}): Promise<void> {
	time = 1_000_000;
	sandbox = await startSandbox({ now: () => time, ...options });
	client = new Client(sandbox);
}
afterEach(() => sandbox.close());

const A = '+15551110001';

describe('the token', () => {
	const everything: Array<[string, string]> = [
		['POST', '/calls'],
		['POST', '/calls/bulk'],
		['POST', '/calls/place'],
		['POST', '/consents/1/cancel'],
		['GET', '/batches/x'],
	];

	test.each(everything)('is asked for before anything else: %s %s', async (method, path) => {
		await start();
		const body = method === 'POST' ? '{broken' : undefined;
		const { token } = sandbox;
		for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${token}`, token]) {
			const { status } = await client.send(method, path, body, { headers: { authorization } });
			expect(status).toBe(401);
		}
	});

	test.each(everything)('of an account without calling gives 403: %s %s', async (method, path) => {
		await start({ callingEnabled: false });
		expect((await client.send(method, path)).status).toBe(403);
	});

	test('is in no log line', async () => {
		const lines: string[] = [];
		await start({ token: 'very-secret', log: (line) => lines.push(line) });
		await client.bulk([A]);
		await client.batch('x', '?token=very-secret');
		expect(lines).toEqual([
			`1970-01-01T00:16:40.000Z POST /api/v1/outbound/calls/bulk 201 dialed ${A}`,
			'1970-01-01T00:16:40.000Z GET /api/v1/outbound/batches/x?token=[token] 404 dialed nothing',
		]);
	});
});

describe('limits', () => {
	test('a locked account is a 422 after the request was found valid', async () => {
		await start({ accountLocked: true });
		expect((await client.call(A)).status).toBe(422);
		expect((await client.call('0')).status).toBe(400);
		expect(sandbox.journal).toEqual([]);
	});

	test('a request that would exceed the daily limit is refused whole', async () => {
		await start({ dailyLimit: 3 });
		expect((await client.bulk(phones(2))).status).toBe(201);
		const refused = await client.bulk(phones(2));
		expect(refused).toMatchObject({ status: 422, body: { success: false } });
		expect(refused.body.error_type).toEqual(expect.any(String));
		expect(sandbox.journal).toHaveLength(2);
		expect((await client.call(A)).status).toBe(201);
		expect((await client.call(A)).status).toBe(422);
		sandbox.settings.dailyLimit = undefined;
		expect((await client.call(A)).status).toBe(201);
	});

	test('placing over the rate limit is a 429 until the window has passed', async () => {
		await start({ rateLimit: { requests: 2, windowMs: 2500 } });
		expect((await client.call(A)).status).toBe(201);
		expect((await client.bulk([A])).status).toBe(201);
		time += 100;
		const refused = await client.call(A);
		expect(refused.status).toBe(429);
		expect(refused.headers.get('retry-after')).toBe('3');
		expect((await client.batch('x')).status).toBe(404);
		time += 2400;
		expect((await client.call(A)).status).toBe(201);
	});
});

describe('paths', () => {
	test('the retired endpoint is gone', async () => {
		await start();
		expect((await client.send('POST', '/calls/place', {})).status).toBe(410);
	});

	test.each([
		['POST', '/nowhere'],
		['GET', '/calls'],
		['GET', '/batches'],
		['GET', '//batches/x'],
	])('%s %s is no part of the API: an HTML 404', async (method, path) => {
		await start();
		const answer = await client.send(method, path);
		expect(answer.status).toBe(404);
		expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
		expect(answer.body).toBeUndefined();
	});
});
