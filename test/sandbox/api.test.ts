import fc from 'fast-check';
import { AGENT, AGENT_WITH_PROMPT, CALLER, SIP_AGENT } from '../engine/helpers/account';
import { phones } from '../engine/helpers/workflows';
import { Client } from './client';
import { Contract } from './contract';
import { sandboxUnderContract } from './contractWatch';
import { type FaultRule, type Sandbox, UNDIALED } from './index';

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
		['no destinations', [], {}, /destinations/],
		['a foreign caller', [A], { agent_number: SIP_AGENT, caller_number: B }, /caller_number/],
		[
			'a placeholder less in each',
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

	test.each(UNDIALED)('answers 201 with a destination that is %s, not dialed', async (status) => {
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
	});
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

test.each(['+15558888888', 't-nobody', '1234'])('no agent %s: 404', async (agent_number) => {
	expect((await client.call(A, { agent_number, caller_number: CALLER })).status).toBe(404);
});

const plain429 = {
	success: false,
	error: 'Outbound rate limit exceeded. Please retry later.',
	error_type: 'rate_limit',
	detail: expect.any(String),
};
const allowance429 = (retry_after: number) => ({
	error: 'mf-core:rate-limit-exceeded',
	message: expect.any(String),
	details: { policy: 'outbound_bulk', retry_after },
});
const unchecked = {
	error: 'mf-core:rate-limiter-unavailable',
	message: expect.any(String),
	details: { policy: 'outbound_bulk' },
};
const ownError = { success: false, error: expect.any(String) };

test.each<[FaultRule, number, string | null, unknown]>([
	[{ kind: 'rateLimited' }, 429, null, plain429],
	[{ kind: 'rateLimited', form: 'allowance', retryAfter: 9 }, 429, '9', allowance429(9)],
	[{ kind: 'rateLimited', form: 'allowance', header: false }, 429, null, allowance429(1)],
	[{ kind: 'unavailable', retryAfter: 2 }, 503, '2', ownError],
	[{ kind: 'unavailable', form: 'allowance' }, 503, null, unchecked],
	[{ kind: 'gateway' }, 502, null, undefined],
	[{ kind: 'redirect', status: 307, location: 'https://example.test/' }, 307, null, undefined],
	[{ kind: 'empty', status: 201 }, 201, null, undefined],
	[{ kind: 'respond', status: 201, body: { odd: [1] } }, 201, null, { odd: [1] }],
	[{ kind: 'unauthorized' }, 401, null, ownError],
	[{ kind: 'dailyLimit' }, 422, null, { ...ownError, error_type: expect.any(String) }],
])('%j in the place of the answer dials nothing', async (rule, status, retryAfter, body) => {
	sandbox.fault(rule);
	const answer = await client.bulk([A, B]);
	expect(answer.status).toBe(status);
	expect(answer.headers.get('retry-after')).toBe(retryAfter);
	expect(answer.body).toEqual(body);
	expect(sandbox.journal).toEqual([]);
	expect(sandbox.requests).toMatchObject([{ status, fault: rule.kind, dialed: 0 }]);
});

describe('which request meets which fault', () => {
	test('a rule skips, applies and ends, on its own route', async () => {
		sandbox.fault({ kind: 'gateway', route: 'bulk', after: 1, times: 2 });
		await client.call(A);
		for (const phone of phones(4)) await client.bulk([phone]);
		expect(sandbox.requests.map(({ status }) => status)).toEqual([201, 201, 502, 502, 201]);
	});
});

/** Mostly allowed values, so that often enough a single forbidden one decides. */
const mostly = <T, U>(allowed: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
	fc.oneof({ weight: 9, arbitrary: allowed }, { weight: 1, arbitrary: other });

const phone = mostly(fc.constantFrom(A, B), fc.constantFrom('0555', '+1 555', '', 5, null));
const named = (count: number) =>
	Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, 'value']));
const variables = mostly(
	fc.oneof(
		fc.dictionary(
			fc.constantFrom('name', 'amount', 'Secret__x'),
			fc.constantFrom('', 'Ann', 'x'.repeat(500)),
		),
		fc.constant(named(25)),
	),
	fc.constantFrom(
		{ name: 'x'.repeat(501) },
		{ amount: 5 },
		{ name: null },
		{ system__x: '' },
		{ secret__: '' },
		named(26),
		'name',
		null,
	),
);
const object = fc.record({ phone, prompt_variables: variables }, { requiredKeys: ['phone'] });
// No empty list: the API does not document whether it takes one.
const destinations = mostly(
	fc.oneof(
		fc.array(phone, { minLength: 1, maxLength: 11 }),
		fc.array(object, { minLength: 1, maxLength: 3 }),
	),
	fc.oneof(
		fc.array(fc.oneof(phone, object, fc.constant({})), { minLength: 1, maxLength: 3 }),
		phone,
	),
);
const bulkRequest = fc.record(
	{
		destinations,
		agent_number: mostly(fc.constantFrom(AGENT, AGENT.slice(1), SIP_AGENT), fc.constant(5)),
		caller_number: mostly(fc.constant(CALLER), fc.constantFrom('me', 7)),
		prompt_variables: variables,
	},
	{ requiredKeys: ['destinations', 'agent_number'] },
);

const contract = new Contract();
test('a bulk request is refused as invalid exactly when docs/api.openapi.yaml forbids it', async () => {
	const seen = { forbidden: 0, allowed: 0 };
	await fc.assert(
		fc.asyncProperty(bulkRequest, async (generated) => {
			const text = JSON.stringify(generated);
			const headers = { 'content-type': 'application/json' };
			const departures = contract.requestDepartures({
				method: 'POST',
				path: '/calls/bulk',
				headers,
				body: JSON.parse(text),
			});
			const { status } = await client.send('POST', '/calls/bulk', text);
			expect({ departures, status }).toEqual(
				departures.length > 0 ? { departures, status: 400 } : { departures, status: 201 },
			);
			sandbox.reset();
			seen[departures.length > 0 ? 'forbidden' : 'allowed']++;
		}),
		{ numRuns: 300 },
	);
	// A generator that makes only one kind would compare nothing.
	expect(Math.min(seen.forbidden, seen.allowed)).toBeGreaterThan(30);
});
