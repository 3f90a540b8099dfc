import type { IDataObject } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, shown } from './helpers/workflows';

const bench = workbench();
storeForEach();

const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);

describe('G11 Opted Out compares a cell as it stands', () => {
	const run = async (optedOut: string, cells: unknown[]) =>
		statuses(
			(
				await bench.run(
					bulk({ options: { optedOut } }),
					cells.map((cell, n) => ({ phone: phone(n), cell, other: '' })) as IDataObject[],
				)
			).json,
		);

	it.each<[string, unknown]>([
		["={{ $json.cell === 'yes' }}", 'Yes'],
		["={{ $json.cell === 'yes' || $json.other === 'yes' }}", 'YES '],
		["={{ 'yes' == $json.cell ? 'yes' : 'no' }}", 'Yes.'],
		["={{ $('Start').item.json.cell === 'yes' }}", 'Yes'],
		["={{ $node['Start'].json.cell === 'yes' }}", 'Yes'],
		["={{ $input.item.json.cell === 'yes' }}", 'Yes'],
		["={{ $json.cell === 'yes' && $json.other === '' }}", 'Yes'],
		['={{ $json.cell === "don\'t call" }}', "Don't call"],
		['={{ $json.cell === true }}', 'TRUE'],
		["={{ $json.cell === 'true' }}", true],
		["={{ ['stop', 'dnc'].includes($json.cell) }}", 'DNC'],
		['={{ !$json.cell }}', 'FALSE'],
		["={{ $json.cell ? 'no' : 'yes' }}", 'no'],
		["={{ $json.cell === 'yes' ? 'yes' : '' }}", 'Yes'],
		["={{ $json.cell === 'stop' ? $json.cell : null }}", 'Stop'],
		["={{ [$json.cell === 'yes', $json.other === 'yes'] }}", 'Yes'],
		["={{ ('yes' === $json.cell) }}", 'Yes'],
		["={{ $json.cell !== 'yes' ? 'no' : 'yes' }}", 'Yes'],
		["={{ $json.cell === 'no' ? 'yes' : 'no' }}", 'No'],
		["={{ $json.cell === 'churned' }}", 'Churned'],
		['={{ $json.cell === 1 }}', '1'],
		['={{ $json.cell == false ? "yes" : "" }}', 'FALSE'],
		["={{ ($json.other || $json.cell) === 'yes' }}", 'YES'],
		["={{ $json.other.trim() === 'x' || $json.cell === 'yes' }}", 'Yes'],
		["={{ $json.other === '' && $json.cell === 'yes' }}", 'Yes'],
		["={{ [$json.cell, $json.other].includes('yes') }}", 'Yes'],
		["={{ ['yes', true].includes($json.cell ?? '') }}", 'TRUE'],
		["={{ $json.cell.includes?.('stop') }}", 'Please STOP'],
		["={{ $json.cell.includes?.('stop') }}", ['Stop', 'other']],
		['={{ [!$json.cell, $json.other === "yes"] }}', 'No'],
		['={{ !Boolean($json.cell) }}', 'no'],
		["={{ $json.cell && 'no' || 'yes' }}", 'FALSE'],
		["={{ $json.cell && $json.other === '' ? 'no' : 'yes' }}", 'no'],
		['={{ $json.cell.isEmpty() }}', 'FALSE'],
		["={{ $json.cell !== '' && $json.cell !== null ? 'no' : 'yes' }}", 'no'],
		["={{ $json.cell != null && $json.cell != '' ? 'no' : 'yes' }}", 'FALSE'],
		["={{ $json.cell && $json.cell !== 'revoked' ? 'no' : 'yes' }}", 'no'],
		["={{ !$json.cell || $json.cell === 'revoked' }}", 'FALSE'],
		["={{ $if($json.cell, $json.cell === 'revoked' ? 'yes' : 'no', 'yes') }}", 'no'],
		["={{ $json.other === '' && $json.cell ? 'no' : 'yes' }}", 'no'],
		['={{ !($json.cell && $json.other === "") }}', 'FALSE'],
		["={{ $json.cell.includes?.('status: stop') }}", 'Status:stop'],
		["={{ $json.cell.includes?.('dnc=1') }}", 'DNC = 1'],
		["={{ $json.cell === '(stop)' ? 'yes' : 'no' }}", 'Stop'],
		["={{ $json.cell === '🚫 DNC' }}", 'dnc'],
		["={{ $json.cell === '' ? 'yes' : 'no' }}", 'no'],
		["={{ $json.cell.startsWith?.('stop') }}", 'Stop it'],
		["={{ $json.cell.includes?.('stop') }}", 'Has STOPPED'],
		["={{ $json.cell.includes?.('no') }}", 'Says NO'],
		["={{ ['yes', 'x'].indexOf($json.cell) > -1 }}", 'Yes'],
		["={{ { stop: 'yes' }[$json.cell] ?? 'no' }}", 'Stop'],
		["={{ $json.cell.includes?.('dnc') }}", [{ name: 'dnc' }]],
		["={{ $json.cell.includes?.('dnc') }}", ['🚫 DNC']],
		["={{ $json.cell.includes?.('stop') }}", ['(Stop)', '#vip']],
		["={{ $json.cell === 'stop' }}", '🚫 stop'],
		["={{ $json.cell.includes?.('[DNC]') }}", 'John Smith [dnc]'],
		["={{ $json.cell === 'stop' }}", { value: 'Stop' }],
		["={{ $json.cell ? '' : 'yes' }}", 'no'],
	])(
		'which says so in another spelling, and the row is not called: %s of %j',
		async (optedOut, cell) => {
			expect(await run(optedOut, [cell, cell === true ? false : true])).toEqual([
				'invalid',
				expect.not.stringMatching('invalid'),
			]);
			expect(bench.dialed).not.toContain(phone(0));
		},
	);

	it.each<[string, unknown[], string[]]>([
		[
			"={{ $json.cell === 'yes' }}",
			['yes', 'no', '', null],
			['do_not_call', 'initiated', 'initiated', 'initiated'],
		],
		[
			"={{ $json.cell === 'yes' || $json.cell === 'Yes' }}",
			['Yes', 'no'],
			['do_not_call', 'initiated'],
		],
		["={{ $json.cell === 'yes' ? 'no' : 'yes' }}", ['yes', 'Yes'], ['initiated', 'do_not_call']],
		["={{ $json.cell !== 'yes' }}", ['yes', 'Yes'], ['initiated', 'do_not_call']],
		["={{ $json.cell.toLowerCase() !== 'yes' }}", ['Yes', 'no'], ['initiated', 'do_not_call']],
		["={{ $json.cell === 'no' }}", ['yes', 'no'], ['initiated', 'do_not_call']],
		[
			"={{ ['yes', 'true'].includes(String($json.cell).toLowerCase()) ? 'no' : 'yes' }}",
			['Yes', 'no'],
			['initiated', 'do_not_call'],
		],
		['={{ !$json.cell }}', [true, 'yes', false], ['initiated', 'initiated', 'do_not_call']],
		["={{ $json.cell ? 'no' : 'yes' }}", ['Yes', ''], ['initiated', 'do_not_call']],
		['={{ !!$json.cell }}', ['no', ''], ['do_not_call', 'initiated']],
		[
			"={{ $json.cell ? $json.cell : 'no' }}",
			['no', 'yes', ''],
			['initiated', 'do_not_call', 'initiated'],
		],
		[
			"={{ !$json.cell || $json.cell === 'no' ? 'no' : 'yes' }}",
			['no', 'yes', ''],
			['initiated', 'do_not_call', 'initiated'],
		],
		[
			"={{ $json.cell ? $json.cell === 'yes' : false }}",
			['no', 'yes', ''],
			['initiated', 'do_not_call', 'initiated'],
		],
		[
			"={{ String($json.cell) === 'true' && $json.other === 'EU' }}",
			[true, 'no'],
			['initiated', 'initiated'],
		],
		["={{ $json.cell == 1 ? 'no' : 'yes' }}", ['1', '2'], ['initiated', 'do_not_call']],
		[
			"={{ $json.cell ? $json.cell.toLowerCase() === 'yes' : false }}",
			['no', 'Yes', ''],
			['initiated', 'do_not_call', 'initiated'],
		],
		[
			"={{ ['no', 'No', ''].includes($json.cell) ? 'no' : 'yes' }}",
			['No', 'no', 'Yes'],
			['initiated', 'initiated', 'do_not_call'],
		],
		[
			"={{ $json.cell.includes('stop') }}",
			['stop it', 'none', ['stop'], []],
			['do_not_call', 'initiated', 'do_not_call', 'initiated'],
		],
		["={{ $json.cell.trim() === 'yes' }}", ['yes ', 'no'], ['do_not_call', 'initiated']],
		["={{ $json.cell && 'yes' }}", ['no', ''], ['do_not_call', 'initiated']],
		[
			"={{ $json.cell !== '' && $json.cell !== 'no' }}",
			['no', 'yes', ''],
			['initiated', 'do_not_call', 'initiated'],
		],
		["={{ $json.cell === '' ? 'no' : 'yes' }}", ['no', ''], ['do_not_call', 'initiated']],
		["={{ 'yes' === $json.cell ? 'yes' : 'no' }}", ['no', 'yes'], ['initiated', 'do_not_call']],
		["={{ !$json.cell.includes('no') }}", ['no', 'yes'], ['initiated', 'do_not_call']],
		["={{ $json.other === 'true' || !$json.cell }}", [true, false], ['initiated', 'do_not_call']],
		[
			"={{ $json.other === 'yes' || $json.cell !== 'Yes' }}",
			['Yes', 'no'],
			['initiated', 'do_not_call'],
		],
		["={{ $json.other === '1' || $json.cell > 3 }}", [1, 4], ['initiated', 'do_not_call']],
	])('and whoever has not opted out is called: %s of %j', async (optedOut, cells, expected) => {
		expect(await run(optedOut, cells)).toEqual(expected);
	});
});

