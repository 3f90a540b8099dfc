import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { storeForEach } from './helpers/durableStore';
import { run } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, cancel, contacts, getBatch, phone, place, shown, text } from './helpers/workflows';

const bench = workbench();
storeForEach();

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

const refuses = (error: string, status = 422): void => {
	const body = { success: false, error };
	bench.sandbox.fault({ kind: 'respond', route: 'bulk', status, body });
};

it('G10 Timeout ends an answer that drips as a whole, and the call may have been placed', async () => {
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
	const { json } = await run({
		parameters: bulk({ options: { timeout: 1 } }),
		items: contacts(2),
		api: { baseUrl, token: 'tk_dripping' },
		onError: 'continueRegularOutput',
	});
	expect(json.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
	expect(json[0]!.reason).toMatch(/within 1 second.*may have been placed/);
	expect(await ended).toBe(true);
});

describe('the credential', () => {
	const withCredential = async (baseUrl: string, token: string) =>
		await run({ parameters: bulk(), items: contacts(2), api: { baseUrl, token } });

	it.each([
		['a user name', (url: string) => url.replace('http://', 'http://ada:secret@')],
		['a query', (url: string) => `${url}?tenant=1`],
		['a fragment', (url: string) => `${url}#top`],
		['no address', () => 'outbound'],
		['a blank in it', () => 'https://exa mple.com/api/v1/outbound'],
		['http:// to a public server', () => 'http://example.com/api/v1/outbound'],
	])('G9 a Base URL with %s is refused before anything is sent', async (_what, change) => {
		const refused = await withCredential(change(bench.sandbox.baseUrl), bench.sandbox.token);
		expect(shown(refused).message).toMatch(/Base URL/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('blanks and slashes around the Base URL, and blanks around the token, do no harm', async () => {
		const { baseUrl, token } = bench.sandbox;
		const { json } = await withCredential(`  ${baseUrl}///  `, ` ${token}\n`);
		expect(json.map(({ status }) => status)).toEqual(['initiated', 'initiated']);
	});

	it('G9 a token that no header can carry is refused before anything is sent', async () => {
		const { baseUrl, token } = bench.sandbox;
		const refused = await withCredential(baseUrl, `${token.slice(0, 8)}\n${token.slice(8)}`);
		expect(shown(refused).message).toMatch(/token.*character that cannot be sent/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('G9 a token that was stored with a blank is masked where the API quotes it back', async () => {
		refuses(`Token ${bench.sandbox.token}: locked`);
		const refused = await withCredential(bench.sandbox.baseUrl, `${bench.sandbox.token} `);
		expect(shown(refused).message).toContain('Token ***: locked');
	});
});

describe('texts of an API', () => {
	const NASTY = 'Row 1\u202e\u2066 of\u0000 9\u001b[2J\r\nDone';

	it('G9 never become markup in the editor', async () => {
		const html = '<a href="https://evil.example">win</a><img src=x onerror=alert(1)>';
		refuses(html);
		const { message, description } = shown(await bench.run(bulk(), contacts(2)));
		const { hints } = await bench.run(bulk(), contacts(2), { onError: 'continueRegularOutput' });
		expect(`${message}${description}${hints[0]!.message.replaceAll('<br>', '')}`).not.toMatch(
			/[<>]/,
		);
	});

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'G9 lose control and direction characters (%s)',
		async (onError) => {
			refuses(NASTY);
			const { error, json } = await bench.run(bulk(), contacts(1), { onError });
			expect(error?.message ?? json[0]!.reason).toContain('(Row 1 of 9[2J Done)');
		},
	);

	it('G9 lose them in a row of their own, too, and so do cells', async () => {
		bench.sandbox.destinationOutcome.set(phone(0), { status: 'failed', error: NASTY });
		const { json } = await bench.run(bulk(), [...contacts(1), { phone: `x${NASTY}` }]);
		expect(json[0]!.reason).toBe('Row 1 of 9[2J Done');
		expect(json[1]!.reason).toContain('"xRow 1 of 9[2J Done"');
	});

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'G9 of any length are bounded (%s)',
		async (onError) => {
			const names = Array.from({ length: 5_000 }, (_, n) => `name_${n}_${'x'.repeat(400)}`);
			refuses(`Missing prompt_variables keys: ${names.join(', ')}`, 400);
			const { error, json } = await bench.run(bulk(), contacts(1), { onError });
			if (!error) expect(text(json[0]!.reason).length).toBeLessThanOrEqual(500);
			else
				for (const each of Object.values(shown({ error } as never)))
					expect(String(each).length).toBeLessThanOrEqual(2_000);
		},
	);
});

/** Marks of one letter: to bring them into order takes time that grows with the square of their number, here more than a test may take. */
const MARKS = `a${'\u0315\u0300'.repeat(120_000)}`;

describe('cells of 240,000 combining marks', () => {
	it('are no phone number, and cost nothing', async () => {
		const { json } = await bench.run(bulk(), [{ phone: MARKS }, ...contacts(1)]);
		expect(json.map(({ status }) => status)).toEqual(['invalid', 'initiated']);
		expect(text(json[0]!.destination).length).toBeLessThan(200);
	});
});

it.each([[{ a: 1 }], [['a']], [''], [null]])(
	'G8 %j is no value of Once for Each: the row is not called',
	async (key) => {
		const once = bulk({ calledBefore: 'onceForEach', onceForEach: '={{ $json.key }}' });
		const rows = [
			{ phone: phone(1), key },
			{ phone: phone(2), key: 'A' },
		];
		const { json } = await bench.run(once, rows);
		expect(json.map(({ status }) => status)).toEqual(['invalid', 'initiated']);
		expect(json[0]!.reason).toMatch(/Once for Each/);
	},
);

it.each(['callsPerMinute', 'timeout', 'maxRetryWait', 'parallelRequests'])(
	'G1 an option with one value for each row calls nobody: %s',
	async (option) => {
		const options = { [option]: '={{ [10, 20][$itemIndex % 2] }}' };
		const refused = await bench.run(bulk({ options }), contacts(3));
		expect(shown(refused).message).toMatch(/in row 1 and .* in row 2/);
		expect(bench.sandbox.requests).toEqual([]);
	},
);

describe('G7 the pace', () => {
	it('holds over the runs of a loop', async () => {
		const begun = Date.now();
		await bench.run(bulk({ options: { callsPerMinute: 1_200 } }), contacts(10), { rounds: 3 });
		const [, second, third] = bench.sandbox.requests.map(({ at }) => at);
		expect(second! - begun).toBeGreaterThanOrEqual(495);
		expect(third! - begun).toBeGreaterThanOrEqual(995);
	});

	it('a limit that asks for next to no wait is not answered with a storm', async () => {
		const retryAfter = 0.000001;
		const limit = { kind: 'rateLimited', form: 'allowance', header: false, retryAfter } as const;
		bench.sandbox.fault({ ...limit, route: 'bulk' });
		await bench.run(bulk({ options: { maxRetryWait: 2 } }), contacts(10), {
			onError: 'continueRegularOutput',
		});
		expect(bench.sandbox.requests.length).toBeLessThan(60);
	});
});

it.each([
	['Get Batch', getBatch({ options: { timeout: '={{ $json.nothing.at.all }}' } }), ['error']],
	['Cancel Call', cancel({ options: { timeout: '={{ "soon" }}' } }), ['error']],
	['Place Call', place({ options: { timeout: '={{ "" }}' } }), expect.arrayContaining(['status'])],
])(
	'G5 %s with an unusable option and Continue: no item passes on untouched',
	async (_, parameters, columns) => {
		const rows = [1, 2].map((n) => ({ batch_id: 'a', consent_id: n, phone: phone(n) }));
		const { items } = await bench.run(parameters, rows, { onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => Object.keys(json))).toEqual([columns, columns]);
		expect(bench.sandbox.requests).toEqual([]);
	},
);
