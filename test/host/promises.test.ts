import { closedPort, otherServer } from '../engine/otherServers';
import { bulk, contacts, phone } from '../engine/workflows';
import type { FaultRule } from '../sandbox';
import { CALLED, NOT_CALLED } from './callWorkflow';
import type { Execution } from './client';
import { callsOf, hostBench, shown, until } from './hostBench';
import { placesWithTheToken } from './leaks';
import { itemsOf } from './outcomes';

/** `test/engine` tests the same promises with the engine alone. Here the real n8n saves, retries, stops and shows executions. */
const bench = hostBench();

const oneLane = { options: { parallelRequests: 1, maxRetryWait: 0 } };
const phones = (count: number): string[] => contacts(count).map((row) => row.phone);
const times = (count: number, status: string): string[] => Array<string>(count).fill(status);

describe('the credential test', () => {
	const given = (more: object = {}) => ({ baseUrl: bench.sandbox.baseUrl, apiToken: bench.sandbox.token, ...more });
	const tested = async (data: Record<string, unknown>) => await bench.stage.client.testCredential(bench.stage.credential, data);

	it('accepts a good token', async () => {
		expect(await tested(given())).toMatchObject({ status: 'OK' });
	});

	it('says that a wrong token was not accepted', async () => {
		const { status, message } = await tested(given({ apiToken: 'wrong' }));
		expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(/token was not accepted.*dashboard/) });
	});

	it('says that the token works but calling is not enabled', async () => {
		bench.sandbox.settings.callingEnabled = false;
		const { status, message } = await tested(given());
		expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(/token works, but outbound calling is not enabled/) });
	});

	it.each([200, 404])('says that a server which answers with a page (%d) is not the API', async (status) => {
		bench.sandbox.fault({ kind: 'gateway', status });
		const answer = await tested(given());
		expect(answer).toMatchObject({ status: 'Error', message: expect.stringMatching(/not the Outbound Calls API.*\/api\/v1\/outbound/) });
	});

	it('shows the connection’s own code when nothing listens at the address', async () => {
		expect(await tested(given({ baseUrl: await closedPort() }))).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('ECONNREFUSED'),
		});
	});
});

