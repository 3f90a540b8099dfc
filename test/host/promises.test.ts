import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closedPort, otherServer } from '../engine/helpers/otherServers';
import { AGENT, bulk, contacts, masked, phone, UNKNOWN_AGENT } from '../engine/helpers/workflows';
import { startSandbox, type FaultRule } from '../sandbox';
import { node } from '../workflowNode';
import {
	ALL_ROWS,
	CALLED,
	CALLS,
	callWorkflow,
	ERROR_OUTPUT,
	NOT_CALLED,
	START,
} from './helpers/callWorkflow';
import type { Execution } from './helpers/client';
import { callsOf, hostBench, shown, until } from './helpers/hostBench';
import { placesWithTheToken } from './helpers/leaks';
import { itemsOf, totalsOf } from './helpers/outcomes';

/** `test/engine` tests the same promises with the engine alone. Here the real n8n saves, retries, stops and shows executions. */
const bench = hostBench();

const oneLane = { options: { parallelRequests: 1, maxRetryWait: 0 } };
const phones = (count: number): string[] => contacts(count).map((row) => row.phone);
/** For a pattern that a text begins with. */
const escaped = (text: string): string => text.replace(/[()?.]/g, '\\$&');
const times = (count: number, status: string): string[] => Array<string>(count).fill(status);

describe('the credential test', () => {
	const given = (more: object = {}) => ({
		baseUrl: bench.sandbox.baseUrl,
		apiToken: bench.sandbox.token,
		...more,
	});
	const tested = async (data: Record<string, unknown>) =>
		await bench.stage.client.testCredential(bench.stage.credential, data);

	it('accepts a good token', async () => {
		expect(await tested(given())).toMatchObject({ status: 'OK' });
	});

	it('says that a wrong token was not accepted', async () => {
		const { status, message } = await tested(given({ apiToken: 'wrong' }));
		expect({ status, message }).toEqual({
			status: 'Error',
			message: expect.stringMatching(/token was not accepted.*dashboard/),
		});
	});

	it('says that the token works but calling is not enabled', async () => {
		bench.sandbox.settings.callingEnabled = false;
		const { status, message } = await tested(given());
		expect({ status, message }).toEqual({
			status: 'Error',
			message: expect.stringMatching(/token works, but outbound calling is not enabled/),
		});
	});

	it.each([200, 404])(
		'says that a server which answers with a page (%d) is not the API',
		async (status) => {
			bench.sandbox.fault({ kind: 'gateway', status });
			const answer = await tested(given());
			expect(answer).toMatchObject({
				status: 'Error',
				message: expect.stringMatching(/not the Outbound Calls API.*\/api\/v1\/outbound/),
			});
		},
	);

	it('shows the connection’s own code when nothing listens at the address', async () => {
		expect(await tested(given({ baseUrl: await closedPort() }))).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('ECONNREFUSED'),
		});
	});
});

