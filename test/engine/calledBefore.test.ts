import type { INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { assignments, bulk, contacts, pairs, phone, place, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

/** As a new node remembers people: the parameter is at its default. */
const once = (more: INodeParameters['options'] = {}): INodeParameters =>
	byDefault(bulk({ options: { ...oneLane, ...(more as INodeParameters) } }));
const oneLane = { parallelRequests: 1, maxRetryWait: 0 };
const byDefault = ({ calledBefore: _, ...parameters }: INodeParameters): INodeParameters =>
	parameters;
const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);
const alreadyCalled = (n: number) => ({
	status: 'already_called',
	called: 'no',
	reason:
		'An earlier run of this workflow called this number, or may have. If this node has a purpose of its own, see its option Share Memory With.',
	destination: phone(n),
	success: false,
	consent_id: null,
	call_sid: null,
	batch_id: null,
});

const MINUTE =
	'Remember People By may hold the minute of the run (in a format, mm; MM is the month)';

const NAME =
	'Remember People By holds the name of the workflow or of a step, or how it was started, which becomes another one by itself';
const PLACE =
	'Remember People By holds the place of the row in its list, which is another one once rows are sorted, added or deleted';

describe('G8 people called before', () => {
	it.each([
		['={{ $now }} {{ $json.phone }}', MINUTE],
		['={{ $json.phone + $now.toISO() }}', MINUTE],
		[
			'={{ $json.phone }}-{{ Math.random() }}',
			'Remember People By changes from one moment to the next',
		],
		["={{ $now.toFormat('yyyy-mm') }} {{ $json.phone }}", MINUTE],
		[
			'={{ $json.phone }} {{ $now.setZone("Asia/Tokyo").minus({ days: 1 }).format("dd.mm.yyyy") }}',
			MINUTE,
		],
		["={{ DateTime.now().toFormat('HH:mm:ss') }} {{ $json.phone }}", MINUTE],
		['={{ $json.id || Math.random() }}', 'Remember People By changes from one moment to the next'],
		['={{ $workflow.name }} {{ $json.phone }}', NAME],
		['={{ $prevNode.name }} {{ $json.phone }}', NAME],
		['={{ $execution.mode }} {{ $json.phone }}', NAME],
		["={{ $json.phone ? $('Loop').context.currentRunIndex || 1 : 2 }}", PLACE],
		['={{ $input.item.pairedItem.item }}', PLACE],
		[
			'={{ $execution.id }} {{ $json.phone }}',
			'Remember People By holds the ID of the execution, which is another one in each run',
		],
		[
			"={{ $execution['id'] }} {{ $json.phone }}",
			'Remember People By holds the ID of the execution, which is another one in each run',
		],
	])('G8 a key that no later run comes to again calls nobody: %s', async (callOnceKey, message) => {
		for (const mode of ['dryRun', 'live']) {
			const rows = contacts(2).map((row) => ({ ...row, id: '' }));
			const run = await bench.run({ ...once({ callOnceKey }), mode }, rows);
			expect(shown(run)).toMatchObject({
				message,
				description: expect.stringMatching(
					/^Nobody would be known again, .* Nobody was called\.$/,
				) as string,
			});
		}
		expect(bench.sandbox.requests).toEqual([]);
		// Nothing is remembered there, so nothing is lost.
		expect(
			statuses((await bench.run(bulk({ options: { callOnceKey } }), contacts(1))).json),
		).toEqual(['initiated']);
	});

	it.each([
		"={{ $now.toFormat('yyyy') }} {{ $json.phone }}",
		"={{ $now.setZone('Asia/Tokyo').toFormat(\"'month' MM yyyy\") }} {{ $json.phone }}",
		"={{ $json.phone }} {{ '2026-12-01T09:30:00Z'.toDateTime().toFormat('yyyy-MM-dd HH:mm') }} {{ $now.toFormat('kkkk-WW') }}",
	])(
		'G8 a year in a key lasts as long as it says, and so does the minute of an appointment: %s',
		async (callOnceKey) => {
			const byYear = once({ callOnceKey });
			for (const status of ['initiated', 'already_called'])
				expect(statuses((await bench.run(byYear, contacts(1))).json)).toEqual([status]);
		},
	);

	it('G8 executing twice dials each number once, without anything to switch on', async () => {
		const first = await bench.run(once(), contacts(12));
		expect(statuses(first.called.map(({ json }) => json))).toEqual(Array(12).fill('initiated'));
		const second = await bench.run(once(), contacts(14));
		expect(second.notCalled.map(({ json }) => json)).toEqual(
			Array.from({ length: 12 }, (_, n) => alreadyCalled(n)),
		);
		expect(pairs(second.notCalled)).toEqual(Array.from({ length: 12 }, (_, n) => n));
		expect(second.called.map(({ json }) => [json.status, json.destination])).toEqual([
			['initiated', phone(12)],
			['initiated', phone(13)],
		]);
		expect(pairs(second.called)).toEqual([12, 13]);
		expect(second.hints.map(({ message }) => message)).toEqual([
			'14 rows: 2 called, 12 not called (12 called before)',
		]);
		expect(bench.dialed).toEqual(contacts(14).map((row) => row.phone));
	});

	it('G8 rows that share the call of a row that was called before come out on Not Called with it', async () => {
		await bench.run(once(), contacts(1));
		const { called, notCalled, hints } = await bench.run(once(), [...contacts(2), ...contacts(2)]);
		expect(notCalled.map(({ json }) => json)).toEqual([
			alreadyCalled(0),
			{ ...alreadyCalled(0), status: 'duplicate', reason: 'Same number as row 1' },
		]);
		expect(pairs(notCalled)).toEqual([0, 2]);
		expect(called.map(({ json }) => [json.status, json.reason])).toEqual([
			['initiated', null],
			['duplicate', 'Same number as row 2'],
		]);
		expect(pairs(called)).toEqual([1, 3]);
		expect(hints.map(({ message }) => message)).toEqual([
			'4 rows: 1 person called (2 rows), 2 not called (1 called before, 1 duplicate)',
		]);
	});

	it('G8 with Call Again nothing is remembered: each run calls everybody, and the database is not asked', async () => {
		const again = bulk({ calledBefore: 'callAgain' });
		store.outOfOrder = 'database is locked';
		for (let run = 0; run < 2; run++)
			expect(statuses((await bench.run(again, contacts(3))).json)).toEqual(
				Array(3).fill('initiated'),
			);
		expect(bench.dialed).toHaveLength(6);
		store.outOfOrder = undefined;
		expect(statuses((await bench.run(once(), contacts(3))).json)).toEqual(
			Array(3).fill('initiated'),
		);
	});

	it('a dry run remembers nobody', async () => {
		const dry = await bench.run({ ...once(), mode: 'dryRun' }, contacts(3));
		expect(statuses(dry.notCalled.map(({ json }) => json))).toEqual(Array(3).fill('dry_run'));
		expect(store.size).toBe(0);
		expect(statuses((await bench.run(once(), contacts(3))).json)).toEqual(
			Array(3).fill('initiated'),
		);
	});

	it('G8 claims are made for a request or more at once, not per row', async () => {
		await bench.run(once(), contacts(100));
		expect(store.writes).toBeLessThanOrEqual(11);
	});

	it('G8 parallel executions with the same rows dial each number once', async () => {
		const runs = await Promise.all(
			[1, 2, 3].map(() => bench.run(once({ parallelRequests: 5 }), contacts(60))),
		);
		expect(bench.dialed).toHaveLength(60);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		for (let row = 0; row < 60; row++) {
			expect(runs.map(({ json }) => json[row]?.status).sort()).toEqual([
				'already_called',
				'already_called',
				'initiated',
			]);
		}
	});

	it('G8 a row that certainly was not placed may be called by the next run', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', times: 1 });
		bench.sandbox.destinationOutcome.set(phone(3), { status: 'locked', error: 'Locked', times: 1 });
		await bench.run(once(), contacts(5));
		expect(store.size).toBe(0);
		expect(statuses((await bench.run(once(), contacts(5))).json)).toEqual([
			'initiated',
			'initiated',
			'initiated',
			'locked',
			'initiated',
		]);
		expect(statuses((await bench.run(once(), contacts(5))).json)).toEqual([
			'already_called',
			'already_called',
			'already_called',
			'initiated',
			'already_called',
		]);
	});

	it('G8 a row without a clear answer stays claimed', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		const unclear = await bench.run(once(), contacts(3), { onError: 'continueRegularOutput' });
		expect(statuses(unclear.called.map(({ json }) => json))).toEqual(Array(3).fill('unknown'));
		expect(statuses((await bench.run(once(), contacts(3))).json)).toEqual(
			Array(3).fill('already_called'),
		);
		expect(bench.dialed).toHaveLength(3);
	});

	it('G8 rows that an execution claimed before it was stopped are not called by a later one', async () => {
		bench.sandbox.settings.latencyMs = 200;
		const watch: { stop?: () => void } = {};
		const first = bench.run(once(), contacts(30), { onStarted: (stop) => (watch.stop = stop) });
		while (bench.sandbox.requests.length < 2)
			await new Promise((resolve) => setTimeout(resolve, 5));
		watch.stop!();
		await first;
		bench.sandbox.settings.latencyMs = 0;
		const next = await bench.run(once(), contacts(30));
		expect(statuses(next.json)).toEqual([
			...Array<string>(20).fill('already_called'),
			...Array<string>(10).fill('initiated'),
		]);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		expect(bench.dialed).toHaveLength(30);
	});

	it('G10 stopped while rows are being remembered: they are not sent, and the next run calls them', async () => {
		const watch: { stop?: () => void } = {};
		const stopped = bench.run(once(), contacts(5), { onStarted: (stop) => (watch.stop = stop) });
		store.written = () => watch.stop!();
		await stopped;
		store.written = undefined;
		expect(bench.sandbox.requests).toHaveLength(0);
		expect(store.size).toBe(0);
		expect(statuses((await bench.run(once(), contacts(5))).json)).toEqual(
			Array(5).fill('initiated'),
		);
	});

	it('G8 Place Call calls each number once as well', async () => {
		const parameters = byDefault(place());
		await bench.run(parameters, contacts(3));
		const second = await bench.run(parameters, contacts(3));
		expect(second.called).toEqual([]);
		expect(second.notCalled.map(({ json }) => json)).toEqual(
			[0, 1, 2].map((n) => ({
				status: 'already_called',
				called: 'no',
				reason:
					'An earlier run of this workflow called this number, or may have. If this node has a purpose of its own, see its option Share Memory With.',
				destination: phone(n),
				success: false,
				call_id: null,
			})),
		);
		expect(bench.dialed).toHaveLength(3);
	});

	it('G8 Retry after a stop returns what was placed and calls the rest, although the first run claimed rows too', async () => {
		bench.sandbox.settings.dailyLimit = 10;
		const stopped = await bench.run(once(), contacts(15));
		expect(shown(stopped).message).toMatch(
			/^15 rows: 10 called, 5 not called \(5 refused\)\. Rows 11 to 15 were not called: the daily call limit/,
		);
		expect(shown(stopped).description).toMatch(/press Retry/);
		expect(shown(stopped).description).not.toMatch(/call everybody again/);
		delete bench.sandbox.settings.dailyLimit;
		const retried = await bench.run(once(), contacts(15), { retryOf: stopped });
		expect(statuses(retried.called.map(({ json }) => json))).toEqual(Array(15).fill('initiated'));
		expect(bench.dialed).toEqual(contacts(15).map((row) => row.phone));
	});

	it('G8 a loop’s second round calls nobody whom its first round called', async () => {
		const run = await bench.run(once(), contacts(3), { rounds: 2 });
		expect(run.rounds.map((rows) => statuses(rows))).toEqual([
			Array(3).fill('initiated'),
			Array(3).fill('already_called'),
		]);
		expect(bench.dialed).toHaveLength(3);
	});
});

