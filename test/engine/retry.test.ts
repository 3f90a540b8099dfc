import type { INodeParameters, IRunExecutionData } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { shown, pairs, statuses, all, says } from './helpers/outcomes';
import { AGENT_WITH_PROMPT } from './helpers/account';
import { CONTINUE, goesOn, ON_ERROR } from './helpers/onError';
import { turns, until } from './helpers/turns';
import { assignments, bulk, contacts, OPERATIONS, phone, phones, place } from './helpers/workflows';
import { closedPort } from './helpers/otherServers';

const bench = workbench();
const store = storeForEach();
const oneLane = { options: { parallelRequests: 1, maxRetryWait: 0 } };

describe('Retry', () => {
	const ledgerOf = ({ data }: Finished): unknown =>
		(data.executionData?.contextData['node:Calls'] as { outboundCallsLedger?: unknown } | undefined)
			?.outboundCallsLedger;

	/** An execution that the daily limit ends after so many calls. */
	async function brokenOff(
		dailyLimit: number,
		parameters: INodeParameters,
		items: ReturnType<typeof contacts>,
	): Promise<Finished> {
		bench.sandbox.settings.dailyLimit = dailyLimit;
		const stopped = await bench.run(parameters, items);
		delete bench.sandbox.settings.dailyLimit;
		expect(stopped.error).toBeDefined();
		return stopped;
	}

	it('G4 the Retry button calls only the rows that were not placed, and returns the outcome of the others', async () => {
		const items = contacts(1_000);
		const stopped = await brokenOff(230, bulk(), items);
		says(stopped, /daily call limit.*230 of 1,000 rows called/i, /press Retry/);
		expect(bench.dialed).toHaveLength(230);

		const retried = await bench.run(bulk(), items, { retryOf: stopped });
		expect(bench.dialed).toHaveLength(1_000);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		const records = new Map(bench.sandbox.journal.map((dial) => [dial.phone, dial.consentId]));
		expect(retried.json.map((row) => [row.destination, row.consent_id])).toEqual(
			items.map(({ phone: number }) => [number, records.get(number)]),
		);
	});

	it('G4 Retry On Fail does not stop again at a row without a clear answer, and calls nobody twice', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
		const run = await bench.run(bulk(oneLane), contacts(25), { retry: { tries: 3, waitMs: 1 } });
		expect(run.error).toBeUndefined();
		const ten = [...all(10, 'initiated'), ...all(10, 'unknown')];
		expect(statuses(run.json)).toEqual([...ten, ...all(5, 'initiated')]);
		expect(run.json[10]?.reason).toMatch(/^May have been called/);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(3);
	});

	it('G4 Place Call returns the recorded answer of a placed call and places only the others', async () => {
		bench.sandbox.fault({ kind: 'hangAfter', route: 'call', after: 2, times: 1 });
		const parameters = place({ options: { parallelRequests: 1, timeout: 1 } });
		const stopped = await bench.run(parameters, contacts(5));
		expect(shown(stopped).message).toMatch(
			/^The API did not answer .*: row 3 was sent without a clear answer\. 2 of 5 rows called/,
		);
		const retried = await bench.run(parameters, contacts(5), { retryOf: stopped });
		expect(retried.json.map(({ status, call_id: id }) => [status, typeof id])).toEqual([
			['initiated', 'string'],
			['initiated', 'string'],
			['unknown', 'object'],
			['initiated', 'string'],
			['initiated', 'string'],
		]);
		expect(bench.dialed).toEqual(phones(5));
	});

	it('G4 whoever certainly was not called is called by Retry, whatever the API said of them', async () => {
		const outcomes = ['failed', 'locked', 'skipped', 'rate_limited'] as const;
		for (const [n, status] of outcomes.entries())
			bench.sandbox.destinationOutcome.set(phone(n), { status, error: 'Not now', times: 1 });
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1, times: 1 });
		const stopped = await bench.run(bulk(oneLane), contacts(12));
		expect(bench.dialed).toHaveLength(6);
		const retried = await bench.run(bulk(oneLane), contacts(12), { retryOf: stopped });
		expect(statuses(retried.json)).toEqual(all(12, 'initiated'));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G4 each person’s call is found again when the rows were changed before the Retry', async () => {
		const named = (name: string) => bulk({ promptVariables: assignments({ name }), ...oneLane });
		const stopped = await brokenOff(10, named('={{ $json.name }}'), contacts(15));
		const [next] = stopped.data.executionData?.nodeExecutionStack ?? [];
		const changed = [...contacts(15).reverse(), { phone: phone(99) }];
		next!.data.main![0] = changed.map((json, item) => ({ json, pairedItem: { item } }));
		const more = { retryOf: stopped, withSavedWorkflow: true };
		const retried = await bench.run(named('Anew'), [], more);
		expect(retried.json.map(({ destination }) => destination)).toEqual(
			changed.map((row) => row.phone),
		);
		expect(statuses(retried.json)).toEqual(all(16, 'initiated'));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(16);
	});

	it('G4 G2 rows of one person share the call of an earlier try', async () => {
		const items = [...contacts(12), ...contacts(1)];
		const stopped = await brokenOff(10, bulk(oneLane), items);
		const retried = await bench.run(bulk(oneLane), items, { retryOf: stopped });
		expect(statuses(retried.json)).toEqual([...all(12, 'initiated'), 'duplicate']);
		expect(retried.json[12]).toMatchObject({
			called: 'other_row',
			consent_id: retried.json[0]!.consent_id,
		});
		expect(bench.dialed).toHaveLength(12);
	});

	it.each(ON_ERROR)('G4 a row refused alone does not run the node again: %s', async (onError) => {
		const parameters = bulk({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: '={{ $itemIndex === 0 ? { name: "Ada" } : { name: "Ada", amount: 1 } }}',
			...oneLane,
		});
		const retry = { tries: 3, waitMs: 1 };
		const run = await bench.run(parameters, contacts(4), { onError, retry });
		expect(run.error).toBeUndefined();
		expect(statuses(run.json)).toEqual(['refused', ...all(3, 'initiated')]);
		expect(run.json[0]?.reason).toMatch(/amount/);
		expect(statuses(bench.sandbox.requests)).toEqual([400, 201]);
		expect(ledgerOf(run)).toBeUndefined();
	});

	it('G4 a retry in a loop’s second round calls the rest of the second, and nobody of the first', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 3, times: 1 });
		const stopped = await bench.run(bulk(oneLane), contacts(15), { rounds: 2 });
		expect(shown(stopped).message).toMatch(
			/^The daily call limit.*: rows 11 to 15 were not called\. 10 of 15 rows called/,
		);
		const retried = await bench.run(bulk(oneLane), contacts(15), { rounds: 2, retryOf: stopped });
		expect(retried.error).toBeUndefined();
		const counts = new Map<string, number>();
		for (const number of bench.dialed) counts.set(number, (counts.get(number) ?? 0) + 1);
		expect([...counts.values()]).toEqual(Array(15).fill(2));
		expect(retried.rounds.map((rows) => rows.length)).toEqual([15, 15]);
	});

	it('G4 the record of a called person takes at most 200 bytes, and is gone once the output stands', async () => {
		const stopped = await brokenOff(500, bulk(), contacts(1_000));
		expect(JSON.stringify(ledgerOf(stopped)).length / 500).toBeLessThan(200);
		const retried = await bench.run(bulk(), contacts(1_000), { retryOf: stopped });
		expect(ledgerOf(retried)).toBeUndefined();
	});
});

