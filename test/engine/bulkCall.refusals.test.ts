import { apiRefusals } from './helpers/apiRefusals';
import { closedPort, NAME_THAT_CANNOT_EXIST, otherServer } from './helpers/otherServers';
import { workbench } from './helpers/workbench';
import {
	AGENT,
	bulk,
	CALLER,
	contacts,
	pairs,
	phone,
	shown,
	UNKNOWN_AGENT,
} from './helpers/workflows';

const bench = workbench();

const impatient = { options: { maxRetryWait: 0, parallelRequests: 1 } };
const ODD = { success: false, error: 'Odd' };
const PRESS_RETRY = /press Retry .*whoever was called is not called again/;

describe('with On Error = Stop the message says the cause, who was called and what to do', () => {
	it.each(apiRefusals)('$name', async ({ fault, httpCode, message, remedy, proves }) => {
		bench.sandbox.fault({ ...fault, after: 1 });
		const ended = shown(await bench.run(bulk(impatient), contacts(25)));
		expect(ended.message).toMatch(
			proves
				? /^Rows 11 to 20 were not called: .* 10 of 25 rows called, 15 not called \(/
				: /^Rows 11 to 20 were sent without a clear answer: .* 10 of 25 rows called, 10 possibly called, 5 not/,
		);
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(remedy);
		expect(ended.description).toMatch(PRESS_RETRY);
		expect(ended.httpCode).toBe(httpCode);
		expect(bench.sandbox.requests).toHaveLength(2);
		expect(bench.dialed).toHaveLength(10);
	});

	it('an agent that the account does not have', async () => {
		const ended = shown(await bench.run(bulk({ agentNumber: UNKNOWN_AGENT }), contacts(3)));
		expect(ended).toEqual({
			message: expect.stringMatching(/^Rows 1 to 3 were not called: no agent.* 0 of 3 rows called/),
			description: expect.stringMatching(/Agent Number.*Nobody was called.*again is safe/),
			httpCode: '404',
		});
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('G6 a first request of which every row is refused alone ends the run', async () => {
		bench.sandbox.fault({ kind: 'respond', status: 400, body: ODD });
		const ended = shown(await bench.run(bulk(impatient), contacts(14)));
		expect(ended.message).toMatch(/^Rows 1 to 10 were not called: .*\(Odd\)/);
		expect(ended.httpCode).toBe('400');
		const sizes = bench
			.bodies<{ destinations: unknown[] }>()
			.map((body) => body.destinations.length);
		expect(Math.max(...sizes.slice(1))).toBeLessThan(10);
		expect(bench.dialed).toEqual([]);
	});

	it('an operation of a newer version', async () => {
		const ended = shown(await bench.run({ ...bulk(), operation: 'transferCall' }, contacts(2)));
		expect(ended.message).toMatch(/“transferCall”/);
		expect(ended.description).toMatch(/update the node/);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

describe('G6 a refusal that no other row can escape ends its rows without further requests', () => {
	it.each(apiRefusals.filter(({ name }) => /^(401|403|404|410|422)/.test(name)))(
		'$name, with Continue',
		async ({ fault, message }) => {
			bench.sandbox.fault(fault);
			const { json, items } = await bench.run(bulk(impatient), contacts(35), {
				onError: 'continueRegularOutput',
			});
			expect(bench.sandbox.requests).toHaveLength(1);
			expect(pairs(items)).toEqual(contacts(35).map((_, n) => n));
			for (const row of json)
				expect(row).toMatchObject({
					status: 'refused',
					called: 'no',
					reason: expect.stringMatching(message),
				});
		},
	);

	it('an unknown agent does not keep the rows of another agent from being called', async () => {
		const rows = contacts(24).map((row, n) => ({ ...row, agent: n < 12 ? UNKNOWN_AGENT : AGENT }));
		const agents = { agentNumber: '={{ $json.agent }}', callerNumber: CALLER };
		const { called, notCalled } = await bench.run(bulk({ ...agents, ...impatient }), rows, {
			onError: 'continueRegularOutput',
		});
		expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([404, 201, 201]);
		expect(pairs(notCalled)).toEqual(rows.slice(0, 12).map((_, n) => n));
		expect(pairs(called)).toEqual(rows.slice(12).map((_, n) => n + 12));
	});
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
			expect(json.map(({ status }) => status)).toEqual(
				[0, 1, 2, 3].map((n) => (dialed.includes(n) ? 'initiated' : 'refused')),
			);
			expect(bench.dialed.sort()).toEqual(dialed.map(phone));
		});
	},
);

describe('G3 a request without a clear answer is not sent again', () => {
	it.each<[string, Parameters<typeof bench.sandbox.fault>[0], RegExp, number]>([
		['a reset before placing', { kind: 'resetBefore' }, /connection ended/i, 0],
		['a reset after placing', { kind: 'resetAfter' }, /connection ended/i, 3],
		['an answer that breaks off', { kind: 'truncated', cut: true }, /connection ended/i, 3],
		['half an answer', { kind: 'truncated' }, /does not mention/, 3],
		['an empty answer', { kind: 'empty', status: 201, place: true }, /does not mention/, 3],
		['a page', { kind: 'respond', status: 502, body: '<html></html>', place: true }, /web page/, 3],
		['a gateway’s 429', { kind: 'gateway', status: 429, retryAfter: 1 }, /web page/, 0],
		['a gateway’s 503', { kind: 'gateway', status: 503, retryAfter: 1 }, /web page/, 0],
		['a redirect', { kind: 'redirect' }, /redirect/i, 0],
		['something else', { kind: 'respond', status: 200, body: { hello: 'you' } }, /not mention/, 0],
		['no answer in time', { kind: 'hangAfter' }, /within 1 second/, 3],
	])('%s', async (_, fault, message, dialed) => {
		bench.sandbox.fault(fault);
		const parameters = bulk({ options: { timeout: 1 } });
		const ended = shown(await bench.run(parameters, contacts(3)));
		expect(ended.message).toMatch(/^Rows 1 to 3 were sent without a clear answer: /);
		expect(ended.message).toMatch(message);
		expect(ended.message).toMatch(/0 of 3 rows called, 3 possibly called$/);
		expect(ended.description).toMatch(/dashboard before you call/);
		expect(ended.description).toMatch(PRESS_RETRY);
		expect(bench.dialed).toHaveLength(dialed);

		const { json } = await bench.run(parameters, contacts(3), { onError: 'continueErrorOutput' });
		for (const row of json)
			expect(row).toMatchObject({
				status: 'unknown',
				called: 'maybe',
				success: false,
				reason: expect.stringMatching(message),
			});
		expect(json).toHaveLength(3);
		expect(bench.sandbox.requests).toHaveLength(2);
	});

	it.each<[string, Parameters<typeof bench.sandbox.fault>[0]]>([
		['the API’s own 429', { kind: 'rateLimited', retryAfter: 1, times: 1 }],
		[
			'an allowance whose wait is in the body alone',
			{ kind: 'rateLimited', form: 'allowance', retryAfter: 1, header: false, times: 1 },
		],
		['the API’s own 503', { kind: 'unavailable', retryAfter: 1, times: 1 }],
		['an unchecked allowance', { kind: 'unavailable', form: 'allowance', times: 1 }],
	])('unless nothing was placed: after %s it is sent again', async (_, fault) => {
		bench.sandbox.fault(fault);
		const { json, error } = await bench.run(bulk({ options: { maxRetryWait: 5 } }), contacts(3));
		expect(error).toBeUndefined();
		expect(json.every(({ success }) => success)).toBe(true);
		expect(bench.sandbox.requests.map(({ dialed }) => dialed)).toEqual([0, 3]);
	});
});

describe('a server that cannot be reached: nobody was called', () => {
	it.each<[string, () => string | Promise<string>, RegExp]>([
		['a closed port', closedPort, /refused the connection/],
		['a name that cannot exist', () => NAME_THAT_CANNOT_EXIST, /name could not be found/],
		['an address without https://', () => 'localhost:3000/api/v1/outbound', /Base URL/],
		['an address that is none', () => 'not an address', /Base URL/],
	])('%s', async (_, address, message) => {
		const api = { baseUrl: await address(), token: bench.sandbox.token };
		const ended = shown(await bench.run(bulk(impatient), contacts(3), { api }));
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(/Nobody was called/);
		expect(ended.httpCode).toBeNull();
		const more = { api, onError: 'continueRegularOutput' } as const;
		const { json } = await bench.run(bulk(impatient), contacts(3), more);
		for (const row of json) expect(row).toMatchObject({ status: 'refused', called: 'no' });
		expect(json[2]!.reason).toMatch(message);
	});
});

describe('G9 the token stays with the API', () => {
	it.each([301, 302, 303, 307, 308] as const)('a redirect (%d) is not followed', async (status) => {
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
		const { items } = await bench.run(bulk(), contacts(1), { onError: 'continueRegularOutput' });
		expect(items).toHaveLength(1);
	});
});
