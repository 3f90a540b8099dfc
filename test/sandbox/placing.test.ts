import { AGENT_WITH_PROMPT, CALLER, SIP_AGENT } from '../engine/helpers/account';
import { Client } from './client';
import { sandboxUnderContract } from './contractWatch';
import { type Sandbox, UNDIALED } from './index';

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
const PROMPTED = { agent_number: AGENT_WITH_PROMPT };
const MISSING = 'Missing prompt_variables keys: name, amount';
const own = (phone: string, prompt_variables: object) => ({ phone, prompt_variables });

describe('a bulk request', () => {
	test.each<[string, unknown, object, string | RegExp]>([
		['one bad number among good ones', [A, '0555'], {}, E164],
		['no destinations', [], {}, /destinations/],
		['a foreign caller', [A], { agent_number: SIP_AGENT, caller_number: B }, /caller_number/],
		[
			'shared and own variables together',
			[own(A, { name: 'Ann' }), { phone: B }],
			{ prompt_variables: { name: 'Bob' } },
			/cannot be combined/,
		],
		[
			'several placeholders without variable, each in another destination',
			[own(A, { name: 'Ann' }), own(B, { amount: '5' })],
			PROMPTED,
			MISSING,
		],
	])('is refused whole with 400 for %s', async (_, destinations, more, error) => {
		const { status, body } = await client.bulk(destinations, more);
		expect(status).toBe(400);
		expect(body.error).toEqual(typeof error === 'string' ? error : expect.stringMatching(error));
		expect(sandbox.journal).toEqual([]);
	});

	test.each(UNDIALED)(
		'answers 201 with a destination that is %s and not dialed',
		async (status) => {
			sandbox.destinationOutcome.set(B, { status, error: 'Because', times: 1 });
			const first = await client.bulk([A, B]);
			expect(first.status).toBe(201);
			expect(first.body).toMatchObject({ total: 2, succeeded: 1, failed: 1 });
			expect(first.body.results[1]).toEqual({
				...{ destination: B, success: false, status, error: 'Because' },
				...{ consent_id: expect.any(Number) as number, call_sid: null },
			});
			const { body: batch } = await client.batch(first.body.batch_id);
			const undialed = { phone: B, auto_call_sid: null, auto_call_error: 'Because' };
			expect(batch.consents[0]).toMatchObject(undialed);
			expect((await client.bulk([B])).body).toMatchObject({ succeeded: 1 });
			expect(sandbox.journal.map(({ phone }) => phone)).toEqual([A, B]);
		},
	);
});

describe('a single call', () => {
	test.each<[string, string, object, string | RegExp]>([
		['a number without plus', '15551110001', {}, E164],
		['a numeric external_call_id', A, { metadata: { external_call_id: 7 } }, /external_call_id/],
		['missing placeholders', A, PROMPTED, MISSING],
	])('is refused with 400 for %s', async (_, destination, more, error) => {
		const { status, body } = await client.call(destination, more);
		expect(status).toBe(400);
		expect(body.error).toEqual(typeof error === 'string' ? error : expect.stringMatching(error));
		expect(sandbox.journal).toEqual([]);
	});

	test('is refused with 422 while its destination has an outcome', async () => {
		const error = 'On the do-not-call list';
		sandbox.destinationOutcome.set(A, { status: 'skipped', error, times: 1 });
		const refused = await client.call(A);
		expect(refused).toMatchObject({ status: 422, body: { success: false, error } });
		expect(sandbox.journal).toEqual([]);
		expect((await client.call(A)).status).toBe(201);
	});
});

test.each(['/calls', '/calls/bulk'])('%s refuses what is no JSON object with 400', async (path) => {
	for (const text of ['{"destination":', '[]', '"text"', 'null', 'a=b', ''])
		expect((await client.send('POST', path, text)).status).toBe(400);
	const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
	expect((await client.send('POST', path, 'destination=%2B1', form)).status).toBe(400);
});

test.each(['+15558888888', 't-nobody', '1234'])(
	'the unknown agent %s is a 404',
	async (agent_number) => {
		expect((await client.call(A, { agent_number, caller_number: CALLER })).status).toBe(404);
	},
);
