import { Client, phones } from './client';
import { sandboxUnderContract } from './contractWatch';
import type { Sandbox } from './index';

const startSandbox = sandboxUnderContract();

let sandbox: Sandbox;
let client: Client;
beforeEach(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterEach(() => sandbox.close());

const A = '+15551110001';
const noToken = { headers: { authorization: '' } };

test('the journal can be read from another process without a token', async () => {
	await client.bulk([A]);
	await client.bulk([A]);
	const { status, body } = await client.send('GET', '/sandbox/journal', undefined, noToken);
	expect(status).toBe(200);
	expect(body).toMatchObject({
		dials: [{ phone: A, callSid: expect.any(String) }, { phone: A }],
		doubleDialed: [A],
		requests: 2,
		inFlight: 0,
		mostInFlight: 1,
	});
});

test('faults can be set and cleared, and meet no control request', async () => {
	await client.send('POST', '/sandbox/faults', { kind: 'gateway' });
	expect((await client.call(A)).status).toBe(502);
	expect((await client.send('GET', '/sandbox/journal')).status).toBe(200);
	await client.send('DELETE', '/sandbox/faults');
	expect((await client.call(A)).status).toBe(201);
	await client.send('POST', '/sandbox/faults', [
		{ kind: 'gateway', times: 1 },
		{ kind: 'unauthorized' },
	]);
	expect((await client.call(A)).status).toBe(502);
	expect((await client.call(A)).status).toBe(401);
});

test('settings can be changed, and removed with null', async () => {
	await client.send('PATCH', '/sandbox/settings', { dailyLimit: 0, latencyMs: 1 });
	expect((await client.call(A)).status).toBe(422);
	await client.send('PATCH', '/sandbox/settings', { dailyLimit: null });
	expect((await client.call(A)).status).toBe(201);
	expect(sandbox.settings.latencyMs).toBe(1);
});

test('outcomes and existing batches can be set', async () => {
	await client.send('POST', '/sandbox/outcomes', { phone: A, status: 'locked', error: 'Locked' });
	expect((await client.bulk([A])).body.results[0]).toMatchObject({
		status: 'locked',
		error: 'Locked',
	});
	const { body } = await client.send('POST', '/sandbox/batches', { phones: phones(30) });
	expect((await client.batch(body.batchId)).body.total_pages).toBe(2);
});

test('reset forgets', async () => {
	await client.call(A);
	await client.send('POST', '/sandbox/reset');
	expect((await client.send('GET', '/sandbox/journal')).body).toMatchObject({
		dials: [],
		requests: 0,
	});
});

test.each([
	['POST', '/sandbox/faults', { kind: 'nonsense' }],
	['PATCH', '/sandbox/settings', { latency: 5 }],
])('%s %s refuses a mistyped name', async (method, path, body) => {
	expect(await client.send(method, path, body)).toMatchObject({
		status: 400,
		body: { success: false },
	});
});
