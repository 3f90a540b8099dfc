import type { INode } from 'n8n-workflow';
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
	RETRY,
	shown,
	UNKNOWN_AGENT,
	masked,
} from './helpers/workflows';

const bench = workbench();

const impatient = { options: { maxRetryWait: 0, parallelRequests: 1 } };

const settings: Array<[string, INode['onError']]> = [
	['Stop Workflow', 'stopWorkflow'],
	['Continue', 'continueRegularOutput'],
	['Continue (using error output)', 'continueErrorOutput'],
];

describe('with On Error = Stop the message counts people and says what to do and what to press', () => {
	it.each(apiRefusals)('$name', async ({ fault, httpCode, message, remedy, proves }) => {
		bench.sandbox.fault({ ...fault, after: 1 });
		const ended = shown(await bench.run(bulk(impatient), contacts(25)));
		const people = proves
			? '25 rows: 10 called, 15 not called (10 refused, 5 not sent). Rows 11 to 20 were not called: '
			: '25 rows: 10 called, 10 may have been called, 5 not called (5 not sent). Rows 11 to 20 were sent without a clear answer: ';
		expect(ended.message.slice(0, people.length)).toBe(people);
		expect(ended.message.slice(people.length)).toMatch(message);
		expect(ended.description.slice(-RETRY.length)).toBe(RETRY);
		expect(ended.description.slice(0, -RETRY.length)).toMatch(remedy);
		expect(ended.httpCode).toBe(httpCode);
		expect(bench.sandbox.requests).toHaveLength(2);
		expect(bench.dialed).toHaveLength(10);
	});

	it('an agent that the account does not have', async () => {
		const ended = shown(await bench.run(bulk({ agentNumber: UNKNOWN_AGENT }), contacts(3)));
		expect(ended).toEqual({
			message:
				'3 rows: 0 called, 3 not called (3 refused). Rows 1 to 3 were not called: no agent on your account has the number "+15550004040", or your token has no access to it',
			description:
				'Check Agent Number: the agent’s phone number or its SIP ID (starting with t), not an internal ID. Nobody was called, so executing again is safe.',
			httpCode: '404',
		});
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('a request of which no row can be called ends the run: the next ones would meet the same', async () => {
		bench.sandbox.fault({
			kind: 'respond',
			status: 400,
			body: { success: false, error: 'Odd' },
			after: 1,
		});
		const ended = shown(await bench.run(bulk(impatient), contacts(14)));
		expect(ended).toEqual({
			message:
				'14 rows: 10 called, 4 not called (4 refused). Rows 11 to 14 were not called: the API did not accept the request (Odd)',
			description: `Change the field that the text names. This request dialed nobody.${RETRY}`,
			httpCode: '400',
		});
		// Ten rows; then four, two, one, one, two, one, one.
		expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([
			201, 400, 400, 400, 400, 400, 400, 400,
		]);
	});

	it('a single row that the API refuses is a run that cannot be called', async () => {
		bench.sandbox.fault({ kind: 'respond', status: 400, body: { success: false, error: 'Odd' } });
		expect(shown(await bench.run(bulk(), contacts(1)))).toEqual({
			message: `Row 1 (${masked(phone(0))}) was not called: the API did not accept the request (Odd)`,
			description:
				'Change the field that the text names. This request dialed nobody. Nobody was called, so executing again is safe.',
			httpCode: '400',
		});
	});

	it('a memory that cannot be used keeps everybody from being called', async () => {
		const ended = shown(await bench.run(bulk({ calledBefore: 'skip' }), contacts(2)));
		expect(ended.message).toMatch(
			/^2 rows: 0 called, 2 not called \(2 refused\)\. Rows 1 and 2 were not called: n8n’s memory of the people called could not be used/,
		);
		expect(ended.description).toMatch(
			/^If this workflow is new, save it and execute again\. .* Nobody was called, so executing again is safe\.$/,
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('a text of the API in which the host would find a code of its own stays as it is', async () => {
		bench.sandbox.fault({
			kind: 'respond',
			status: 400,
			body: { success: false, error: 'A preEEXISTing superEPERMit' },
		});
		expect(shown(await bench.run(bulk(), contacts(1))).message).toContain(
			'(A preEEXISTing superEPERMit)',
		);
	});
});

describe('G6 a refusal that no other row can escape ends its rows without further requests', () => {
	it.each(apiRefusals.filter(({ name }) => /^(401|403|404|410|422)/.test(name)))(
		'$name, with Continue',
		async ({ fault, message }) => {
			bench.sandbox.fault(fault);
			const { called, notCalled } = await bench.run(bulk(impatient), contacts(35), {
				onError: 'continueRegularOutput',
			});
			expect(bench.sandbox.requests).toHaveLength(1);
			expect(called).toEqual([]);
			expect(pairs(notCalled)).toEqual(contacts(35).map((_, n) => n));
			for (const { json } of notCalled) {
				expect(json.status).toBe('refused');
				expect(json.reason).toMatch(/^[A-Z]/);
				expect(json.reason).toMatch(message);
			}
			expect(bench.dialed).toEqual([]);
		},
	);

	it('an unknown agent does not keep the rows of another agent from being called', async () => {
		const rows = contacts(24).map((row, n) => ({ ...row, agent: n < 12 ? UNKNOWN_AGENT : AGENT }));
		const { called, notCalled } = await bench.run(
			bulk({
				agentNumber: '={{ $json.agent }}',
				callerNumber: CALLER,
				options: { parallelRequests: 1 },
			}),
			rows,
			{ onError: 'continueRegularOutput' },
		);
		expect(bench.sandbox.requests.map(({ status }) => status)).toEqual([404, 201, 201]);
		expect(bench.dialed).toEqual(rows.slice(12).map((row) => row.phone));
		expect(pairs(notCalled)).toEqual(rows.slice(0, 12).map((_, n) => n));
		expect(pairs(called)).toEqual(rows.slice(12).map((_, n) => n + 12));
	});
});

describe.each(settings)(
	'G6 with On Error = %s a request that was refused with 400 is split',
	(_, onError) => {
		it('what is fine in it is called', async () => {
			bench.sandbox.fault({
				kind: 'respond',
				status: 400,
				body: { success: false, error: 'One of them is odd' },
				times: 2,
			});
			const { called, notCalled } = await bench.run(bulk(), contacts(4), { onError });
			expect(bench.dialed).toEqual(contacts(4).map((row) => row.phone));
			expect(called.map(({ json }) => json.success)).toEqual([true, true, true, true]);
			expect(notCalled).toEqual([]);
			expect(bench.sandbox.requests.map(({ dialed }) => dialed)).toEqual([0, 0, 1, 1, 2]);
		});

		it('a row that is refused alone is the only one that is not called', async () => {
			// Four rows, then two, then one: refused each time.
			bench.sandbox.fault({
				kind: 'respond',
				status: 400,
				body: { success: false, error: 'Odd' },
				times: 3,
			});
			const { called, notCalled, errorItems, error } = await bench.run(bulk(), contacts(4), {
				onError,
			});
			expect(error).toBeUndefined();
			expect(errorItems).toEqual([]);
			expect(pairs(called)).toEqual([1, 2, 3]);
			expect(
				notCalled.map(({ json, pairedItem }) => [json.status, json.reason, pairedItem]),
			).toEqual([
				[
					'refused',
					'The API did not accept the request (Odd). Change the field that the text names. This request dialed nobody.',
					{ item: 0 },
				],
			]);
			expect(bench.dialed.sort()).toEqual([phone(1), phone(2), phone(3)]);
		});
	},
);

describe('G3 a request without a clear answer is not sent again', () => {
	it.each<[string, Parameters<typeof bench.sandbox.fault>[0], RegExp, number]>([
		['a reset before placing', { kind: 'resetBefore' }, /connection ended/, 0],
		['a reset after placing', { kind: 'resetAfter' }, /connection ended/, 3],
		['an answer that breaks off', { kind: 'truncated', cut: true }, /connection ended/, 3],
		[
			'an answer of which half is missing',
			{ kind: 'truncated' },
			/says nothing that can be read/,
			3,
		],
		[
			'an empty answer',
			{ kind: 'empty', status: 201, place: true },
			/says nothing that can be read/,
			3,
		],
		[
			'a page after placing',
			{ kind: 'respond', status: 502, body: '<html></html>', place: true },
			/web page/,
			3,
		],
		['a gateway’s page with 429', { kind: 'gateway', status: 429, retryAfter: 1 }, /web page/, 0],
		['a gateway’s page with 503', { kind: 'gateway', status: 503, retryAfter: 1 }, /web page/, 0],
		['a redirect', { kind: 'redirect' }, /redirects to another address/, 0],
		[
			'200 of something else',
			{ kind: 'respond', status: 200, body: { hello: 'world' } },
			/says nothing that can be read/,
			0,
		],
	])('%s', async (_, fault, message, dialed) => {
		bench.sandbox.fault(fault);
		const ended = shown(await bench.run(bulk(), contacts(3)));
		expect(ended.message).toMatch(
			/^3 rows: 0 called, 3 may have been called, 0 not called\. Rows 1 to 3 were sent without a clear answer: /,
		);
		expect(ended.message).toMatch(message);
		expect(ended.description).toMatch(
			/ To go on, open the Executions tab, choose this execution and press Retry \(the arrow icon\): /,
		);
		expect(`${ended.message} ${ended.description}`).toMatch(
			/may have been placed|before you call these numbers again/,
		);
		expect(bench.sandbox.requests).toHaveLength(1);
		expect(bench.dialed).toHaveLength(dialed);

		const { called, notCalled, errorItems } = await bench.run(bulk(), contacts(3), {
			onError: 'continueErrorOutput',
		});
		expect(called.map(({ json }) => [json.destination, json.success, json.status])).toEqual(
			contacts(3).map((row) => [row.phone, false, 'unknown']),
		);
		expect(notCalled).toEqual([]);
		expect(errorItems).toEqual([]);
		for (const { json } of called) {
			expect(json.reason).toMatch(/^[A-Z]/);
			expect(json.reason).toMatch(message);
		}
		expect(bench.sandbox.requests).toHaveLength(2);
	});

	it('a hung server: the message says that the calls may have been placed', async () => {
		bench.sandbox.fault({ kind: 'hangAfter' });
		const ended = shown(await bench.run(bulk({ options: { timeout: 1 } }), contacts(2)));
		expect(ended.message).toMatch(
			/did not answer within 1 second, so the calls may have been placed/,
		);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('a row that the answer leaves out, and its batch does not tell, is unknown, the others are not', async () => {
		bench.sandbox.fault({ kind: 'results', route: 'bulk', mode: 'missing' });
		bench.sandbox.fault({ kind: 'pages', route: 'batch', mode: 'none' });
		const { called } = await bench.run(bulk(), contacts(3), { onError: 'continueRegularOutput' });
		expect(called.map(({ json: { status } }) => status)).toEqual([
			'initiated',
			'initiated',
			'unknown',
		]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests.map(({ route }) => route)).toEqual(['bulk', 'batch']);
	});

	it.each<[string, Parameters<typeof bench.sandbox.fault>[0]]>([
		['the API’s own 429', { kind: 'rateLimited', retryAfter: 1, times: 1 }],
		[
			'an allowance whose wait is in the body alone',
			{ kind: 'rateLimited', form: 'allowance', retryAfter: 1, header: false, times: 1 },
		],
		['the API’s own 503', { kind: 'unavailable', retryAfter: 1, times: 1 }],
		[
			'an allowance that could not be checked',
			{ kind: 'unavailable', form: 'allowance', times: 1 },
		],
	])('after %s it is sent again, because nothing was placed', async (_, fault) => {
		bench.sandbox.fault(fault);
		const { json, error } = await bench.run(bulk({ options: { maxRetryWait: 5 } }), contacts(3));
		expect(error).toBeUndefined();
		expect(json.every(({ success }) => success)).toBe(true);
		expect(bench.sandbox.requests.map(({ dialed }) => dialed)).toEqual([0, 3]);
	});
});

describe('a server that cannot be reached', () => {
	it('a closed port: nothing was called', async () => {
		const api = { baseUrl: await closedPort(), token: bench.sandbox.token };
		const ended = shown(await bench.run(bulk(impatient), contacts(3), { api }));
		expect(ended).toEqual({
			message:
				'3 rows: 0 called, 3 not called (3 refused). Rows 1 to 3 were not called: the server refused the connection',
			description:
				'The API may be down, or the address is not right. Check the Base URL in the credential: it ends in /api/v1/outbound. Nobody was called, so executing again is safe.',
			httpCode: null,
		});
	});

	it('a name that cannot exist: nothing was called', async () => {
		const api = { baseUrl: NAME_THAT_CANNOT_EXIST, token: bench.sandbox.token };
		const { called, notCalled } = await bench.run(bulk(impatient), contacts(3), {
			api,
			onError: 'continueRegularOutput',
		});
		expect(called).toEqual([]);
		expect(pairs(notCalled)).toEqual([0, 1, 2]);
		for (const { json } of notCalled)
			expect(json).toMatchObject({
				status: 'refused',
				reason: expect.stringMatching(/^The server’s name could not be found\. /),
			});
	});

	it('G3 an address without https:// but with a port: nothing was called, and no row says that it may have been', async () => {
		const api = { baseUrl: 'localhost:3000/api/v1/outbound', token: bench.sandbox.token };
		const { called, notCalled } = await bench.run(bulk(impatient), contacts(3), {
			api,
			onError: 'continueRegularOutput',
		});
		expect(called).toEqual([]);
		expect(pairs(notCalled)).toEqual([0, 1, 2]);
		for (const { json } of notCalled) {
			expect(json).toMatchObject({
				status: 'refused',
				reason: expect.stringMatching(/^The Base URL in the credential is not a web address\. /),
			});
		}
	});

	it('an address that is none: nothing was called', async () => {
		const api = { baseUrl: 'not an address', token: bench.sandbox.token };
		expect(shown(await bench.run(bulk(impatient), contacts(1), { api })).message).toMatch(
			/Base URL in the credential is not a web address/,
		);
	});
});

describe('G9 the token stays with the API', () => {
	it.each([301, 302, 303, 307, 308] as const)('a redirect (%d) is not followed', async (status) => {
		const elsewhere = await otherServer();
		bench.sandbox.fault({
			kind: 'redirect',
			status,
			location: `${elsewhere.origin}/api/v1/outbound/calls/bulk`,
		});
		const ended = shown(await bench.run(bulk(), contacts(1)));
		await elsewhere.close();
		expect(ended.message).toMatch(/redirects to another address/);
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

it('an operation of a newer version says that the package needs an update, and calls nobody', async () => {
	const ended = shown(await bench.run({ ...bulk(), operation: 'transferCall' }, contacts(2)));
	expect(ended.message).toBe('This version of the node has no operation “transferCall” for “call”');
	expect(ended.description).toMatch(/update the node/);
	expect(bench.sandbox.requests).toEqual([]);
});
