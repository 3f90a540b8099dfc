import type { IDataObject } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { itWithFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { bulk, phone } from './helpers/workflows';

// What turns text into dates gives nothing for a text in another form, without a word (n8n and Luxon behaviour).

const bench = workbench();
storeForEach();

const statuses = (rows: IDataObject[]): unknown[] => rows.map(({ status }) => status);
const cells = ['25.12.2099', '25.12.99', '12/25/2099', ''].map((closed, n) => ({
	phone: phone(n),
	closed,
}));
const turned = (of: string): string => `DateTime.fromFormat(${of}, 'dd.MM.yyyy').toISODate()`;

describe('G1 No-Call Dates of a row that are turned from another form', () => {
	itWithFunctions.each([
		`={{ ${turned('$json.closed')} }}`,
		`={{ ${turned('$json.closed')} ?? '' }}`,
		`={{ $json.closed ? ${turned('$json.closed')} : '' }}`,
		`={{ $json.closed !== '' ? ${turned('$json.closed')} : '' }}`,
		`={{ $json.closed && ${turned('$json.closed')} }}`,
		`={{ ${turned('$input.item.json.closed')} }}`,
		`={{ ${turned('$json.closed.trim()')} }}`,
		`={{ ${turned('String($json.closed)')} }}`,
		`={{ ${turned('$json.closed')} }}, 2099-12-26`,
		`={{ [${turned('$json.closed')}, '2099-12-26'].join() }}`,
		`={{ [${turned('$json.closed')}].filter(Boolean) }}`,
		"={{ DateTime.fromFormat($json.closed, 'dd.MM.yyyy').plus({ days: 1 }).toISODate() }}",
		"={{ DateTime.fromFormat($json.closed, 'dd.MM.yyyy').setZone('utc')?.toISODate() }}",
		"={{ $json.closed ? $json.closed.toDateTime('dd.MM.yyyy').toISODate() : '' }}",
		"={{ DateTime.fromFormat($json.closed + 'T', \"dd.MM.yyyy'T'\").toISODate() }}",
		"={{ $json.closed.split(',').map((day) => DateTime.fromFormat(day, 'dd.MM.yyyy').toISODate()).filter(Boolean) }}",
	])('a cell in a third form is no date, so its row is not called: %s', async (noCallDates) => {
		const run = await bench.run(bulk({ options: { noCallDates } }), cells);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'invalid', 'initiated']);
		expect(run.json[1]!.reason).toMatch(
			/^The option No-Call Dates makes no date of "25\.12\.99"\. /,
		);
	});

	itWithFunctions('so it is where one Edit Fields turns them', async () => {
		const value = `={{ ${turned('$json.closed')} }}`;
		const rowsSettings = {
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				includeOtherFields: true,
				assignments: { assignments: [{ id: '1', name: 'day', value, type: 'string' }] },
			},
		};
		const rows = cells.map((row, n) => ({ ...row, day: n === 0 ? '2099-12-25' : null }));
		const host = {
			listBefore: cells,
			listTaken: 'inTurns',
			rowsFrom: [0, 1, 2, 3],
			rowsSettings,
		} as const;
		const run = await bench.run(bulk({ options: { noCallDates: '={{ $json.day }}' } }), rows, host);
		expect(statuses(run.json)).toEqual(['initiated', 'invalid', 'invalid', 'initiated']);
	});

	it.each([
		"={{ $json.region === 'x' ? DateTime.fromISO($json.closed).toISODate() : '' }}",
		"={{ $json.closed < '2099' ? DateTime.fromISO($json.closed).toISODate() : '' }}",
		"={{ $json.closed ? '' : $json.region.split(',').join() }}",
		'={{ $json.region && "" }}',
		"={{ $json.closed !== '2099-12-25' ? DateTime.fromFormat($json.closed, 'dd.MM.yyyy').toISODate() : '' }}",
		"={{ $json.region.match(/^x/) ? '2099-01-01' : '' }}",
		"={{ $json.region ? '' : DateTime.fromISO($json.closed).toISODate() }}",
		"={{ $json.region ? DateTime.fromISO($json.never).toISODate() : '' }}",
		"={{ $json.off ? DateTime.fromISO($json.off).toISODate() : '' }}",
		"={{ DateTime.fromFormat($json.closed, 'dd.MM.yyyy').toISODate() || $json.closed }}",
		"={{ DateTime.fromFormat($json.closed, 'dd.MM.yyyy').toISODate() ?? DateTime.fromISO($json.closed).toISODate() }}",
		"={{ DateTime.fromISO($json.closed).isValid ? $json.closed : DateTime.fromFormat($json.closed, 'dd.MM.yyyy').toISODate() }}",
	])('what leaves a date out on purpose may: %s', async (noCallDates) => {
		const rows = ['2099-12-25', ''].map((closed, n) => ({
			phone: phone(n),
			closed,
			region: 'y',
			never: '',
			off: false,
		}));
		const { json } = await bench.run(bulk({ options: { noCallDates } }), rows);
		expect(statuses(json).slice(0, 1)).toEqual(['initiated']);
	});
});

