import { apiRefusals } from './apiRefusals';
import { closedPort, NAME_THAT_CANNOT_EXIST, otherServer } from './otherServers';
import { workbench } from './workbench';
import { AGENT, AGENT_WITH_PROMPT, assignments, CALLER, contacts, pairs, phone, place, shown, SIP_AGENT } from './workflows';

const bench = workbench();

const impatient = { options: { maxRetryWait: 0, parallelRequests: 1 } };

describe('a call for each item', () => {
	it('the API’s answer comes out as it is, paired with its item', async () => {
		const { items } = await bench.run(place(), contacts(3));
		expect(items.map(({ json }) => json)).toEqual(
			bench.sandbox.journal.map(({ batchId, consentId }) => ({
				success: true,
				call_id: expect.any(String) as string,
				batch_id: batchId,
				consent_id: consentId,
				status: 'initiated',
			})),
		);
		expect(pairs(items)).toEqual([0, 1, 2]);
		expect(bench.sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill('POST /api/v1/outbound/calls'));
		expect(bench.dialed.sort()).toEqual([phone(0), phone(1), phone(2)]);
	});

	it('agent, caller, variables and the own ID are sent', async () => {
		const parameters = place({
			agentNumber: SIP_AGENT,
			callerNumber: CALLER,
			promptVariables: assignments({ name: '={{ $json.name }}', amount: '={{ $json.amount }}' }),
			options: { externalCallId: '=order-{{ $json.amount }}' },
		});
		const { json } = await bench.run(parameters, contacts(1));
		expect(bench.bodies()).toEqual([
			{
				destination: phone(0),
				agent_number: SIP_AGENT,
				caller_number: CALLER,
				prompt_variables: { name: 'Person 0', amount: '0.5' },
				metadata: { external_call_id: 'order-0.5' },
			},
		]);
		expect(json[0]?.external_call_id).toBe('order-0.5');
	});

	it('G2 a number in two items is called once', async () => {
		const { json, items } = await bench.run(place(), [...contacts(1), ...contacts(1)]);
		expect(bench.dialed).toEqual([phone(0)]);
		expect(json.map(({ status, call_id }) => [status, call_id])).toEqual([
			['initiated', json[0]?.call_id],
			['duplicate', json[0]?.call_id],
		]);
		expect(pairs(items)).toEqual([0, 1]);
	});

	it('with Call Each Row it is called twice', async () => {
		await bench.run(place({ options: { duplicates: 'callEach' } }), [...contacts(1), ...contacts(1)]);
		expect(bench.dialed).toEqual([phone(0), phone(0)]);
	});

	it('no more requests are under way at a time than Parallel Requests says', async () => {
		bench.sandbox.settings.latencyMs = 20;
		await bench.run(place({ options: { parallelRequests: 2 } }), contacts(6));
		expect(bench.sandbox.mostInFlight).toBeLessThanOrEqual(2);
		expect(bench.dialed).toHaveLength(6);
	});

	it.each<[string, unknown, object]>([
		['an ID alone', { call_id: 'c' }, { call_id: 'c' }],
		['success alone', { success: true, id: 5 }, { success: true, id: 5 }],
		['a key that n8n would take for a failed item', { call_id: 'c', error: 'Late' }, { call_id: 'c', reason: 'Late' }],
	])('any readable answer with 2xx is a placed call: %s', async (_, body, expected) => {
		bench.sandbox.fault({ kind: 'respond', status: 202, body });
		const { json, error } = await bench.run(place(), contacts(1));
		expect(error).toBeUndefined();
		expect(json).toEqual([expected]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it.each<[string, unknown]>([
		['a text', 'OK'],
		['nothing', ''],
		['a list', []],
		['other data', { id: 5 }],
		['the opposite', { success: false, error: 'Odd' }],
	])('G3 after 2xx with %s nobody knows, so it is not sent again', async (_, body) => {
		bench.sandbox.fault({ kind: 'respond', status: 202, body });
		const { json, errorItems } = await bench.run(place(), contacts(1), { onError: 'continueErrorOutput' });
		expect(json).toMatchObject([{ destination: phone(0), success: false, status: 'unknown', call_id: null }]);
		expect(json[0]?.reason).toMatch(/may have been placed/);
		expect(errorItems).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe('with On Error = Stop', () => {
	it.each(apiRefusals)('$name: the message says how many were placed and what to do', async ({ fault, httpCode, message, remedy, proves }) => {
		bench.sandbox.fault({ ...fault, after: 1 });
		const ended = shown(await bench.run(place(impatient), contacts(4)));
		expect(ended.message).toMatch(/^1 of 4 rows were placed; row 2 \(\+15550101001\) was /);
		expect(ended.message).toMatch(message);
		expect(ended.message).toMatch(proves ? /was not called/ : /clear answer/);
		expect(ended.description).toMatch(remedy);
		expect(ended.httpCode).toBe(httpCode);
		expect(bench.sandbox.requests).toHaveLength(2);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G1 nothing is dialed when one row is not valid', async () => {
		const ended = shown(await bench.run(place(), [...contacts(2), { phone: '0555' }]));
		expect(ended.message).toMatch(/^Row 3: the destination "0555"/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('missing prompt variables are named', async () => {
		const ended = shown(await bench.run(place({ agentNumber: AGENT_WITH_PROMPT }), contacts(1)));
		expect(ended.message).toMatch(/"name" and "amount".*were not sent/);
		expect(bench.dialed).toEqual([]);
	});

	it('a redirect is not followed', async () => {
		const elsewhere = await otherServer();
		bench.sandbox.fault({ kind: 'redirect', status: 307, location: `${elsewhere.origin}/calls` });
		expect(shown(await bench.run(place(), contacts(1))).message).toMatch(/redirects/);
		await elsewhere.close();
		expect(elsewhere.received).toEqual([]);
	});

	it.each<[string, () => Promise<string>, RegExp]>([
		['a closed port', closedPort, /refused the connection/],
		['a name that cannot exist', () => Promise.resolve(NAME_THAT_CANNOT_EXIST), /name could not be found/],
	])('%s: nothing was called', async (_, baseUrl, message) => {
		const api = { baseUrl: await baseUrl(), token: bench.sandbox.token };
		const ended = shown(await bench.run(place(impatient), contacts(2), { api }));
		expect(ended.message).toMatch(/^0 of 2 rows were placed/);
		expect(ended.message).toMatch(message);
	});

	it('G3 after a reset the call is not sent again', async () => {
		bench.sandbox.fault({ kind: 'resetAfter' });
		const ended = shown(await bench.run(place(), contacts(1)));
		expect(ended.message).toMatch(/^(0 of 1 row was placed; row 1|Row 1) .*so the call may have been placed/);
		expect(bench.sandbox.requests).toHaveLength(1);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G3 a status that the API does not document proves nothing about a single call', async () => {
		bench.sandbox.fault({ kind: 'respond', status: 500, body: { success: false, error: 'Internal' } });
		const { json } = await bench.run(place(), contacts(1), { onError: 'continueRegularOutput' });
		expect(json).toMatchObject([{ destination: phone(0), success: false, status: 'unknown' }]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe('G5 with Continue every item comes out once', () => {
	const rows = [{ phone: phone(0) }, { phone: 'none' }, { phone: phone(2) }];

	it('on the regular output, in order', async () => {
		const { items } = await bench.run(place(), rows, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => 'error' in json)).toEqual([false, true, false]);
		expect(pairs(items)).toEqual([0, 1, 2]);
		expect(bench.sandbox.requests).toHaveLength(2);
	});

	it('with an error output, on the one or the other', async () => {
		const { items, errorItems } = await bench.run(place(), rows, { onError: 'continueErrorOutput' });
		expect(pairs(items)).toEqual([0, 2]);
		expect(pairs(errorItems)).toEqual([1]);
	});

	it('after a lost answer, as unknown', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', after: 1, times: 1 });
		const { items, errorItems } = await bench.run(place(impatient), contacts(3), { onError: 'continueErrorOutput' });
		expect(items.map(({ json }) => json.status)).toEqual(['initiated', 'unknown', 'initiated']);
		expect(errorItems).toEqual([]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});
});

it('a base URL with slashes at its end works', async () => {
	const api = { baseUrl: ` ${bench.sandbox.baseUrl}// `, token: bench.sandbox.token };
	const { json } = await bench.run(place({ agentNumber: AGENT }), contacts(1), { api });
	expect(json[0]?.success).toBe(true);
});
