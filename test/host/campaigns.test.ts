import type { INodeParameters } from 'n8n-workflow';
import { readFile } from 'node:fs/promises';
import { NAME_THAT_CANNOT_EXIST, otherServer } from '../engine/helpers/otherServers';
import { bulk, contacts, phone } from '../engine/helpers/workflows';
import type { FaultRule } from '../sandbox';
import { BY_HAND, CALLS } from './helpers/callWorkflow';
import { callsOf, shown, statuses, succeeded, summaryOf } from './helpers/executions';
import type { Execution } from './helpers/client';
import { hostBench, say, TOKEN, until, withFields } from './helpers/hostBench';
import { placesWithTheToken } from './helpers/leaks';

/** Campaigns over days, buttons and accidents, in the real n8n. */
const bench = hostBench();

const times = (count: number, status: string): string[] => Array<string>(count).fill(status);
/** As a new node is, Live, for the United States. */
const asNew = (more: INodeParameters = {}): INodeParameters => ({
	...bulk({ countries: ['US'], calledBefore: 'skip', ...more }),
	options: {},
});

it('G8 a published copy that is Live is not set off by the dry run that it asks for: unpublish it, make another one, publish it again', async () => {
	const { client } = bench.stage;
	const webhook = bench.newName();
	const rows = contacts(8);
	const copy = await client.createWorkflow(bench.define({ rows, parameters: asNew(), webhook }));
	await bench.publish(copy);
	let executions = 0;
	const tick = async (): Promise<Execution> => {
		await bench.post(webhook, {});
		return (await bench.ended(copy, ++executions)).at(-1)!;
	};
	const dryRun = async (): Promise<string[]> => {
		executions++;
		return summaryOf(await bench.runWith(copy, CALLS, { mode: 'dryRun' }, BY_HAND));
	};
	for (const _ of [1, 2]) expect(shown(await tick()).message).toMatch(/^Make a dry run/);
	expect((await dryRun())[0]).toMatch(/published version.*Unpublish it.*calls 8 people/);
	for (const _ of [1, 2]) expect((await tick()).status).toBe('error');
	expect(bench.dialed).toEqual([]);

	await client.deactivate(copy);
	await dryRun();
	const live = await client.updateWorkflow(withFields(copy, CALLS, { mode: 'live' }));
	await bench.publish(live);
	expect(statuses(await tick())).toEqual(times(8, 'initiated'));
	expect(bench.dialed.sort()).toEqual(rows.map((row) => row.phone).sort());
});

describe('the memory', () => {
	it('G8 three executions at the same time dial each number once', async () => {
		bench.sandbox.settings.latencyMs = 50;
		const rows = contacts(60);
		const { workflow, start } = await bench.published({ rows, parameters: asNew() });
		await Promise.all([start(), start(), start()]);
		const executions = await bench.ended(workflow, 3);
		const outcomes = executions.flatMap((execution) => statuses(succeeded(execution)));
		expect(outcomes.filter((status) => status === 'initiated')).toHaveLength(60);
		expect(outcomes.filter((status) => status === 'already_called')).toHaveLength(120);
		expect(bench.dialed.sort()).toEqual(rows.map((row) => row.phone).sort());
	});

	it('G8 after n8n was killed in the middle of a campaign, nobody who was called before the kill is called again', async () => {
		bench.sandbox.settings.latencyMs = 50;
		const parameters = { ...asNew(), options: { parallelRequests: 2 } };
		const { workflow, start } = await bench.published({ rows: contacts(200), parameters });
		await start();
		await until('80 numbers were dialed', () => bench.dialed.length >= 80);
		await bench.crash();
		const before = new Set<unknown>(bench.dialed);
		expect(before.size).toBeLessThan(200);
		expect((await bench.ended(workflow, 1))[0]!.status).toBe('crashed');

		await start();
		const again = succeeded((await bench.ended(workflow, 2)).at(-1)!);
		const numbers = (status: string) =>
			callsOf(again)
				.filter((row) => row.status === status)
				.map(({ destination }) => destination);
		const [initiated, already] = [
			numbers('initiated'),
			new Set<unknown>(numbers('already_called')),
		];
		expect([...before].filter((number) => !already.has(number))).toEqual([]);
		expect(initiated.length + already.size).toBe(200);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(before.size + initiated.length);
		// Whoever was in the requests under way stays entered.
		expect(already.size - before.size).toBeLessThanOrEqual(20);
		say(`killed after ${before.size} of 200 calls; ${already.size - before.size} stay entered`);
	});
});