describe('G11 Opted Out asks the entries of a list', () => {
	const run = async (optedOut: string, lists: Array<IDataObject[] | string>) =>
		statuses(
			(
				await bench.run(
					bulk({ options: { optedOut } }),
					lists.map((tags, n) => ({ phone: phone(n), tags })),
				)
			).json,
		);

	itWithFunctions('also by a name for the cell', async () => {
		const named = '={{ (() => { const said = $json.tags; return said === "yes"; })() }}';
		expect(await run(named, ['Yes', 'yes', 'no'])).toEqual(['invalid', 'do_not_call', 'initiated']);
	});

	itWithFunctions.each([
		"={{ $json.tags.some((tag) => tag.name === 'dnc') }}",
		"={{ $json.tags.map((tag) => tag.name).includes('dnc') }}",
		"={{ $json.tags.filter((tag) => tag.name === 'dnc').length > 0 }}",
		"={{ $json.tags.find((tag) => tag.name === 'dnc') ? 'yes' : 'no' }}",
	])('of which one spells the word otherwise, and the row is not called: %s', async (optedOut) => {
		const lists = [
			[{ name: 'vip' }, { name: 'DNC' }],
			[{ name: 'dnc' }],
			[{ name: 'vip' }],
			[{ name: 'DNC' }, { name: 'dnc' }],
		];
		expect(await run(optedOut, lists)).toEqual([
			'invalid',
			'do_not_call',
			'initiated',
			'do_not_call',
		]);
	});
});

