import { AGENT, AGENT_WITH_PLACEHOLDERS, CALLER, Client, phones, SIP_AGENT } from './client';
import { sandboxUnderContract } from './contractWatch';
import type { Sandbox } from './index';

const startSandbox = sandboxUnderContract();

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const E164 = 'Destination must be in E.164 international format starting with +';
const A = '+15551110001';
const B = '+15551110002';
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, 'value']));

describe('a bulk request', () => {
	test('answers with one result per destination and a batch', async () => {
		const { status, body } = await client.bulk([A, B]);
		expect(status).toBe(201);
		expect(body).toEqual({
			success: true,
			batch_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			total: 2,
			succeeded: 2,
			failed: 0,
			results: [A, B].map((destination) => ({
				destination,
				success: true,
				consent_id: expect.any(Number),
				call_sid: expect.any(String),
				status: 'initiated',
				error: null,
			})),
		});
	});

	test('dials each unique number once', async () => {
		const { body } = await client.bulk([A, B, A]);
		expect(body.results.map(({ destination }: { destination: string }) => destination)).toEqual([A, B]);
		expect(sandbox.journal.map(({ phone }) => phone)).toEqual([A, B]);
		expect(sandbox.doubleDialed()).toEqual([]);
	});

	test.each<[string, unknown, object]>([
		['strings', [A], {}],
		['objects', [{ phone: A }], {}],
		['ten destinations', phones(10), {}],
		['an agent number without its plus', [A], { agent_number: AGENT.slice(1) }],
		['a SIP agent with a registered caller', [A], { agent_number: SIP_AGENT, caller_number: CALLER }],
		['a SIP agent by its number', [A], { agent_number: '+15550003000' }],
		['25 variables', [A], { prompt_variables: keys(25) }],
		['values of 500 characters', [A], { prompt_variables: { text: 'x'.repeat(500) } }],
		['keys that the prompt does not use', [A], { prompt_variables: { unused: '' } }],
		['shared variables with objects', [{ phone: A }], { prompt_variables: { name: 'Ann' } }],
	])('accepts %s', async (_, destinations, more) => {
		expect(await client.bulk(destinations, more)).toMatchObject({ status: 201 });
		expect(sandbox.journal.length).toBeGreaterThan(0);
	});

	test.each<[string, unknown, object, string | RegExp]>([
		['a number without plus', ['15551110001'], {}, E164],
		['a number with spaces', ['+1 555 111'], {}, E164],
		['a plus alone', ['+'], {}, E164],
		['a number with a line break', [`${A}\n`], {}, E164],
		['one bad number among good ones', [A, '0555'], {}, E164],
		['a bad number in an object', [{ phone: '0555' }], {}, E164],
		['a number that is a JSON number', [15551110001], {}, /destinations\.0/],
		['an object without phone', [{}], {}, /phone/],
		['null', [null], {}, /destinations\.0/],
		['eleven destinations', phones(11), {}, /10/],
		['eleven equal destinations', Array(11).fill(A), {}, /10/],
		['no destinations', [], {}, /destinations/],
		['destinations that are no list', A, {}, /array/],
		['strings mixed with objects', [A, { phone: B }], {}, /either all objects or all strings/],
		['no agent', [A], { agent_number: undefined }, /agent_number/],
		['a numeric agent', [A], { agent_number: 15550001000 }, /agent_number/],
		['a caller that is no number', [A], { caller_number: 'me' }, /caller_number/],
		['a SIP agent without caller', [A], { agent_number: SIP_AGENT }, /caller_number/],
		['a SIP agent with a foreign caller', [A], { agent_number: SIP_AGENT, caller_number: B }, /caller_number/],
		['26 variables', [A], { prompt_variables: keys(26) }, /25/],
		['a value of 501 characters', [A], { prompt_variables: { text: 'x'.repeat(501) } }, /500/],
		['a numeric value', [A], { prompt_variables: { amount: 5 } }, /string/],
		['a boolean value', [A], { prompt_variables: { paid: true } }, /string/],
		['a null value', [A], { prompt_variables: { name: null } }, /string/],
		['an object value', [A], { prompt_variables: { name: {} } }, /string/],
		['a reserved system__ key', [A], { prompt_variables: { system__x: '' } }, /system__/],
		['a reserved secret__ key', [A], { prompt_variables: { secret__x: '' } }, /secret__/],
		['26 variables of one destination', [{ phone: A, prompt_variables: keys(26) }], {}, /25/],
		['a numeric value of one destination', [{ phone: A, prompt_variables: { a: 1 } }], {}, /string/],
		[
			'shared and own variables together',
			[{ phone: A, prompt_variables: { name: 'Ann' } }, { phone: B }],
			{ prompt_variables: { name: 'Bob' } },
			/cannot be combined/,
		],
		[
			'a placeholder without variable',
			[A],
			{ agent_number: AGENT_WITH_PLACEHOLDERS, prompt_variables: { amount: '5' } },
			'Missing prompt_variables keys: name',
		],
		[
			'several placeholders without variable, each in another destination',
			[
				{ phone: A, prompt_variables: { name: 'Ann' } },
				{ phone: B, prompt_variables: { amount: '5' } },
			],
			{ agent_number: AGENT_WITH_PLACEHOLDERS },
			'Missing prompt_variables keys: name, amount',
		],
	])('is refused whole with 400 for %s', async (_, destinations, more, error) => {
		const { status, body } = await client.bulk(destinations, more);
		expect(status).toBe(400);
		expect(body).toEqual({
			success: false,
			error: typeof error === 'string' ? error : expect.stringMatching(error),
		});
		expect(sandbox.journal).toEqual([]);
	});

	test('writes the variables of each destination into the journal', async () => {
		await client.bulk(
			[
				{ phone: A, prompt_variables: { name: 'Ann', amount: '5' } },
				{ phone: B, prompt_variables: { name: 'Bob', amount: '6' } },
			],
			{ agent_number: AGENT_WITH_PLACEHOLDERS },
		);
		const { body } = await client.bulk([A], { prompt_variables: { shared: 'yes' } });
		expect(sandbox.journal.map(({ variables }) => variables)).toEqual([
			{ name: 'Ann', amount: '5' },
			{ name: 'Bob', amount: '6' },
			{ shared: 'yes' },
		]);
		expect(sandbox.journal[2]).toEqual({
			at: expect.any(Number),
			phone: A,
			agentNumber: AGENT,
			variables: { shared: 'yes' },
			batchId: body.batch_id,
			consentId: body.results[0].consent_id,
			callSid: body.results[0].call_sid,
			requestIndex: 1,
		});
		expect(sandbox.doubleDialed()).toEqual([A]);
	});

	test.each(['failed', 'skipped', 'locked', 'rate_limited', 'temporarily_unavailable'] as const)(
		'answers 201 with a destination that is %s and not dialed',
		async (status) => {
			sandbox.destinationOutcome.set(B, { status, error: 'Because', times: 1 });
			const first = await client.bulk([A, B]);
			expect(first.status).toBe(201);
			expect(first.body).toMatchObject({ total: 2, succeeded: 1, failed: 1 });
			expect(first.body.results[1]).toEqual({
				destination: B,
				success: false,
				consent_id: expect.any(Number),
				call_sid: null,
				status,
				error: 'Because',
			});
			const { body: batch } = await client.batch(first.body.batch_id);
			expect(batch.consents[0]).toMatchObject({ phone: B, auto_call_sid: null, auto_call_error: 'Because' });
			expect((await client.bulk([B])).body).toMatchObject({ succeeded: 1 });
			expect(sandbox.journal.map(({ phone }) => phone)).toEqual([A, B]);
		},
	);
});

