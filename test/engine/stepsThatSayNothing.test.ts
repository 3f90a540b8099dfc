import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { RunRequest } from './helpers/harness';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { assignments, bulk, contacts, phone, place, shown, text } from './helpers/workflows';

// A step that is deactivated, or that goes on after it could not do its work, passes on nothing, its input, or an item that says why.

const bench = workbench();
storeForEach();

const statuses = (rows: Array<{ status?: unknown }>): unknown[] => rows.map(({ status }) => status);
const WHY = [{ error: 'The service is not available' }];
const SAYS_NOTHING =
	/takes what the step "(List|Read)" says, which is deactivated, or could not do its work$/;

/** As docs/right-to-call.md shows it. */
const listed =
	"={{ $('List').all().filter(item => Object.keys(item.json).length > 0 && item.json.phone !== null).map(item => item.json.phone) }}";

type Cannot = [string, Partial<INode>, 'rows' | 'alert' | undefined];
const CANNOT: Cannot[] = [
	['is deactivated', { disabled: true }, undefined],
	['goes on (Continue)', { onError: 'continueRegularOutput', alwaysOutputData: true }, undefined],
	[
		'goes on with its error output, with Always Output Data',
		{ onError: 'continueErrorOutput', alwaysOutputData: true },
		'alert',
	],
	[
		'goes on with its error output, with nothing behind that',
		{ onError: 'continueErrorOutput', alwaysOutputData: true },
		undefined,
	],
	['goes on with both outputs', { onError: 'continueErrorOutput' }, 'rows'],
];

