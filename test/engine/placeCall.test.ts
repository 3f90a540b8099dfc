import { apiRefusals } from './helpers/apiRefusals';
import { closedPort, NAME_THAT_CANNOT_EXIST, otherServer } from './helpers/otherServers';
import { workbench } from './helpers/workbench';
import {
	AGENT,
	AGENT_WITH_PROMPT,
	assignments,
	CALLER,
	contacts,
	pairs,
	phone,
	place,
	RETRY,
	shown,
	SIP_AGENT,
} from './helpers/workflows';

const bench = workbench();

const impatient = { options: { maxRetryWait: 0, parallelRequests: 1 } };

describe('a call for each item', () => {
	it('the API’s answer comes out as it is, behind status, reason and destination, paired with its item', async () => {
		const { called, notCalled } = await bench.run(place(), contacts(3));
		const dials = new Map(bench.sandbox.journal.map((dial) => [dial.phone, dial]));
		expect(called.map(({ json }) => json)).toEqual(
			contacts(3).map((row) => ({
				status: 'initiated',
				called: 'yes',
				reason: null,
				destination: row.phone,
				success: true,
				call_id: expect.any(String) as string,
				batch_id: dials.get(row.phone)?.batchId,
				consent_id: dials.get(row.phone)?.consentId,
			})),
		);
		for (const { json } of called) {
			expect(Object.keys(json)).toEqual([
				'status',
				'called',
				'reason',
				'destination',
				'success',
				'call_id',
				'batch_id',
				'consent_id',
			]);
		}
		expect(new Set(called.map(({ json }) => json.call_id)).size).toBe(3);
		expect(pairs(called)).toEqual([0, 1, 2]);
		expect(notCalled).toEqual([]);
		expect(bench.sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
			Array(3).fill('POST /api/v1/outbound/calls'),
		);
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
		const { json, called } = await bench.run(place(), [...contacts(1), ...contacts(1)]);
		expect(bench.dialed).toEqual([phone(0)]);
		expect(json[0]).toMatchObject({
			status: 'initiated',
			called: 'yes',
			reason: null,
			call_id: expect.any(String),
		});
		expect(json[1]).toEqual({ ...json[0], status: 'duplicate', reason: 'Same number as row 1' });
		expect(pairs(called)).toEqual([0, 1]);
	});

	it('with Call Each Row it is called twice', async () => {
		await bench.run(place({ options: { duplicates: 'callEach' } }), [
			...contacts(1),
			...contacts(1),
		]);
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
		['success alone', { success: true, id: 5 }, { id: 5 }],
		[
			'a key that n8n would take for a failed item',
			{ call_id: 'c', error: 'Late' },
			{ call_id: 'c', reason: 'Late' },
		],
		[
			'a status of its own',
			{ call_id: 'c', status: 'teleported' },
			{ call_id: 'c', status: 'teleported' },
		],
		[
			'a status that the node gives, too',
			{ call_id: 'c', status: 'refused' },
			{ call_id: 'c', status: 'refused' },
		],
		['another destination', { call_id: 'c', destination: '+1' }, { call_id: 'c' }],
		[
			'fields with the names of the node’s own columns',
			{
				call_id: 'c',
				called: 0,
				reached: 'no',
				callable_at: 'now',
				original_destination: '+1',
				settled: 1,
			},
			{
				call_id: 'c',
				answer_called: 0,
				answer_reached: 'no',
				answer_callable_at: 'now',
				answer_original_destination: '+1',
				answer_settled: 1,
			},
		],
	])('any readable answer with 2xx is a placed call: %s', async (_, body, expected) => {
		bench.sandbox.fault({ kind: 'respond', status: 202, body });
		const { called, error } = await bench.run(place(), contacts(1));
		expect(error).toBeUndefined();
		expect(called.map(({ json }) => json)).toEqual([
			{
				status: 'placed',
				called: 'yes',
				reason: null,
				destination: phone(0),
				success: true,
				...expected,
			},
		]);
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
		const { called, notCalled, errorItems } = await bench.run(place(), contacts(1), {
			onError: 'continueErrorOutput',
		});
		expect(called.map(({ json }) => json)).toEqual([
			{
				status: 'unknown',
				called: 'maybe',
				reason: expect.stringMatching(/may have been placed/),
				destination: phone(0),
				success: false,
				call_id: null,
			},
		]);
		expect(notCalled).toEqual([]);
		expect(errorItems).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe('with On Error = Stop', () => {
	it.each(apiRefusals)(
		'$name: the message counts people and says what to do and what to press',
		async ({ fault, httpCode, message, remedy, proves }) => {
			bench.sandbox.fault({ ...fault, after: 1 });
			const ended = shown(await bench.run(place(impatient), contacts(4)));
			const people = proves
				? '4 rows: 1 called, 3 not called (2 not sent, 1 refused). Row 2 (+•••••••1001) was not called: '
				: '4 rows: 1 called, 1 may have been called, 2 not called (2 not sent). Row 2 (+•••••••1001) was sent without a clear answer: ';
			expect(ended.message.slice(0, people.length)).toBe(people);
			expect(ended.message.slice(people.length)).toMatch(message);
			expect(ended.description.slice(-RETRY.length)).toBe(RETRY);
			expect(ended.description.slice(0, -RETRY.length)).toMatch(remedy);
			expect(ended.httpCode).toBe(httpCode);
			expect(bench.sandbox.requests).toHaveLength(2);
			expect(bench.dialed).toEqual([phone(0)]);
		},
	);

	it('G1 nothing is dialed when no row is valid', async () => {
		const ended = shown(await bench.run(place(), [{ phone: '0555' }, { phone: '' }]));
		expect(ended).toEqual({
			message:
				'None of the 2 rows can be called. Row 1: the destination "0555" is not a phone number: it has too few digits',
			description:
				'Write the number with a leading + and the country code, digits only, like +14155550123. Nobody was called.',
			httpCode: null,
		});
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('missing prompt variables are named', async () => {
		const ended = shown(await bench.run(place({ agentNumber: AGENT_WITH_PROMPT }), contacts(1)));
		expect(ended).toEqual({
			message:
				'Row 1 (+•••••••1000) was not called: the agent’s prompt needs the prompt variables "name" and "amount", which were not sent',
			description:
				'Add name and amount under Prompt Variables, spelled exactly so, for example by dragging the column in and naming it so. Nobody was called, so executing again is safe.',
			httpCode: '400',
		});
		expect(bench.dialed).toEqual([]);
	});

	it('when the API refuses each row alone, the run ends with one message for all', async () => {
		const ended = shown(await bench.run(place({ agentNumber: AGENT_WITH_PROMPT }), contacts(3)));
		expect(ended.message).toBe(
			'3 rows: 0 called, 3 not called (3 refused). Rows 1 to 3 were not called: the agent’s prompt needs the prompt variables "name" and "amount", which were not sent',
		);
		// What the first one lacked, the others lack as well.
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('rows with a number that was refused are tried, and named in order', async () => {
		bench.sandbox.fault({
			kind: 'respond',
			status: 400,
			body: { success: false, error: 'Odd' },
			times: 3,
		});
		const ended = shown(await bench.run(place(impatient), [...contacts(1), ...contacts(2)]));
		expect(ended.message).toMatch(
			/^3 rows: 0 called, 3 not called \(3 refused\)\. Rows 1 to 3 were not called: /,
		);
		expect(bench.bodies<{ destination: string }>().map(({ destination }) => destination)).toEqual([
			phone(0),
			phone(1),
			phone(0),
		]);
	});

	it('a row that the API refuses alone is on Not Called, and the others are called', async () => {
		const promptVariables =
			'={{ $json.amount === 1.5 ? { name: "Ada" } : { name: "Ada", amount: $json.amount } }}';
		const parameters = place({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: promptVariables,
		});
		const { called, notCalled, error } = await bench.run(parameters, contacts(3));
		expect(error).toBeUndefined();
		expect(pairs(called)).toEqual([0, 2]);
		expect(notCalled).toEqual([
			{
				json: {
					status: 'refused',
					called: 'no',
					reason:
						'The agent’s prompt needs the prompt variable "amount", which was not sent. Add amount under Prompt Variables, spelled exactly so, for example by dragging the column in and naming it so.',
					destination: phone(1),
					success: false,
					call_id: null,
				},
				pairedItem: { item: 1 },
			},
		]);
		expect(bench.dialed.sort()).toEqual([phone(0), phone(2)]);
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
		[
			'a name that cannot exist',
			() => Promise.resolve(NAME_THAT_CANNOT_EXIST),
			/name could not be found/,
		],
	])('%s: nothing was called', async (_, baseUrl, message) => {
		const api = { baseUrl: await baseUrl(), token: bench.sandbox.token };
		const ended = shown(await bench.run(place(impatient), contacts(2), { api }));
		expect(ended.message).toMatch(
			/^2 rows: 0 called, 2 not called \((?:2 refused|1 refused, 1 not sent)\)\. Row/,
		);
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(/ Nobody was called, so executing again is safe\.$/);
	});

	it('G3 after a reset the call is not sent again', async () => {
		bench.sandbox.fault({ kind: 'resetAfter' });
		const ended = shown(await bench.run(place(), contacts(1)));
		expect(ended).toEqual({
			message:
				'Row 1 (+•••••••1000) was sent without a clear answer: the connection ended before the API’s answer was complete, so the call may have been placed',
			description:
				'Look at the outbound calls page of your dashboard before you call these numbers again. This node does not send it again, so that nobody is called twice. To go on, open the Executions tab, choose this execution and press Retry (the arrow icon): whoever was called is not called again. “Execute workflow” would start a new run and call everybody again.',
			httpCode: null,
		});
		expect(bench.sandbox.requests).toHaveLength(1);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G3 a status that the API does not document proves nothing about a single call', async () => {
		bench.sandbox.fault({
			kind: 'respond',
			status: 500,
			body: { success: false, error: 'Internal' },
		});
		const { called } = await bench.run(place(), contacts(1), { onError: 'continueRegularOutput' });
		expect(called.map(({ json }) => json)).toMatchObject([
			{ destination: phone(0), success: false, status: 'unknown' },
		]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'G5 with %s',
	(onError) => {
		it('every item comes out once, on Called or on Not Called', async () => {
			const rows = [{ phone: phone(0) }, { phone: 'none' }, { phone: phone(2) }];
			const { called, notCalled, errorItems, error } = await bench.run(place(), rows, { onError });
			expect(error).toBeUndefined();
			expect(pairs(called)).toEqual([0, 2]);
			expect(notCalled).toEqual([
				{
					json: {
						status: 'invalid',
						called: 'no',
						reason:
							'The destination "none" is not a phone number: it has no digits. Check that Destination takes the column with the phone numbers.',
						destination: 'none',
						success: false,
						call_id: null,
					},
					pairedItem: { item: 1 },
				},
			]);
			expect(errorItems).toEqual([]);
			expect(bench.sandbox.requests).toHaveLength(2);
		});
	},
);

describe.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'G5 with %s',
	(onError) => {
		it('a lost answer is unknown, on Called', async () => {
			bench.sandbox.fault({ kind: 'resetAfter', after: 1, times: 1 });
			const { called, notCalled, errorItems } = await bench.run(place(impatient), contacts(3), {
				onError,
			});
			expect(called.map(({ json }) => json.status)).toEqual(['initiated', 'unknown', 'initiated']);
			expect(pairs(called)).toEqual([0, 1, 2]);
			expect(notCalled).toEqual([]);
			expect(errorItems).toEqual([]);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});

		it('what the API refuses for all is refused for each item, on Not Called', async () => {
			bench.sandbox.fault({ kind: 'forbidden', after: 1 });
			const { called, notCalled, errorItems } = await bench.run(place(impatient), contacts(4), {
				onError,
			});
			expect(pairs(called)).toEqual([0]);
			expect(notCalled.map(({ json }) => json)).toEqual(
				[1, 2, 3].map((n) => ({
					status: 'refused',
					called: 'no',
					reason:
						'Outbound calling is not enabled for your account. Have it enabled on the outbound calls page of your dashboard or by your provider.',
					destination: phone(n),
					success: false,
					call_id: null,
				})),
			);
			expect(pairs(notCalled)).toEqual([1, 2, 3]);
			expect(errorItems).toEqual([]);
			expect(bench.sandbox.requests).toHaveLength(2);
		});
	},
);

it('a base URL with slashes at its end works', async () => {
	const api = { baseUrl: ` ${bench.sandbox.baseUrl}// `, token: bench.sandbox.token };
	const { json } = await bench.run(place({ agentNumber: AGENT }), contacts(1), { api });
	expect(json[0]?.success).toBe(true);
});