itWithFunctions(
	'G1 a function that gives something in place of what is no date may, though it compares before',
	async () => {
		const noCallDates =
			"={{ (() => { if ($json.closed === '') return ''; return DateTime.fromFormat($json.closed, 'dd.MM.yyyy').toISODate() || $json.closed })() }}";
		const rows = ['2099-12-25', ''].map((closed, n) => ({ phone: phone(n), closed }));
		expect(statuses((await bench.run(bulk({ options: { noCallDates } }), rows)).json)).toEqual([
			'initiated',
			'initiated',
		]);
	},
);

/** Steps before the node: a sheet, and an Edit Fields that makes one field more. */
const made = (value: string) => ({
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		includeOtherFields: true,
		assignments: { assignments: [{ id: '1', name: 'day', value, type: 'string' }] },
	},
});

describe('G11 Opted Out until a date', () => {
	itWithFunctions.each([
		"={{ new Date($json.until + 'T23:59:59') > new Date() ? 'yes' : 'no' }}",
		"={{ DateTime.fromSQL(($json.until ?? '') + ' 23:59:59') > $now }}",
		'={{ DateTime.fromJSDate(new Date($json.until)) > $now }}',
		"={{ DateTime.fromISO($json.until).toISODate() === $today.plus({ days: 1 }).toISODate() ? 'yes' : 'no' }}",
		'={{ DateTime.fromISO(String($json.until)) > $now }}',
	])(
		'that is empty says nothing, and one in another form keeps its row from being called: %s',
		async (optedOut) => {
			const rows = ['', null, '31.12.2099', '2020-12-31'].map((until, n) => ({
				phone: phone(n),
				until,
			}));
			const { json } = await bench.run(bulk({ options: { optedOut } }), rows);
			expect(statuses(json)).toEqual(['initiated', 'initiated', 'invalid', 'initiated']);
		},
	);

	itWithFunctions.each([
		'={{ DateTime.fromISO($json.until) > $now }}',
		"={{ new Date($json.until) > new Date() ? 'yes' : 'no' }}",
		"={{ DateTime.fromISO($json.until).diffNow('days').days > 0 }}",
		"={{ DateTime.fromISO($json.until).toISODate() >= $today.toISODate() || $json.until === 'x' }}",
		"={{ $now < DateTime.fromISO($json.until) || $json.until === 'x' }}",
		"={{ new Date() < new Date($json.until) || $json.until === 'x' }}",
		"={{ ($today.toISODate() <= DateTime.fromISO($json.until).toISODate()) || $json.until === 'x' }}",
		"={{ $json.until === 'invalid' || DateTime.fromISO($json.until) > $now }}",
		"={{ isNaN($json.until) === 'x' || DateTime.fromISO($json.until) > $now }}",
		"={{ DateTime.fromISO($json.until).hasSame(DateTime.fromISO('2099-12-31'), 'day') || $json.until === 'x' }}",
		"={{ $now.plus({ years: 70 }).equals(DateTime.fromISO($json.until)) || ($json.until === 'x') || DateTime.fromISO($json.until) > $now }}",
		'={{ DateTime\n\t.fromISO($json.until) > $now }}',
	])(
		'a date in another form is neither before nor after today, so the row is not called: %s',
		async (optedOut) => {
			const rows = ['2099-12-31', '2020-12-31', '31.12.2099x', 'forever', ''].map((until, n) => ({
				phone: phone(n),
				until,
			}));
			const { json } = await bench.run(bulk({ options: { optedOut } }), rows);
			expect(statuses(json)).toEqual([
				'do_not_call',
				'initiated',
				'invalid',
				'invalid',
				'initiated',
			]);
			expect(json[3]!.reason).toMatch(/^The option Opted Out makes no date of "forever"\. /);
		},
	);

	itWithFunctions.each([
		"={{ DateTime.fromISO($json.from) <= $now && $now <= DateTime.fromISO($json.until) ? 'yes' : 'no' }}",
		'={{ new Date($json.from) < new Date() && new Date() < new Date($json.until) }}',
	])(
		'from one date until another, both in another form: the row is not called: %s',
		async (optedOut) => {
			const rows = [
				{ from: '2020-01-01', until: '2099-12-01' },
				{ from: '31.01.2020', until: '31.12.2099' },
				{ from: '2020-01-01', until: '2020-12-01' },
			].map((dates, n) => ({ phone: phone(n), ...dates }));
			const { json } = await bench.run(bulk({ options: { optedOut } }), rows);
			expect(statuses(json)).toEqual(['do_not_call', 'invalid', 'initiated']);
		},
	);

	itWithFunctions(
		'a date as databases give it is none in the form of a text, so the row is not called',
		async () => {
			const rows = [new Date('2099-12-31'), new Date('2020-12-31'), ''].map((until, n) => ({
				phone: phone(n),
				until,
			})) as unknown as IDataObject[];
			const of = async (optedOut: string) =>
				statuses((await bench.run(bulk({ options: { optedOut } }), rows)).json);
			expect(await of('={{ DateTime.fromISO($json.until) > $now }}')).toEqual([
				'invalid',
				'invalid',
				'initiated',
			]);
			expect(await of("={{ $json.until ? DateTime.fromJSDate($json.until) > $now : '' }}")).toEqual(
				['do_not_call', 'initiated', 'initiated'],
			);
		},
	);

	itWithFunctions(
		'a date of another step, in another form: no row is called that goes by it',
		async () => {
			const rows = ['', 'yes', 'no'].map((dnc, n) => ({ phone: phone(n), dnc }));
			const optedOut =
				"={{ $json.dnc === 'yes' || DateTime.fromISO($('List').first().json.until) > $now }}";
			const { json } = await bench.run(bulk({ options: { optedOut } }), rows, {
				listBefore: [{ until: '31.12.2099' }],
			});
			expect(statuses(json)).toEqual(['invalid', 'do_not_call', 'invalid']);
			expect(json[2]!.reason).toMatch(/^The option Opted Out makes no date of a cell\. /);
		},
	);

	itWithFunctions('on that day, in another form: the row is not called', async () => {
		const rows = ['31.12.2099', '2099-12-31'].map((day, n) => ({ phone: phone(n), day }));
		const { json } = await bench.run(
			bulk({ options: { optedOut: "={{ DateTime.fromISO($json.day).hasSame($now, 'day') }}" } }),
			rows,
		);
		expect(statuses(json)).toEqual(['invalid', 'initiated']);
	});

	itWithFunctions('so it is where only who is past it is kept', async () => {
		const rows = ['2020-12-31', '2099-12-31', 'long ago'].map((since, n) => ({
			phone: phone(n),
			since,
		}));
		const { json } = await bench.run(
			bulk({ options: { optedOut: '={{ DateTime.fromISO($json.since) < $now }}' } }),
			rows,
		);
		expect(statuses(json)).toEqual(['do_not_call', 'initiated', 'invalid']);
	});
});