describe('G11 Opted Out compares several columns', () => {
	const run = async (optedOut: string, rows: IDataObject[]) =>
		statuses(
			(
				await bench.run(
					bulk({ options: { optedOut } }),
					rows.map((row, n) => ({ phone: phone(n), ...row })),
				)
			).json,
		);

	it.each<[string, ...IDataObject[]]>([
		[
			"={{ $json.a === 'yes' && $json.b === 'yes' }}",
			{ a: 'Yes', b: 'yes' },
			{ a: 'Yes', b: 'YES' },
		],
		[
			"={{ $json.a === 'out' && ['phone', 'all'].includes($json.b) }}",
			{ a: 'Out', b: 'Phone' },
			{ a: 'out', b: 'ALL' },
		],
		[
			"={{ $json.a.includes('customer') && $json.a.includes('dnc') }}",
			{ a: ['customer', 'DNC'] },
			{ a: 'Customer, DNC' },
		],
		[
			"={{ $json.a.includes('call') && $json.a.startsWith('stop') }}",
			{ a: 'Stop to call' },
			{ a: 'STOP calls' },
		],
		[
			"={{ $json['Do not call'] === 'Do not call' }}",
			{ 'Do not call': 'do not call' },
			{ 'Do not call': 'Do Not Call' },
		],
		[
			"={{ $json.a === 'opt-out' || $json.a === \"don't call\" }}",
			{ a: 'Opt-out' },
			{ a: "Don't call" },
		],
	])('which spell the word otherwise, and the row is not called: %s', async (optedOut, ...rows) => {
		expect(await run(optedOut, [...rows, { a: '', b: '', 'Do not call': '' }])).toEqual([
			'invalid',
			'invalid',
			'initiated',
		]);
	});

	itWithFunctions.each([
		"={{ [$json.a, $json.b].some((said) => said === 'yes') }}",
		"={{ [$json.a, $json.b].filter((said) => said === 'yes').length > 0 }}",
		"={{ [$json.a, $json.b].find((said) => said === 'yes') ?? 'no' }}",
	])('by a function for each, and the row is not called: %s', async (optedOut) => {
		const rows = [
			{ a: 'no', b: 'Yes' },
			{ a: 'Yes', b: 'no' },
			{ a: 'no', b: 'no' },
			{ a: 'Yes', b: 'yes' },
		];
		expect(await run(optedOut, rows)).toEqual(['invalid', 'invalid', 'initiated', 'do_not_call']);
	});

	itWithFunctions.each([
		'={{ [$json.a, $json.b].some((consent) => !consent) }}',
		"={{ [$json.a, $json.b].every((each) => each) ? 'no' : 'yes' }}",
	])(
		'whether each says something, and a row in which one says no is not called: %s',
		async (optedOut) => {
			const rows = [
				{ a: 'yes', b: 'no' },
				{ a: 'FALSE', b: 'yes' },
				{ a: 'yes', b: 'yes' },
				{ a: 'yes', b: '' },
			];
			expect(await run(optedOut, rows)).toEqual(['invalid', 'invalid', 'initiated', 'do_not_call']);
		},
	);

	itWithFunctions.each<[string, ...IDataObject[]]>([
		["={{ $json.a === 'US' && $json.b === 'yes' }}", { a: 'us', b: '' }, { a: 'us', b: 'no' }],
		["={{ $json.a === 'yes' ? 'no' : $json.b }}", { a: 'Yes', b: 'no' }, { a: 'Yes', b: '' }],
		["={{ $json.a ? 'no' : $json.b }}", { a: 'no', b: 'no' }, { a: 'FALSE', b: '' }],
		['={{ $json.a && $json.b }}', { a: 'no', b: '' }, { a: 'no', b: 'no' }],
		["={{ $json.a.includes('no') }}", { a: 'Not yet asked', b: '' }, { a: 'Norway', b: '' }],
		["={{ $json.a.includes('dnc') }}", { a: ['dnc-checked', 'callback'] }, { a: ['no dnc'] }],
		['={{ $json.a.includes(7) }}', { a: [17, 70] }, { a: [] }],
		[
			"={{ $json.a.map((tag) => tag.name).includes('call') }}",
			{ a: [{ name: 'Callback' }] },
			{ a: [{ name: 'no call' }] },
		],
		[
			"={{ $json.a.map((tag) => tag.name).indexOf('dnc') >= 0 }}",
			{ a: [{ name: 'DNC checked' }] },
			{ a: [{ name: 'no DNC' }] },
		],
		['={{ $json.a === 1 }}', { a: -1 }, { a: '-1' }],
		["={{ $json.a.includes('🚫') }}", { a: '' }, { a: 'vip' }],
		["={{ $json.a.startsWith('+1') }}", { a: '+33 1 42' }, { a: '' }],
		["={{ $json.a === 'C' }}", { a: 'C+' }, { a: 'c-' }],
		["={{ ({ 1: 'no', 2: 'yes' })[$json.a] }}", { a: 1 }, { a: '1' }],
		["={{ $json.note.includes('#stop') }}", { note: 'we could not stop the leak' }, { note: '' }],
		['={{ $json.a && $json.a > 2 }}', { a: '0' }, { a: '' }],
		["={{ $json.a.includes(' ') ? $json.a.trim() : $json.a }}", { a: '' }, { a: 'no' }],
		["={{ $json.a === ' ' ? 'yes' : 'no' }}", { a: '' }, { a: '  ' }],
		["={{ $json.a.includes('opt-out') }}", { a: 'we adopt outdoor dogs' }, { a: '' }],
		["={{ $json.a.includes(' - ') }}", { a: '2026-11-25' }, { a: '' }],
		["={{ $json.a && $json.b ? 'no' : 'yes' }}", { a: 'yes', b: true }, { a: 1, b: 'x' }],
		["={{ $json.a.includes('🇩🇪') }}", { a: 'Anna' }, { a: '' }],
		[
			"={{ $json.a.includes('dnc') && $json.b === 'yes' }}",
			{ a: ['DNC'], b: '' },
			{ a: 'DNC', b: 'no' },
		],
		[
			"={{ $json.a === 'opt_out' && $json.b === 'EU' }}",
			{ a: 'Opt_out', b: 'US' },
			{ a: 'opt_OUT', b: '' },
		],
	])(
		'of which one that spells the word otherwise decides nothing, and the row is called: %s',
		async (optedOut, ...rows) => {
			expect(await run(optedOut, rows)).toEqual(['initiated', 'initiated']);
		},
	);
});