describe('G9 n8n’s HTTP Request node with the credential', () => {
	async function asks(allowed: Record<string, string>): Promise<Execution> {
		const { baseUrl, token } = bench.sandbox;
		const credential = await bench.stage.client.createCredential({
			name: 'Outbound Calls (HTTP Request)',
			type: 'outboundCallsApi',
			data: { baseUrl, apiToken: token, ...allowed },
		});
		const request = {
			url: `${baseUrl}/batches/00000000-0000-4000-8000-000000000000`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'outboundCallsApi',
			options: { response: { response: { neverError: true } } },
		};
		const workflow = await bench.stage.client.createWorkflow({
			name: 'HTTP Request',
			nodes: [
				node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
				node('Ask', 'n8n-nodes-base.httpRequest', 4.2, request, {
					credentials: { outboundCallsApi: { id: credential.id, name: credential.name } },
				}),
			],
			connections: { [START]: { main: [[{ node: 'Ask', type: 'main', index: 0 }]] } },
		});
		return await bench.stage.client.runAndWait(workflow, START);
	}

	it.each([
		['by default', {}],
		['where its owner has chosen None', { allowedHttpRequestDomains: 'none' }],
		[
			'where its owner has allowed another host',
			{ allowedHttpRequestDomains: 'domains', allowedDomains: 'calls.example.com' },
		],
	])('sends the token nowhere %s', async (_, allowed) => {
		expect((await asks(allowed)).status).toBe('error');
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('asks the API where its owner has allowed the host of the Base URL', async () => {
		const { status } = await asks({
			allowedHttpRequestDomains: 'domains',
			allowedDomains: new URL(bench.sandbox.baseUrl).hostname,
		});
		expect(status).toBe('success');
		expect(bench.sandbox.requests.map(({ headers }) => headers.authorization)).toEqual([
			`Bearer ${bench.sandbox.token}`,
		]);
	});
});

describe.each(['skip', 'callAgain'])(
	'G4 Retry is safe (People Called Before: %s)',
	(calledBefore) => {
		const press = (alsoAnew: string) =>
			` To go on with the rest, open the Executions tab, choose this execution and press Retry (the arrow icon): whoever was called is not called again.${alsoAnew}`;
		const remedy = press(
			calledBefore === 'skip'
				? ''
				: ' “Execute workflow” would start a new run and call everybody again.',
		);

		it('G4 after the daily limit ended a campaign, the Retry button calls only the rest', async () => {
			bench.sandbox.settings.dailyLimit = 30;
			const { workflow, start } = await bench.activeWorkflow({
				rows: contacts(60),
				parameters: bulk({ calledBefore }),
			});
			await start();
			const [ended] = await bench.ended(workflow, 1);
			expect(ended).toMatchObject({ status: 'error', mode: 'webhook' });
			const { message, description } = shown(ended!);
			expect(message).toMatch(
				/^60 rows: 30 called, 30 not called \((30 refused|\d+ refused, \d+ not sent|\d+ not sent, \d+ refused)\)\. Rows .+ were not called: the daily call limit of your account is reached \(Daily call limit reached\)(\. Rows .+ were not sent)?$/,
			);
			// Each row that was not called is in one of the two groups.
			expect(message.endsWith('were not sent')).toBe(
				message.includes(' not sent,') || message.includes(' not sent)'),
			);
			expect(description).toMatch(new RegExp(`\\.${escaped(remedy)}$`));
			expect(bench.dialed).toHaveLength(30);

			delete bench.sandbox.settings.dailyLimit;
			const retried = await bench.stage.client.retryExecution(ended!.id);
			expect(retried).toMatchObject({ status: 'success', retryOf: ended!.id });
			expect(callsOf(retried).map((row) => [row.destination, row.status])).toEqual(
				phones(60).map((number) => [number, 'initiated']),
			);
			expect(itemsOf(retried, CALLED)).toHaveLength(60);
			const records = new Map<unknown, number>(
				bench.sandbox.journal.map((dial) => [dial.phone, dial.consentId]),
			);
			for (const row of callsOf(retried)) expect(row.consent_id).toBe(records.get(row.destination));
			expect(bench.sandbox.doubleDialed()).toEqual([]);
			expect(bench.dialed).toHaveLength(60);
		});

		it('G4 a retry that ends at the limit as well can be retried in turn, until all are called', async () => {
			let failed: Execution | undefined;
			for (const limit of [20, 40]) {
				bench.sandbox.settings.dailyLimit = limit;
				failed = failed
					? await bench.stage.client.retryExecution(failed.id)
					: await bench.run({ rows: contacts(60), parameters: bulk({ calledBefore }) });
				expect(failed.status).toBe('error');
				expect(shown(failed).message).toMatch(
					new RegExp(`^60 rows: ${limit} called, ${60 - limit} not called \\(`),
				);
			}
			delete bench.sandbox.settings.dailyLimit;
			const retried = await bench.stage.client.retryExecution(failed!.id);
			expect(callsOf(retried).map(({ destination }) => destination)).toEqual(phones(60));
			expect(bench.sandbox.doubleDialed()).toEqual([]);
			expect(bench.dialed).toHaveLength(60);
		});

		it.each<[string, FaultRule, number, string]>([
			[
				'a gateway’s page came',
				{ kind: 'gateway', route: 'bulk', after: 2, times: 1 },
				50,
				'the server answered with a web page instead of the API’s own answer (status 502), so the calls may have been placed',
			],
			[
				'the connection was cut',
				{ kind: 'resetAfter', route: 'bulk', after: 2, times: 1 },
				60,
				'the connection ended before the API’s answer was complete, so the calls may have been placed',
			],
		])(
			'G4 when %s in place of the API’s answer, the Retry button returns those rows as unknown and calls the rest',
			async (_, fault, dialed, why) => {
				bench.sandbox.fault(fault);
				const ended = await bench.run({
					rows: contacts(60),
					parameters: bulk({ ...oneLane, calledBefore }),
				});
				expect(ended.status).toBe('error');
				const { message, description } = shown(ended);
				expect(message).toBe(
					`60 rows: 20 called, 10 may have been called, 30 not called (30 not sent). Rows 21 to 30 were sent without a clear answer: ${why}. Rows 31 to 60 were not sent`,
				);
				expect(description).toMatch(new RegExp(`\\.${escaped(remedy)}$`));

				const retried = await bench.stage.client.retryExecution(ended.id);
				expect(retried).toMatchObject({ status: 'success', retryOf: ended.id });
				expect(callsOf(retried).map(({ destination }) => destination)).toEqual(phones(60));
				expect(callsOf(retried).map(({ status }) => status)).toEqual([
					...times(20, 'initiated'),
					...times(10, 'unknown'),
					...times(30, 'initiated'),
				]);
				// Somebody may have been called in each row.
				expect(itemsOf(retried, NOT_CALLED)).toEqual([]);
				expect(bench.sandbox.doubleDialed()).toEqual([]);
				expect(bench.dialed).toHaveLength(dialed);
			},
		);

		// n8n shows Retry on an execution until one of its retries succeeds, and each starts with what the
		// execution itself remembered.
		it('G4 the Retry button pressed twice on the same failed execution calls nobody twice', async () => {
			bench.sandbox.settings.dailyLimit = 30;
			const ended = await bench.run({ rows: contacts(60), parameters: bulk({ calledBefore }) });
			bench.sandbox.settings.dailyLimit = 40;
			expect((await bench.stage.client.retryExecution(ended.id)).status).toBe('error');
			delete bench.sandbox.settings.dailyLimit;
			expect((await bench.stage.client.retryExecution(ended.id)).status).toBe('success');
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});

		it('G4 when a step before the calls failed, each Retry of that execution knows whom another one called', async () => {
			let opens = false;
			const server = createServer((_request, response) =>
				response.writeHead(opens ? 200 : 500, { 'content-type': 'application/json' }).end('{}'),
			);
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			try {
				const gate = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
				const ended = await bench.run({
					rows: contacts(20),
					parameters: bulk({ calledBefore }),
					gate,
				});
				expect(ended.status).toBe('error');
				opens = true;
				const retries = await Promise.all([
					bench.stage.client.retryExecution(ended.id),
					bench.stage.client.retryExecution(ended.id),
				]);
				expect(retries.map(({ status }) => status)).toEqual(['success', 'success']);
				expect(bench.dialed.sort()).toEqual(phones(20));
				expect(
					retries.flatMap((retry) => callsOf(retry).map(({ status }) => status)).sort(),
				).toEqual([...times(20, 'already_called'), ...times(20, 'initiated')]);
			} finally {
				server.close();
			}
		});

		it('G4 Retry On Fail calls nobody twice, and a row without an answer comes out as unknown', async () => {
			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
			const execution = await bench.run({
				rows: contacts(25),
				parameters: bulk({ ...oneLane, calledBefore }),
				settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
			});
			expect(execution.status).toBe('success');
			expect(callsOf(execution).map(({ destination }) => destination)).toEqual(phones(25));
			expect(callsOf(execution).map(({ status }) => status)).toEqual([
				...times(10, 'initiated'),
				...times(10, 'unknown'),
				...times(5, 'initiated'),
			]);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
			expect(bench.sandbox.requests.map(({ dialed }) => dialed)).toEqual([10, 10, 5]);
		});
	},
);

describe('a credential with expressions, by which each row may name an account of its own', () => {
	it('G12 rows of two accounts: nobody is called, and the message names the first row with another account; rows of one account are called', async () => {
		const [first, other] = await Promise.all([
			startSandbox({ token: 'tk_first_account' }),
			startSandbox({ token: 'tk_other_account' }),
		]);
		const { client } = bench.stage;
		const credential = await client.createCredential({
			name: 'One for each customer',
			type: 'outboundCallsApi',
			data: { baseUrl: '={{ $json.base }}', apiToken: '={{ $json.token }}' },
		});
		const rowOf = ({ baseUrl, token }: typeof other, n: number) => ({
			phone: phone(n),
			base: baseUrl,
			token,
		});
		const ended = async (rows: object[]) =>
			await client.runAndWait(
				await client.createWorkflow(
					callWorkflow({ name: 'Customers', credential, rows, parameters: bulk() }),
				),
				START,
			);
		try {
			expect(shown(await ended([rowOf(first, 1), rowOf(other, 2), rowOf(other, 3)]))).toMatchObject(
				{
					message: 'The credential is another one for row 2, but it counts for the whole run',
				},
			);
			expect([first.requests, other.requests]).toEqual([[], []]);
			const called = callsOf(await ended([rowOf(other, 2), rowOf(other, 3)]));
			expect(called.map(({ status }) => status)).toEqual(times(2, 'initiated'));
			expect([first.journal, other.journal.map((dial) => dial.phone)]).toEqual([
				[],
				[phone(2), phone(3)],
			]);
		} finally {
			await Promise.all([first.close(), other.close()]);
		}
	});
});

describe('a new node', () => {
	it('calls nobody: with only its required fields filled in, each row comes out on Not Called with what would be sent', async () => {
		const rows = contacts(3);
		const parameters = {
			resource: 'call',
			operation: 'bulkCall',
			agentNumber: AGENT,
			destination: '={{ $json.phone }}',
		};
		const execution = await bench.run({ rows, parameters });
		expect(execution.status).toBe('success');
		expect(itemsOf(execution, CALLED)).toEqual([]);
		expect(itemsOf(execution, NOT_CALLED).map(({ json }) => json)).toEqual(
			rows.map((row) => ({
				status: 'dry_run',
				called: 'no',
				reason: null,
				destination: row.phone,
				...row,
				request: 1,
				agent_number: AGENT,
				caller_number: null,
				prompt_variables: {},
			})),
		);
		expect(totalsOf(execution, CALLS)).toBe(
			'Nobody was called: Mode is Dry Run. 3 rows: 3 would be called, 0 not. To call them, set Mode to Live. Countries: United States 3. None is chosen yet: choose those that you want to call in Countries That May Be Called before you set Mode to Live.',
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('set to Live and executed twice, calls each number once', async () => {
		const rows = contacts(12);
		const parameters = {
			resource: 'call',
			operation: 'bulkCall',
			mode: 'live',
			countries: ['any'],
			agentNumber: AGENT,
			destination: '={{ $json.phone }}',
		};
		const { workflow, start } = await bench.activeWorkflow({ rows, parameters });
		await start();
		await bench.ended(workflow, 1);
		await start();
		const [first, second] = await bench.ended(workflow, 2);
		expect(itemsOf(first!, CALLED).map(({ json }) => [json.name, json.status])).toEqual(
			rows.map(({ name }) => [name, 'initiated']),
		);
		expect(itemsOf(second!, CALLED)).toEqual([]);
		expect(itemsOf(second!, NOT_CALLED).map(({ json }) => [json.name, json.status])).toEqual(
			rows.map(({ name }) => [name, 'already_called']),
		);
		expect(totalsOf(second!, CALLS)).toBe('12 rows: 0 called, 12 not called (12 called before)');
		expect(bench.dialed.sort()).toEqual(rows.map((row) => row.phone));
	});
});

describe('G5 No row is lost', () => {
	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'G5 rows that cannot be called come out on Not Called with their fields and the reason, the others on Called (On Error: %s)',
		async (onError) => {
			const rows = contacts(24);
			rows[3]!.phone = '07700 900123';
			rows[17]!.phone = '';
			const parameters = bulk({ options: { includeInputFields: true } });
			const execution = await bench.run({ rows, parameters, settings: { onError } });
			expect(execution.status).toBe('success');

			const good = rows.filter((_, index) => index !== 3 && index !== 17);
			expect(
				itemsOf(execution, CALLED).map(({ json }) => [json.destination, json.name, json.status]),
			).toEqual(good.map((row) => [row.phone, row.name, 'initiated']));
			const ids = { success: false, consent_id: null, call_sid: null, batch_id: null };
			expect(itemsOf(execution, NOT_CALLED).map(({ json }) => json)).toEqual([
				{
					status: 'invalid',
					called: 'no',
					reason:
						'The destination "07700 900123" has no country code. Choose the country under “Country of Numbers Without +”, or write the number with + and its country code.',
					destination: '07700 900123',
					...rows[3],
					...ids,
				},
				{
					status: 'invalid',
					called: 'no',
					reason:
						'The destination is empty. Drag the column with the phone number into Destination, and check that the row has one.',
					destination: '',
					...rows[17],
					...ids,
				},
			]);
			expect(itemsOf(execution, ERROR_OUTPUT)).toEqual([]);
			expect(bench.dialed.sort()).toEqual(good.map((row) => row.phone));
		},
	);

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'G5 when the API accepts no token, each row comes out on Not Called with the sentence (On Error: %s)',
		async (onError) => {
			bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk' });
			const rows = contacts(12);
			const execution = await bench.run({ rows, parameters: bulk(), settings: { onError } });
			expect(execution.status).toBe('success');
			expect(itemsOf(execution, CALLED)).toEqual([]);
			const reason =
				'The API token is missing or not valid. Copy the API token from the outbound calls page of your dashboard into the credential. It is shown only once: if it is lost, rotate it there, which ends the earlier one.';
			expect(
				itemsOf(execution, NOT_CALLED).map(({ json }) => [
					json.destination,
					json.status,
					json.reason,
				]),
			).toEqual(rows.map((row) => [row.phone, 'refused', reason]));
			expect(bench.dialed).toEqual([]);
			expect(itemsOf(execution, ERROR_OUTPUT)).toEqual([]);
		},
	);
});

describe('what n8n does by itself', () => {
	it('G5 a deactivated node calls nobody: its rows pass on All Rows without an outcome, and no step behind Called or Not Called meets anybody', async () => {
		const rows = contacts(3);
		const execution = await bench.run({ rows, parameters: bulk(), settings: { disabled: true } });
		expect(execution.status).toBe('success');
		expect(itemsOf(execution, ALL_ROWS).map(({ json }) => json)).toEqual(rows);
		expect([CALLED, NOT_CALLED].map((node) => itemsOf(execution, node))).toEqual([[], []]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G5 Always Output Data puts nothing on Called', async () => {
		const execution = await bench.run({
			rows: contacts(2),
			parameters: bulk({ mode: 'dryRun' }),
			settings: { alwaysOutputData: true },
		});
		expect(itemsOf(execution, CALLED)).toEqual([]);
		expect(itemsOf(execution, ALL_ROWS)).toHaveLength(2);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('the workflow’s timeout ends the wait for calls', () => {
	it('G5 all rows come out with what is known, with every setting of On Error, and a new run calls nobody again', async () => {
		// Nothing finishes, so that n8n ends the execution while the node waits.
		bench.sandbox.settings.finishAfterMs = 3_600_000;
		const ended = await Promise.all(
			(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const).map(
				async (onError, n) => {
					const rows = contacts(8).slice(2 * n, 2 * n + 2);
					const parameters = bulk({
						calledBefore: 'skip',
						waitUntil: 'finished',
						pollInterval: 1,
						waitTimeout: 60,
					});
					const { workflow, start } = await bench.activeWorkflow({
						rows,
						parameters,
						settings: { onError },
						timeout: 20,
					});
					await start();
					const [execution] = await bench.ended(workflow, 1);
					expect(execution!.status).toBe('canceled');
					expect(
						callsOf(execution!).map((row) => [
							row.destination,
							row.status,
							row.called,
							row.reached,
							row.settled,
						]),
					).toEqual(rows.map((row) => [row.phone, 'initiated', 'yes', null, false]));
					return { start, workflow, rows };
				},
			),
		);
		expect([...bench.dialed].sort()).toEqual(phones(6));
		const [{ start, workflow }] = ended as [(typeof ended)[0]];
		await start();
		const [, again] = await bench.ended(workflow, 2);
		expect(callsOf(again!).map(({ status }) => status)).toEqual([
			'already_called',
			'already_called',
		]);
		expect(bench.dialed).toHaveLength(6);
	});
});

describe('the workflow’s timeout ends a run that is still calling', () => {
	it('G5 with Continue its rows are kept: who was called, and who was not', async () => {
		const rows = contacts(2);
		const parameters = bulk({ calledBefore: 'skip', options: { callsPerMinute: 1 } });
		const settings = { onError: 'continueRegularOutput' } as const;
		const { workflow, start } = await bench.activeWorkflow({
			rows,
			parameters,
			settings,
			timeout: 20,
		});
		await start();
		const [execution] = await bench.ended(workflow, 1);
		expect(execution!.status).toBe('canceled');
		expect(callsOf(execution!).map(({ status, called }) => [status, called])).toEqual([
			['initiated', 'yes'],
			['refused', 'no'],
		]);
	});
});

describe('following calls', () => {
	it('Get Call behind Called waits for each row’s call, and keeps the row’s columns', async () => {
		const rows = contacts(12);
		const followed = 'Followed';
		const getCall = {
			operation: 'getCall',
			batchId: '={{ $json.batch_id }}',
			callRecordId: '={{ $json.consent_id }}',
			waitUntil: 'finished',
			pollInterval: 1,
		};
		const execution = await bench.run({
			rows,
			parameters: bulk({ options: { includeInputFields: true } }),
			behindCalled: { [followed]: getCall },
		});
		expect(execution.status).toBe('success');
		const records = new Map(
			bench.sandbox.journal.map(({ phone: number, consentId }) => [number, consentId]),
		);
		expect(itemsOf(execution, followed).map(({ json }) => json)).toMatchObject(
			rows.map((row) => ({
				reached: true,
				id: records.get(row.phone),
				...row,
				destination: row.phone,
				conversation_id: expect.any(Number),
				settled: true,
			})),
		);
	});
});

describe('G9 Nothing leaks', () => {
	it.each([302, 307] as const)(
		'G9 a redirect (%d) to another server delivers nothing to it',
		async (status) => {
			const elsewhere = await otherServer();
			bench.sandbox.fault({
				kind: 'redirect',
				route: 'bulk',
				status,
				location: `${elsewhere.origin}/api/v1/outbound/calls/bulk`,
			});
			const execution = await bench.run({ rows: contacts(2), parameters: bulk() });
			await elsewhere.close();
			expect(execution.status).toBe('error');
			expect(elsewhere.received).toEqual([]);
			expect(bench.sandbox.requests).toHaveLength(1);
		},
	);
});

describe('G9 phone numbers', () => {
	const national = '0155 501 00202';

	it('G9 n8n writes what ends a run into its log: with the last four digits only of whom a call is for', async () => {
		bench.sandbox.fault({ kind: 'gateway', route: 'bulk', times: 1 });
		const unclear = await bench.run({ rows: contacts(1), parameters: bulk() });
		const invalid = await bench.run({ rows: [{ phone: national }], parameters: bulk() });
		const unknownAgent = await bench.run({
			rows: contacts(1),
			parameters: bulk({ agentNumber: UNKNOWN_AGENT }),
		});
		const ended = [unclear, invalid, unknownAgent].map((execution) => [
			execution.status,
			shown(execution).message,
		]);
		expect(ended).toEqual([
			['error', expect.stringContaining(masked(phone(0)))],
			['error', expect.stringContaining('"•••• ••• •0202"')],
			// The agent's own number is nobody's phone, and has to be read to be mended.
			[
				'error',
				expect.stringContaining(
					`(${masked(phone(0))}) was not called: no agent on your account has the number "${UNKNOWN_AGENT}"`,
				),
			],
		]);

		const log = await readFile(bench.logFiles[0]!, 'utf8');
		for (const [, message] of ended) expect(log).toContain(message);
		for (const number of [phone(0), national]) expect(log).not.toContain(number.replace('+', ''));
	});

	it('G9 rows keep them whole', async () => {
		const execution = await bench.run({
			rows: [...contacts(1), { phone: national }],
			parameters: bulk(),
		});
		expect(callsOf(execution).map(({ destination, reason }) => [destination, reason])).toEqual([
			[phone(0), null],
			[national, expect.stringContaining(`"${national}"`)],
		]);
	});
});

describe('G10 Stop means stop', () => {
	const LANES = 2;
	const rows = contacts(100);
	const settingsOf = { stop: 'stopWorkflow', continue: 'continueRegularOutput' } as const;

	/** Starts a campaign whose fifth and later requests take long, and stops it while two of them are under way. */
	async function stopped(
		onError: (typeof settingsOf)[keyof typeof settingsOf],
		calledBefore: 'skip' | 'callAgain',
	) {
		bench.sandbox.fault({ kind: 'latency', route: 'bulk', after: 4, ms: 1_500 });
		const { workflow, start } = await bench.activeWorkflow({
			rows,
			parameters: bulk({ calledBefore, options: { parallelRequests: LANES } }),
			settings: { onError },
		});
		await start();
		await until('the campaign is under way', () => bench.sandbox.requests.length >= 4 + LANES);
		const [running] = await bench.stage.client.listExecutions({ workflowId: workflow.id });
		await bench.stage.client.stopExecution(running!.id);
		const sent = bench.sandbox.requests.length;
		await until('the requests under way are answered', () => bench.sandbox.inFlight === 0);
		return { execution: await bench.stage.client.getExecution(running!.id), sent };
	}

	it.each(['stop', 'continue'] as const)(
		'G10 nothing is sent after the stop (On Error = %s), and n8n calls the execution canceled',
		async (onError) => {
			const { execution, sent } = await stopped(settingsOf[onError], 'callAgain');
			expect(execution.status).toBe('canceled');
			expect(shown(execution).message).toBe('The execution was cancelled manually');
			// A request may have been on its way to the sandbox.
			expect(bench.sandbox.requests.length).toBeLessThanOrEqual(sent + LANES);
			expect(bench.sandbox.requests.length).toBeLessThan(rows.length / 10);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		},
	);

	it('G10 n8n keeps no row of a run that is stopped while it waits for its calls, and a new run calls nobody again', async () => {
		bench.sandbox.settings.finishAfterMs = 3_600_000;
		const called = contacts(2);
		const { workflow, start } = await bench.activeWorkflow({
			rows: called,
			parameters: bulk({
				calledBefore: 'skip',
				waitUntil: 'finished',
				pollInterval: 1,
				waitTimeout: 60,
			}),
			settings: { onError: settingsOf.continue },
		});
		await start();
		await until('the node waits', () =>
			bench.sandbox.requests.some(
				({ method, path }) => method === 'GET' && path.includes('/batches/'),
			),
		);
		const [running] = await bench.stage.client.listExecutions({ workflowId: workflow.id });
		await bench.stage.client.stopExecution(running!.id);
		await start();
		const again = (await bench.ended(workflow, 2)).at(-1)!;
		const execution = await bench.stage.client.getExecution(running!.id);
		expect([execution.status, callsOf(execution), itemsOf(execution, ALL_ROWS)]).toEqual([
			'canceled',
			[],
			[],
		]);
		expect(callsOf(again).map(({ status }) => status)).toEqual([
			'already_called',
			'already_called',
		]);
		expect(bench.dialed).toHaveLength(called.length);
	});

	it('G10 n8n retries a stopped execution from its trigger: People Called Before are skipped, so nobody is called twice', async () => {
		const { execution } = await stopped('stopWorkflow', 'skip');
		const before = new Set(bench.dialed);
		bench.sandbox.clearFaults();
		const retried = await bench.stage.client.retryExecution(execution.id);
		expect(callsOf(retried).map(({ destination, status }) => [destination, status])).toEqual(
			rows.map((row) => [row.phone, before.has(row.phone) ? 'already_called' : 'initiated']),
		);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(rows.length);
	});
});

// The last one: it looks at what all the others left behind.
it('G9 the token is in no execution, log or database of all these runs', async () => {
	expect(await placesWithTheToken(bench, phone(0))).toEqual([]);
});
