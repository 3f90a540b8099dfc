import type { INodeParameters, IDataObject } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { shown, pairs, text, statuses, all, linesOf, says } from './helpers/outcomes';
import { AGENT, AGENT_WITH_PROMPT, CALLER, SIP_AGENT } from './helpers/account';
import { goesOn, ON_ERROR } from './helpers/onError';
import { assignments, bulk, contacts, OPERATIONS, phone, phones, place } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

const columns = { name: '={{ $json.name }}', amount: '={{ $json.amount }}' };

describe('Mode', () => {
	describe.each(OPERATIONS)('%s', (_, operation) => {
		/** What the editor stores when somebody drags a node in and fills in what it asks for: fields left as they were are not stored. */
		const newNode: INodeParameters = {
			...{ resource: 'call', operation: operation().operation! },
			...{ agentNumber: AGENT, destination: '={{ $json.phone }}', countries: ['US'] },
		};

		it('a new node calls nobody, and shows what it would do', async () => {
			const run = await bench.run(newNode, contacts(3));
			expect(run.error).toBeUndefined();
			expect(bench.sandbox.requests).toEqual([]);
			expect(run.json).toHaveLength(3);
			for (const { called } of run.json) expect(called).toBe('no');
			expect(store.size).toBe(0);
			expect(run.hints[0]!.message).toMatch(/of 3 rows would be called/);
		});

		it('G8 a new node set to Live calls each person once, over all runs', async () => {
			const live = { ...newNode, mode: 'live', callingHours: 'any', countries: ['any'] };
			expect(await bench.statuses(live, contacts(3))).toEqual(all(3, 'initiated'));
			const more = await bench.statuses(live, contacts(4));
			expect(more).toEqual([...all(3, 'already_called'), 'initiated']);
			expect(bench.dialed.sort()).toEqual(phones(4));
		});

		it.each(['Lve', 'live!', 'dry_run', 'Live', true, '', null])(
			'G1 Mode %j calls nobody',
			async (slip) => {
				const rows = contacts(2).map((row) => ({ ...row, mode: slip }));
				const parameters = operation({ mode: '={{ $json.mode }}' });
				says(await bench.run(parameters, rows), /^Mode is /, /dryRun.*Nobody was called/);
				const { json } = await bench.run(parameters, rows, goesOn);
				const reason = expect.stringMatching(/^Mode is .*dryRun.*test.*live/) as string;
				expect(json).toMatchObject(Array(2).fill({ status: 'refused', called: 'no', reason }));
				expect(bench.sandbox.requests).toEqual([]);
			},
		);

		it.each<[string, INodeParameters]>([
			['that differs by row', { mode: '={{ $json.name === "Person 0" ? "live" : "dryRun" }}' }],
			['of a column that does not exist', { mode: '={{ $json.mode }}' }],
			['that cannot be evaluated', { mode: '={{ $("Nowhere").first().json.mode }}' }],
		])('G1 an expression %s calls nobody', async (__, parameters) => {
			expect(shown(await bench.run(operation(parameters), contacts(2))).message).toMatch(/^Mode /);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	it('G8 Retry with the saved workflow goes on live', async () => {
		const mode = "={{ $execution.mode === 'test' ? 'dryRun' : 'live' }}";
		const broken = bulk({ mode, options: { timeout: '={{ "soon" }}' } });
		const retryOf = await bench.run(broken, contacts(1));
		const retry = { retryOf, withSavedWorkflow: true };
		expect(await bench.statuses(bulk({ mode }), contacts(1), retry)).toEqual(['initiated']);
	});
});

describe('Dry Run', () => {
	afterEach(() => {
		expect(bench.sandbox.requests).toEqual([]);
		expect(store.size).toBe(0);
	});

	/** A dry run as a new node makes it. */
	const dry = (more: INodeParameters = {}): INodeParameters =>
		bulk({ mode: 'dryRun', calledBefore: 'skip', ...more });

	describe('rows of a dry run', () => {
		it('show what would be sent', async () => {
			const promptVariables = assignments(columns);
			const { items, json } = await bench.run(dry({ promptVariables }), contacts(2));
			expect(json).toEqual(
				contacts(2).map((row, n) => ({
					...{ status: 'dry_run', called: 'no', reason: 'Would be called' },
					...{ destination: phone(n), request: 1, agent_number: AGENT, caller_number: null },
					prompt_variables: { name: row.name, amount: String(row.amount) },
				})),
			);
			expect(pairs(items)).toEqual([0, 1]);
		});

		it('show the External Call ID and one request per row of Place Call', async () => {
			const options = { includeInputFields: false, externalCallId: '=order-{{ $json.amount }}' };
			const { json } = await bench.run(place(dry({ options })), contacts(2));
			expect(json).toMatchObject([
				{ request: 1, external_call_id: 'order-0.5' },
				{ request: 2, external_call_id: 'order-1.5' },
			]);
		});

		it('show a SIP agent with its caller, and a number before it was cleaned', async () => {
			const { json } = await bench.run(
				dry({ agentNumber: SIP_AGENT, callerNumber: CALLER, countries: ['DE'] }),
				[{ phone: '0171 2345678' }],
			);
			expect(json[0]).toMatchObject({
				...{ destination: '+491712345678', original_destination: '0171 2345678' },
				...{ agent_number: SIP_AGENT, caller_number: CALLER },
			});
		});

		it.each<[string, INodeParameters, number, number[]]>([
			['10 rows are one request', {}, 10, [10]],
			['25 rows are three', {}, 25, [10, 10, 5]],
			['Calls per Minute makes them smaller', { options: { callsPerMinute: 3 } }, 7, [3, 3, 1]],
		])('%s', async (_, more, count, sizes) => {
			const { json } = await bench.run(dry(more), contacts(count));
			expect(json.map(({ request }) => request)).toEqual(
				sizes.flatMap((size, n) => Array<number>(size).fill(n + 1)),
			);
		});

		it('have no fields of a call, also where the node would wait', async () => {
			const { json } = await bench.run(
				dry({ waitUntil: 'finished', options: { includeInputFields: false } }),
				[...contacts(2), { phone: phone(1) }, { phone: 'Ada' }],
			);
			const names = json.flatMap((row) => Object.keys(row));
			const ofCalls = /error|success|_id$|_sid$|reached|settled/;
			expect(names.filter((name) => ofCalls.test(name))).toEqual([]);
		});

		it('need no credential', async () => {
			const run = await bench.run(dry(), contacts(2), { api: { baseUrl: 'none', token: '' } });
			expect(statuses(run.json)).toEqual(['dry_run', 'dry_run']);
		});
	});

	describe('G5 rows that cannot be sent', () => {
		it.each(ON_ERROR)('G5 come out even if no row can be sent (%s)', async (onError) => {
			const run = await bench.run(dry(), [{ phone: 'Ada' }, {}], { onError });
			expect([run.error, run.errorItems]).toEqual([undefined, []]);
			expect(run.json.map(({ status, destination }) => [status, destination])).toEqual([
				['invalid', 'Ada'],
				['invalid', '(none)'],
			]);
			expect(pairs(run.items)).toEqual([0, 1]);
			expect(linesOf(run)[0]).toMatch(/^<b>0 of 2 rows would be called<\/b>$/);
		});

		it('G1 a setting that cannot be used refuses all, with or without Stop Workflow', async () => {
			const unusable = dry({ options: { timeout: 'soon' } });
			expect(shown(await bench.run(unusable, contacts(2))).message).toMatch(/^Timeout is "soon"/);
			const run = await bench.run(unusable, contacts(2), goesOn);
			expect(statuses(run.json)).toEqual(['refused', 'refused']);
			expect(linesOf(run).join()).toMatch(/Timeout is "soon"/);
		});
	});

	describe('the summary of a dry run says', () => {
		const said = async (rows: IDataObject[], more: INodeParameters = {}): Promise<string[]> =>
			linesOf(await bench.run(dry(more), rows));
		const named = (values: Record<string, string>): INodeParameters => ({
			promptVariables: assignments(values),
		});
		const sheet = contacts(3).map((row, n) => ({ ...row, gone: n === 1 ? 'yes' : '' }));

		it('how many would be called, first, and what to do next, last', async () => {
			const all = await said([...contacts(2), { phone: phone(0) }, { phone: '0555 123456' }]);
			expect(all[0]).toBe('<b>2 of 4 rows would be called</b>');
			expect(all).toContain('To correct: row 4');
			expect(all.at(-1)).toMatch(/Mode to Live/);
		});

		/** One minute a week, not today. */
		const weekday = (new Date().getUTCDay() + 3) % 7;
		const days = [['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][weekday]!];
		const closed: INodeParameters = {
			callingHours: 'custom',
			callingWindows: { window: [{ days, from: '12:00', to: '12:01' }] },
		};
		const unusable: IDataObject[] = [...contacts(1), { phone: 'Ada' }];
		const mixed = [{ phone: '+18765550123' }, { phone: 'Ada' }];

		it.each<[string, RegExp, IDataObject[], INodeParameters]>([
			['hours', /Any Hour in a dry run, .*Test rings your own phone/, contacts(2), closed],
			['hours, beside a row to correct', /Any Hour in a dry run/, unusable, closed],
			['cells', /^Correct these rows, then execute again$/, mixed, { countries: ['US'] }],
			['countries', /^Change what .*then execute again$/, contacts(1), { countries: ['DE'] }],
			['Max Calls', /^Change what .*then execute again$/, contacts(1), { rules: { maxCalls: 0 } }],
		])('what to do next, last, also if %s keep everybody back', async (_, next, rows, more) => {
			const lines = await said(rows, more);
			expect(lines[0]).toMatch(/^<b>0 of \d rows? would be called<\/b>$/);
			expect(lines.at(-1)).toMatch(next);
		});

		it('which rows the following nodes get, unless all would be called', async () => {
			const FOLLOWING = /^The following nodes get all rows\. .*Filter: called is equal to yes$/;
			const waits = { waitUntil: 'finished' };
			expect(await said(unusable, waits)).toContainEqual(expect.stringMatching(FOLLOWING));
			expect((await said(contacts(2), waits)).join()).not.toMatch(/following nodes/);
		});

		it('that Skip calls each person once, where a limit allows several calls', async () => {
			const limit = (calls: number, more: INodeParameters = {}): INodeParameters => ({
				rules: { callsPerPerson: { limit: [{ calls, per: 'day' }] } as unknown as INodeParameters },
				...more,
			});
			const ONCE = /^With Skip, each person is called once\. .*People Called Before to Call Again/;
			expect(await said(contacts(1), limit(3))).toContainEqual(expect.stringMatching(ONCE));
			for (const other of [limit(1), limit(3, { calledBefore: 'callAgain' })])
				expect((await said(contacts(1), other)).join()).not.toMatch(/With Skip/);
		});

		const uk = { phone: '+447911123456' };
		const national = [{ phone: '0171 2345678' }];
		const marked = [{ phone: phone(0), 'Opt-Out': 'yes' }];
		const gaps = ['1', ''].map((amount, n) => ({ phone: phone(n), name: 'A', amount }));
		const rules = { doNotCall: '+14155550123, +14155550124' };
		const asked = { optedOut: '={{ $json.gone }}', rules };
		const one = { doNotCall: '+14155550123', maxCalls: 1 };
		it.each<[RegExp, IDataObject[], INodeParameters]>([
			[/^To correct: row 2$/, unusable, {}],
			[/^Countries: United States \(2\) and United Kingdom \(1\)$/, [...contacts(2), uk], {}],
			[/Numbers without \+ are read as numbers in Germany/, national, { countries: ['DE'] }],
			// Also zero, and no rule that held back nobody.
			[/^Held back\. Opted Out: 1 row\. Do Not Call \(2 numbers\): 0 rows$/, sheet, asked],
			[
				/^Held back\. Opted Out: 0 rows\. Calling Hours: 1 row\. Countries and Special Numbers: 1 row$/,
				[...contacts(1), uk],
				{ ...closed, countries: ['US'], optedOut: '={{ $json.name === "nobody" }}' },
			],
			[
				/^Held back\. Do Not Call \(1 number\): 0 rows\. Limits: 2 rows$/,
				contacts(3),
				{ rules: one },
			],
			[/^<b>Careful: the column "Opt-Out" .*Opted Out is empty.*<\/b>$/, marked, {}],
			[/^Prompt variables: "name" and "amount"\. Empty: "amount" in row 2$/, gaps, named(columns)],
			// No markup.
			[/^Prompt variables: "[^<]*b[^<]*"$/, contacts(1), named({ '<b>': 'x' })],
		])('%s', async (line, rows, more) => {
			expect(await said(rows, more)).toContainEqual(expect.stringMatching(line));
		});

		it('nothing of rules and variables that are not set', async () => {
			const unset =
				/Do Not Call|Held back|Prompt variables|To correct|Limits|looks like|Called before|following|With Skip|published/;
			expect((await said(contacts(1))).join()).not.toMatch(unset);
		});
	});
});

const rowsOf = (phones: number[], more: (id: number) => IDataObject = () => ({})): IDataObject[] =>
	phones.map((n, id) => ({ id, phone: phone(n), ...more(id) }));
const inTurns = (id: number) => ({ agent: id % 2 === 0 ? AGENT : SIP_AGENT });
const twoAgents = { agentNumber: '={{ $json.agent }}', callerNumber: CALLER };
const visits = { calledBefore: 'onceForEach', onceForEach: '={{ $json.visit }}' };

it.each<[string, INodeParameters, IDataObject[], number[]]>([
	[
		'Max Calls per Day with two agents',
		{ ...twoAgents, rules: { maxCallsPerDay: 2 } },
		rowsOf([0, 1, 2, 3], inTurns),
		[0, 2],
	],
	['Max Calls', { ...twoAgents, rules: { maxCalls: 2 } }, rowsOf([0, 1, 2, 3], inTurns), [0, 1]],
	['somebody called before', { rules: { maxCalls: 2 } }, rowsOf([9, 1, 2, 3]), [1, 2]],
	[
		'a duplicate of a row that is invalid',
		{ optedOut: '={{ $json.gone }}' },
		rowsOf([1, 2, 2], (id) => ({ gone: id === 0 ? 'yes' : '' })),
		[1],
	],
	[
		'a person whose first value was called before',
		visits,
		rowsOf([9, 9, 2], (id) => ({ visit: ['before', 'new', 'new'][id]! })),
		[1, 2],
	],
])('G8 a dry run names the rows that Live calls: %s', async (_, more, rows, ids) => {
	const parameters = bulk({ calledBefore: 'skip', ...more, options: { includeInputFields: true } });
	for (const operation of [bulk(parameters), place(parameters)]) {
		const workflowId = text(operation.operation);
		const before = rows.filter((row) => row.phone === phone(9)).slice(0, 1);
		if (before.length > 0) await bench.run(operation, before, { workflowId });
		const idsWith = async (mode: string, status: string): Promise<unknown[]> =>
			(await bench.run({ ...operation, mode }, rows, { workflowId })).json
				.filter((row) => row.status === status)
				.map(({ id }) => id);
		const planned = await idsWith('dryRun', 'dry_run');
		expect(await idsWith('live', 'initiated')).toEqual(planned);
		expect([...planned].sort()).toEqual(ids);
	}
});

describe('Test', () => {
	const OWN = '+447400123456';

	describe.each([
		['Bulk Call', bulk, 'bulk'],
		['Place Call', place, 'call'],
	] as const)('Test: Call My Own Phone Once, with %s', (name, operation, route) => {
		const test = (more: INodeParameters = {}): INodeParameters =>
			operation({ mode: 'test', testNumber: OWN, calledBefore: 'skip', ...more });

		it('one row is spoken to the own phone; the others come out as in a dry run', async () => {
			const promptVariables = assignments(columns);
			const parameters = test({ agentNumber: AGENT_WITH_PROMPT, promptVariables });
			const run = await bench.run(parameters, contacts(3));
			expect(bench.sandbox.journal).toMatchObject([
				{ phone: OWN, variables: { name: 'Person 0', amount: '0.5' } },
			]);
			expect(statuses(run.json)).toEqual(['test_call', 'dry_run', 'dry_run']);
			expect(run.json.map(({ called }) => called)).toEqual(all(3, 'no'));
			expect(run.json.map(({ destination }) => destination)).toEqual([OWN, ...phones(2, 1)]);
			expect(run.json[0]).toMatchObject({
				reason: expect.stringMatching(/^Your own phone was called/) as string,
				success: true,
				prompt_variables: { name: 'Person 0', amount: '0.5' },
				...(name === 'Bulk Call'
					? { batch_id: expect.any(String) as string }
					: { call_id: expect.anything() as unknown }),
			});
			expect(run.json[1]).not.toHaveProperty('success');
			const first = /^<b>3 of 3 rows would be called\. Your own phone was called.*<\/b>$/;
			expect(linesOf(run)[0]).toMatch(first);
			expect(store.size).toBe(0);
		});

		it('it is the first row that would be called, or else the first that could be sent', async () => {
			const rows = [{ phone: 'Ada' }, { phone: phone(1) }, { phone: phone(2) }];
			const one = await bench.run(test({ rules: { doNotCall: phone(1) } }), rows);
			expect(statuses(one.json)).toEqual(['invalid', 'do_not_call', 'test_call']);
			const none = await bench.run(test({ rules: { doNotCall: `${phone(1)},${phone(2)}` } }), rows);
			expect(statuses(none.json)).toEqual(['invalid', 'test_call', 'do_not_call']);
			const first = /^<b>0 of 3 rows would be called\. Your own phone was called/;
			expect(linesOf(none)[0]).toMatch(first);
			expect(bench.dialed).toEqual([OWN, OWN]);
		});

		it('hours, lists and limits do not apply to the own phone', async () => {
			const window = [{ days: ['mon'], from: '00:00', to: '00:01' }];
			const callingWindows = { window } as unknown as INodeParameters;
			const hours = { callingHours: 'custom', callingWindows };
			const parameters = test({ ...hours, rules: { doNotCall: OWN, maxCalls: 0 } });
			await bench.run(parameters, contacts(1));
			await bench.run(parameters, contacts(1));
			expect(bench.dialed).toEqual([OWN, OWN]);
		});

		it('it rings once in all rounds of a loop, and once in an execution with two such nodes', async () => {
			const { rounds } = await bench.run(test(), contacts(3), { batchSize: 1 });
			expect(rounds.map(([row]) => row?.status)).toEqual(['test_call', 'dry_run', 'dry_run']);
			expect(bench.dialed).toEqual([OWN]);
			const nodeBefore = test({ options: { includeInputFields: true } });
			const second = await bench.run(test(), contacts(2), { nodeBefore });
			expect(statuses(second.json)).toEqual(['dry_run', 'dry_run']);
			expect(linesOf(second)[0]).toMatch(/called earlier in this execution/);
			expect(bench.dialed).toEqual([OWN, OWN]);
		});

		it('G3 it rings once, whatever Retry On Fail and the Retry button do, if it may have rung', async () => {
			const lost = { kind: 'resetAfter', route, times: 1 } as const;
			bench.sandbox.fault(lost);
			const retry = { tries: 2, waitMs: 1 };
			const { json } = await bench.run(test(), contacts(2), { retry });
			expect(json[0]).toMatchObject({ status: 'test_call', success: false });
			expect(json[0]!.reason).toMatch(/^Your own phone may have been called: /);
			expect(bench.dialed).toEqual([OWN]);
			bench.sandbox.fault(lost);
			const stopped = await bench.run(test(), contacts(2));
			says(stopped, /^The connection ended .*\. Your own phone may have been called$/);
			await bench.run(test(), contacts(2), { retryOf: stopped });
			expect(bench.dialed).toEqual([OWN, OWN]);
		});

		it('a refusal says that the phone was not called, and it rings when that is tried again', async () => {
			const refusal = { kind: 'unauthorized', route, times: 1 } as const;
			bench.sandbox.fault(refusal);
			const refused = await bench.run(test(), contacts(2));
			const message = /^The API token .*\. Your own phone was not called$/;
			says(refused, message, /Nobody else was called\.$/);
			bench.sandbox.fault(refusal);
			const run = await bench.run(test(), contacts(2), goesOn);
			const tested = { status: 'test_call', called: 'no', success: false };
			expect(run.json).toMatchObject([tested, { status: 'dry_run' }]);
			expect(run.json[0]!.reason).toMatch(/^Your own phone was not called: /);
			expect(bench.dialed).toEqual([]);
			bench.sandbox.fault(refusal);
			await bench.run(test(), contacts(2), { retry: { tries: 2, waitMs: 1 } });
			expect(bench.dialed).toEqual([OWN]);
		});

		it.each(['trigger', 'webhook', 'integrated', 'evaluation'] as const)(
			'in an execution of the mode %s it is a dry run',
			async (mode) => {
				const run = await bench.run(test(), contacts(2), { mode });
				expect(statuses(run.json)).toEqual(['dry_run', 'dry_run']);
				const lines = linesOf(run);
				expect(lines[0]).toMatch(/^<b>2 of 2 rows would be called/);
				if (mode === 'evaluation') {
					expect(lines.at(-1)).toMatch(/Evaluations call nobody.*execute the workflow/);
					expect(await bench.statuses(operation(), contacts(2), { mode })).toEqual(
						all(2, 'dry_run'),
					);
				} else expect(lines[0]).toMatch(/start by hand.*<\/b>$/);
				expect(bench.sandbox.requests).toEqual([]);
			},
		);

		it.each<[string, string | null]>([
			['nothing', null],
			['an expression', '={{ $json.phone }}'],
			['a word', 'mine'],
			['an emergency number', '911'],
		])('G1 with %s as My Own Phone nobody is called', async (_, testNumber) => {
			const run = await bench.run(test({ testNumber }), contacts(2));
			expect(shown(run).message).toMatch(/^My Own Phone /);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	it('if the node waits, the row says what came of the call', async () => {
		Object.assign(bench.sandbox.settings, { dialAfterMs: 0, finishAfterMs: 0 });
		const waits = { waitUntil: 'finished', options: { pollInterval: 1 } };
		const { json } = await bench.run(
			bulk({ mode: 'test', testNumber: OWN, ...waits }),
			contacts(2),
		);
		expect(json[0]).toMatchObject({
			status: 'test_call',
			called: 'no',
			conversation_id: expect.any(Number) as number,
			auto_call_error: null,
			settled: true,
		});
		expect(json[1]).not.toHaveProperty('conversation_id');
		expect(json.map(({ reached }) => reached)).toEqual(['yes', 'not_called']);
	});

	it('the row’s External Call ID is not sent, because its callback would be taken for the person’s', async () => {
		const options = { externalCallId: 'order-1' };
		await bench.run(place({ mode: 'test', testNumber: OWN, options }), contacts(1));
		expect(JSON.stringify(bench.bodies())).not.toContain('order-1');
	});
});
