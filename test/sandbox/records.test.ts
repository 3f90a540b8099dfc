import { Client } from './client';
import { sandboxUnderContract } from './contractWatch';
import type { Sandbox } from './index';

const startSandbox = sandboxUnderContract();

let sandbox: Sandbox;
let client: Client;
let time = 0;
beforeEach(async () => {
	time = Date.UTC(2030, 0, 1);
	sandbox = await startSandbox({ now: () => time });
	client = new Client(sandbox);
});
afterEach(() => sandbox.close());

const A = '+15551110001';
const iso = (ms: number) => new Date(ms).toISOString();

test('a call goes from pending to dialed to finished', async () => {
	Object.assign(sandbox.settings, { dialAfterMs: 1000, finishAfterMs: 500 });
	const placedAt = time;
	const { body: placed } = await client.bulk([A]);
	expect(placed.results[0]).toMatchObject({ success: true, status: 'initiated', call_sid: null });
	const readAfter = async (ms: number) => {
		time = placedAt + ms;
		const { body } = await client.batch(placed.batch_id);
		const { auto_call_sid: sid, conversation_id: talk, ...record } = body.consents[0];
		expect(record.updated_at).toBe(iso(time));
		expect(sandbox.journal[0]!.callSid).toBe(sid);
		return [record.status, sid !== null, talk !== null, body.summary.called];
	};
	expect(await readAfter(0)).toEqual(['pending', false, false, 0]);
	expect(await readAfter(1000)).toEqual(['called', true, false, 1]);
	expect(await readAfter(1500)).toEqual(['called', true, true, 1]);
});

test('canceling works until the call is dialed, and stays cancelled', async () => {
	sandbox.settings.dialAfterMs = 1000;
	const { body: placed } = await client.bulk([A]);
	const id = placed.results[0].consent_id;
	time += 999;
	for (const _ of ['first', 'again']) {
		const body = { success: true, id, status: 'cancelled' };
		expect(await client.cancel(id)).toMatchObject({ status: 200, body });
	}
	time += 1000;
	const { body } = await client.batch(placed.batch_id);
	const undialed = { auto_call_sid: null, conversation_id: null };
	expect(body.consents[0]).toMatchObject({ status: 'cancelled', ...undialed });
	expect(body.summary).toEqual({ total: 1, approved: 0, called: 0 });
});
