import { setTimeout as delay } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { saysOptedOut } from '../../nodes/OutboundCalls/domain/callOutcome';
import { NEVER, SPECIAL, SPECIAL_BEHIND_ZERO } from '../unit/domain/phone/specialNumbers';
import { PAIRS } from '../unit/domain/phone/spellings';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { bulk, phone, place } from './helpers/workflows';

/** People, not strings: whose number it is, wherever numbers are compared. */

const bench = workbench();
storeForEach();

const plain = [...new Set(PAIRS.map((pair) => pair.plain))].sort();
const rows = (numbers: readonly string[], more: IDataObject = {}): IDataObject[] =>
	numbers.map((number) => ({ phone: number, ...more }));
const others = PAIRS.map(({ other }) => other);
const statuses = (json: ReadonlyArray<{ status?: unknown }>): unknown[] => [
	...new Set(json.map(({ status }) => status)),
];

/** As a new node remembers people. */
const remembering = (options: IDataObject = {}): INodeParameters =>
	bulk({ calledBefore: 'skip', options: options as INodeParameters });

describe('G2 however a number is written, in 400 pairs of spellings of 60 countries, its person', () => {
	it('is called once in a run', async () => {
		const { json } = await bench.run(
			bulk(),
			PAIRS.flatMap((pair) => rows([pair.other, pair.plain])),
		);
		expect([...bench.dialed].sort()).toEqual(plain);
		expect(json.filter(({ status }) => status === 'initiated')).toHaveLength(plain.length);
		expect(statuses(json)).toEqual(['initiated', 'duplicate']);
	});

	it('G8 is called once over two runs', async () => {
		await bench.run(remembering(), rows(plain));
		const again = await bench.run(remembering(), rows(others));
		expect(bench.dialed).toHaveLength(plain.length);
		expect(
			again.json.filter(({ status }) => status !== 'already_called' && status !== 'duplicate'),
		).toEqual([]);
	});

	it('G11 is called once over two runs that remember nobody, with 1 call per person and day', async () => {
		const limited = bulk({ options: { callsPerPerson: { limit: [{ calls: 1, per: 'day' }] } } });
		await bench.run(limited, rows(plain));
		const again = await bench.run(limited, rows(others));
		expect([...bench.dialed].sort()).toEqual(plain);
		expect(
			again.json.filter(({ status }) => status !== 'limit_reached' && status !== 'duplicate'),
		).toEqual([]);
	});

	it('G11 is not called when Do Not Call has the number in another spelling', async () => {
		const listed = await bench.run(
			bulk({ options: { doNotCall: others.join('\n') } }),
			rows([...plain, phone(1)]),
		);
		expect(listed.json.map(({ status }) => status)).toEqual([
			...plain.map(() => 'do_not_call'),
			'initiated',
		]);
		const written = await bench.run(
			bulk({ options: { doNotCall: plain.join('\n') } }),
			rows([...others, phone(2)]),
		);
		expect(statuses(written.json.slice(0, -1))).toEqual(['do_not_call']);
		expect(bench.dialed).toEqual([phone(1), phone(2)]);
	});

	it('G11 is not called who opted out in a row with another spelling', async () => {
		const { json } = await bench.run(bulk({ options: { optedOut: '={{ $json.out }}' } }), [
			...rows(plain, { out: 'no' }),
			...rows(others, { out: 'yes' }),
			...rows([phone(1)], { out: 'no' }),
		]);
		expect(statuses(json.slice(0, -1))).toEqual(['do_not_call']);
		expect(bench.dialed).toEqual([phone(1)]);
	});
});

it('G2 a key that holds the number in any spelling holds the person, also behind an expression', async () => {
	const keyed = (destination: string): INodeParameters => ({
		...remembering({ callOnceKey: '=spring-{{ $json.phone }}' }),
		destination,
	});
	await bench.run(keyed('=+{{ $json.phone }}'), [{ phone: '491712345678' }]);
	await bench.run(keyed('={{ $json.phone }}'), [{ phone: '+49 (0) 171 2345678' }]);
	await bench.run({ ...keyed('={{ $json.phone }}'), defaultCountry: 'DE' }, [
		{ phone: '0171 2345678' },
	]);
	expect(bench.dialed).toEqual(['+491712345678']);
});