it.each([
	[
		"={{ $json.cell === 'yes' }}",
		'Yes',
		'The option Opted Out compares "cell" with a word that the cell spells otherwise: "Yes".',
	],
	[
		'={{ !$json.cell }}',
		'no',
		'The option Opted Out counts any text in "cell" as true, also "no".',
	],
])('G11 the row tells how Opted Out took its cell: %s of %j', async (optedOut, cell, reason) => {
	const run = await bench.run(bulk({ options: { optedOut } }), [
		{ phone: phone(0), cell },
		{ phone: phone(1), cell: true },
	]);
	expect(run.json[0]!.reason).toBe(
		`${reason} Drag that column into Opted Out as it is: the option knows yes, TRUE, stop and the like.`,
	);
});

itWithFunctions(
	'G11 No-Call Dates of a row that are chosen by a word which its cell spells otherwise: the row is not called, and says so',
	async () => {
		const noCallDates =
			"={{ $json.region === 'bavaria' ? '2099-01-01' : $json.other === 'x' ? '2099-01-02' : '' }}";
		const regions = ['bavaria', 'Bavaria', 'hesse', ''].map((region, n) => ({
			phone: phone(n),
			region,
			other: n === 2 ? 'x' : '',
		}));
		const run = await bench.run(bulk({ options: { noCallDates } }), regions);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'initiated', 'initiated']);
		expect(run.json[1]!.reason).toBe(
			'The option No-Call Dates compares "region" with a word that the cell spells otherwise: "Bavaria". Compare in small letters: String(…).toLowerCase() === "east".',
		);
	},
);

