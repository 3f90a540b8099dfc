import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RunRequest } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { pairs, text, shown, statuses, linesOf, says } from './helpers/outcomes';
import {
	bulk,
	contacts,
	phone,
	place,
	AGENT,
	AGENT_WITH_SIP_ID,
	CALLER,
	SIP_AGENT,
	UNKNOWN_AGENT,
	OPERATIONS,
	ON_ERROR,
	CONTINUE,
	goesOn,
	phones,
} from './helpers/workflows';
import type { FaultRule } from '../sandbox';
import { storeForEach } from './helpers/durableStore';
import { closedPort } from './helpers/otherServers';

const bench = workbench();
const store = storeForEach();

describe('columns', () => {
	const withInput = { options: { includeInputFields: true } };

	describe.each(OPERATIONS)('the output of %s', (name, operation) => {
		it.each(ON_ERROR)('G5 has one item per row, in order, with its files (%s)', async (onError) => {
			const rows: IDataObject[] = [...contacts(3), { phone: 'none' }, { phone: phone(0) }];
			const files = rows.map((_, n) => ({ letter: { data: '', mimeType: 'a/b', id: `${n}` } }));
			const run = await bench.run(operation(withInput), rows, { files, onError });
			expect(run.data.resultData.runData.Calls![0]!.data!.main![0]).toHaveLength(5);
			expect(run.errorItems).toEqual([]);
			expect(pairs(run.items)).toEqual([0, 1, 2, 3, 4]);
			expect(run.items.map(({ binary }) => binary)).toEqual(files);
			expect(run.json.map(({ called }) => text(called)).join(' ')).toBe('yes yes yes no other_row');
		});

		it('has the columns of the contract, in its order, whatever became of the row', async () => {
			const row = { phone: '+1 415 555 2671', name: 'Ada' };
			const columns = async (more: INodeParameters) =>
				Object.keys((await bench.run(operation({ ...withInput, ...more }), [row])).json[0]!).join(
					' ',
				);
			const own = 'reason destination phone name original_destination';
			const bulkIds = 'success consent_id call_sid batch_id';
			const ids = name === 'Bulk Call' ? bulkIds : 'success call_id batch_id consent_id';
			const followed = 'conversation_id auto_call_error record_status updated_at settled';
			const planned = 'request agent_number caller_number prompt_variables';
			expect(await columns({})).toBe(`status called ${own} ${ids}`);
			expect(await columns({ waitUntil: 'finished' })).toBe(
				`status called reached ${own} ${ids} ${followed}`,
			);
			expect(await columns({ mode: 'dryRun' })).toBe(`status called ${own} ${planned}`);
		});
	});

	it('has a reason in every row: 160 characters at most, 500 where it quotes the API', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'x'.repeat(2_000) });
		const bad = [
			'',
			'0171 2345678',
			'n/a',
			'1.5E+10',
			'#N/A',
			'{{ $json.phone }}',
			'x'.repeat(300),
		];
		const rows = [...contacts(3), ...contacts(1), ...bad.map((number) => ({ phone: number }))];
		const waits = { waitUntil: 'finished', options: { maxRetryWait: 0 } };
		for (const more of [{ mode: 'dryRun' }, {}, waits]) {
			const { json } = await bench.run(bulk(more), rows, goesOn);
			for (const { reason, status } of json) {
				expect(reason).toMatch(/^\S.*\S$/);
				expect(text(reason).length).toBeLessThanOrEqual(status === 'failed' ? 500 : 160);
			}
		}
	});

	it.each<[string, unknown[], string[]]>([
		['numbers', [2, 5], ['row 2', 'row 5']],
		['numbers as text', ['2', '5'], ['row 2', 'row 5']],
		['a number twice', [2, 2], ['row 1', 'row 2']],
		['a number missing', [7, undefined], ['row 1', 'row 2']],
	])('rows are numbered as the sheet numbers them: %s', async (_, numbers, [first, second]) => {
		const sheet = numbers.map((row_number) => ({ phone: phone(0), row_number })) as IDataObject[];
		const { json } = await bench.run(bulk(), sheet);
		expect(json[1]!.reason).toMatch(new RegExp(`as ${first!}\\b`));
		const bad = sheet.map((row, n) => (n === 0 ? row : { ...row, phone: 'x' }));
		const run = await bench.run(bulk({ mode: 'dryRun' }), bad);
		expect(linesOf(run)).toContain(`To correct: ${second!}`);
	});

	describe('the summary above the table', () => {
		it('says when people outside calling hours can be called, in a dry run and in Live', async () => {
			const inTwoDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][
				(new Date().getUTCDay() + 2) % 7
			]!;
			const window = [{ days: [inTwoDays], from: '09:00', to: '20:00' }];
			const later = { callingHours: 'custom', callingWindows: { window } };
			for (const mode of ['dryRun', 'live']) {
				const { json, hints } = await bench.run(bulk({ ...later, mode }), [
					{ phone: '+491712345678' },
				]);
				expect(json[0]).toMatchObject({ status: 'outside_hours', callable_at: expect.any(String) });
				expect(hints[0]!.message).toMatch(/(?:^|>)1 more from \w+ 09:00 \(Calling Hours\)/);
			}
		});

		it('of a run counts rows, and says that the following nodes get all unless all were called', async () => {
			bench.sandbox.destinationOutcome.set(phone(1), { status: 'locked', error: 'Locked' });
			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
			const parameters = bulk({ waitUntil: 'finished', options: { parallelRequests: 1 } });
			const rows = [...contacts(12), { phone: 'x' }, { phone: phone(0) }];
			const run = await bench.run(parameters, rows, goesOn);
			const [counts, reached, ...more] = linesOf(run);
			expect(counts).toMatch(/^9 of 14 rows called, 2 possibly called, 3 not called \(.*1 locked/);
			expect(reached).toMatch(/^9 reached, 0 not reached/);
			expect(more).toEqual(['To correct: row 13', expect.stringMatching(/all rows.*called/)]);
			expect(linesOf(await bench.run(bulk(), contacts(1)))).toEqual(['1 of 1 row called']);
		});

		it('of a test is that of a dry run, with the call', async () => {
			const test = bulk({ mode: 'test', testNumber: '+14155552671' });
			const lines = linesOf(await bench.run(test, contacts(3)));
			expect(bench.dialed).toEqual(['+14155552671']);
			expect(lines[0]).toMatch(/^3 of 3 rows would be called\b.*phone was called/);
			expect(lines.slice(1, -1)).toEqual(
				linesOf(await bench.run(bulk({ mode: 'dryRun' }), contacts(3))).slice(1, -1),
			);
		});
	});

	describe('Include Input Fields', () => {
		/** The option as it is where nobody touched it. */
		const asIs = (parameters: INodeParameters): INodeParameters => {
			const { includeInputFields: _off, ...options } = parameters.options as INodeParameters;
			return { ...parameters, options };
		};

		describe.each(OPERATIONS)('%s with Include Input Fields', (_, operation) => {
			it('left as it is, every row has the fields and files of its input, and the input is not changed', async () => {
				const rows: IDataObject[] = [...contacts(2), { phone: 'x', name: 'Bob', status: 'kept' }];
				const before = structuredClone(rows);
				const files = rows.map((__, n) => ({
					letter: { data: 'aGk=', mimeType: 'a/b', id: `${n}` },
				}));
				const { items, json } = await bench.run(asIs(operation()), rows, { files });
				expect(json).toMatchObject([rows[0]!, rows[1]!, { name: 'Bob', input_status: 'kept' }]);
				expect(items.map(({ binary }) => binary)).toEqual(files);
				expect(rows).toEqual(before);
			});

			it('switched off, rows have none of them', async () => {
				const rows = [...contacts(1), { phone: 'x', name: 'Bob' }];
				const files = rows.map(() => ({ letter: { data: 'aGk=', mimeType: 'a/b' } }));
				const { items, json } = await bench.run(operation(), rows, { files });
				for (const row of json) expect(Object.keys(row).join(' ')).not.toMatch(/phone|name|amount/);
				expect(items.map(({ binary }) => binary)).toEqual([undefined, undefined]);
			});

			it('columns with names of ours come out as input_…, and none is lost', async () => {
				const row: IDataObject = {
					phone: phone(0),
					status: 'customer',
					input_status: 'old',
					called: 'no',
					reached: 'no',
					original_destination: 'Milan',
					Status: 'kept',
				};
				const { json } = await bench.run(asIs(operation()), [row]);
				expect(json[0]).toMatchObject({
					status: 'initiated',
					called: 'yes',
					destination: phone(0),
					success: true,
					input_status: 'customer',
					input_input_status: 'old',
					input_called: 'no',
					input_reached: 'no',
					input_original_destination: 'Milan',
					Status: 'kept',
				});
				for (const name of ['original_destination', 'reached'])
					expect(json[0]).not.toHaveProperty(name);
			});

			it.each(ON_ERROR)('G5 an item with an error is invalid (%s)', async (onError) => {
				const rows = [
					{ phone: phone(0), error: 'Wrong size' },
					{ phone: phone(1), error: '' },
					{ phone: phone(2), error: null },
					{ phone: phone(3), error: { message: 'Broken' } },
				];
				const { json, errorItems } = await bench.run(asIs(operation()), rows, {
					onError,
					retry: { tries: 3, waitMs: 0 },
				});
				expect(errorItems).toEqual([]);
				expect(json.map(({ status, input_error: error }) => [status, error])).toEqual([
					['invalid', 'Wrong size'],
					['initiated', ''],
					['initiated', null],
					['invalid', { message: 'Broken' }],
				]);
				expect(json[0]!.reason).toMatch(/node before.*Wrong size.*Filter/);
				expect(json[3]!.reason).toMatch(/Broken/);
				for (const row of json) expect(row).not.toHaveProperty('error');
				expect(bench.dialed.sort()).toEqual([phone(1), phone(2)]);
			});

			it('a duplicate has its own fields', async () => {
				const again = { phone: phone(1), name: 'Again' };
				const { json } = await bench.run(asIs(operation()), [...contacts(2), again]);
				expect(json[2]).toMatchObject({ status: 'duplicate', name: 'Again' });
				expect(json[2]).not.toHaveProperty('amount');
			});
		});

		it('Place Call: IDs of an earlier call in the row do not stand for this one', async () => {
			bench.sandbox.settings.singleCallIds = false;
			const earlier = { consent_id: 7, batch_id: 'b', call_sid: 'CA7' };
			const { json } = await bench.run(asIs(place()), [{ phone: phone(1), ...earlier }]);
			expect(json[0]).toMatchObject({ called: 'yes', input_consent_id: 7, input_call_sid: 'CA7' });
			for (const name of Object.keys(earlier)) expect(json[0]).not.toHaveProperty(name);
		});
	});
});

