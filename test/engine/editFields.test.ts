import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { itWithFunctions } from './helpers/readsFunctions';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { bulk, contacts, phone, shown } from './helpers/workflows';

// What the node is told by an Edit Fields between the sheet and itself, as each version of it stores what it makes of a column.

const bench = workbench();
storeForEach();
const statuses = (rows: IDataObject[]): unknown[] => rows.map(({ status }) => status);

const sheet = [0, 1].map((n) => ({ phone: phone(n), 'Opt-out': n === 0 ? 'no' : 'yes' }));
const behindSheet = { listBefore: sheet, listTaken: 'inTurns', rowsFrom: [0, 1] } as const;
const rowsWith = (more: IDataObject): IDataObject[] =>
	sheet.map(({ phone: number }) => ({ phone: number, ...more }));

type Version = (name: string, value: string) => Partial<INode>;
const SET = 'n8n-nodes-base.set';
const assigned: Version = (name, value) => ({
	type: SET,
	typeVersion: 3.4,
	parameters: { assignments: { assignments: [{ id: '1', name, value, type: 'string' }] } },
});
/** An Edit Fields that gives these items. */
const giving = (items: IDataObject[], edit: Partial<INode>): Partial<INode> => ({
	...edit,
	parameters: { ...edit.parameters, gives: JSON.stringify(items) },
});
const versions: Array<[string, Version]> = [
	['3.4', assigned],
	[
		'3.2',
		(name, value) => ({
			type: SET,
			typeVersion: 3.2,
			parameters: { fields: { values: [{ name, type: 'stringValue', stringValue: value }] } },
		}),
	],
	[
		'2',
		(name, value) => ({
			type: SET,
			typeVersion: 2,
			parameters: { values: { string: [{ name, value }] } },
		}),
	],
	[
		'3.4, as JSON',
		(name, value) => ({
			type: SET,
			parameters: {
				mode: 'raw',
				jsonOutput: `={ "phone": "{{ $json.phone }}", "${name}": "${value.slice(1)}" }`,
			},
		}),
	],
	[
		'3.4, as an object',
		(name, value) => ({
			type: SET,
			parameters: {
				mode: 'raw',
				jsonOutput: `={{ { phone: $json.phone, ${name}: ${value.replace(/^=\{\{|\}\}$/g, '')} } }}`,
			},
		}),
	],
];

