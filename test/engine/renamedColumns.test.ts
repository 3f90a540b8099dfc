import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, shown } from './helpers/workflows';

const bench = workbench();
storeForEach();

const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);
const skip = (options: INodeParameters): INodeParameters => bulk({ calledBefore: 'skip', options });

describe('G11 a column that protects people was renamed in the sheet', () => {
	const rows = contacts(2).map((row) => ({ ...row, status: 'stop', newsletter: 'yes' }));

	it.each([
		'={{ $json.stauts === "stop" || $json.stauts === "STOP" }}',
		'={{ $json.stauts === "stop" || $json.newsletter === "no" }}',
		'={{ $json.newsletter === "no" || $json.stauts === "stop" }}',
		'={{ $json.newsletter === "no" && $json.stauts === "stop" }}',
		'={{ ["stop", "STOP"].includes($json.stauts) || $json.newsletter === "no" }}',
		'={{ ($json.newsletter || "yes") === "no" || $json["stauts"] === "stop" }}',
		'={{ $json.stauts?.trim() === "stop" || false }}',
	])('Opted Out that compares it calls nobody, also beside another: %s', async (optedOut) => {
		const run = await bench.run(bulk({ options: { optedOut } }), rows);
		expect(shown(run).message).toBe('No row has the column "stauts", which Opted Out names');
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		[
			"={{ $('List').item.json.stauts === 'stop' }}",
			'No item of the step "List" has the column "stauts", which Opted Out names',
		],
		[
			"={{ $('List').first().json.body.stauts ? 'yes' : 'no' }}",
			'No item of the step "List" has the column "body.stauts", which Opted Out names',
		],
	])('so does one of an earlier step: %s', async (optedOut, message) => {
		const run = await bench.run(bulk({ options: { optedOut } }), contacts(1), {
			listBefore: [{ status: 'stop', body: { status: 'stop' } }],
		});
		expect(shown(run).message).toBe(message);
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		'={{ $json.opted_out || $json.newsletter }}',
		'={{ $json.opted_out ?? $json.status }}',
		'={{ ($json.opted_out || "no") === "yes" || $json.status === "stop" }}',
		'={{ $json.opted_out?.trim() ?? $json.status }}',
	])('of columns of which one serves for another, one is enough: %s', async (optedOut) => {
		expect(statuses((await bench.run(bulk({ options: { optedOut } }), rows)).json)).toEqual([
			'do_not_call',
			'do_not_call',
		]);
	});
});

