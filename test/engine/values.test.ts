import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { run } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { shown, text, statuses, says } from './helpers/outcomes';
import { goesOn } from './helpers/onError';
import { until } from './helpers/turns';
import { assignments, bulk, cancel, contacts, getBatch, phone, place } from './helpers/workflows';

const bench = workbench();
storeForEach();

describe('values', () => {
	const untyped = (parameters: object): INodeParameters => parameters as INodeParameters;

	/** Nobody is called, and the message says why, also where each row says so. */
	async function callsNobody(parameters: INodeParameters, message: RegExp): Promise<void> {
		says(await bench.run(parameters, contacts(3)), message);
		const { json } = await bench.run(parameters, contacts(3), goesOn);
		// A row may have a reason of its own.
		for (const { status } of json) expect(['refused', 'invalid']).toContain(status);
		expect(json[0]?.reason).toMatch(message);
		expect(bench.sandbox.requests).toEqual([]);
	}

	/** Each protecting field, with what its expression comes to. */
	const protecting: Array<[label: string, set: (expression: string) => INodeParameters]> = [
		['Opted Out', (optedOut) => bulk({ optedOut })],
		['Do Not Call', (doNotCall) => bulk({ rules: { doNotCall } })],
		['No-Call Dates', (noCallDates) => bulk({ rules: { noCallDates } })],
		['Time Zone', (timeZone) => bulk({ rules: { timeZone } })],
		['Once for Each', (onceForEach) => bulk({ calledBefore: 'onceForEach', onceForEach })],
	];

	describe.each(protecting)('a protecting field, %s', (label, set) => {
		it.each([
			['a column that no row has', '={{ $json.misspelt }}'],
			['the column of a node that has no such field', '={{ $("Start").item.json.misspelt }}'],
			['blanks in every row', '={{ "  " }}'],
		])('G11 %s calls nobody, and the field is named', async (_, expression) => {
			await callsNobody(set(expression), new RegExp(label));
			const run = shown(await bench.run(set(expression), contacts(3)));
			expect(run.description).toMatch(/name of its column right/);
		});

		it.each([
			['an empty text', ''],
			['null', null],
		])('%s in every row is an empty cell', async (_, cell) => {
			const rows = contacts(2).map((row) => ({ ...row, cell }));
			const { json } = await bench.run(set('={{ $json.cell }}'), rows, goesOn);
			// Once for Each needs a value in each row, which is told row by row.
			const status = label === 'Once for Each' ? 'invalid' : 'initiated';
			expect(statuses(json)).toEqual([status, status]);
		});
	});

	it.each<[string, INodeParameters, string]>([
		['Opted Out', { optedOut: '={{ $json.cell }}' }, 'yes'],
		['No-Call Dates', { rules: { noCallDates: '={{ $json.cell }}' } }, '2020-01-01'],
		['Time Zone', { rules: { timeZone: '={{ $json.cell }}' } }, 'Europe/Berlin'],
	])('%s that says something in one row is believed in all', async (label, parameters, cell) => {
		const rows = [...contacts(2), { phone: phone(2), cell }];
		const { json } = await bench.run(bulk(parameters), rows);
		const last = label === 'Opted Out' ? 'do_not_call' : 'initiated';
		expect(statuses(json)).toEqual(['initiated', 'initiated', last]);
	});

	describe('a setting of the whole run', () => {
		it.each<[string, INodeParameters]>([
			['Max Calls', { rules: { maxCalls: '={{ $itemIndex === 2 ? 9 : 5 }}' } }],
			['Calls per Minute', { options: { callsPerMinute: '={{ $itemIndex === 2 ? 9 : 5 }}' } }],
			['Do Not Call', { rules: { doNotCall: '={{ $itemIndex === 2 ? $json.phone : "" }}' } }],
		])('G1 %s with two values calls nobody, and names the two rows', async (label, parameters) => {
			await callsNobody(bulk(parameters), new RegExp(`^${label} is .* in row 1 and .* in row 3`));
		});

		const windows = (window: unknown) => ({ callingHours: 'custom', callingWindows: window });
		it.each<[string, object, RegExp]>([
			['hours that do not exist', { callingHours: 'weekends' }, /Calling Hours/],
			['hours without a window', windows({ window: [] }), /Calling Hours.*window/],
			['no days', windows({ window: [{ days: [], from: '09:00', to: '20:00' }] }), /Window 1.*day/],
			['people called before who are what?', { calledBefore: 'never' }, /People Called Before/],
			['a wait for what?', { waitUntil: 'twice' }, /^Wait Until is "twice"/],
			['special numbers that are what?', { rules: { specialNumbers: 'yes' } }, /Special Numbers/],
		])('G1 %s: nobody is called', async (_, parameters, message) => {
			await callsNobody(bulk(untyped(parameters)), message);
		});

		const window = { window: [{ days: ['mon'], from: '={{ "09:00" }}', to: '20:00' }] };
		it.each<[string, object]>([
			['My Own Phone', { mode: 'test', testNumber: '={{ $json.phone }}' }],
			['Countries That May Be Called', { countries: '={{ ["DE"] }}' }],
			['Calling Hours', { callingHours: '={{ "any" }}' }],
			['Calling (Windows|Hours)', windows(window)],
			['People Called Before', { calledBefore: '={{ "callAgain" }}' }],
			['Special Numbers', { rules: { specialNumbers: "={{ $fromAI('special') }}" } }],
		])('G12 %s takes no expression: nobody is called', async (label, parameters) => {
			await callsNobody(bulk(untyped(parameters)), new RegExp(label));
		});
	});

	describe('rows that are rejected', () => {
		it.each<[string, INodeParameters]>([
			['Phone Number', { destination: '={{ $json.phone.trim() }}' }],
			['a prompt variable', { promptVariables: assignments({ day: '={{ $json.day.trim() }}' }) }],
			['Opted Out', { optedOut: '={{ $json.day.trim() }}' }],
			['Time Zone', { rules: { timeZone: '={{ $json.day.trim() && "" }}' } }],
			['No-Call Dates', { rules: { noCallDates: '={{ $json.day.trim() && "" }}' } }],
			['Agent Number', { agentNumber: '={{ "+15550001000" + $json.day.trim() }}' }],
		])('what n8n cannot evaluate makes its row invalid: %s', async (_, parameters) => {
			const { json } = await bench.run(bulk(parameters), [
				{ phone: phone(1), day: '' },
				{ phone: 4915, day: 7 },
				{ phone: phone(3), day: '' },
			]);
			expect(statuses(json)).toEqual(['initiated', 'invalid', 'initiated']);
			expect(json[1]?.reason).toMatch(/could not be evaluated/);
		});

		it.each<[string, unknown]>([
			['a cell that says neither yes nor no', 'perhaps'],
			['an expression that n8n cannot evaluate', null],
		])('G11 %s keeps the person from being called in all rows', async (_, out) => {
			const { json } = await bench.run(bulk({ optedOut: '={{ $json.out.trim() }}' }), [
				{ phone: phone(1), out: '' },
				{ phone: phone(1), out } as IDataObject,
				{ phone: phone(2), out: '' },
			]);
			expect(statuses(json)).toEqual(['do_not_call', 'invalid', 'initiated']);
			expect(bench.dialed).toEqual([phone(2)]);
		});
	});

	/** What stands in the cells of sheets and in the fields of other systems. */
	const cell = fc.oneof(
		fc.constantFrom('+15550101001', ' +15550101003', '0171 2345678'),
		fc.constantFrom('=1+1', '{{ $json.phone }}', ''),
		fc.string({ maxLength: 12 }),
		fc.integer(),
		fc.double(),
		fc.boolean(),
		fc.constantFrom(null, undefined, { first: 'Ada' }, ['Ada'], new Date(0)),
	);
	const country = fc.oneof(fc.constantFrom('DE', 'de', '49', 49, 'XX', ''), cell);
	const sheet = fc.array(
		fc.record({ phone: cell, 'First Name': cell, amount: cell, country }, { requiredKeys: [] }),
		{ minLength: 1, maxLength: 8 },
	);

	/** A dry run with the same columns, dragged in, or written in a way that only n8n can read. */
	const fields = (column: (reference: string) => string): INodeParameters =>
		bulk({
			mode: 'dryRun',
			destination: column('$json.phone'),
			promptVariables: assignments({
				name: column('$json["First Name"]'),
				amount: column('$json.amount'),
				fixed: 'text',
			}),
			options: { defaultCountry: column('$json.country') },
		});

	const api = { baseUrl: 'http://127.0.0.1:9', token: 'token' };
	const rowsOf = async (parameters: INodeParameters, items: IDataObject[]) =>
		(await run({ parameters, items, api, ...goesOn })).json;

	it('columns dragged into fields are read as n8n reads them, whatever stands in the rows', async () => {
		const dragged = fields((reference) => `={{ ${reference} }}`);
		const calculated = fields((reference) => `={{ (${reference}) }}`);
		await fc.assert(
			fc.asyncProperty(sheet, async (rows) => {
				const items = rows as IDataObject[];
				expect(await rowsOf(dragged, items)).toEqual(await rowsOf(calculated, items));
			}),
			{ numRuns: 60 },
		);
	});
});

