import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../sandbox';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	assignments,
	bulk,
	contacts,
	phone,
	place,
	shown,
	text,
} from './helpers/workflows';

const bench = workbench();

const settings = ['stopWorkflow', 'continueRegularOutput'] as const;
const goesOn = { onError: 'continueRegularOutput' } as const;

const rowsOf = (agents: number) =>
	contacts(60).map((row, n) => ({ ...row, agent: `+1555000${1_000 + (n % agents)}` }));
const byAgent: INodeParameters = { agentNumber: '={{ $json.agent }}' };
const refusal = (status: number, error: string): FaultRule => ({
	kind: 'respond',
	status,
	body: { success: false, error },
});

interface Refusal {
	what: string;
	fault: FaultRule | 'each row is rate_limited';
	/** Requests of one execution that prove it, and with sixty agents. */
	proof: number;
	ofSixty?: number;
	/** Requests of an execution that begins later. */
	later?: number;
}

const refusals: Refusal[] = [
	{ what: 'the token', fault: refusal(401, 'Invalid token'), proof: 1 },
	{ what: 'an account that is not enabled', fault: refusal(403, 'Not enabled'), proof: 1 },
	{ what: 'the daily limit', fault: refusal(422, 'Daily call limit reached'), proof: 1 },
	{ what: 'a locked account', fault: refusal(422, 'Account is locked'), proof: 1 },
	{ what: 'a removed path', fault: refusal(410, 'Gone'), proof: 1 },
	{
		what: 'a limit that names a time',
		fault: { kind: 'rateLimited', retryAfter: 90 },
		proof: 1,
		later: 0,
	},
	{ what: 'a limit that names none', fault: { kind: 'unavailable' }, proof: 1 },
	{ what: 'a limit that is told row by row', fault: 'each row is rate_limited', proof: 1 },
	{
		what: 'an agent that does not exist',
		fault: refusal(404, 'Agent not found or not accessible'),
		proof: 1,
		ofSixty: 60,
	},
	{ what: 'a server that is not the API', fault: { kind: 'gateway' }, proof: 3 },
];
const table = refusals.flatMap((each) => [
	{ ...each, onError: 'stopWorkflow' as const, agents: 1, most: each.proof },
	{
		...each,
		onError: 'continueRegularOutput' as const,
		agents: 60,
		most: each.ofSixty ?? each.proof,
	},
]);

