import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { withClock } from './helpers/clockBench';
import { storeForEach } from './helpers/durableStore';
import { laterDays } from './helpers/laterDays';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, place, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

type Limit = { calls: unknown; per: unknown };
const per = (...limits: Limit[]): INodeParameters => ({
	callsPerPerson: { limit: limits } as unknown as INodeParameters,
});
const DAILY = per({ calls: 1, per: 'day' });

/** A live node that calls again in each run, within limits. */
const within = (options: INodeParameters, more: INodeParameters = {}): INodeParameters =>
	bulk({ ...more, options: { maxRetryWait: 0, ...options } });
const statuses = (rows: IDataObject[]): unknown[] => rows.map(({ status }) => status);

const later = laterDays();

describe('G11 calls per person', () => {
	it('G8 25 executions at once with one number, 1 per day: one call, and none the next time', async () => {
		const runs = await Promise.all(
			Array.from(
				{ length: 25 },
				async (_, n) => await bench.run(within(DAILY), [{ phone: phone(1), record: n }]),
			),
		);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(runs.flatMap(({ json }) => statuses(json)).sort()).toEqual([
			'initiated',
			...Array<string>(24).fill('limit_reached'),
		]);
		const again = await bench.run(within(DAILY), contacts(2).slice(1));
		expect(statuses(again.json)).toEqual(['limit_reached']);
		expect(bench.dialed).toEqual([phone(1)]);
	});

	describe('another node of the workflow has called, which', () => {
		const before = (options: INodeParameters, more: INodeParameters = {}) => ({
			nodeBefore: within({ ...options, includeInputFields: true }, more),
			onError: 'continueRegularOutput' as const,
		});
		const WEEKLY = per({ calls: 1, per: 'week' });
		const ofAll = { maxCallsPerDay: 2 };

		it.each<[string, INodeParameters, INodeParameters, INodeParameters]>([
			['has another period', DAILY, {}, WEEKLY],
			['has a longer one', WEEKLY, {}, DAILY],
			[
				'has none, and skips who was called before',
				{},
				{ calledBefore: 'skip' },
				per({ calls: 1, per: 'ever' }),
			],
			['has no limit for all', {}, { calledBefore: 'skip' }, ofAll],
			['has another one for all', DAILY, {}, ofAll],
			[
				'skips, and the period is an expression',
				{},
				{ calledBefore: 'skip' },
				per({ calls: 1, per: '={{ "day" }}' }),
			],
			[
				'skips, and whose memory it shares is an expression',
				{},
				{ calledBefore: 'skip' },
				{ ...DAILY, memoryOf: '={{ "workflow" }}' },
			],
		])('G11 %s: nobody is called beyond the limit', async (_, options, more, own) => {
			const run = await bench.run(within(own), contacts(2), before(options, more));
			expect(statuses(run.json)).toEqual(['limit_reached', 'limit_reached']);
			expect(bench.dialed).toHaveLength(2);
		});

		it.each<[string, INodeParameters, INodeParameters]>([
			['keeps its memory to itself', { memoryOf: 'node', ...DAILY }, {}],
			['calls again in each run, without a limit', {}, {}],
		])('%s: its calls do not count', async (_, options, more) => {
			await bench.run(within(WEEKLY), contacts(2), before(options, more));
			expect(bench.dialed).toHaveLength(4);
		});

		it('G11 has called while this one was deactivated: its call counts', async () => {
			await bench.run(within(DAILY), contacts(2), {
				...before({}, { calledBefore: 'skip' }),
				disabled: true,
			});
			expect(bench.dialed).toHaveLength(2);
			const run = await bench.run(within(DAILY), contacts(2));
			expect(statuses(run.json)).toEqual(['limit_reached', 'limit_reached']);
		});

		it('G11 could not call: its call does not count', async () => {
			const dry = { mode: 'dryRun' };
			bench.sandbox.fault({ kind: 'dailyLimit', times: 1 });
			const refused = await bench.run(within(WEEKLY), contacts(2), before(DAILY, dry));
			expect(statuses(refused.json)).toEqual(['refused', 'refused']);
			const run = await bench.run(within(DAILY), contacts(2), before(WEEKLY, dry));
			expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
		});
	});

	it('says why, and when the next call is allowed', async () => {
		await bench.run(within(DAILY), contacts(1));
		const { notCalled, hints } = await bench.run(within(DAILY), contacts(1));
		expect(notCalled.map(({ json }) => json)).toEqual([
			{
				status: 'limit_reached',
				called: 'no',
				reason:
					'Calls per Person is 1 per day, which is used up for today, so nobody is called for this row',
				destination: phone(0),
				callable_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00[+-]\d\d:\d\d$/) as string,
				success: false,
				consent_id: null,
				call_sid: null,
				batch_id: null,
			},
		]);
		expect(Date.parse(notCalled[0]!.json.callable_at as string)).toBeGreaterThan(Date.now());
		expect(hints[0]?.message).toBe('1 row: 0 called, 1 not called (1 beyond a limit)');
	});

	it('1 per day and 3 ever are three attempts on three days, without a column that counts', async () => {
		const limits = within(per({ calls: 1, per: 'day' }, { calls: 3, per: 'ever' }));
		const outcomes: unknown[] = [];
		for (later.by = 0; later.by < 5; later.by++) {
			for (let run = 0; run < 2; run++)
				outcomes.push((await bench.run(limits, contacts(1))).json[0]);
		}
		expect(statuses(outcomes as IDataObject[])).toEqual([
			...['initiated', 'limit_reached', 'initiated', 'limit_reached', 'initiated', 'limit_reached'],
			...Array<string>(4).fill('limit_reached'),
		]);
		expect(outcomes[1]).toHaveProperty('callable_at');
		expect(outcomes[9]).toMatchObject({
			reason: 'Calls per Person is 3 ever, which is used up, so nobody is called for this row',
		});
		expect(outcomes[9]).not.toHaveProperty('callable_at');
	});

	it('the list grows with people, and not with days', async () => {
		const sizes: number[] = [];
		for (later.by = 0; later.by < 100; later.by += 3) {
			await bench.run(within(DAILY), contacts(5));
			sizes.push(store.size);
		}
		expect(bench.dialed).toHaveLength(5 * sizes.length);
		expect(new Set(sizes).size).toBe(1);
	});

	it.each(['+44 07911 123456', '+4407911123456', '+44 7911 123456', '0044 7911 123456'])(
		'two spellings of a number are one person: %s',
		async (other) => {
			await bench.run(within(DAILY), [{ phone: '+447911123456' }]);
			expect(statuses((await bench.run(within(DAILY), [{ phone: other }])).json)).toEqual([
				'limit_reached',
			]);
			expect(bench.dialed).toHaveLength(1);
		},
	);

	it('whatever calls are remembered by: another key is the same person', async () => {
		const keyed = within({ ...DAILY, callOnceKey: '={{ $json.order }}' }, { calledBefore: 'skip' });
		await bench.run(keyed, [{ phone: phone(1), order: 'a' }]);
		const next = await bench.run(keyed, [
			{ phone: phone(1), order: 'b' },
			{ phone: phone(1), order: 'a' },
		]);
		expect(next.called).toEqual([]);
		later.by = 1;
		expect(statuses((await bench.run(keyed, [{ phone: phone(1), order: 'b' }])).json)).toEqual([
			'initiated',
		]);
		expect(bench.dialed).toEqual([phone(1), phone(1)]);
	});

	it('who was called before is told that, and takes no call', async () => {
		const options = within(per({ calls: 2, per: 'ever' }), { calledBefore: 'skip' });
		for (let run = 0; run < 3; run++) await bench.run(options, contacts(1));
		expect(statuses((await bench.run(options, contacts(1))).json)).toEqual(['already_called']);
		const again = within(per({ calls: 2, per: 'ever' }));
		expect(statuses((await bench.run(again, contacts(1))).json)).toEqual(['initiated']);
		expect(statuses((await bench.run(again, contacts(1))).json)).toEqual(['limit_reached']);
	});

	it('with Duplicates: Call Each Row, each row takes a call', async () => {
		const each = within({ ...per({ calls: 2, per: 'day' }), duplicates: 'callEach' });
		const { json } = await bench.run(each, [...contacts(1), ...contacts(1), ...contacts(1)]);
		expect(statuses(json)).toEqual(['initiated', 'initiated', 'limit_reached']);
		expect(bench.dialed).toEqual([phone(0), phone(0)]);
	});

	it('it holds over the rounds of a loop and all uses of a tool', async () => {
		const { rounds } = await bench.run(within(DAILY), contacts(2), { rounds: 3 });
		expect(rounds.map(statuses)).toEqual([
			['initiated', 'initiated'],
			['limit_reached', 'limit_reached'],
			['limit_reached', 'limit_reached'],
		]);
		const tool = await bench.run(
			place({ options: { ...DAILY, includeInputFields: false } }),
			contacts(1),
			{ asTool: true },
		);
		expect(statuses(tool.json)).toEqual(['limit_reached']);
	});

	it('G4 a Retry shows whom its execution called, and takes no second call of theirs', async () => {
		bench.sandbox.settings.dailyLimit = 10;
		const limits = within({ ...per({ calls: 2, per: 'day' }), parallelRequests: 1 });
		const stopped = await bench.run(limits, contacts(15));
		expect(stopped.error).toBeDefined();
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(limits, contacts(15), { retryOf: stopped });
		expect(statuses(retried.json)).toEqual(Array(15).fill('initiated'));
		expect(bench.dialed).toHaveLength(15);
		expect(statuses((await bench.run(limits, contacts(15))).json)).toEqual(
			Array(15).fill('initiated'),
		);
		expect(statuses((await bench.run(limits, contacts(15))).json)).toEqual(
			Array(15).fill('limit_reached'),
		);
	});

	it('G8 a call that certainly was not placed gives its place back', async () => {
		bench.sandbox.destinationOutcome.set(phone(0), { status: 'locked', error: 'Locked', times: 1 });
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', times: 1 });
		expect((await bench.run(within(DAILY), contacts(2))).error).toBeDefined();
		expect(store.size).toBe(0);
		expect(statuses((await bench.run(within(DAILY), contacts(2))).json)).toEqual([
			'locked',
			'initiated',
		]);
		expect(statuses((await bench.run(within(DAILY), contacts(2))).json)).toEqual([
			'initiated',
			'limit_reached',
		]);
	});

	it('G8 a call of which nobody knows keeps its place', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		const unclear = await bench.run(within(DAILY), contacts(1), {
			onError: 'continueRegularOutput',
		});
		expect(statuses(unclear.json)).toEqual(['unknown']);
		expect(statuses((await bench.run(within(DAILY), contacts(1))).json)).toEqual(['limit_reached']);
	});

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'G8 a memory that cannot be used calls nobody, and says so (%s)',
		async (onError) => {
			store.outOfOrder = 'database is locked';
			const run = await bench.run(within(DAILY), contacts(3), { onError });
			expect(bench.sandbox.requests).toEqual([]);
			const told =
				onError === 'stopWorkflow' ? shown(run).message : (run.json[0]?.reason as string);
			expect(told).toContain(
				'n8n’s memory of the people called could not be used (database is locked)',
			);
		},
	);

	it('a request that waits over midnight is counted on the day on which it leaves', async () => {
		const limits = within({ ...DAILY, maxRetryWait: 5 });
		bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', times: 1, retryAfter: 1 });
		const waiting = bench.run(limits, contacts(2));
		while (bench.sandbox.requests.length === 0)
			await new Promise((resolve) => setTimeout(resolve, 2));
		later.by = 1;
		expect(statuses((await waiting).json)).toEqual(['initiated', 'initiated']);
		expect(statuses((await bench.run(limits, contacts(3))).json)).toEqual([
			'limit_reached',
			'limit_reached',
			'initiated',
		]);
		expect(bench.dialed).toHaveLength(3);
	});

	it.each<[string, unknown, RegExp]>([
		['no limit', {}, /^Calls per Person has no limit$/],
		['a list of none', { limit: [] }, /^Calls per Person has no limit$/],
		[
			'0',
			{ limit: [{ calls: 0, per: 'day' }] },
			/^The number of calls in limit 1 of Calls per Person is "0", which cannot be used$/,
		],
		['-1', { limit: [{ calls: -1, per: 'day' }] }, /is "-1", which cannot be used$/],
		['1.5', { limit: [{ calls: 1.5, per: 'day' }] }, /is "1.5", which cannot be used$/],
		['1e9', { limit: [{ calls: 1e9, per: 'ever' }] }, /is "1000000000", which cannot be used$/],
		['words', { limit: [{ calls: 'many', per: 'day' }] }, /is "many", which cannot be used$/],
		['nothing', { limit: [{ calls: '={{ null }}', per: 'day' }] }, /is empty$/],
		[
			'another period',
			{ limit: [{ calls: 1, per: 'year' }] },
			/^The period of limit 1 of Calls per Person is "year", which cannot be used$/,
		],
		[
			'a value for each row',
			{ limit: [{ calls: '={{ $itemIndex + 1 }}', per: 'day' }] },
			/but it counts for the whole run$/,
		],
	])('G1 a limit that cannot be used calls nobody: %s', async (_name, callsPerPerson, message) => {
		const parameters = bulk({ options: { callsPerPerson: callsPerPerson as INodeParameters } });
		expect(shown(await bench.run(parameters, contacts(2))).message).toMatch(message);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G1 a text in place of the limits calls nobody', async () => {
		const parameters = bulk({ options: { callsPerPerson: '={{ "1 per day" }}' } });
		// Older hosts refuse to open such a workflow.
		const message = await bench.run(parameters, contacts(2)).then(
			(run) => shown(run).message,
			(thrown: unknown) => (thrown as Error).message,
		);
		expect(message).toMatch(/^(Calls per Person has no limit|Could not find property option)$/);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('G11 calls per day', () => {
	const most = (maxCallsPerDay: unknown, options: INodeParameters = {}): INodeParameters =>
		within({ maxCallsPerDay, ...options } as INodeParameters);

	it('G8 it bounds all runs of a day together, also at once, and the next day begins anew', async () => {
		const runs = await Promise.all(
			[0, 1, 2].map(
				async (run) =>
					await bench.run(
						most(25, { parallelRequests: 3 }),
						contacts(60).slice(run * 20, run * 20 + 20),
					),
			),
		);
		expect(bench.dialed).toHaveLength(25);
		expect(new Set(bench.dialed).size).toBe(25);
		const left = runs
			.flatMap(({ json }) => json)
			.filter(({ status }) => status === 'limit_reached');
		expect(left).toHaveLength(35);
		expect(left[0]).toMatchObject({
			reason:
				'Max Calls per Day is 25, which is used up for today, so nobody is called for this row',
			callable_at: expect.any(String) as string,
		});
		expect(statuses((await bench.run(most(25), contacts(1))).json)).toEqual(['limit_reached']);
		later.by = 1;
		expect(statuses((await bench.run(most(2), contacts(3))).json)).toEqual([
			'initiated',
			'initiated',
			'limit_reached',
		]);
	});

	it('a call that certainly was not placed does not count', async () => {
		for (let n = 0; n < 5; n++)
			bench.sandbox.destinationOutcome.set(phone(n), {
				status: 'skipped',
				error: 'Skipped',
				times: 1,
			});
		const runs = [await bench.run(most(10), contacts(20)), await bench.run(most(10), contacts(20))];
		expect(
			statuses(runs.flatMap(({ json }) => json)).filter((status) => status === 'initiated'),
		).toHaveLength(10);
		expect(bench.dialed.length).toBe(10);
	});

	it.each<[string, (limited: INodeParameters) => Promise<void>]>([
		['the next run calls these people', async () => await Promise.resolve()],
		[
			'a dry run says so, too',
			async (limited) => {
				const { json } = await bench.run({ ...limited, mode: 'dryRun' }, contacts(3));
				expect(statuses(json)).toEqual(['dry_run', 'dry_run', 'dry_run']);
			},
		],
	])(
		'G11 a call that was refused while the database could not be used does not count: %s',
		async (_name, meanwhile) => {
			for (const options of [{ maxCallsPerDay: 3 }, per({ calls: 1, per: 'ever' })]) {
				bench.sandbox.reset();
				store.clear();
				bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', times: 1 });
				bench.meanwhile = () => void (store.outOfOrder = 'database is locked');
				expect((await bench.run(within(options), contacts(3))).error).toBeDefined();
				delete store.outOfOrder;
				bench.meanwhile = undefined;
				expect(bench.dialed).toEqual([]);
				await meanwhile(within(options));
				expect(statuses((await bench.run(within(options), contacts(3))).json)).toEqual([
					'initiated',
					'initiated',
					'initiated',
				]);
			}
		},
	);

	it.each([0, -1, 1.5, 1e9, '', 'many', '={{ null }}', '={{ $itemIndex }}'])(
		'G1 %s cannot be used, and calls nobody',
		async (maxCallsPerDay) => {
			expect(shown(await bench.run(most(maxCallsPerDay), contacts(2))).message).toContain(
				'Max Calls per Day',
			);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);
});

describe('limits of calls, and the memory that they are in', () => {
	const limits = (mode: string): INodeParameters =>
		within({ ...per({ calls: 2, per: 'day' }), maxCallsPerDay: 5 }, { mode });

	it('G8 a dry run says whom a limit keeps from being called, and leaves nothing behind', async () => {
		await bench.run(limits('live'), contacts(1));
		await bench.run(limits('live'), contacts(2));
		const { size } = store;
		for (let run = 0; run < 2; run++) {
			const { json } = await bench.run(limits('dryRun'), contacts(4));
			expect(json.map(({ status, reason }) => [status, reason])).toEqual([
				[
					'limit_reached',
					'Calls per Person is 2 per day, which is used up for today, so nobody is called for this row',
				],
				['dry_run', null],
				['dry_run', null],
				[
					'limit_reached',
					'Max Calls per Day is 5, which is used up for today, so nobody is called for this row',
				],
			]);
			expect(json[0]).toHaveProperty('callable_at');
			expect(store.size).toBe(size);
		}
		expect(statuses((await bench.run(limits('live'), contacts(4))).json)).toEqual([
			'limit_reached',
			'initiated',
			'initiated',
			'limit_reached',
		]);
	});

	it('Live needs a dry run first, also with Call Again', async () => {
		store.isOpen = false;
		const stopped = await bench.run(limits('live'), contacts(2));
		expect(shown(stopped).message).toContain('no dry run or test was made in this workflow yet');
		expect(bench.sandbox.requests).toEqual([]);
		await bench.run(limits('dryRun'), contacts(2));
		expect(statuses((await bench.run(limits('live'), contacts(2))).json)).toEqual([
			'initiated',
			'initiated',
		]);
	});

	it('G8 a dry run says who has calls in the memory that the node had before, of which the other one knows nothing', async () => {
		store.isOpen = false;
		const alone = (mode: string) =>
			within({ ...per({ calls: 3, per: 'day' }), maxCallsPerDay: 9, memoryOf: 'node' }, { mode });
		await bench.run(limits('dryRun'), contacts(3));
		await bench.run(limits('live'), contacts(2));
		const { hints } = await bench.run(alone('dryRun'), contacts(3));
		expect(hints[0]?.message).toContain(
			' 2 of these people were called under another setting of Share Memory With, and would be called again.',
		);
		expect(statuses((await bench.run(alone('live'), contacts(3))).json)).toEqual(
			Array(3).fill('initiated'),
		);
	});

	it('G8 a memory that was emptied from outside while people are called calls nobody any more', async () => {
		store.isOpen = false;
		await bench.run(limits('dryRun'), contacts(2));
		const parameters = within({ ...DAILY, parallelRequests: 1 }, { mode: 'live' });
		store.written = () => {
			if (bench.dialed.length > 0) store.trim('workflow', 0);
		};
		const stopped = await bench.run(parameters, contacts(30));
		expect(shown(stopped).message).toContain('emptied or trimmed by something else');
		// Those who were counted just before still were.
		expect(bench.dialed).toHaveLength(20);
	});
});

describe('G11 stop when reached', () => {
	const waits = { pollInterval: 1, waitTimeout: 60, waitUntil: 'finished' };

	it('whom a run that waited found reached is not called again; the others are', async () => {
		await withClock(async (clock) => {
			Object.assign(clock.sandbox.settings, { dialAfterMs: 50, finishAfterMs: 100 });
			clock.sandbox.callErrors.set(phone(11), 'busy');
			const parameters = within({ stopWhenReached: true }, waits);
			const rows = [{ phone: phone(10) }, { phone: phone(11) }];
			expect((await clock.run(parameters, rows)).json.map(({ reached }) => reached)).toEqual([
				true,
				false,
			]);
			const next = await clock.run(within({ stopWhenReached: true }), rows);
			expect(next.json.map(({ status, reason }) => [status, reason])).toEqual([
				['limit_reached', 'Reached before (Stop When Reached)'],
				['initiated', null],
			]);
			expect(next.json[0]).not.toHaveProperty('callable_at');
			expect(statuses((await clock.run(bulk(), rows)).json)).toEqual(['initiated', 'initiated']);
		});
	});

	it('G11 another node of the workflow, which skips who was called, has waited or still waits: whom it reached, and who may be talking to it, is not called', async () => {
		await withClock(async (clock) => {
			let now = 0;
			clock.now = () => now;
			Object.assign(clock.sandbox.settings, { dialAfterMs: 50, finishAfterMs: 100 });
			clock.sandbox.callErrors.set(phone(13), 'busy');
			const rows = [{ phone: phone(12) }, { phone: phone(13) }];
			const own = within({ stopWhenReached: true });
			const waiting = clock.run(own, rows, {
				nodeBefore: bulk({ ...waits, calledBefore: 'skip', options: { includeInputFields: true } }),
			});
			while (!clock.sandbox.requests.some(({ route }) => route === 'batch'))
				await new Promise((resolve) => setTimeout(resolve, 2));
			const beside = await clock.run(own, rows);
			expect(statuses(beside.json)).toEqual(['limit_reached', 'limit_reached']);
			now = 1_000;
			expect((await waiting).json.map(({ status, reason }) => [status, reason])).toEqual([
				['limit_reached', 'Reached before (Stop When Reached)'],
				['initiated', null],
			]);
		});
	});

	it('G2 another run does not call whom one run has called and still waits for; afterwards it calls who was not reached', async () => {
		await withClock(async (clock) => {
			let now = 0;
			clock.now = () => now;
			Object.assign(clock.sandbox.settings, { dialAfterMs: 50, finishAfterMs: 100 });
			clock.sandbox.callErrors.set(phone(13), 'busy');
			const parameters = within({ stopWhenReached: true, ...per({ calls: 5, per: 'day' }) }, waits);
			const rows = [{ phone: phone(12) }, { phone: phone(13) }];
			const waiting = clock.run(parameters, rows);
			while (!clock.sandbox.requests.some(({ route }) => route === 'batch'))
				await new Promise((resolve) => setTimeout(resolve, 2));
			const beside = await clock.run({ ...parameters, waitUntil: 'none' }, [
				...rows,
				{ phone: phone(14) },
			]);
			expect(beside.json.map(({ status, reason }) => [status, reason])).toEqual([
				...Array<string[]>(2).fill([
					'limit_reached',
					'Another run is calling this number, or waits for the end of that call (Stop When Reached)',
				]),
				['initiated', null],
			]);
			now = 1_000;
			expect((await waiting).json.map(({ reached }) => reached)).toEqual([true, false]);
			expect(statuses((await clock.run({ ...parameters, waitUntil: 'none' }, rows)).json)).toEqual([
				'limit_reached',
				'initiated',
			]);
		});
	});

	it('a run that a daily limit ends with a message waits for its calls all the same: whom it reached is not called the next day', async () => {
		await withClock(async (clock) => {
			Object.assign(clock.sandbox.settings, {
				dialAfterMs: 50,
				finishAfterMs: 100,
				dailyLimit: 10,
			});
			const parameters = within({ stopWhenReached: true, parallelRequests: 1 }, waits);
			const ended = await clock.run(parameters, contacts(12));
			expect(shown(ended).message).toMatch(
				/^12 rows: 10 called, 2 not called .*the daily call limit /,
			);
			delete clock.sandbox.settings.dailyLimit;
			later.by = 1;
			expect(statuses((await clock.run(parameters, contacts(12))).json)).toEqual([
				...Array<string>(10).fill('limit_reached'),
				'initiated',
				'initiated',
			]);
		});
	});

	it('a run that a daily limit ends says of how many calls it has not learned whether somebody was reached', async () => {
		await withClock(async (clock) => {
			Object.assign(clock.sandbox.settings, {
				dialAfterMs: 50,
				finishAfterMs: 100,
				dailyLimit: 10,
			});
			clock.sandbox.fault({ kind: 'unauthorized', route: 'batch' });
			const ended = await clock.run(
				within({ stopWhenReached: true, parallelRequests: 1 }, waits),
				contacts(12),
			);
			expect(shown(ended).description).toContain(
				'Of 10 rows called, nobody knows yet whether somebody was reached: look at your dashboard before the next run',
			);
		});
	});

	it('calls of Place Call whose answers name no call record are told: nobody knows whether these people were reached', async () => {
		bench.sandbox.settings.singleCallIds = false;
		const parameters = place({ ...waits, options: { stopWhenReached: true } });
		const { hints } = await bench.run(parameters, contacts(2));
		expect(hints.map(({ message }) => message).join()).toContain(
			'Of 2 rows called, nobody knows yet whether somebody was reached: look at your dashboard before the next run',
		);
		expect(
			(await bench.run({ ...parameters, options: {} }, contacts(2))).hints
				.map(({ message }) => message)
				.join(),
		).not.toContain('nobody knows yet');
	});

	it('a run that is stopped while it calls does not wait', async () => {
		await withClock(async (clock) => {
			const isOver = new AbortController();
			clock.meanwhile = () => isOver.abort();
			const parameters = within({ stopWhenReached: true, parallelRequests: 1 }, waits);
			const onStarted = (stop: () => void) => isOver.signal.addEventListener('abort', stop);
			expect(shown(await clock.run(parameters, contacts(30), { onStarted })).message).toMatch(
				/^The execution was stopped/,
			);
			expect(clock.sandbox.requests.map(({ route }) => route)).toEqual(['bulk']);
		});
	});

	it.each([
		[{ waitUntil: 'none' }, true],
		[{ waitUntil: 'dialed' }, true],
		[{ waitUntil: 'finished' }, false],
	])(
		'a dry run says so where the node would not learn whom it reaches: %j',
		async (wait, isTold) => {
			const { hints } = await bench.run(
				within({ stopWhenReached: true }, { ...waits, ...wait, mode: 'dryRun' }),
				contacts(1),
			);
			const told =
				'Stop When Reached learns nothing of these calls: only a node whose Wait Until is Each Call Is Finished knows whom it has reached.';
			expect(hints[0]?.message.includes(told)).toBe(isTold);
		},
	);

	it.each(['bulkCall', 'placeCall'])(
		'G8 a call of %s that was cancelled before it was dialed gives its place back, as soon as the wait has told',
		async (operation) => {
			await withClock(async (clock) => {
				Object.assign(clock.sandbox.settings, { dialAfterMs: 3_600_000, finishAfterMs: 100 });
				const parameters = within(
					{ ...per({ calls: 1, per: 'ever' }) },
					{ ...waits, calledBefore: 'skip', operation },
				);
				const row = [{ phone: phone(20) }];
				const waiting = clock.run(parameters, row);
				while (!clock.sandbox.requests.some(({ route }) => route === 'batch'))
					await new Promise((resolve) => setTimeout(resolve, 2));
				const { consentId } = clock.sandbox.journal.find((dial) => dial.phone === phone(20))!;
				await fetch(`${clock.sandbox.baseUrl}/consents/${consentId}/cancel`, {
					method: 'POST',
					headers: { authorization: `Bearer ${clock.sandbox.token}` },
				});
				expect((await waiting).json).toMatchObject([
					{ status: 'initiated', reached: false, record_status: 'cancelled' },
				]);
				clock.sandbox.settings.dialAfterMs = 0;
				expect(statuses((await clock.run({ ...parameters, waitUntil: 'none' }, row)).json)).toEqual(
					['initiated'],
				);
				expect(
					statuses(
						(await clock.run({ ...parameters, calledBefore: 'callAgain', waitUntil: 'none' }, row))
							.json,
					),
				).toEqual(['limit_reached']);
			});
		},
	);

	it.each<[string, (database: typeof store) => void]>([
		['for a moment', (database) => (database.hiccups = 1)],
		['until the run has ended', (database) => (database.outOfOrder = 'database is locked')],
	])(
		'G8 the next run calls nobody who was reached, also where the memory could not be used when the calls had ended: %s',
		async (_when, breakOff) => {
			await withClock(async (clock) => {
				Object.assign(clock.sandbox.settings, { dialAfterMs: 50, finishAfterMs: 100 });
				clock.sandbox.callErrors.set(phone(31), 'busy');
				const parameters = within({ stopWhenReached: true }, waits);
				const rows = [{ phone: phone(30) }, { phone: phone(31) }];
				clock.meanwhile = ({ method }) => {
					if (method !== 'GET') return;
					clock.meanwhile = undefined;
					breakOff(store);
				};
				const { json, hints } = await clock.run(parameters, rows);
				expect(json.map(({ reached }) => reached)).toEqual([true, false]);
				expect(hints[0]?.message.includes('n8n’s memory could not be used')).toBe(
					store.outOfOrder !== undefined,
				);
				delete store.outOfOrder;
				expect(
					statuses((await clock.run({ ...parameters, waitUntil: 'none' }, rows)).json),
				).toEqual(['limit_reached', 'initiated']);
			});
		},
	);

	it.each<[string, INodeParameters]>([
		['cancelled', bulk({ ...waits, calledBefore: 'skip' })],
		['cancelled, with a limit', within(per({ calls: 1, per: 'day' }), waits)],
		['reached', within({ stopWhenReached: true }, waits)],
	])(
		'where the memory cannot be used when the call has ended, it says so: %s',
		async (what, parameters) => {
			await withClock(async (clock) => {
				const isCancelled = what.startsWith('cancelled');
				Object.assign(clock.sandbox.settings, {
					dialAfterMs: isCancelled ? 3_600_000 : 50,
					finishAfterMs: 100,
				});
				const waiting = clock.run(parameters, [{ phone: phone(30) }]);
				while (!clock.sandbox.requests.some(({ route }) => route === 'batch'))
					await new Promise((resolve) => setTimeout(resolve, 2));
				store.outOfOrder = 'database is locked';
				const { consentId } = clock.sandbox.journal.find((dial) => dial.phone === phone(30))!;
				if (isCancelled)
					await fetch(`${clock.sandbox.baseUrl}/consents/${consentId}/cancel`, {
						method: 'POST',
						headers: { authorization: `Bearer ${clock.sandbox.token}` },
					});
				const { hints, json } = await waiting;
				expect(json).toMatchObject([{ status: 'initiated', reached: !isCancelled }]);
				expect(hints[0]?.message).toContain(
					' n8n’s memory could not be used when the calls had ended: ',
				);
			});
		},
	);
});