describe('G11 the step that reads Do Not Call', () => {
	itWithFunctions.each(CANNOT)('%s: nobody is called', async (_, settings, errors) => {
		const run = await bench.run(bulk({ options: { doNotCall: listed } }), contacts(2), {
			listBefore: [{}],
			listReads: { gives: WHY, settings, errors },
		});
		expect(shown(run).message).toMatch(SAYS_NOTHING);
		expect(bench.dialed).toEqual([]);
	});

	describe('passes on its very input, as a Data Table does whose database breaks off', () => {
		// Of the example crm-call-at-their-hours: the list is what a dry run has cleaned.
		const cleaned =
			"={{ $('List').all().filter((line) => line.json.status !== 'invalid').map((line) => line.json.destination) }}";
		const behind = bulk({
			mode: 'dryRun',
			calledBefore: 'callAgain',
			options: { optedOut: 'yes' },
		});

		itWithFunctions.each([
			['goes on (Continue)', 'continueRegularOutput', undefined, listed],
			['goes on with its error output', 'continueErrorOutput', undefined, listed],
			['goes on with its error output, before a dry run', 'continueErrorOutput', behind, cleaned],
			['goes on, before a Filter', 'continueRegularOutput', 'filter', listed],
			[
				'goes on, before an Edit Fields, which finds no column',
				'continueRegularOutput',
				'edit fields',
				listed,
			],
		] as const)('and %s: nobody is called', async (_, onError, before, doNotCall) => {
			const settings = { onError, alwaysOutputData: true, type: 'n8n-nodes-base.dataTable' };
			const listReads = {
				gives: 'its input',
				settings,
				...(before ? { behind: before } : {}),
			} as const;
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
				listBefore: [{ id: 7, name: 'opt_outs' }],
				listReads,
			});
			expect(shown(run).message).toMatch(SAYS_NOTHING);
			expect(bench.dialed).toEqual([]);
		});
	});

	itWithFunctions(
		'that has passed on its very input calls nobody from stored data either, as a step that is executed by itself has it',
		async () => {
			const doNotCall =
				"={{ $('List').all().filter((line) => line.json.status !== 'invalid').map((line) => line.json.destination) }}";
			const behind = bulk({
				mode: 'dryRun',
				calledBefore: 'callAgain',
				options: { optedOut: 'yes' },
			});
			const settings = {
				onError: 'continueRegularOutput',
				type: 'n8n-nodes-base.dataTable',
			} as const;
			const more = {
				listBefore: [{ id: 7, name: 'opt_outs' }],
				listReads: { gives: 'its input', settings, behind },
			} as const;
			const parameters = bulk({ options: { doNotCall } });
			const stopped = await bench.run(parameters, contacts(2), {
				...more,
				listBefore: [...more.listBefore],
			});
			const again = await bench.run(parameters, contacts(2), {
				...more,
				listBefore: [...more.listBefore],
				retryOf: stopped,
				executionId: 'next',
			});
			expect(shown(again).message).toMatch(SAYS_NOTHING);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'has numbers, and a dry run that cleans them finds none, as its column was renamed: nobody is called',
		async () => {
			const doNotCall =
				"={{ $('List').all().filter((line) => line.json.status !== 'invalid').map((line) => line.json.destination) }}";
			const behind = bulk({
				mode: 'dryRun',
				calledBefore: 'callAgain',
				options: { optedOut: 'yes' },
			});
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
				listBefore: [{}],
				listReads: { gives: [{ number: phone(0) }], behind },
			});
			expect(shown(run).message).toMatch(SAYS_NOTHING);
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'is an empty table behind a step that gives an empty item, and goes on: everybody is called',
		async () => {
			const settings = {
				onError: 'continueRegularOutput',
				alwaysOutputData: true,
				type: 'n8n-nodes-base.dataTable',
			} as const;
			const run = await bench.run(bulk({ options: { doNotCall: listed } }), contacts(2), {
				listBefore: [{}],
				listReads: { gives: [], settings },
			});
			expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
		},
	);

	describe('is the node itself: whom it called is known, whatever stood before it', () => {
		const doNotCall =
			"={{ $('List').all().filter((row) => row.json.called === 'yes').map((row) => row.json.destination) }}";
		const gives = [...contacts(1), ...WHY, ...contacts(2).slice(1)];

		itWithFunctions.each<[string, Partial<RunRequest['listReads']>, IDataObject[]]>([
			['a Limit', { gives: contacts(2), settings: { type: 'n8n-nodes-base.limit' } }, contacts(5)],
			[
				'a check that could not work for one row',
				{ gives, settings: { onError: 'continueRegularOutput' } },
				[{}],
			],
			[
				'the same, with its error output',
				{ gives, settings: { onError: 'continueErrorOutput' } },
				[{}],
			],
		])('%s', async (_, listReads, listBefore) => {
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(3), {
				listBefore,
				listReads: { gives: [], behind: bulk(), ...listReads },
				onError: 'continueRegularOutput',
			});
			expect(statuses(run.json)).toEqual(['do_not_call', 'do_not_call', 'initiated']);
		});
	});

	itWithFunctions('may have chosen the newest of several lists with a Limit', async () => {
		const lists = [{ phone: [phone(0)] }, { phone: [phone(1)] }];
		const listReads = {
			gives: lists.slice(0, 1),
			settings: { type: 'n8n-nodes-base.limit' },
			behind: 'filter',
		} as const;
		const doNotCall = "={{ $('List').all().map((row) => row.json.phone).flat() }}";
		const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
			listBefore: lists,
			listReads,
		});
		expect(statuses(run.json)).toEqual(['do_not_call', 'initiated']);
	});

	describe('reads two lists, and one of them cannot be read', () => {
		const gives = [{ phone: phone(0) }, ...WHY];
		const parameters = bulk({ options: { doNotCall: listed } });

		itWithFunctions.each([
			['with nothing behind it', undefined, listed],
			['with a Filter behind it', 'filter', listed],
			['with an Aggregate behind it', 'aggregate', "={{ $('List').first().json.phone }}"],
		] as const)('%s: nobody is called', async (_, behind, doNotCall) => {
			const listReads = {
				gives,
				settings: { onError: 'continueRegularOutput' },
				...(behind ? { behind } : {}),
			} as const;
			await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
				listBefore: [{}],
				listReads,
			});
			expect(bench.dialed).toEqual([]);
		});

		itWithFunctions('with its error output: nobody is called', async () => {
			const listReads = {
				gives,
				settings: { onError: 'continueErrorOutput' },
				errors: 'alert',
			} as const;
			const run = await bench.run(parameters, contacts(2), { listBefore: [{}], listReads });
			expect(
				run.data.resultData.runData.List?.[0]?.data?.main?.map((output) => output?.length),
			).toEqual([1, 1]);
			expect(shown(run).message).toMatch(SAYS_NOTHING);
			expect(bench.dialed).toEqual([]);
		});

		itWithFunctions.each<[string, Partial<INode>, IDataObject[]]>([
			['is deactivated', { disabled: true }, [{ phone: phone(1) }]],
			['went on with its error output', { onError: 'continueErrorOutput' }, WHY],
			[
				'went on with its error output, with Always Output Data',
				{ onError: 'continueErrorOutput', alwaysOutputData: true },
				WHY,
			],
		])(
			'by two steps, whose lists a Merge appends, and one of them %s: nobody is called',
			async (_, settings, others) => {
				const listReads = { gives: [{ phone: phone(0) }] };
				const run = await bench.run(parameters, contacts(2), {
					listBefore: [{}],
					listReads,
					merged: { gives: others, settings },
				});
				expect(shown(run).message).toMatch(
					/"(List|Other)" says, which is deactivated, or could not do its work$/,
				);
				expect(bench.dialed).toEqual([]);
			},
		);

		itWithFunctions(
			'by two steps, whose lists a Merge appends, and one of them stops at its Limit of 1: nobody is called',
			async () => {
				const settings = {
					type: 'n8n-nodes-base.dataTable',
					parameters: { limit: 1, gives: JSON.stringify([{ phone: phone(1) }]) },
				};
				const listReads = { gives: [{ phone: phone(0) }, { phone: phone(5) }] };
				const run = await bench.run(parameters, contacts(2), {
					listBefore: [{}],
					listReads,
					merged: { gives: [], settings },
				});
				expect(shown(run).message).toBe(
					'Do Not Call takes the list of the step "Other", which stops at its Limit of 1',
				);
				expect(bench.dialed).toEqual([]);
			},
		);

		itWithFunctions(
			'by two steps that can: whoever is on one of the lists is not called',
			async () => {
				const listReads = { gives: [{ phone: phone(0) }] };
				const run = await bench.run(parameters, contacts(3), {
					listBefore: [{}],
					listReads,
					merged: { gives: [{ phone: phone(1) }] },
				});
				expect(statuses(run.json)).toEqual(['do_not_call', 'do_not_call', 'initiated']);
			},
		);
	});

	describe.each<[string, 'filter' | 'aggregate' | INodeParameters, string]>([
		['a Filter', 'filter', listed],
		['an Aggregate', 'aggregate', "={{ $('List').first().json.phone }}"],
		[
			'a dry run that cleans its numbers',
			bulk({ mode: 'dryRun', calledBefore: 'callAgain', options: { optedOut: 'yes' } }),
			"={{ $('List').all().filter((line) => line.json.status !== 'invalid').map((line) => line.json.destination) }}",
		],
	])('stands before %s', (_, behind, doNotCall) => {
		itWithFunctions.each(CANNOT.slice(0, 4))(
			'and %s: nobody is called',
			async (_what, settings) => {
				const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
					listBefore: [{}],
					listReads: { gives: WHY, settings, behind },
				});
				expect(shown(run).message).toMatch(SAYS_NOTHING);
				expect(bench.dialed).toEqual([]);
			},
		);

		itWithFunctions('and can read: who is on the list is not called', async () => {
			const listReads = { gives: [{ phone: phone(0) }], behind };
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
				listBefore: [{}],
				listReads,
			});
			expect(statuses(run.json)).toEqual(['do_not_call', 'initiated']);
		});

		itWithFunctions('and finds nobody: everybody is called', async () => {
			const settings = { onError: 'continueErrorOutput', alwaysOutputData: true } as const;
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
				listBefore: [{}],
				listReads: { gives: [], settings, behind },
			});
			expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
		});
	});
});

const ofEditFields = (name: string, value: string): Partial<INode> => ({
	type: 'n8n-nodes-base.set',
	parameters: { assignments: { assignments: [{ id: '1', name, value, type: 'string' }] } },
});

