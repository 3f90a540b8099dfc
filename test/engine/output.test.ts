import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Finished, RunRequest } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { pairs, text, all, shown, statuses, linesOf, says } from './helpers/outcomes';
import { AGENT, AGENT_WITH_SIP_ID, CALLER, SIP_AGENT, UNKNOWN_AGENT } from './helpers/account';
import { CONTINUE, goesOn, ON_ERROR } from './helpers/onError';
import { bulk, contacts, OPERATIONS, phone, phones, place } from './helpers/workflows';
import type { FaultRule } from '../sandbox';
import { storeForEach } from './helpers/durableStore';
import { closedPort } from './helpers/otherServers';

const bench = workbench();
const store = storeForEach();

/** As the node is where nobody touched its options. */
const untouched = (parameters: INodeParameters) => ({ ...parameters, options: {} });

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const inTwoDays = DAYS[(new Date().getUTCDay() + 2) % 7]!;
/** Calling hours that begin the day after tomorrow. */
const closedNow: INodeParameters = {
	callingHours: 'custom',
	callingWindows: { window: [{ days: [inTwoDays], from: '09:00', to: '20:00' }] },
};

describe('columns', () => {
	const withInput = { options: { includeInputFields: true } };

	describe.each(OPERATIONS)('the output of %s', (name, operation) => {
		it.each(ON_ERROR)('G5 has one item per row, in order, with its files (%s)', async (onError) => {
			const rows: IDataObject[] = [...contacts(3), { phone: 'none' }, { phone: phone(0) }];
			const before = structuredClone(rows);
			const files = rows.map((_, n) => ({ letter: { data: '', mimeType: 'a/b', id: `${n}` } }));
			const run = await bench.run(untouched(operation()), rows, { files, onError });
			expect(rows).toEqual(before);
			expect(run.json).toMatchObject(rows);
			expect(run.data.resultData.runData.Calls![0]!.data!.main![0]).toHaveLength(5);
			expect(run.errorItems).toEqual([]);
			expect(pairs(run.items)).toEqual([0, 1, 2, 3, 4]);
			expect(run.items.map(({ binary }) => binary)).toEqual(files);
			expect(run.json.map(({ called }) => text(called)).join(' ')).toBe('yes yes yes no other_row');
		});

		const ids =
			name === 'Bulk Call'
				? 'called_at consent_id batch_id'
				: 'called_at call_id external_call_id consent_id batch_id';
		/** The columns of each row, in their order. */
		const columnsOf = ({ json }: Finished): string[] =>
			json.map((row) => Object.keys(row).join(' '));

		it('with Simplify off has everything, in the order of the contract', async () => {
			const row = { phone: '+1 415 555 2671', name: 'Ada' };
			const columns = async (more: INodeParameters) =>
				columnsOf(await bench.run(operation({ ...withInput, ...more }), [row])).join();
			const own = 'reason destination phone name';
			const answer = name === 'Bulk Call' ? 'success call_sid' : 'success';
			const followed = 'auto_call_error record_status updated_at settled';
			const planned = 'prompt_variables agent_number caller_number request';
			expect(await columns({})).toBe(`status called ${own} ${ids} ${answer} original_destination`);
			expect(await columns({ waitUntil: 'finished' })).toBe(
				`status called reached ${own} ${ids} conversation_id ${answer} ${followed} original_destination`,
			);
			expect(await columns({ mode: 'dryRun' })).toBe(
				`status called ${own} ${planned} original_destination`,
			);
		});

		describe('left as it is has few columns, first what everybody reads', () => {
			const rows: IDataObject[] = [
				{ phone: '+1 415 555 2671', name: 'Ada' },
				{ phone: 'none', name: 'Bob' },
				{ phone: '+14155552671', name: 'Eve' },
			];
			const own = 'reason destination phone name';
			const run = async (more: INodeParameters, input = rows) =>
				await bench.run(untouched(operation(more)), input);

			it.each<[string, INodeParameters, string]>([
				['in a live run the IDs of the call', {}, `called ${own} ${ids}`],
				[
					'in a live run that waits also who was reached',
					{ waitUntil: 'finished' },
					`called reached ${own} ${ids} conversation_id`,
				],
				[
					'in a dry run what would be said, and not who was reached, though Live waits',
					{ mode: 'dryRun', waitUntil: 'finished' },
					`called ${own} prompt_variables`,
				],
			])('%s, in each row', async (_, more, columns) => {
				const finished = await run(more);
				expect(columnsOf(finished)).toEqual(rows.map(() => `status ${columns}`));
				if (columns.includes('reached'))
					expect(finished.json.map(({ reached }) => reached)).toEqual([
						...['yes', 'not_called', 'other_row'],
					]);
			});

			it('in a dry run with several agents which one would call', async () => {
				const agents = [AGENT_WITH_SIP_ID, AGENT];
				const input = agents.map((agent, n) => ({ phone: phone(n), agent }));
				const finished = await run({ mode: 'dryRun', agentNumber: '={{ $json.agent }}' }, input);
				const row = 'status called reason destination phone agent';
				expect(columnsOf(finished)).toEqual(
					agents.map(() => `${row} prompt_variables agent_number caller_number`),
				);
				expect(finished.json.map(({ agent_number }) => agent_number)).toEqual(agents);
			});

			it('when a row can be called later also that, in no other row', async () => {
				const more = { options: {}, ...closedNow, rules: { timeZone: '={{ $json.zone }}' } };
				const input = [
					{ phone: phone(0), zone: 'Europe/Berlin' },
					{ phone: phone(1), zone: 'nowhere' },
				];
				const row = 'reason destination phone zone';
				expect(columnsOf(await run({ ...more, mode: 'dryRun' }, input))).toEqual([
					`status called ${row} prompt_variables callable_at held_by`,
					`status called ${row} prompt_variables`,
				]);
				expect(columnsOf(await run(more, input))).toEqual([
					`status called ${row} ${ids} callable_at held_by`,
					`status called ${row} ${ids}`,
				]);
			});

			it('columns of the input keep their names unless they are among the few', async () => {
				const row = { phone: phone(0), success: 'a', settled: 'b', request: 'c', called_at: 'd' };
				const { json } = await run({}, [row]);
				expect(json[0]).toMatchObject({
					...{ success: 'a', settled: 'b', request: 'c', input_called_at: 'd' },
					called_at: expect.stringMatching(ISO),
				});
			});
		});
	});

	describe('called_at says when the request left', () => {
		/** Whole seconds before and after something happens. */
		const during = async <T>(happens: Promise<T>): Promise<[T, [number, number]]> => {
			const from = Math.floor(Date.now() / 1_000) * 1_000;
			return [await happens, [from, Date.now()]];
		};
		const isWithin = (value: unknown, [from, to]: [number, number]): boolean => {
			expect(value).toMatch(ISO);
			const at = Date.parse(text(value));
			return from <= at && at <= to;
		};

		it.each<[string, string, INodeParameters, RegExp]>([
			['the zone of a number in one zone', '+919876543210', {}, /\+05:30$/],
			['several zones that agree', '+447911123456', {}, /\+0[01]:00$/],
			['Time Zone', phone(0), { rules: { timeZone: 'Asia/Tokyo' } }, /\+09:00$/],
			// New York's.
			['the workflow, for a number in several zones', phone(0), {}, /-0[45]:00$/],
		])('on the clock of %s', async (_, number, more, offset) => {
			for (const operation of [bulk, place]) {
				const [{ json }, time] = await during(bench.run(operation(more), [{ phone: number }]));
				expect(json[0]!.called_at).toMatch(offset);
				expect(isWithin(json[0]!.called_at, time)).toBe(true);
			}
		});

		it.each(OPERATIONS)(
			'G4 and is the same after a Retry, later for the rest (%s)',
			async (_, operation) => {
				bench.sandbox.fault({ kind: 'unauthorized', after: 1, times: 1 });
				const parameters = operation({ options: { parallelRequests: 1 } });
				const [stopped, first] = await during(bench.run(parameters, contacts(12)));
				const sent = bench.dialed.length;
				bench.time.laterDays(1);
				const again = bench.run(parameters, contacts(12), { retryOf: stopped });
				const [{ json: rows }, second] = await during(again);
				expect(statuses(rows)).toEqual(all(12, 'initiated'));
				expect(rows.map(({ called_at }) => isWithin(called_at, first))).toEqual(
					rows.map((__, n) => n < sent),
				);
				expect(rows.map(({ called_at }) => isWithin(called_at, second))).toEqual(
					rows.map((__, n) => n >= sent),
				);
			},
		);

		it('also in rows that may have been called and in duplicates with the same details, and is null elsewhere', async () => {
			bench.sandbox.destinationOutcome.set(phone(1), { status: 'skipped', error: 'Listed' });
			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
			const people = [...contacts(11), contacts(1)[0]!, { ...contacts(1)[0]!, name: 'Other' }];
			const rows = [...people, { phone: 'none' }, { phone: '+18765550123' }];
			const parameters = bulk({
				countries: ['US'],
				variablesFrom: 'json',
				promptVariablesJson: '={{ { name: $json.name ?? "" } }}',
				options: { parallelRequests: 1 },
			});
			const { json } = await bench.run(parameters, rows, goesOn);
			const at = expect.stringMatching(ISO);
			expect(json.map(({ status, called_at }) => [status, called_at])).toEqual([
				['initiated', at],
				['skipped', null],
				...Array<unknown>(8).fill(['initiated', at]),
				['unknown', at],
				['duplicate', json[0]!.called_at],
				['duplicate', null],
				['invalid', null],
				['not_allowed', null],
			]);
		});
	});

	it('has a reason in every row: 160 characters at most, 500 where it quotes the API', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'x'.repeat(2_000) });
		const bad = ['', '0171 2345678', '1.5E+10', '{{ $json.phone }}', 'x'.repeat(300)];
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

	describe('a reason that many rows share is at most 50 characters', () => {
		const waits: INodeParameters = { waitUntil: 'finished' };
		const briefly = { window: [{ days: [inTwoDays], from: '09:00', to: '09:05' }] };
		const briefHours: INodeParameters = { callingHours: 'custom', callingWindows: briefly };
		const us = { countries: ['US'] };
		const special = { ...us, rules: { specialNumbers: 'call' } };

		it.each<[RegExp, INodeParameters, string?]>([
			[/^Reached$/, waits],
			[/never open together.*Time Zone/, briefHours, '+15550101000'],
			[/^Country not chosen: British Indian Ocean Territory$/, us, '+2463801234'],
			[/^Of no country: only Any Country allows it$/, special, '+88213123456'],
		])('%s', async (reason, parameters, number = phone(0)) => {
			const { json } = await bench.run(bulk(parameters), [{ phone: number }]);
			expect(json[0]!.reason).toMatch(reason);
			expect(text(json[0]!.reason).length).toBeLessThanOrEqual(50);
		});

		it('a quoted text is whole, whatever it holds', async () => {
			const rules = { doNotCall: 'Mrs. Osei. Row 2' };
			const { json, hints } = await bench.run(bulk({ rules }), contacts(6), goesOn);
			const said = 'Entry 1 of Do Not Call is "Mrs. Osei. Row 2", which is not one phone number';
			expect(new Set(json.map(({ reason }) => reason))).toEqual(new Set([said]));
			expect(hints[0]!.message).toContain(said);
		});

		const briefWait = { waitUntil: 'finished', waitTimeout: 0.001 };
		it.each<[string, object, INodeParameters, RegExp]>([
			['may have been called', { success: false, status: 'odd' }, {}, /^May have been called$/],
			[
				'a call without an ID',
				{ consent_id: null },
				briefWait,
				/^Call started.*cannot be followed$/,
			],
		])('%s', async (_, said, parameters, reason) => {
			const batch_id = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';
			const result = { consent_id: 1, call_sid: null, success: true, status: 'initiated', ...said };
			const body = { success: true, batch_id, results: [{ destination: phone(0), ...result }] };
			bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body });
			const { json } = await bench.run(bulk(parameters), contacts(1), goesOn);
			expect(json[0]!.reason).toMatch(reason);
			expect(text(json[0]!.reason).length).toBeLessThanOrEqual(50);
		});
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
		it('of a run counts rows, and says that the following nodes get all unless all were called', async () => {
			bench.sandbox.destinationOutcome.set(phone(1), { status: 'locked', error: 'Locked' });
			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
			const parameters = bulk({ waitUntil: 'finished', options: { parallelRequests: 1 } });
			const rows = [...contacts(12), { phone: 'x' }, { phone: phone(0) }];
			const run = await bench.run(parameters, rows, goesOn);
			const [counts, reached, ...more] = linesOf(run);
			expect(counts).toMatch(/^<b>9 of 14 rows called, 2 possibly called, 3 not called \(/);
			expect(counts).toMatch(/1 locked.*<\/b>$/);
			expect(reached).toMatch(/^9 reached, 0 not reached/);
			expect(more).toEqual([
				'To correct: row 13',
				expect.stringMatching(/may have been placed\. Check the outbound calls page/),
				expect.stringMatching(/all rows.*called or reached/),
			]);
			expect(linesOf(await bench.run(bulk(), contacts(1)))).toEqual(['<b>1 of 1 row called</b>']);
		});

		it('of a dry run of people called before ends with what to do', async () => {
			const skip = bulk({ calledBefore: 'skip' });
			await bench.run(skip, contacts(1));
			const run = await bench.run({ ...skip, mode: 'dryRun' }, [...contacts(1), { phone: 'x' }]);
			expect(linesOf(run).at(-1)).toMatch(/Once for Each.*Call Again.*Forget People/);
		});

		it('of a test is that of a dry run, with the call', async () => {
			const test = bulk({ mode: 'test', testNumber: '+14155552671' });
			const lines = linesOf(await bench.run(test, contacts(3)));
			expect(bench.dialed).toEqual(['+14155552671']);
			expect(lines[0]).toMatch(/^<b>3 of 3 rows would be called\b.*phone was called.*<\/b>$/);
			expect(lines.slice(1)).toEqual(
				linesOf(await bench.run(bulk({ mode: 'dryRun' }), contacts(3))).slice(1),
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
			it('switched off, rows have none of them', async () => {
				const rows = [...contacts(1), { phone: 'x', name: 'Bob' }];
				const files = rows.map(() => ({ letter: { data: 'aGk=', mimeType: 'a/b' } }));
				const { items, json } = await bench.run(operation(), rows, { files });
				for (const row of json) expect(Object.keys(row).join(' ')).not.toMatch(/phone|name|amount/);
				expect(items.map(({ binary }) => binary)).toEqual([undefined, undefined]);
			});

			it.each(ON_ERROR)('G5 an item with an error is invalid (%s)', async (onError) => {
				const failed = ['Wrong size', { message: 'Broken' }];
				const errors = [...failed, '', null, 0, {}, ['x'], { message: 5 }];
				const rows = errors.map((error, n) => ({ phone: phone(n), error }));
				const more = { onError, retry: { tries: 3, waitMs: 0 } };
				const { json, errorItems } = await bench.run(asIs(operation()), rows, more);
				expect(errorItems).toEqual([]);
				expect(statuses(json)).toEqual([...all(2, 'invalid'), ...all(6, 'initiated')]);
				expect(json.map(({ input_error }) => input_error)).toEqual(errors);
				expect(json[0]!.reason).toMatch(/node before.*Wrong size.*Filter/);
				expect(json[1]!.reason).toMatch(/Broken/);
				for (const row of json) expect(row).not.toHaveProperty('error');
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
			expect(json[0]).toMatchObject({
				...{ called: 'yes', consent_id: null, batch_id: null },
				...{ input_consent_id: 7, input_batch_id: 'b', input_call_sid: 'CA7' },
			});
			expect(json[0]).not.toHaveProperty('call_sid');
		});
	});
});

describe('outcomes', () => {
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
	const trouble = (name: string, reason: RegExp, more: Partial<Trouble>) => ({
		name,
		reason,
		...more,
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
		trouble('a limit with a long wait', /limit is reached.*60 minutes.*Max Retry Wait/, {
			fault: { kind: 'rateLimited', retryAfter: 3_600 },
		}),
		trouble('a text that refuses each row', /not accept the request \(Odd\)\. /, { fault: odd }),
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
					const options = { ...(parameters.options as INodeParameters), includeInputFields: true };
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
					expect(run.hints[0]!.message).toMatch(new RegExp(`^<b>0 of ${people + 1} rows called`));
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
			expect(hints[0]!.message).toMatch(/^<b>0 of 300 rows called, 300 not called \(300 invalid\)/);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	describe('G1 with On Error = Stop what concerns the whole run is one message', () => {
		const differs = /^Calls per Minute.*row 1.*row 2/;
		it.each<[string, INodeParameters, RegExp, RegExp]>([
			['a word', option({ timeout: '={{ "a minute" }}' }), /^Timeout is "a minute"/, /number/],
			['a value by row', option({ callsPerMinute: '={{ $itemIndex + 1 }}' }), differs, /one value/],
			[
				'no value',
				option({ timeout: `={{ ${NOT_EVALUATED} }}` }),
				/^Timeout .*row 1\b/,
				/\[ERROR\]/,
			],
		])('%s', async (_, parameters, message, remedy) => {
			const ended = await bench.run(bulk(parameters), contacts(3));
			says(ended, message, [remedy, /Nobody was called\.$/]);
			expect(bench.sandbox.requests).toEqual([]);
		});

		it('that names the credential which cannot be read', async () => {
			const ended = await bench.run(bulk(), contacts(3), { credentialProblem: 'Gone' });
			const remedy = /Choose the credential.*Nobody was called\.$/;
			says(ended, /^The credential could not be read \(Gone\)/, remedy);
		});

		it('that does not tell you to start anew where others were called earlier in the execution', async () => {
			const rows = [...contacts(2), { phone: 'x' }, { phone: 'y' }];
			const invalid = shown(await bench.run(bulk(), rows, { batchSize: 2 }));
			expect(invalid.description).not.toMatch(/Nobody was called/);
			expect(invalid.description).toMatch(/No further call was started.*call everybody again/);
			const skip = bulk({ calledBefore: 'skip' });
			const remembered = shown(await bench.run(skip, rows, { batchSize: 2 }));
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
					...{ status: 'initiated', called: 'yes', reason: 'Call started', success: true },
					...{ destination: dial.phone, called_at: expect.stringMatching(ISO) as string },
					...{ consent_id: dial.consentId, call_sid: dial.callSid, batch_id: dial.batchId },
				})),
			);
		});

		it('G2 a number in several rows is called once, and later rows carry its IDs', async () => {
			const { json } = await bench.run(bulk(), [...contacts(12), { phone: phone(3) }]);
			expect(bench.dialed.sort()).toEqual(phones(12));
			expect(bench.sandbox.requests).toHaveLength(2);
			const same = { status: 'duplicate', called: 'other_row', reason: 'Same number as row 4' };
			expect(json[12]).toEqual({ ...json[3], ...same });
		});

		it('G6 two agents get requests of their own', async () => {
			const agents = [AGENT_WITH_SIP_ID, AGENT];
			const items = contacts(14).map((row, n) => ({ ...row, agent: agents[n % 2] }));
			const parameters = bulk({ agentNumber: '={{ $json.agent }}', callerNumber: CALLER });
			const { json } = await bench.run(parameters, items);
			const bodies = bench.bodies<{ agent_number: string; destinations: unknown[] }>();
			expect(bodies.map((body) => [body.agent_number, body.destinations.length])).toEqual([
				[AGENT_WITH_SIP_ID, 7],
				[AGENT, 7],
			]);
			expect(json.map(({ destination }) => destination)).toEqual(items.map((row) => row.phone));
		});

		it('agent and caller may come from the row, and a phone number needs no caller', async () => {
			const columns = { agentNumber: '={{ $json.agent }}', callerNumber: '={{ $json.from }}' };
			await bench.run(bulk(columns), [
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
				['initiated', 'yes', 'yes'],
				['duplicate', 'other_row', 'other_row'],
				['duplicate', 'other_row', 'other_row'],
			]);
			const { conversation_id, consent_id } = json[0]!;
			expect(json[2]).toMatchObject({ conversation_id, consent_id });
			expect(json[1]).toMatchObject({
				...{ reason: expect.stringMatching(reason) as string, success: false, called_at: null },
				...{ conversation_id: null, consent_id: null, call_sid: null, batch_id: null },
			});
			const dry = { ...parameters, calledBefore: 'callAgain', mode: 'dryRun' };
			expect(await bench.statuses(dry, rows)).toEqual(['dry_run', 'duplicate', 'duplicate']);
		});

		it('a dry run puts it into no request', async () => {
			const rows = [mother, { ...mother, name: 'Byron' }, mother];
			const { json } = await bench.run(bulk({ ...variables, mode: 'dryRun' }), rows);
			expect(json.map(({ request }) => request)).toEqual([1, undefined, 1]);
		});
	});
});