describe('Retry', () => {
	it('G4 the Retry button calls only the rest after the daily limit ended the run, also pressed twice, with Call Again too', async () => {
		bench.sandbox.settings.dailyLimit = 20;
		const rows = contacts(40);
		const { workflow, start } = await bench.published({ rows, parameters: bulk() });
		await start();
		const [ended] = await bench.ended(workflow, 1);
		expect([ended!.status, bench.dialed.length]).toEqual(['error', 20]);
		expect(shown(ended!).description).toMatch(/press Retry/);
		delete bench.sandbox.settings.dailyLimit;

		const { client } = bench.stage;
		const retries = await Promise.all([
			client.retryExecution(ended!.id),
			client.retryExecution(ended!.id),
		]);
		expect(retries.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed.sort()).toEqual(rows.map((row) => row.phone).sort());
	});

	it('G10 Stop means stop: nothing is sent after it, and a new run calls the rest', async () => {
		bench.sandbox.fault({ kind: 'latency', route: 'bulk', after: 4, ms: 1_500 });
		const rows = contacts(100);
		const parameters = { ...asNew(), options: { parallelRequests: 2 } };
		const { workflow, start } = await bench.published({ rows, parameters });
		await start();
		await until('the campaign is under way', () => bench.sandbox.requests.length >= 6);
		const [running] = await bench.stage.client.listExecutions({ workflowId: workflow.id });
		await bench.stage.client.stopExecution(running!.id);
		const sent = bench.sandbox.requests.length;
		await until('the requests under way are answered', () => bench.sandbox.inFlight === 0);
		// A request may have been on its way.
		expect(bench.sandbox.requests.length).toBeLessThanOrEqual(sent + 2);
		expect((await bench.ended(workflow, 1))[0]!.status).toBe('canceled');

		bench.sandbox.clearFaults();
		await start();
		succeeded((await bench.ended(workflow, 2)).at(-1)!);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(100);
	});
});

describe('the credential is tested', () => {
	const PATH = '/api/v1/outbound';
	const tested = async (more: object = {}) => {
		const { client, credential } = bench.stage;
		const { baseUrl, token } = bench.sandbox;
		const data = { baseUrl, apiToken: token, callbackSecret: '', ...more };
		return await client.testCredential(credential, data);
	};

	it.each<[string, (url: string) => string]>([
		['as it is', (url) => url],
		['with slashes at its end', (url) => `${url}//`],
		['with spaces around it', (url) => ` ${url} `],
	])('a good one, the Base URL %s, with one harmless request', async (_, baseUrl) => {
		const { status } = await tested({ baseUrl: baseUrl(bench.sandbox.baseUrl) });
		expect(status).toBe('OK');
		const path = `${PATH}/batches/00000000-0000-0000-0000-000000000000`;
		const headers = { authorization: `Bearer ${TOKEN}` };
		expect(bench.sandbox.requests).toMatchObject([{ method: 'GET', path, headers }]);
	});

	const busy = (status: number): [string, FaultRule, RegExp] => [
		`the API is busy (${status})`,
		{ kind: 'respond', status, body: { success: false, error: 'x' } },
		/^(?!.*token)/i,
	];
	const NOT_THE_API = /not the Outbound Calls API.*ends in \/api\/v1\/outbound/;
	const foreign = (status: number, body: unknown): [string, FaultRule, RegExp] => [
		`${status} and ${JSON.stringify(body)}`,
		{ kind: 'respond', status, body },
		NOT_THE_API,
	];
	it.each<[string, FaultRule, RegExp]>([
		foreign(200, '<html></html>'),
		foreign(404, { message: 'no Route matched' }),
		['nothing', { kind: 'empty', status: 200 }, NOT_THE_API],
		...[429, 500, 503].map(busy),
	])('each answer has a sentence of its own: %s', async (_, fault, message) => {
		bench.sandbox.fault(fault);
		expect(await tested()).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	});

	it('a wrong token, and calling that is not enabled, are told apart', async () => {
		const { message } = await tested({ apiToken: 'wrong' });
		expect(message).toMatch(/token was not accepted.*dashboard/);
		bench.sandbox.settings.callingEnabled = false;
		expect((await tested()).message).toMatch(/token works, but outbound calling is not enabled/);
	});

	it('a redirect is not followed', async () => {
		const elsewhere = await otherServer();
		bench.sandbox.fault({ kind: 'redirect', location: elsewhere.origin });
		const { status } = await tested();
		await elsewhere.close();
		expect(elsewhere.received).toEqual([]);
		expect(status).toBe('Error');
	});

	it.each<[string, object, RegExp]>([
		['a name that cannot exist', { baseUrl: NAME_THAT_CANNOT_EXIST }, /ENOTFOUND|EAI_AGAIN/],
		['no encryption', { baseUrl: `http://example.com${PATH}` }, /begins with http:.*Use https/],
		['a line break', { apiToken: 'tk\nx' }, /API token .* has a character that cannot be sent/],
		['no token', { apiToken: ' ' }, /API token .* is empty/],
	])('%s: what happened is said, and nothing is sent', async (_, more, message) => {
		expect(await tested(more)).toEqual({
			status: 'Error',
			message: expect.stringMatching(message),
		});
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('G9 Nothing leaks', () => {
	it('G9 n8n’s log shows the last four digits only of whom a call was for', async () => {
		bench.sandbox.fault({ kind: 'gateway', route: 'bulk', times: 1 });
		const rows = [{ phone: '+15550147711' }];
		const unclear = await bench.run({ rows, parameters: bulk() });
		expect(unclear.status).toBe('error');
		const log = await readFile(bench.logFiles.at(-1)!, 'utf8');
		expect(log).toContain(shown(unclear).message);
		expect(log).not.toContain('15550147711');
	});

	// The last one: it looks at what all the others left behind.
	it('G9 the token is in no execution, log or database of all these runs', async () => {
		expect(await placesWithTheToken(bench, phone(0))).toEqual([]);
	});
});