describe('hostile values', () => {
	const refuses = (error: string, status = 422): void => {
		const body = { success: false, error };
		bench.sandbox.fault({ kind: 'respond', route: 'bulk', status, body });
	};

	it('G10 Timeout ends an answer that drips as a whole, and the call may have been placed', async () => {
		bench.sandbox.fault({ kind: 'drip', ms: 3_600_000 });
		const { json } = await bench.run(bulk({ options: { timeout: 1 } }), contacts(2), goesOn);
		expect(statuses(json)).toEqual(['unknown', 'unknown']);
		expect(json[0]!.reason).toMatch(/within 1 second.*may have been placed/);
		// The node has left.
		await until(() => bench.sandbox.inFlight === 0);
	});

	describe('the credential', () => {
		const withCredential = async (baseUrl: string, token: string) =>
			await run({ parameters: bulk(), items: contacts(2), api: { baseUrl, token } });

		it.each([
			['a user name', (url: string) => url.replace('http://', 'http://ada:secret@')],
			['a query', (url: string) => `${url}?tenant=1`],
			['a fragment', (url: string) => `${url}#top`],
			['http:// to a public server', () => 'http://example.com/api/v1/outbound'],
		])('G9 a Base URL with %s is refused before anything is sent', async (_what, change) => {
			const refused = await withCredential(change(bench.sandbox.baseUrl), bench.sandbox.token);
			expect(shown(refused).message).toMatch(/Base URL/);
			expect(bench.sandbox.requests).toEqual([]);
		});

		it('G9 a token that no header can carry is refused before anything is sent', async () => {
			const { baseUrl, token } = bench.sandbox;
			const refused = await withCredential(baseUrl, `${token.slice(0, 8)}\n${token.slice(8)}`);
			expect(shown(refused).message).toMatch(/token.*character that cannot be sent/);
			expect(bench.sandbox.requests).toEqual([]);
		});
	});

	describe('texts of an API', () => {
		const NASTY = 'Row 1\u202e\u2066 of\u0000 9\u001b[2J\r\nDone';

		it('G9 never become markup in the editor', async () => {
			const html = '<b>Big</b><a href="https://evil.example">win</a><img src=x onerror=alert(1)>';
			refuses(html);
			const { message, description } = shown(await bench.run(bulk(), contacts(2)));
			const { hints } = await bench.run(bulk(), contacts(2), goesOn);
			// The node's own tags: its first line stands out, and each line is one.
			const texts = hints[0]!.message.replace(/^<b>(.*?)<\/b><br>/, '$1').replaceAll('<br>', '');
			expect(`${message}${description}${texts}`).not.toMatch(/[<>]/);
		});

		it('G9 lose them in a row of their own, too, and so do cells', async () => {
			bench.sandbox.destinationOutcome.set(phone(0), { status: 'failed', error: NASTY });
			const { json } = await bench.run(bulk(), [...contacts(1), { phone: `x${NASTY}` }]);
			expect(json[0]!.reason).toBe('Row 1 of 9[2J Done');
			expect(json[1]!.reason).toContain('"xRow 1 of 9[2J Done"');
		});

		it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
			'G9 are bounded (%s)',
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

	it('G7 a limit that asks for next to no wait is not answered with a storm', async () => {
		const retryAfter = 0.000001;
		const limit = { kind: 'rateLimited', form: 'allowance', header: false, retryAfter } as const;
		bench.sandbox.fault({ ...limit, route: 'bulk' });
		await bench.run(bulk({ options: { maxRetryWait: 2 } }), contacts(10), goesOn);
		expect(bench.sandbox.requests.length).toBeLessThan(60);
	});

	it.each([
		['Get Batch', getBatch({ options: { timeout: '={{ $json.nothing.at.all }}' } }), ['error']],
		['Cancel Call', cancel({ options: { timeout: '={{ "soon" }}' } }), ['error']],
		['Place Call', place({ options: { timeout: '=' } }), expect.arrayContaining(['status'])],
	])('G5 %s with an unusable option: no item passes on', async (_, parameters, columns) => {
		const rows = [1, 2].map((n) => ({ batch_id: 'a', consent_id: n, phone: phone(n) }));
		const { items } = await bench.run(parameters, rows, goesOn);
		expect(items.map(({ json }) => Object.keys(json))).toEqual([columns, columns]);
		expect(bench.sandbox.requests).toEqual([]);
	});
});