it('G2 a key that holds the number with its country code holds the person, also where the cell has no country code', async () => {
	const keyed = { ...remembering({ callOnceKey: '={{ $json.wa_id }}' }), defaultCountry: 'DE' };
	for (const each of [1712345678, '0171 2345678', '171 2345678', '+491712345678'])
		await bench.run(keyed, [{ phone: each, wa_id: '491712345678' }]);
	for (const each of ['171 2345678', '0171 2345678'])
		await bench.run(keyed, [{ phone: each, wa_id: 'lead-49171 2345678' }]);
	expect(bench.dialed).toEqual(['+491712345678', '+491712345678']);
});

describe('G2 a key that differs from another one only by characters that nobody sees', () => {
	const keyed = remembering({ callOnceKey: '={{ $json.key }}' });
	const keys = ['A-100', '\u202aA-100\u202c', 'A\u200b-100', '\u200e A-100 '];
	const list = keys.map((key, n) => ({ phone: phone(n), key }));

	it('is the same: its person is called once, in a run and over several', async () => {
		await bench.run(keyed, list);
		for (const row of list) await bench.run(keyed, [row]);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('is the same with accents and blanks as another program stores them', async () => {
		const stored = ['Zo\u00eb 1', 'Zoe\u0308 1', 'Zo\u00eb\u00a01', 'Zoe\u0308\u202f1'];
		for (const [n, key] of stored.entries()) await bench.run(keyed, [{ phone: phone(n), key }]);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('is the same where it holds the number', async () => {
		const withNumber = remembering({ callOnceKey: '=spring-{{ $json.phone }}' });
		for (const number of [
			'+491712345678',
			'\u202a+49 171 2345678\u202c',
			'+49 (0) 171\u200e2345678',
		])
			await bench.run(withNumber, rows([number]));
		expect(bench.dialed).toEqual(['+491712345678']);
	});

	it('is the same for Opted Out', async () => {
		const { json } = await bench.run(
			remembering({ callOnceKey: '={{ $json.key }}', optedOut: '={{ $json.out }}' }),
			list.map((row, n) => ({ ...row, out: n === 2 ? 'yes' : 'no' })),
		);
		expect(statuses(json)).toEqual(['do_not_call']);
		expect(bench.dialed).toEqual([]);
	});

	it('is the same for Forget People', async () => {
		await bench.run(keyed, list.slice(0, 1));
		await bench.run({ resource: 'memory', operation: 'forget', people: '\u2066A-100\u2069' });
		await bench.run(keyed, list.slice(1, 2));
		expect(bench.dialed).toEqual([phone(0), phone(1)]);
	});
});

it.each([
	['Bulk Call', bulk],
	['Place Call', place],
])(
	'G2 no two placements to one number are under way at the same time: %s in five executions',
	async (_, operation) => {
		let atOnce = 0;
		bench.meanwhile = async () => {
			const before = bench.dialed.length;
			await delay(30);
			atOnce += bench.dialed.length - before;
		};
		const spellings = [
			'+491712345678',
			'+4901712345678',
			'+49 171 2345678',
			'0049 171 2345678',
			'+491712345678',
		];
		const runs = await Promise.all(
			spellings.map(
				async (each) => await bench.run(operation({ calledBefore: 'callAgain' }), rows([each])),
			),
		);
		bench.meanwhile = undefined;
		expect(runs.map(({ json }) => json[0]?.called)).toEqual(Array(5).fill('yes'));
		expect(bench.dialed).toEqual(Array(5).fill('+491712345678'));
		expect(atOnce).toBe(0);
	},
);

describe('G2 a mobile number of Argentina with and without its 9, of which both reach the same phone,', () => {
	const ARGENTINE = [
		'+5491123456789',
		'+54 11 2345-6789',
		'011 15 2345 6789',
		'11 2345 6789',
		'+54 9 11 15 2345 6789',
	];
	const called = '+5491123456789';
	const argentine = (more: INodeParameters = {}): INodeParameters =>
		bulk({ defaultCountry: 'AR', calledBefore: 'skip', ...more });

	it('is called once, as the first row has it', async () => {
		const { json } = await bench.run(argentine(), rows(ARGENTINE));
		expect(json.map(({ status }) => status)).toEqual([
			'initiated',
			...Array<string>(4).fill('duplicate'),
		]);
		expect(bench.dialed).toEqual([called]);
	});

	it.each(ARGENTINE)(
		'is not called again by another run, or when it is on a list: %s',
		async (other) => {
			await bench.run(argentine(), rows([called]));
			expect((await bench.run(argentine(), rows([other]))).json).toMatchObject([
				{ status: 'already_called' },
			]);
			const listed = await bench.run(
				argentine({ calledBefore: 'callAgain', options: { doNotCall: called } }),
				rows([other]),
			);
			expect(listed.json).toMatchObject([{ status: 'do_not_call' }]);
			const limited = argentine({
				calledBefore: 'callAgain',
				options: { callsPerPerson: { limit: [{ calls: 1, per: 'ever' }] } },
			});
			const [first, second] = [
				await bench.run(limited, rows([called])),
				await bench.run(limited, rows([other])),
			];
			expect([first, second].map(({ json }) => json[0]?.status)).toEqual([
				'initiated',
				'limit_reached',
			]);
		},
	);

	it('a fixed line without 9 is sent as it stands', async () => {
		await bench.run(argentine(), rows(['+541143211234']));
		expect(bench.dialed).toEqual(['+541143211234']);
	});
});

describe('G12 467 special, emergency, short and impossible numbers of 80 countries, in every country that may be chosen', () => {
	const special = Object.values(SPECIAL).flat();
	const never = Object.values(NEVER).flat();
	const all = [...never, ...special];
	const fromJson: INodeParameters = {
		destinationSource: 'json',
		destinationsJson: '={{ $json.numbers }}',
	};

	it.each<[string, INodeParameters, IDataObject[], object]>([
		['in the rows of a sheet', bulk(), rows(all), {}],
		['in a list', bulk(fromJson), [{ numbers: all }], {}],
		['one by one', place(), rows(all), {}],
		['as an agent’s tool', bulk(fromJson), [{ numbers: all }], { asTool: true }],
		['as an agent’s tool, one by one', place(), rows(all), { asTool: true }],
	])('are not called, %s', async (_, parameters, items, more) => {
		const { json } = await bench.run({ ...parameters, destination: '={{ $json.phone }}' }, items, {
			onError: 'continueRegularOutput',
			...more,
		});
		expect(json.map(({ status }) => status)).toEqual([
			...never.map(() => 'invalid'),
			...special.map(() => 'not_allowed'),
		]);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('special ones are not called either with the zero behind the country code that is dialed inside the country', async () => {
		const { json } = await bench.run(bulk(), rows(SPECIAL_BEHIND_ZERO));
		expect(json.filter(({ status }) => status !== 'not_allowed')).toEqual([]);
		expect(bench.dialed).toEqual([]);
	});

	it('emergency, short and impossible ones are not called either when special numbers may be', async () => {
		const { json } = await bench.run(
			bulk({ options: { specialNumbers: 'call' } }),
			rows([...never, phone(1)]),
		);
		expect(bench.dialed).toEqual([phone(1)]);
		expect(statuses(json)).toEqual(['invalid', 'initiated']);
	});
});

describe('the totals of a dry run', () => {
	const totals = async (numbers: readonly string[], more: INodeParameters = {}): Promise<string> =>
		(await bench.run(bulk({ mode: 'dryRun', ...more }), rows(numbers))).hints[0]?.message ?? '';

	it('G12 name the countries of the people, and as which numbers without + were read', async () => {
		const numbers = [
			'+491712345678',
			'0171 2345678',
			'0172 2345678',
			'+436641234567',
			'+18765550123',
			'Ada',
		];
		const message = await totals(numbers, { defaultCountry: 'DE' });
		expect(message).toContain(
			'Countries: Germany 2, Austria 1, Jamaica 1. Numbers without +, by the country that they were taken for: Germany 1. If that is not right, correct Country of Numbers Without +.',
		);
	});

	it('say nothing of countries where no number can be read', async () => {
		expect(await totals(['Ada', '+911', phone(1)])).toContain('Countries: United States 1.');
		expect(await totals([phone(1)], { mode: 'live' })).not.toContain('Countries');
	});
});

it.each<[string, INodeParameters, string, unknown]>([
	['a run that cannot begin', { countries: [] }, phone(0), 'refused'],
	['a number that cannot be read', {}, '0171 2345678', 'invalid'],
	['a country that may not be called', { countries: ['DE'] }, phone(0), 'not_allowed'],
	[
		'a test, with its words',
		{ mode: 'test', testNumber: '+14155559999', countries: ['DE'] },
		phone(0),
		'test_call',
	],
	[
		'a person with no-call dates in another row that cannot be read',
		{ options: { noCallDates: '={{ $json.off }}' } },
		phone(0),
		'invalid',
	],
])(
	'G11 a row of %s says that its person opted out, as another node is to know it',
	async (_, more, number, status) => {
		const rows = [
			{ phone: number, out: 'yes', off: '' },
			{ phone: phone(1), out: '', off: '' },
			{ phone: number, out: '', off: 'soon' },
		];
		const parameters = bulk({
			...more,
			options: { ...(more.options as object), optedOut: '={{ $json.out }}' },
		});
		const { json } = await bench.run(parameters, rows, { onError: 'continueRegularOutput' });
		expect(json.slice(0, 2).map((row) => [row.status, saysOptedOut(row)])).toEqual([
			[status, true],
			[expect.anything(), false],
		]);
	},
);

it('G11 a run that cannot begin tells why in its totals, whoever opted out', async () => {
	const rows = ['yes', 'no', ''].map((out, n) => ({ phone: phone(n), out }));
	const options = { optedOut: '={{ $json.out }}' };
	const run = await bench.run(bulk({ countries: [], options }), rows, {
		onError: 'continueRegularOutput',
	});
	expect(run.hints[0]!.message).toContain(
		'Refused: No country is chosen in Countries That May Be Called',
	);
	const { hints } = await bench.run(bulk({ countries: [], options }), rows.slice(0, 1), {
		onError: 'continueRegularOutput',
	});
	expect(hints[0]!.message).not.toContain('Opted out');
});

it.each(['maybe', '2', { said: 'yes' }])(
	'G11 a row that was called says in a Retry that its Opted Out could not be read: %j',
	async (out) => {
		bench.sandbox.settings.dailyLimit = 1;
		const rows = [out, 'no'].map((each, n) => ({ phone: phone(n), out: each }));
		const withOptions = (options: INodeParameters): INodeParameters =>
			place({ options: { parallelRequests: 1, maxRetryWait: 0, ...options } });
		const stopped = await bench.run(withOptions({}), rows);
		delete bench.sandbox.settings.dailyLimit;
		const { json } = await bench.run(withOptions({ optedOut: '={{ $json.out }}' }), rows, {
			retryOf: stopped,
			withSavedWorkflow: true,
		});
		expect(json.map(({ status, reason }) => [status, reason])).toEqual([
			['initiated', 'Its Opted Out could not be read.'],
			['initiated', null],
		]);
		expect(json.map(saysOptedOut)).toEqual([true, false]);
	},
);

it.each([
	['could not be read', '={{ $json.out.trim() }}', 7],
	['is asked for a word that it spells otherwise', "={{ $json.out === 'yes' }}", 'Yes'],
	['says neither yes nor no', '={{ $json.out }}', 'maybe'],
])(
	'G11 a row whose Opted Out %s keeps other nodes from calling its person',
	async (_, optedOut, out) => {
		const { json } = await bench.run(bulk({ options: { optedOut } }), [
			{ phone: phone(0), out },
			{ phone: phone(1), out: 'no' },
		]);
		expect(json.map((row) => [row.status, saysOptedOut(row)])).toEqual([
			['invalid', true],
			['initiated', false],
		]);
		expect(JSON.stringify(json)).not.toContain('Opted out');
	},
);

it('G11 another number with the key of who opted out is not that person to other nodes, which have other keys', async () => {
	const rows = ['yes', 'no'].map((out, n) => ({ phone: phone(n), out, who: 'Ada' }));
	const { json } = await bench.run(
		bulk({ options: { optedOut: '={{ $json.out }}', callOnceKey: '={{ $json.who }}' } }),
		rows,
	);
	expect(json.map((row) => [row.status, saysOptedOut(row)])).toEqual([
		['do_not_call', true],
		['do_not_call', false],
	]);
});

it('G11 a row that is not called because of a step with the name “Opted out” says nothing of its person to other nodes', async () => {
	const doNotCall = "={{ $('Opted out').all().map((item) => item.json.fone) }}";
	const { json } = await bench.run(bulk({ options: { doNotCall } }), [{ phone: phone(0) }], {
		onError: 'continueRegularOutput',
	});
	expect([json[0]!.status, saysOptedOut(json[0]!)]).toEqual(['refused', false]);
});
