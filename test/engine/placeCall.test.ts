import { apiRefusals } from './helpers/apiRefusals';
import { otherServer } from './helpers/otherServers';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	assignments,
	CALLER,
	contacts,
	pairs,
	phone,
	place,
	shown,
	SIP_AGENT,
} from './helpers/workflows';

const bench = workbench();

const impatient = { options: { maxRetryWait: 0, parallelRequests: 1 } };

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
				call_id: expect.any(String),
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

	it('G2 a number in two items is called once', async () => {
		const { json } = await bench.run(place(), [...contacts(1), ...contacts(1)]);
		expect(bench.dialed).toEqual([phone(0)]);
		expect(json[1]).toEqual({
			...json[0],
			status: 'duplicate',
			called: 'other_row',
			reason: 'Same number as row 1',
		});
	});

	it('no more requests are under way at a time than Parallel Requests says', async () => {
		bench.sandbox.settings.latencyMs = 20;
		await bench.run(place({ options: { parallelRequests: 2 } }), contacts(6));
		expect(bench.sandbox.mostInFlight).toBeLessThanOrEqual(2);
		expect(bench.dialed).toHaveLength(6);
	});

	it.each<[string, unknown, object]>([
		['an ID alone', { call_id: 'c' }, { call_id: 'c' }],
		['success alone', { success: true, id: 5 }, { id: 5 }],
		['an error text', { call_id: 'c', error: 'Late' }, { call_id: 'c', reason: 'Late' }],
		['a new status', { call_id: 'c', status: 'beamed' }, { call_id: 'c', status: 'beamed' }],
		['a status of ours', { call_id: 'c', status: 'refused' }, { status: 'refused' }],
		['another destination', { call_id: 'c', destination: '+1' }, { call_id: 'c' }],
		[
			'fields with names of our columns',
			{ call_id: 'c', called: 0, reached: 'no', settled: 1 },
			{ answer_called: 0, answer_reached: 'no', answer_settled: 1 },
		],
	])('any readable 2xx answer is a placed call: %s', async (_, body, expected) => {
		bench.sandbox.fault({ kind: 'respond', status: 202, body });
		const { json, error } = await bench.run(place(), contacts(1));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ status: 'placed', called: 'yes', destination: phone(0), success: true, ...expected },
		]);
		expect(json[0]).not.toHaveProperty('error');
	});

	it.each<[string, unknown]>([
		['a text', 'OK'],
		['nothing', ''],
		['a list', []],
		['other data', { id: 5 }],
		['the opposite', { success: false, error: 'Odd' }],
	])('G3 after 2xx with %s nobody knows, so it is not sent again', async (_, body) => {
		bench.sandbox.fault({ kind: 'respond', status: 202, body });
		const { json } = await bench.run(place(), contacts(1), { onError: 'continueErrorOutput' });
		expect(json).toEqual([
			{
				status: 'unknown',
				called: 'maybe',
				reason: expect.stringMatching(/may have been placed/),
				destination: phone(0),
				success: false,
				call_id: null,
			},
		]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe('with On Error = Stop', () => {
	it.each(apiRefusals)(
		'$name: the message says the cause, who was called and what to do',
		async ({ fault, httpCode, message, remedy, proves }) => {
			bench.sandbox.fault({ ...fault, after: 1 });
			const ended = shown(await bench.run(place(impatient), contacts(4)));
			expect(ended.message).toMatch(
				proves
					? /^Row 2 was not called: .* 1 of 4 rows called, 3 not called \(/
					: /^Row 2 was sent without a clear answer: .* 1 of 4 rows called, 1 possibly called, 2 not/,
			);
			expect(ended.message).toMatch(message);
			expect(ended.description).toMatch(remedy);
			expect(ended.description).toMatch(/press Retry .*not called again/);
			expect(ended.httpCode).toBe(httpCode);
			expect(bench.sandbox.requests).toHaveLength(2);
			expect(bench.dialed).toEqual([phone(0)]);
		},
	);

	it('G1 nothing is dialed when no row is valid', async () => {
		const ended = shown(await bench.run(place(), [{ phone: '0555' }, { phone: '' }]));
		expect(ended.message).toMatch(/^No row can be called\. Row 1: .*"0555"/);
		expect(ended.description).toMatch(/Nobody was called\.$/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G6 missing prompt variables are named once for all rows', async () => {
		const ended = shown(await bench.run(place({ agentNumber: AGENT_WITH_PROMPT }), contacts(3)));
		expect(ended).toEqual({
			message: expect.stringMatching(/^Rows 1 to 3 were not called: .*"name" and "amount"/),
			description: expect.stringMatching(/Prompt Variables.*again is safe/),
			httpCode: '400',
		});
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('G9 a redirect is not followed', async () => {
		const elsewhere = await otherServer();
		bench.sandbox.fault({ kind: 'redirect', status: 307, location: `${elsewhere.origin}/calls` });
		expect(shown(await bench.run(place(), contacts(1))).message).toMatch(/redirect/);
		await elsewhere.close();
		expect(elsewhere.received).toEqual([]);
	});

	it.each<[string, Parameters<typeof bench.sandbox.fault>[0]]>([
		['a reset', { kind: 'resetAfter' }],
		[
			'an undocumented status',
			{ kind: 'respond', status: 500, body: { success: false, error: 'X' } },
		],
	])('G3 after %s the call is not sent again', async (_, fault) => {
		bench.sandbox.fault(fault);
		const ended = shown(await bench.run(place(), contacts(1)));
		expect(ended.message).toMatch(/^Row 1 was sent without a clear answer: .*may have been placed/);
		expect(ended.description).toMatch(/dashboard before you call.*press Retry/);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'G5 with %s',
	(onError) => {
		it('every item comes out once: called, invalid, or without a clear answer', async () => {
			bench.sandbox.fault({ kind: 'resetAfter', after: 1, times: 1 });
			const rows = [...contacts(2), { phone: 'none' }, { phone: phone(3) }];
			const run = await bench.run(place(impatient), rows, { onError });
			expect(run.json.map(({ status }) => status)).toEqual([
				'initiated',
				'unknown',
				'invalid',
				'initiated',
			]);
			expect(pairs(run.items)).toEqual([0, 1, 2, 3]);
			expect([run.error, run.errorItems]).toEqual([undefined, []]);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});

		it('what the API refuses for all is refused for each item', async () => {
			bench.sandbox.fault({ kind: 'forbidden', after: 1 });
			const { json, errorItems } = await bench.run(place(impatient), contacts(4), { onError });
			expect(json.map(({ status }) => status)).toEqual([
				'initiated',
				...Array<string>(3).fill('refused'),
			]);
			expect(json[3]!.reason).toMatch(/not enabled for your account.*Enable it/);
			expect(errorItems).toEqual([]);
			expect(bench.sandbox.requests).toHaveLength(2);
		});
	},
);
