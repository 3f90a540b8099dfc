import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { run } from './helpers/harness';
import { workbench } from './helpers/workbench';
import {
	AGENT_WITH_PROMPT,
	bulk,
	cancel,
	contacts,
	getBatch,
	phone,
	place,
	shown,
	text,
	masked,
} from './helpers/workflows';

const bench = workbench();

/** A server that answers as `handler` says; it is closed after the test. */
const servers: Server[] = [];
async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
	const server = createServer(handler as never);
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/outbound`;
}
afterEach(() => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
	}
});

describe('an answer that drips', () => {
	it('G10 Timeout ends it as a whole, and the call may have been placed', async () => {
		let endedEarly: (early: boolean) => void;
		const ended = new Promise<boolean>((resolve) => (endedEarly = resolve));
		const baseUrl = await serve((_request, response) => {
			response.writeHead(201, { 'content-type': 'application/json' });
			let left = 100;
			const drip = setInterval(() => {
				response.write(' ');
				if (--left === 0) response.end('{}');
			}, 100);
			response.on('close', () => {
				clearInterval(drip);
				endedEarly(left > 0);
			});
		});
		const api = { baseUrl, token: 'tk_dripping' };
		const { json } = await run({
			parameters: bulk({ options: { timeout: 1 } }),
			items: contacts(2),
			api,
			onError: 'continueRegularOutput',
		});
		expect(json.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
		expect(json[0]!.reason).toMatch(
			/^The API did not answer within 1 second, so the calls may have been placed/,
		);
		expect(await ended).toBe(true);
	});
});

describe('the credential', () => {
	const withCredential = async (baseUrl: string, token: string) =>
		await run({ parameters: bulk(), items: contacts(2), api: { baseUrl, token } });

	it.each([
		[
			'a user name',
			(url: string) => url.replace('http://', 'http://ada:secret@'),
			/holds a user name or password/,
		],
		['a query', (url: string) => `${url}?tenant=1`, /holds a query/],
		['a fragment', (url: string) => `${url}#top`, /holds a fragment/],
		['no address', () => 'outbound', /not a web address/],
		[
			'a blank in it',
			() => 'https://exa mple.com/api/v1/outbound',
			/"https:\/\/exa mple.com\/api\/v1\/outbound", which is not a web address/,
		],
		[
			'http:// to a public server',
			() => 'http://example.com/api/v1/outbound',
			/begins with http:\/\/, so anybody on the way could read the token/,
		],
	])('G9 a Base URL with %s is refused before anything is sent', async (_what, change, message) => {
		const refused = await withCredential(change(bench.sandbox.baseUrl), bench.sandbox.token);
		expect(shown(refused).message).toMatch(message);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('blanks and slashes around the Base URL, and blanks around the token, do no harm', async () => {
		const { json } = await withCredential(
			`  ${bench.sandbox.baseUrl}///  `,
			` ${bench.sandbox.token}\n`,
		);
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'initiated']);
	});

	it('G9 a token that no header can carry is refused before anything is sent', async () => {
		const refused = await withCredential(
			bench.sandbox.baseUrl,
			`${bench.sandbox.token.slice(0, 8)}\n${bench.sandbox.token.slice(8)}`,
		);
		expect(shown(refused).message).toBe(
			'The API token in the credential has a character that cannot be sent',
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G9 a token that was stored with a blank is masked where the API quotes it back', async () => {
		bench.sandbox.fault({
			kind: 'respond',
			route: 'bulk',
			status: 422,
			body: { success: false, error: `Token ${bench.sandbox.token}: locked` },
		});
		const refused = await withCredential(bench.sandbox.baseUrl, `${bench.sandbox.token} `);
		expect(shown(refused).message).toContain('Token ***: locked');
	});

	it('a token of one letter does not break the answers', async () => {
		const answer = {
			success: true,
			batch_id: '8f14e45f-ceea-4672-9d2c-3f1b7a1c0d4e',
			results: [{ destination: phone(0), success: true, status: 'initiated', consent_id: 1 }],
		};
		const baseUrl = await serve((_request, response) =>
			response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
		);
		const { json } = await run({
			parameters: bulk(),
			items: contacts(1),
			api: { baseUrl, token: 't' },
		});
		expect(json[0]).toMatchObject({ status: 'initiated', batch_id: answer.batch_id });
	});
});

