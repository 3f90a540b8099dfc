import Fastify, { type FastifyInstance } from 'fastify';
import { type Answered, Client } from './client';
import { sandboxUnderContract } from './contractWatch';
import type { Sandbox } from './index';

const startSandbox = sandboxUnderContract();

const A = '+15551110001';

let receiver: FastifyInstance;
let sandbox: Sandbox;
let client: Client;
let received: Array<{ headers: Record<string, unknown>; body: Answered['body'] }>;
let time: number;

async function start(headers: Record<string, string>): Promise<void> {
	received = [];
	time = 0;
	receiver = Fastify({ forceCloseConnections: true });
	receiver.post('/done', ({ headers: sent, body }, reply) => {
		received.push({ headers: sent, body });
		return reply.send({});
	});
	const url = `${await receiver.listen({ host: '127.0.0.1', port: 0 })}/done`;
	sandbox = await startSandbox({ now: () => time, callback: { url, headers } });
	client = new Client(sandbox);
}
afterEach(async () => {
	await sandbox.close();
	await receiver.close();
});

async function deliveries(count: number): Promise<void> {
	while (received.length < count) await new Promise((next) => setTimeout(next, 5));
}

test('calls are told in the order they finish; unfinished, cancelled and undialed ones are not', async () => {
	await start({ 'x-secret': 's' });
	sandbox.destinationOutcome.set('+1', { status: 'failed', error: 'No' });
	sandbox.settings.dialAfterMs = 1000;
	const { body: late } = await client.call(A, { metadata: { external_call_id: 'late' } });
	const { body: cancelled } = await client.call(A, { metadata: { external_call_id: 'cancelled' } });
	await client.cancel(cancelled.consent_id);
	sandbox.settings.dialAfterMs = 500;
	await client.bulk(['+1']);
	const { body: early } = await client.call(A, { metadata: { external_call_id: 'early' } });
	time = 500;
	await deliveries(1);
	time = 1000;
	await deliveries(2);
	const headers = { 'content-type': 'application/json', 'x-secret': 's' };
	expect(received).toMatchObject([{ headers }, { headers }]);
	expect(received.map(({ body }) => body)).toEqual([
		{ call_id: early.call_id, metadata: { external_call_id: 'early' } },
		{ call_id: late.call_id, metadata: { external_call_id: 'late' } },
	]);
});