describe('G4 Retry is safe', () => {
	it('G4 after the daily limit ended a campaign, the Retry button calls only the rest', async () => {
		bench.sandbox.settings.dailyLimit = 30;
		const { workflow, start } = await bench.activeWorkflow({ rows: contacts(60), parameters: bulk() });
		await start();
		const [ended] = await bench.ended(workflow, 1);
		expect(ended).toMatchObject({ status: 'error', mode: 'webhook' });
		expect(shown(ended!).message).toMatch(/^30 of 60 rows were placed; rows .+ were not called: .*Retry calls only the rest\.$/);
		expect(bench.dialed).toHaveLength(30);

		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.stage.client.retryExecution(ended!.id);
		expect(retried).toMatchObject({ status: 'success', retryOf: ended!.id });
		expect(callsOf(retried).map((row) => [row.destination, row.status])).toEqual(phones(60).map((number) => [number, 'initiated']));
		expect(itemsOf(retried, CALLED)).toHaveLength(60);
		const records = new Map<unknown, number>(bench.sandbox.journal.map((dial) => [dial.phone, dial.consentId]));
		for (const row of callsOf(retried)) expect(row.consent_id).toBe(records.get(row.destination));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(60);
	});

	it('G4 a retry that ends at the limit as well can be retried in turn, until all are called', async () => {
		let failed: Execution | undefined;
		for (const limit of [20, 40]) {
			bench.sandbox.settings.dailyLimit = limit;
			failed = failed ? await bench.stage.client.retryExecution(failed.id) : await bench.run({ rows: contacts(60), parameters: bulk() });
			expect(failed.status).toBe('error');
			expect(shown(failed).message).toMatch(new RegExp(`^${limit} of 60 rows were placed`));
		}
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.stage.client.retryExecution(failed!.id);
		expect(callsOf(retried).map(({ destination }) => destination)).toEqual(phones(60));
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(60);
	});

	it.each<[string, FaultRule, number]>([
		['a gateway’s page came', { kind: 'gateway', route: 'bulk', after: 2, times: 1 }, 50],
		['the connection was cut', { kind: 'resetAfter', route: 'bulk', after: 2, times: 1 }, 60],
	])('G4 when %s in place of the API’s answer, the Retry button returns those rows as unknown and calls the rest', async (_, fault, dialed) => {
		bench.sandbox.fault(fault);
		const ended = await bench.run({ rows: contacts(60), parameters: bulk(oneLane) });
		expect(ended.status).toBe('error');
		expect(shown(ended).message).toMatch(
			/^20 of 60 rows were placed; rows 21 to 30 were sent without a clear answer: .*Retry calls only the rest\.$/,
		);

		const retried = await bench.stage.client.retryExecution(ended.id);
		expect(retried).toMatchObject({ status: 'success', retryOf: ended.id });
		expect(callsOf(retried).map(({ destination }) => destination)).toEqual(phones(60));
		expect(callsOf(retried).map(({ status }) => status)).toEqual([...times(20, 'initiated'), ...times(10, 'unknown'), ...times(30, 'initiated')]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(dialed);
	});

	// n8n shows Retry on an execution until one of its retries succeeds, and each starts with what the
	// execution itself remembered.
	it('G4 the Retry button pressed twice on the same failed execution calls nobody twice', async () => {
		bench.sandbox.settings.dailyLimit = 30;
		const ended = await bench.run({ rows: contacts(60), parameters: bulk() });
		bench.sandbox.settings.dailyLimit = 40;
		expect((await bench.stage.client.retryExecution(ended.id)).status).toBe('error');
		delete bench.sandbox.settings.dailyLimit;
		expect((await bench.stage.client.retryExecution(ended.id)).status).toBe('success');
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('G4 Retry On Fail calls nobody twice, and a row without an answer comes out as unknown', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', after: 1, times: 1 });
		const execution = await bench.run({
			rows: contacts(25),
			parameters: bulk(oneLane),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
		});
		expect(execution.status).toBe('success');
		expect(callsOf(execution).map(({ destination }) => destination)).toEqual(phones(25));
		expect(callsOf(execution).map(({ status }) => status)).toEqual([...times(10, 'initiated'), ...times(10, 'unknown'), ...times(5, 'initiated')]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests.map(({ dialed }) => dialed)).toEqual([10, 10, 5]);
	});
});

describe('G5 No row is lost', () => {
	it('G5 with an error output, rows that cannot be called arrive there with their fields and the reason, the others on the first output', async () => {
		const rows = contacts(24);
		rows[3]!.phone = '07700 900123';
		rows[17]!.phone = '';
		const execution = await bench.run({ rows, parameters: bulk(), settings: { onError: 'continueErrorOutput' } });
		expect(execution.status).toBe('success');

		const good = rows.filter((_, index) => index !== 3 && index !== 17);
		expect(itemsOf(execution, CALLED).map(({ json }) => [json.destination, json.status])).toEqual(good.map((row) => [row.phone, 'initiated']));
		expect(itemsOf(execution, NOT_CALLED).map(({ json }) => json)).toEqual([
			{ ...rows[3], error: expect.stringMatching(/^Row 4: .*07700 900123/) },
			{ ...rows[17], error: expect.stringMatching(/^Row 18: /) },
		]);
		expect(bench.dialed.sort()).toEqual(good.map((row) => row.phone));
	});
});

describe('G9 Nothing leaks', () => {
	it.each([302, 307] as const)('G9 a redirect (%d) to another server delivers nothing to it', async (status) => {
		const elsewhere = await otherServer();
		bench.sandbox.fault({ kind: 'redirect', route: 'bulk', status, location: `${elsewhere.origin}/api/v1/outbound/calls/bulk` });
		const execution = await bench.run({ rows: contacts(2), parameters: bulk() });
		await elsewhere.close();
		expect(execution.status).toBe('error');
		expect(elsewhere.received).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});
});

describe('G10 Stop means stop', () => {
	const LANES = 2;
	const rows = contacts(100);
	const settingsOf = { stop: 'stopWorkflow', continue: 'continueRegularOutput' } as const;

	/** Starts a campaign whose fifth and later requests take long, and stops it while two of them are under way. */
	async function stopped(options: object, onError: (typeof settingsOf)[keyof typeof settingsOf]) {
		bench.sandbox.fault({ kind: 'latency', route: 'bulk', after: 4, ms: 1_500 });
		const { workflow, start } = await bench.activeWorkflow({
			rows,
			parameters: bulk({ options: { parallelRequests: LANES, ...options } }),
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
			const { execution, sent } = await stopped({}, settingsOf[onError]);
			expect(execution.status).toBe('canceled');
			expect(shown(execution).message).toBe('The execution was cancelled manually');
			// A request may have been on its way to the sandbox.
			expect(bench.sandbox.requests.length).toBeLessThanOrEqual(sent + LANES);
			expect(bench.sandbox.requests.length).toBeLessThan(rows.length / 10);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		},
	);

	it('G10 n8n retries a stopped execution from its trigger: with Call Once nobody is called twice', async () => {
		const { execution } = await stopped({ callOnce: true }, 'stopWorkflow');
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