describe.each(versions)('a column that an Edit Fields of version %s makes', (_, version) => {
	const optedOut = bulk({ options: { optedOut: '={{ $json.out }}' } });

	it.each([
		["={{ $json['Opted out'] === 'yes' }}", false],
		["={{ $json['Opted out'] }}", ''],
		["={{ $('List').item.json['Opted out'] }}", ''],
		["={{ $json['Opted out'] ?? '' }}", ''],
	])('G11 of one that was renamed in the sheet, by %s: nobody is called', async (value, out) => {
		const run = await bench.run(optedOut, rowsWith({ out }), {
			...behindSheet,
			rowsSettings: version('out', value),
		});
		expect(shown(run).message).toMatch(
			/^(?:No item of the step "List" has the column "Opted out", of which the step "Rows" makes )?Opted Out/m,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('of one that is there and empty: everybody is called', async () => {
		const empty = sheet.map((row) => ({ ...row, 'Opt-out': '' }));
		const more = {
			...behindSheet,
			listBefore: empty,
			rowsSettings: version('out', "={{ $json['Opt-out'] }}"),
		};
		expect(statuses((await bench.run(optedOut, rowsWith({ out: '' }), more)).json)).toEqual([
			'initiated',
			'initiated',
		]);
	});

	it('G8 of one that was renamed, for Remember People By: nobody is called again', async () => {
		const parameters = bulk({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.key }}' } });
		const run = await bench.run(parameters, rowsWith({ key: 'undefined' }), {
			...behindSheet,
			rowsSettings: version('key', '={{ $json.Invoice }}'),
		});
		expect(shown(run).message).toBe(
			'No item of the step "List" has the column "Invoice", of which the step "Rows" makes Remember People By',
		);
		expect(bench.dialed).toEqual([]);
	});
});

describe('an Edit Fields', () => {
	const optedOut = (expression: string): INodeParameters =>
		bulk({ options: { optedOut: expression } });

	it('G11 makes both columns of which one serves for the other of ones that are not there: nobody is called', async () => {
		const both = [assigned('a', '={{ $json.typo }}'), assigned('b', '={{ $json.typo2 }}')].flatMap(
			({ parameters }) =>
				(parameters!.assignments as { assignments: INodeParameters[] }).assignments,
		);
		const rowsSettings = { type: SET, parameters: { assignments: { assignments: both } } };
		const run = await bench.run(
			optedOut('={{ $json.a || $json.b }}'),
			rowsWith({ a: null, b: null }),
			{ ...behindSheet, rowsSettings },
		);
		expect(shown(run).message).toContain(
			'has the column "typo", of which the step "Rows" makes Opted Out',
		);
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		['who', "={{ { out: $json['Opted out'] === 'yes' } }}"],
		['who.out', "={{ $json['Opted out'] === 'yes' }}"],
		['who["out"]', "={{ $json['Opted out'] === 'yes' }}"],
	])(
		'G11 makes a column in another one (%s) of one that is not there: nobody is called',
		async (name, value) => {
			const more = { ...behindSheet, rowsSettings: assigned(name, value) };
			const run = await bench.run(
				optedOut('={{ $json.who.out }}'),
				rowsWith({ who: { out: false } }),
				more,
			);
			expect(shown(run).message).toContain('"Opted out", of which the step "Rows" makes Opted Out');
			expect(bench.dialed).toEqual([]);
		},
	);

	it('G11 that makes the column is deactivated, and the sheet has an empty one of that name: nobody is called', async () => {
		const rowsSettings = { ...assigned('out', "={{ $json['Opt-out'] }}"), disabled: true };
		const run = await bench.run(optedOut('={{ $json.out }}'), rowsWith({ out: '' }), {
			...behindSheet,
			rowsSettings,
		});
		expect(shown(run).message).toBe(
			'Opted Out takes what the step "Rows" says, which is deactivated, or could not do its work',
		);
		expect(bench.dialed).toEqual([]);
	});

	it('G11 makes a column with an apostrophe in its name of one that is not there: nobody is called', async () => {
		const run = await bench.run(
			optedOut('={{ $json["Don\'t call"] }}'),
			rowsWith({ "Don't call": false }),
			{
				...behindSheet,
				rowsSettings: assigned("Don't call", "={{ $json.Optout === 'yes' }}"),
			},
		);
		expect(shown(run).message).toMatch(
			/has the column "Optout", of which the step "Rows" makes Opted Out$/,
		);
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		'={{ $itemIndex }}',
		'={{ $json.row_number }}',
		'={{ $execution.id }}',
		"={{ $now.toFormat('mm') }}",
	])('G8 makes a key of what is another one in each run (%s): nobody is called', async (value) => {
		const parameters = bulk({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.key }}' } });
		const listBefore = sheet.map((row, n) => ({ ...row, row_number: n + 2 }));
		for (const [, version] of versions) {
			const run = await bench.run(parameters, rowsWith({ key: '1' }), {
				...behindSheet,
				listBefore,
				rowsSettings: version('key', value),
			});
			expect(shown(run).message).toMatch(/^Remember People By (?:holds|may hold) the /);
		}
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		["={{ $json['Opt-out'] === 'yes' }}", 'YES'],
		["={{ !$json['Opt-out'] }}", 'No'],
	])(
		'G11 compares a cell that says so in another spelling: that row is not called, %s of %j',
		async (value, cell) => {
			const listBefore = [
				{ phone: phone(0), 'Opt-out': cell },
				{ phone: phone(1), 'Opt-out': value.includes('!') ? true : 'no' },
			] as IDataObject[];
			const rows = listBefore.map((row) => ({ phone: row.phone, out: false })) as IDataObject[];
			const run = await bench.run(bulk({ options: { optedOut: '={{ $json.out }}' } }), rows, {
				...behindSheet,
				listBefore,
				rowsSettings: assigned('out', value),
			});
			expect(statuses(run.json)).toEqual(['invalid', 'initiated']);
		},
	);

	describe('asks something of a cell that it does not have, and n8n leaves the field empty', () => {
		const cells = [
			{ phone: phone(0), 'Opt-out': 'no' },
			{ phone: phone(1), 'Opt-out': true },
		];
		const trimmed = (...values: unknown[]) =>
			[
				values.map((out, n) => ({ phone: phone(n), out }) as IDataObject),
				{ ...behindSheet, listBefore: cells as IDataObject[] },
			] as const;

		it('G11 for Opted Out: whom it does not fit is not called', async () => {
			const [rows, more] = trimmed('no', null);
			const run = await bench.run(optedOut('={{ $json.out }}'), rows, {
				...more,
				rowsSettings: assigned('out', "={{ $json['Opt-out'].trim() }}"),
			});
			expect(statuses(run.json)).toEqual(['initiated', 'invalid']);
			expect(run.json[1]!.reason).toContain(
				'An expression in the step "Rows" could not be resolved (a cell that it takes is empty, or a number where it expects text: "$json[\'Opt-out\'].trim()")',
			);
		});

		it('G8 for a part of Remember People By: whom it does not fit is not called', async () => {
			const [rows, more] = trimmed(`no ${phone(0)}`, ` ${phone(1)}`);
			const parameters = bulk({
				mode: 'dryRun',
				calledBefore: 'skip',
				options: { callOnceKey: '={{ $json.out }}' },
			});
			const run = await bench.run(parameters, rows, {
				...more,
				rowsSettings: assigned('out', "={{ $json['Opt-out'].trim() }} {{ $json.phone }}"),
			});
			expect(statuses(run.json)).toEqual(['dry_run', 'invalid']);
		});

		it.each(["={{ $('Rows').item.json.out }}", '={{ $json.out }}'])(
			'G11 for Opted Out (%s): nor is another row of that person',
			async (expression) => {
				const [rows, more] = trimmed(null, 'no');
				const listBefore = [
					{ phone: phone(0), 'Opt-out': true },
					{ phone: phone(0), 'Opt-out': 'no' },
				];
				const parameters = bulk({
					destination: `={{ "${phone(0)}" }}`,
					options: { optedOut: expression },
				});
				const run = await bench.run(parameters, rows, {
					...more,
					listBefore,
					rowsSettings: assigned('out', "={{ $json['Opt-out'].trim() }}"),
				});
				expect(statuses(run.json)).toEqual(['invalid', 'do_not_call']);
			},
		);

		it.each<[string, string, Partial<INode>]>([
			['in it', '={{ $json.out }}', assigned('out', "={{ $json['Opt-out'].trim() }}")],
			['in the node', "={{ $('List').item.json['Opt-out'].trim() }}", {}],
		])(
			'G11 for No-Call Dates (%s): nor is another row of that person',
			async (_, noCallDates, rowsSettings) => {
				const [rows, more] = trimmed(null, '2026-12-25');
				const listBefore = [
					{ phone: phone(0), 'Opt-out': 20261225 },
					{ phone: phone(0), 'Opt-out': '2026-12-25' },
				];
				const parameters = bulk({ destination: `={{ "${phone(0)}" }}`, options: { noCallDates } });
				const run = await bench.run(parameters, rows, {
					...more,
					listBefore,
					rowsSettings,
					onError: 'continueRegularOutput',
				});
				expect(statuses(run.json)).toEqual(['invalid', 'invalid']);
				expect(bench.dialed).toEqual([]);
			},
		);

		it('an empty cell says nothing: called', async () => {
			const listBefore = [{ phone: phone(0) }, { phone: phone(1), 'Opt-out': '' }];
			const [rows, more] = trimmed(null, '');
			const rowsSettings = assigned('out', "={{ $json['Opt-out'].trim() }}");
			const run = await bench.run(optedOut('={{ $json.out }}'), rows, {
				...more,
				listBefore,
				rowsSettings,
			});
			expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
		});

		it('nor is a row that it fits kept back, though it says nothing of it', async () => {
			const [rows, more] = trimmed(null, 'yes');
			const value = "={{ String($json['Opt-out']).includes('true') ? 'yes' : null }}";
			const run = await bench.run(optedOut('={{ $json.out }}'), rows, {
				...more,
				rowsSettings: assigned('out', value),
			});
			expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
		});
	});

	itWithFunctions.each(["={{ $json.phone.replaceAll(' ', '') }}", '=+{{ $json.phone.slice(1) }}'])(
		'cleans the numbers of the list for Do Not Call (%s): who is on it is not called, the others are',
		async (value) => {
			const numbers = [phone(0), phone(5)];
			const parameters = bulk({
				options: { doNotCall: "={{ $('List').all().map((item) => item.json.p) }}" },
			});
			const run = await bench.run(parameters, rowsWith({}), {
				listBefore: numbers.map((each) => ({ phone: `${each.slice(0, 5)} ${each.slice(5)}` })),
				listReads: {
					gives: [],
					settings: giving(
						numbers.map((p) => ({ p })),
						assigned('p', value),
					),
				},
			});
			expect(run.json.map(({ status, reason }) => [status, reason])).toEqual([
				['do_not_call', 'On the Do Not Call list'],
				['initiated', null],
			]);
		},
	);

	itWithFunctions.each<[string, string, IDataObject[], string]>([
		[
			'each of the list',
			'={{ $json.phone.trim() }}',
			[{ p: null }, { p: phone(5) }],
			"={{ $('List').all().map((item) => item.json.p).filter(Boolean) }}",
		],
		[
			'the list, joined',
			"={{ $input.all().map((i) => i.json.phone.trim()).join(',') }}",
			[{ p: null }],
			"={{ $('List').first().json.p }}",
		],
	])(
		'trims %s for Do Not Call, and one number is no text: nobody is called',
		async (_, value, gives, doNotCall) => {
			const run = await bench.run(bulk({ options: { doNotCall } }), rowsWith({}), {
				listBefore: [{ phone: 15550101000 }, { phone: phone(5) }],
				listReads: { gives: [], settings: giving(gives, assigned('p', value)) },
			});
			expect(shown(run).message).toBe(
				'Do Not Call takes "p", which the step "List" has left empty where its expression does not fit a cell',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'is given a list of thousands of empty cells, and hands on one less: no cell is looked at again and again',
		async () => {
			const readsOf = async (size: number): Promise<number> => {
				let reads = 0;
				const listBefore = Array.from({ length: size }, () =>
					Object.defineProperty({}, 'phone', { enumerable: true, get: () => (reads++, '') }),
				);
				const gives = Array.from({ length: size - 1 }, () => ({ p: null }));
				const parameters = bulk({
					options: {
						doNotCall: "={{ $('List').all().map((item) => item.json.p).filter(Boolean) }}",
					},
				});
				const run = await bench.run(parameters, rowsWith({}), {
					listBefore,
					listReads: {
						gives: [],
						settings: giving(gives, assigned('p', '={{ $json.phone.trim() }}')),
					},
				});
				expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
				return reads;
			};
			expect(await readsOf(2_000)).toBeLessThan(2.5 * (await readsOf(1_000)));
		},
	);

	itWithFunctions.each([
		"={{ $('Start').item.json.phone ? $('Start').item.json.phone.trim() : '' }}",
		"={{ ($('Start').item.json.phone || '').trim() }}",
	])(
		'trims the column of an earlier step, and a number is no text: nobody is called (%s)',
		async (value) => {
			const run = await bench.run(
				bulk({
					options: {
						doNotCall: "={{ $('List').all().map((item) => item.json.p).filter(Boolean) }}",
					},
				}),
				rowsWith({}),
				{
					listBefore: [{ phone: 15550101000 }, { phone: phone(5) }],
					listReads: {
						gives: 'its input',
						behind: { step: giving([{ p: null }, { p: phone(5) }], assigned('p', value)) },
					},
				},
			);
			expect(shown(run).message).toBe(
				'Do Not Call takes "p", which the step "List" has left empty where its expression does not fit a cell',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	describe('makes the list for Do Not Call', () => {
		const asked = async (value: string, listBefore: IDataObject[], gives: IDataObject[]) =>
			await bench.run(
				bulk({
					options: {
						doNotCall: "={{ $('List').all().map((item) => item.json.p).filter(Boolean) }}",
					},
				}),
				rowsWith({}),
				{
					listBefore,
					listReads: { gives: [], settings: giving(gives, assigned('p', value)) },
				},
			);

		itWithFunctions(
			'G11 with a blank beside the expression, which is all that is left of a number: nobody is called',
			async () => {
				const run = await asked(
					'={{ $json.phone.trim() }} ',
					[{ phone: 15550101000 }, { phone: phone(5) }],
					[{ p: ' ' }, { p: `${phone(5)} ` }],
				);
				expect(shown(run).message).toBe(
					'Do Not Call takes "p", which the step "List" has left empty where its expression does not fit a cell',
				);
				expect(bench.dialed).toEqual([]);
			},
		);

		itWithFunctions.each([
			"={{ $json.phone.trim() || '' }}",
			"={{ ($json.phone ?? '').trim() }}",
			"={{ $json.phone ? $json.phone.trim() : '' }}",
			'={{ $json.phone && $json.phone.trim() }}',
		])(
			'G11 allowing for empty cells (%s), and one number is no text: nobody is called',
			async (value) => {
				const listBefore = [{ phone: 15550101000 }, { phone: '' }, { phone: phone(5) }];
				const run = await asked(value, listBefore, [{ p: null }, { p: '' }, { p: phone(5) }]);
				expect(shown(run).message).toBe(
					'Do Not Call takes "p", which the step "List" has left empty where its expression does not fit a cell',
				);
				expect(bench.dialed).toEqual([]);
			},
		);

		itWithFunctions.each([
			[
				'={{ $json.note.match(/\\+\\d+/)?.[0] }}',
				{ note: 'no number' },
				{ note: `stop ${phone(0)}` },
			],
			["={{ $json.note.split(',')[1] }}", { note: phone(5) }, { note: `${phone(5)},${phone(0)}` }],
			[
				"={{ $json.note.find((each) => each.startsWith('+1')) }}",
				{ note: ['+49'] },
				{ note: [phone(0)] },
			],
		])(
			'finding nothing in some cells, which it fits (%s): who is not on it is called',
			async (value, nothing, something) => {
				const run = await asked(value, [nothing, something], [{ p: null }, { p: phone(0) }]);
				expect(statuses(run.json)).toEqual(['do_not_call', 'initiated']);
			},
		);

		itWithFunctions(
			'copying its cells, of which one is empty: who is not on it is called',
			async () => {
				const run = await asked(
					'={{ $json.phone }}',
					[{ phone: phone(0) }, { phone: null }, { phone: phone(5) }],
					[{ p: null }, { p: phone(0) }],
				);
				expect(statuses(run.json)).toEqual(['do_not_call', 'initiated']);
			},
		);
	});

	itWithFunctions(
		'G11 trims the list for Do Not Call, which an Aggregate then brings together, and one number is no text: nobody is called',
		async () => {
			const run = await bench.run(
				bulk({ options: { doNotCall: "={{ $('List').first().json.phone }}" } }),
				rowsWith({}),
				{
					listBefore: [{ phone: 15550101000 }, { phone: phone(5) }],
					listReads: {
						gives: [],
						settings: giving(
							[{ phone: null }, { phone: phone(5) }],
							assigned('phone', "={{ ($json.phone || '').trim() }}"),
						),
						behind: 'aggregate',
					},
				},
			);
			expect(shown(run).message).toBe(
				'Do Not Call takes "phone", which the step "Read" has left empty where its expression does not fit a cell',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions.each([
		"={{ $('List').all().map((item) => (item.json.phone || '').trim()).join(',') }}",
		"={{ $('List').all().map((item) => item.json.phone.trim()) || [] }}",
	])(
		'G11 puts the list for Do Not Call into each row (%s), and one number is no text: nobody is called',
		async (value) => {
			const run = await bench.run(
				bulk({ options: { doNotCall: '={{ $json.dnc }}' } }),
				rowsWith({ dnc: null }),
				{
					listBefore: [{ phone: 15550101000 }, { phone: phone(5) }],
					listTaken: 'inTurns',
					rowsFrom: [0, 1],
					rowsSettings: assigned('dnc', value),
				},
			);
			expect(run.error).toBeDefined();
			expect(bench.dialed).toEqual([]);
		},
	);

	it('makes two columns of a list of destinations, and one is empty: the other number is called', async () => {
		const parameters = bulk({
			destinationSource: 'list',
			destinationList: {
				destination: [{ phone: '={{ $json.mobile }}' }, { phone: '={{ $json.home }}' }],
			},
		});
		const value = (name: string): string => `={{ $json.${name}.trim() }}`;
		const run = await bench.run(parameters, [{ mobile: null, home: phone(0) }], {
			listBefore: [{ mobile: null, home: phone(0) }],
			listTaken: 'inTurns',
			rowsFrom: [0],
			rowsSettings: {
				type: SET,
				parameters: {
					assignments: {
						assignments: ['mobile', 'home'].map((name) => ({
							id: name,
							name,
							value: value(name),
							type: 'string',
						})),
					},
				},
			},
		});
		expect(statuses(run.json)).toEqual(['invalid', 'initiated']);
	});

	it('G11 asks for something in a cell that is text: that row is not called', async () => {
		const listBefore = [
			{ phone: phone(0), crm: 'STOP' },
			{ phone: phone(1), crm: { calls: 'no' } },
		] as IDataObject[];
		const rows = [
			{ phone: phone(0), out: null },
			{ phone: phone(1), out: 'no' },
		];
		const run = await bench.run(optedOut('={{ $json.out }}'), rows, {
			...behindSheet,
			listBefore,
			rowsSettings: assigned('out', '={{ $json.crm.calls.trim() }}'),
		});
		expect(statuses(run.json)).toEqual(['invalid', 'initiated']);
	});

	itWithFunctions(
		'leaves out on purpose whom the list for Do Not Call does not mean: these are called',
		async () => {
			const run = await bench.run(
				bulk({
					options: {
						doNotCall: "={{ $('List').all().map((item) => item.json.p).filter(Boolean) }}",
					},
				}),
				rowsWith({}),
				{
					listBefore: [
						{ phone: phone(0), out: 'yes' },
						{ phone: phone(1), out: 'no' },
					],
					listReads: {
						gives: [],
						settings: giving(
							[{ p: phone(0) }, { p: null }],
							assigned('p', "={{ $json.out === 'yes' ? $json.phone : null }}"),
						),
					},
				},
			);
			expect(statuses(run.json)).toEqual(['do_not_call', 'initiated']);
		},
	);

	it('makes a column with a dot in its name, which is no place (Support Dot Notation is off): it is looked up', async () => {
		const rowsSettings = assigned('Opted.Out', "={{ $json['Opted out'] }}");
		Object.assign(rowsSettings.parameters ?? {}, { options: { dotNotation: false } });
		const run = await bench.run(
			optedOut("={{ $json['Opted.Out'] }}"),
			rowsWith({ 'Opted.Out': null }),
			{ ...behindSheet, rowsSettings },
		);
		expect(shown(run).message).toContain('"Opted out", of which the step "Rows" makes Opted Out');
	});

	it('is deactivated, as it was for tests, and the sheet has the column itself: who has not opted out is called', async () => {
		const rowsSettings = { ...assigned('out', 'no'), disabled: true };
		const rows = sheet.map((row) => ({ phone: row.phone, out: row['Opt-out'] }));
		const run = await bench.run(optedOut('={{ $json.out }}'), rows, {
			...behindSheet,
			listBefore: rows,
			rowsSettings,
		});
		expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
	});

	it.each([
		['makes another column as JSON', { mode: 'raw', jsonOutput: '={ "name": "{{ $json.zzz }}" }' }],
		[
			'makes one of that name in another one',
			{ mode: 'raw', jsonOutput: '={ "lead": { "out": "{{ $json.zzz }}" } }' },
		],
		[
			'makes one of that name in another one, as an object',
			{ mode: 'raw', jsonOutput: '={{ { ...$json, lead: { out: $json.zzz } } }}' },
		],
	])('%s: the column is that of the sheet', async (_, parameters) => {
		const rows = sheet.map((row) => ({ phone: row.phone, out: row['Opt-out'] }));
		const more = {
			...behindSheet,
			listBefore: rows,
			rowsSettings: { type: SET, parameters } as Partial<INode>,
		};
		expect(statuses((await bench.run(optedOut('={{ $json.out }}'), rows, more)).json)).toEqual([
			'initiated',
			'do_not_call',
		]);
	});

	itWithFunctions(
		'asks a list in the row itself, behind a step that stops at its Limit: who may be called is called',
		async () => {
			const rows = sheet.map((row, n) => ({ phone: row.phone, tags: n === 0 ? [] : ['dnc'] }));
			const run = await bench.run(
				optedOut('={{ $json.out }}'),
				rows.slice(0, 1).map((row) => ({ ...row, out: false })),
				{
					listBefore: [{}],
					listTaken: 'inTurns',
					rowsFrom: [0],
					listReads: { gives: rows.slice(0, 1), settings: { type: 'n8n-nodes-base.limit' } },
					rowsSettings: assigned('out', "={{ $json.tags.includes('dnc') }}"),
				},
			);
			expect(statuses(run.json)).toEqual(['initiated']);
		},
	);

	itWithFunctions('looks up one number for each row: each row has its own Opted Out', async () => {
		const parameters = bulk({
			destinationSource: 'json',
			destinationsJson: '={{ [{ phone: $json.tel }] }}',
			options: { optedOut: '={{ $json.out }}' },
		});
		const rows = sheet.map((row) => ({ tel: row.phone, out: row['Opt-out'] }));
		const rowsSettings = assigned(
			'tel',
			"={{ $('List').all().find((i) => i.json.phone === $json.phone).json.phone }}",
		);
		expect(
			statuses((await bench.run(parameters, rows, { ...behindSheet, rowsSettings })).json),
		).toEqual(['initiated', 'do_not_call']);
	});

	it('takes a cell by its place, and a Filter stands behind it: it is not worked out once more', async () => {
		const listBefore = [{ phone: 5 }, { phone: phone(1) }];
		const rowsSettings = assigned('phone', '=+{{ $node["List"].json.phone.slice(1) }}');
		const run = await bench.run(bulk(), [{ phone: phone(1) }], {
			listBefore,
			listTaken: 'inTurns',
			rowsFrom: [1],
			rowsSettings,
		});
		expect(statuses(run.json)).toEqual(['initiated']);
	});

	itWithFunctions(
		'G11 puts a list that stops at its Limit into each row, for Do Not Call: nobody is called',
		async () => {
			const numbers = Array.from({ length: 50 }, (_, n) => ({ phone: phone(100 + n) }));
			const run = await bench.run(
				bulk({ options: { doNotCall: '={{ $json.dnc }}' } }),
				rowsWith({ dnc: numbers.map((each) => each.phone) }),
				{
					listBefore: [{}],
					listTaken: 'inTurns',
					rowsFrom: [0, 0],
					listReads: {
						gives: numbers,
						settings: {
							type: 'n8n-nodes-base.dataTable',
							parameters: { limit: 50, gives: JSON.stringify(numbers) },
						},
					},
					rowsSettings: assigned('dnc', "={{ $('List').all().map((item) => item.json.phone) }}"),
				},
			);
			expect(shown(run).message).toBe(
				'Do Not Call takes the list of the step "List", which stops at its Limit of 50',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions.each(["i.json.nr ?? ''", 'i.json.nr'])(
		'G11 puts a list of a column that is not there into each row (%s), for Do Not Call: nobody is called',
		async (entry) => {
			const run = await bench.run(
				bulk({ options: { doNotCall: '={{ $json.dnc }}' } }),
				rowsWith({ dnc: ['', ''] }),
				{
					...behindSheet,
					rowsSettings: assigned('dnc', `={{ $('List').all().map((i) => ${entry}) }}`),
				},
			);
			expect(shown(run).message).toContain('Do Not Call');
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'G11 makes the list of destinations of all rows, and Opted Out is of one of them: nobody is called',
		async () => {
			const parameters = bulk({
				destinationSource: 'json',
				destinationsJson: '={{ $json.people }}',
				options: { optedOut: '={{ $json.out }}' },
			});
			const run = await bench.run(
				parameters,
				[{ out: 'no', people: sheet.map((row) => row.phone) }],
				{
					...behindSheet,
					rowsFrom: [0],
					rowsSettings: assigned('people', "={{ $('List').all().map((i) => i.json.phone) }}"),
				},
			);
			expect(shown(run).message).toBe('Opted Out is read from the input item, not from the list');
			expect(bench.dialed).toEqual([]);
		},
	);
});

describe('an Aggregate brings a column of the list for Do Not Call together', () => {
	const fieldsToAggregate = { fieldToAggregate: [{ fieldToAggregate: 'phone' }] };
	const settings: Partial<INode> = {
		type: 'n8n-nodes-base.aggregate',
		parameters: { fieldsToAggregate },
	};
	const parameters = bulk({ options: { doNotCall: "={{ $('List').first().json.phone }}" } });
	const listed = async (listBefore: IDataObject[]) =>
		await bench.run(parameters, rowsWith({}), { listBefore, listReads: { gives: [], settings } });

	it('G11 which was renamed in the list: nobody is called', async () => {
		expect(shown(await listed([{ Phone: phone(0) }])).message).toBe(
			'No item of the step "Start" has the column "phone", of which the step "List" makes Do Not Call',
		);
		expect(bench.dialed).toEqual([]);
	});

	const aggregated = async (
		name: string,
		rename: string,
		listBefore: IDataObject[],
		options: object = {},
	) =>
		await bench.run(
			bulk({
				options: { doNotCall: `={{ $('List').first().json[${JSON.stringify(rename || name)}] }}` },
			}),
			rowsWith({}),
			{
				listBefore,
				listReads: {
					gives: [],
					settings: {
						type: 'n8n-nodes-base.aggregate',
						parameters: {
							fieldsToAggregate: {
								fieldToAggregate: [
									{
										fieldToAggregate: name,
										...(rename ? { renameField: true, outputFieldName: rename } : {}),
									},
								],
							},
							options,
						} as INodeParameters,
					},
				},
			},
		);

	it.each(["Customer's phone", 'Tel.', 'Handy-Nr.', 'Phone [mobile]'])(
		'which is named %s, under another name: who is on it is not called',
		async (name) => {
			const run = await aggregated(name, 'phones', [{ [name]: phone(0) }]);
			expect(statuses(run.json)).toEqual(['do_not_call', 'initiated']);
		},
	);

	it.each([
		["Customer's fone", {}],
		['Tel. privt', { disableDotNotation: true }],
	])('G11 which is misspelt (%s): nobody is called', async (name, options) => {
		expect(shown(await aggregated(name, '', [{ phone: phone(0) }], options)).message).toMatch(
			/has the column ".*", of which the step "List" makes Do Not Call$/,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('of a list that is empty: everybody is called', async () => {
		expect(statuses((await listed([{}])).json)).toEqual(['initiated', 'initiated']);
	});

	it('which is there: who is on it is not called', async () => {
		expect(statuses((await listed([{ phone: phone(0) }])).json)).toEqual([
			'do_not_call',
			'initiated',
		]);
	});
});

describe('a Retry takes what the Edit Fields gave before somebody changed it', () => {
	const parameters = bulk({ options: { optedOut: '={{ $json.out }}' } });
	const CHANGED = 'The step "Rows" was changed since, and a Retry takes what it gave before';
	const try1 = async (
		rows: IDataObject[],
		rowsSettings: Partial<INode>,
		more: object = {},
		changed = parameters,
	) => await bench.run(changed, rows, { ...behindSheet, ...more, rowsSettings });
	const retry = async (
		first: Finished,
		rows: IDataObject[],
		rowsSettings: Partial<INode>,
		more: object = {},
		changed = parameters,
	) =>
		await bench.run(changed, rows, {
			...behindSheet,
			...more,
			rowsSettings,
			retryOf: first,
			withSavedWorkflow: true,
			executionId: 'retry',
		});

	it.each([
		["={{ $json['Opted out'] }}", null],
		["={{ $json['Opted out'] ?? '' }}", ''],
	])(
		'G4 its column was misspelt (%s): nobody is called, and the message says what to press',
		async (value, out) => {
			const rows = rowsWith({ out });
			const first = await try1(rows, assigned('out', value));
			expect(first.error).toBeDefined();
			const again = await retry(first, rows, assigned('out', "={{ $json['Opt-out'] }}"));
			expect(shown(again).message).toBe(CHANGED);
			expect(shown(again).description).toMatch(
				/^To go on as it began, choose Retry with original workflow on the first execution\./,
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('G4 another option could not be used, either, and both were corrected: nobody is called', async () => {
		const rows = rowsWith({ out: null });
		const unusable = bulk({ options: { optedOut: '={{ $json.out }}', maxCalls: -5 } });
		const first = await try1(rows, assigned('out', "={{ $json['Opted out'] }}"), {}, unusable);
		expect(shown(first).message).toMatch(/Max Calls/);
		expect(
			shown(await retry(first, rows, assigned('out', "={{ $json['Opt-out'] }}"))).message,
		).toBe(CHANGED);
		expect(bench.dialed).toEqual([]);
	});

	it('G4 one of two cells that it did not fit was seen to: that person is not called', async () => {
		const listBefore = [
			{ phone: phone(0), 'Opt-out': true },
			{ phone: phone(1), 'Opt-out': 1 },
		] as IDataObject[];
		const rows = rowsWith({ out: null });
		const first = await try1(rows, assigned('out', "={{ $json['Opt-out'].trim() }}"), {
			listBefore,
		});
		const half = assigned(
			'out',
			"={{ $json['Opt-out'] === true ? 'yes' : $json['Opt-out'].trim() }}",
		);
		expect(shown(await retry(first, rows, half, { listBefore })).message).toBe(CHANGED);
		expect(bench.dialed).toEqual([]);
	});

	it('nothing of it was changed: the rows that it fits are called, and no other', async () => {
		const listBefore = [
			{ phone: phone(0), 'Opt-out': 'no' },
			{ phone: phone(1), 'Opt-out': true },
		] as IDataObject[];
		const rows = [
			{ phone: phone(0), out: 'no' },
			{ phone: phone(1), out: null },
		];
		const trimmed = assigned('out', "={{ $json['Opt-out'].trim() }}");
		bench.sandbox.fault({ kind: 'dailyLimit', times: 1 });
		const first = await try1(rows, trimmed, { listBefore });
		expect(first.error).toBeDefined();
		expect(statuses((await retry(first, rows, trimmed, { listBefore })).json)).toEqual([
			'initiated',
			'invalid',
		]);
	});

	it.each([
		['the node was deleted, and added again under its name', { nodeId: 'again' }],
		['the node was renamed', { nodeName: 'Renamed' }],
	])('nothing of it was changed, and %s: the rows that are left are called', async (_, more) => {
		const rows = rowsWith({ out: 'no' });
		const edit = assigned('out', "={{ $json['Opt-out'] }}");
		bench.sandbox.fault({ kind: 'dailyLimit', times: 1 });
		const first = await try1(rows, edit);
		expect(first.error).toBeDefined();
		expect(statuses((await retry(first, rows, edit, more)).json)).toEqual([
			'initiated',
			'initiated',
		]);
	});

	it('the option was changed in its place: who has not opted out is called', async () => {
		const rows = rowsWith({ out: null });
		const misspelt = assigned('out', "={{ $json['Opted out'] }}");
		const first = await try1(rows, misspelt);
		const again = await retry(
			first,
			rows,
			misspelt,
			{},
			bulk({ options: { optedOut: "={{ $('List').item.json['Opt-out'] }}" } }),
		);
		expect(statuses(again.json)).toEqual(['initiated', 'do_not_call']);
	});

	it('G4 it was told to stop where it cannot do its work, as the documentation asks: nobody is called', async () => {
		const failed = [{ error: 'not found' }];
		const asks = (onError?: 'continueRegularOutput'): Partial<INode> => ({
			type: 'n8n-nodes-base.httpRequest',
			...(onError ? { onError } : {}),
		});
		const optedOut = bulk({
			destination: "={{ $('List').item.json.phone }}",
			options: { optedOut: '={{ $json.out || "no" }}' },
		});
		const more = { listBefore: [sheet[0]!], rowsFrom: [0] };
		const first = await try1(failed, asks('continueRegularOutput'), more, optedOut);
		expect(shown(first).message).toMatch(/could not do its work for this row/);
		expect(shown(await retry(first, failed, asks(), more, optedOut)).message).toBe(CHANGED);
		expect(bench.dialed).toEqual([]);
	});
});

describe('the list is the very input of the node', () => {
	const parametersOfRow = bulk({ options: { optedOut: '={{ $json.out }}' } });
	const numbers = Array.from({ length: 50 }, (_, n) => ({ phone: phone(100 + n) }));
	const ofInput = async (
		doNotCall: string,
		rowsSettings: Partial<INode>,
		rows: IDataObject[],
		settings: Partial<INode>,
	) =>
		await bench.run(bulk({ destination: phone(0), options: { doNotCall } }), rows, {
			listBefore: [{}],
			listTaken: 'inTurns',
			rowsFrom: rows.map((_, n) => n),
			listReads: { gives: numbers, settings },
			rowsSettings,
		});
	const table: Partial<INode> = {
		type: 'n8n-nodes-base.dataTable',
		parameters: { limit: 50, gives: JSON.stringify(numbers) },
	};
	const all = [{ phone: numbers.map((each) => each.phone) }];
	const aggregate: Partial<INode> = { type: 'n8n-nodes-base.aggregate' };

	it('G11 brought together by an Aggregate, of a table that stops at its Limit: nobody is called', async () => {
		const run = await ofInput('={{ $json.phone }}', aggregate, all, table);
		expect(shown(run).message).toBe(
			'Do Not Call takes the list of the step "List", which stops at its Limit of 50',
		);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions(
		'G11 as many items, of a table that stops at its Limit: nobody is called',
		async () => {
			const run = await ofInput(
				'={{ $input.all().map((item) => item.json.phone) }}',
				{ type: 'n8n-nodes-base.noOp' },
				numbers,
				table,
			);
			expect(shown(run).message).toMatch(/stops at its Limit of 50$/);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('G11 brought together, of a step that is deactivated: nobody is called', async () => {
		const run = await ofInput('={{ $json.phone }}', aggregate, [{ phone: [] }], { disabled: true });
		expect(shown(run).message).toMatch(/which is deactivated, or could not do its work$/);
		expect(bench.dialed).toEqual([]);
	});

	it('G11 dragged in, with Execute Once on: its first entry is not the list, and nobody is called', async () => {
		const run = await bench.run(
			bulk({ destination: phone(1), options: { doNotCall: '={{ $json.phone }}' } }),
			contacts(3),
			{ executeOnce: true },
		);
		expect(shown(run).message).toBe('Do Not Call takes one item of its input, which has others');
		expect(bench.dialed).toEqual([]);
	});

	it('a column of the row itself, with Execute Once on: the first row is called', async () => {
		const rows = contacts(3).map((row, n) => ({ ...row, out: n === 0 ? 'no' : 'yes' }));
		await bench.run(parametersOfRow, rows, { executeOnce: true });
		expect(bench.dialed).toEqual([phone(0)]);
	});

	itWithFunctions(
		'G11 of which the step behind its reader has Execute Once on: nobody is called',
		async () => {
			const doNotCall = "={{ $('List').all().map((item) => item.json.p).filter(Boolean) }}";
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
				listBefore: numbers.slice(0, 3),
				listReads: {
					gives: [],
					settings: giving([{ p: phone(100) }], {
						...assigned('p', '={{ $json.phone }}'),
						executeOnce: true,
					}),
				},
			});
			expect(shown(run).message).toBe(
				'Do Not Call takes the list of the step "List", which has Execute Once on and takes its first item alone',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('G11 brought together by an Aggregate, of a table that stops at its Limit of 1: nobody is called', async () => {
		const one: Partial<INode> = {
			type: 'n8n-nodes-base.dataTable',
			parameters: { limit: 1, gives: JSON.stringify(numbers.slice(0, 1)) },
		};
		const run = await ofInput(
			'={{ $json.phone }}',
			aggregate,
			[{ phone: [numbers[0]!.phone] }],
			one,
		);
		expect(shown(run).message).toBe(
			'Do Not Call takes the list of the step "List", which stops at its Limit of 1',
		);
		expect(bench.dialed).toEqual([]);
	});

	it.each<[string, Partial<INode>]>([
		[
			'an Edit Fields with Execute Once on, of the first of several',
			{ ...assigned('days', '={{ $json.holidays.split(",") }}'), executeOnce: true },
		],
		[
			'a Google Sheets that looks one row up',
			{
				type: 'n8n-nodes-base.googleSheets',
				typeVersion: 4.7,
				parameters: { options: { returnFirstMatch: true } },
			},
		],
	])('a list in one item, as %s gives it: called', async (_, settings) => {
		const run = await bench.run(
			bulk({ options: { noCallDates: "={{ $('List').first().json.days }}" } }),
			contacts(2),
			{
				listBefore: numbers.slice(0, 3).map((each) => ({ ...each, holidays: '2020-01-01' })),
				listReads: { gives: [], settings: giving([{ days: ['2020-01-01'] }], settings) },
			},
		);
		expect(run.error && shown(run).message).toBeUndefined();
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	});

	itWithFunctions.each(["$('Rows').first().json.all", "$('Rows').all()[0].json.all", '$json.all'])(
		'G11 in one item, which an Edit Fields makes of all of a table that stops at its Limit: nobody is called, %s',
		async (all) => {
			const gathered = assigned('all', '={{ $input.all().map((item) => item.json.phone) }}');
			const run = await ofInput(
				`={{ ${all} }}`,
				gathered,
				[{ all: numbers.map((each) => each.phone) }],
				table,
			);
			expect(shown(run).message).toMatch(/stops at its Limit of 50$/);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('G11 a list in one item, which an Edit Fields with Execute Once on makes of the first of several: nobody is called', async () => {
		const run = await bench.run(
			bulk({ options: { doNotCall: "={{ $('List').first().json.all }}" } }),
			contacts(2),
			{
				listBefore: numbers.slice(0, 3),
				listReads: {
					gives: [],
					settings: giving([{ all: [phone(100)] }], {
						...assigned('all', '={{ [$json.phone] }}'),
						executeOnce: true,
					}),
				},
			},
		);
		expect(shown(run).message).toBe(
			'Do Not Call takes the list of the step "List", which has Execute Once on and takes its first item alone',
		);
		expect(bench.dialed).toEqual([]);
	});

	it('a list in a row, of a table of rows that stops at its Limit: called', async () => {
		const run = await ofInput(
			'={{ $json.dnc }}',
			{},
			numbers.map(() => ({ dnc: [phone(5)] })),
			table,
		);
		expect(run.error).toBeUndefined();
	});
});