itWithFunctions('G11 Opted Out asks itself whether a cell is a date: it is believed', async () => {
	const rows = ['no', '2020-12-31', ''].map((said, n) => ({ phone: phone(n), said }));
	for (const isDate of [
		'DateTime.fromISO($json.said).isValid',
		"['yyyy-MM-dd', 'd.M.yyyy'].map((format) => DateTime.fromFormat($json.said, format)).find(({ isValid }) => isValid)",
		"new Date($json.said).toString() !== 'Invalid Date'",
		"DateTime.fromISO($json.said).toString() !== 'Invalid DateTime'",
		'Number.isFinite(new Date($json.said).getTime())',
		'!isNaN(new Date($json.said))',
	])
		expect(
			statuses(
				(
					await bench.run(
						bulk({ options: { optedOut: `={{ ${isDate} ? 'yes' : $json.said }}` } }),
						rows,
					)
				).json,
			),
		).toEqual(['initiated', 'do_not_call', 'initiated']);
});

describe('G1 a list whose entries are turned into dates', () => {
	const listOf = (dates: string[]) => ({
		listBefore: dates.map((date, n) => ({ date, phone: phone(5 + n) })),
	});
	const days =
		"={{ $('List').all().map((item) => DateTime.fromFormat(item.json.date, 'dd.MM.yyyy').toISODate()).filter(Boolean) }}";
	const kept =
		"={{ $('List').all().filter((item) => DateTime.fromISO(item.json.date) > $now).map((item) => item.json.phone) }}";

	itWithFunctions('No-Call Dates with one in another form: nobody is called', async () => {
		const { json } = await bench.run(
			bulk({ options: { noCallDates: days } }),
			cells.slice(0, 2),
			listOf(['25.12.2099', '25.12.99']),
		);
		expect(statuses(json)).not.toContain('initiated');
		expect(bench.dialed).toEqual([]);
	});

	itWithFunctions('No-Call Dates with an empty one: everybody is called', async () => {
		await bench.run(
			bulk({ options: { noCallDates: days } }),
			cells.slice(0, 2),
			listOf(['25.12.2099', '']),
		);
		expect(bench.dialed).toHaveLength(2);
	});

	itWithFunctions(
		'Do Not Call until a date, with one in another form: nobody is called',
		async () => {
			const run = await bench.run(
				bulk({ options: { doNotCall: kept } }),
				cells.slice(0, 2),
				listOf(['2099-12-31', '31.12.2099']),
			);
			expect(bench.dialed).toEqual([]);
			expect(run.error?.message).toContain('Do Not Call makes no date of a cell');
		},
	);

	itWithFunctions(
		'Do Not Call until a date, all of which can be read: the others are called',
		async () => {
			await bench.run(
				bulk({ options: { doNotCall: kept } }),
				cells.slice(0, 2),
				listOf(['2099-12-31', '2020-12-31', '']),
			);
			expect(bench.dialed).toHaveLength(2);
		},
	);
});