describe('G8 a key of one’s own', () => {
	it('G8 decides: a new campaign may call the same numbers, and the reason names the key', async () => {
		await bench.run(once({ callOnceKey: '=spring-{{ $json.phone }}' }), contacts(3));
		const summer = await bench.run(once({ callOnceKey: '=summer-{{ $json.phone }}' }), contacts(3));
		expect(statuses(summer.json)).toEqual(Array(3).fill('initiated'));
		const again = await bench.run(once({ callOnceKey: '=summer-{{ $json.phone }}' }), contacts(1));
		expect(again.json).toEqual([
			{
				...alreadyCalled(0),
				reason: `An earlier run of this workflow called this person, or may have ("summer${phone(0)}" in Remember People By). If this node has a purpose of its own, see its option Share Memory With.`,
			},
		]);
	});

	describe('with the date of a database, which n8n stores as another text,', () => {
		const keyed = once({ callOnceKey: '={{ $json.phone }} {{ $json.date }}' });
		const today = (stored = false) => {
			const rows = [0, 1].map((n) => ({
				phone: phone(n),
				date: new Date(Date.UTC(2026, 11, 1, 9, 30, n, 250)) as unknown as string,
			}));
			return stored ? (JSON.parse(JSON.stringify(rows)) as typeof rows) : rows;
		};

		it('G8 is the same in a Retry and in the next run', async () => {
			bench.sandbox.fault({ kind: 'dailyLimit', times: 1 });
			const stopped = await bench.run(keyed, today());
			expect(statuses((await bench.run(keyed, [], { retryOf: stopped })).json)).toEqual([
				'initiated',
				'initiated',
			]);
			expect(statuses((await bench.run(keyed, today())).json)).toEqual([
				'already_called',
				'already_called',
			]);
			expect(bench.dialed).toEqual([phone(0), phone(1)]);
		});

		it('G8 is the same when a later run has it as stored text, as with pinned rows, and is quoted so', async () => {
			await bench.run(keyed, today());
			const { json } = await bench.run(keyed, today(true));
			expect(statuses(json)).toEqual(['already_called', 'already_called']);
			expect(json[0]!.reason).toContain(`("${phone(0)} 2026-12-01T09:30:00.000Z" in`);
		});

		it.each([
			'={{ $json.phone }}_{{ $json.date }}',
			'={{ $json.phone }}{{ $json.date }}',
			'={{ $json.email }}-{{ $json.date }}',
			'={{ $json.email }}|{{ $json.date }}',
		])('G8 is the same whatever stands before it: %s', async (callOnceKey) => {
			const rows = (stored?: boolean) =>
				today(stored).map((row, n) => ({ ...row, email: `Ada${n}@x.com` }));
			await bench.run(once({ callOnceKey }), rows());
			expect(statuses((await bench.run(once({ callOnceKey }), rows(true))).json)).toEqual([
				'already_called',
				'already_called',
			]);
			expect(statuses((await bench.run(once({ callOnceKey }), rows())).json)).toEqual([
				'already_called',
				'already_called',
			]);
		});

		it('G8 and two people whose only key is a time of one second stay two', async () => {
			const rows = [0, 1].map((n) => ({ phone: phone(n), date: `2026-12-01T09:30:00.00${n}Z` }));
			expect(
				statuses((await bench.run(once({ callOnceKey: '={{ $json.date }}' }), rows)).json),
			).toEqual(['initiated', 'initiated']);
		});
	});

	it('G8 that holds an e-mail address is the same in capitals, and an ID beside it is not', async () => {
		const keyed = once({ callOnceKey: '={{ $json.mail }} {{ $json.id }}' });
		const row = (n: number, mail: string, id: string) => ({ phone: phone(n), mail, id });
		await bench.run(keyed, [row(0, 'Ada.Lovelace@Example.com', 'recA')]);
		const { json } = await bench.run(keyed, [
			row(1, 'ada.lovelace@example.com', 'recA'),
			row(2, 'ada.lovelace@example.com', 'reca'),
		]);
		expect(statuses(json)).toEqual(['already_called', 'initiated']);
	});

	it('G8 is quoted whole, so that it can be copied into Forget People', async () => {
		const rows = [
			{
				phone: phone(0),
				visit: 'recA1B2C3D4E5F6G7 second visit 550e8400-e29b-41d4-a716-446655440000',
			},
		];
		const keyed = once({ callOnceKey: '={{ $json.phone }} {{ $json.visit }}' });
		await bench.run(keyed, rows);
		expect((await bench.run(keyed, rows)).json[0]!.reason).toContain(
			`("${phone(0)} ${rows[0]!.visit}" in`,
		);
	});

	it('G8 an empty key means the number', async () => {
		await bench.run(once(), contacts(1));
		const rows = contacts(2).map((row) => ({ ...row, invoice: '' }));
		expect(
			statuses((await bench.run(once({ callOnceKey: '={{ $json.invoice }}' }), rows)).json),
		).toEqual(['already_called', 'initiated']);
	});

	it.each([
		'=INV-{{ $json.invoice }}',
		"={{ 'INV-' + ($json.invoice ?? '') }}",
		"={{ ['INV', $json.invoice].join('-') }}",
		"={{ $json.invoice || 'none' }}",
	])(
		'G8 so does text beside a cell that is empty: others of whom it would say the same are called, in later runs, too: %s',
		async (callOnceKey) => {
			const row = (n: number, invoice: string | null) => ({ ...contacts(n + 1)[n]!, invoice });
			expect(
				statuses(
					(await bench.run(once({ callOnceKey }), [row(0, ''), row(1, null), row(2, '7')])).json,
				),
			).toEqual(Array(3).fill('initiated'));
			const next = await bench.run(once({ callOnceKey }), [
				row(0, ''),
				row(3, null),
				row(2, '7'),
				row(2, '8'),
			]);
			expect(statuses(next.json)).toEqual([
				'already_called',
				'initiated',
				'already_called',
				'initiated',
			]);
		},
	);

	it.each([
		'=lead-{{ $json.invoice }}',
		"={{ 'lead-' + $json.invoice }}",
		'={{ String($json.invoice) }}',
	])(
		'G8 text around a number that has lost its last digits is no key: nobody is told another one’s call: %s',
		async (callOnceKey) => {
			const rows = contacts(3).map((row, n) => ({
				...row,
				invoice: n < 2 ? 12021000000000003 + n : '12021000000000003',
			}));
			const { json } = await bench.run(once({ callOnceKey }), rows);
			expect(statuses(json)).toEqual(['invalid', 'invalid', 'initiated']);
			expect(json[0]!.reason).toMatch(
				/^The option Remember People By holds "12021000000000004", a number so long that its last digits may be lost/,
			);
		},
	);

	it('G8 a row whose key is empty is not called when its number was called by a key', async () => {
		const byInvoice = (more: INodeParameters = {}): INodeParameters => ({
			...once({ callOnceKey: '={{ $json.invoice }}' }),
			...more,
		});
		const row = (n: number, invoice: string) => ({ ...contacts(n + 1)[n]!, invoice });
		await bench.run(byInvoice(), [row(0, '7')]);
		const now = [row(0, ''), row(1, ''), row(2, '9')];
		const foretold = await bench.run(byInvoice({ mode: 'dryRun' }), now);
		expect(statuses(foretold.json)).toEqual(['already_called', 'dry_run', 'dry_run']);
		expect(statuses((await bench.run(byInvoice(), now)).json)).toEqual([
			'already_called',
			'initiated',
			'initiated',
		]);
		// Another invoice is another call.
		expect(statuses((await bench.run(byInvoice(), [row(0, '8'), row(1, '')])).json)).toEqual([
			'initiated',
			'already_called',
		]);
	});

	it('G8 with Call Each Row a row whose key is empty is called beside one with a key', async () => {
		const each = once({ callOnceKey: '={{ $json.invoice }}', duplicates: 'callEach' });
		const rows = ['7', ''].map((invoice) => ({ ...contacts(1)[0]!, invoice }));
		expect(statuses((await bench.run(each, rows)).json)).toEqual(['initiated', 'initiated']);
		expect(statuses((await bench.run(each, rows)).json)).toEqual([
			'already_called',
			'already_called',
		]);
	});

	it('G8 with Call Each Row a next try does not call a row whose key is empty after its number was called by a key: the memory does not say by which run', async () => {
		const each = once({ callOnceKey: '={{ $json.invoice }}', duplicates: 'callEach' });
		const rows = ['7', ''].map((invoice) => ({ ...contacts(1)[0]!, invoice }));
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const { json } = await bench.run(each, rows, { retry: { tries: 2, waitMs: 1 } });
		expect(bench.sandbox.requests).toHaveLength(2);
		expect(statuses(json)).toEqual(['initiated', 'already_called']);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G8 two rows with one key in one run: the second is not called', async () => {
		const run = await bench.run(
			once({ callOnceKey: '={{ $json.name.slice(0, 6) }}' }),
			contacts(2),
		);
		expect(statuses(run.called.map(({ json }) => json))).toEqual(['initiated']);
		expect(run.notCalled.map(({ json }) => json)).toEqual([
			{
				...alreadyCalled(1),
				reason:
					'Same person as row 1 (option Remember People By), with another number, so nobody is called for this row. If they are two people, give this row another value there',
			},
		]);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('G8 with the phone column knows a number again that the sheet spells otherwise', async () => {
		const campaign = {
			...once({ callOnceKey: '=spring-{{ $json.phone }}' }),
			defaultCountry: 'DE',
		};
		await bench.run(campaign, [{ ...contacts(1)[0], phone: '0171 2345678' }]);
		const again = await bench.run(campaign, [{ ...contacts(1)[0], phone: '+49 171 / 234 56 78' }]);
		expect(statuses(again.json)).toEqual(['already_called']);
		expect(bench.dialed).toEqual(['+491712345678']);
	});

	it('G8 a key is the same with characters that nobody sees in it, and Forget People knows it, too', async () => {
		const byId = once({ callOnceKey: '={{ $json.id }}' });
		const row = (id: string, n: number) => ({ ...contacts(1)[0]!, phone: phone(n), id });
		await bench.run(byId, [row('customer-5', 0)]);
		// Direction marks and a break that nobody sees, as they are copied from phone books and web pages.
		const copied = '\u202acustomer\u200b-5\u202c\ufeff';
		expect(statuses((await bench.run(byId, [row(copied, 1)])).json)).toEqual(['already_called']);
		// Nothing that anybody sees: the number is the key.
		expect(statuses((await bench.run(byId, [row('\u200b', 2), row(' \u200e', 3)])).json)).toEqual([
			'initiated',
			'initiated',
		]);
		await bench.run(
			{ resource: 'memory', operation: 'forget', forgetWhat: 'people', people: copied },
			[{}],
		);
		expect(statuses((await bench.run(byId, [row('customer-5', 1)])).json)).toEqual(['initiated']);
	});

	it('the totals say when rows with different numbers share a key', async () => {
		const { hints } = await bench.run(
			once({ callOnceKey: '=spring-{{ $json.mobile }}' }),
			[...contacts(4), { ...contacts(1)[0] }].map((row) => ({ ...row, mobile: '1' })),
		);
		expect(hints.map(({ message }) => message)).toEqual([
			'5 rows: 1 person called (2 rows), 3 not called (3 called before). 3 rows have the same value in Remember People By as an earlier row with another number, so they were not called. Look at the column in that option.',
		]);
	});

	it('has no effect with Call Again', async () => {
		const again = bulk({ options: { callOnceKey: 'everybody' } });
		expect(statuses((await bench.run(again, contacts(3))).json)).toEqual(
			Array(3).fill('initiated'),
		);
		expect(store.writes).toBe(0);
	});
});

describe('G8 Duplicates = Call Each Row', () => {
	/** One number in three rows, and another one. */
	const orders = [0, 0, 1, 0].map((n, order) => ({ phone: phone(n), order: `${order}` }));
	const each = (more: INodeParameters['options'] = {}): INodeParameters => ({
		...once({ duplicates: 'callEach', ...(more as INodeParameters) }),
		promptVariables: assignments({ order: '={{ $json.order }}' }),
	});
	const ordersCalled = () => bench.sandbox.journal.map(({ variables }) => variables.order).sort();

	it.each([1, 5])(
		'G8 each row is called in one run, and nobody in the next one (%d at a time)',
		async (parallelRequests) => {
			const first = await bench.run(each({ parallelRequests }), orders);
			expect(statuses(first.called.map(({ json }) => json))).toEqual(Array(4).fill('initiated'));
			expect(ordersCalled()).toEqual(['0', '1', '2', '3']);
			const second = await bench.run(each({ parallelRequests }), orders);
			expect(second.called).toEqual([]);
			expect(statuses(second.notCalled.map(({ json }) => json))).toEqual(
				Array(4).fill('already_called'),
			);
			expect(bench.dialed).toHaveLength(4);
			expect(bench.sandbox.requests).toHaveLength(3);
		},
	);

	it.each([0, 1, 2])(
		'G8 a Retry of a run that broke off after %d requests calls only the rows that are left',
		async (after) => {
			bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after });
			const stopped = await bench.run(each(), orders);
			expect(stopped.error).toBeDefined();
			const before = bench.dialed.length;
			bench.sandbox.clearFaults();
			const retried = await bench.run(each(), orders, { retryOf: stopped });
			expect(statuses(retried.called.map(({ json }) => json))).toEqual(Array(4).fill('initiated'));
			expect(ordersCalled()).toEqual(['0', '1', '2', '3']);
			expect(before).toBeLessThan(4);
			expect(statuses((await bench.run(each(), orders)).json)).toEqual(
				Array(4).fill('already_called'),
			);
		},
	);

	it('G8 a Retry also calls the row whose number a later row has called already', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1 });
		const stopped = await bench.run(
			each(),
			[1, 0, 2, 3].map((n) => orders[n]!),
		);
		expect(stopped.error).toBeDefined();
		expect(bench.dialed.length).toBeGreaterThan(0);
		bench.sandbox.clearFaults();
		// The sheet was sorted meanwhile.
		const retried = await bench.run(each(), orders, { retryOf: stopped });
		expect(statuses(retried.called.map(({ json }) => json))).toEqual(Array(4).fill('initiated'));
		expect(ordersCalled()).toEqual(['0', '1', '2', '3']);
	});

	it('G8 rows that a Retry could not call do not make the memory forget the number that was called', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1 });
		const stopped = await bench.run(each(), orders);
		const retried = await bench.run(each(), orders, { retryOf: stopped });
		expect(retried.error).toBeDefined();
		bench.sandbox.clearFaults();
		const called = bench.dialed;
		const next = await bench.run(each(), orders);
		expect(statuses(next.json)).toEqual(
			orders.map((row) => (called.includes(row.phone) ? 'already_called' : 'initiated')),
		);
	});

	it('G8 a row that was called after all, by Retry Undialed Rows, is remembered', async () => {
		bench.sandbox.destinationOutcome.set(phone(1), {
			status: 'rate_limited',
			error: 'Busy',
			times: 1,
		});
		const parameters = each({ retryUndialed: true, maxRetryWait: 8 });
		expect(statuses((await bench.run(parameters, orders)).json)).toEqual(
			Array(4).fill('initiated'),
		);
		expect(statuses((await bench.run(parameters, orders)).json)).toEqual(
			Array(4).fill('already_called'),
		);
	});

	it('G8 with a key for each row the key decides, also for the rows that a Retry calls', async () => {
		const parameters = each({ callOnceKey: '={{ "order-" + $json.order }}' });
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1 });
		const stopped = await bench.run(parameters, orders);
		bench.sandbox.clearFaults();
		const retried = await bench.run(parameters, orders, { retryOf: stopped });
		expect(statuses(retried.json)).toEqual(Array(4).fill('initiated'));
		expect(statuses((await bench.run(parameters, orders)).json)).toEqual(
			Array(4).fill('already_called'),
		);
		const more = await bench.run(parameters, [...orders, { phone: phone(0), order: '4' }]);
		expect(statuses(more.json)).toEqual([...Array<string>(4).fill('already_called'), 'initiated']);
		expect(ordersCalled()).toEqual(['0', '1', '2', '3', '4']);
	});
});

