import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import {
	AGENT,
	AGENT_WITH_SIP_ID,
	assignments,
	bulk,
	CALLER,
	contacts,
	pairs,
	phone,
	place,
	shown,
	SIP_AGENT,
} from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

afterEach(() => {
	expect(bench.sandbox.requests).toEqual([]);
	expect(bench.dialed).toEqual([]);
	expect(store.size).toBe(0);
});

/** A dry run as a new node does it: it would remember whom it calls. */
const dry = (more: INodeParameters = {}): INodeParameters => ({
	mode: 'dryRun',
	calledBefore: 'skip',
	...more,
});
const operations: Array<[string, (more: INodeParameters) => INodeParameters]> = [
	['Bulk Call', bulk],
	['Place Call', place],
];
const hintsOf = ({ hints }: { hints: Array<{ message: string }> }): string[] =>
	hints.map(({ message }) => message);

it('a row of Bulk Call shows what would be sent', async () => {
	const promptVariables = assignments({ name: '={{ $json.name }}', amount: '={{ $json.amount }}' });
	const { json, called } = await bench.run(bulk(dry({ promptVariables })), contacts(2));
	expect(json).toEqual(
		contacts(2).map((row, n) => ({
			status: 'dry_run',
			called: 'no',
			reason: null,
			destination: phone(n),
			request: 1,
			agent_number: AGENT,
			caller_number: null,
			prompt_variables: { name: row.name, amount: String(row.amount) },
		})),
	);
	expect(called).toEqual([]);
});

it.each<[number, number[]]>([
	[1, [1]],
	[10, [10]],
	[11, [10, 1]],
	[25, [10, 10, 5]],
])('%d rows would be sent with requests of %j', async (count, sizes) => {
	const { items, json } = await bench.run(bulk(dry()), contacts(count));
	expect(json.map(({ request }) => request)).toEqual(
		sizes.flatMap((size, n) => Array<number>(size).fill(n + 1)),
	);
	expect(pairs(items)).toEqual(contacts(count).map((_, n) => n));
});

it('each agent has requests of its own', async () => {
	const rows = contacts(24).map((row, n) => ({ ...row, agent: n % 2 ? AGENT : AGENT_WITH_SIP_ID }));
	const { json } = await bench.run(bulk(dry({ agentNumber: '={{ $json.agent }}' })), rows);
	expect(json.map(({ agent_number }) => agent_number)).toEqual(rows.map(({ agent }) => agent));
	expect(json.filter((_, n) => n % 2 === 0).map(({ request }) => request)).toEqual([
		...Array<number>(10).fill(1),
		2,
		2,
	]);
	expect(json.filter((_, n) => n % 2 === 1).map(({ request }) => request)).toEqual([
		...Array<number>(10).fill(3),
		4,
		4,
	]);
});

it('Calls per Minute makes requests smaller, and this shows', async () => {
	const { json } = await bench.run(bulk(dry({ options: { callsPerMinute: 3 } })), contacts(7));
	expect(json.map(({ request }) => request)).toEqual([1, 1, 1, 2, 2, 2, 3]);
});

it('the totals say that nobody was called, and how many would be', async () => {
	const ended = await bench.run(bulk(dry()), [
		...contacts(2),
		{ phone: phone(0) },
		{ phone: '0555 123456' },
	]);
	expect(hintsOf(ended)).toEqual([
		'Nobody was called: Mode is Dry Run. 4 rows: 2 people would be called (3 rows), 1 not (1 invalid). To call them, set Mode to Live. Row 4 has to be corrected. Countries: United States 2.',
	]);
});

describe('the totals say', () => {
	const said = async (rows: IDataObject[], more: INodeParameters): Promise<string> =>
		hintsOf(await bench.run(bulk(dry(more)), rows))[0]!;
	const named = (values: Record<string, string>): INodeParameters => ({
		promptVariables: assignments(values),
	});

	it('which rows are to be corrected', async () => {
		const rows = contacts(30).map((row, n) => (n > 20 || n === 3 ? { ...row, phone: '' } : row));
		expect(await said(rows, {})).toContain(' Rows 4 and 22 to 30 have to be corrected. ');
		expect(await said(contacts(2), {})).not.toContain('corrected');
	});

	it('which rows are to be corrected, also where a field takes a column that serves the others', async () => {
		const rows = ['US', 'Japan', 'USA', ''].map((country) => ({
			phone: country === '' ? '' : '(415) 555-0101',
			country,
		}));
		const more = { countries: ['US', 'JP'], defaultCountry: '={{ $json.country }}' };
		expect(await said(rows, more)).toContain(' Rows 2 to 4 have to be corrected. ');
		// Here it is the column.
		expect(await said(rows.slice(1, 3), more)).not.toContain('corrected');
	});

	it('the names that would be sent, as the prompt has to have them, and what nobody would hear', async () => {
		const more = named({
			name: '={{ $json.name }}',
			Patient: '={{ $json.name }}',
			'due date': 'Monday',
			amount: '={{ $json.amuont }}',
			note: ' ',
		});
		expect(await said(contacts(2), more)).toContain(
			' Sent as prompt variables: "name", "Patient", "due date", "amount" and "note".' +
				' Capitals and blanks count: the agent’s prompt has to name "Patient" and "due date" in the same way.' +
				' Empty in every row: "amount" and "note". Look at their columns.',
		);
	});

	it('nothing of variables that one row has, or of rows that cannot be sent', async () => {
		const rows: IDataObject[] = [
			{ phone: phone(0), amount: 1 },
			{ phone: phone(1) },
			{ phone: 'Ada', amount: 2 },
		];
		const message = await said(rows, named({ amount: '={{ $json.amount }}' }));
		expect(message).toContain('Sent as prompt variables: "amount".');
		expect(message).not.toContain('Empty');
		expect(await said(rows, {})).not.toContain('prompt variables');
	});

	it('no more names than can be read', async () => {
		const names = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`v${n}`, 'x']));
		expect(await said(contacts(1), named(names))).toMatch(/"v8", "v9" and 15 more\.$/);
	});
});

