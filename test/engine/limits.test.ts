import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../sandbox';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { linesOf, shown, text, statuses, all, says } from './helpers/outcomes';
import { goesOn } from './helpers/onError';
import { turns } from './helpers/turns';
import { bulk, contacts, phone, place } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

describe('limits per person and day', () => {
	type Limit = { calls: unknown; per: unknown };
	const per = (...limits: Limit[]): INodeParameters => ({
		callsPerPerson: { limit: limits } as unknown as INodeParameters,
	});
	const DAILY = per({ calls: 1, per: 'day' });
	const most = (maxCallsPerDay: unknown): INodeParameters =>
		({ maxCallsPerDay }) as INodeParameters;

	/** Calls again in each run, within these rules. */
	const within = (rules: INodeParameters, more: INodeParameters = {}): INodeParameters =>
		bulk({ options: { maxRetryWait: 0 }, ...more, rules });
	const ran = async (parameters: INodeParameters, rows: IDataObject[]): Promise<unknown[]> =>
		await bench.statuses(parameters, rows);
	const CALLED = 'initiated';
	const REACHED_LIMIT = 'limit_reached';

	/** The time in which this file's limits count. */
	const at = (iso: string): void => {
		bench.time.laterDays((Date.parse(iso) - Date.now()) / 86_400_000);
	};

	describe('G8 Calls per Person', () => {
		it.each<[string, string, string, string | undefined]>([
			['day', '2026-12-03T12:00:00Z', '2026-12-04T12:00:00Z', '2026-12-04T00:00:00'],
			['ever', '2026-12-15T12:00:00Z', '2036-01-01T12:00:00Z', undefined],
		])('G8 once per %s: the row says until when', async (kind, first, next, from) => {
			const limit = within(per({ calls: 1, per: kind }));
			at(first);
			expect(await ran(limit, contacts(1))).toEqual([CALLED]);
			const { json } = await bench.run(limit, contacts(1));
			expect(json).toMatchObject([{ status: REACHED_LIMIT, called: 'no' }]);
			expect(json[0]!.reason).toMatch(new RegExp(`^Calls per Person \\(1 .*${kind}\\) reached$`));
			if (from === undefined) expect(json[0]).not.toHaveProperty('callable_at');
			else expect(json[0]!.callable_at).toMatch(new RegExp(`^${from}[+-]`));
			at(next);
			expect(await ran(limit, contacts(1))).toEqual([from === undefined ? REACHED_LIMIT : CALLED]);
		});

		it('G8 1 per day and 3 ever are three attempts on three days', async () => {
			const limits = within(per({ calls: 1, per: 'day' }, { calls: 3, per: 'ever' }));
			const outcomes: unknown[] = [];
			for (let day = 0; day < 5; day++, bench.time.laterDays(1))
				for (let run = 0; run < 2; run++) outcomes.push(...(await ran(limits, contacts(1))));
			expect(outcomes).toEqual([
				...[CALLED, REACHED_LIMIT, CALLED, REACHED_LIMIT, CALLED, REACHED_LIMIT],
				...all(4, REACHED_LIMIT),
			]);
		});

		it('G8 it counts with Once for Each, too: another value waits for the next day', async () => {
			const onceForEach = '={{ $json.visit }}';
			const visits = within(DAILY, { calledBefore: 'onceForEach', onceForEach });
			const visit = (value: string): IDataObject[] => [{ phone: phone(1), visit: value }];
			expect(await ran(visits, visit('A-1'))).toEqual([CALLED]);
			expect(await ran(visits, visit('A-2'))).toEqual([REACHED_LIMIT]);
			bench.time.laterDays(1);
			expect(await ran(visits, visit('A-2'))).toEqual([CALLED]);
		});

		it('G8 all nodes of the workflow that have the limit share it', async () => {
			await bench.run(within(DAILY), contacts(1));
			const other = await bench.run(within(DAILY), contacts(1), { nodeId: 'other' });
			expect(statuses(other.json)).toEqual([REACHED_LIMIT]);
			const copy = await bench.run(within(DAILY), contacts(1), { workflowId: 'copy' });
			expect(statuses(copy.json)).toEqual([CALLED]);
		});

		it('G8 somebody who was called before is told that, and takes no call', async () => {
			const twice = per({ calls: 2, per: 'ever' });
			const skips = within(twice, { calledBefore: 'skip' });
			expect(await ran(skips, contacts(1))).toEqual([CALLED]);
			expect(await ran(skips, contacts(1))).toEqual(['already_called']);
			expect(await ran(within(twice), contacts(1))).toEqual([CALLED]);
			expect(await ran(within(twice), contacts(1))).toEqual([REACHED_LIMIT]);
		});

		it('G8 it holds over the rounds of a loop and the uses of a tool', async () => {
			const { rounds } = await bench.run(within(DAILY), contacts(2), { rounds: 2 });
			expect(rounds.map(statuses)).toEqual([all(2, CALLED), all(2, REACHED_LIMIT)]);
			const tool = await bench.run(place({ rules: DAILY }), contacts(1), { asTool: true });
			expect(statuses(tool.json)).toEqual([REACHED_LIMIT]);
		});

		it('G4 Retry takes no second call of the people whom its execution called', async () => {
			bench.sandbox.settings.dailyLimit = 10;
			const options = { maxRetryWait: 0, parallelRequests: 1 };
			const limits = within(per({ calls: 2, per: 'day' }), { options });
			const stopped = await bench.run(limits, contacts(15));
			delete bench.sandbox.settings.dailyLimit;
			const retried = await bench.run(limits, contacts(15), { retryOf: stopped });
			expect(statuses(retried.json)).toEqual(all(15, CALLED));
			expect(bench.dialed).toHaveLength(15);
			expect(await ran(limits, contacts(15))).toEqual(all(15, CALLED));
			expect(await ran(limits, contacts(15))).toEqual(all(15, REACHED_LIMIT));
		});

		it.each([
			['1 per day', DAILY],
			['Hours Between Calls', { hoursBetweenCalls: 1 }],
		])('G8 %s: only calls that may have been placed count', async (_, rules) => {
			const locked = { status: 'locked', error: 'Locked', times: 1 } as const;
			bench.sandbox.destinationOutcome.set(phone(0), locked);
			expect(await ran(within(rules), contacts(2))).toEqual(['locked', CALLED]);
			expect(await ran(within(rules), contacts(2))).toEqual([CALLED, REACHED_LIMIT]);
			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
			const others = [{ phone: phone(5) }];
			await bench.run(within(rules), others, goesOn);
			expect(await ran(within(rules), others)).toEqual([REACHED_LIMIT]);
		});
	});

	describe('G8 Hours Between Calls', () => {
		const between = (hoursBetweenCalls: unknown, rules: INodeParameters = {}): INodeParameters =>
			within({ ...rules, hoursBetweenCalls } as INodeParameters);

		it('G8 whoever was called is called again after so many hours, and the row says from when', async () => {
			const rule = between(4);
			at('2026-12-03T12:10:00Z');
			expect(await ran(rule, contacts(1))).toEqual([CALLED]);
			at('2026-12-03T16:10:00Z');
			for (const mode of ['live', 'dryRun']) {
				const { json } = await bench.run({ ...rule, mode }, contacts(2));
				expect(json[0]).toMatchObject({ status: REACHED_LIMIT, called: 'no' });
				expect(json[0]!.reason).toBe('Hours Between Calls (4) not over yet');
				expect(Date.parse(text(json[0]!.callable_at))).toBe(Date.parse('2026-12-03T17:00:00Z'));
				at('2026-12-03T16:59:00Z');
			}
			at('2026-12-03T17:00:01Z');
			expect(await ran(rule, contacts(2))).toEqual([CALLED, REACHED_LIMIT]);
		});

		it('G8 the hours begin when the request leaves, after a pause too', async () => {
			const rule = { ...between(1), options: { maxRetryWait: 5 } };
			at('2026-12-03T12:14:00Z');
			bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', times: 1, retryAfter: 1 });
			const waiting = bench.run(rule, contacts(1));
			await bench.time.standStill();
			at('2026-12-03T12:24:00Z');
			bench.time.goOn();
			expect(statuses((await waiting).json)).toEqual([CALLED]);
			at('2026-12-03T13:20:00Z');
			expect(await ran(rule, contacts(1))).toEqual([REACHED_LIMIT]);
			at('2026-12-03T13:30:01Z');
			expect(await ran(rule, contacts(1))).toEqual([CALLED]);
		});

		it('G8 a dry run says which earlier calls do not count, and other hours need one', async () => {
			const lines = async (hours: number) =>
				linesOf(await bench.run({ ...between(hours), mode: 'dryRun' }, contacts(1)));
			store.isOpen = false;
			expect((await lines(4)).join()).not.toMatch(/Hours Between Calls/);
			await ran(between(4), contacts(1));
			for (const hours of [4, 3])
				expect(await lines(hours)).toContainEqual(
					`Hours Between Calls (${hours}) does not count calls that were made under other hours, or without the rule`,
				);
			expect(await ran(between(3), contacts(1))).toEqual([CALLED]);
		});
	});

	describe('G8 Max Calls per Day', () => {
		const noCallDates = '={{ [0, 1].map((days) => $now.plus({ days }).toISODate()) }}';
		it.each<[number, INodeParameters, string]>([
			[5, {}, '12 calls at 5 a day: 3 calling days'],
			[12, {}, '12 calls at 12 a day: 1 calling day'],
			[5, { timeZone: 'Asia/Tokyo', noCallDates }, '12 calls at 5 a day: 3'],
			[5, { maxCalls: 2 }, '12 calls at 5 a day: 3'],
		])('%d: a dry run says how long it takes', async (perDay, more, line) => {
			const parameters = within({ maxCallsPerDay: perDay, ...more }, { mode: 'dryRun' });
			const rows = [...contacts(12), { phone: 'nobody' }];
			expect(linesOf(await bench.run(parameters, rows)).join()).toContain(line);
		});

		it('G8 it bounds all runs of a day together, also at once, and the next day begins anew', async () => {
			const parameters = within(most(25), { options: { parallelRequests: 3 } });
			const thirds = [0, 20, 40].map((from) => contacts(60).slice(from, from + 20));
			const runs = await Promise.all(thirds.map((rows) => bench.run(parameters, rows)));
			expect(new Set(bench.dialed).size).toBe(25);
			expect(bench.dialed).toHaveLength(25);
			const outcomes = runs.flatMap(({ json }) => json);
			const left = outcomes.filter(({ status }) => status === REACHED_LIMIT);
			expect(left).toHaveLength(35);
			expect(left[0]).toMatchObject({
				reason: 'Max Calls per Day (25) reached',
				callable_at: expect.stringMatching(/T00:00:00[+-]/) as string,
			});
			bench.time.laterDays(1);
			expect(await ran(within(most(2)), contacts(3))).toEqual([CALLED, CALLED, REACHED_LIMIT]);
		});

		it('G8 a request that waits over midnight counts on the day on which it was claimed', async () => {
			const limits = within(most(2), { options: { maxRetryWait: 5 } });
			at('2026-12-03T12:00:00Z');
			bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', times: 1, retryAfter: 1 });
			const waiting = bench.run(limits, contacts(2));
			await bench.time.standStill();
			bench.time.laterDays(1);
			bench.time.goOn();
			expect(statuses((await waiting).json)).toEqual([CALLED, CALLED]);
			expect(await ran(limits, contacts(3))).toEqual([CALLED, CALLED, REACHED_LIMIT]);
		});
	});

	const byRow = '={{ $itemIndex + 1 }}';
	it.each<[string, unknown, RegExp]>([
		['callsPerPerson', {}, /^Calls per Person has no limit/],
		['callsPerPerson', { limit: [{ calls: 'many', per: 'day' }] }, /^Limit 1 .* is "many"/],
		['callsPerPerson', { limit: [{ calls: byRow, per: 'day' }] }, /^Calls .* row 1 .* row 2/],
		['hoursBetweenCalls', 5, /^Hours Between Calls/],
		['hoursBetweenCalls', byRow, /^Hours Between Calls/],
		['hoursBetweenCalls', '={{ null }}', /^Hours Between Calls/],
		['maxCallsPerDay', '', /^Max Calls per Day/],
		['maxCallsPerDay', byRow, /^Max Calls per Day/],
		['maxCallsPerDay', '={{ null }}', /^Max Calls per Day/],
	])('G1 %s of %j cannot be used, and calls nobody', async (name, value, message) => {
		const run = await bench.run(within({ [name]: value } as INodeParameters), contacts(2));
		expect(shown(run).message).toMatch(message);
		expect(bench.sandbox.requests).toEqual([]);
	});

	const limits = within({ ...per({ calls: 2, per: 'day' }), maxCallsPerDay: 5 });
	const dry = { ...limits, mode: 'dryRun' };

	it('G8 a dry run says whom a limit keeps from being called, and leaves nothing behind', async () => {
		await bench.run(limits, contacts(1));
		await bench.run(limits, contacts(2));
		const { size } = store;
		for (let run = 0; run < 2; run++) {
			const { json, hints } = await bench.run(dry, contacts(4));
			expect(json.map(({ status, reason }) => `${text(status)}: ${text(reason)}`)).toEqual([
				expect.stringMatching(/^limit_reached: .*Calls per Person/),
				expect.stringMatching(/^dry_run: /),
				expect.stringMatching(/^dry_run: /),
				expect.stringMatching(/^limit_reached: .*Max Calls per Day/),
			]);
			expect(json[0]).toHaveProperty('callable_at');
			expect(hints[0]!.message).toMatch(/Limits: 2 rows/);
			expect(store.size).toBe(size);
		}
		expect(await ran(limits, contacts(4))).toEqual([REACHED_LIMIT, CALLED, CALLED, REACHED_LIMIT]);
	});

	describe('G8 Stop When Reached', () => {
		const waits = { waitUntil: 'finished', waitTimeout: 60, options: { pollInterval: 1 } };
		const stops = within({ stopWhenReached: true }, waits);
		const rows = [{ phone: phone(10) }, { phone: phone(11) }];

		beforeEach(() => {
			Object.assign(bench.sandbox.settings, { dialAfterMs: 500, finishAfterMs: 1_000 });
			bench.sandbox.callErrors.set(phone(11), 'busy');
		});

		it('G8 whoever was reached is not called again; the others are', async () => {
			const first = await bench.run(stops, rows);
			expect(first.json.map(({ reached }) => reached)).toEqual(['yes', 'no']);
			const next = await bench.run(stops, rows);
			expect(statuses(next.json)).toEqual([REACHED_LIMIT, CALLED]);
			// A Filter on yes passes each person once, over both runs.
			expect(next.json.map(({ reached }) => reached)).toEqual(['not_called', 'no']);
			expect(next.json[0]!.reason).toMatch(/Reached, or outcome not known \(Stop When Reached\)/);
			expect(next.json[0]).not.toHaveProperty('callable_at');
		});

		it('G8 a Retry learns who was not reached by the calls of the try before', async () => {
			const many = contacts(12);
			bench.sandbox.callErrors.set(phone(3), 'busy');
			bench.sandbox.settings.dailyLimit = 10;
			const stopped = await bench.run(stops, many);
			expect(shown(stopped).message).toMatch(/10 of 12 rows called/);
			delete bench.sandbox.settings.dailyLimit;
			const retried = await bench.run(stops, many, { retryOf: stopped });
			const busy = [3, 11];
			expect(retried.json.map(({ reached }) => reached)).toEqual(
				many.map((_row, n) => (busy.includes(n) ? 'no' : 'yes')),
			);
			expect(await ran(stops, many)).toEqual(
				many.map((_row, n) => (busy.includes(n) ? CALLED : REACHED_LIMIT)),
			);
		});

		it('G8 a person counts as reached while another run waits for the end of their call', async () => {
			const waiting = bench.run(stops, rows);
			await bench.time.standStill();
			expect(await ran(stops, rows)).toEqual(all(2, REACHED_LIMIT));
			bench.time.goOn();
			expect((await waiting).json.map(({ reached }) => reached)).toEqual(['yes', 'no']);
			expect(await ran(stops, rows)).toEqual([REACHED_LIMIT, CALLED]);
		});

		it('G8 a person who was busy while the database did not answer counts as reached', async () => {
			const busy = rows.slice(1);
			const waiting = bench.run(stops, busy);
			await bench.time.standStill();
			store.outOfOrder = 'database is locked';
			bench.time.goOn();
			expect(shown(await waiting).message).toMatch(/call history[^]*1 of 1 row called/);
			delete store.outOfOrder;
			expect(await ran(stops, busy)).toEqual([REACHED_LIMIT]);
		});

		it.each(['none', 'dialed'])('G1 with Wait Until %s it calls nobody', async (waitUntil) => {
			const parameters = within({ stopWhenReached: true }, { ...waits, waitUntil });
			const run = await bench.run(parameters, contacts(1));
			says(run, /^Stop When Reached/, /Wait Until.*Finished/);
			const dry = await bench.run({ ...parameters, mode: 'dryRun' }, contacts(1), goesOn);
			expect(statuses(dry.json)).toEqual(['refused']);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});
});

describe('limits of the API', () => {
	const options = (more: object) => bulk({ options: more as never });
	/** When each request came, after the first. */
	const times = (): number[] => {
		const [first, ...others] = bench.sandbox.requests;
		return [0, ...others.map(({ at }) => at - first!.at)];
	};

	describe('G7 limits are respected', () => {
		const limited = { kind: 'rateLimited', retryAfter: 1 } as const;
		it.each([
			['429 with Retry-After', limited],
			['429 with its details alone', { ...limited, form: 'allowance', header: false }],
			['503 with Retry-After', { kind: 'unavailable', retryAfter: 1 }],
		] as const)('G7 %s is waited for in full, then all are called once', async (_, fault) => {
			bench.sandbox.fault({ ...fault, route: 'bulk', times: 1 });
			const run = await bench.run(options({ parallelRequests: 1 }), contacts(3));
			expect(statuses(run.json)).toEqual(all(3, 'initiated'));
			expect(times()).toHaveLength(2);
			expect(times()[1]).toBeGreaterThanOrEqual(1_000);
			expect(times()[1]).toBeLessThanOrEqual(1_250);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});

		it('G7 a limit that says no time is waited for with backoff', async () => {
			bench.sandbox.fault({ kind: 'unavailable', form: 'allowance', route: 'bulk', times: 2 });
			expect(await bench.statuses(options({}), contacts(3))).toEqual(all(3, 'initiated'));
			expect(bench.sandbox.requests).toHaveLength(3);
		});

		it('G7 all lanes pause together: nothing is sent while one of them waits', async () => {
			bench.sandbox.fault({ ...limited, route: 'bulk', after: 4, times: 1 });
			await bench.run(options({ parallelRequests: 4 }), contacts(120));
			// Each other lane may have had its answer, and sent its next request, before anybody read the refusal.
			const before = times().filter((at) => at < 1_000);
			expect(before.length).toBeLessThanOrEqual(4 + 1 + 3);
			expect(bench.dialed).toHaveLength(120);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});

		const hours: FaultRule = { kind: 'rateLimited', retryAfter: 7_200 };
		const unsaid: FaultRule = { kind: 'unavailable', form: 'allowance' };
		const IN_HOURS = /Try again in 2 hours.*Max Retry Wait/;
		const AN_HOUR = /Try again in 2 hours.*Max Retry Wait \(60 minutes\)/;
		it.each<[string, FaultRule, object, RegExp, RegExp]>([
			['a longer wait', hours, {}, /^Your account’s outbound calling limit/, IN_HOURS],
			['hours, however much is set', hours, { maxRetryWait: 86_400 }, /limit/, AN_HOUR],
			['an unsaid wait', unsaid, { maxRetryWait: 0 }, /allowance/, /Try again in a few minutes/],
		])('G7 %s than Max Retry Wait allows ends at once', async (_, fault, more, message, remedy) => {
			bench.sandbox.fault({ ...fault, route: 'bulk' });
			const run = await bench.run(options({ parallelRequests: 1, ...more }), contacts(30));
			const rows = /: rows 1 to 10 were not called\. 0 of 30 rows called/;
			says(run, [message, rows], [remedy, /Nobody was called/]);
			expect(bench.sandbox.requests).toHaveLength(1);
		});

		it('G7 calls per minute: no more calls are started than the limit allows', async () => {
			await bench.run(options({ callsPerMinute: 60, parallelRequests: 5 }), contacts(30));
			expect(times()).toEqual([0, 10_000, 20_000]);
		});

		it('G7 calls per minute hold for all executions of the node at once, as of a webhook with one row each', async () => {
			const perMinute = options({ callsPerMinute: 60 });
			await Promise.all(contacts(3).map((row) => bench.run(perMinute, [row])));
			expect(times()).toEqual([0, 1_000, 2_000]);
		});

		it.each(['"60/min"', 'true', '""', 'null', '({})', '-5', '0', '1 / 0', '$itemIndex + 5'])(
			'G1 calls per minute that are no number, or not one for all rows (%s): nobody is called',
			async (value) => {
				const parameters = bulk({ options: { callsPerMinute: `={{ ${value} }}` } });
				const stopped = await bench.run(parameters, contacts(3));
				says(stopped, /^Calls per Minute is /, /(Enter a number|one value).*Nobody was called/);
				expect(bench.sandbox.requests).toEqual([]);
			},
		);

		it('G7 no more requests are under way than Parallel Requests allows', async () => {
			// The first one goes alone; the others are answered when so many are there.
			bench.meanwhile = async () => {
				while (bench.sandbox.requests.length > 1 && bench.sandbox.mostInFlight < 3)
					await new Promise(setImmediate);
			};
			await bench.run(options({ parallelRequests: 3 }), contacts(120));
			expect(bench.sandbox.mostInFlight).toBe(3);
		});
	});

	/** A first execution is told to pause, and can wait for it. */
	async function pausing(retryAfter: number) {
		bench.sandbox.fault({ kind: 'rateLimited', route: 'bulk', times: 1, retryAfter });
		const { run, stop } = bench.start(bulk(), contacts(10), goesOn);
		await bench.time.standStill();
		return { ended: run, stop };
	}

	describe('G7 a pause that one execution was told', () => {
		it('is kept by another one, too: nothing leaves before its end, then one request asks', async () => {
			const { ended } = await pausing(60);
			const arrived: number[] = [];
			bench.meanwhile = async () => {
				// Whoever does not wait for this answer is there by now.
				await turns();
				arrived.push(bench.sandbox.requests.length);
			};
			bench.time.goOn();
			const others = await Promise.all(
				[1, 2, 3].map(async (n) => await bench.run(bulk(), contacts(10 * n).slice(-10))),
			);
			await ended;
			for (const { called } of others) expect(called).toHaveLength(10);
			expect(arrived[0]).toBe(2);
			expect(times()[1]).toBeGreaterThanOrEqual(60_000);
			expect(statuses(bench.sandbox.requests)).toEqual([429, ...Array<number>(4).fill(201)]);
		});
	});
});
