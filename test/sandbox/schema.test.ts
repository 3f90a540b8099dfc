import fc from 'fast-check';
import { AGENT, CALLER, SIP_AGENT } from '../engine/helpers/account';
import { Client } from './client';
import { Contract } from './contract';
import { sandboxUnderContract } from './contractWatch';
import type { Sandbox } from './index';

const startSandbox = sandboxUnderContract();
const contract = new Contract();

let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
	sandbox = await startSandbox();
	client = new Client(sandbox);
});
afterAll(() => sandbox.close());

const A = '+15551110001';
const B = '+15551110002';

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