describe('when n8n’s database cannot be used, as in a workflow that was never saved', () => {
	const why = 'n8n’s memory of the people called could not be used (database is locked)';
	const ways =
		'If this workflow is new, save it and execute again. If it stays so in a saved workflow, ask whoever runs this n8n to look at its database.';

	beforeEach(() => {
		store.outOfOrder = 'database is locked';
	});

	it.each([
		['Bulk Call', once],
		['Place Call', () => byDefault(place({ options: oneLane }))],
	])(
		'G8 %s calls nobody, and the message says what to do, but not to remember nobody',
		async (_, parameters) => {
			const run = await bench.run(parameters(), contacts(3));
			expect(shown(run).message).toMatch(
				/^3 rows: 0 called, 3 not called \(.*\)\. Rows? .* not called: n8n’s memory of the people called could not be used \(database is locked\)(\. Rows 2 and 3 were not sent)?$/,
			);
			expect(shown(run).description).toBe(`${ways} Nobody was called, so executing again is safe.`);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'G5 with %s every row comes out as refused and says what to do',
		async (onError) => {
			const run = await bench.run(once(), contacts(13), { onError });
			expect(run.error).toBeUndefined();
			expect(run.called).toEqual([]);
			expect(run.errorItems).toEqual([]);
			expect(run.notCalled.map(({ json }) => json)).toEqual(
				contacts(13).map((_, n) => ({
					...alreadyCalled(n),
					status: 'refused',
					called: 'no',
					reason: `${why}. ${ways}`,
				})),
			);
			expect(pairs(run.notCalled)).toEqual(contacts(13).map((_, n) => n));
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	describe('in the middle of a run', () => {
		const rows = contacts(300);

		const breaksOff = async (how: () => void): Promise<Finished> => {
			store.outOfOrder = undefined;
			store.written = () => {
				if (store.writes === 3) how();
			};
			const stopped = await bench.run(once(), rows);
			const called = bench.dialed.length;
			expect(called).toBeGreaterThan(0);
			expect(called).toBeLessThan(300);
			const { message } = shown(stopped);
			expect(message).toContain(
				`300 rows: ${called.toLocaleString('en-US')} called, ${(300 - called).toLocaleString('en-US')} not called (`,
			);
			expect(message).toContain(`were not called: ${why}`);
			store.outOfOrder = undefined;
			store.written = undefined;
			return stopped;
		};

		it('G8 for a moment: nobody else is called, and Retry goes on with the rest', async () => {
			const stopped = await breaksOff(() => (store.hiccups = 1));
			const retried = await bench.run(once(), rows, { retryOf: stopped });
			expect(statuses(retried.called.map(({ json }) => json))).toEqual(
				Array(300).fill('initiated'),
			);
			expect(bench.dialed).toEqual(rows.map((row) => row.phone));
		});

		it.each(['Retry', 'a new run'])(
			'G8 a write that is made and said to be lost leaves nobody out: %s goes on with all of the rest',
			async (how) => {
				const stopped = await breaksOff(() => {
					throw new Error('database is locked');
				});
				await bench.run(once(), rows, how === 'Retry' ? { retryOf: stopped } : {});
				expect(bench.dialed).toEqual(rows.map((row) => row.phone));
			},
		);

		it('G8 until the run has ended: Retry calls the rest, and nobody twice', async () => {
			const stopped = await breaksOff(() => (store.outOfOrder = 'database is locked'));
			await bench.run(once(), rows, { retryOf: stopped });
			expect(bench.dialed).toEqual(rows.map((row) => row.phone));
		});
	});
});
