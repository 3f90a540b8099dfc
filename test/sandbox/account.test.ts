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
	test('is asked for before anything else, and then whether the account may call', async () => {
		await start();
		const { token } = sandbox;
		for (const [method, path] of [
			['POST', '/calls'],
			['POST', '/calls/bulk'],
			['POST', '/calls/place'],
			['POST', '/consents/1/cancel'],
			['GET', '/batches/x'],
		] as const) {
			const body = method === 'POST' ? '{broken' : undefined;
			for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${token}`, token]) {
				const { status } = await client.send(method, path, body, { headers: { authorization } });
				expect(status).toBe(401);
			}
			sandbox.settings.callingEnabled = false;
			expect((await client.send(method, path)).status).toBe(403);
			sandbox.settings.callingEnabled = true;
		}
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

test('the retired endpoint is gone, and what is no part of the API is an HTML 404', async () => {
	await start();
	expect((await client.send('POST', '/calls/place', {})).status).toBe(410);
	for (const [method, path] of [
		['POST', '/nowhere'],
		['GET', '/calls'],
		['GET', '//batches/x'],
	] as const) {
		const answer = await client.send(method, path);
		expect(answer.status).toBe(404);
		expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
	}
});