itWithFunctions.each([
	['No-Call Dates', 'noCallDates', '2099-01-01', '2099-01-02'],
	['Time Zone', 'timeZone', 'Europe/Berlin', 'Europe/London'],
	['Time Zone', 'timeZone', 'Europe/Berlin', ''],
])(
	'G11 %s of a row that are others by a word which its cell spells otherwise: the row is not called',
	async (label, option, one, other) => {
		const chosen = `={{ $json.region === 'east' ? '${one}' : '${other}' }}`;
		const rows = ['east', 'East', 'west'].map((region, n) => ({ phone: phone(n), region }));
		const run = await bench.run(bulk({ options: { [option]: chosen } }), rows);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'initiated']);
		expect(run.json[1]!.reason).toContain(
			`The option ${label} compares "region" with a word that the cell spells otherwise: "East".`,
		);
	},
);

itWithFunctions(
	'G11 a no-call date that an Edit Fields chooses for each row by a word: a row that spells it otherwise is not called, the others are',
	async () => {
		const listBefore = ['DE', 'de', 'US'].map((country, n) => ({ phone: phone(n), country }));
		const rows = ['2099-01-01', '', ''].map((day, n) => ({ ...listBefore[n], day }));
		const value = "={{ $json.country === 'DE' ? '2099-01-01' : '' }}";
		const rowsSettings = {
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				includeOtherFields: true,
				assignments: { assignments: [{ id: '1', name: 'day', value, type: 'string' }] },
			},
		};
		const run = await bench.run(bulk({ options: { noCallDates: '={{ $json.day }}' } }), rows, {
			listBefore,
			listTaken: 'inTurns',
			rowsFrom: [0, 1, 2],
			rowsSettings,
		});
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'initiated']);
		expect(run.json[1]!.reason).toMatch(
			/^The step "Rows" compares "country" with a word that the cell spells otherwise: "de"/,
		);
	},
);