it('Place Call would send a request for each row', async () => {
	const promptVariables = assignments({ amount: '={{ $json.amount }}' });
	const { items, json, called } = await bench.run(place(dry({ promptVariables })), contacts(3));
	expect(json).toEqual(
		contacts(3).map((row, n) => ({
			status: 'dry_run',
			called: 'no',
			reason: null,
			destination: phone(n),
			request: n + 1,
			agent_number: AGENT,
			caller_number: null,
			prompt_variables: { amount: String(row.amount) },
		})),
	);
	expect(called).toEqual([]);
	expect(pairs(items)).toEqual([0, 1, 2]);
});

it('Place Call shows the External Call ID that would be sent', async () => {
	const { json } = await bench.run(
		place(dry({ options: { externalCallId: '=order-{{ $json.amount }}' } })),
		contacts(2),
	);
	expect(json.map(({ external_call_id }) => external_call_id)).toEqual(['order-0.5', 'order-1.5']);
});

it('Bulk Call that would wait for its calls waits for nothing, and its rows have no fields about what became of a call', async () => {
	const { json } = await bench.run(
		bulk(dry({ waitUntil: 'finished', pollInterval: 60, waitTimeout: 60 })),
		contacts(1),
	);
	expect(Object.keys(json[0]!)).toEqual([
		'status',
		'called',
		'reason',
		'destination',
		'request',
		'agent_number',
		'caller_number',
		'prompt_variables',
	]);
});

