import { phones, SIP_AGENT } from '../engine/helpers/workflows';
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
const B = '+15551110002';
const iso = (ms: number) => new Date(ms).toISOString();

describe('a batch', () => {
	test('shows its records newest first, with all documented fields', async () => {
		const { body: placed } = await client.bulk([A, B]);
		const { status, body } = await client.batch(placed.batch_id);
		expect(status).toBe(200);
		const record = (n: number) => ({
			id: placed.results[n].consent_id,
			phone: placed.results[n].destination,
			status: 'called',
			consent_method: 'direct',
			auto_call_sid: placed.results[n].call_sid,
			auto_call_error: null,
			conversation_id: expect.any(Number),
			updated_at: iso(time),
		});
		expect(body).toEqual({
			success: true,
			batch_id: placed.batch_id,
			agent_name: 'Reminder',
			agent_number: '+15550001000',
			batch_created_at: iso(time),
			consents: [record(1), record(0)],
			total_pages: 1,
			current_page: 1,
			summary: { total: 2, approved: 2, called: 2 },
		});
	});

	test('has 20 records per page', async () => {
		const placed = { phones: phones(45), agentNumber: SIP_AGENT };
		const { batchId, consentIds } = sandbox.addBatch(placed);
		const pages = await Promise.all(
			['', '?page=2', '?page=3', '?page=4'].map((query) => client.batch(batchId, query)),
		);
		expect(pages.map(({ body }) => body.consents.length)).toEqual([20, 20, 5, 0]);
		expect(pages.map(({ body }) => body.current_page)).toEqual([1, 2, 3, 4]);
		expect(pages.map(({ body }) => body.total_pages)).toEqual([3, 3, 3, 3]);
		const ids = pages.flatMap(({ body }) => body.consents.map(({ id }: { id: number }) => id));
		expect(ids).toEqual(consentIds.reverse());
		expect(sandbox.journal).toEqual([]);
	});

	test.each(['6f2b1c9e-0d43-4f5a-9a57-3b8c1e7d2a10', 'x', '%2e%2e%2fcalls', 'x'.repeat(900)])(
		'%s does not exist',
		async (id) => {
			expect((await client.batch(id)).status).toBe(404);
		},
	);
});

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

describe('canceling', () => {
	test('works until the call is dialed, and stays cancelled', async () => {
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

	test.each([400, 409, 422])('a placed call is refused by text, with status %s', async (status) => {
		sandbox.settings.alreadyPlacedStatus = status;
		const { body: placed } = await client.bulk([A]);
		const body = { success: false, error: 'Call already placed for this consent' };
		const refused = await client.cancel(placed.results[0].consent_id);
		expect(refused).toMatchObject({ status, body });
	});

	test.each(['1', 'x', '-1', '1.0', '99999999999999999999'])('record %s is unknown', async (id) => {
		const body = { success: false, error: 'Consent not found' };
		expect(await client.cancel(id)).toMatchObject({ status: 404, body });
	});
});