describe('texts of an API', () => {
	it('G9 never become markup in the editor', async () => {
		const html = '<a href="https://evil.example">win</a><img src=x onerror=alert(1)>';
		bench.sandbox.fault({
			kind: 'respond',
			route: 'bulk',
			status: 422,
			body: { success: false, error: html },
		});
		const { message, description } = shown(await bench.run(bulk(), contacts(2)));
		expect(`${message}${description}`).not.toMatch(/[<>]/);
	});

	it('G9 a status is not put into the totals', async () => {
		const answer = {
			success: true,
			results: [{ destination: phone(0), success: false, status: '<b>failed</b>', error: 'x' }],
		};
		const baseUrl = await serve((_request, response) =>
			response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
		);
		const { hints, called } = await run({
			parameters: bulk(),
			items: contacts(1),
			api: { baseUrl, token: 'tk_another' },
		});
		expect(hints.map(({ message }) => message)).toEqual([
			'1 row: 0 called, 1 may have been called, 0 not called',
		]);
		expect(called[0]!.json.status).toBe('<b>failed</b>');
	});

	it('a reason without end is cut', async () => {
		bench.sandbox.destinationOutcome.set(phone(0), {
			status: 'failed',
			error: 'x'.repeat(1_000_000),
		});
		const { json } = await bench.run(bulk(), contacts(1));
		expect(text(json[0]!.reason).length).toBeLessThan(1_000);
	});

	const NASTY = 'Row 1\u202e\u2066 of\u0000 9\u001b[2J\r\nDone';

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'G9 lose control and direction characters (%s)',
		async (onError) => {
			bench.sandbox.fault({
				kind: 'respond',
				route: 'bulk',
				status: 422,
				body: { success: false, error: NASTY },
			});
			const { error, json } = await bench.run(bulk(), contacts(1), { onError });
			expect(error?.message ?? json[0]!.reason).toContain('(Row 1 of 9[2J Done)');
		},
	);

	it('G9 in a row of their own, too', async () => {
		bench.sandbox.destinationOutcome.set(phone(0), { status: 'failed', error: NASTY });
		const { json } = await bench.run(bulk(), contacts(1));
		expect(json[0]!.reason).toBe('Row 1 of 9[2J Done');
	});

	it('G9 and of cells lose them in reasons and messages', async () => {
		const { json, error } = await bench.run(bulk(), [{ phone: `x${NASTY}` }], {
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(json[0]!.reason).toContain('"xRow 1 of 9[2J Done"');
		expect(shown(await bench.run(bulk(), [{ phone: `x${NASTY}` }])).message).not.toMatch(
			/[\p{Cc}\u202e\u2066]/u,
		);
	});

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'G9 of any length make no longer message or reason than 2,000 characters (%s)',
		async (onError) => {
			const names = Array.from({ length: 5_000 }, (_, n) => `name_${n}_${'x'.repeat(400)}`).join(
				', ',
			);
			bench.sandbox.fault({
				kind: 'respond',
				route: 'bulk',
				status: 400,
				body: { success: false, error: `Missing prompt_variables keys: ${names}` },
			});
			const { error, json } = await bench.run(bulk(), contacts(1), { onError });
			if (error)
				for (const length of Object.values(shown({ error } as never)).map(
					(each) => String(each).length,
				))
					expect(length).toBeLessThanOrEqual(2_000);
			else expect(text(json[0]!.reason).length).toBeLessThanOrEqual(2_000);
		},
	);

	it('phone numbers in a message that n8n writes into its log show their last four digits', async () => {
		bench.sandbox.fault({ kind: 'gateway', route: 'bulk' });
		const { message } = shown(await bench.run(bulk(), contacts(1)));
		expect(message).toContain(masked(phone(0)));
		expect(message).not.toContain(phone(0));
	});
});

/** Marks of one letter: to bring them into order takes time that grows with the square of their number, here more than a test may take. */
const MARKS = `a${'\u0315\u0300'.repeat(120_000)}`;

describe('cells', () => {
	it('one of 240,000 combining marks is no phone number, and costs nothing', async () => {
		const { json } = await bench.run(bulk(), [{ phone: MARKS }, ...contacts(1)]);
		expect(json.map(({ status }) => status)).toEqual(['invalid', 'initiated']);
		expect(text(json[0]!.destination).length).toBeLessThan(200);
	});

	it('a column whose name is that long is no prompt variable', async () => {
		const { json } = await bench.run(bulk({ variablesFrom: 'input' }), [
			{ phone: phone(1), [MARKS]: 'x' },
			{ phone: phone(2) },
		]);
		expect(json.map(({ status }) => status)).toEqual(['invalid', 'initiated']);
	});
});

describe('keys of the memory', () => {
	it.each([[{ a: 1 }], [['a']], [true]])('G8 %j is no key: the row is not called', async (key) => {
		const { json } = await bench.run(
			bulk({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.key }}' } }),
			[{ phone: phone(1), key }],
			{
				onError: 'continueRegularOutput',
			},
		);
		expect(json[0]).toMatchObject({
			status: 'invalid',
			called: 'no',
			reason: expect.stringMatching(
				/^The option Remember People By is .*neither a text nor a number/,
			),
		});
		expect(bench.dialed).toEqual([]);
	});
});