itWithFunctions(
	'G8 Remember People By with a date in another form: the row is not called, as it would be again once the cell is corrected',
	async () => {
		const callOnceKey =
			"={{ $json.phone }} {{ DateTime.fromFormat($json.day, 'd.M.yyyy').toISODate() }}";
		const rows = ['1.12.2099', '1.12.99', ''].map((day, n) => ({ phone: phone(n), day }));
		const { json } = await bench.run(
			bulk({ calledBefore: 'skip', options: { callOnceKey } }),
			rows,
		);
		expect(statuses(json)).toEqual(['initiated', 'invalid', 'initiated']);
		expect(json[1]!.reason).toMatch(/^The option Remember People By makes no date of /);
	},
);

describe('G11 an age in days, which is another one a moment later, of dates that can be read', () => {
	const age = "={{ $now.diff(DateTime.fromISO($json.since), 'days').days }}";
	const sinces = ['2020-12-31', '2099-12-31'];

	itWithFunctions(
		'made by an Edit Fields for Opted Out: who has not opted out is called',
		async () => {
			const listBefore = sinces.map((since, n) => ({ phone: phone(n), since }));
			const host = {
				listBefore,
				listTaken: 'inTurns',
				rowsFrom: [0, 1],
				rowsSettings: made(age),
			} as const;
			const rows = listBefore.map((row, n) => ({ ...row, day: n === 0 ? 2000 : -20_000 }));
			const run = await bench.run(
				bulk({ options: { optedOut: "={{ $('Rows').item.json.day > 365 ? 'yes' : 'no' }}" } }),
				rows,
				host,
			);
			expect(statuses(run.json)).toEqual(['do_not_call', 'initiated']);
		},
	);

	itWithFunctions(
		'made by an Edit Fields for each line of Do Not Call, one in another form: nobody is called',
		async () => {
			const value = "={{ DateTime.fromISO($json.since) > $now ? 'yes' : 'no' }}";
			const gives = JSON.stringify([0, 1].map((n) => ({ phone: phone(n), day: 'no' })));
			const settings = { ...made(value), parameters: { ...made(value).parameters, gives } };
			const doNotCall =
				"={{ $('List').all().filter((item) => item.json.day === 'yes').map((item) => item.json.phone) }}";
			const listBefore = ['31.12.2099', '2020-12-31'].map((since, n) => ({
				phone: phone(n),
				since,
			}));
			const run = await bench.run(bulk({ options: { doNotCall } }), listBefore, {
				listBefore,
				listReads: { gives: [], settings },
			});
			expect(run.error?.message).toContain('Do Not Call makes no date of a cell');
			expect(bench.dialed).toEqual([]);
		},
	);

	itWithFunctions(
		'made by an Edit Fields for each line of Do Not Call: who is not on it is called',
		async () => {
			const gives = JSON.stringify([
				{ phone: phone(0), day: 2000 },
				{ phone: phone(1), day: -20_000 },
			]);
			const settings = { ...made(age), parameters: { ...made(age).parameters, gives } };
			const doNotCall =
				"={{ $('List').all().filter((item) => item.json.day > 365).map((item) => item.json.phone) }}";
			const listBefore = sinces.map((since, n) => ({ phone: phone(n), since }));
			const rows = [0, 1].map((n) => ({ phone: phone(n) }));
			await bench.run(bulk({ options: { doNotCall } }), rows, {
				listBefore,
				listReads: { gives: [], settings },
			});
			expect(bench.dialed).toEqual([phone(1)]);
		},
	);
});