describe('retries of retries', () => {
	const rows = contacts(12);

	/** The record of an execution in which a node before this one failed: nothing of this node is in it, and n8n offers Retry. */
	async function failedBefore(items = rows, id = 'execution'): Promise<Finished> {
		const failed = await bench.run(bulk(oneLane), items, {
			api: { baseUrl: await closedPort(), token: 'tk_nobody_listens' },
			executionId: id,
		});
		const data = JSON.parse(JSON.stringify(failed.data)) as IRunExecutionData;
		delete data.resultData.runData.Calls;
		delete data.resultData.error;
		return { ...failed, data };
	}

	it('G4 a second Retry calls nobody again', async () => {
		const first = await failedBefore();
		await bench.run(bulk(), rows, { retryOf: first });
		const twice = await bench.run(bulk(), rows, { retryOf: first });
		expect(bench.dialed).toHaveLength(12);
		expect(statuses(twice.json)).toEqual(all(12, 'already_called'));
		expect(twice.json[0]?.reason).toMatch(/another Retry/i);
	});

	it('G4 with Once for Each, it says that of the person, whatever the value is', async () => {
		const visits = (onceForEach: string): INodeParameters =>
			bulk({ ...oneLane, calledBefore: 'onceForEach', onceForEach });
		const first = await failedBefore();
		const retry = { retryOf: first, withSavedWorkflow: true };
		await bench.run(visits('first'), rows, retry);
		const twice = await bench.run(visits('second'), rows, retry);
		expect(bench.dialed).toHaveLength(12);
		expect(twice.json.map(({ reason }) => reason)).toEqual(
			all(12, 'Called by another Retry of this execution'),
		);
	});

	it.each(OPERATIONS)('G4 %s: two Retries at once dial each number once', async (_, calls) => {
		const first = await failedBefore();
		await Promise.all([1, 2].map(async () => await bench.run(calls(), rows, { retryOf: first })));
		expect([...bench.dialed].sort()).toEqual(phones(12));
	});

	it('G4 a Retry of a Retry, and two more of the first execution, call only the rest', async () => {
		const many = contacts(30);
		const first = await failedBefore(many);
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1, times: 1 });
		const second = await bench.run(bulk(oneLane), many, { retryOf: first });
		expect(second.error).toBeDefined();
		for (const retryOf of [second, first, first]) await bench.run(bulk(), many, { retryOf });
		expect(bench.dialed).toHaveLength(30);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G4 a node that was renamed before the Retry is still the same', async () => {
		const first = await failedBefore();
		await bench.run(bulk(), rows, { retryOf: first });
		const renamed = { nodeName: 'Renamed', withSavedWorkflow: true };
		await bench.run(bulk(), rows, { retryOf: first, ...renamed });
		expect(bench.dialed).toHaveLength(12);
	});

	it('a Retry that cannot reach the database calls nobody and says so; the next one calls', async () => {
		const first = await failedBefore();
		store.outOfOrder = 'database is locked';
		const stopped = await bench.run(bulk(), rows, { retryOf: first });
		says(stopped, /database.*database is locked/, /Retry/);
		const continues = { retryOf: first, withSavedWorkflow: true, ...goesOn };
		expect(await bench.statuses(bulk(), rows, continues)).toEqual(all(12, 'refused'));
		expect(bench.sandbox.requests).toEqual([]);
		store.outOfOrder = undefined;
		await bench.run(bulk(), rows, { retryOf: first });
		expect(bench.dialed).toHaveLength(12);
	});
});