describe('an Edit Fields makes a column whether what it is made of is there or not', () => {
	const sheet = [0, 1].map((n) => ({ phone: phone(n), 'Opt-out': n === 0 ? 'no' : 'yes' }));
	const behindSheet = { listBefore: sheet, listTaken: 'inTurns', rowsFrom: [0, 1] } as const;
	const rowsWith = (more: (row: IDataObject) => IDataObject): IDataObject[] =>
		sheet.map((row) => ({ phone: row.phone, ...more(row) }));

	it.each([
		["={{ $json['Opted out'] }}", null],
		["={{ $json['Opted out'] === 'yes' }}", false],
	])(
		'G11 Opted Out of a column that was renamed in the sheet, made by %s: nobody is called',
		async (made, value) => {
			const run = await bench.run(
				bulk({ options: { optedOut: '={{ $json.out }}' } }),
				rowsWith(() => ({ out: value })),
				{
					...behindSheet,
					rowsSettings: ofEditFields('out', made),
				},
			);
			expect(shown(run).message).toBe(
				'No item of the step "List" has the column "Opted out", of which the step "Rows" makes Opted Out',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('G8 Remember People By of a column that was renamed in the sheet: nobody is called again', async () => {
		const parameters = bulk({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.key }}' } });
		const run = await bench.run(
			parameters,
			rowsWith(({ phone: of }) => ({ key: `-${text(of)}` })),
			{
				...behindSheet,
				rowsSettings: ofEditFields('key', '={{ $json.Invoice }}-{{ $json.phone }}'),
			},
		);
		expect(shown(run).message).toBe(
			'No item of the step "List" has the column "Invoice", of which the step "Rows" makes Remember People By',
		);
		expect(bench.dialed).toEqual([]);
	});

	it('of a column that the list leaves out where it is empty, as the message says: called', async () => {
		const run = await bench.run(
			bulk({ options: { optedOut: '={{ $json.out || "no" }}' } }),
			rowsWith(() => ({ out: null })),
			{
				...behindSheet,
				rowsSettings: ofEditFields('out', "={{ $json['Opted out'] }}"),
			},
		);
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	});

	it('of a column that is there: who has not opted out is called', async () => {
		const rows = rowsWith((row) => ({ out: row['Opt-out'] }));
		const run = await bench.run(bulk({ options: { optedOut: '={{ $json.out }}' } }), rows, {
			...behindSheet,
			rowsSettings: ofEditFields('out', "={{ $json['Opt-out'] }}"),
		});
		expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
	});

	it.each([
		['optedOut', { options: { optedOut: '={{ $json.out }}' } }],
		['mode', { mode: '={{ $json.out ? "dryRun" : "live" }}' }],
	])(
		'G11 of a check that could not work for one row, which it takes for no (%s): not called',
		async (_, parameters) => {
			const run = await bench.run(
				bulk(parameters),
				rowsWith(() => ({ out: false })),
				{
					listTaken: 'inTurns',
					rowsFrom: [0, 1],
					listBefore: sheet,
					listReads: {
						gives: [{ listed: 'no' }, ...WHY],
						settings: { onError: 'continueRegularOutput' },
					},
					rowsSettings: ofEditFields('out', '={{ $json.listed === "yes" }}'),
				},
			);
			expect(statuses(run.json)).toEqual(['initiated', 'invalid']);
		},
	);

	it('Do Not Call takes what one has typed behind a step that could not work: who is on it is not called', async () => {
		const typed = {
			type: 'n8n-nodes-base.set',
			parameters: { includeOtherFields: false, gives: JSON.stringify([{ phones: [phone(0)] }]) },
		};
		const run = await bench.run(
			bulk({ options: { doNotCall: "={{ $('List').first().json.phones }}" } }),
			contacts(2),
			{
				listBefore: [{}],
				listReads: { gives: [], settings: typed },
			},
		);
		expect(statuses(run.json)).toEqual(['do_not_call', 'initiated']);
	});
});

itWithFunctions(
	'G11 Do Not Call: the step that reads is deactivated, and an Edit Fields stands behind it: nobody is called',
	async () => {
		const listReads: RunRequest['listReads'] = {
			gives: [{ number: phone(0) }],
			settings: { disabled: true },
			behind: 'edit fields',
		};
		const run = await bench.run(bulk({ options: { doNotCall: listed } }), contacts(2), {
			listBefore: [{ timestamp: 'now' }],
			listReads,
		});
		expect(shown(run).message).toMatch(SAYS_NOTHING);
		expect(bench.dialed).toEqual([]);
	},
);

itWithFunctions(
	'G11 the list is on a branch that has not run, and the expression allows for that: nobody is called',
	async () => {
		const doNotCall =
			"={{ $('Never').isExecuted ? $('Never').all().map((item) => item.json.phone) : [] }}";
		const run = await bench.run(bulk({ options: { doNotCall } }), contacts(2), {
			listBefore: [{}],
		});
		expect(bench.dialed).toEqual([]);
		expect(shown(run).message).not.toBe('');
	},
);

describe('a step that lets rows through asks a list', () => {
	const asking = (leftValue: string) => ({
		type: 'n8n-nodes-base.filter',
		parameters: { conditions: { conditions: [{ leftValue, rightValue: true }] } },
	});
	const asks = asking("={{ $('List').all().some((item) => item.json.phone === $json.phone) }}");
	const settings = { onError: 'continueRegularOutput' } as const;

	itWithFunctions('G11 that could not be read: nobody is called', async () => {
		const listReads = { gives: WHY, settings };
		const run = await bench.run(bulk(), contacts(2), {
			listBefore: [{}],
			listReads,
			rowsSettings: asks,
		});
		expect(shown(run).message).toBe(
			'The step "Rows" takes what the step "List" says, which is deactivated, or could not do its work',
		);
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions('that was read: all who come through are called', async () => {
		const run = await bench.run(bulk(), contacts(2), {
			listBefore: [{}],
			listReads: { gives: contacts(5).slice(3), settings },
			rowsSettings: asks,
		});
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	});

	itWithFunctions(
		'of which it asks how many there are, in a table that stops at its Limit: called',
		async () => {
			const table: RunRequest['listReads'] = {
				gives: contacts(6).slice(4),
				settings: {
					type: 'n8n-nodes-base.dataTable',
					parameters: { limit: 2, gives: JSON.stringify(contacts(6).slice(4)) },
				},
			};
			const counting = asking("={{ $('List').all().length > 1 }}");
			const run = await bench.run(bulk(), contacts(1), {
				listBefore: [{}],
				listReads: table,
				rowsSettings: counting,
			});
			expect(statuses(run.json)).toEqual(['initiated']);
			const other = await bench.run(bulk(), contacts(1), {
				listBefore: [{}],
				listReads: table,
				rowsSettings: asks,
			});
			expect(shown(other).message).toBe(
				'The step "Rows" takes the list of the step "List", which stops at its Limit of 2',
			);
		},
	);

	itWithFunctions(
		'that could not be read, and the number was typed, as for an alarm: called',
		async () => {
			const parameters = bulk({ destination: phone(0) });
			const run = await bench.run(parameters, [{}], {
				listBefore: [{}],
				listReads: { gives: WHY, settings },
				rowsSettings: asks,
			});
			expect(statuses(run.json)).toEqual(['initiated']);
		},
	);

	it('G11 a Merge that keeps who is not in a list that could not be read: nobody is called', async () => {
		const rowsSettings = {
			type: 'n8n-nodes-base.merge',
			parameters: { mode: 'combine', joinMode: 'keepNonMatches' },
		};
		const other = {
			listTaken: 'inTurns',
			rowsFrom: [99, 99],
			listBefore: [{}],
			rowsSettings,
		} as const;
		const run = await bench.run(bulk(), contacts(2), {
			...other,
			listBefore: [{}],
			listReads: { gives: WHY, settings },
		});
		expect(shown(run).message).toMatch(/^The step "Rows" takes what the step "List" says/);
		expect(bench.dialed).toEqual([]);
	});

	it('a Merge keeps rows of a table that stops at its Limit: they are called', async () => {
		const rowsSettings = {
			type: 'n8n-nodes-base.merge',
			parameters: { mode: 'combine', joinMode: 'keepNonMatches' },
		};
		const table = {
			type: 'n8n-nodes-base.dataTable',
			parameters: { limit: 2, gives: JSON.stringify(contacts(2)) },
		};
		const of = { listTaken: 'inTurns', rowsFrom: [0, 1], rowsSettings } as const;
		const run = await bench.run(bulk(), contacts(2), {
			...of,
			rowsFrom: [0, 1],
			listBefore: [{}],
			listReads: { gives: [], settings: table },
		});
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	});
});

it('Opted Out asks a list of tags that each row has of its own, from a table that stops at its Limit: called', async () => {
	const gives = contacts(2).map((row, n) => ({ ...row, tags: n === 0 ? ['vip'] : ['stop'] }));
	const settings = {
		type: 'n8n-nodes-base.dataTable',
		parameters: { limit: 2, gives: JSON.stringify(gives) },
	};
	const run = await bench.run(
		bulk({ options: { optedOut: '={{ $("List").item.json.tags.includes("stop") }}' } }),
		contacts(2),
		{
			listTaken: 'inTurns',
			rowsFrom: [0, 1],
			listBefore: [{}],
			listReads: { gives, settings },
			rowsSettings: { type: 'n8n-nodes-base.noOp' },
		},
	);
	expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
});

describe('a Code step gives new items, and n8n guesses by their places which ones they come from', () => {
	const sheet = [0, 1].map((n) => ({
		phone: phone(n),
		name: ['Anna', 'Bert'][n]!,
		opted_out: ['no', 'yes'][n]!,
	}));
	const sorted = [{ phone: phone(1) }, { phone: phone(0) }];
	const guessed = {
		listBefore: sheet,
		listTaken: 'inTurns',
		rowsFrom: [0, 1],
		rowsSettings: { type: 'n8n-nodes-base.code' },
	} as const;

	it.each<[string, INodeParameters]>([
		['Opted Out', { options: { optedOut: '={{ $("List").item.json.opted_out }}' } }],
		[
			'Prompt Variables',
			{ promptVariables: assignments({ name: '={{ $("List").item.json.name }}' }) },
		],
		[
			'Remember People By',
			{ calledBefore: 'skip', options: { callOnceKey: '={{ $("List").item.json.name }}' } },
		],
	])('%s takes the item of another person: nobody is called', async (label, parameters) => {
		const run = await bench.run(bulk(parameters), sorted, guessed);
		expect(shown(run).message).toBe(
			`${label} takes the item of another person from the step "List"`,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('in their order: all are called', async () => {
		await bench.run(
			bulk({ promptVariables: assignments({ name: '={{ $("List").item.json.name }}' }) }),
			[...sorted].reverse(),
			guessed,
		);
		expect(bench.sandbox.journal.map(({ variables }) => variables.name)).toEqual(['Anna', 'Bert']);
	});
});

describe('G8 Remember People By takes the name of the campaign from a step', () => {
	it.each(CANNOT)('which %s: nobody is called again', async (_, settings, errors) => {
		for (const [n, callOnceKey] of [
			"={{ $('List').first().json.name }} {{ $json.phone }}",
			"={{ $('List').item.json.name }}-{{ $json.phone }}",
		].entries()) {
			const parameters = bulk({ calledBefore: 'skip', options: { callOnceKey } });
			const given = contacts(4).slice(2 * n, 2 * n + 2);
			await bench.run(parameters, given, {
				listBefore: [{}],
				listReads: { gives: [{ name: 'spring' }] },
			});
			const before = bench.dialed.length;
			await bench.run(parameters, given, {
				listBefore: [{}],
				listReads: { gives: WHY, settings, errors },
			});
			expect([before, bench.dialed.length]).toEqual([2 * n + 2, before]);
		}
	});

	it('which finds nothing (Always Output Data): nobody is called again', async () => {
		const parameters = bulk({
			calledBefore: 'skip',
			options: { callOnceKey: "={{ $('List').first().json.name }} {{ $json.phone }}" },
		});
		await bench.run(parameters, contacts(2), {
			listBefore: [{}],
			listReads: { gives: [{ name: 'spring' }] },
		});
		const run = await bench.run(parameters, contacts(2), {
			listBefore: [{}],
			listReads: { gives: [], settings: { alwaysOutputData: true } },
		});
		expect(shown(run).message).toBe(
			'No item of the step "List" has the column "name", which Remember People By names',
		);
		expect(bench.dialed).toHaveLength(2);
	});
});

it.each(CANNOT)('G12 Mode asks a step that %s: nobody is called', async (_, settings, errors) => {
	const mode = "={{ $('List').first().json.hold === 'yes' ? 'dryRun' : 'live' }}";
	const run = await bench.run(bulk({ mode }), contacts(2), {
		listBefore: [{}],
		listReads: { gives: WHY, settings, errors },
	});
	expect(shown(run).message).toMatch(/^Mode takes what the step "List" says/);
	expect(bench.dialed).toEqual([]);
});

describe('G11 who opted out in a row whose Destination cannot be worked out', () => {
	const rows: IDataObject[] = [
		{ phone: 491712345678, out: 'yes', off: '' },
		{ phone: '+49 171 2345678', out: '', off: '' },
	];
	it.each(['={{ $json.phone.trim() }}', '={{ $json.phone.replaceAll(" ", "") }}'])(
		'is not called for another one: %s',
		async (destination) => {
			const { json } = await bench.run(
				bulk({ countries: ['DE'], destination, options: { optedOut: '={{ $json.out }}' } }),
				rows,
			);
			expect(statuses(json)).toEqual(['invalid', 'do_not_call']);
			expect(json[0]?.destination).toBe('491712345678');
			expect(bench.dialed).toEqual([]);
		},
	);
});

describe('a check of each row goes on after it could not work for one of them (On Error = Continue)', () => {
	const sheet = [0, 1, 2].map((n) => ({ phone: phone(n) }));
	const checked: IDataObject[] = [{ listed: 'no' }, WHY[0]!, { listed: 'yes' }];
	const onError = 'continueRegularOutput' as const;
	const inTurns = { listTaken: 'inTurns', rowsFrom: [0, 1, 2] } as const;
	const fromCheck = { ...inTurns, listBefore: sheet, rowsSettings: { onError } };
	const destination = '={{ $("List").item.json.phone }}';
	const whyNot = (step: string) =>
		new RegExp(
			`^The step "${step}" could not do its work for this row\\. Look at what that step says, and execute again`,
		);

	it('G11 Opted Out takes what it says: whom it could not check is not called', async () => {
		const run = await bench.run(
			bulk({ destination, options: { optedOut: '={{ $json.listed }}' } }),
			checked,
			fromCheck,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'do_not_call']);
		expect(run.json[1]).toMatchObject({
			reason: expect.stringMatching(whyNot('Rows')) as string,
			destination: phone(1),
		});
	});

	it('G11 by the name of that step, too', async () => {
		const options = { optedOut: '={{ $("List").item.json.listed }}' };
		const run = await bench.run(bulk({ options }), sheet, {
			...inTurns,
			listBefore: [{}],
			listReads: { gives: checked, settings: { onError } },
		});
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'do_not_call']);
	});

	it('Mode asks it', async () => {
		const mode = '={{ $json.listed === "yes" ? "dryRun" : "live" }}';
		const run = await bench.run(bulk({ mode, destination }), checked, fromCheck);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'dry_run']);
	});

	it('G8 Remember People By takes a part of the key from it: who was called by the whole key is not called again', async () => {
		const parameters = bulk({
			calledBefore: 'skip',
			options: { callOnceKey: '={{ $json.phone }} {{ $("List").item.json.appointment }}' },
		});
		const found = [{ appointment: 'A1' }, { appointment: 'A2' }, { appointment: 'A3' }];
		const of = (gives: IDataObject[]) => ({
			...inTurns,
			listBefore: [{}],
			listReads: { gives, settings: { onError } },
		});
		await bench.run(parameters, sheet, of(found));
		const again = await bench.run(parameters, sheet, of([found[0]!, WHY[0]!, found[2]!]));
		expect(statuses(again.json)).toEqual(['already_called', 'invalid', 'already_called']);
		expect(bench.dialed).toHaveLength(3);
	});

	describe('and another step stands behind it', () => {
		const listReads = { gives: checked, settings: { onError } };
		const through = (type: string) => ({
			...inTurns,
			listBefore: [{}],
			listReads,
			rowsSettings: { type },
		});
		const kept = sheet.map((row, n) => ({
			...row,
			listed: (checked[n]!.listed ?? null) as string | null,
		}));

		it('G11 Edit Fields: whom it could not check is not called', async () => {
			const run = await bench.run(
				bulk({ options: { optedOut: '={{ $json.listed }}' } }),
				kept,
				through('n8n-nodes-base.set'),
			);
			expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'do_not_call']);
			expect(run.json[1]!.reason).toMatch(whyNot('List'));
		});

		it('Edit Fields, and Mode asks it', async () => {
			const mode = '={{ $json.listed === "yes" ? "dryRun" : "live" }}';
			expect(
				statuses((await bench.run(bulk({ mode }), kept, through('n8n-nodes-base.set'))).json),
			).toEqual(['initiated', 'invalid', 'dry_run']);
		});

		it('G11 Merge, which adds what it said to the row: whom it could not check is not called', async () => {
			const merged = sheet.map((row, n) => ({ ...row, ...checked[n] }));
			const run = await bench.run(
				bulk({ options: { optedOut: '={{ $json.listed }}' } }),
				merged,
				through('n8n-nodes-base.merge'),
			);
			expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'do_not_call']);
		});

		it('of which nothing is taken: all are called', async () => {
			const rows = kept.map((row) => ({ ...row, out: 'no' }));
			const run = await bench.run(
				bulk({ options: { optedOut: '={{ $json.out }}' } }),
				rows,
				through('n8n-nodes-base.set'),
			);
			expect(statuses(run.json)).toEqual(['initiated', 'initiated', 'initiated']);
		});
	});

	it.each<[string, IDataObject, IDataObject]>([
		['without a word, as Coda does', { listed: 'no' }, { error: undefined }],
		['with details beside', { listed: 'no' }, { error: 'busy', details: 'x' }],
		[
			'where its answers have a column of that name',
			{ id: 7, error: { listed: 'no' } },
			{ error: { message: 'busy' } },
		],
	])('G11 it says so %s: whom it could not check is not called', async (_, said, why) => {
		const optedOut = 'error' in said ? '={{ $json.error.listed }}' : '={{ $json.listed }}';
		const run = await bench.run(
			bulk({ destination, options: { optedOut } }),
			[said, why, said],
			fromCheck,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'initiated']);
	});

	it.each<IDataObject>([
		{ error: false, statusCode: 200, description: 'Your order is ready' },
		{ error: '', description: 'Your order is ready' },
		{ error: null, description: 'Your order is ready' },
	])('its answers say that nothing went wrong: %j: all are called', async (said) => {
		const parameters = bulk({
			destination,
			promptVariables: assignments({ text: '={{ $json.description }}' }),
		});
		expect(statuses((await bench.run(parameters, [said, said, said], fromCheck)).json)).toEqual([
			'initiated',
			'initiated',
			'initiated',
		]);
	});

	it('G11 the host does not tell whose item a row is, and a blank cell stands beside why: not called', async () => {
		const rows = [
			{ phone: phone(0), listed: 'no', error: '' },
			{ phone: phone(1), listed: '', error: 'busy' },
		];
		const run = await bench.run(bulk({ options: { optedOut: '={{ $json.listed }}' } }), rows, {
			listTaken: 'inTurns',
			rowsFrom: [99, 99],
			listBefore: [{}],
			listReads: { gives: [{ listed: 'no' }, WHY[0]!], settings: { onError } },
			rowsSettings: { type: 'n8n-nodes-base.code' },
		});
		expect(statuses(run.json)).toEqual(['initiated', 'invalid']);
	});

	it('G11 a Merge by the number has found nothing for whom it could not check: that person is not called', async () => {
		const rows = sheet.map((row, n) => (n === 1 ? row : { ...row, listed: 'no' }));
		const run = await bench.run(bulk({ options: { optedOut: '={{ $json.listed }}' } }), rows, {
			...inTurns,
			rowsFrom: [0, 99, 2],
			listBefore: sheet,
			listReads: { gives: checked, settings: { onError } },
			rowsSettings: { type: 'n8n-nodes-base.merge', parameters: { mode: 'combine' } },
		});
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'initiated']);
	});

	it('a step that has typed an error and a code is believed', async () => {
		const mode = '={{ $("List").first().json.statusCode >= 500 ? "live" : "dryRun" }}';
		const listReads = {
			gives: [{ error: 'The shop is down', statusCode: 503 }],
			settings: { type: 'n8n-nodes-base.set' },
		};
		const run = await bench.run(bulk({ mode, destination: phone(0) }), [{}], {
			listBefore: [{}],
			listReads,
		});
		expect(statuses(run.json)).toEqual(['initiated']);
	});

	it('an alarm to a typed number says the description that stands beside the message', async () => {
		const alarm = place({
			destination: phone(0),
			promptVariables: assignments({ text: '={{ $json.description }}' }),
		});
		const why = {
			error: 'Server too busy',
			description: 'SERVER_UNAVAILABLE',
			httpCode: '503',
			errorCode: null,
			fields: null,
		};
		expect(statuses((await bench.run(alarm, [why], { ...fromCheck, rowsFrom: [0] })).json)).toEqual(
			['initiated'],
		);
	});

	it('G11 it says why in more columns, as Salesforce does: whom it could not check is not called', async () => {
		const why = {
			error: 'Server too busy',
			description: 'SERVER_UNAVAILABLE',
			httpCode: '503',
			errorCode: null,
			fields: null,
		};
		const run = await bench.run(
			bulk({ destination, options: { optedOut: '={{ $json.DoNotCall }}' } }),
			[{ DoNotCall: false }, why, { DoNotCall: true }],
			fromCheck,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'do_not_call']);
	});

	describe('it is a Data Table whose database breaks off, and passes on the row without a word', () => {
		const found = (n: number) => ({ id: n, phone: phone(n), opted_out: 'no', customer: `C${n}` });
		const table = (settings: Partial<INode> = {}) => ({
			...inTurns,
			listBefore: sheet,
			rowsSettings: {
				type: 'n8n-nodes-base.dataTable',
				parameters: { operation: 'get' },
				onError,
				...settings,
			},
		});

		it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
			'G11 Opted Out, %s: that person is not called',
			async (setting) => {
				const run = await bench.run(
					bulk({ options: { optedOut: '={{ $json.opted_out }}' } }),
					[sheet[0]!, found(1), found(2)],
					table({ onError: setting }),
				);
				expect(statuses(run.json)).toEqual(['invalid', 'initiated', 'initiated']);
				expect(run.json[0]!.reason).toMatch(whyNot('Rows'));
			},
		);

		it('G11 the sheet has a column of that name, too', async () => {
			const rows = sheet.map((row) => ({ ...row, opted_out: 'no' }));
			const run = await bench.run(
				bulk({ options: { optedOut: '={{ $json.opted_out }}' } }),
				[rows[0]!, found(1)],
				{ ...table(), listBefore: rows },
			);
			expect(statuses(run.json)).toEqual(['invalid', 'initiated']);
		});

		it('G11 Opted Out allows for people who are not in it, as the documentation says', async () => {
			const options = { optedOut: '={{ $json.opted_out || "no" }}' };
			const run = await bench.run(bulk({ destination, options }), sheet.slice(0, 1), {
				...table(),
				listBefore: sheet.slice(0, 1),
				onError,
			});
			expect(statuses(run.json)).toEqual(['invalid']);
		});

		it('G8 Remember People By takes the customer from it: nobody is called by another key', async () => {
			const parameters = bulk({
				calledBefore: 'skip',
				options: { callOnceKey: '={{ $json.customer || $json.phone }}' },
			});
			const of = { ...table(), listBefore: sheet.slice(0, 1), onError };
			await bench.run(parameters, [found(0)], of);
			const again = await bench.run(parameters, sheet.slice(0, 1), of);
			expect([statuses(again.json), bench.dialed]).toEqual([['invalid'], [phone(0)]]);
		});
	});

	describe('it is a Data Table that reads a row which is like the one that it was given', () => {
		const again = <T>(rows: T): T => structuredClone(rows);
		const settings = { type: 'n8n-nodes-base.dataTable', onError, alwaysOutputData: true } as const;

		it('which a step before has entered: it is called', async () => {
			const entered = [
				{ id: 7, createdAt: '2026-11-24T08:00:00.000Z', phone: phone(1), opted_out: 'no' },
			];
			const through = {
				listBefore: entered,
				listReads: { gives: again(entered), settings },
				rowsSettings: { type: 'n8n-nodes-base.noOp' },
			};
			const run = await bench.run(
				bulk({ options: { optedOut: '={{ $json.opted_out }}' } }),
				again(entered),
				through,
			);
			expect(statuses(run.json)).toEqual(['initiated']);
		});

		itWithFunctions(
			'which is an opt-out that was entered before the list is read: the others are called',
			async () => {
				const stored = { id: 3, createdAt: '2026-11-24T08:00:00.000Z', phone: phone(1) };
				const doNotCall = "={{ $('List').all().map((line) => line.json.phone) }}";
				const list = {
					listBefore: [stored],
					listReads: { gives: again([{ id: 2, phone: phone(8) }, stored]), settings },
				};
				const run = await bench.run(bulk({ options: { doNotCall } }), sheet, list);
				expect(statuses(run.json)).toEqual(['initiated', 'do_not_call', 'initiated']);
			},
		);
	});

	it('a row of a CRM has a column named error, and leaves an empty one out: it is called, as long as no step failed', async () => {
		const rows = [
			{ phone: phone(0), opted_out: 'no' },
			{ phone: phone(1), error: 'last call: busy' },
		];
		const through = {
			...inTurns,
			rowsFrom: [0, 1],
			listBefore: [{}],
			listReads: { gives: rows, settings: { onError } },
			rowsSettings: { type: 'n8n-nodes-base.noOp' },
		};
		const run = await bench.run(
			bulk({ options: { optedOut: '={{ $json.opted_out }}' } }),
			rows,
			through,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	});

	it('G11 it could not begin, so that n8n passes on its input: whoever has no cell is not called', async () => {
		const rows = sheet.map((row, n) => (n === 0 ? { ...row, listed: '' } : row));
		const through = {
			...inTurns,
			listBefore: rows,
			listReads: { gives: 'nothing', settings: { onError } },
			rowsSettings: { type: 'n8n-nodes-base.noOp' },
		} as const;
		const run = await bench.run(
			bulk({ options: { optedOut: '={{ $json.listed }}' } }),
			rows,
			through,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'invalid']);
	});

	it('G11 one of two checks, which a Merge brings together, could not begin: its rows are not called', async () => {
		const rows = [sheet[0]!, { ...sheet[1]!, listed: 'no' }];
		const run = await bench.run(bulk({ options: { optedOut: '={{ $json.listed }}' } }), rows, {
			...inTurns,
			rowsFrom: [0, 1],
			listBefore: sheet.slice(0, 1),
			listReads: { gives: 'nothing', settings: { onError } },
			merged: { gives: rows.slice(1) },
			rowsSettings: { type: 'n8n-nodes-base.noOp' },
		});
		expect(statuses(run.json)).toEqual(['invalid', 'initiated']);
	});

	it('a step that writes outcomes in a loop could not begin: the rows of the next round, which do not come from it, are called', async () => {
		const rows = [0, 1].map((n) => ({ phone: phone(n), ...(n === 0 ? { out: 'no' } : {}) }));
		const run = await bench.run(bulk({ options: { optedOut: '={{ $json.out || "no" }}' } }), rows, {
			batchSize: 1,
			writes: { gives: 'nothing', settings: { onError } },
		});
		expect(statuses(run.rounds.flat())).toEqual(['initiated', 'initiated']);
	});

	describe('a step that lets rows through stands behind it', () => {
		const conditions = (leftValue: string) => ({
			conditions: { conditions: [{ leftValue, rightValue: 'yes' }] },
		});
		const through = (type: string, leftValue: string): Partial<RunRequest> => ({
			...inTurns,
			listBefore: sheet,
			listReads: { gives: checked, settings: { onError } },
			rowsSettings: { type: `n8n-nodes-base.${type}`, parameters: conditions(leftValue) },
		});
		const ofSheet = bulk({ destination: '={{ $("Start").item.json.phone }}' });

		it.each([
			['filter', '={{ $json.listed }}'],
			['if', '={{ $json.listed }}'],
			['switch', '={{ $("List").item.json.listed }}'],
		])('G11 a %s that asks %s: whom it could not check is not called', async (type, asked) => {
			const run = await bench.run(ofSheet, checked, through(type, asked));
			expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'initiated']);
			expect(run.json[1]!.reason).toMatch(whyNot('List'));
		});

		it('an alarm to a typed number, in typed words, is made, whatever it could not ask', async () => {
			const alarm = place({
				destination: phone(0),
				promptVariables: assignments({ text: 'The shop is down' }),
			});
			const run = await bench.run(alarm, [checked[1]!], {
				...through('if', '={{ $json.statusCode }}'),
				listBefore: [{}],
				listReads: { gives: WHY, settings: { onError } },
			});
			expect(statuses(run.json)).toEqual(['initiated']);
		});

		it.each(['={{ $json.error }}', '={{ $("Start").item.json.name }}'])(
			'it asks something else (%s): all are called',
			async (asked) => {
				expect(statuses((await bench.run(ofSheet, checked, through('if', asked))).json)).toEqual(
					Array(3).fill('initiated'),
				);
			},
		);
	});

	it('it may be a message to somebody, of which nothing is taken: all are called', async () => {
		const options = { optedOut: '={{ $("List").item.json.out }}' };
		const rows = sheet.map((row) => ({ ...row, out: 'no' }));
		const sent = [{ sent: true }, WHY[0]!, { sent: true }];
		const run = await bench.run(bulk({ destination, options }), sent, {
			...fromCheck,
			listBefore: rows,
		});
		expect(statuses(run.json)).toEqual(['initiated', 'initiated', 'initiated']);
	});

	it('a step that passes its rows on, as one that writes them somewhere, has worked', async () => {
		const options = { optedOut: '={{ $("List").item.json.out }}' };
		const rows = sheet.map((row) => ({ ...row, out: 'no' }));
		const listReads = { gives: 'its input', settings: { onError } } as const;
		const run = await bench.run(bulk({ destination, options }), sheet, {
			...inTurns,
			listBefore: rows,
			listReads,
		});
		expect(statuses(run.json)).toEqual(['initiated', 'initiated', 'initiated']);
	});

	it('a blank cell cannot be told from what a step could not say; a column named error says nothing of it', async () => {
		const listReads = { gives: [{ sent: true }, WHY[0]!, { sent: true }], settings: { onError } };
		const rows = sheet.map((row, n) => ({
			...row,
			opted_out: '',
			error: n === 0 ? 'No credit' : '',
		}));
		const through = {
			...inTurns,
			listBefore: [{}],
			listReads,
			rowsSettings: { type: 'n8n-nodes-base.set' },
		};
		const run = await bench.run(
			bulk({ options: { optedOut: '={{ $json.opted_out }}' } }),
			rows,
			through,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'initiated']);
	});

	describe('its error output leads to the node: n8n adds why to all columns of the row', () => {
		const rows = sheet.map((row, n) => ({ ...row, listed: n === 1 ? 'yes' : '', none: '' }));
		const of = (listBefore: IDataObject[]): Partial<RunRequest> => ({
			listTaken: 'inTurns',
			listBefore,
			listReads: {
				gives: sheet.map(() => WHY[0]!),
				settings: { onError: 'continueErrorOutput' },
				errors: 'calls',
			},
		});

		it.each<[string, INodeParameters]>([
			['Opted Out', { options: { optedOut: '={{ $json.listed }}' } }],
			[
				'and a time zone is blank',
				{ options: { optedOut: '={{ $json.listed }}', timeZone: '={{ $json.none }}' } },
			],
			[
				'and a key is blank',
				{
					calledBefore: 'skip',
					options: {
						optedOut: '={{ $json.listed }}',
						callOnceKey: '={{ $json.none || $json.phone }}',
					},
				},
			],
		])('G11 %s: whoever did not opt out in the row is called', async (_, parameters) => {
			const run = await bench.run(bulk(parameters), [], of(rows));
			expect(statuses(run.json)).toEqual(['initiated', 'do_not_call', 'initiated']);
		});

		it('G11 a column that it was to add: nobody is called', async () => {
			const run = await bench.run(bulk({ options: { optedOut: '={{ $json.listed }}' } }), [], {
				...of(sheet),
				onError,
			});
			expect(statuses(run.json)).toEqual(['invalid', 'invalid', 'invalid']);
			expect(bench.dialed).toEqual([]);
		});
	});

	it('G11 a column of the sheet that is named error says nothing of a step that could not work for another row', async () => {
		const rows = sheet.map((row, n) => ({
			...row,
			error: n === 0 ? 'busy' : '',
			out: n === 1 ? 'yes' : '',
		}));
		const listReads = {
			gives: [rows[0]!, rows[1]!, WHY[0]!],
			settings: { onError: 'continueErrorOutput' as const },
		};
		const through = {
			...inTurns,
			rowsFrom: [0, 1],
			listBefore: rows,
			listReads,
			rowsSettings: { type: 'n8n-nodes-base.noOp', executeOnce: false },
		};
		const run = await bench.run(
			bulk({ options: { optedOut: '={{ $json.out }}' } }),
			rows.slice(0, 2),
			through,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
	});

	it.each<[string, INodeParameters]>([
		[
			'once a day for each',
			{
				calledBefore: 'skip',
				options: { callOnceKey: '={{ $now.toISODate() }} {{ $json.error }}' },
			},
		],
		[
			'by night another number',
			{ destination: `={{ $json.error.includes("fire") ? "${phone(1)}" : "${phone(0)}" }}` },
		],
		['only if there is one', { options: { optedOut: '={{ $json.error ? "no" : "yes" }}' } }],
		['live only if there is one', { mode: '={{ $json.error ? "live" : "dryRun" }}' }],
	])('an alarm may ask why a step could not work: %s', async (_, more) => {
		const alarm = place({
			destination: phone(0),
			promptVariables: assignments({ text: '={{ $json.error }}' }),
			...more,
		});
		expect(statuses((await bench.run(alarm, WHY, { rowsSettings: { onError } })).json)).toEqual([
			'initiated',
		]);
	});

	it.each<[string, INodeParameters]>([
		['All Fields of the Input', { variablesFrom: 'input' }],
		['JSON', { variablesFrom: 'json', promptVariablesJson: '={{ $json }}' }],
	])('nobody hears n8n’s message in place of words: %s', async (_, words) => {
		const run = await bench.run(
			bulk({ destination, ...words }),
			[{ name: 'Ada' }, WHY[0]!, { name: 'Cem' }],
			fromCheck,
		);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'initiated']);
	});

	it('a row that has a column named error is a row', async () => {
		const rows = contacts(2).map((row) => ({ ...row, error: 'E42' }));
		expect(statuses((await bench.run(bulk(), rows, { rowsSettings: { onError } })).json)).toEqual([
			'initiated',
			'initiated',
		]);
	});

	it('what an alert says may be called that: its step stops when it cannot work', async () => {
		const alert = place({
			destination: phone(0),
			promptVariables: assignments({ text: '={{ $json.error }}' }),
		});
		expect(statuses((await bench.run(alert, [{ error: 'The disk is full' }])).json)).toEqual([
			'initiated',
		]);
	});

	itWithFunctions.each<[string, Partial<RunRequest>]>([
		['in its output', { rowsSettings: { onError } }],
		[
			'in its error output',
			{
				listBefore: [{}],
				listReads: { gives: WHY, settings: { onError: 'continueErrorOutput' }, errors: 'rows' },
				rowsSettings: { type: 'n8n-nodes-base.noOp', executeOnce: false },
			},
		],
	])('an alarm may say why a step could not work, %s', async (_, more) => {
		const alarm = place({
			destination: phone(0),
			promptVariables: assignments({ text: '={{ $json.error }}' }),
		});
		expect(statuses((await bench.run(alarm, WHY, more)).json)).toEqual(['initiated']);
	});

	it.each([
		'={{ $json.note || "Good morning" }}',
		'={{ $json.note ?? "Good morning" }}',
		'={{ $json.note ? $json.note : "Good morning" }}',
	])(
		'a number that somebody typed is called when there is no row, with what is said then: %s',
		async (note) => {
			const morning = place({ destination: phone(0), promptVariables: assignments({ note }) });
			expect(statuses((await bench.run(morning, [{}])).json)).toEqual(['initiated']);
		},
	);

	it('a number that somebody typed is not called when there is no row at all', async () => {
		const alert = place({
			destination: phone(0),
			promptVariables: assignments({ text: '={{ $json.text }}' }),
		});
		const run = await bench.run(alert, WHY, { rowsSettings: { onError }, onError });
		expect(statuses(run.json)).toEqual(['invalid']);
		const nothing = await bench.run(alert, [{}], {
			rowsSettings: { alwaysOutputData: true },
			onError,
		});
		expect(nothing.json.map(({ status, reason }) => [status, reason])).toEqual([
			[
				'invalid',
				'The input item is empty, and prompt variables take columns of it. To call although there is no row, type them.',
			],
		]);
		const typed = place({
			destination: phone(0),
			promptVariables: assignments({ text: 'Good morning' }),
		});
		expect(statuses((await bench.run(typed, [{}])).json)).toEqual(['initiated']);
	});
});
