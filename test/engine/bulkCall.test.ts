import type { INodeParameters, IDataObject } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { pairs, shown, all, statuses, says } from './helpers/outcomes';
import { AGENT_WITH_PROMPT, CALLER, SIP_AGENT } from './helpers/account';
import { CONTINUE, ON_ERROR } from './helpers/onError';
import { assignments, bulk, contacts, OPERATIONS, phone } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

describe('On Error', () => {
	const withBad = (count: number, ...bad: number[]) =>
		contacts(count).map((row, n) => (bad.includes(n) ? { ...row, phone: `0555-${n}` } : row));

	const withPrompt = (options: INodeParameters = {}): INodeParameters =>
		bulk({
			agentNumber: AGENT_WITH_PROMPT,
			variablesFrom: 'json',
			promptVariablesJson: '={{ $json.variables }}',
			options,
		});
	const GOOD = '{"name": "Ada", "amount": "1"}';
	const BAD = '{"name": "Ada"}';

	describe.each(ON_ERROR)('On Error = %s: rows that cannot be called are data', (onError) => {
		it('G1 G5 invalid rows say why, and the others are called', async () => {
			const run = await bench.run(bulk(), withBad(12, 0, 5), { onError });
			expect([run.error, run.errorItems]).toEqual([undefined, []]);
			expect(pairs(run.notCalled)).toEqual([0, 5]);
			expect(run.notCalled[1]!.json).toEqual({
				...{ status: 'invalid', called: 'no', reason: expect.stringMatching(/0555-5/) as string },
				...{ destination: '0555-5', success: false, called_at: null },
				...{ consent_id: null, call_sid: null, batch_id: null },
			});
			expect(bench.dialed).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10, 11].map(phone));
			expect(bench.sandbox.requests).toHaveLength(1);
		});

		it('G2 a person whose first row is refused alone is called for the second one', async () => {
			const { json, error } = await bench.run(
				withPrompt(),
				[BAD, GOOD, GOOD].map((variables) => ({ phone: phone(0), variables })),
				{ onError },
			);
			expect(error).toBeUndefined();
			expect(statuses(json)).toEqual(['refused', 'initiated', 'duplicate']);
			expect(bench.dialed).toEqual([phone(0)]);
		});
	});

	describe('On Error = Stop', () => {
		it.each<[string, INodeParameters, RegExp, RegExp]>([
			[
				'an empty agent',
				{ agentNumber: '={{ "" }}', callerNumber: CALLER },
				/^Agent Number is empty/,
				/SIP ID in Agent Number/,
			],
			[
				'a SIP agent without a caller',
				{ agentNumber: `={{ "${SIP_AGENT}" }}`, callerNumber: '={{ "" }}' },
				/^Caller Number is empty.*t-sales/,
				/registered on your account/,
			],
			['an endless agent', { agentNumber: '1'.repeat(2_000) }, /^Agent Number holds/, /SIP ID/],
			[
				'an endless caller',
				{ agentNumber: SIP_AGENT, callerNumber: `+${'1'.repeat(999)}` },
				/^Caller Number holds/,
				/country code/,
			],
		])('G1 %s calls nobody, and the field is named', async (_, parameters, what, remedy) => {
			const ended = await bench.run(bulk(parameters), contacts(2));
			says(ended, what, [remedy, /Nobody was called\.$/]);
			expect(bench.sandbox.requests).toEqual([]);
		});

		it('G4 Retry does not stop at an unknown row that it carries over, nor at rows refused alone', async () => {
			const rows = contacts(13).map((row, n) => ({ ...row, variables: n < 2 ? BAD : GOOD }));
			bench.sandbox.fault({ kind: 'resetAfter', after: 2, times: 1 });
			const parameters = withPrompt({ parallelRequests: 1 });
			const stopped = await bench.run(parameters, rows);
			expect(shown(stopped).message).toMatch(
				/^The connection .*may have been placed: rows 11 to 13 were sent without a clear answer\. 8 of 13 rows called, 3 possibly called, 2 not called/,
			);
			const retried = await bench.run(parameters, rows, { retryOf: stopped });
			expect(retried.error).toBeUndefined();
			expect(statuses(retried.json)).toEqual([
				...all(2, 'refused'),
				...all(8, 'initiated'),
				...all(3, 'unknown'),
			]);
			expect(bench.sandbox.doubleDialed()).toEqual([]);
		});
	});

	it.each(CONTINUE)('G5 %s: rows of each kind come out once, paired, in order', async (onError) => {
		bench.sandbox.destinationOutcome.set(phone(1), { status: 'failed', error: 'Busy' });
		const body = { success: false, error: 'Odd' };
		bench.sandbox.fault({ kind: 'respond', status: 422, body, after: 1, times: 1 });
		bench.sandbox.fault({ kind: 'resetAfter', after: 2, times: 1 });
		const rows = contacts(30).map((row, n) => ({
			...row,
			agent: ['+15550001000', '+15550003000', AGENT_WITH_PROMPT][Math.floor(n / 10)],
		}));
		const parameters = bulk({
			agentNumber: '={{ $json.agent }}',
			callerNumber: CALLER,
			variablesFrom: 'json',
			promptVariablesJson: '{"name": "", "amount": ""}',
			options: { parallelRequests: 1 },
		});
		const run = await bench.run(parameters, rows, { onError });
		expect([run.error, run.errorItems]).toEqual([undefined, []]);
		expect(pairs(run.items)).toEqual(rows.map((_, n) => n));
		const expected = [
			['initiated', 'yes'],
			['failed', 'no'],
			...Array<string[]>(8).fill(['initiated', 'yes']),
			...Array<string[]>(10).fill(['refused', 'no']),
			...Array<string[]>(10).fill(['unknown', 'maybe']),
		];
		expect(run.json.map(({ status, called }) => [status, called])).toEqual(expected);
		expect(run.hints[0]!.message).toMatch(
			/^<b>9 of 30 rows called, 10 possibly called, 11 not called[^<]*<\/b><br>The API .*\(Odd\)/,
		);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(3);
	});
});