it('G11 an Edit Fields that asks first whether a cell holds something, and then for a word in it: who says no is called', async () => {
	const listBefore = ['yes', 'no', ''].map((dnc, n) => ({ phone: phone(n), dnc }));
	const value = "={{ $json.dnc && $json.dnc.trim().toLowerCase() === 'yes' }}";
	const rowsSettings = {
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			includeOtherFields: true,
			assignments: { assignments: [{ id: '1', name: 'out', value, type: 'boolean' }] },
		},
	};
	const rows = listBefore.map((row, n) => ({ ...row, out: n === 0 }));
	const host = { listBefore, listTaken: 'inTurns', rowsFrom: [0, 1, 2], rowsSettings } as const;
	const run = await bench.run(bulk({ options: { optedOut: '={{ $json.out }}' } }), rows, host);
	expect(statuses(run.json)).toEqual(['do_not_call', 'initiated', 'initiated']);
});

itWithFunctions(
	'G11 a list of No-Call Dates that is chosen by a word which a cell spells otherwise calls nobody',
	async () => {
		const listBefore = ['DE', 'De'].map((country, n) => ({ country, date: `2099-01-0${n + 1}` }));
		const noCallDates =
			"={{ $('List').all().filter((item) => item.json.country === 'DE').map((item) => item.json.date) }}";
		const run = await bench.run(bulk({ options: { noCallDates } }), contacts(1), { listBefore });
		expect(shown(run).message).toBe(
			'No-Call Dates compares "country" with a word that the cell spells otherwise: "De"',
		);
		expect(bench.dialed).toEqual([]);
	},
);