describe('a single call', () => {
	test('answers with its call_id and echoes the external_call_id', async () => {
		const { status, body } = await client.call(A, { metadata: { external_call_id: 'row-7' } });
		expect(status).toBe(201);
		expect(body).toEqual({
			success: true,
			call_id: expect.any(String),
			batch_id: expect.any(String),
			consent_id: expect.any(Number),
			status: 'initiated',
			external_call_id: 'row-7',
		});
		expect(sandbox.journal).toMatchObject([{ phone: A, externalCallId: 'row-7' }]);
	});

	test('has no external_call_id when none was sent', async () => {
		expect((await client.call(A)).body).not.toHaveProperty('external_call_id');
	});

	test.each<[string, string, object, string | RegExp]>([
		['a number without plus', '15551110001', {}, E164],
		['a SIP agent without caller', A, { agent_number: SIP_AGENT }, /caller_number/],
		['a SIP agent with a foreign caller', A, { agent_number: SIP_AGENT, caller_number: B }, /registered/],
		['a numeric variable', A, { prompt_variables: { amount: 5 } }, /string/],
		['a numeric external_call_id', A, { metadata: { external_call_id: 7 } }, /external_call_id/],
		['missing placeholders', A, { agent_number: AGENT_WITH_PLACEHOLDERS }, 'Missing prompt_variables keys: name, amount'],
	])('is refused with 400 for %s', async (_, destination, more, error) => {
		const { status, body } = await client.call(destination, more);
		expect(status).toBe(400);
		expect(body.error).toEqual(typeof error === 'string' ? error : expect.stringMatching(error));
		expect(sandbox.journal).toEqual([]);
	});

	test('is refused with 422 while its destination has an outcome', async () => {
		sandbox.destinationOutcome.set(A, { status: 'skipped', error: 'On the do-not-call list', times: 1 });
		const refused = await client.call(A);
		expect(refused).toMatchObject({
			status: 422,
			body: { success: false, error: 'On the do-not-call list' },
		});
		expect(sandbox.journal).toEqual([]);
		expect((await client.call(A)).status).toBe(201);
	});
});

test.each(['/calls', '/calls/bulk'])('%s refuses what is no JSON object with 400', async (path) => {
	for (const text of ['{"destination":', '[]', '"text"', 'null', 'a=b', '']) {
		const { status, body } = await client.send('POST', path, text);
		expect(status).toBe(400);
		expect(body).toEqual({ success: false, error: expect.any(String) });
	}
	const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
	expect((await client.send('POST', path, 'destination=%2B1', form)).status).toBe(400);
});

test.each(['+15558888888', 't-nobody', '1234'])('the unknown agent %s is a 404', async (agent_number) => {
	const { status, body } = await client.call(A, { agent_number, caller_number: CALLER });
	expect(status).toBe(404);
	expect(body).toEqual({ success: false, error: 'Agent not found or not accessible' });
});