describe('outcomes', () => {
	it.each(ON_ERROR)('G5 what the API says of its calls decides called (%s)', async (onError) => {
		const said: Array<[result: IDataObject, called: string]> = [
			[{ success: true, status: 'initiated', call_sid: 'CA-0' }, 'yes'],
			[{ success: false, status: 'locked' }, 'no'],
			// Proves nothing: it has a call.
			[{ success: false, status: 'failed', call_sid: 'CA-2' }, 'maybe'],
			[{ success: true, status: 'teleported' }, 'yes'],
			[{ success: false, status: 'teleported' }, 'maybe'],
			// Words that the node has for itself prove nothing either when the API says them.
			[{ success: false, status: 'refused' }, 'maybe'],
		];
		const results = said.map(([result], n) => ({
			destination: phone(n),
			consent_id: 100 + n,
			call_sid: null,
			error: result.success ? null : 'Because',
			...result,
		}));
		const body = { success: true, batch_id: '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e', results };
		bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body });
		const { json, error, errorItems } = await bench.run(bulk(), contacts(said.length), { onError });
		expect([error, errorItems]).toEqual([undefined, []]);
		expect(json.map(({ status, called }) => [status, called])).toEqual(
			said.map(([{ status }, called]) => [status, called]),
		);
		for (const { success, reason } of json)
			expect(reason).toBe(success ? 'Call started' : 'Because');
	});

	interface Trouble {
		name: string;
		parameters?: INodeParameters;
		fault?: FaultRule;
		more?: Partial<RunRequest> | (() => Promise<Partial<RunRequest>>);
		memory?: string;
		/** What each row says. */
		reason: RegExp;
		/** Somebody may have been called. */
		maybe?: true;
		/** How many rows can be sent, 4 unless told. */
		people?: number;
	}

	const option = (options: INodeParameters): INodeParameters => ({ options });
	const impatient: INodeParameters = { maxRetryWait: 0 };
	const NOT_EVALUATED = '$("Nowhere").first().json.seconds';
	const address = async (baseUrl: string | Promise<string>): Promise<Partial<RunRequest>> => ({
		api: { baseUrl: await baseUrl, token: bench.sandbox.token },
	});

	/** What may be wrong, what each row says of it, and what causes it. */
	const trouble = (name: string, reason: RegExp, more: Partial<Trouble>): Trouble => ({
		...{ name, reason, ...more },
	});
	const doubt = (fault: FaultRule) => ({ fault, maybe: true }) as const;
	const odd: FaultRule = { kind: 'respond', status: 400, body: { success: false, error: 'Odd' } };

	const troubles: Trouble[] = [
		trouble('an option that one row cannot evaluate', /^Max Retry Wait .*row 3\b/, {
			parameters: option({ maxRetryWait: `={{ $json.amount === 2.5 ? ${NOT_EVALUATED} : 5 }}` }),
		}),
		trouble('an unknown agent', /^No agent on your account has the number "\+15550004040"/, {
			parameters: { agentNumber: UNKNOWN_AGENT },
		}),
		trouble('a dead server', /^The server refused the connection\. /, {
			parameters: option(impatient),
			more: () => address(closedPort()),
		}),
		trouble('an empty address', /^The Base URL/, { more: () => address('') }),
		trouble('a memory that cannot be used', /^The call history .* \(SQLITE_BUSY\)\. Press Retry/, {
			parameters: { calledBefore: 'skip' },
			memory: 'SQLITE_BUSY',
		}),
		trouble('a wrong token', /^The API token is/, { fault: { kind: 'unauthorized' } }),
		trouble(
			'a limit that asks for too long a wait',
			/limit is reached.*60 minutes.*Max Retry Wait/,
			{ fault: { kind: 'rateLimited', retryAfter: 3_600 } },
		),
		trouble('a text that refuses each row', /did not accept the request \(Odd\)\. /, {
			fault: odd,
		}),
		trouble('a connection that ends', /may have been placed/, doubt({ kind: 'resetAfter' })),
		trouble('a gateway’s page', /web page.*may have been placed/, doubt({ kind: 'gateway' })),
		trouble('a server that hangs', /within 1 second.*may have been placed/, {
			...doubt({ kind: 'hangAfter' }),
			parameters: option({ timeout: 1 }),
			// Place Call waits a second for each, one after the other: nothing of this server says that it is the API.
			people: 2,
		}),
	];

	describe.each(CONTINUE)('G5 with %s nothing is thrown, and every row comes out', (onError) => {
		describe.each(OPERATIONS)('%s', (name, operation) => {
			it.each(troubles)(
				'$name',
				async ({ parameters = {}, fault, more, memory, reason, maybe, people = 4 }) => {
					if (fault) bench.sandbox.fault(fault);
					if (memory !== undefined) store.outOfOrder = memory;
					// Three requests in a row without an answer of the API's own end the run.
					const sent = maybe && name === 'Place Call' ? Math.min(people, 3) : people;
					const rows: IDataObject[] = [...contacts(people), { phone: 'none', name: 'Nobody' }];
					const options = {
						...(parameters.options as INodeParameters),
						includeInputFields: true,
					};
					const run = await bench.run(operation({ ...parameters, options }), rows, {
						...(typeof more === 'function' ? await more() : more),
						onError,
						// n8n runs a node once more whose first item says that it failed.
						retry: { tries: 3, waitMs: 1 },
					});
					expect([run.error, run.errorItems]).toEqual([undefined, []]);
					expect(pairs(run.items)).toEqual(rows.map((_, n) => n));
					for (const [n, json] of run.json.entries()) {
						const isUnknown = maybe && n < sent;
						expect(json).toMatchObject({
							...rows[n],
							status: n === people ? 'invalid' : isUnknown ? 'unknown' : 'refused',
							called: isUnknown ? 'maybe' : 'no',
							success: false,
						});
						if (n < sent) expect(json.reason).toMatch(reason);
						else expect(json.reason).toMatch(/"none"|^3 requests in a row/);
					}
					expect(bench.sandbox.doubleDialed()).toEqual([]);
					expect(run.hints[0]!.message).toMatch(new RegExp(`^0 of ${people + 1} rows called`));
				},
			);
		});

		it('G8 a memory that breaks on the way: who was called is called yes, the others were not', async () => {
			store.written = () => {
				if (bench.dialed.length > 0) store.outOfOrder = 'Gone';
			};
			const parameters = bulk({ calledBefore: 'skip', options: { parallelRequests: 1 } });
			const run = await bench.run(parameters, contacts(250), { onError });
			expect([run.error, run.errorItems]).toEqual([undefined, []]);
			expect(run.called.map(({ json }) => json.destination)).toEqual(bench.dialed);
			expect(run.items).toHaveLength(250);
			expect(run.notCalled.length).toBeGreaterThan(0);
			for (const { json } of run.notCalled)
				expect(json).toMatchObject({
					status: 'refused',
					reason: expect.stringMatching(/^The call history .* not available \(Gone\)/),
				});
		});

		it.each(OPERATIONS)('%s: 300 rows that are all invalid', async (_, operation) => {
			const rows = contacts(300).map((row, n) => ({ ...row, phone: `0555 010 ${1_000 + n}` }));
			const { json, error, hints } = await bench.run(operation(), rows, { onError });
			expect(error).toBeUndefined();
			expect(json.map(({ status, destination }) => [status, destination])).toEqual(
				rows.map((row) => ['invalid', row.phone]),
			);
			expect(hints[0]!.message).toMatch(/^0 of 300 rows called, 300 not called \(300 invalid\)/);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	describe('G1 with On Error = Stop what concerns the whole run is one message', () => {
		it.each<[string, INodeParameters, RegExp, RegExp]>([
			['a word', option({ timeout: '={{ "a minute" }}' }), /^Timeout is "a minute"/, /number/],
			[
				'an option that differs by row',
				option({ callsPerMinute: '={{ $itemIndex + 1 }}' }),
				/^Calls per Minute.*row 1.*row 2/,
				/one value/,
			],
			[
				'an option that cannot be evaluated',
				option({ timeout: `={{ ${NOT_EVALUATED} }}` }),
				/^Timeout .*row 1\b/,
				/red/,
			],
		])('%s', async (_, parameters, message, remedy) => {
			const ended = await bench.run(bulk(parameters), contacts(3));
			says(ended, message, [remedy, /Nobody was called\.$/]);
			expect(bench.sandbox.requests).toEqual([]);
		});

		it('that names the credential which cannot be read', async () => {
			const ended = shown(await bench.run(bulk(), contacts(3), { credentialProblem: 'Gone' }));
			expect(ended.message).toMatch(/^The credential could not be read \(Gone\)/);
			expect(ended.description).toMatch(/Choose the credential.*Nobody was called\.$/);
		});

		it('that does not tell you to start anew where others were called earlier in the execution', async () => {
			const rows = [...contacts(2), { phone: 'x' }, { phone: 'y' }];
			const invalid = shown(await bench.run(bulk(), rows, { batchSize: 2 }));
			expect(invalid.description).not.toMatch(/Nobody was called/);
			expect(invalid.description).toMatch(/No further call was started.*call everybody again/);
			const remembered = shown(
				await bench.run(bulk({ calledBefore: 'skip' }), rows, { batchSize: 2 }),
			);
			expect(remembered.description).not.toMatch(/Nobody was called|everybody again/);
		});
	});

	describe('Bulk Call', () => {
		it('G6 25 rows are called with exactly 3 requests and come out in order', async () => {
			const { called, notCalled, error } = await bench.run(bulk(), contacts(25));
			expect(error).toBeUndefined();
			expect(notCalled).toEqual([]);
			expect(
				bench.sandbox.requests.map(({ method, path, dialed }) => [method, path, dialed]),
			).toEqual([10, 10, 5].map((dialed) => ['POST', '/api/v1/outbound/calls/bulk', dialed]));
			expect(called.map(({ json }) => json.destination)).toEqual(phones(25));
			expect(pairs(called)).toEqual(contacts(25).map((_, n) => n));
		});

		it('a row holds what the API says of its call', async () => {
			const { json } = await bench.run(bulk(), contacts(2));
			expect(json).toEqual(
				bench.sandbox.journal.map((dial) => ({
					status: 'initiated',
					called: 'yes',
					reason: 'Call started',
					destination: dial.phone,
					success: true,
					consent_id: dial.consentId,
					call_sid: dial.callSid,
					batch_id: dial.batchId,
				})),
			);
		});

		it('G2 a number in several rows is called once, and later rows carry its IDs', async () => {
			const { json } = await bench.run(bulk(), [...contacts(12), { phone: phone(3) }]);
			expect(bench.dialed.sort()).toEqual(phones(12));
			expect(bench.sandbox.requests).toHaveLength(2);
			expect(json[12]).toEqual({
				...json[3],
				status: 'duplicate',
				called: 'other_row',
				reason: 'Same number as row 4',
			});
		});

		it('G6 two agents get requests of their own', async () => {
			const items = contacts(14).map((row, n) => ({
				...row,
				agent: n % 2 ? AGENT : AGENT_WITH_SIP_ID,
			}));
			const { json } = await bench.run(
				bulk({ agentNumber: '={{ $json.agent }}', callerNumber: CALLER }),
				items,
			);
			const bodies = bench.bodies<{ agent_number: string; destinations: unknown[] }>();
			expect(bodies.map((body) => [body.agent_number, body.destinations.length])).toEqual([
				[AGENT_WITH_SIP_ID, 7],
				[AGENT, 7],
			]);
			expect(json.map(({ destination }) => destination)).toEqual(items.map((row) => row.phone));
		});

		it('agent and caller may come from the row, and a phone number needs no caller', async () => {
			const parameters = bulk({
				agentNumber: '={{ $json.agent }}',
				callerNumber: '={{ $json.from }}',
			});
			await bench.run(parameters, [
				{ phone: phone(1), agent: ` ${SIP_AGENT}`, from: CALLER },
				{ phone: phone(2), agent: AGENT, from: '' },
				{ phone: phone(3), agent: AGENT.slice(1), from: '' },
			]);
			const { journal } = bench.sandbox;
			expect(journal.map(({ agentNumber, callerNumber }) => [agentNumber, callerNumber])).toEqual([
				[SIP_AGENT, CALLER],
				[AGENT, undefined],
				[AGENT, undefined],
			]);
		});
	});
});

describe('duplicates', () => {
	const keyed = bulk({ calledBefore: 'onceForEach', onceForEach: '={{ $json.invoice }}' });

	it('a row with the number of an earlier one is called when that was refused with its agent, unless it has the same', async () => {
		const agents = [UNKNOWN_AGENT, UNKNOWN_AGENT, AGENT, AGENT];
		const run = await bench.run(
			bulk({ agentNumber: '={{ $json.agent }}' }),
			agents.map((agent) => ({ phone: phone(1), agent })),
			goesOn,
		);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(statuses(run.json)).toEqual(['refused', 'refused', 'initiated', 'duplicate']);
	});

	describe('G2 a row with the number of an earlier row and other details is a duplicate without its call', () => {
		const variables = { variablesFrom: 'json', promptVariablesJson: '={{ { name: $json.name } }}' };
		const mother = { phone: phone(1), name: 'Ada', invoice: 'INV-1', agent: AGENT };

		it.each<[string, INodeParameters, object, RegExp]>([
			['other prompt variables', bulk(variables), { name: 'Byron' }, /row 1.*details are spoken/],
			[
				'another agent',
				bulk({ agentNumber: '={{ $json.agent }}' }),
				{ agent: AGENT_WITH_SIP_ID },
				/row 1.*details are spoken/,
			],
			['another value of Once for Each', keyed, { invoice: 'INV-2' }, /row 1.*next run/],
		])('%s', async (_, parameters, other, reason) => {
			const rows = [mother, { ...mother, ...other }, mother];
			const waits = { ...parameters, waitUntil: 'finished' };
			const { json } = await bench.run(waits, rows);
			expect(bench.dialed).toEqual([phone(1)]);
			expect(json.map(({ status, called, reached }) => [status, called, reached])).toEqual([
				['initiated', 'yes', true],
				['duplicate', 'other_row', null],
				['duplicate', 'other_row', true],
			]);
			expect(json[1]).toMatchObject({
				reason: expect.stringMatching(reason),
				success: false,
				consent_id: null,
				call_sid: null,
				batch_id: null,
			});
			const dry = await bench.run(
				{ ...parameters, calledBefore: 'callAgain', mode: 'dryRun' },
				rows,
			);
			expect(statuses(dry.json)).toEqual(['dry_run', 'duplicate', 'duplicate']);
		});

		it('a dry run puts it into no request', async () => {
			const rows = [mother, { ...mother, name: 'Byron' }, mother];
			const { json } = await bench.run(bulk({ ...variables, mode: 'dryRun' }), rows);
			expect(json.map(({ request }) => request)).toEqual([1, undefined, 1]);
		});
	});
});
