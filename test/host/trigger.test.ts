import type { INode, INodeParameters } from 'n8n-workflow';
import { place, phone } from '../engine/helpers/workflows';
import { credentialWithSecret, postJson, webhookListens, webhookUrl } from './helpers/exampleBench';
import type { SavedCredential, SavedWorkflow } from './helpers/client';
import { hostBench, shown, TOKEN, until } from './helpers/hostBench';
import { placesWithTheToken } from './helpers/leaks';
import { itemsOf } from './helpers/outcomes';

const bench = hostBench();

/** Contains the token, so that a search for the token finds this secret too. */
const SECRET = `${TOKEN}_callback`;
const TRIGGER = 'A call has ended';
const THEN = 'Then';
const HEADER = { 'X-Callback-Secret': SECRET };

let credential: SavedCredential;
let workflows = 0;

beforeAll(async () => {
	credential = await credentialWithSecret(bench, SECRET);
});

/** A workflow that our trigger starts, not yet active, and its address. */
async function listening(
	parameters: INodeParameters,
	{ id, name }: SavedCredential,
): Promise<{ workflow: SavedWorkflow; url: string }> {
	const webhookId = `callback-${++workflows}`;
	const trigger: INode = {
		id: TRIGGER,
		name: TRIGGER,
		type: 'n8n-nodes-outbound-calls.outboundCallsTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		webhookId,
		credentials: { outboundCallsApi: { id, name } },
	};
	const then: INode = {
		id: THEN,
		name: THEN,
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [200, 0],
		parameters: {},
	};
	const workflow = await bench.stage.client.createWorkflow({
		name: webhookId,
		nodes: [trigger, then],
		connections: { [TRIGGER]: { main: [[{ node: THEN, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	return { workflow, url: webhookUrl(bench, `${webhookId}/callback`) };
}

/** An active workflow that our trigger starts. */
class Listener {
	private known = 0;

	private constructor(
		private readonly workflow: SavedWorkflow,
		readonly url: string,
	) {}

	static async on(parameters: INodeParameters = {}): Promise<Listener> {
		const { workflow, url } = await listening(parameters, credential);
		await bench.stage.client.activate(workflow);
		const listener = new Listener(workflow, url);
		await listener.isReady();
		return listener;
	}

	/** What is stored of the trigger's fields. */
	get parameters(): INodeParameters {
		return this.workflow.nodes[0]!.parameters;
	}

	/** Sends requests without the secret until one is answered. If no secret is needed, this is the first callback. */
	async isReady(): Promise<void> {
		await webhookListens(() => postJson(this.url, {}));
	}

	async receives(body: unknown): Promise<number> {
		const answer = await postJson(this.url, body, HEADER);
		await answer.arrayBuffer();
		return answer.status;
	}

	/** What came out of the executions that began since the last look, oldest first: exactly `count` of them, with `items` items each. */
	async started(count: number, items = 1): Promise<unknown[]> {
		const { client } = bench.stage;
		let ids: string[] = [];
		await until(`${this.known + count} executions have begun`, async () => {
			// n8n lists an execution twice while it ends.
			const listed = await client.listExecutions({ workflowId: this.workflow.id });
			ids = [...new Set(listed.map(({ id }) => id))].sort((a, b) => Number(a) - Number(b));
			return ids.length >= this.known + count;
		});
		expect(ids.length).toBe(this.known + count);
		const since = await Promise.all(ids.slice(this.known).map((id) => client.waitForExecution(id)));
		this.known = ids.length;
		return since.map((execution) => {
			expect([execution.status, shown(execution).message]).toEqual(['success', '']);
			const came = itemsOf(execution, THEN).map(({ json }) => json);
			expect(came).toHaveLength(items);
			return items === 1 ? came[0] : came;
		});
	}
}

/** Places a call at the sandbox, past n8n, and waits until its callback was delivered. */
async function endedCall(callback: object, externalCallId?: string): Promise<string> {
	Object.assign(bench.sandbox.settings, { callback });
	const { agentNumber } = place() as { agentNumber: string };
	const answer = await postJson(
		`${bench.sandbox.baseUrl}/calls`,
		{
			agent_number: agentNumber,
			destination: phone(1),
			...(externalCallId === undefined ? {} : { metadata: { external_call_id: externalCallId } }),
		},
		{ authorization: `Bearer ${bench.sandbox.token}` },
	);
	const { call_id: callId } = (await answer.json()) as { call_id: string };
	return callId;
}

describe('the secret', () => {
	let guarded: Listener;
	beforeAll(async () => {
		guarded = await Listener.on();
	});

	it.each(['json', 'form'] as const)(
		'in a header lets the post-call action in (%s)',
		async (format) => {
			const callId = await endedCall({ url: guarded.url, format, headers: HEADER }, 'order-1042');
			expect(await guarded.started(1)).toEqual([
				{
					call_id: callId,
					external_call_id: 'order-1042',
					...(format === 'json' ? { metadata: { external_call_id: 'order-1042' } } : {}),
				},
			]);
		},
	);

	it('is asked for in a header unless something else is chosen', async () => {
		expect(guarded.parameters).toEqual({});
		expect((await postJson(guarded.url, { call_id: 'c-1' })).status).toBe(401);
		await guarded.receives({ call_id: 'c-2' });
		expect(await guarded.started(1)).toEqual([{ call_id: 'c-2' }]);
	});

	// n8n says that it is active, tries for a quarter of a minute, and then keeps the reason where its editor does not show it.
	it.each(['', '   '])(
		'that is empty in the credential (“%s”) keeps the workflow from listening, with what to do',
		async (callbackSecret) => {
			const { client } = bench.stage;
			const { workflow, url } = await listening(
				{},
				await credentialWithSecret(bench, callbackSecret),
			);
			await client.activate(workflow);
			const publication = async () =>
				await client.send<{ status: string; triggers: object[] }>(
					'GET',
					`/workflows/${workflow.id}/publication-status`,
				);
			await until('n8n has given up', async () => (await publication()).status !== 'in_progress');
			expect(await publication()).toMatchObject({
				status: 'failed',
				liveVersionId: null,
				triggers: [
					{
						status: 'failed',
						errorMessage:
							'The credential has no Callback Secret, so nobody could start this workflow. Enter a secret of your choice in the credential, and have the post-call action send it. Or set Authentication to None.',
					},
				],
			});
			for (const headers of [undefined, { 'X-Callback-Secret': callbackSecret }]) {
				expect((await postJson(url, { call_id: 'c-1' }, headers)).status).toBe(404);
			}
		},
	);

	it('in the address lets the post-call action in, and is not in what the trigger puts out', async () => {
		const inAddress = await Listener.on({ authentication: 'query', queryParameter: 'key' });
		const callId = await endedCall({ url: `${inAddress.url}?key=${SECRET}&campaign=spring` });
		expect(await inAddress.started(1)).toEqual([
			{ call_id: callId, query: { campaign: 'spring' } },
		]);
		expect(
			(await postJson(`${inAddress.url}?key=${SECRET}&key=${SECRET}`, { call_id: 'c-1' })).status,
		).toBe(401);
		expect((await postJson(inAddress.url, { call_id: 'c-1' }, HEADER)).status).toBe(401);
	});

	it.each([
		['no secret', '', {}],
		['a wrong one', '', { 'X-Callback-Secret': `${SECRET}.` }],
		['an empty one', '', { 'X-Callback-Secret': '' }],
		['the secret in another header', '', { Authorization: SECRET }],
		['the secret in the address', `?secret=${SECRET}`, {}],
	])(
		'%s is answered with 401, and nothing starts',
		async (what, query, headers: Record<string, string>) => {
			const answer = await postJson(`${guarded.url}${query}`, { call_id: 'c-1' }, headers);
			expect([answer.status, await answer.json()]).toEqual([
				401,
				{ success: false, reason: expect.stringContaining('secret') },
			]);
			// n8n handles callbacks in order, so this one is the first to start.
			await guarded.receives({ call_id: `after ${what}` });
			expect(await guarded.started(1)).toEqual([{ call_id: `after ${what}` }]);
		},
	);

	it('is not needed when none is asked for', async () => {
		const open = await Listener.on({ authentication: 'none' });
		expect(await open.started(1)).toEqual([{}]);
	});
});

describe('what comes out', () => {
	let listener: Listener;
	beforeAll(async () => {
		listener = await Listener.on();
	});

	it.each<[string, string, unknown, object]>([
		['call_id at the top', '', { call_id: 'c-1', note: 'x' }, { call_id: 'c-1', note: 'x' }],
		['a number as call_id', '', { call_id: 17 }, { call_id: '17' }],
		[
			'both in metadata',
			'',
			{ metadata: { call_id: 'c-1', external_call_id: 'e-1' } },
			{ call_id: 'c-1', external_call_id: 'e-1' },
		],
		[
			'metadata as text',
			'',
			{ metadata: '{"external_call_id":"e-1"}', call_id: 'c-1' },
			{ call_id: 'c-1', external_call_id: 'e-1' },
		],
		[
			'both in the address',
			'?call_id=c-1&external_call_id=e-1',
			{},
			{ call_id: 'c-1', external_call_id: 'e-1' },
		],
		[
			'a token that was not filled in',
			'?call_id=c-1',
			{ call_id: '%%call_id%%' },
			{ call_id: 'c-1' },
		],
	])('has the IDs at the top: %s', async (_what, query, body, expected) => {
		await postJson(`${listener.url}${query}`, body, HEADER);
		expect(await listener.started(1)).toMatchObject([expected]);
	});

	it.each<[string, unknown, string]>([
		['a number as external_call_id', { external_call_id: 17 }, '17'],
		[
			'a token that was not filled in',
			{ external_call_id: '%%external_call_id%%', metadata: { external_call_id: 'e-1' } },
			'e-1',
		],
	])('has external_call_id at the top as it has call_id: %s', async (_what, body, expected) => {
		await listener.receives(body);
		expect(await listener.started(1)).toMatchObject([{ external_call_id: expected }]);
	});

	it('is whole after a megabyte of JSON, and after a megabyte of form with metadata as text', async () => {
		const transcript = 'Good morning, this is a long talk. '.repeat(30_000);
		expect(transcript.length).toBeGreaterThan(1_000_000);
		const form = { call_id: 'c-1', metadata: '{"external_call_id":"e-1"}', transcript };
		expect(
			(
				await fetch(listener.url, {
					method: 'POST',
					body: new URLSearchParams(form),
					headers: HEADER,
				})
			).status,
		).toBe(200);
		expect(await listener.receives({ call_id: 'c-2', transcript })).toBe(200);
		expect(await listener.started(2)).toEqual([
			{ ...form, external_call_id: 'e-1' },
			{ call_id: 'c-2', transcript },
		]);
	});
});

describe('Ignore Repeats', () => {
	it('starts the workflow once for each call, however often and fast its callback is delivered', async () => {
		const listener = await Listener.on();
		const callId = await endedCall({ url: listener.url, headers: HEADER, repeats: 2 });
		expect(await listener.started(1)).toEqual([{ call_id: callId }]);
		const sent = await Promise.all(
			Array.from({ length: 8 }, () => listener.receives({ call_id: 'c-1' })),
		);
		expect(sent).toEqual(sent.map(() => 200));
		await listener.receives({ call_id: 'c-2' });
		expect(await listener.started(2)).toEqual([{ call_id: 'c-1' }, { call_id: 'c-2' }]);
	});

	describe('after n8n was started again', () => {
		const ids = ['c-1', 'c-2', 'c-3', 'c-4', 'c-5', 'c-6'];
		let calm: Listener;
		let busy: Listener;
		beforeAll(async () => {
			calm = await Listener.on({ ignoreRepeats: true });
			busy = await Listener.on({ ignoreRepeats: true });
			for (const call_id of ids) {
				await calm.receives({ call_id });
				await calm.started(1);
			}
			await Promise.all(ids.map((call_id) => busy.receives({ call_id })));
			await busy.started(ids.length);
			await bench.crash();
			await bench.startAgain();
			await Promise.all([calm.isReady(), busy.isReady()]);
		});

		it('knows the calls whose callbacks came one after the other', async () => {
			for (const call_id of [...ids, 'new']) expect(await calm.receives({ call_id })).toBe(200);
			expect(await calm.started(1)).toEqual([{ call_id: 'new' }]);
		});

		it('knows the calls whose callbacks came at the same time', async () => {
			for (const call_id of [...ids, 'new']) expect(await busy.receives({ call_id })).toBe(200);
			expect(await busy.started(1)).toEqual([{ call_id: 'new' }]);
		});
	});

	it('lets every callback in when it is off, and every one without a call_id or with other content when it is on', async () => {
		const [off, on] = [await Listener.on({ ignoreRepeats: false }), await Listener.on()];
		for (let times = 0; times < 2; times++) {
			await off.receives({ call_id: 'c-1' });
			await on.receives({ note: 'no ID' });
			await on.receives({ call_id: 'c-1', state: times });
		}
		expect(await off.started(2)).toEqual([{ call_id: 'c-1' }, { call_id: 'c-1' }]);
		expect(await on.started(4)).toEqual([
			{ note: 'no ID' },
			{ call_id: 'c-1', state: 0 },
			{ note: 'no ID' },
			{ call_id: 'c-1', state: 1 },
		]);
	});
});

describe('a body that is no callback', () => {
	let listener: Listener;
	beforeAll(async () => {
		listener = await Listener.on({ ignoreRepeats: true });
	});

	const JSON_TYPE = 'application/json';
	const depth = 2_000;
	const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
	const ownKeys =
		'{"error":"x","__proto__":{"call_id":"c-9"},"constructor":1,"json":{},"binary":{"data":1},"pairedItem":5}';
	const multipart = '--x\r\nContent-Disposition: form-data; name="call_id"\r\n\r\nc-1';

	const form = `${multipart}\r\n--x--\r\n`
		.replace('c-1', 'c-form')
		.replace('--x--', '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--x--');

	/** Answered by n8n itself, before the trigger sees them. */
	it.each<[string, number, string, string]>([
		['JSON that breaks off', 422, JSON_TYPE, '{"call_id": "c-1'],
		['XML that breaks off', 422, 'application/xml', '<call><id>1</id>'],
		['a multipart form that breaks off', 400, 'multipart/form-data; boundary=x', multipart],
	])('%s is answered with %d and starts nothing', async (_what, status, type, body) => {
		expect(await sent(type, body)).toBe(status);
		await listener.receives({ call_id: `after ${_what}` });
		expect(await listener.started(1)).toEqual([{ call_id: `after ${_what}` }]);
	});

	it('a list of objects starts the workflow once, with an item for each that is no repeat', async () => {
		const list = '[{"call_id":"c-l1"},{"call_id":"c-l2"}]';
		expect(await sent('text/json', list)).toBe(200);
		expect(await listener.started(1, 2)).toEqual([[{ call_id: 'c-l1' }, { call_id: 'c-l2' }]]);
		expect(await sent(JSON_TYPE, list)).toBe(200);
		expect(await sent(JSON_TYPE, list.replace('c-l2', 'c-l3'))).toBe(200);
		expect(await listener.started(1)).toEqual([{ call_id: 'c-l3' }]);
	});

	it.each<[string, string, string | Uint8Array, unknown]>([
		['a text as JSON', JSON_TYPE, '"c-1"', { body: 'c-1' }],
		['a number as JSON', JSON_TYPE, '17', { body: 17 }],
		['null as JSON', JSON_TYPE, 'null', {}],
		['nothing as JSON', JSON_TYPE, '', {}],
		['a list of one as JSON', JSON_TYPE, '[{"call_id":"c-1"}]', { call_id: 'c-1' }],
		[
			'a list of several as JSON',
			JSON_TYPE,
			'[{"call_id":"c-1"},2]',
			{ body: [{ call_id: 'c-1' }, 2] },
		],
		['a deep nesting', JSON_TYPE, deep, { a: expect.anything() }],
		[
			'an object that names n8n’s own keys',
			JSON_TYPE,
			ownKeys,
			expect.objectContaining({ constructor: 1, json: {}, pairedItem: 5 }),
		],
		[
			'IDs of other types',
			JSON_TYPE,
			'{"call_id":{"a":1},"external_call_id":[1],"metadata":[1,2]}',
			expect.objectContaining({ metadata: [1, 2] }),
		],
		['a text', 'text/plain', 'The call has ended.', { body: 'The call has ended.' }],
		['nothing at all', '', '', {}],
		[
			'bytes',
			'application/octet-stream',
			new Uint8Array([0, 255, 254, 1, 2, 3]),
			{ body: expect.any(String) },
		],
		['an unknown kind', 'application/x-garbage', 'x', { body: 'x' }],
		[
			'JSON of another name',
			'application/vnd.calls+json',
			'{"data":{"call_id":"c-json"}}',
			{ call_id: 'c-json', data: { call_id: 'c-json' } },
		],
		[
			'JSON as text',
			'text/plain',
			'{"call_id":"c-text","done":true}',
			{ call_id: 'c-text', done: true },
		],
		[
			'a form in parts',
			'multipart/form-data; boundary=x',
			form,
			{ call_id: 'c-form', note: 'hello' },
		],
		[
			'an ID that was not filled in',
			JSON_TYPE,
			'{"call_id":"%%call_id%%"}',
			{ call_id: null, callback_notice: expect.stringContaining('%%call_id%%') },
		],
		['JSON as text/json', 'text/json', '{"callId":"c-tj"}', { call_id: 'c-tj', callId: 'c-tj' }],
		[
			'a form that breaks off',
			'application/x-www-form-urlencoded',
			'call_id=%E0%A4%A&=&&a[b]=1',
			expect.objectContaining({ 'a[b]': '1' }),
		],
	])('%s starts the workflow like any other', async (_what, type, body, expected) => {
		expect(await sent(type, body)).toBe(200);
		expect(await listener.started(1)).toEqual([expected]);
	});

	async function sent(type: string, body: string | Uint8Array): Promise<number> {
		const headers = { ...HEADER, ...(type ? { 'content-type': type } : {}) };
		const answer = await fetch(listener.url, {
			method: 'POST',
			body,
			headers,
			signal: AbortSignal.timeout(60_000),
		});
		await answer.arrayBuffer();
		return answer.status;
	}
});

// The last one: it looks at what all the others left behind.
it('the secret is in no execution, log or database of all these runs', async () => {
	expect(await placesWithTheToken(bench, 'order-1042')).toEqual([]);
});