describe.each([
	['Bulk Call', bulk],
	['Place Call', place],
])('G6 what one answer proves holds for the whole run, and for others, with %s', (_, calls) => {
	// No answer to Place Call says it row by row.
	const cells = calls === place ? table.filter(({ fault }) => typeof fault === 'object') : table;

	it.each(cells)(
		'$what, $onError, $agents agents: $most requests of each execution',
		async ({ fault, onError, agents, most, later = most }) => {
			if (typeof fault === 'object') bench.sandbox.fault({ ...fault, times: 1_000 });
			else
				for (let n = 0; n < 60; n++)
					bench.sandbox.destinationOutcome.set(phone(n), {
						status: 'rate_limited',
						error: 'Later',
					});
			const run = async () =>
				await bench.run(calls({ ...byAgent, options: { maxRetryWait: 0 } }), rowsOf(agents), {
					onError,
				});

			const together = await Promise.all([run(), run()]);
			const first = bench.sandbox.requests.length;
			expect(first).toBeGreaterThan(0);
			expect(first).toBeLessThanOrEqual(2 * most);
			for (const { error, json } of [...together, await run()]) {
				if (onError === 'stopWorkflow') expect(error).toBeDefined();
				else expect(json).toHaveLength(60);
			}
			expect(bench.sandbox.requests.length - first).toBeLessThanOrEqual(later);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('where the API is known, what was under way is all that follows', async () => {
		await bench.meet();
		bench.sandbox.fault({ ...refusal(422, 'Daily call limit reached'), times: 1_000 });
		await bench.run(calls({ ...byAgent, options: { parallelRequests: 5 } }), rowsOf(60), goesOn);
		expect(bench.sandbox.requests.length - 1).toBeLessThanOrEqual(5);
	});
});

it('G6 an agent that does not exist ends its group alone', async () => {
	const rows = contacts(60).map((row, n) => ({
		...row,
		agent: n < 30 ? '+15550009876' : '+15550001000',
	}));
	const { called, notCalled } = await bench.run(bulk(byAgent), rows, goesOn);
	expect([called.length, notCalled.length]).toEqual([30, 30]);
	expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([404, 201, 201, 201]);
});

describe('G6 a placeholder that nobody sends', () => {
	const prompt = (more: INodeParameters = {}) => bulk({ agentNumber: AGENT_WITH_PROMPT, ...more });

	it.each(settings)('500 rows, %s: one request', async (onError) => {
		const parameters = prompt({ promptVariables: assignments({ name: '={{ $json.name }}' }) });
		const { json, error } = await bench.run(parameters, contacts(500), { onError });
		expect(bench.sandbox.requests).toHaveLength(1);
		if (error) expect(shown({ error } as never).message).toContain('"amount"');
		else
			expect(
				json.filter(
					({ status, reason }) => status === 'refused' && text(reason).includes('"amount"'),
				),
			).toHaveLength(500);
	});

	it('rows that have it are called, and the others are not asked for again', async () => {
		const rows = contacts(60).map((row, n) => ({
			...row,
			variables: n % 2 ? { name: 'A', amount: '1' } : { name: 'A' },
		}));
		const parameters = prompt({
			variablesFrom: 'json',
			promptVariablesJson: '={{ $json.variables }}',
			options: { parallelRequests: 1 },
		});
		const { called, notCalled } = await bench.run(parameters, rows, goesOn);
		expect(called.map(({ json }) => json.destination)).toEqual(
			rows.filter((_, n) => n % 2).map((row) => row.phone),
		);
		expect(notCalled).toHaveLength(30);
		expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([
			400,
			...Array<number>(6).fill(201),
		]);
	});
});

describe('G6 requests without an answer of the API’s own', () => {
	it.each<[string, FaultRule, number, number]>([
		['a gateway’s pages', { kind: 'gateway', times: 1_000 }, 30, 70],
		[
			'somebody else’s data',
			{ kind: 'respond', status: 200, body: { hello: 'world' }, times: 1_000 },
			30,
			70,
		],
		['connections that break', { kind: 'resetBefore', times: 1_000 }, 30, 70],
		['pages of a wrong address', { kind: 'gateway', status: 404, times: 1_000 }, 0, 100],
	])('%s: three in a row end the run', async (_, fault, maybe, not) => {
		bench.sandbox.fault(fault);
		const { called, notCalled } = await bench.run(bulk(), contacts(100), goesOn);
		expect(bench.sandbox.requests).toHaveLength(3);
		expect([called.length, notCalled.length]).toEqual([maybe, not]);
		expect(notCalled.at(-1)!.json.reason).toMatch(
			/^3 requests in a row got no answer from the API.*Base URL/,
		);
	});

	it('a server that hangs is asked three times', async () => {
		bench.sandbox.fault({ kind: 'hangBefore', times: 1_000 });
		const parameters = bulk({ options: { timeout: 1 } });
		const { called, notCalled } = await bench.run(parameters, contacts(100), goesOn);
		expect(bench.sandbox.requests).toHaveLength(3);
		expect([called.length, notCalled.length]).toEqual([30, 70]);
		expect(notCalled.at(-1)!.json).toMatchObject({
			status: 'refused',
			reason: expect.stringMatching(/^3 requests in a row got no answer/) as string,
		});
	});

	it('those of another server are its own', async () => {
		bench.sandbox.fault({ kind: 'gateway', status: 404, route: 'bulk', times: 1, after: 1 });
		const wrong = `${bench.sandbox.baseUrl.replace(/\/outbound$/, '')}/nowhere/outbound`;
		const api = { baseUrl: '={{ $json.base }}', token: bench.sandbox.token };
		const rows = contacts(2).map((row, n) => ({
			...row,
			base: n === 0 ? bench.sandbox.baseUrl : wrong,
		}));
		const { rounds } = await bench.run(bulk(), rows, {
			batchSize: 1,
			onError: 'continueRegularOutput',
			api,
		});
		expect(rounds.map(([row]) => row?.status)).toEqual(['initiated', 'refused']);
		// The sandbox documents no such path.
		bench.sandbox.reset();
	});

	it('two of them, and then one of its own, do not', async () => {
		bench.sandbox.fault({ kind: 'gateway', times: 2 });
		bench.sandbox.fault({ kind: 'gateway', after: 3, times: 2 });
		const { called } = await bench.run(
			bulk({ options: { parallelRequests: 1 } }),
			contacts(60),
			goesOn,
		);
		expect(
			called.map(({ json }) => json.status).filter((status) => status === 'initiated'),
		).toHaveLength(20);
		expect(bench.sandbox.requests).toHaveLength(6);
	});
});

describe.each(['rate_limited', 'temporarily_unavailable'] as const)(
	'G6 a request of which every row is %s',
	(status) => {
		const limited = (from: number, to: number) => {
			for (let n = from; n < to; n++)
				bench.sandbox.destinationOutcome.set(phone(n), { status, error: 'Later' });
		};

		it.each(settings)(
			'pauses the run, and ends it where there is no time for that (%s)',
			async (onError) => {
				limited(20, 100);
				const { called, notCalled, error } = await bench.run(
					bulk({ options: { maxRetryWait: 0, parallelRequests: 1 } }),
					contacts(100),
					{ onError },
				);
				expect(bench.sandbox.requests).toHaveLength(3);
				if (onError === 'stopWorkflow') {
					expect(shown({ error } as never).message).toMatch(
						/cannot dial anybody at the moment.*20 of 100 rows called/,
					);
					return;
				}
				expect([called.length, notCalled.length]).toEqual([20, 80]);
				expect(notCalled.map(({ json }) => json.status)).toEqual([
					...Array<string>(10).fill(status),
					...Array<string>(70).fill('refused'),
				]);
			},
		);

		it('is no reason to throw when nothing is left to send', async () => {
			limited(0, 10);
			const { error, notCalled } = await bench.run(
				bulk({ options: { maxRetryWait: 0 } }),
				contacts(10),
			);
			expect(error).toBeUndefined();
			expect(notCalled.map(({ json }) => json.status)).toEqual(Array<string>(10).fill(status));
		});

		it('nothing is inferred from a mixed one', async () => {
			for (let n = 0; n < 50; n++) if (n % 10 !== 3) limited(n, n + 1);
			const { called } = await bench.run(bulk({ options: { maxRetryWait: 0 } }), contacts(50));
			expect(called).toHaveLength(5);
			expect(bench.sandbox.requests).toHaveLength(5);
		});
	},
);

it('G6 the second request waits for the answer to the first', async () => {
	bench.sandbox.settings.latencyMs = 50;
	await bench.run(bulk(), contacts(60));
	const [first, second] = bench.sandbox.requests.map(({ at }) => at);
	expect(second! - first!).toBeGreaterThanOrEqual(50);
});