describe('an option with one value for each row', () => {
	it.each([
		'callsPerMinute',
		'timeout',
		'maxRetryWait',
		'parallelRequests',
		'duplicates',
		'retryUndialed',
	])('G1 %s: nobody is called', async (option) => {
		const value = `={{ ${option === 'duplicates' ? '["callOnce", "callEach"]' : option === 'retryUndialed' ? '[true, false]' : '[10, 20]'}[$itemIndex % 2] }}`;
		const refused = await bench.run(bulk({ options: { [option]: value } }), contacts(3));
		expect(shown(refused).message).toMatch(
			/is .* in row 1 and .* in row 2, but it counts for the whole run$/,
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G1 countries and modes are read row by row', async () => {
		const { json } = await bench.run(
			bulk({ defaultCountry: '={{ $json.country }}', mode: '={{ $json.mode }}' }),
			[
				{ phone: '0171 2345678', country: 'DE', mode: 'live' },
				{ phone: '415 555 0123', country: '1', mode: 'live' },
				{ phone: '0171 2345678', country: 'DE', mode: 'dryRun' },
			],
		);
		expect(json.map(({ status, destination }) => [status, destination])).toEqual([
			['initiated', '+491712345678'],
			['initiated', '+14155550123'],
			['dry_run', '+491712345678'],
		]);
		expect(bench.dialed).toEqual(['+491712345678', '+14155550123']);
	});
});

describe('the pace', () => {
	it('G7 holds over the rounds of a loop', async () => {
		const begun = Date.now();
		await bench.run(bulk({ options: { callsPerMinute: 1_200 } }), contacts(10), { rounds: 3 });
		const [, second, third] = bench.sandbox.requests.map(({ at }) => at) as [
			number,
			number,
			number,
		];
		expect(second - begun).toBeGreaterThanOrEqual(495);
		expect(third - begun).toBeGreaterThanOrEqual(995);
	});

	it('G7 a limit that asks for next to no wait is not answered with a storm', async () => {
		bench.sandbox.fault({
			kind: 'rateLimited',
			form: 'allowance',
			header: false,
			route: 'bulk',
			retryAfter: 0.000001,
		});
		await bench.run(bulk({ options: { maxRetryWait: 2 } }), contacts(10), {
			onError: 'continueRegularOutput',
		});
		expect(bench.sandbox.requests.length).toBeLessThan(60);
	});
});

describe('cancelling', () => {
	it('knows a call that was already placed also in a 200', async () => {
		bench.sandbox.fault({
			kind: 'respond',
			route: 'cancel',
			status: 200,
			body: { success: false, error: 'Call already placed for this consent' },
		});
		const { json } = await bench.run(cancel({ options: { ifAlreadyPlaced: 'output' } }), [
			{ consent_id: 1001 },
		]);
		expect(json).toEqual([expect.objectContaining({ status: 'already_placed', cancelled: false })]);
	});
});

describe('a credential or an option that cannot be read', () => {
	it.each([
		['Get Batch', getBatch({ options: { timeout: '={{ $json.nothing.at.all }}' } })],
		['Cancel Call', cancel({ options: { timeout: '={{ "soon" }}' } })],
	])(
		'G5 %s with Continue: each item comes out as one that did not work, none passes on untouched',
		async (_name, parameters) => {
			const { items } = await bench.run(
				parameters,
				[
					{ batch_id: 'a', consent_id: 1 },
					{ batch_id: 'b', consent_id: 2 },
				],
				{ onError: 'continueRegularOutput' },
			);
			expect(items.map(({ json }) => Object.keys(json))).toEqual([['error'], ['error']]);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it('G5 Place Call with Continue: every row comes out as refused', async () => {
		const { json } = await bench.run(place({ options: { timeout: '={{ "" }}' } }), contacts(3), {
			onError: 'continueErrorOutput',
		});
		expect(json.map(({ status }) => status)).toEqual(['refused', 'refused', 'refused']);
		expect(bench.sandbox.requests).toEqual([]);
	});
});

it('a prompt variable that differs only in capitals is pointed out', async () => {
	const parameters = bulk({
		agentNumber: AGENT_WITH_PROMPT,
		variablesFrom: 'json',
		promptVariablesJson: '{"Name": "Ada", "amount": "1"}',
	});
	expect(shown(await bench.run(parameters, contacts(2))).description).toContain(
		'Capitals count: "Name" was sent.',
	);
});
