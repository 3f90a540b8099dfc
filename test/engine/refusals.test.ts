import { apiRefusals } from './helpers/apiRefusals';
import { closedPort, NAME_THAT_CANNOT_EXIST, otherServer } from './helpers/otherServers';
import { workbench } from './helpers/workbench';
import { all, linesOf, pairs, shown, statuses, says } from './helpers/outcomes';
import { AGENT, AGENT_WITH_PROMPT, CALLER, UNKNOWN_AGENT } from './helpers/account';
import { goesOn } from './helpers/onError';
import { turns } from './helpers/turns';
import {
	assignments,
	bulk,
	contacts,
	getBatch,
	OPERATIONS,
	phone,
	phones,
	place,
} from './helpers/workflows';
import { storeForEach } from './helpers/durableStore';
import type { INodeParameters } from 'n8n-workflow';
import type { FaultRule } from '../sandbox';

const bench = workbench();
storeForEach();

describe('refusals', () => {
	const impatient = { options: { maxRetryWait: 0, parallelRequests: 1 } };
	const ODD = { success: false, error: 'Odd' };
	const PRESS_RETRY = /press Retry .*whoever was called is not called again/;

	describe('with On Error = Stop the message says the cause, who was called and what to do', () => {
		// Requests of ten, and of one.
		const sizes = [
			{ calls: bulk, name: 'Bulk Call', size: 10, which: 'rows 11 to 20 were' },
			{ calls: place, name: 'Place Call', size: 1, which: 'row 2 was' },
		];
		describe.each(sizes)('$name', ({ calls, size, which }) => {
			it.each(apiRefusals)('$name', async ({ fault, httpCode, message, remedy, proves }) => {
				bench.sandbox.fault({ ...fault, after: 1 });
				const [count, left] = [2.5 * size + 1, 1.5 * size + 1].map(Math.floor);
				const ended = shown(await bench.run(calls(impatient), contacts(count!)));
				// The cause comes first.
				const [cause, rest] = ended.message.split(`: ${which} `);
				expect(cause).toMatch(message);
				if (!proves) expect(cause).toMatch(/ may have been placed$/);
				const counts = `${size} of ${count} rows called, `;
				expect(
					rest!.startsWith(
						proves
							? `not called. ${counts}${left} not called (`
							: `sent without a clear answer. ${counts}${size} possibly called, ${left! - size} not`,
					),
				).toBe(true);
				expect(ended.description).toMatch(remedy);
				expect(ended.description).toMatch(PRESS_RETRY);
				expect(ended.httpCode).toBe(httpCode);
				expect(bench.sandbox.requests).toHaveLength(2);
				expect(bench.dialed).toHaveLength(size);
			});
		});

		it('an agent that the account does not have', async () => {
			says(
				await bench.run(bulk({ agentNumber: UNKNOWN_AGENT }), contacts(3)),
				/^No agent .*"\+15550004040": rows 1 to 3 were not called\. 0 of 3 rows called/,
				/Agent Number.*Nobody was called.*again is safe/,
				'404',
			);
			expect(bench.sandbox.requests).toHaveLength(1);
		});

		it('G6 a first request of which every row is refused alone ends the run', async () => {
			bench.sandbox.fault({ kind: 'respond', status: 400, body: ODD });
			const ended = await bench.run(bulk(impatient), contacts(14));
			says(ended, /^The API .*\(Odd\): rows 1 to 10 were not called\. 0 of 14 rows/, [], '400');
			const sizes = bench
				.bodies<{ destinations: unknown[] }>()
				.map((body) => body.destinations.length);
			expect(Math.max(...sizes.slice(1))).toBeLessThan(10);
			expect(bench.dialed).toEqual([]);
		});

		it('an operation of a newer version', async () => {
			const ended = await bench.run({ ...bulk(), operation: 'transferCall' }, contacts(2));
			says(ended, /“transferCall”/, /update the node/);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	it('G6 an unknown agent does not keep the rows of another agent from being called', async () => {
		const rows = contacts(24).map((row, n) => ({ ...row, agent: n < 12 ? UNKNOWN_AGENT : AGENT }));
		const agents = { agentNumber: '={{ $json.agent }}', callerNumber: CALLER };
		const { called, notCalled } = await bench.run(bulk({ ...agents, ...impatient }), rows, goesOn);
		expect(statuses(bench.sandbox.requests)).toEqual([404, 201, 201]);
		expect(pairs(notCalled)).toEqual(rows.slice(0, 12).map((_, n) => n));
		expect(pairs(called)).toEqual(rows.slice(12).map((_, n) => n + 12));
	});

	describe.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'G6 with %s a request that was refused with 400 is split',
		(onError) => {
			it.each([
				['what is fine in it is called', 2, [0, 1, 2, 3]],
				['a row that is refused alone is the only one that is not called', 3, [1, 2, 3]],
			])('%s', async (_, times, dialed) => {
				bench.sandbox.fault({ kind: 'respond', status: 400, body: ODD, times });
				const { json, error } = await bench.run(bulk(), contacts(4), { onError });
				expect(error).toBeUndefined();
				expect(statuses(json)).toEqual(
					[0, 1, 2, 3].map((n) => (dialed.includes(n) ? 'initiated' : 'refused')),
				);
				expect(bench.dialed.sort()).toEqual(dialed.map(phone));
			});
		},
	);

	it.each<[string, Parameters<typeof bench.sandbox.fault>[0], RegExp, number]>([
		['a reset before placing', { kind: 'resetBefore' }, /connection ended/i, 0],
		['a reset after placing', { kind: 'resetAfter' }, /connection ended/i, 3],
		['an answer that breaks off', { kind: 'truncated', cut: true }, /connection ended/i, 3],
		['a page', { kind: 'respond', status: 502, body: '<html>', place: true }, /web page/, 3],
		['a gateway’s 429', { kind: 'gateway', status: 429, retryAfter: 1 }, /web page/, 0],
		['a redirect', { kind: 'redirect' }, /redirect/i, 0],
		['no answer in time', { kind: 'hangAfter' }, /within 1 second/, 3],
	])('G3 after %s a request is not sent again', async (_, fault, message, dialed) => {
		bench.sandbox.fault(fault);
		const parameters = bulk({ options: { timeout: 1 } });
		const ended = shown(await bench.run(parameters, contacts(3)));
		const [cause, where] = ended.message.split(': ');
		expect(cause).toMatch(message);
		expect(cause).toMatch(/ may have been placed$/);
		expect(where).toMatch(
			/^rows 1 to 3 were sent without a clear answer\. 0 of 3 rows called, 3 possibly called$/,
		);
		expect(ended.description).toMatch(/dashboard before you call/);
		// There is nobody left whom a Retry would call, and nobody is remembered.
		expect(ended.description).not.toMatch(/Retry|Forget People/);
		expect(bench.dialed).toHaveLength(dialed);

		const { json } = await bench.run(parameters, contacts(3), { onError: 'continueErrorOutput' });
		const reason = expect.stringMatching(message) as string;
		const lost = { status: 'unknown', called: 'maybe', success: false, reason };
		expect(json).toMatchObject([lost, lost, lost]);
		expect(bench.sandbox.requests).toHaveLength(2);
	});

	describe('after a lost answer it says what to press', () => {
		const skips = { calledBefore: 'skip' };
		const visits = { calledBefore: 'onceForEach', onceForEach: 'reminder' };
		const FREES = /Forget People frees those who were not called\./;
		const ends = async (parameters: INodeParameters, rows: number) => {
			bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
			return shown(await bench.run(parameters, contacts(rows)));
		};

		it('Retry, if it would call anybody: a row that the API could not dial', async () => {
			bench.sandbox.destinationOutcome.set(phone(0), { status: 'locked', error: 'Locked' });
			bench.sandbox.fault({ kind: 'results', route: 'bulk', mode: 'missing' });
			const ended = await bench.run(bulk(impatient), contacts(3));
			says(ended, /row 3 was sent .* 1 of 3 rows called, 1 possibly called, 1 not/, PRESS_RETRY);
		});

		it('not Forget People, if the answer was clear', async () => {
			bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
			const parameters = bulk({ ...impatient, calledBefore: 'skip' });
			const { description } = shown(await bench.run(parameters, contacts(12)));
			expect(description).toMatch(PRESS_RETRY);
			expect(description).not.toMatch(/Forget People/);
		});

		it.each<[string, number, INodeParameters, RegExp[], RegExp?]>([
			['Forget People, with Skip', 3, skips, [/dashboard before you call/, FREES], /Retry/],
			['Forget People, with Once for Each', 3, visits, [/dashboard before you/, FREES], /Retry/],
			['both, if people are remembered and rows are left', 12, skips, [FREES, PRESS_RETRY]],
			[
				'the dashboard, with Call Again',
				2,
				{},
				[/dashboard before you call/],
				/Retry|Forget People/,
			],
			['Retry, with Call Again', 12, {}, [PRESS_RETRY, /everybody again/], /Forget People/],
		])('%s', async (_, count, remembers, remedies, not = /^$/) => {
			const { description } = await ends(bulk({ ...impatient, ...remembers }), count);
			for (const remedy of remedies) expect(description).toMatch(remedy);
			expect(description).not.toMatch(not);
		});
	});

	it.each<[string, () => string | Promise<string>, RegExp]>([
		['a closed port', closedPort, /refused the connection/],
		['a name that cannot exist', () => NAME_THAT_CANNOT_EXIST, /name could not be found/],
		['an address that is none', () => 'not an address', /Base URL/],
	])('%s: nobody was called', async (_, address, message) => {
		const api = { baseUrl: await address(), token: bench.sandbox.token };
		const ended = await bench.run(bulk(impatient), contacts(3), { api });
		says(ended, message, /Nobody was called/);
		expect(shown(ended).httpCode).toBeNull();
	});

	describe('G9 the token stays with the API', () => {
		it.each([302, 307] as const)('a redirect (%d) is not followed', async (status) => {
			const elsewhere = await otherServer();
			const location = `${elsewhere.origin}/api/v1/outbound/calls/bulk`;
			bench.sandbox.fault({ kind: 'redirect', status, location });
			await bench.run(bulk(), contacts(1));
			await elsewhere.close();
			expect(elsewhere.received).toEqual([]);
		});

		it.each<[string, (token: string) => unknown, number]>([
			['in its text', (token) => ({ success: false, error: `Bearer ${token} is locked` }), 422],
			[
				'in a result',
				(token) => ({
					success: true,
					batch_id: token,
					results: [{ destination: phone(0), success: false, status: token, error: token }],
				}),
				201,
			],
			['in a page', (token) => `<html>${token}</html>`, 502],
		])('an API that quotes it %s does not spread it', async (_, body, status) => {
			bench.sandbox.fault({ kind: 'respond', status, body: body(bench.sandbox.token) });
			const { items } = await bench.run(bulk(), contacts(1), goesOn);
			expect(items).toHaveLength(1);
		});
	});
});

describe('strange answers', () => {
	const MEGABYTE = 2 ** 20;
	const lost = { status: 'unknown', called: 'maybe' };

	const bodies: Array<[string, unknown]> = [
		['5 MB of JSON', { padding: 'x'.repeat(5 * MEGABYTE) }],
		['nothing', ''],
		['null', null],
		['100,000 nested lists', '['.repeat(100_000) + ']'.repeat(100_000)],
		['odd results', { results: [null, 'x', {}, { destination: 5 }, { destination: phone(0) }] }],
		['an answer that says no and yes', { success: false, error: 'Something', results: [] }],
	];

	describe.each(bodies)('when the API’s 201 is %s', (_name, body) => {
		it('G3 the rows of Bulk Call are unknown, and not called again', async () => {
			bench.sandbox.fault({ kind: 'respond', route: 'bulk', status: 201, body, place: true });
			const retry = { tries: 2, waitMs: 1 };
			const { json } = await bench.run(bulk(), contacts(3), { ...goesOn, retry });
			expect(json).toMatchObject(
				phones(3).map((destination) => ({ destination, ...lost, success: false })),
			);
			expect(bench.sandbox.requests).toHaveLength(1);
		});

		it('G3 the row of Place Call is unknown, and not called again by Retry', async () => {
			bench.sandbox.fault({ kind: 'respond', route: 'call', status: 201, body, place: true });
			const stopped = await bench.run(place(), contacts(1));
			expect(shown(stopped).message).toMatch(/may have been placed/);
			const retried = await bench.run(place(), contacts(1), { retryOf: stopped });
			expect(retried.json).toMatchObject([{ destination: phone(0), status: 'unknown' }]);
			expect(bench.dialed).toHaveLength(1);
		});

		it('Get Batch says that this is no batch', async () => {
			bench.sandbox.fault({ kind: 'respond', route: 'batch', status: 200, body });
			const batchId = '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e';
			const run = await bench.run(getBatch({ batchId, options: { maxRetryWait: 0 } }));
			expect(shown(run).message).toMatch(/^Row \d: the /);
			expect(shown(run).message.length).toBeLessThan(400);
		});
	});
});

describe('what one answer proves', () => {
	const settings = ['stopWorkflow', 'continueRegularOutput'] as const;

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

	const noAgent = refusal(404, 'Agent not found or not accessible');
	const refusals: Refusal[] = [
		{ what: 'the token', fault: refusal(401, 'Invalid token'), proof: 1 },
		{ what: 'the daily limit', fault: refusal(422, 'Daily call limit reached'), proof: 1 },
		{ what: 'a time', fault: { kind: 'rateLimited', retryAfter: 90 }, proof: 1, later: 0 },
		{ what: 'a limit that names none', fault: { kind: 'unavailable' }, proof: 1 },
		{ what: 'a limit that is told row by row', fault: 'each row is rate_limited', proof: 1 },
		{ what: 'an agent that does not exist', fault: noAgent, proof: 1, ofSixty: 60 },
		{ what: 'a server that is not the API', fault: { kind: 'gateway' }, proof: 3 },
	];
	const limited = { status: 'rate_limited', error: 'Later' } as const;
	const [stops, continues] = settings;
	const table = refusals.flatMap((each) => [
		{ ...each, onError: stops, agents: 1, most: each.proof },
		{ ...each, onError: continues, agents: 60, most: each.ofSixty ?? each.proof },
	]);

	describe.each(OPERATIONS)('G6 what one answer proves holds for all runs, with %s', (_, calls) => {
		// No answer to Place Call says it row by row.
		const cells = calls === place ? table.filter(({ fault }) => typeof fault === 'object') : table;

		it.each(cells)(
			'$what, $onError, $agents agents: $most requests of each execution',
			async ({ fault, onError, agents, most, later = most }) => {
				if (typeof fault === 'object') bench.sandbox.fault({ ...fault, times: 1_000 });
				else for (let n = 0; n < 60; n++) bench.sandbox.destinationOutcome.set(phone(n), limited);
				const parameters = calls({ ...byAgent, options: { maxRetryWait: 0 } });
				const run = async () => await bench.run(parameters, rowsOf(agents), { onError });

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
			const parameters = calls({ ...byAgent, options: { parallelRequests: 5 } });
			await bench.run(parameters, rowsOf(60), goesOn);
			expect(bench.sandbox.requests.length - 1).toBeLessThanOrEqual(5);
		});
	});

	describe('G6 a placeholder that nobody sends', () => {
		const prompt = (more: INodeParameters = {}) =>
			bulk({ agentNumber: AGENT_WITH_PROMPT, ...more });

		it.each(settings)('500 rows, %s: one request', async (onError) => {
			const parameters = prompt({ promptVariables: assignments({ name: '={{ $json.name }}' }) });
			const run = await bench.run(parameters, contacts(500), { onError });
			expect(bench.sandbox.requests).toHaveLength(1);
			if (run.error) return says(run, /"amount"/);
			expect(statuses(run.json)).toEqual(all(500, 'refused'));
			for (const { reason } of run.json) expect(reason).toContain('"amount"');
		});

		it('rows that have it are called, and the others are not asked for again', async () => {
			const variables = [{ name: 'A' }, { name: 'A', amount: '1' }];
			const rows = contacts(60).map((row, n) => ({ ...row, variables: variables[n % 2]! }));
			const json = { variablesFrom: 'json', promptVariablesJson: '={{ $json.variables }}' };
			const parameters = prompt({ ...json, options: { parallelRequests: 1 } });
			const { called, notCalled } = await bench.run(parameters, rows, goesOn);
			expect(called.map(({ json }) => json.destination)).toEqual(
				rows.filter((_, n) => n % 2).map((row) => row.phone),
			);
			expect(notCalled).toHaveLength(30);
			expect(statuses(bench.sandbox.requests)).toEqual([400, ...Array<number>(6).fill(201)]);
		});
	});

	it.each<[string, FaultRule, number, number]>([
		['a gateway’s pages', { kind: 'gateway', times: 1_000 }, 30, 70],
		['connections that break', { kind: 'resetBefore', times: 1_000 }, 30, 70],
		['a server that hangs', { kind: 'hangBefore', times: 1_000 }, 30, 70],
		['pages of a wrong address', { kind: 'gateway', status: 404, times: 1_000 }, 0, 100],
	])('G6 %s: three in a row end the run', async (_, fault, maybe, not) => {
		bench.sandbox.fault(fault);
		const parameters = bulk({ options: { timeout: 1 } });
		const run = await bench.run(parameters, contacts(100), goesOn);
		const { called, notCalled } = run;
		expect(bench.sandbox.requests).toHaveLength(3);
		expect([called.length, notCalled.length]).toEqual([maybe, not]);
		expect(notCalled.at(-1)!.json.reason).toMatch(
			/^3 requests in a row got no answer from the API, so nothing more was sent$/,
		);
		expect(linesOf(run).join()).toMatch(/3 requests in a row got no answer.*Base URL/);
	});

	describe.each(['rate_limited', 'temporarily_unavailable'] as const)(
		'G6 a request of which every row is %s',
		(status) => {
			const limited = (from: number, to: number) => {
				for (let n = from; n < to; n++)
					bench.sandbox.destinationOutcome.set(phone(n), { status, error: 'Later' });
			};

			it.each(settings)('ends a run that has no time to pause (%s)', async (onError) => {
				limited(20, 100);
				const parameters = bulk({ options: { maxRetryWait: 0, parallelRequests: 1 } });
				const run = await bench.run(parameters, contacts(100), { onError });
				expect(bench.sandbox.requests).toHaveLength(3);
				if (onError === 'stopWorkflow')
					return says(run, /cannot dial anybody at the moment.*20 of 100 rows called/);
				expect([run.called.length, run.notCalled.length]).toEqual([20, 80]);
				const left = run.notCalled.map(({ json }) => json.status);
				expect(left).toEqual([...all(10, status), ...all(70, 'refused')]);
			});

			it('is no reason to throw when nothing is left to send', async () => {
				limited(0, 10);
				const parameters = bulk({ options: { maxRetryWait: 0 } });
				const { error, notCalled } = await bench.run(parameters, contacts(10));
				expect(error).toBeUndefined();
				expect(notCalled.map(({ json }) => json.status)).toEqual(all(10, status));
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
		let together = 0;
		bench.meanwhile = async () => {
			if (together > 0) return;
			await turns();
			together = bench.sandbox.requests.length;
		};
		await bench.run(bulk(), contacts(60));
		expect(together).toBe(1);
	});
});