describe('G11 Opted Out and Time Zone look something up in a list', () => {
	const found = "$('List').all().find((item) => item.json.id === $json.id)?.json";
	itWithFunctions.each<[string, string, IDataObject[], string]>([
		[
			'optedOut',
			`={{ ${found}.dnc === 'yes' }}`,
			[{ dnc: 'yes' }, { dnc: 'Yes' }],
			'Opted Out compares "dnc" with a word that the cell spells',
		],
		[
			'optedOut',
			"={{ $('List').all().some((item) => item.json.id === $json.id && item.json.dnc === 'yes') }}",
			[{ dnc: 'yes' }, { dnc: 'YES' }],
			'Opted Out compares "dnc" with a word that the cell spells',
		],
		[
			'optedOut',
			`={{ ${found}.owner.opted }}`,
			[{ owner: { opted: 'no' } }, { owner: 'yes' }],
			'Opted Out takes "owner.opted" of a cell that',
		],
		[
			'timeZone',
			`={{ ${found}.loc.zone }}`,
			[{ loc: { zone: 'Europe/Berlin' } }, { loc: 'Europe/London' }],
			'Time Zone takes "loc.zone" of a cell that',
		],
	])(
		'of which one cell says it otherwise, and nobody is called: %s %s',
		async (option, value, list, message) => {
			const listBefore = list.map((each, id) => ({ id, ...each }));
			const people = contacts(2).map((row, id) => ({ ...row, id }));
			const run = await bench.run(bulk({ options: { [option]: value } }), people, { listBefore });
			expect(shown(run).message).toContain(message);
			expect(bench.dialed).toEqual([]);
		},
	);
});

describe('G11 a list for Do Not Call that is chosen by a word', () => {
	itWithFunctions.each([
		"$('List').first().json.people",
		"$('List').item.json.people",
		'$json.people',
	])(
		'in one cell (%s): where an entry spells the word otherwise, nobody is called',
		async (list) => {
			const people = [
				{ phone: phone(0), dnc: 'yes' },
				{ phone: phone(1), dnc: 'Yes' },
			];
			const doNotCall = `={{ ${list}.filter((each) => each.dnc === 'yes').map((each) => each.phone) }}`;
			const run = await bench.run(
				bulk({ options: { doNotCall } }),
				contacts(2).map((row) => ({ ...row, people })),
				{ listBefore: [{ people }] },
			);
			expect(shown(run).message).toBe(
				'Do Not Call compares "people.dnc" with a word that the cell spells otherwise: "Yes"',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	const numbersWhere = (condition: string): string =>
		`={{ $('List').all().filter((item) => ${condition}).map((item) => item.json.phone) }}`;
	const run = async (condition: string, cells: unknown[]) =>
		await bench.run(bulk({ options: { doNotCall: numbersWhere(condition) } }), contacts(2), {
			listBefore: cells.map((cell, n) => ({ phone: phone(n), cell })) as IDataObject[],
		});

	itWithFunctions.each([
		[
			"item.json.cell === 'yes'",
			['yes', 'Yes'],
			'Do Not Call compares "cell" with a word that the cell spells otherwise: "Yes"',
		],
		[
			"item.json.cell == 'true'",
			['true', true],
			'Do Not Call compares "cell" with a word that the cell spells otherwise: "true"',
		],
		['!item.json.cell', ['', 'No'], 'Do Not Call counts any text in "cell" as true, also "No"'],
		[
			"!(item.json.cell !== '' && item.json.cell !== null)",
			['', 'No'],
			'Do Not Call counts any text in "cell" as true, also "No"',
		],
	])(
		'which one of its cells spells otherwise, calls nobody: %s',
		async (condition, cells, message) => {
			expect(shown(await run(condition, cells)).message).toBe(message);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions.each([
		["item.json.cell === 'yes'", ['no', 'yes']],
		["['yes', 'Yes'].includes(item.json.cell)", ['', 'Yes']],
		["String(item.json.cell).toLowerCase() === 'yes'", ['', 'YES']],
		['item.json.cell', ['', 'Yes']],
	])('is asked where its cells are spelled like that: %s', async (condition, cells) => {
		expect(statuses((await run(condition, cells)).json)).toEqual(['initiated', 'do_not_call']);
	});
});
