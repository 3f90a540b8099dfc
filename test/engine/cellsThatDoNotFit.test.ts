import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, shown } from './helpers/workflows';

// Where an expression asks something of a cell that it does not have, such as lower case of an empty one, n8n takes it for nothing, and does not tell.

const bench = workbench();
storeForEach();

const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);
const skip = (callOnceKey: string): INodeParameters =>
	bulk({ calledBefore: 'skip', options: { callOnceKey } });
const ROW =
	/^An expression in this node could not be resolved \(a cell that it takes is empty, or a number where it expects text: .*\)\. Correct the cell, or let/;

describe('G11 Opted Out asks something of a cell that it does not have', () => {
	it.each<[string, string, IDataObject, IDataObject]>([
		[
			'an empty cell beside one that says yes',
			"={{ $json.status.toLowerCase() === 'stop' || $json.dnc }}",
			{ status: 'active', dnc: false },
			{ status: null, dnc: true },
		],
		[
			'no record of a consent',
			"={{ $json.consent.status === 'revoked' || $json.dnc === true }}",
			{ consent: { status: 'given' }, dnc: false },
			{ consent: null, dnc: true },
		],
		['a tick among words', '={{ $json.out.toLowerCase() }}', { out: 'no' }, { out: true }],
		['a 1 among empty cells', '={{ $json.out.trim() }}', { out: '' }, { out: 1 }],
		[
			'a list of one word',
			"={{ $json.out.toLowerCase() === 'stop' }}",
			{ out: 'go' },
			{ out: ['stop'] },
		],
		[
			'a line break behind the expression',
			'={{ $json.out.toLowerCase() }}\n',
			{ out: 'no' },
			{ out: true },
		],
	])('that row is not called, the other one is: %s', async (_, optedOut, first, second) => {
		const run = await bench.run(bulk({ options: { optedOut } }), [
			{ phone: phone(0), ...first },
			{ phone: phone(1), ...second },
		]);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid']);
		expect(run.json[1]?.reason).toMatch(ROW);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('an expression that allows for such cells says what it says', async () => {
		const optedOut = "={{ $json.status?.toLowerCase() === 'stop' || $json.dnc }}";
		const rows = [{ status: null, dnc: true }, { status: 'Stop', dnc: false }, { dnc: false }];
		const run = await bench.run(
			bulk({ options: { optedOut } }),
			rows.map((row, n) => ({ phone: phone(n), ...row })),
		);
		expect(statuses(run.json)).toEqual(['do_not_call', 'do_not_call', 'initiated']);
	});
});

describe('semicolons and comments behind an expression change nothing', () => {
	const says = async (optedOut: string) => {
		const run = await bench.run(bulk({ options: { optedOut } }), [
			{ phone: phone(0), status: 'go' },
			{ phone: phone(1), status: 'stop' },
		]);
		expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
	};

	it.each([
		"={{ $json.status?.toLowerCase() === 'stop' ? 'yes' : undefined; /* who asked for it */ }}",
		"={{ $json.status === 'stop' ? 'yes' : undefined;; }}\n",
		"={{ $json.status === 'https://a.example/;//b' ? 'yes' : $json.status === 'stop' ? 'x' : undefined }}",
	])('%s', says);

	// n8n-core 1.82 reads no such comment either.
	itWithFunctions('a comment to the end of the line', async () => {
		await says(
			"={{ $json.status?.toLowerCase() === 'stop' ? 'yes' : undefined; // who asked for it\n}}",
		);
	});
});

it('G8 a key with another number of the person is the same after a country was added', async () => {
	const row = { phone: '+491712345678', home: '030 1234567' };
	for (const [countries, expected] of [
		[['DE'], 'initiated'],
		[['DE', 'AT'], 'already_called'],
	] as const) {
		const run = await bench.run({ ...skip('={{ $json.home }}'), countries: [...countries] }, [row]);
		expect(statuses(run.json)).toEqual([expected]);
	}
});

it('G12 a number in a list of destinations of which a part is a cell that does not fit is called in no other country', async () => {
	const destination = [
		{ phone: '={{ $json.code.trim() }}{{ $json.number }}' },
		{ phone: '={{ $json.other }}' },
	];
	const run = await bench.run(
		bulk({
			destinationSource: 'list',
			destinationList: { destination },
			countries: ['any'],
			defaultCountry: 'US',
		}),
		[
			{ code: '+49', number: '3012345670', other: phone(0) },
			{ code: 49, number: '2125550123', other: phone(1) },
		],
	);
	expect(statuses(run.json)).toEqual(['initiated', 'initiated', 'invalid', 'initiated']);
	expect(run.json[2]?.reason).toMatch(ROW);
	expect(bench.dialed).toEqual(['+493012345670', phone(0), phone(1)]);
});

describe('G11 a list with a cell that does not fit', () => {
	const listBefore = [{ phone: phone(0) }, { phone: Number(phone(1)) }];

	itWithFunctions.each([
		"={{ $('List').all().map(item => item.json.phone.trim()) }}",
		"={{ $('List').all().map(item => item.json.phone.trim()) }}\n",
		"=+15550109999, {{ $('List').all().map(item => item.json.phone.trim()).join(', ') }}",
	])('in Do Not Call, nobody is called: %s', async (doNotCall) => {
		const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), { listBefore });
		expect(shown(run).message).toMatch(
			/^Do Not Call holds an expression that could not be resolved for row 1 \(a cell that it takes is empty/,
		);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions.each([
		"=2026-12-25, {{ $('List').all().map(item => item.json.date.slice(0, 10)).join(', ') }}",
		"={{ $('List').all().map(item => item.json.date.slice(0, 10)).join(', ') }}\n",
	])('in No-Call Dates, nobody is called: %s', async (noCallDates) => {
		const list = [{ date: '2026-12-25' }, { date: new Date() as unknown as string }];
		const run = await bench.run(bulk({ options: { noCallDates } }), contacts(1), {
			listBefore: list,
		});
		expect(shown(run).message).toMatch(
			/an expression in this node could not be resolved \(a cell that it takes is empty/i,
		);
		expect(bench.dialed).toEqual([]);
	});
});

describe('a part of a text that cannot be worked out does not vanish', () => {
	it('from the number: no stranger is called', async () => {
		const destination = '={{ $json.area.trim() }}{{ $json.local }}';
		const rows: IDataObject[] = [
			{ area: '89', local: '23456789' },
			{ area: 89, local: '23456789' },
		];
		const run = await bench.run(bulk({ destination, countries: ['DE'] }), rows);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid']);
		expect(bench.dialed).toEqual(['+498923456789']);
	});

	itWithFunctions('G8 from the key: nobody is called again', async () => {
		const key =
			"={{ $('List').all().find(item => item.json.state === 'active').json.name }}-{{ $json.phone }}";
		await bench.run(skip(key), contacts(1), { listBefore: [{ name: 'spring', state: 'active' }] });
		expect(bench.dialed).toEqual([phone(0)]);
		const run = await bench.run(skip(key), contacts(1), {
			listBefore: [{ name: 'spring', state: 'over' }],
		});
		expect(shown(run).message).toMatch(
			/an expression in this node could not be resolved \(a cell that it takes is empty/i,
		);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('from the time zone: nobody is called by another one', async () => {
		const timeZone =
			"={{ $json.state.toUpperCase() === 'NY' ? 'America/New_York' : 'America/Los_Angeles' }}";
		const run = await bench.run(bulk({ options: { timeZone } }), [
			{ phone: phone(0), state: 'ny' },
			{ phone: phone(1), state: null },
		]);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid']);
	});
});

itWithFunctions(
	'G11 what the remedy for a list that leaves empty cells out says to write works',
	async () => {
		const doNotCall = "={{ $('List').all().map((item) => item.json.phone || false) }}";
		const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
			listBefore: [{ name: 'Ada' }, { phone: phone(1) }],
		});
		expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
	},
);

describe('G8 a key is taken from another step by the place of the row, and a Filter stands between', () => {
	const listBefore = ['A', 'B', 'C'].map((id, n) => ({ id, phone: phone(n) }));
	const due = async (callOnceKey: string, rowsFrom: number[]) =>
		await bench.run(
			skip(callOnceKey),
			rowsFrom.map((n) => ({ phone: phone(n) })),
			{ listBefore, listTaken: 'inTurns', rowsFrom },
		);

	it.each([
		"={{ $node['List'].json.id }}",
		"={{ $('List').all()[$itemIndex].json.id }}",
		"={{ $items('List')[$itemIndex].json.id }}",
	])('it would be the key of somebody else, so nobody is called: %s', async (callOnceKey) => {
		expect(shown(await due(callOnceKey, [1])).message).toMatch(
			/^Remember People By holds the place of the row in its list/,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('that of the item which the row comes from is its own', async () => {
		expect(statuses((await due("={{ $('List').item.json.id }}", [1])).json)).toEqual(['initiated']);
		expect(statuses((await due("={{ $('List').item.json.id }}", [0, 1])).json)).toEqual([
			'initiated',
			'already_called',
		]);
	});
});