describe('G11 a field of what a cell holds was renamed', () => {
	const rows = [0, 1].map((n) => ({
		phone: phone(n),
		tags: [{ opted: 'yes' }],
		owner: [{ opted: 'yes' }],
		stated: n === 0 ? 'yes' : true,
	}));

	it.each([
		['={{ $json.tags[0].optd }}', 'tags[0].optd'],
		['={{ $json.tags[0]?.optd }}', 'tags[0].optd'],
		['={{ $json.tags.first().optd }}', 'tags[0].optd'],
		["={{ $json.tags[0].optd === 'yes' }}", 'tags[0].optd'],
		['={{ $json.stated.value }}', 'stated.value'],
		['={{ $json.owner.opted }}', 'owner.opted'],
	])('Opted Out as it is dragged in (%s) calls nobody', async (optedOut, column) => {
		const run = await bench.run(bulk({ options: { optedOut } }), rows);
		expect(shown(run).message).toBe(`No row has the column "${column}", which Opted Out names`);
		expect(bench.dialed).toEqual([]);
	});

	it.each(['={{ $json.owner?.opted }}', "={{ $json.owner?.opted === 'yes' }}"])(
		'and where one cell holds text, a number or a list in place of fields, that row is not called: %s',
		async (optedOut) => {
			const owners = ['STOP', true, [{ opted: 'yes' }], { opted: 'no' }, null, false, {}, []];
			const run = await bench.run(
				bulk({ options: { optedOut } }),
				owners.map((owner, n) => ({ phone: phone(n), owner })),
			);
			expect(statuses(run.json)).toEqual([
				'invalid',
				'invalid',
				'invalid',
				...Array<string>(5).fill('initiated'),
			]);
			expect(run.json[0]!.reason).toContain(
				'(the cell holds something else than fields: "owner.opted")',
			);
		},
	);

	it('and what is asked of another cell allows for nothing in this one', async () => {
		const rows = [{ opted: 'no' }, 'STOP'].map((owner, n) => ({
			phone: phone(n),
			vip: true,
			owner,
		}));
		const run = await bench.run(
			bulk({
				options: { optedOut: "={{ $json.vip !== undefined && $json.owner.opted === 'yes' }}" },
			}),
			rows,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid']);
	});

	it.each<[string, IDataObject['x'], IDataObject['x']]>([
		['={{ $json.c[0]?.o }}', [{ o: 'no' }], { o: 'yes' }],
		["={{ $json.c?.[0]?.o === 'yes' }}", [{ o: 'no' }], 'yes'],
		['={{ $json.c[0]?.o }}', [{ o: 'no' }], true],
		["={{ $json.c[0] === 'STOP' }}", ['a'], 'STOP'],
		["={{ $json.c.at(-1) === 'STOP' }}", ['a'], 'STOP'],
	])(
		'and where one cell holds something else than a list, of which an entry is taken: %s',
		async (optedOut, c, other) => {
			const rows = [c, other, []].map((each, n) => ({ phone: phone(n), c: each }));
			const run = await bench.run(bulk({ options: { optedOut } }), rows);
			expect(statuses(run.json).map((status) => status === 'initiated')).toEqual([
				true,
				false,
				true,
			]);
		},
	);

	it('the first letter of a text is no entry: called', async () => {
		const rows = [0, 1].map((n) => ({ phone: phone(n), status: n === 0 ? 'Active' : 'X' }));
		const run = await bench.run(
			bulk({ options: { optedOut: "={{ $json.status[0] === 'X' }}" } }),
			rows,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
	});

	it.each([
		'={{ $json.owner.opted ?? $json.owner }}',
		"={{ typeof $json.owner === 'object' ? $json.owner.opted : $json.owner }}",
		'={{ $json.owner.opted !== undefined ? $json.owner.opted : $json.owner }}',
	])('one that allows for both calls whoever has not opted out: %s', async (optedOut) => {
		const run = await bench.run(
			bulk({ options: { optedOut } }),
			['no', { opted: 'no' }, 'STOP'].map((owner, n) => ({ phone: phone(n), owner })),
		);
		expect(statuses(run.json)).toEqual(['initiated', 'initiated', 'do_not_call']);
	});

	it('a second entry that no row has: nobody is called where it is asked for itself, and everybody where it is compared', async () => {
		const run = await bench.run(
			bulk({ options: { optedOut: '={{ $json.tags[1]?.opted }}' } }),
			rows,
		);
		expect(shown(run).message).toBe('Opted Out is empty in every row');
		const compared = await bench.run(
			bulk({ options: { optedOut: "={{ $json.tags[1]?.opted === 'yes' }}" } }),
			rows,
		);
		expect(statuses(compared.json)).toEqual(['initiated', 'initiated']);
	});

	it('Remember People By: nobody is called again', async () => {
		const callOnceKey = '={{ $json.contacts[0].id }} {{ $json.phone }}';
		await bench.run(skip({ callOnceKey }), [{ phone: phone(0), contacts: [{ id: 7 }] }]);
		const run = await bench.run(
			skip({ callOnceKey }),
			[{ phone: phone(0), contacts: [{ nr: 7 }] }],
			{ executionId: 'next' },
		);
		expect(shown(run).message).toBe(
			'No row has the column "contacts[0].id", which Remember People By names',
		);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	itWithFunctions('of the numbers in a list: nobody is called', async () => {
		const doNotCall =
			"={{ $('List').all().flatMap((item) => item.json.phones.map((each) => each.number)).filter(Boolean) }}";
		const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
			listBefore: [{ phones: [phone(0)] }],
		});
		expect(shown(run).message).toBe(
			'No item of the step "List" has the column "phones.number", which Do Not Call names',
		);
		expect(bench.dialed).toEqual([]);
	});

	const withoutEntries = async (optedOut: string): Promise<void> => {
		const run = await bench.run(
			bulk({ options: { optedOut } }),
			contacts(2).map((row) => ({ ...row, tags: [] })),
		);
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	};
	it.each(['={{ $json.tags[0]?.opted }}', "={{ $json.tags.opted === 'yes' }}"])(
		'a cell without entries in every row says nothing: called, %s',
		withoutEntries,
	);
	itWithFunctions('nor do entries that a function takes: called', async () => {
		await withoutEntries("={{ $json.tags.some((tag) => (tag || '').toLowerCase() === 'stop') }}");
	});
});

describe('G11 of columns of which one serves for another, one is there', () => {
	const optedOut = '={{ $json.opted_out || $json.dnc }}';

	it.each(['', null, ' '])('and is %j in the only row: it is called', async (opted_out) => {
		expect(
			statuses(
				(await bench.run(bulk({ options: { optedOut } }), [{ phone: phone(0), opted_out }])).json,
			),
		).toEqual(['initiated']);
	});

	it.each<[string, IDataObject]>([
		['={{ $json.body.opted_out || $json.dnc }}', { dnc: 'yes' }],
		['={{ ($json.opted_out || $json.dnc).trim() }}', { opted_out: 1 }],
	])('and cannot be read where somebody opted out: nobody is called, %s', async (optedOut, row) => {
		const run = await bench.run(bulk({ options: { optedOut } }), [{ phone: phone(0), ...row }]);
		expect(shown(run).message).toContain(
			'could not be resolved (a cell that it takes is empty, or a number where it expects text: ',
		);
		expect(bench.dialed).toEqual([]);
	});
});

describe('G8 a column of a key was renamed in the sheet', () => {
	const callOnceKey = '={{ $json.phone }} {{ $json.date }}';

	it.each([
		callOnceKey,
		'={{ $json.phone + " " + $json.date }}',
		'={{ `${$json.phone} ${$json.date}` }}',
	])('G8 nobody is called again: %s', async (callOnceKey) => {
		const before = contacts(3).map((row) => ({ ...row, date: '2026-12-01' }));
		expect(statuses((await bench.run(skip({ callOnceKey }), before)).json)).toEqual(
			Array(3).fill('initiated'),
		);
		const run = await bench.run(
			skip({ callOnceKey }),
			contacts(3).map((row) => ({ ...row, Datum: '2026-12-01' })),
		);
		expect(shown(run).message).toBe('No row has the column "date", which Remember People By names');
		expect(bench.dialed).toEqual([phone(0), phone(1), phone(2)]);
	});

	it('one row that has it is enough, and so is a word for rows without it', async () => {
		const [first, ...others] = contacts(3);
		const run = await bench.run(skip({ callOnceKey }), [
			{ ...first!, date: '2026-12-01' },
			...others,
		]);
		expect(statuses(run.json)).toEqual(Array(3).fill('initiated'));
		const other = await bench.run(
			skip({ callOnceKey: '=spring {{ $json.phone }} {{ $json.date || "" }}' }),
			contacts(3),
		);
		expect(statuses(other.json)).toEqual(Array(3).fill('initiated'));
	});

	it('G8 a column of an earlier step: nobody is called again', async () => {
		const run = await bench.run(
			skip({ callOnceKey: "={{ $json.phone }} {{ $('List').first().json.campain }}" }),
			contacts(2),
			{
				listBefore: [{ campaign: 'spring' }],
			},
		);
		expect(shown(run).message).toBe(
			'No item of the step "List" has the column "campain", which Remember People By names',
		);
		expect(bench.dialed).toEqual([]);
	});
});

describe('G8 a sheet is tidied up between two runs', () => {
	it.each([
		['={{ $json.date }} {{ $json.phone }}', '2026-12-01 ', '2026-12-01'],
		['={{ $json.phone }} {{ $json.date }}', ' 2026-12-01', '2026-12-01'],
		['={{ $json.phone }} {{ $json.date }}', '1 Dec\t2026', '1  Dec 2026'],
		['={{ $json.date }} {{ $json.phone }}', '2026-12-01\n', '2026-12-01'],
		['={{ $json.date }}-{{ $json.phone }}', 'C1 ', 'C1'],
		['=spring|{{ $json.date }}|{{ $json.phone }}', ' C1 ', 'C1'],
	])('G8 blanks that nobody sees make no other key: %s, %j', async (callOnceKey, before, after) => {
		await bench.run(
			skip({ callOnceKey }),
			contacts(2).map((row) => ({ ...row, date: before })),
		);
		const again = await bench.run(
			skip({ callOnceKey }),
			contacts(2).map((row) => ({ ...row, date: after })),
		);
		expect(statuses(again.json)).toEqual(['already_called', 'already_called']);
		expect(bench.dialed).toEqual([phone(0), phone(1)]);
	});
});

describe('G8 a key that says something else in each run', () => {
	it.each([
		["={{ $now.toFormat('yyyy-mm') }} {{ $json.phone }}", 'the minute'],
		[
			'={{ $json.phone }} {{ DateTime.now().setZone("Europe/Berlin").toFormat("yyyy-MM-dd HH:mm") }}',
			'the minute',
		],
		['={{ $now.minus({ days: 1 }).format("yyyy-mm-dd") }} {{ $json.phone }}', 'the minute'],
		['={{ $now.toISO().slice(0, 16) }} {{ $json.phone }}', 'the minute'],
		['={{ $now.setZone("Asia/Tokyo").toUnixInteger() }} {{ $json.phone }}', 'the minute'],
		['={{ new Date().toLocaleString() }} {{ $json.phone }}', 'the minute'],
		["={{ [$now.toUTC() . toFormat(`HH:mm`), $json.phone].join(' ') }}", 'the minute'],
		['={{ (() => { const hour = $now.toISOTime(); return hour + $json.phone })() }}', 'the minute'],
		['={{ new Date().getMinutes() }} {{ $json.phone }}', 'the minute'],
		["={{ new Date().toISOString().split('.')[0] }} {{ $json.phone }}", 'the minute'],
		['={{ $now.toISO().substring(11, 16) }} {{ $json.phone }}', 'the minute'],
		["={{ $now.startOf('minute').toISO() }} {{ $json.phone }}", 'the minute'],
		['={{ Math.floor(Date.now() / 60000) }} {{ $json.phone }}', 'the minute'],
		['={{ $itemIndex }}', 'the place of the row in its list'],
		['={{ $json.row_number }} {{ $json.phone }}', 'the place of the row in its list'],
	])('G8 calls nobody: %s', async (callOnceKey, what) => {
		for (const mode of ['dryRun', 'live']) {
			const run = await bench.run(
				{ ...skip({ callOnceKey }), mode },
				contacts(2).map((row, place) => ({ ...row, row_number: place + 2 })),
			);
			expect(shown(run).message).toMatch(
				new RegExp(`^Remember People By (?:holds|may hold) ${what}`),
			);
		}
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		"={{ $now.toFormat('yyyy-MM-dd HH') }} {{ $json.phone }}",
		"={{ $now.toFormat('kkkk-WW') }} {{ $json.phone }}",
		'={{ new Date().toString().slice(0, 10) }} {{ $json.phone }}',
		'={{ $now.toISO().slice(0, 10) }} {{ $json.phone }}',
		'={{ new Date().toLocaleString("en-US", { month: "long" }) }} {{ $json.phone }}',
		'={{ $now.startOf("week").toUnixInteger() }} {{ $json.phone }}',
		'={{ new Date().toISOString().split("T")[0] }} {{ $json.phone }}',
		'={{ $now.toLocaleString() }} {{ $now.startOf("week").toISODate() }} {{ $json.phone }}',
		"={{ $('Start').itemMatching($itemIndex).json.phone }}",
		"={{ $now.toFormat('yyyy-MM \\'minute\\'') }} {{ $json.phone }}",
		"={{ $json.date.toDateTime().toFormat('yyyy-MM-dd HH:mm') }} {{ $json.phone }}",
	])('one of the hour, or of a time in the row, does not: %s', async (callOnceKey) => {
		const rows = contacts(2).map((row) => ({ ...row, date: '2026-12-01T10:30' }));
		expect(statuses((await bench.run(skip({ callOnceKey }), rows)).json)).toEqual([
			'initiated',
			'initiated',
		]);
	});
});

describe('G11 a list of people who must not be called, read by an earlier step', () => {
	const byList = '={{ $("List").all().some((item) => item.json.phone === $json.phone) }}';
	const listOf = "={{ $('List').all().map((item) => item.json.phone) }}";
	const list = (people: number) =>
		Array.from({ length: people }, (_, n) => ({ phone: phone(100 + n) }));

	itWithFunctions.each([
		['optedOut', byList, {}],
		['doNotCall', listOf, {}],
		['doNotCall', listOf, { limit: 100 }],
		['doNotCall', listOf, { limit: 1 }],
	])(
		'that stops at the Limit of its step calls nobody: %s, %s, %j',
		async (option, value, listTable) => {
			const items = list((listTable as { limit?: number }).limit ?? 50);
			const run = await bench.run(bulk({ options: { [option]: value } }), contacts(2), {
				listBefore: items,
				listTable,
			});
			expect(shown(run).message).toMatch(
				/^(Opted Out|Do Not Call) takes the list of the step "List", which stops at its Limit of (50|100|1)$/,
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'that stops at the Limit of its step, and the key of a person is looked up in it: nobody is called',
		async () => {
			const callOnceKey =
				"={{ $('List').all().find((item) => item.json.phone === $json.phone)?.json.id ?? $json.phone }}";
			const listBefore = list(50).map((each, id) => ({ ...each, id: `C${id}` }));
			const run = await bench.run(
				bulk({ calledBefore: 'skip', options: { callOnceKey } }),
				contacts(2),
				{ listBefore, listTable: {} },
			);
			expect(shown(run).message).toBe(
				'Remember People By takes the list of the step "List", which stops at its Limit of 50',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions.each(['$("Limit").all()', '$("Limit").all().slice(0, 100)'])(
		'of which a Limit lets some through, as one that was left from testing, calls nobody: %s',
		async (all) => {
			const parameters = bulk({
				options: { doNotCall: `={{ ${all}.map((item) => item.json.phone) }}` },
			});
			const cut = await bench.run(parameters, contacts(2), {
				listBefore: list(2),
				listTaken: 'byLimit',
			});
			expect(shown(cut).message).toBe(
				'Do Not Call takes the list of the step "Limit", which stops at its Limit of 1',
			);
			expect(bench.dialed).toEqual([]);
			const whole = await bench.run(parameters, [...contacts(1), { phone: phone(100) }], {
				listBefore: list(1),
				listTaken: 'byLimit',
			});
			expect(statuses(whole.json)).toEqual(['initiated', 'do_not_call']);
		},
	);

	it.each([
		"={{ $('List').all()[0].json.phone }}",
		"={{ $('List').all().at(0).json.days }}",
		"={{ $items('List')[0].json.days }}",
		"={{ $('List').first().json.days }}",
	])('one item of a table that stops at its Limit of 1 is that item: %s', async (noCallDates) => {
		const listBefore = [{ phone: '2020-01-01', days: ['2020-01-01'] }];
		const run = await bench.run(bulk({ options: { noCallDates } }), contacts(2), {
			listBefore,
			listTable: { limit: 1 },
		});
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	});

	itWithFunctions(
		'of which a Limit lets one row through, calls nobody, whatever lists that row holds beside',
		async () => {
			const people = list(2).map((each) => ({ ...each, tags: ['vip'] }));
			await bench.run(
				bulk({ options: { doNotCall: '={{ $("Limit").all().map((item) => item.json.phone) }}' } }),
				contacts(2),
				{
					listBefore: people,
					listTaken: 'byLimit',
				},
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions.each<[string, number, INodeParameters]>([
		['is shorter', 49, {}],
		['is read whole', 50, { returnAll: true }],
	])('one that %s holds', async (_, people, listTable) => {
		const run = await bench.run(
			bulk({ options: { doNotCall: listOf } }),
			[...contacts(1), { phone: phone(100) }],
			{
				listBefore: list(people),
				listTable,
			},
		);
		expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
	});

	itWithFunctions.each(['doNotCall', 'noCallDates'])(
		'joined of cells that nobody looks up, of a column that was renamed, calls nobody: %s',
		async (option) => {
			const value = "={{ $('List').first().json.data.map((row) => row.phon).join(', ') }}";
			const run = await bench.run(bulk({ options: { [option]: value } }), contacts(2), {
				listBefore: [{ data: list(2) }],
				onError: 'continueRegularOutput',
			});
			expect(statuses(run.json)).toEqual(['refused', 'refused']);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'commas between nothing, of a column that was renamed, are no empty list',
		async () => {
			const doNotCall = "={{ $('List').all().map((item) => item.json.phon || '').join(',') }}";
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
				listBefore: list(2),
			});
			expect(shown(run).message).toBe(
				'No item of the step "List" has the column "phon", which Do Not Call names',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('two columns of dates may both be empty in every row', async () => {
		const noCallDates = '={{ $json.from }}, {{ $json.to }}';
		const rows = contacts(2).map((row) => ({ ...row, from: '', to: '' }));
		expect(statuses((await bench.run(bulk({ options: { noCallDates } }), rows)).json)).toEqual([
			'initiated',
			'initiated',
		]);
	});

	it('settings that come from one of fifty rows, read up to a Limit, are no list', async () => {
		const rows = contacts(2);
		const run = await bench.run(
			bulk({ options: { timeZone: "={{ $('Start').first().json.zone }}" } }),
			rows.map((row) => ({ ...row, zone: 'Europe/Berlin' })),
			{
				listBefore: list(50),
				listTable: {},
			},
		);
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	});

	itWithFunctions.each([
		"={{ $('List').all().map((item) => item.json).some((row) => row.fone === $json.phone) }}",
		"={{ $('List').all().some(function (item) { const { fone } = item.json; return fone === $json.phone }) }}",
		"={{ $('List').all().find(({ json }) => json.phone === $json.phone)?.json.fone === 'yes' }}",
		"={{ (() => { for (const row of $('List').all()) if (row.json.fone === $json.phone) return 'yes'; return 'no' })() }}",
	])(
		'of which the column was renamed calls nobody, however it is written: %s',
		async (optedOut) => {
			const run = await bench.run(bulk({ options: { optedOut } }), contacts(2), {
				listBefore: [{ phone: phone(0) }],
			});
			expect(shown(run).message).toBe(
				'No item of the step "List" has the column "fone", which Opted Out names',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'of which the column inside one item was renamed calls nobody; one with empty cells holds nobody back',
		async () => {
			const optedOut = "={{ $('List').first().json.data.some((row) => row.fone === $json.phone) }}";
			const renamed = await bench.run(bulk({ options: { optedOut } }), contacts(2), {
				listBefore: [{ data: [{ phone: phone(0) }] }],
			});
			expect(shown(renamed).message).toBe(
				'No item of the step "List" has the column "data.fone", which Opted Out names',
			);
			expect(bench.dialed).toEqual([]);
			const doNotCall = "={{ $('List').first().json.data.map((row) => row.phone).join(', ') }}";
			const empty = await bench.run(bulk({ options: { doNotCall } }), contacts(1), {
				listBefore: [{ data: [{ phone: '' }, { phone: null }] }],
			});
			expect(statuses(empty.json)).toEqual(['initiated']);
		},
	);

	itWithFunctions.each([
		"[...$('List').all(), ...$('Rows').all()]",
		"$('List').all().concat($('Rows').all())",
	])(
		'of two lists that are joined (%s), one has the column under another name: nobody is called',
		async (joined) => {
			const doNotCall = `={{ ${joined}.map((item) => item.json.number).filter(Boolean) }}`;
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
				listBefore: [{ number: phone(5) }],
			});
			expect(shown(run).message).toBe(
				'No item of the step "Rows" has the column "number", which Do Not Call names',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'of which the column was renamed calls nobody; an empty one holds nobody back',
		async () => {
			const renamed = await bench.run(bulk({ options: { optedOut: byList } }), contacts(2), {
				listBefore: [{ 'Phone number': phone(0) }],
			});
			expect(shown(renamed).message).toBe(
				'No item of the step "List" has the column "phone", which Opted Out names',
			);
			for (const json of ['({ json }) => json.phone', '(each) => each.json["phone"]']) {
				const optedOut = `={{ $('List').all().map(${json}).includes($json.phone) }}`;
				const same = await bench.run(bulk({ options: { optedOut } }), contacts(2), {
					listBefore: [{ fax: phone(0) }],
				});
				expect(shown(same).message).toContain('has the column "phone"');
				const empty = await bench.run(bulk({ options: { optedOut } }), contacts(1), {
					listBefore: [{}],
				});
				expect(statuses(empty.json)).toEqual(['initiated']);
			}
			expect(bench.dialed).toEqual([phone(0), phone(0)]);
		},
	);
});

describe('G11 a column was renamed, and the expression is written as assistants write them', () => {
	const people = [1, 50].map((n) => ({
		phone: phone(n),
		status: 'stop',
		id: `c${n}`,
		data: [{ phone: phone(n) }],
	}));
	const one = [{ data: people }];

	itWithFunctions.each<[string, string, object[], string]>([
		[
			'optedOut',
			"$('List').all().find((i) => i.json.FONE === $json.phone)?.json.status || 'no'",
			people,
			'phone',
		],
		[
			'optedOut',
			"$('List').all().filter((i) => i.json.FONE === $json.phone)[0]?.json.status ?? false",
			people,
			'phone',
		],
		[
			'optedOut',
			"($('List').first().json.data || []).some((row) => row.FONE === $json.phone)",
			one,
			'phone',
		],
		[
			'optedOut',
			"($('List').all() ?? []).map((i) => i.json).some((row) => row.FONE === $json.phone)",
			people,
			'phone',
		],
		[
			'optedOut',
			"[...$('List').all()].some((i) => (i.json.FONE || '').trim() === $json.phone)",
			people,
			'phone',
		],
		[
			'optedOut',
			"$('List').all().reduce((seen, i) => { seen[i.json.FONE] = true; return seen }, {})[$json.phone] === true",
			people,
			'phone',
		],
		[
			'optedOut',
			"$('List').all().pluck('json').pluck('FONE').includes($json.phone)",
			people,
			'phone',
		],
		[
			'doNotCall',
			"$('List').all().map((i) => (i.json.FONE || '').toString().trim()).filter((number) => number.length > 0)",
			people,
			'phone',
		],
		[
			'doNotCall',
			"$('List').all().filter((i) => (i.json.FONE || '').toLowerCase() === 'stop').map((i) => i.json.phone)",
			people,
			'status',
		],
		[
			'doNotCall',
			"$('List').all().flatMap((i) => i.json.data).map((row) => row.FONE).filter(Boolean)",
			people,
			'phone',
		],
		[
			'doNotCall',
			"$('List').all().map((i) => i.json.data).flat().map((row) => row.FONE).filter(Boolean)",
			people,
			'phone',
		],
		[
			'doNotCall',
			"(() => { const out = []; for (const i of [...$('List').all()]) { if (i.json.FONE) out.push(i.json.FONE) } return out })()",
			people,
			'phone',
		],
		[
			'noCallDates',
			"($('List').first().json.data ?? []).map((row) => row.FONE).filter(Boolean)",
			[{ data: [{ date: '2020-01-01' }] }],
			'date',
		],
	])('%s: %s', async (option, code, listBefore, column) => {
		const calling = (name: string) =>
			bench.run(
				bulk({ options: { [option]: `={{ ${code.replaceAll('FONE', name)} }}` } }),
				contacts(2),
				{ listBefore: listBefore as IDataObject[] },
			);
		expect(shown(await calling('renamed')).message).toMatch(
			/^No item of the step "List" has the column "(data\.)?renamed"|is empty in every row$/,
		);
		expect(bench.dialed).toEqual([]);
		expect(statuses((await calling(column)).json)).toEqual([
			'initiated',
			option === 'noCallDates' ? 'initiated' : 'do_not_call',
		]);
	});

	itWithFunctions('of the entries of a cell, also where the cell of one row is empty', async () => {
		const rows = contacts(3).map((row, n) => ({
			...row,
			tags: n === 0 ? [] : n === 1 ? null : [{ name: 'dnc' }],
			fields: n === 0 ? null : { out: n === 2 },
		}));
		for (const [code, name] of [
			["$json.tags?.some((tag) => tag.FONE === 'dnc')", 'name'],
			["($json.tags || []).map((tag) => tag.FONE).includes('dnc')", 'name'],
			['$json.fields?.FONE === true', 'out'],
		] as const) {
			const calling = (column: string) =>
				bench.run(bulk({ options: { optedOut: `={{ ${code.replace('FONE', column)} }}` } }), rows);
			expect(shown(await calling('renamed')).message).toMatch(
				/^No row has the column "(tags|fields)\.renamed", which Opted Out names$/,
			);
			expect(statuses((await calling(name)).json)).toEqual([
				'initiated',
				'initiated',
				'do_not_call',
			]);
		}
	});

	it('of the item that a row comes from', async () => {
		const code = "$('Start').pairedItem().json.stauts === 'stop'";
		const run = await bench.run(bulk({ options: { optedOut: `={{ ${code} }}` } }), contacts(2));
		expect(shown(run).message).toContain('has the column "stauts", which Opted Out names');
		expect(bench.dialed).toEqual([]);
	});
});

describe('G11 Opted Out asks a list of which a cell cannot be read', () => {
	const list = [{ phone: phone(1) }, { phone: Number(phone(9)) }, { phone: phone(2) }];

	itWithFunctions.each([
		"$('List').all().some((i) => i.json.phone.trim() === $json.phone)",
		"$('List').all().find((i) => i.json.phone.replace(/\\s/g, '') === $json.phone) ? 'yes' : 'no'; ",
		"$('List').all().some((i) => i.json.phone.trim() === $json.phone) // Numbers",
	])('nobody is called of whom it would say something behind that cell: %s', async (code) => {
		const run = await bench.run(bulk({ options: { optedOut: `={{ ${code}\n}}` } }), contacts(3), {
			listBefore: list,
		});
		expect(statuses(run.json)).toEqual(['invalid', 'do_not_call', 'invalid']);
		expect(run.json[2]?.reason).toContain(
			'could not be resolved (a cell that it takes is empty, or a number where it expects text: ',
		);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions('whoever is not found in a list that can be read is called', async () => {
		const optedOut =
			"={{ $('List').all().find((i) => i.json.phone === $json.phone)?.json.status }}";
		for (const [listed, expected] of [
			[phone(9), 'initiated'],
			[phone(0), 'do_not_call'],
		] as const) {
			const run = await bench.run(bulk({ options: { optedOut } }), contacts(2), {
				listBefore: [{ phone: listed, status: 'stop' }],
			});
			expect(statuses(run.json)).toEqual([expected, 'initiated']);
		}
	});
});

describe('G11 .json is forgotten before a column', () => {
	const list = [
		{ phone: phone(1), date: '2020-01-01', out: 'yes', active: 'yes' },
		{ phone: phone(7), date: '2020-01-02', out: 'no', active: 'yes' },
	];

	itWithFunctions.each<[string, string, string, string]>([
		[
			'doNotCall',
			'Do Not Call',
			'phone',
			'$("List").all().map((item) => item.phone).filter(Boolean)',
		],
		[
			'doNotCall',
			'Do Not Call',
			'active',
			'$("List").all().filter((item) => item.active === "yes").map((item) => item.json.phone)',
		],
		['doNotCall', 'Do Not Call', 'phone', '$("List").all().map((item) => item.phone || false)'],
		['doNotCall', 'Do Not Call', 'phone', '$("List").all().pluck("phone")'],
		['optedOut', 'Opted Out', 'out', '$("List").item.out === "yes"'],
		['optedOut', 'Opted Out', 'out', '$input.item.out === "yes"'],
		['optedOut', 'Opted Out', 'out', '$input.out === "yes"'],
		['optedOut', 'Opted Out', 'out', '$node["List"].out === "yes"'],
		['optedOut', 'Opted Out', 'out', '$("List").first().out || "no"'],
		[
			'optedOut',
			'Opted Out',
			'phone',
			'$("List").all().some((item) => item.phone === $json.phone)',
		],
		[
			'noCallDates',
			'No-Call Dates',
			'date',
			'$("List").all().map((item) => item.date).filter(Boolean)',
		],
	])(
		'in %s, nobody is called, and the message says so: %s, %s, %s',
		async (option, label, column, code) => {
			const run = await bench.run(bulk({ options: { [option]: `={{ ${code} }}` } }), list, {
				listBefore: list,
				listTaken: 'inTurns',
				rowsFrom: [0, 1],
			});
			expect(shown(run)).toMatchObject({
				message: `${label} names "${column}" without .json before it, and finds nothing`,
				description: expect.stringContaining(`Write .json.${column} there.`),
			});
			expect(bench.dialed).toEqual([]);
		},
	);
});

describe('a list that allows for items with and without .json is read', () => {
	itWithFunctions.each([
		'(i) => i.json ? i.json.phone : i.phone',
		'(i) => i.json?.phone || i.phone',
		'(i, n, all) => n < all.length ? i.json.phone : ""',
	])('%s', async (take) => {
		const list = [{ phone: phone(1) }];
		const parameters = bulk({ options: { doNotCall: `={{ $("List").all().map(${take}) }}` } });
		expect(statuses((await bench.run(parameters, contacts(3), { listBefore: list })).json)).toEqual(
			['initiated', 'do_not_call', 'initiated'],
		);
	});
});

it('where .item is forgotten, the message says so', async () => {
	const run = await bench.run(bulk({ options: { optedOut: '={{ $("Start").json.out }}' } }), [
		{ phone: phone(1), out: 'yes' },
	]);
	expect(shown(run)).toMatchObject({
		message: 'Opted Out names "json.out" without .item before it, and finds nothing',
		description: expect.stringContaining('Write .item.json.out there.'),
	});
});

describe('a right expression calls whom it lets be called', () => {
	const list = [
		{ id: 'c1', status: 'stop', zone: 'Asia/Tokyo' },
		{ id: 'c0', status: 'active', zone: 'Europe/Berlin' },
	];
	const rows = contacts(2).map((row, n) => ({ ...row, id: `c${n}` }));

	itWithFunctions.each([
		"$('List').all().filter((i) => i.json.id === $json.id)[0]?.json.status === 'stop'",
		"$('List').all().filter((i) => i.json.id === $json.id).first().json.status === 'stop'",
		"$('List').all().filter((i) => i.json.id === $json.id).map((i) => i.json.status)[0] === 'stop'",
		"$('List').all().map((i) => i.json).reduce((seen, row) => { if (row.status === 'stop') seen.ids.push(row.id); return seen }, { ids: [] }).ids.includes($json.id)",
	])('Opted Out that looks each row up in a list: %s', async (code) => {
		const run = await bench.run(bulk({ options: { optedOut: `={{ ${code} }}` } }), rows, {
			listBefore: list,
		});
		expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
	});

	itWithFunctions('Time Zone that does so', async () => {
		const timeZone =
			"={{ $('List').all().filter((i) => i.json.id === $json.id)[0]?.json.zone || 'Europe/Berlin' }}";
		const run = await bench.run(bulk({ options: { timeZone } }), rows, { listBefore: list });
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	});

	itWithFunctions.each([
		"($json.tags || []).some((tag) => tag.name === 'dnc')",
		"($json.consent || {}).voice === 'no'",
	])(
		'where no row has the list or the fields, and the expression says what stands in for them: %s',
		async (code) => {
			const run = await bench.run(bulk({ options: { optedOut: `={{ ${code} }}` } }), contacts(2));
			expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
		},
	);
});
