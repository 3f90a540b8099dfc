import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { assignments, bulk, phone, shown } from './helpers/workflows';

// An expression may take an item of an earlier step by its place. Behind a Filter or a Sort, that is the item of another row.

const bench = workbench();
storeForEach();

const skip = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', ...more, options });
const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);

const sheet = [1, 2, 3].map((n) => ({
	phone: phone(n),
	out: n === 1 ? 'yes' : 'no',
	id: `id${n}`,
}));
const filtered = { listBefore: sheet, listTaken: 'inTurns', rowsFrom: [1, 2] } as const;
const sorted = { listBefore: sheet, listTaken: 'inTurns', rowsFrom: [2, 1, 0] } as const;

const BY_PLACE = [
	'$node["List"].json',
	'$("List").all()[$itemIndex].json',
	'$items("List")[$itemIndex].json',
];

describe('G12 Destination takes an item by its place behind a Filter', () => {
	it.each([...BY_PLACE, '$("List").first().json'])(
		'nobody is called, and the message says what to take: %s',
		async (of) => {
			const run = await bench.run(
				skip({ optedOut: '={{ $json.out }}' }, { destination: `={{ ${of}.phone }}` }),
				sheet.slice(1),
				filtered,
			);
			expect(shown(run)).toMatchObject({
				message: expect.stringMatching(
					/^Destination takes an item of the step "List" by its place, and the rows come from others of its items/,
				),
				description: expect.stringMatching(
					/^Drag the column in once more: then the expression takes the item that the row comes from, \$\("List"\)\.item\./,
				),
			});
			expect(bench.dialed).toEqual([]);
		},
	);

	it.each(['$("List").item.json', '$("List").itemMatching($itemIndex).json'])(
		'the item that the row comes from is its own: %s',
		async (of) => {
			await bench.run(
				skip({ optedOut: '={{ $json.out }}' }, { destination: `={{ ${of}.phone }}` }),
				sheet.slice(1),
				filtered,
			);
			expect(bench.dialed).toEqual([phone(2), phone(3)]);
		},
	);

	it.each<[string, INodeParameters]>([
		[
			'a list',
			{
				destinationSource: 'list',
				destinationList: { destination: [{ phone: '={{ $node["List"].json.phone }}' }] },
			},
		],
		['JSON', { destinationSource: 'json', destinationsJson: '={{ [$node["List"].json.phone] }}' }],
	])('also in %s', async (_, source) => {
		expect(shown(await bench.run(skip({}, source), sheet.slice(1), filtered)).message).toMatch(
			/^Destination takes an item/,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('one number for all alerts, of a step that the rows do not come from item by item, is called', async () => {
		const run = await bench.run(
			skip({}, { destination: '={{ $("List").first().json.phone }}' }),
			[{ alert: 1 }, { alert: 2 }],
			{
				listBefore: sheet,
			},
		);
		expect(statuses(run.json)).toEqual(['initiated', 'duplicate']);
		expect(bench.dialed).toEqual([phone(1)]);
	});
});

describe('G12 so do Mode, the country and the agent', () => {
	it.each<[string, IDataObject[], INodeParameters]>([
		[
			'Mode',
			[{ mode: 'live' }, { mode: 'dryRun' }, { mode: 'live' }],
			{ mode: '={{ $node["List"].json.mode }}' },
		],
		[
			'Country of Numbers Without +',
			[{ country: 'DE' }, { country: 'AT' }, { country: 'DE' }],
			{ defaultCountry: '={{ $node["List"].json.country }}' },
		],
		[
			'Agent Number',
			[{ agent: '+15550200001' }, { agent: '+15550200002' }],
			{ agentNumber: '={{ $node["List"].json.agent }}' },
		],
	])('%s: nobody is called', async (label, list, more) => {
		const run = await bench.run(skip({}, more), [{ phone: phone(1) }, { phone: phone(2) }], {
			listBefore: list,
			listTaken: 'inTurns',
			rowsFrom: [1, 0],
		});
		expect(shown(run).message).toMatch(
			new RegExp(`^${label.replace('+', '\\+')} takes an item of the step "List" by its place`),
		);
		expect(bench.dialed).toEqual([]);
	});
});

describe('G11 as many rows as items, in the order of a Sort', () => {
	const rows = [...sheet].reverse();

	it.each(BY_PLACE)(
		'Opted Out would be that of another row, so nobody is called: %s',
		async (of) => {
			const run = await bench.run(skip({ optedOut: `={{ ${of}.out }}` }), rows, sorted);
			expect(shown(run).message).toMatch(
				/^Opted Out takes the same item of the step "List" for all rows/,
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	it.each(BY_PLACE)('G8 and so would be the key: %s', async (of) => {
		const run = await bench.run(skip({ callOnceKey: `={{ ${of}.id }}` }), rows, sorted);
		expect(shown(run).message).toMatch(
			/^Remember People By holds the place of the row in its list/,
		);
		expect(bench.dialed).toEqual([]);
	});

	it.each(BY_PLACE)('in the order of the step, each is its own: %s', async (of) => {
		await bench.run(skip({ optedOut: `={{ ${of}.out }}`, callOnceKey: `={{ ${of}.id }}` }), sheet, {
			...sorted,
			rowsFrom: [0, 1, 2],
		});
		expect(bench.dialed).toEqual([phone(2), phone(3)]);
	});
});

describe('G12 the item at the number of the round', () => {
	const taken = (column: string): string => `={{ $("List").all()[$runIndex].json.${column} }}`;
	const inTurns = { listBefore: sheet, listTaken: 'inTurns', rowsFrom: [0, 1, 2] } as const;

	it('without a loop is that of the first row, so nobody is called by it', async () => {
		const run = await bench.run(skip({ optedOut: taken('out') }), sheet, inTurns);
		expect(shown(run).message).toMatch(
			/^Opted Out takes the same item of the step "List" for all rows/,
		);
		expect(
			shown(await bench.run(skip({}, { destination: taken('phone') }), sheet, inTurns)).message,
		).toMatch(/^Destination takes an item/);
		expect(bench.dialed).toEqual([]);
	});

	it('in a loop whose rounds have one row each is that of the row', async () => {
		await bench.run(skip({ optedOut: '={{ $("Start").all()[$runIndex].json.out }}' }), sheet, {
			batchSize: 1,
		});
		expect(bench.dialed).toEqual([phone(2), phone(3)]);
	});

	it('in a loop whose rounds have more is that of another one', async () => {
		const run = await bench.run(
			skip({ optedOut: '={{ $("Start").all()[$runIndex].json.out }}' }),
			[...sheet].reverse(),
			{ batchSize: 2 },
		);
		expect(shown(run).message).toMatch(
			/^Opted Out takes the same item of the step "Start" for all rows/,
		);
		expect(bench.dialed).toEqual([]);
	});
});

describe('G12 .first() is another row’s item, wherever the rows come from', () => {
	const live = [1, 2, 3].map((n) => ({
		phone: phone(n),
		mode: n === 1 ? 'live' : 'dryRun',
		country: n === 1 ? 'DE' : 'AT',
	}));
	const from = (...rowsFrom: number[]) =>
		({ listBefore: live, listTaken: 'inTurns', rowsFrom }) as const;

	it.each<[string, INodeParameters, IDataObject[], object]>([
		[
			'a Filter has left one row',
			{ destination: '={{ $("List").first().json.phone }}' },
			[live[1]!],
			from(1),
		],
		[
			'two rows come from one item, which is not the first',
			{ destination: '={{ $("List").first().json.phone }}' },
			[{ a: 1 }, { a: 2 }],
			from(2, 2),
		],
		[
			'rows have their turns in a loop',
			{ mode: '={{ $("Start").first().json.mode }}' },
			live.slice(1).concat(live[0]!).reverse(),
			{ batchSize: 1 },
		],
		['it is the first row of the input', { mode: '={{ $input.first().json.mode }}' }, live, {}],
		['it is the first one of all rows', { mode: '={{ $input.all()[0].json.mode }}' }, live, {}],
	])('nobody else is called by it: %s', async (_, more, given, host) => {
		await bench.run(skip({}, more), given, host);
		expect(bench.dialed.filter((dialed) => dialed !== phone(1))).toEqual([]);
		if ('destination' in more) expect(bench.dialed).toEqual([]);
	});

	it('of the input, the message says to take the row’s own', async () => {
		const run = await bench.run(
			skip({}, { defaultCountry: '={{ $input.first().json.country }}' }),
			live,
		);
		expect(shown(run)).toMatchObject({
			message:
				'Country of Numbers Without + takes an item of its input by its place, and the rows come from others of its items',
			description: expect.stringMatching(/the item that the row comes from, \$json\./),
		});
	});
});

it('nobody hears what is said to somebody else: Prompt Variables by place behind a Filter', async () => {
	const debts = [1, 2, 3].map((n) => ({ phone: phone(n), amount: n * 100 }));
	const behind = { listBefore: debts, listTaken: 'inTurns', rowsFrom: [1, 2] } as const;
	const promptVariables = assignments({ amount: '={{ $node["List"].json.amount }}' });
	const run = await bench.run(skip({}, { promptVariables }), debts.slice(1), behind);
	expect(shown(run).message).toMatch(
		/^Prompt Variables takes an item of the step "List" by its place/,
	);
	expect(bench.dialed).toEqual([]);
});

describe('what is the row’s own is called', () => {
	it.each(BY_PLACE)('behind a Limit, which leaves the first ones: %s', async (of) => {
		await bench.run(skip({}, { destination: `={{ ${of}.phone }}` }), sheet.slice(0, 2), {
			...filtered,
			rowsFrom: [0, 1],
		});
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
	});

	it('with Execute Once', async () => {
		await bench.run(skip({}, { destination: '={{ $node["Start"].json.phone }}' }), sheet, {
			executeOnce: true,
		});
		expect(bench.dialed).toEqual([phone(1)]);
	});

	it('in a loop of one', async () => {
		await bench.run(skip({}, { destination: '={{ $node["Loop"].json.phone }}' }), sheet, {
			batchSize: 1,
		});
		expect(bench.dialed).toEqual(sheet.map((row) => row.phone));
	});

	it('in n8n’s older spelling of json', async () => {
		await bench.run(
			skip(
				{ optedOut: '={{ $node["Start"].data.out }}' },
				{ destination: '={{ $node["Start"].data.phone }}' },
			),
			sheet,
		);
		expect(bench.dialed).toEqual([phone(2), phone(3)]);
	});
});

describe('a column that decides is not there', () => {
	it('such as the country of numbers without +: it is said above the table, also in the dry run', async () => {
		const rows = [{ phone: '0664 1234567', Country: 'Austria' }];
		const parameters = skip(
			{},
			{
				mode: 'dryRun',
				countries: ['DE', 'AT'],
				defaultCountry: '={{ $json.country === "Austria" ? "AT" : "DE" }}',
			},
		);
		expect((await bench.run(parameters, rows)).hints[0]?.message).toContain(
			' No row has the column "country", which Country of Numbers Without + names.',
		);
	});

	it('of Mode, it may be one that is only sometimes there', async () => {
		const mode = '={{ $json.body.dry_run ? "dryRun" : "live" }}';
		const run = await bench.run(skip({}, { mode, destination: '={{ $json.body.phone }}' }), [
			{ body: { phone: phone(1) } },
		]);
		expect(run.hints[0]?.message).toContain(
			' No row has the column "body.dry_run", which Mode names.',
		);
		expect(bench.dialed).toEqual([phone(1)]);
	});
});