describe('where the numbers come from', () => {
	const called = () => bench.sandbox.journal.map((dial) => [dial.phone, dial.variables]);
	const listOf = (...destination: INodeParameters[]): INodeParameters => ({
		destinationSource: 'list',
		destinationList: { destination },
	});
	const jsonOf = (json: unknown): INodeParameters => ({
		destinationSource: 'json',
		destinationsJson: typeof json === 'string' ? json : JSON.stringify(json),
	});

	const shared = { promptVariables: assignments({ name: 'there', amount: '5' }) };

	it.each<[string, INodeParameters]>([
		[
			'a list',
			listOf(
				{ phone: phone(1), promptVariables: assignments({ name: 'Ada' }) },
				{ phone: phone(2), promptVariables: assignments({ name: 'Bob', amount: '9.5' }) },
				{ phone: phone(3) },
			),
		],
		[
			'JSON',
			jsonOf([
				{ phone: phone(1), prompt_variables: { name: 'Ada' } },
				{ phone: phone(2), prompt_variables: { name: 'Bob', amount: 9.5 } },
				phone(3),
			]),
		],
	])('each number has a row, its own variables over the shared ones: %s', async (_, source) => {
		const parameters = bulk({ agentNumber: AGENT_WITH_PROMPT, ...shared, ...source });
		const { json, items } = await bench.run(parameters);
		expect(called()).toEqual([
			[phone(1), { name: 'Ada', amount: '5' }],
			[phone(2), { name: 'Bob', amount: '9.5' }],
			[phone(3), { name: 'there', amount: '5' }],
		]);
		expect(json.map(({ destination }) => destination)).toEqual([1, 2, 3].map(phone));
		expect(pairs(items)).toEqual([0, 0, 0]);
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('G2 the same list in several input items is called once, and shown once', async () => {
		const { json } = await bench.run(bulk(listOf({ phone: phone(1) }, { phone: phone(2) })), [
			{ alert: 'Door' },
			{ alert: 'Fire' },
		]);
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
		expect(json).toHaveLength(2);
	});

	it.each([
		'={{ $json.phone }}',
		'={{ $json["phone"] }}',
		'={{ $input.item.json.phone }}',
		phone(0),
	])('each input field but that of the number is a prompt variable: %s', async (destination) => {
		const parameters = { agentNumber: AGENT_WITH_PROMPT, destination, variablesFrom: 'input' };
		await bench.run(bulk(parameters), contacts(1));
		expect(called()).toEqual([[phone(0), { name: 'Person 0', amount: '0.5' }]]);
	});

	it.each<[string, INodeParameters, RegExp, RegExp]>([
		['an empty list', listOf(), /list of destinations is empty/, /Add at least one/],
		['JSON that does not end', jsonOf('["+1'), /quotation mark or a line break/, /Input Items/],
		['phone_number', jsonOf([{ phone_number: '+1' }]), /no "phone"/, /phone, not phone_number/],
		['a bad number in a list', listOf({ phone: '0555' }), /"0555"/, /./],
	])('G1 where nobody can be called, nothing is sent: %s', async (_, source, message, remedy) => {
		says(await bench.run(bulk(source)), [/Row 1: /, message], [remedy, /Nobody was called\.$/]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	describe('a bad number among good ones keeps nobody else from being called', () => {
		it.each<[string, INodeParameters]>([
			['in JSON', jsonOf([phone(1), '0555', phone(2)])],
			['in a list', listOf({ phone: phone(1) }, { phone: '0555' }, { phone: phone(2) })],
		])('%s', async (_, source) => {
			const { json, error, items } = await bench.run(bulk(source));
			expect(error).toBeUndefined();
			expect(bench.dialed).toEqual([phone(1), phone(2)]);
			expect(statuses(json)).toEqual(['initiated', 'invalid', 'initiated']);
			expect(pairs(items)).toEqual([0, 0, 0]);
		});

		it('an item whose list is empty is a row of its own', async () => {
			const { json, items } = await bench.run(bulk(jsonOf('={{ $json.phones }}')), [
				{ phones: [phone(1)] },
				{ phones: [] },
				{ phones: [phone(3)] },
			]);
			expect(pairs(items)).toEqual([0, 1, 2]);
			expect(json[1]).toMatchObject({
				status: 'invalid',
				destination: '(none)',
				reason: expect.stringMatching(/is empty\. Add at least one/),
			});
		});
	});

	describe('numbers', () => {
		const GERMAN = '+491712345678';
		const sheet = (...phones: unknown[]): IDataObject[] =>
			phones.map((each) => ({ phone: each }) as IDataObject);
		const german: INodeParameters = { options: { defaultCountry: 'DE', parallelRequests: 1 } };

		describe.each(OPERATIONS)('%s: numbers as people write them', (_, operation) => {
			it('are called in international format, and the original is shown where it was changed', async () => {
				const written = [phone(0), '+1 (415) 555-0123', '0171 2345678', ' +491712345670\u00a0'];
				const { items, error } = await bench.run(operation(german), sheet(...written));
				expect(error).toBeUndefined();
				const dialed = [phone(0), '+14155550123', GERMAN, '+491712345670'];
				expect(bench.dialed).toEqual(dialed);
				expect(items.map(({ json }) => [json.destination, json.original_destination])).toEqual(
					dialed.map((number, n) => [number, n === 0 ? undefined : written[n]]),
				);
				expect(items[0]?.json).not.toHaveProperty('original_destination');
				expect(pairs(items)).toEqual([0, 1, 2, 3]);
			});

			it('G1 if no row can be called, the message names the first row, and hides its number', async () => {
				const ended = await bench.run(operation(), sheet('0171 2345678', '0172 2345678'));
				says(ended, /Row 1/, /Country of Numbers Without.*Nobody was called/);
				expect(shown(ended).message).not.toContain('0171 2345678');
				expect(bench.sandbox.requests).toEqual([]);
			});

			it('G2 numbers that are written differently are one person', async () => {
				const written = sheet(GERMAN, '0171 2345678', '0049 171 2345678');
				const { json } = await bench.run(operation(german), written);
				expect(bench.dialed).toEqual([GERMAN]);
				expect(json.map(({ status, destination }) => [status, destination])).toEqual([
					['initiated', GERMAN],
					['duplicate', GERMAN],
					['duplicate', GERMAN],
				]);
			});

			it('the country is for destinations, never for the agent or the caller', async () => {
				const agent = operation({ ...german, agentNumber: '0555 0001000' });
				shown(await bench.run(agent, sheet('0171 2345678')));
				expect(bench.bodies<IDataObject>()[0]?.agent_number).toBe('05550001000');
				const caller = { ...german, agentNumber: SIP_AGENT, callerNumber: '0171 2345678' };
				const { message } = shown(await bench.run(operation(caller), sheet('0171 2345678')));
				expect(message).toMatch(/^Caller Number.*"0171 2345678"/);
				expect(bench.dialed).toEqual([]);
			});
		});

		it('G8 the memory knows the person, however the number is written', async () => {
			await bench.run(bulk({ calledBefore: 'skip' }), sheet('+49 171 2345678'));
			const { json } = await bench.run(bulk({ calledBefore: 'skip' }), sheet('0049-171-2345678'));
			expect(json).toMatchObject([{ status: 'already_called', destination: GERMAN }]);
			expect(store.size).toBe(1);
			expect(bench.dialed).toEqual([GERMAN]);
		});
	});
});

describe('prompt variables', () => {
	const sent = () => bench.sandbox.journal.map(({ variables }) => variables);
	const row = (value: unknown): IDataObject => ({ phone: phone(0), value }) as IDataObject;

	const dragged = bulk({ promptVariables: assignments({ value: '={{ $json.value }}' }) });
	const input = bulk({ variablesFrom: 'input' });
	const promptVariablesJson = '={{ ({ value: $json.value }) }}';
	const json = bulk({ variablesFrom: 'json', promptVariablesJson });
	const forms: Array<[string, INodeParameters]> = [
		['dragged in', dragged],
		['from all input fields', input],
		['as JSON', json],
	];

	describe.each(forms)('a cell %s', (_, parameters) => {
		it('reaches the API as text', async () => {
			const values = ['Ada', 12.5, 0, true, false, null, '', '2026-01-31', 'x'.repeat(500)];
			const rows = values.map((value, n) => ({ ...row(value), phone: phone(n) }));
			const { error } = await bench.run(parameters, rows);
			expect(error).toBeUndefined();
			expect(sent()).toEqual(values.map((value) => ({ value: String(value ?? '') })));
		});

		it('that the API would reject makes its row invalid, and the others are called', async () => {
			const bad = ['x'.repeat(501), { first: 'Ada' }, ['a'], '{{ $json.name }}', '#N/A', 'NaN'];
			const rows = [
				row('fine'),
				...bad.map((value, n) => ({ ...row(value), phone: phone(n + 1) })),
			];
			const { called, notCalled } = await bench.run(parameters, rows);
			expect(called).toHaveLength(1);
			expect(sent()).toEqual([{ value: 'fine' }]);
			const unflat = [/object.*Leave Out/, /list.*Leave Out/];
			const reasons = [/501 char.*500/, ...unflat, /Expression/, /N\/A/, /./];
			notCalled.forEach(({ json: { status, reason } }, n) => {
				expect(status).toBe('invalid');
				expect(reason).toMatch(/prompt variable/);
				expect(reason).toMatch(reasons[n]!);
			});
			expect(notCalled).toHaveLength(bad.length);
		});
	});

	it('G1 variables that cannot be read in any row keep everything from being sent', async () => {
		const parameters = bulk({ variablesFrom: 'json', promptVariablesJson: '{"name": "A"da"}' });
		says(await bench.run(parameters, contacts(2)), /Row 1: .*quotation mark/, /Fields Below/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	describe('all input fields, without those to leave out', () => {
		const without = (fieldsToLeaveOut: string) =>
			bulk({ variablesFrom: 'input', fieldsToLeaveOut });
		const wide = (columns: number): IDataObject => ({
			phone: phone(0),
			...Object.fromEntries(Array.from({ length: columns }, (_, n) => [`Column ${n + 1}`, 'x'])),
		});

		it('25 columns beside the number are sent; more are told, by names of those past the limit', async () => {
			await bench.run(without(''), [wide(25)]);
			expect(Object.keys(sent()[0] ?? {})).toHaveLength(25);
			const { message, description } = shown(await bench.run(without(''), [wide(28)]));
			expect(message).toMatch(/^Row 1: .*28 .*25/);
			expect(description).toMatch(/column_26.*Fields to Leave Out/);
		});

		it.each<[string, IDataObject, string, string]>([
			['a value that is too long', { notes: 'x'.repeat(501) }, '"notes".*501', 'notes'],
			['two columns of one name', { Name: 'Bob' }, '"Name".*"name"', 'Name'],
		])('%s is named, and leaving it out helps', async (_, more, message, leftOut) => {
			const rows = [{ phone: phone(0), name: 'Ada', ...more }];
			expect(shown(await bench.run(without(''), rows)).message).toMatch(new RegExp(message));
			expect(bench.sandbox.requests).toEqual([]);
			await bench.run(without(leftOut), rows);
			expect(sent()).toEqual([{ name: 'Ada' }]);
		});

		it('what is left out may differ from row to row', async () => {
			await bench.run(without('={{ $json.skip }}'), [
				{ phone: phone(0), skip: 'skip, a', a: '1', b: '2' },
				{ phone: phone(1), skip: 'skip, b', a: '1', b: '2' },
			]);
			expect(sent()).toEqual([{ b: '2' }, { a: '1' }]);
		});
	});
});
