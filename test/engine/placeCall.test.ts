import { workbench } from './helpers/workbench';
import { pairs } from './helpers/outcomes';
import { CALLER, SIP_AGENT } from './helpers/account';
import { assignments, contacts, phone, place } from './helpers/workflows';

const bench = workbench();

describe('a call for each item', () => {
	it('the API’s answer comes out as it is, paired with its item', async () => {
		const { items, json } = await bench.run(place(), contacts(3));
		const dials = new Map(bench.sandbox.journal.map((dial) => [dial.phone, dial]));
		expect(json).toEqual(
			contacts(3).map((row) => ({
				status: 'initiated',
				called: 'yes',
				reason: 'Call started',
				destination: row.phone,
				success: true,
				called_at: expect.any(String),
				call_id: expect.any(String),
				external_call_id: null,
				batch_id: dials.get(row.phone)?.batchId,
				consent_id: dials.get(row.phone)?.consentId,
			})),
		);
		expect(new Set(json.map(({ call_id }) => call_id)).size).toBe(3);
		expect(pairs(items)).toEqual([0, 1, 2]);
		expect(bench.sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
			Array(3).fill('POST /api/v1/outbound/calls'),
		);
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

	it('an External Call ID that is too long makes its row invalid', async () => {
		const parameters = place({ options: { externalCallId: '={{ "x".repeat($json.length) }}' } });
		const rows = [500, 501].map((length, n) => ({ phone: phone(n), length }));
		const { json } = await bench.run(parameters, rows);
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'invalid']);
		expect(json[1]!.reason).toMatch(/^External Call ID .*500/);
	});

	it.each<[string, unknown, object]>([
		['an ID alone', { call_id: 'c' }, { call_id: 'c' }],
		['a status of ours', { call_id: 'c', status: 'refused' }, { status: 'refused' }],
		[
			'fields with names of our columns',
			{ call_id: 'c', called: 0, reached: 'no', settled: 1 },
			{ called: 'yes' },
		],
	])('any readable 2xx answer is a placed call: %s', async (_, body, expected) => {
		bench.sandbox.fault({ kind: 'respond', status: 202, body });
		const { json, error } = await bench.run(place(), contacts(1));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ status: 'placed', called: 'yes', destination: phone(0), success: true, ...expected },
		]);
		for (const name of ['error', 'reached', 'settled']) expect(json[0]).not.toHaveProperty(name);
	});
});