describe.each(operations)('%s', (_, operation) => {
	const isBulk = operation === bulk;

	it('a SIP agent is shown with its caller', async () => {
		const { json } = await bench.run(
			operation(dry({ agentNumber: SIP_AGENT, callerNumber: CALLER })),
			contacts(1),
		);
		expect(json).toMatchObject([
			{ agent_number: SIP_AGENT, caller_number: CALLER, prompt_variables: {} },
		]);
	});

	it.each<[string, unknown, string]>([
		['a number', 12.5, '12.5'],
		['true', true, 'true'],
		['null', null, ''],
		['text', 'Ada', 'Ada'],
	])(
		'prompt variables are shown as the text that would be sent: %s',
		async (__, value, expected) => {
			const { json } = await bench.run(
				operation(dry({ promptVariables: assignments({ value: '={{ $json.value }}' }) })),
				[{ phone: phone(0), value: value as string }],
			);
			expect(json[0]?.prompt_variables).toEqual({ value: expected });
		},
	);

	it('duplicates are duplicates, of the same request', async () => {
		const { json } = await bench.run(operation(dry()), [...contacts(2), { phone: phone(1) }]);
		expect(json.map(({ status, reason, request }) => [status, reason, request])).toEqual([
			['dry_run', null, 1],
			['dry_run', null, isBulk ? 1 : 2],
			['duplicate', 'Same number as row 2', isBulk ? 1 : 2],
		]);
	});

	it('numbers are cleaned, and the original is shown', async () => {
		const { json } = await bench.run(operation(dry({ defaultCountry: 'DE' })), [
			{ phone: '0171 2345678' },
		]);
		expect(json).toEqual([
			{
				status: 'dry_run',
				called: 'no',
				reason: null,
				destination: '+491712345678',
				original_destination: '0171 2345678',
				request: 1,
				agent_number: AGENT,
				caller_number: null,
				prompt_variables: {},
			},
		]);
	});

	it.each([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'a row that could not be sent comes out with the reason, and ends nothing (On Error: %s)',
		async (onError) => {
			const { items, json, called, errorItems, error } = await bench.run(
				operation(dry()),
				[{ phone: phone(0) }, { phone: '0555 123456' }, { phone: phone(2) }],
				onError ? { onError } : {},
			);
			expect(error).toBeUndefined();
			expect([called, errorItems]).toEqual([[], []]);
			expect(json.map(({ status }) => status)).toEqual(['dry_run', 'invalid', 'dry_run']);
			expect(json[1]).toEqual({
				status: 'invalid',
				called: 'no',
				reason:
					'The destination "0555 123456" has no country code. Choose the country under “Country of Numbers Without +”, or write the number with + and its country code.',
				destination: '0555 123456',
			});
			expect(pairs(items)).toEqual([0, 1, 2]);
		},
	);

	it.each([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'G5 with not a single row that could be sent it does not end with a message either (On Error: %s)',
		async (onError) => {
			const ended = await bench.run(
				operation(dry()),
				[{ phone: 'Ada' }, { phone: '' }, {}],
				onError ? { onError } : {},
			);
			expect(ended.error).toBeUndefined();
			expect([ended.called, ended.errorItems]).toEqual([[], []]);
			const empty =
				'The destination is empty. Drag the column with the phone number into Destination, and check that the row has one.';
			expect(ended.notCalled.map(({ json }) => json)).toEqual([
				{
					status: 'invalid',
					called: 'no',
					reason:
						'The destination "Ada" is not a phone number: it has no digits. Check that Destination takes the column with the phone numbers.',
					destination: 'Ada',
				},
				{ status: 'invalid', called: 'no', reason: empty, destination: '' },
				{ status: 'invalid', called: 'no', reason: empty, destination: '' },
			]);
			expect(pairs(ended.notCalled)).toEqual([0, 1, 2]);
			expect(hintsOf(ended)).toEqual([
				'Nobody was called: Mode is Dry Run. 3 rows: 0 would be called, 3 not (3 invalid). Rows 1 to 3 have to be corrected.',
			]);
		},
	);

	it('an expression that cannot be resolved concerns its own row', async () => {
		const { json, error } = await bench.run(
			operation(dry({ destination: '={{ $json.phone || $("Nowhere").first().json.phone }}' })),
			[{ phone: phone(0) }, { phone: '' }],
		);
		expect(error).toBeUndefined();
		expect(json.map(({ status, destination }) => [status, destination])).toEqual([
			['dry_run', phone(0)],
			['invalid', ''],
		]);
		expect(json[1]?.reason).toMatch(
			/^An expression in this node could not be resolved \(.*\)\. Look at the fields of this node with expressions/,
		);
	});

	it('the memory of people called is not touched', async () => {
		for (let run = 0; run < 2; run++) {
			const { json } = await bench.run(operation(dry()), contacts(3));
			expect(json.map(({ status }) => status)).toEqual(Array(3).fill('dry_run'));
		}
		expect(store.size).toBe(0);
	});

	it('two rows with one Remember People By: the second would not be called', async () => {
		const ended = await bench.run(
			operation(dry({ options: { callOnceKey: 'spring' } })),
			contacts(2),
		);
		expect(ended.json.map(({ status, reason }) => [status, reason])).toEqual([
			['dry_run', null],
			[
				'already_called',
				'Same person as row 1 (option Remember People By), with another number, so nobody is called for this row. If they are two people, give this row another value there',
			],
		]);
	});

	it('with Call Again a Remember People By has no effect', async () => {
		const { json } = await bench.run(
			operation(dry({ calledBefore: 'callAgain', options: { callOnceKey: 'spring' } })),
			contacts(2),
		);
		expect(json.map(({ status }) => status)).toEqual(['dry_run', 'dry_run']);
	});

	it('no row has a field named error, success or an ID', async () => {
		const { json } = await bench.run(operation(dry()), [
			...contacts(2),
			{ phone: phone(1) },
			{ phone: 'Ada' },
		]);
		const names = json.flatMap((row) => Object.keys(row));
		expect(names.filter((name) => /^(error|success|.*_id|.*_sid)$/.test(name))).toEqual([]);
	});

	it('no credential is needed', async () => {
		const { json, error } = await bench.run(operation(dry()), contacts(2), {
			api: { baseUrl: 'not an address', token: '' },
		});
		expect(error).toBeUndefined();
		expect(json.map(({ status }) => status)).toEqual(['dry_run', 'dry_run']);
	});

	describe('an option that cannot be used', () => {
		const unusable = dry({ options: { timeout: 'soon' } });

		it('ends it with a message', async () => {
			const { message, description } = shown(await bench.run(operation(unusable), contacts(2)));
			expect([message, description]).toEqual([
				'Timeout is "soon", which cannot be used',
				'Enter a number. Nobody was called.',
			]);
		});

		it('with Continue no row says that it would be called', async () => {
			const ended = await bench.run(operation(unusable), contacts(2), {
				onError: 'continueRegularOutput',
			});
			expect(ended.called).toEqual([]);
			expect(
				ended.notCalled.map(({ json }: { json: IDataObject }) => [json.status, json.reason]),
			).toEqual(
				Array(2).fill(['refused', 'Timeout is "soon", which cannot be used. Enter a number.']),
			);
			expect(hintsOf(ended)).toEqual([
				'Nobody was called: Mode is Dry Run. 2 rows: 0 would be called, 2 not (2 held back: see reason). Reason: Timeout is "soon", which cannot be used. Enter a number.',
			]);
		});
	});
});