it('G4 after a Retry the row that was called says so, not an earlier row of its person', async () => {
	const node = place({
		calledBefore: 'onceForEach',
		onceForEach: '={{ $json.appointment }}',
		options: { parallelRequests: 1 },
	});
	const old = [1, 2].map((n) => ({ phone: phone(n), appointment: 'old' }));
	await bench.run({ ...node, mode: 'dryRun' }, old);
	await bench.run(node, old);
	// The first new appointment is called, the second is lost.
	bench.sandbox.fault({ kind: 'gateway', route: 'call', after: 1, times: 1 });
	const rows = [...old, ...[1, 2].map((n) => ({ phone: phone(n), appointment: 'new' }))];
	const broken = await bench.run(node, rows);
	expect(broken.error).toBeDefined();
	const retried = await bench.run(node, rows, { retryOf: broken });
	expect(retried.error).toBeUndefined();
	expect(statuses(retried.json)).toEqual(['duplicate', 'duplicate', 'initiated', 'unknown']);
	expect(bench.dialed.filter((each) => each === phone(1))).toHaveLength(2);
});

describe('Stop', () => {
	const STOPPED = 'Not sent: the execution was stopped';
	const oneByOne = (options: INodeParameters = {}): INodeParameters =>
		bulk({ options: { parallelRequests: 1, ...options } });

	describe('G1 reading many rows', () => {
		const rows = contacts(200);
		const dry = bulk({ destination: '={{ $json.phone.trim() }}', mode: 'dryRun' });
		/** So much time passes with each look at the clock that a few rows are all that is read in one go. */
		beforeEach(() => {
			performance.now = () => {
				bench.time.elapse(1);
				return bench.time.now();
			};
		});
		afterEach(() => (performance.now = bench.time.now));

		it('others have their turn while rows are read', async () => {
			let others = 0;
			let reads = true;
			const other = (): void => {
				others++;
				if (reads) setImmediate(other);
			};
			const { json } = await bench.run(dry, rows, { onStarted: () => setImmediate(other) });
			reads = false;
			expect(json).toHaveLength(rows.length);
			expect(others).toBeGreaterThan(5);
		});

		it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
			'a Stop is heard: no further row is read, and nobody is called (%s)',
			async (onError) => {
				const run = await bench.run({ ...dry, mode: 'live' }, rows, {
					onError,
					onStarted: (stop) => setImmediate(() => setImmediate(stop)),
				});
				if (onError === 'stopWorkflow') expect(shown(run).message).toMatch(/was stopped/);
				else {
					expect(run.json).toHaveLength(rows.length);
					for (const { called } of run.json) expect(called).toBe('no');
					expect(run.json.at(-1)!.reason).toMatch(/was stopped/);
				}
				expect(bench.sandbox.requests).toEqual([]);
			},
		);
	});

	describe('G10 Stop means stop', () => {
		it('no further request is sent after the stop', async () => {
			const parameters = bulk({ options: { parallelRequests: 2 } });
			const { run, stop } = bench.start(parameters, contacts(200));
			// The first request goes alone. Then both lanes wait for an answer, so that none is about to send.
			bench.meanwhile = async () => {
				if (bench.sandbox.requests.length < 2) return;
				await until(() => bench.sandbox.requests.length === 3);
				stop();
				await new Promise(() => undefined);
			};
			// n8n ends the requests that are under way: so those rows may have been called, and nobody says that a connection was lost.
			says(
				await run,
				/^The execution was stopped\. 10 of 200 rows called, 20 possibly called, 170 not called/,
				/^No further call was started\. .*Retry/,
			);
			await turns();
			expect(bench.sandbox.requests).toHaveLength(3);
			expect(bench.dialed).toHaveLength(30);
		});

		it.each([
			['a wait for the API’s limit', { kind: 'rateLimited', retryAfter: 200 }, {}, 0],
			['the spacing of calls', undefined, { callsPerMinute: 1 }, 1],
		] as const)('%s ends at once', async (_name, fault, more, called) => {
			if (fault) bench.sandbox.fault({ ...fault, route: 'bulk' });
			const { run, stop } = bench.start(oneByOne(more), contacts(20));
			await bench.time.standStill();
			stop();
			const counts = `${called} of 20 rows called, ${20 - called} not`;
			says(await run, new RegExp(`^The execution was stopped\\. ${counts}`), /everybody again/);
			expect(bench.sandbox.requests).toHaveLength(1);
		});

		it.each(CONTINUE)('G5 with %s every row of a stopped run comes out', async (onError) => {
			const { run, stop } = bench.start(oneByOne({ callsPerMinute: 1 }), contacts(20), { onError });
			await bench.time.standStill();
			stop();
			const { items, json, errorItems } = await run;
			expect(pairs(items)).toEqual(contacts(20).map((_, n) => n));
			expect(json[0]!.called).toBe('yes');
			for (const row of json.slice(1))
				expect(row).toMatchObject({ status: 'refused', called: 'no', reason: STOPPED });
			expect(errorItems).toEqual([]);
		});

		it('G4 a stopped execution goes on with Retry: nobody is called twice', async () => {
			const { run, stop } = bench.start(oneByOne(), contacts(50));
			bench.meanwhile = () => {
				if (bench.sandbox.requests.length === 2) stop();
			};
			const retried = await bench.run(bulk(), contacts(50), { retryOf: await run });
			expect(pairs(retried.called)).toEqual(contacts(50).map((_, n) => n));
			expect(bench.sandbox.doubleDialed()).toEqual([]);
			expect(bench.dialed).toHaveLength(50);
		});
	});
});
