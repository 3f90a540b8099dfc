import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { itWithFunctions, readsFunctions } from './helpers/readsFunctions';
import { workbench } from './helpers/workbench';
import { AGENT, bulk, contacts, pairs, phone, place, shown } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();
afterEach(() => {
	jest.restoreAllMocks();
});

const HOUR = 3_600_000;
/** A Monday, in winter. */
const MONDAY = '2026-11-23';
const at = (time: string): number => Date.parse(`${MONDAY}T${time}Z`);
/** What n8n and the node take for the time of day. It may move while the node works. */
const clock = (now: () => number): void => {
	jest.spyOn(Date, 'now').mockImplementation(now);
};

const ALL_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WEEKDAYS = ALL_DAYS.slice(0, 5);
const hours = (from: string, to: string, days = WEEKDAYS): INodeParameters => ({
	window: [{ days, from, to }],
});
const BERLIN = '+4917612340001';
const NEW_YORK = '+12125550101';
const people = [
	{ phone: BERLIN, name: 'Berta' },
	{ phone: NEW_YORK, name: 'Norman' },
];
const statuses = (rows: IDataObject[]): unknown[] => rows.map(({ status }) => status);

describe('G11 calling hours', () => {
	const nineToEight = { callingHours: hours('09:00', '20:00') };

	it('only people whose own clocks are inside are called; the others come out with the time from when they may be', async () => {
		clock(() => at('10:00:00'));
		const { called, notCalled, json, hints } = await bench.run(
			bulk({ options: nineToEight }),
			people,
		);
		expect(bench.dialed).toEqual([BERLIN]);
		expect(called.map(({ json: row }) => row.destination)).toEqual([BERLIN]);
		expect(notCalled.map(({ json: row }) => row)).toMatchObject([
			{
				status: 'outside_hours',
				called: 'no',
				reason: 'It is Mon 05:00 in America/New_York',
				destination: NEW_YORK,
				success: false,
				callable_at: '2026-11-23T09:00:00-05:00',
				time_zones: ['America/New_York'],
			},
		]);
		expect(pairs([...called, ...notCalled])).toEqual([0, 1]);
		expect(json[0]).not.toHaveProperty('callable_at');
		expect(hints[0]?.message).toMatch(
			/^2 rows: 1 called, 1 not called \(1 outside calling hours\)\. 1 row outside calling hours may be called later: from 2026-11-23 09:00 in America\/New_York \(their time\)\.$/,
		);
	});

	it.each([
		['Mayotte as it is dialed in France', '+33269611234', 'Indian/Mayotte', '21:30'],
		[
			'Northern Ireland as it is dialed in the Republic',
			'+3534890123456',
			'Europe/London',
			'18:30',
		],
	])('are those of where the phone is: %s', async (_, number, zone, time) => {
		clock(() => at('18:30:00'));
		const { json } = await bench.run(bulk({ options: { callingHours: hours('09:00', '18:00') } }), [
			{ phone: number },
		]);
		expect(json).toMatchObject([
			{ status: 'outside_hours', reason: `It is Mon ${time} in ${zone}`, time_zones: [zone] },
		]);
	});

	it('nobody is called outside of them, with any On Error setting, and nothing is thrown for that', async () => {
		clock(() => at('02:00:00'));
		for (const onError of [
			'stopWorkflow',
			'continueRegularOutput',
			'continueErrorOutput',
		] as const) {
			const { json, error, notCalled } = await bench.run(bulk({ options: nineToEight }), people, {
				onError,
			});
			expect([error, statuses(json), notCalled.length]).toEqual([
				undefined,
				['outside_hours', 'outside_hours'],
				2,
			]);
		}
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('a run of every half hour calls each person once, when their time has come', async () => {
		const parameters = bulk({ calledBefore: 'skip', options: nineToEight });
		for (let halfHours = 0; halfHours < 48; halfHours++) {
			clock(() => at('00:00:00') + halfHours * (HOUR / 2));
			await bench.run(parameters, people);
		}
		expect(bench.dialed).toEqual([BERLIN, NEW_YORK]);
		expect(store.size).toBe(2);
	});

	it('the row’s own time zone goes before its number', async () => {
		clock(() => at('10:00:00'));
		const rows = [
			{ phone: NEW_YORK, zone: 'Europe/Berlin' },
			{ phone: BERLIN, zone: 'America/New_York' },
			{ phone: '+4917612340002', zone: '' },
		];
		const { json } = await bench.run(
			bulk({ options: { ...nineToEight, timeZone: '={{ $json.zone }}' } }),
			rows,
		);
		expect(statuses(json)).toEqual(['initiated', 'outside_hours', 'initiated']);
	});

	it('a column of time zones that is empty in every row is said above the table: its name may be misspelt', async () => {
		clock(() => at('10:00:00'));
		const { hints } = await bench.run(
			bulk({ options: { ...nineToEight, timeZone: '={{ $json.time_zoen }}' } }),
			[people[0]!],
		);
		expect(hints[0]?.message).toBe(
			'1 row: 1 called, 0 not called. Time Zone is empty in every row, so each phone number’s own time zones are used. If your rows have time zones, it takes the wrong column.',
		);
	});

	it('a zone that is typed for every row is told where numbers are of others: it may be that of whoever typed it', async () => {
		clock(() => at('14:30:00'));
		const typed = (timeZone: string) =>
			bulk({ options: { ...nineToEight, timeZone }, mode: 'dryRun' });
		const sheet = [
			...people,
			{ phone: '+13105550101', name: 'Lola' },
			{ phone: '+13105550101', name: 'Lola' },
		];
		const told = async (timeZone: string, rows: IDataObject[]) =>
			(await bench.run(typed(timeZone), rows)).hints[0]?.message ?? '';
		expect(await told('America/New_York', sheet)).toContain(
			' Time Zone is "America/New_York" for every row, and 2 of the numbers are of other time zones, such as Europe/Berlin: Calling Hours are judged by the clocks that you typed. If these are yours, and not theirs, take the option out.',
		);
		expect(await told('America/New_York', sheet.slice(1, 2))).not.toContain('for every row');
		expect(await told('Europe/Paris', sheet.slice(0, 1))).not.toContain('for every row');
		expect(await told('={{ "America/New_York" }}', sheet)).not.toContain('for every row');
		// The column was renamed, so what is meant for rows without it counts for all.
		const orMine = '={{ $json.zone || "America/New_York" }}';
		expect(await told(orMine, sheet)).toContain(
			'Time Zone is "America/New_York" for every row, and 2 of the numbers',
		);
		expect(
			await told(orMine, [...sheet, { phone: BERLIN, zone: '' }] as typeof sheet),
		).not.toContain('for every row');
	});

	it('a zone that does not exist makes its row invalid', async () => {
		clock(() => at('10:00:00'));
		const { json } = await bench.run(
			bulk({ options: { ...nineToEight, timeZone: '={{ $json.zone }}' } }),
			[
				{ phone: BERLIN, zone: 'Berlin' },
				{ phone: '+4917612340002', zone: 'Europe/Berlin' },
			],
		);
		expect(statuses(json)).toEqual(['invalid', 'initiated']);
		expect(json[0]?.reason).toContain('The option Time Zone is "Berlin"');
	});

	it('a number of which no zone is known is not called, unless the workflow’s zone is to count', async () => {
		clock(() => at('15:00:00'));
		const rows = [{ phone: '+80012345678' }];
		const options = { callingHours: hours('00:00', '24:00', ALL_DAYS) };
		const closed = await bench.run(bulk({ options }), rows);
		expect(closed.json).toMatchObject([
			{
				status: 'outside_hours',
				called: 'no',
				reason: 'The time zone is not known',
				callable_at: null,
				time_zones: [],
			},
		]);
		const open = await bench.run(
			bulk({ options: { ...options, unknownTimeZone: 'workflow' } }),
			rows,
		);
		expect(open.json[0]?.status).toBe('initiated');
	});

	it('nobody is called on a no-call date, also without windows', async () => {
		clock(() => at('10:00:00'));
		const rows = [
			{ phone: BERLIN, holidays: '2026-12-25, 2026-11-23' },
			{ phone: '+4917612340002', holidays: '2026-12-25' },
			{ phone: '+4917612340003', holidays: '23.11.2026' },
		];
		const { json } = await bench.run(
			bulk({ options: { noCallDates: '={{ $json.holidays }}' } }),
			rows,
		);
		expect(statuses(json)).toEqual(['outside_hours', 'initiated', 'invalid']);
		expect(json[0]).toMatchObject({ callable_at: '2026-11-24T00:00:00+01:00' });
	});

	it.each<[string, unknown, string]>([
		['no window', { window: [] }, 'Calling Hours has no window'],
		[
			'no days',
			{ window: [{ days: [], from: '09:00', to: '20:00' }] },
			'Window 1 of Calling Hours has no days',
		],
		['25:00', { window: [{ days: ['mon'], from: '25:00', to: '26:00' }] }, 'begins at "25:00"'],
		[
			'over midnight',
			{ window: [{ days: ['mon'], from: '20:00', to: '06:00' }] },
			'ends before it begins',
		],
	])('G1 windows that cannot be read call nobody: %s', async (_, callingHours, message) => {
		const run = await bench.run(
			bulk({ options: { callingHours: callingHours as INodeParameters } }),
			people,
		);
		expect(shown(run).message).toContain(message);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('a paced run stops at the end of the window, to the second', async () => {
		// Time passes with the calls: the eighth one is the last before 20:00.
		clock(() => at('19:59:57') + bench.sandbox.journal.length * 400);
		const rows = Array.from({ length: 40 }, (_, n) => ({ phone: `+44740012${3_000 + n}` }));
		const parameters = place({
			options: {
				callingHours: hours('09:00', '20:00'),
				callsPerMinute: 1_200,
				parallelRequests: 3,
			},
		});
		bench.sandbox.fault({ kind: 'latency', route: 'call', ms: 5 });
		const run = await bench.run(parameters, rows);
		const called = statuses(run.json).filter(
			(status) => status === 'placed' || status === 'queued' || status === 'initiated',
		).length;
		expect(called).toBe(bench.dialed.length);
		expect(statuses(run.json).filter((status) => status === 'outside_hours')).toHaveLength(
			rows.length - called,
		);
		expect(called).toBeGreaterThanOrEqual(8);
		// Two more may have been under way.
		expect(called).toBeLessThanOrEqual(10);
	});

	it.each([bulk, place])(
		'a request leaves in the moment of its last judgement: the credential is read before, and not again',
		async (calls) => {
			let now = at('19:59:58');
			clock(() => now);
			let reads = 0;
			const { json } = await bench.run(
				calls({ options: { callingHours: hours('09:00', '20:00'), parallelRequests: 1 } }),
				Array.from({ length: 21 }, (_, n) => ({ phone: `+44740012${3_000 + n}` })),
				// Where the host read it again behind the judgement, a slow database would have the request leave too late.
				// It is read for the first row, and once more to see whether it is the same for all.
				{ onCredentialRead: () => (now = ++reads <= 2 ? now : at('20:00:01')) },
			);
			expect(new Set(statuses(json)).size).toBe(1);
			expect(bench.dialed).toHaveLength(21);
			expect(reads).toBe(2);
		},
	);

	it('rows whose window ends during a pause are not called after it, and not remembered', async () => {
		let now = at('19:59:59');
		clock(() => now);
		bench.sandbox.fault({
			kind: 'rateLimited',
			route: 'bulk',
			form: 'plain',
			retryAfter: 1,
			times: 1,
		});
		bench.meanwhile = () => {
			now = at('20:00:00');
		};
		const parameters = bulk({
			calledBefore: 'skip',
			options: { callingHours: hours('09:00', '20:00') },
		});
		const { json } = await bench.run(parameters, [{ phone: '+447400123001' }]);
		expect(json).toMatchObject([
			{
				status: 'outside_hours',
				called: 'no',
				reason: 'It is Mon 20:00 in Europe/London',
				callable_at: '2026-11-24T09:00:00+00:00',
			},
		]);
		expect(bench.dialed).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(1);
		expect(store.size).toBe(0);
	});

	it('a Retry after the window has ended shows who was called, and calls nobody else', async () => {
		clock(() => at('10:00:00'));
		const rows = Array.from({ length: 11 }, (_, n) => ({ phone: `+49176123400${10 + n}` }));
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const parameters = bulk({ options: { ...nineToEight, parallelRequests: 1 } });
		const stopped = await bench.run(parameters, rows);
		expect(bench.dialed).toHaveLength(10);
		clock(() => at('22:00:00'));
		const { json, called } = await bench.run(parameters, rows, { retryOf: stopped });
		expect(statuses(json)).toEqual([...Array<string>(10).fill('initiated'), 'outside_hours']);
		expect(called).toHaveLength(10);
		expect(bench.dialed).toHaveLength(10);
	});

	it('G2 of two rows with one number, the one whose own zone is inside is called', async () => {
		clock(() => at('10:00:00'));
		const rows = [
			{ phone: BERLIN, zone: 'America/New_York' },
			{ phone: BERLIN, zone: 'Europe/Berlin' },
			{ phone: BERLIN, zone: 'Europe/Berlin' },
		];
		const { json } = await bench.run(
			bulk({ options: { ...nineToEight, timeZone: '={{ $json.zone }}' } }),
			rows,
		);
		expect(statuses(json)).toEqual(['outside_hours', 'initiated', 'duplicate']);
		expect(json[2]?.reason).toBe('Same number as row 2');
		expect(bench.dialed).toEqual([BERLIN]);
	});

	it('a dry run forecasts who would be called now, how long that takes, and when the others may be', async () => {
		clock(() => at('10:00:00'));
		const rows = [
			...contacts(0),
			...Array.from({ length: 21 }, (_, n) => ({ phone: `+49176123400${10 + n}` })),
			{ phone: NEW_YORK },
		];
		const { json, called, hints } = await bench.run(
			bulk({ mode: 'dryRun', options: { ...nineToEight, callsPerMinute: 10 } }),
			rows,
		);
		expect(called).toEqual([]);
		expect(json[21]).toMatchObject({
			status: 'outside_hours',
			callable_at: '2026-11-23T09:00:00-05:00',
			agent_number: expect.any(String),
		});
		expect(json[21]).not.toHaveProperty('request');
		expect(hints[0]?.message).toContain(
			'22 rows: 21 would be called, 1 not (1 outside calling hours).',
		);
		expect(hints[0]?.message).toContain('At 10 calls per minute this takes 2 minutes.');
		expect(hints[0]?.message).toContain(
			'1 row outside calling hours may be called later: from 2026-11-23',
		);
	});

	it('a dry run over several zones says in the workflow’s time when the first of the others may be called, and when the last', async () => {
		clock(() => at('02:00:00'));
		const rows = [
			{ phone: NEW_YORK },
			{ phone: BERLIN },
			{ phone: '+819012340001' },
			{ phone: '+80012345678' },
		];
		const { json, hints } = await bench.run(bulk({ mode: 'dryRun', options: nineToEight }), rows);
		expect(statuses(json)).toEqual(['outside_hours', 'outside_hours', 'dry_run', 'outside_hours']);
		expect(hints[0]?.message).toContain(
			'2 rows outside calling hours may be called later: the first from 2026-11-23 03:00, the last from 2026-11-23 09:00 in America/New_York (the time of this workflow). 1 row may not be called within 14 days.',
		);
	});

	it('the totals name the zones in which this n8n would call an hour early or late, because its Node.js is older than their rules', async () => {
		clock(() => at('10:00:00'));
		// Both stay at their summer time from 2026 on.
		const rules = { 'America/Vancouver': 'GMT-07:00', 'America/Edmonton': 'GMT-06:00' };
		const inWinter = (timeZone: string): string =>
			new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(
				at('12:00:00'),
			);
		const old = Object.entries(rules).flatMap(([zone, offset]) =>
			inWinter(zone).endsWith(offset) ? [] : [zone],
		);
		const hintOf = async (...zones: string[]): Promise<string> => {
			const rows = zones.map((zone, n) => ({ phone: phone(n), zone }));
			const { hints } = await bench.run(
				bulk({ mode: 'dryRun', options: { ...nineToEight, timeZone: '={{ $json.zone }}' } }),
				rows,
			);
			return hints[0]?.message ?? '';
		};
		const said =
			/ This n8n has old time zone rules: clocks in (.*) are an hour off\. A newer Node\.js knows better ones\.$/;
		expect(
			said.exec(await hintOf('Europe/Berlin', ...Object.keys(rules), 'America/Vancouver'))?.[1],
		).toBe(old.length > 0 ? old.join(' and ') : undefined);
		expect(await hintOf('Europe/Berlin')).not.toContain('time zone rules');
	});
});

describe('G11 do not call', () => {
	it('numbers of the list are not called, however they are written, and are not remembered', async () => {
		const rows = [
			{ phone: '0176 12340001' },
			{ phone: '+4917612340002' },
			{ phone: '+4917612340003' },
		];
		const options = { doNotCall: '+49 176 12340001;\n0176/12340002' };
		const { json, notCalled } = await bench.run(
			bulk({ calledBefore: 'skip', defaultCountry: 'DE', options }),
			rows,
		);
		expect(statuses(json)).toEqual(['do_not_call', 'do_not_call', 'initiated']);
		expect(json[0]).toMatchObject({
			reason: 'On the Do Not Call list',
			destination: BERLIN,
			original_destination: '0176 12340001',
		});
		expect(notCalled).toHaveLength(2);
		expect(bench.dialed).toEqual(['+4917612340003']);
		expect(store.size).toBe(1);
	});

	it.each<[string, INodeParameters]>([
		['the only one that may be called', { countries: ['DE'] }],
		['the only one that may be called, which an expression names', { countries: '={{ "de" }}' }],
		[
			'the only one that may be called, where an expression is empty',
			{ countries: ['DE'], defaultCountry: '=' },
		],
		['the chosen one', { countries: ['DE', 'AT'], defaultCountry: 'DE' }],
		[
			'the one that an expression gives for the whole run',
			{ countries: ['DE', 'AT'], defaultCountry: "={{ $('Start').first().json.country }}" },
		],
	])(
		'its numbers without + are of the country that those of the rows are of: %s',
		async (_, country) => {
			const { json } = await bench.run(
				bulk({ ...country, options: { doNotCall: '0176 12340001' } }),
				[{ phone: '0176 12340001', country: 'de' }, { phone: BERLIN }],
			);
			expect(statuses(json)).toEqual(['do_not_call', 'do_not_call']);
		},
	);

	it.each<[string, IDataObject]>([
		['a word', { doNotCall: 'nobody' }],
		['an expression that does not resolve', { doNotCall: '={{ $("Nowhere").all() }}' }],
		['an expression that is empty', { doNotCall: '={{ $json.blocked }}' }],
		['another list for each row', { doNotCall: '={{ $json.phone }}' }],
		['a list of rows', { doNotCall: '={{ $input.all() }}' }],
	])('G1 a list that cannot be read calls nobody: %s', async (_, options) => {
		const stopped = await bench.run(bulk({ options: options as INodeParameters }), contacts(3));
		expect(shown(stopped).message).toContain('Do Not Call');
		const continued = await bench.run(bulk({ options: options as INodeParameters }), contacts(3), {
			onError: 'continueRegularOutput',
		});
		expect(statuses(continued.json)).toEqual(['refused', 'refused', 'refused']);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('a list from an expression is evaluated once for all rows', async () => {
		const options = { doNotCall: '={{ [$input.first().json.phone, $input.last().json.phone] }}' };
		const { json } = await bench.run(bulk({ options }), contacts(3));
		expect(statuses(json)).toEqual(['do_not_call', 'initiated', 'do_not_call']);
	});

	describe('a table that may be empty, read as the documentation says', () => {
		const documented = /`(\{\{ \$\('Opted out'\)\.all\(\)\.filter\(.*? \}\})`/.exec(
			readFileSync(path.join(__dirname, '../../docs/right-to-call.md'), 'utf8'),
		)![1]!;
		// Here the table's rows are the input itself.
		const doNotCall = `=${documented.replace("$('Opted out')", '$input')}`;
		const toCall = {
			destinationSource: 'json',
			destinationsJson: JSON.stringify([phone(1), phone(2)]),
		};

		it.each<[string, IDataObject[], string[]]>([
			['with rows', [{ phone: phone(1) }], ['do_not_call', 'initiated']],
			[
				'with cells that hold nothing',
				[{ phone: null }, { phone: phone(1) }, { phone: '' }],
				['do_not_call', 'initiated'],
			],
			['with the one empty row of Always Output Data', [{}], ['initiated', 'initiated']],
			['with a column of another name', [{ number: phone(1) }], ['refused', 'refused']],
		])('%s', async (_, table, expected) => {
			const { json } = await bench.run(bulk({ ...toCall, options: { doNotCall } }), table, {
				onError: 'continueRegularOutput',
			});
			// The list to call is read once more for each row of the table. A host that reads no functions calls nobody.
			expect(statuses(json).slice(0, 2)).toEqual(
				readsFunctions ? expected : ['refused', 'refused'],
			);
		});
	});

	it('a column in which nobody has opted out is said above the table: it may be the wrong one', async () => {
		const rows = contacts(2).map((row) => ({ ...row, out: '' }));
		const { hints } = await bench.run(bulk({ options: { optedOut: '={{ $json.out }}' } }), rows);
		expect(hints[0]?.message).toBe(
			'2 rows: 2 called, 0 not called. By the column in Opted Out, nobody has opted out.',
		);
	});

	it.each([
		['no row can be sent', {}, contacts(2).map((row) => ({ ...row, phone: 'none', out: 'no' }))],
		[
			'the column is misspelt',
			{ optedOut: '={{ $json.opted }}' },
			[contacts(1)[0]!, ...contacts(2)].map((row) => ({ ...row, out: 'yes' })),
		],
	])('where %s, nothing is said of who opted out', async (_, options, rows) => {
		const run = await bench.run(
			bulk({ mode: 'dryRun', options: { optedOut: '={{ $json.out }}', ...options } }),
			rows,
			{
				onError: 'continueRegularOutput',
			},
		);
		expect(run.hints[0]?.message).toMatch(/ 0 would be called/);
		expect(run.hints[0]?.message).not.toContain('nobody has opted out');
	});

	it('an empty list is said above the table', async () => {
		const { hints } = await bench.run(bulk({ options: { doNotCall: '' } }), contacts(1));
		expect(hints[0]?.message).toContain('The list in Do Not Call is empty.');
	});

	it.each(['+4155552671', '+01712345678', '+49491712345678'])(
		'a list with %s, which a formula has put a + before, calls nobody',
		async (entry) => {
			const { error } = await bench.run(
				bulk({ options: { doNotCall: `${phone(9)}, ${entry}` } }),
				contacts(1),
			);
			expect(error?.message).toMatch(
				/^Entry 2 of Do Not Call is ".*", which is not a phone number$/,
			);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it('who opted out in a row whose number a formula has put a + before is not called', async () => {
		const rows = [
			{ phone: '+4155552671', out: 'yes' },
			{ phone: '(415) 555-2671', out: '' },
			{ phone: phone(1), out: '' },
		];
		const { json } = await bench.run(
			bulk({ defaultCountry: 'US', options: { optedOut: '={{ $json.out }}' } }),
			rows,
		);
		expect(json.map(({ status }) => status).sort()).toEqual([
			'do_not_call',
			'initiated',
			'invalid',
		]);
	});

	it('who opted out is not called, for no row of that number', async () => {
		const rows = [
			{ phone: phone(1), out: '' },
			{ phone: phone(1), out: 'x' },
			{ phone: phone(2), out: 'no' },
			{ phone: phone(3), out: true },
			{ phone: phone(4), out: 'perhaps' },
			{ phone: phone(4), out: '' },
			{ phone: phone(5), out: null },
		];
		const { json } = await bench.run(bulk({ options: { optedOut: '={{ $json.out }}' } }), rows);
		expect(statuses(json)).toEqual([
			'do_not_call',
			'do_not_call',
			'initiated',
			'do_not_call',
			'invalid',
			'do_not_call',
			'initiated',
		]);
		expect(json[0]?.reason).toBe('Opted out in row 2, with the same number');
		expect(json[1]?.reason).toBe('Opted out');
		expect(bench.dialed).toEqual([phone(2), phone(5)]);
	});

	it('who opted out in a row that cannot be sent is not called for another row', async () => {
		const rows = [
			{ phone: phone(1), out: 'yes', mode: 'live', key: { no: 'key' } },
			{ phone: phone(1), out: '', mode: 'live', key: 'b' },
			{ phone: phone(2), out: 'yes', mode: 'dryRun', key: 'c' },
			{ phone: phone(2), out: '', mode: 'live', key: 'd' },
		];
		const parameters = bulk({
			mode: '={{ $json.mode }}',
			calledBefore: 'skip',
			options: { optedOut: '={{ $json.out }}', callOnceKey: '={{ $json.key }}' },
		});
		const { json } = await bench.run(parameters, rows);
		expect(statuses(json)).toEqual(['invalid', 'do_not_call', 'do_not_call', 'do_not_call']);
		expect(bench.dialed).toEqual([]);
	});

	it('who opted out under a key is not called with another number, also with Call Again', async () => {
		const rows = [
			{ phone: phone(1), out: 'yes', key: 'ada' },
			{ phone: phone(2), out: '', key: 'ada' },
			{ phone: phone(3), out: '', key: 'bob' },
			{ phone: phone(4), out: '', key: 'bob' },
		];
		for (const [calledBefore, last] of [
			['callAgain', 'initiated'],
			['skip', 'already_called'],
		] as const) {
			const { json } = await bench.run(
				bulk({
					calledBefore,
					options: { optedOut: '={{ $json.out }}', callOnceKey: '={{ $json.key }}' },
				}),
				rows,
			);
			expect(statuses(json)).toEqual(['do_not_call', 'do_not_call', 'initiated', last]);
			expect(json[1]?.reason).toBe('Opted out in row 1, with the same value in Remember People By');
		}
	});

	it.each<[string, string, string[]]>([
		['words behind the number', '+14155550101 mobile', ['+14155550101']],
		['two numbers', '+14155550101 / +44 7400 123456', ['+14155550101', '+447400123456']],
		[
			'a name and two numbers',
			'Ada: 0171 2345678, office 030 901820',
			['+491712345678', '+4930901820'],
		],
		['a national number without a country', '(0171) 2345678', ['+491712345678']],
		['a national number with another trunk prefix', '8 (916) 234-56-78', ['+79162345678']],
		['an extension', '+1 415 555 0101 ext. 12', ['+14155550101']],
		['an extension in brackets', '+1 415 555 0101 (12)', ['+14155550101']],
		['a footnote', '+1 415 555 0101\u00b2', ['+14155550101']],
		[
			'two numbers with a blank between',
			'0171 2345678 0172 3456789',
			['+491712345678', '+491723456789'],
		],
		['the end of another number behind it', '030 1234567/68', ['+49301234567']],
		[
			'two numbers with a dash between',
			'01712345678-01723456789',
			['+491712345678', '+491723456789'],
		],
		['a decimal', '491712345678.0', ['+491712345678']],
		[
			'digits of another script',
			'\u0660\u0661\u0667\u0661 \u0662\u0663\u0664\u0665\u0666\u0667\u0668',
			['+491712345678'],
		],
		['a minus sign', '0171\u22122345678 mobile', ['+491712345678']],
		['invisible characters', '0171\u00ad234\u200b5678 mobile', ['+491712345678']],
		['an underscore', '0171_2345678', ['+491712345678']],
		['Mexico\u2019s old prefix', '0445512345678', ['+525512345678']],
		['a carrier of Brazil', '01511912345678', ['+5511912345678']],
		['what is dialed for calls abroad', '011491712345678', ['+491712345678']],
		['Argentina\u2019s 15', '0111523456789', ['+5491123456789', '+541123456789']],
		['an old number of Brazil and a word', '+55 11 8123-4567 casa', ['+5511981234567']],
		['an old number of Colombia without its country and a word', '1 2345678 casa', ['+5712345678']],
		[
			'an old number of Gabon without its country and a word',
			'06 74 67 01 mobile',
			['+24106746701'],
		],
	])(
		'who opted out in a cell with %s is not called by any number in it',
		async (_, cell, numbers) => {
			const others = ['+14155550102', '+491712345679'];
			const rows = [
				{ phone: cell, out: 'yes' },
				...[...numbers, ...others].map((number) => ({ phone: number, out: '' })),
			];
			const { json } = await bench.run(bulk({ options: { optedOut: '={{ $json.out }}' } }), rows);
			expect(statuses(json)).toEqual([
				'invalid',
				...numbers.map(() => 'do_not_call'),
				...others.map(() => 'initiated'),
			]);
			expect(json[1]?.reason).toBe('Opted out in row 1, with the same number');
			expect(bench.dialed).toEqual(others);
		},
	);

	it('who opted out by a key that holds a number is not called by another number of the same key', async () => {
		const options = { optedOut: '={{ $json.out }}', callOnceKey: '={{ $json.wa_id }}' };
		const rows = [
			{ phone: '', wa_id: '491712345678', out: 'yes' },
			{ phone: '0171 2345678', wa_id: '491712345678', out: '' },
			{ phone: '0172 3456789', wa_id: '491723456789', out: 'yes' },
			{ phone: '030 901820', wa_id: '491723456789', out: '' },
			{ phone: '0173 2345678', wa_id: '491732345678', out: '' },
		];
		const { json } = await bench.run(bulk({ defaultCountry: 'DE', options }), rows);
		expect(statuses(json)).toEqual([
			'invalid',
			'do_not_call',
			'do_not_call',
			'do_not_call',
			'initiated',
		]);
		expect(bench.dialed).toEqual(['+491732345678']);
	});

	it('who opted out by an old number of the country of numbers without + is not called by the new one', async () => {
		const rows = [
			{ phone: '(11) 8123-4567', out: 'yes' },
			{ phone: '(11) 98123-4567', out: '' },
			{ phone: '(11) 98123-4568', out: '' },
		];
		const { json } = await bench.run(
			bulk({ defaultCountry: 'BR', options: { optedOut: '={{ $json.out }}' } }),
			rows,
		);
		expect(statuses(json)).toEqual(['invalid', 'do_not_call', 'initiated']);
		expect(bench.dialed).toEqual(['+5511981234568']);
	});

	it('a number on the list that may be of two people calls nobody', async () => {
		const { error } = await bench.run(
			bulk({ defaultCountry: 'RU', options: { doNotCall: '+8 (495) 123-45-67' } }),
			[{ phone: '+74951234567' }],
		);
		expect(error).toBeDefined();
		expect(bench.dialed).toEqual([]);
	});

	it('Opted Out that was added and left empty calls nobody: it is to say who must not be called', async () => {
		const run = await bench.run(bulk({ options: { optedOut: '' } }), [
			{ phone: phone(1), opted_out: 'yes' },
		]);
		expect(shown(run)).toMatchObject({
			message: 'Opted Out is empty',
			description: expect.stringMatching(
				/^Drag the column that says who opted out into that option, or remove the option\./,
			),
		});
		expect(bench.dialed).toEqual([]);
	});

	describe('G1 a column that no row has calls nobody', () => {
		const labels = {
			optedOut: 'Opted Out',
			noCallDates: 'No-Call Dates',
			callOnceKey: 'Remember People By',
			doNotCall: 'Do Not Call',
		};
		const misspelt = [
			'={{ $json.misspelt }}',
			'={{ $json.misspelt }} ',
			'=\n{{ $json["misspelt"] }}',
			'={{ $json.nested.misspelt }} ',
			'={{ $json.misspelt ?? null }}',
			'={{ $input.item.json.misspelt ?? "" }}',
			'={{ $("Start").item.json.misspelt ?? null }}',
			'={{ $("Start").item.json.misspelt || " " }}',
			'={{ null }}',
		];
		it.each(
			Object.entries(labels).flatMap(([name, label]) =>
				misspelt.map((expression) => [label, JSON.stringify(expression), name, expression]),
			),
		)('%s: %s', async (label, _, name, expression) => {
			const rows = contacts(3).map((row) => ({ ...row, nested: { there: 'no' } }));
			const run = await bench.run(
				bulk({ calledBefore: 'skip', options: { [name]: expression } }),
				rows,
			);
			const nothing =
				name === 'doNotCall' ? 'Do Not Call came to nothing' : `${label} is empty in every row`;
			const [column] = /(?:nested\.)?misspelt/.exec(expression) ?? [];
			const isNeeded = column !== undefined && !/\?\?|\|\|/.test(expression);
			expect(shown(run).message).toBe(
				isNeeded ? `No row has the column "${column}", which ${label} names` : nothing,
			);
			expect(bench.sandbox.requests).toEqual([]);
		});

		it.each<[string, string, IDataObject]>([
			['is there, and empty', '={{ $json.there }}', { there: '' }],
			['is there, and null', '={{ $json.there }}', { there: null }],
			[
				'is there, with a blank beside it in the panel',
				'={{ $json["is there"] }} ',
				{ 'is there': '' },
			],
			['is there, and asked for a method', '={{ $json.there.trim() }} ', { there: ' ' }],
			['is there inside another', '={{ $json.nested.there }} ', { nested: { there: null } }],
			...(readsFunctions
				? [
						['is there, with letters of other languages', '={{ $json.größe }}', { größe: '' }] as [
							string,
							string,
							IDataObject,
						],
					]
				: []),
			[
				'is there, with an apostrophe, as it is dragged in',
				"={{ $json['Don\\'t call'] }}",
				{ "Don't call": '' },
			],
			['is there in an earlier step', "={{ $('Start').item.json.there }}", { there: '' }],
			[
				'is there in some rows of an earlier step',
				"={{ $('Start').item.json.there ?? null }}",
				{ there: null },
			],
			[
				'is there, and named the long way',
				'={{ $input.item.json["is there"] }}',
				{ 'is there': '' },
			],
		])('but one that %s', async (_, expression, fields) => {
			const rows = contacts(2).map((row) => ({ ...row, ...fields }));
			for (const name of ['optedOut', 'noCallDates', 'callOnceKey']) {
				const { json } = await bench.run(
					bulk({ calledBefore: 'callAgain', options: { [name]: expression } }),
					rows,
				);
				expect([name, ...statuses(json)]).toEqual([name, 'initiated', 'initiated']);
			}
		});

		it.each([
			['of a step that has it', "={{ $('List').first().json.numbers }}", { numbers: '' }],
			[
				'of a step that has it, and holds null',
				"={{ $('List').first().json.numbers }}",
				{ numbers: null },
			],
		])('Do Not Call may be an empty cell %s', async (_, doNotCall, config) => {
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(1), {
				listBefore: [config],
			});
			expect(statuses(run.json)).toEqual(['initiated']);
			expect(run.hints[0]?.message).toContain('The list in Do Not Call is empty.');
		});

		it('Do Not Call that is typed may hold blanks and line breaks', async () => {
			expect(
				statuses((await bench.run(bulk({ options: { doNotCall: ' \n\n' } }), contacts(1))).json),
			).toEqual(['initiated']);
		});

		it('one row that has the column is enough', async () => {
			const rows = [...contacts(2), { phone: phone(2), out: 'x' }];
			const { json } = await bench.run(bulk({ options: { optedOut: '={{ $json.out }}' } }), rows);
			expect(statuses(json)).toEqual(['initiated', 'initiated', 'do_not_call']);
		});
	});
});

describe('G11 a column that is dragged in from an earlier step stands for one of its items', () => {
	const list = [
		{
			phone: phone(9),
			'No Call': '2026-12-24',
			out: 'no',
			zone: 'Europe/Berlin',
			body: { day: '2026-12-24' },
		},
		{
			phone: phone(1),
			'No Call': '2026-12-25',
			out: 'yes',
			zone: 'Asia/Tokyo',
			body: { day: '2026-12-25' },
		},
	];
	const calling = (option: string, value: string): INodeParameters =>
		bulk({
			options: {
				callingHours: { window: [{ days: ['mon'], from: '00:00', to: '00:01' }] },
				[option]: value,
			} as INodeParameters,
		});
	const listed = bulk({
		options: { doNotCall: "={{ [$('List').all()[0].json.phone, $('List').all()[1].json.phone] }}" },
	});

	it.each([
		"={{ $('List').item.json.phone }}",
		'={{ $("List").item.json["phone"] }} ',
		"={{ $('List').first().json.phone }}",
		"={{ $('List').last().json.phone ?? '' }}",
		'={{ $node["List"].json.phone }}',
		"={{ '+49' + $('List').item.json.phone.slice(1) }}",
	])('Do Not Call with one number of a list calls nobody: %s', async (doNotCall) => {
		for (const rows of [contacts(1), contacts(3)]) {
			const run = await bench.run(bulk({ options: { doNotCall } }), rows, { listBefore: list });
			if (!doNotCall.includes('$node') || rows.length === 1) {
				expect(shown(run)).toMatchObject({
					message: 'Do Not Call takes one item of the step "List", which has others',
					description: expect.stringContaining('it begins with $("List").all()') as string,
				});
			}
			expect(run.error).toBeDefined();
		}
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each([
		["={{ $('List').first().json.phone }}", [{ phone: '' }, { phone: phone(1) }]],
		["={{ $('List').last().json.phone }}", [{ phone: phone(1) }, { phone: null }]],
	])(
		'Do Not Call with the empty one of a list with one number calls nobody: %s',
		async (doNotCall, listBefore) => {
			const run = await bench.run(bulk({ options: { doNotCall } }), contacts(3), { listBefore });
			expect(shown(run).message).toBe(
				'Do Not Call takes one item of the step "List", which has others',
			);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('with all of them, it holds', async () => {
		expect(statuses((await bench.run(listed, contacts(2), { listBefore: list })).json)).toEqual([
			'initiated',
			'do_not_call',
		]);
	});

	it.each<[string, IDataObject[]]>([
		['the step has no other item', [{ phone: phone(1) }]],
		[
			'its other items say the same',
			[{ phone: `${phone(1)}, ${phone(9)}` }, { phone: `${phone(1)}, ${phone(9)}` }],
		],
		['its other items say nothing', [{ phone: phone(1) }, { phone: '' }, {}, { phone: null }]],
		[
			'its other items are on the list as well',
			[{ phone: `${phone(1)}, ${phone(9)}` }, { phone: phone(9) }],
		],
	])('it also holds where %s', async (_, items) => {
		const run = await bench.run(
			bulk({ options: { doNotCall: "={{ $('List').item.json.phone }}" } }),
			contacts(2),
			{ listBefore: items },
		);
		expect(statuses(run.json)).toEqual(['initiated', 'do_not_call']);
	});

	it.each([
		['Opted Out', 'optedOut', "={{ $('List').item.json.out }}"],
		['Opted Out', 'optedOut', "={{ $('List').first().json.out || 'no' }}"],
		['No-Call Dates', 'noCallDates', "={{ $('List').item.json['No Call'] }}"],
		['No-Call Dates', 'noCallDates', "={{ $('List').item.json.body.day }}"],
		['Time Zone', 'timeZone', "={{ $('List').item.json.zone }}"],
	])('%s that one item answers for all rows calls nobody: %s, %s', async (label, option, value) => {
		const run = await bench.run(calling(option, value), contacts(3), { listBefore: list });
		expect(shown(run).message).toBe(
			`${label} takes the same item of the step "List" for all rows, and its other items say something else`,
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('of numbers with a comma and a blank between, each is read as without the blank', async () => {
		const options = { doNotCall: '2125550123, 3233604620, 646 555 0199' };
		const rows = [{ phone: '+13233604620' }, { phone: '+16465550199' }, { phone: '+12125550100' }];
		const run = await bench.run(bulk({ countries: ['US'], defaultCountry: 'US', options }), rows);
		expect(statuses(run.json)).toEqual(['do_not_call', 'do_not_call', 'initiated']);
	});

	it('no-call dates are those of the person, whichever of their rows says so', async () => {
		const today = new Date();
		const days = [-1, 0, 1]
			.map((days) => new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10))
			.join(' ');
		const rows = [
			{ phone: phone(1), name: 'Ada', dates: days },
			{ phone: phone(1), name: 'Ada', dates: '2020-01-01' },
			{ phone: phone(2), name: 'Ben', dates: '2020-01-01' },
		];
		const run = await bench.run(bulk({ options: { noCallDates: '={{ $json.dates }}' } }), rows);
		expect(statuses(run.json)).toEqual(['outside_hours', 'outside_hours', 'initiated']);
		expect(bench.dialed).toEqual([phone(2)]);
	});

	it.each([
		"={{ $('List').item.json.data[0].phone }}",
		"={{ $('List').first().json.data[1].phone }}",
	])('an entry of a list in one item is one of many, too: %s', async (doNotCall) => {
		const run = await bench.run(bulk({ options: { doNotCall } }), contacts(1), {
			listBefore: [{ data: list }],
		});
		expect(shown(run).message).toBe(
			'Do Not Call takes one item of the step "List", which has others',
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each([
		['optedOut', '={{ $json.stauts === "unsubscribed" }}'],
		['optedOut', '={{ $json.stauts ? "yes" : "no" }}'],
		['optedOut', '={{ $json.stauts === "unsubscribed" || $json.stauts === "stop" }}'],
		['optedOut', '={{ $json.stop || $json.stauts === "stop" }}'],
		['optedOut', '={{ $("Start").item.json.stauts === "unsubscribed" }}'],
		['noCallDates', '={{ $json.stauts === "away" ? "2026-12-25" : "" }}'],
	])('a comparison with a misspelt column calls nobody: %s, %s', async (option, value) => {
		const rows = contacts(2).map((row) => ({ ...row, status: 'unsubscribed' }));
		const run = await bench.run(bulk({ options: { [option]: value } }), rows);
		expect(shown(run).message).toMatch(
			/^No (row|item of the step "Start") has the column "(stauts|stop)", which (Opted Out|No-Call Dates) names$/,
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('one with the right column, or that says what a row without it counts as, holds', async () => {
		const rows = [{ phone: phone(1), status: 'unsubscribed' }, { phone: phone(2) }];
		for (const optedOut of [
			'={{ $json.status === "unsubscribed" }}',
			'={{ ($json.status || "active") === "unsubscribed" }}',
		]) {
			const { json } = await bench.run(
				bulk({ calledBefore: 'callAgain', options: { optedOut } }),
				rows,
			);
			expect(statuses(json)).toEqual(['do_not_call', 'initiated']);
		}
		for (const optedOut of [
			'={{ $json.stop || "no" }}',
			"={{ $ifEmpty($json.stop, 'no') }}",
			"={{ $json.tags?.includes('stop') ?? false }}",
		]) {
			const { json } = await bench.run(
				bulk({ calledBefore: 'callAgain', options: { optedOut } }),
				rows,
			);
			expect(statuses(json)).toEqual(['initiated', 'initiated']);
		}
	});

	itWithFunctions.each([
		['doNotCall', "={{ $('List').all().map((item) => item.json.fax).join(', ') }}"],
		['noCallDates', "={{ $('List').all().map((item) => item.json.fax).join(', ') }}"],
		['optedOut', "={{ $('List').all().some((item) => item.json.fax === $json.phone) }}"],
		[
			'optedOut',
			"={{ $('List').all().map(({ json }) => json['fax']).includes($json.phone) ? 'yes' : 'no' }}",
		],
	])('a misspelt column of a list calls nobody: %s, %s', async (option, value) => {
		const run = await bench.run(bulk({ options: { [option]: value } }), contacts(2), {
			listBefore: list,
		});
		expect(shown(run).message).toMatch(
			/^No item of the step "List" has the column "fax", which (Opted Out|Do Not Call|No-Call Dates) names$/,
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	itWithFunctions.each<[string, IDataObject[]]>([
		['it has the column', list.slice(0, 1)],
		['it is empty', [{}]],
		['one of its items has the column', [{ name: 'Ada' }, { phone: phone(9) }]],
	])('a list is believed where %s', async (_, items) => {
		for (const [option, value] of [
			['doNotCall', "={{ $('List').all().map((item) => item.json.phone ?? '').join(', ') }}"],
			['optedOut', "={{ $('List').all().some((item) => item.json.phone === $json.phone) }}"],
		] as const) {
			const run = await bench.run(bulk({ options: { [option]: value } }), contacts(2), {
				listBefore: items,
			});
			expect([option, ...statuses(run.json)]).toEqual([option, 'initiated', 'initiated']);
		}
	});

	it('nor is a list believed whose step gave nothing but why it could not read it', async () => {
		const optedOut = "={{ $('List').all().some((item) => item.json.phone === $json.phone) }}";
		for (const item of [
			{ error: 'The service refused it' },
			{ error: { status: 500 }, message: 'No' },
		]) {
			const listReads = {
				gives: [item as IDataObject],
				settings: { onError: 'continueRegularOutput' as const },
			};
			const run = await bench.run(bulk({ options: { optedOut } }), contacts(2), {
				listBefore: [{}],
				listReads,
			});
			expect(shown(run).message).toMatch(
				/^Opted Out takes what the step "List" says, which is deactivated, or could not do its work$/,
			);
		}
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each([
		['doNotCall', "={{ $('List').all()[0].json.phone || [] }}"],
		['optedOut', "={{ $('List').all().some((item) => item.json.phone === $json.phone) }}"],
	])('a list whose step is deactivated calls nobody: %s', async (option, value) => {
		const run = await bench.run(bulk({ options: { [option]: value } }), contacts(2), {
			listBefore: [{}],
			listDisabled: true,
		});
		expect(shown(run).message).toMatch(
			/takes what the step "List" says, which is deactivated, or could not do its work$/,
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('so is one of the rows themselves', async () => {
		const rows = contacts(2).map((row) => ({ ...row, data: list }));
		for (const doNotCall of [
			'={{ $json.data[0].phone }}',
			'={{ $input.first().json.data[0].phone }}',
		]) {
			expect(shown(await bench.run(bulk({ options: { doNotCall } }), rows)).message).toBe(
				'Do Not Call takes one item of its input, which has others',
			);
		}
		const optedOut = '={{ $input.first().json.out }}';
		const answered = [
			{ phone: phone(1), out: 'no' },
			{ phone: phone(2), out: 'yes' },
		];
		expect(shown(await bench.run(bulk({ options: { optedOut } }), answered)).message).toMatch(
			/^Opted Out takes the same item of its input/,
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each([
		['optedOut', "={{ $('List').item.json.out }}"],
		['optedOut', "={{ $('List').item.json.phone === $json.phone }}"],
		['noCallDates', "={{ $('List').item.json['No Call'] }}"],
		['timeZone', '={{ $node["List"].json.zone }}'],
	])(
		'where all rows come from one item without Execute Once, as behind a Limit, it calls nobody either: %s',
		async (option, value) => {
			const run = await bench.run(calling(option, value), contacts(3), {
				listBefore: list,
				listTaken: 'byLimit',
			});
			expect(shown(run).message).toMatch(
				/takes the same item of the step "List" for all rows|is different|has no item/,
			);
			expect(bench.sandbox.requests).toEqual([]);
		},
	);

	it('so it does where a loop reads the list in each round', async () => {
		const optedOut = "={{ $('List').item.json.out }}";
		const run = await bench.run(bulk({ options: { optedOut } }), contacts(3), {
			listBefore: list,
			rounds: 1,
		});
		expect(shown(run).message).toMatch(
			/^Opted Out takes the same item of the step "List" for all rows/,
		);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it.each<[string, string, object]>([
		[
			'all rows of a day come from one item of many, each of which was read for',
			'timeZone',
			{ listTaken: 'inTurns', rowsFrom: [1, 1] },
		],
		['items have their turns in a loop', 'timeZone', { listTaken: 'inTurns', batchSize: 1 }],
		['they have so, and the step in the loop has Execute Once on', 'timeZone', { batchSize: 1 }],
		[
			'rows come from several, though a step on another way to the node has Execute Once on',
			'optedOut',
			{ rowsFrom: [0, 2] },
		],
	])('where %s, it answers for them', async (_, option, more) => {
		const offices = [
			{ zone: 'Asia/Tokyo', out: 'no' },
			{ zone: 'Europe/Berlin', out: 'yes' },
			{ zone: 'Europe/Paris', out: 'no' },
		];
		const value = `={{ $('List').item.json.${option === 'timeZone' ? 'zone' : 'out'} }}`;
		const run = await bench.run(bulk({ options: { [option]: value } }), contacts(2), {
			listBefore: offices,
			...more,
		});
		expect(run.error).toBeUndefined();
		expect(statuses(run.json)).toEqual(['initiated', 'initiated']);
	});

	it('a column that some rows leave out is found in the step that all of them come from, also in a loop of one row each', async () => {
		const rows = [{ phone: phone(1) }, { phone: phone(2), 'Do not call': 'yes' }];
		const optedOut = "={{ $('Start').item.json['Do not call'] || '' }}";
		const run = await bench.run(bulk({ options: { optedOut } }), rows, { batchSize: 1 });
		expect(run.rounds.map(statuses)).toEqual([['initiated'], ['do_not_call']]);
	});

	it('where each row comes from an item of its own, that item answers for it', async () => {
		const rows = [{ phone: phone(1) }, { phone: phone(2) }].map((row, n) => ({
			...row,
			out: n === 0 ? 'yes' : 'no',
		}));
		for (const out of ['={{ $("Start").item.json.out }}', '={{ $node["Start"].json.out }}']) {
			expect(statuses((await bench.run(bulk({ options: { optedOut: out } }), rows)).json)).toEqual([
				'do_not_call',
				'initiated',
			]);
		}
	});
});

describe('G11 who opted out, over the rounds of an execution', () => {
	/** One row a round. */
	const loop = { batchSize: 1 };
	const asks = ({ options, ...more }: INodeParameters = {}): INodeParameters =>
		bulk({
			options: { optedOut: '={{ $json.out }}', ...(options as INodeParameters | undefined) },
			...more,
		});
	const statusesOf = ({ rounds }: Finished): unknown[] => rounds.map((rows) => statuses(rows));
	const keptOf = ({ data }: Finished): unknown =>
		data.executionData?.contextData.flow?.outboundCallsOptedOut;

	it('is not called in a later round of a loop, and the row says why', async () => {
		const rows = [
			{ phone: phone(1), out: 'yes' },
			{ phone: phone(1), out: '' },
			{ phone: phone(2), out: '' },
			{ phone: phone(1), out: '' },
		];
		const run = await bench.run(asks(), rows, loop);
		expect(statusesOf(run)).toEqual([
			['do_not_call'],
			['do_not_call'],
			['initiated'],
			['do_not_call'],
		]);
		expect(run.rounds.map(([row]) => row?.reason)).toEqual([
			'Opted out',
			'Opted out earlier in this execution, with the same number',
			null,
			'Opted out earlier in this execution, with the same number',
		]);
		expect(run.notCalled).toHaveLength(1);
		expect(run.hints[0]?.message).toBe('1 row: 0 called, 1 not called (1 not to be called)');
		expect(bench.dialed).toEqual([phone(2)]);
	});

	it('is not called on the no-call dates that their row of an earlier round, or use of the tool, has', async () => {
		const today = new Date().toISOString().slice(0, 10);
		const rows = [
			{ phone: '+49 (0)176 12340001', away: today },
			{ phone: '+4917612340001', away: '' },
			{ phone: phone(2), away: '2020-01-01' },
		];
		const away = bulk({ options: { noCallDates: '={{ $json.away }}', timeZone: 'UTC' } });
		for (const asTool of [false, true]) {
			const run = await bench.run(away, rows, { ...loop, asTool });
			expect(statusesOf(run)).toEqual([['outside_hours'], ['outside_hours'], ['initiated']]);
		}
		expect(bench.dialed).toEqual([phone(2), phone(2)]);
	});

	it('nor by a later use of the tool by an agent', async () => {
		const rows = [
			{ phone: phone(1), out: 'yes' },
			{ phone: phone(1), out: '' },
		];
		expect(statusesOf(await bench.run(asks(), rows, { ...loop, asTool: true }))).toEqual([
			['do_not_call'],
			['do_not_call'],
		]);
		expect(bench.dialed).toEqual([]);
	});

	it('nor for a row that writes the number in another way, or has the same Remember People By, and with no setting of Duplicates', async () => {
		const rows = [
			{ phone: '+49 (0)176 12340001', out: 'yes', person: '__proto__' },
			{ phone: '+49017612340001', out: '', person: 'Berta' },
			{ phone: phone(1), out: '', person: '__proto__' },
		];
		for (const duplicates of ['callOnce', 'callEach']) {
			const run = await bench.run(
				asks({ calledBefore: 'skip', options: { callOnceKey: '={{ $json.person }}', duplicates } }),
				rows,
				loop,
			);
			expect(statusesOf(run)).toEqual([['do_not_call'], ['do_not_call'], ['do_not_call']]);
			expect(run.json[0]?.reason).toBe(
				'Opted out earlier in this execution, with the same value in Remember People By',
			);
		}
		expect(bench.dialed).toEqual([]);
		expect(store.size).toBe(0);
	});

	it('nor by another node that comes later, whose rows know nothing of it; only a number is the same person there', async () => {
		const before = asks({
			calledBefore: 'skip',
			options: { callOnceKey: '={{ $json.id }}', includeInputFields: true },
		});
		const rows = [
			{ phone: phone(1), out: 'yes', id: 'A' },
			{ phone: `tel ${phone(2)}`, out: 'yes', id: 'B' },
			{ phone: phone(3), out: 'no', id: 'C' },
		];
		const after = bulk({
			destination: '={{ $json.id === "B" ? "+15550101002" : $json.phone }}',
			calledBefore: 'skip',
			options: { callOnceKey: '={{ ({ A: "X", B: "Y", C: "A" })[$json.id] }}' },
		});
		const run = await bench.run(after, rows, {
			nodeBefore: before,
			onError: 'continueRegularOutput',
		});
		expect(statuses(run.json)).toEqual(['do_not_call', 'do_not_call', 'initiated']);
		expect(run.json[0]?.reason).toBe('Opted out earlier in this execution, with the same number');
		expect(bench.dialed).toEqual([phone(3), phone(3)]);
	});

	it('nor when the row that says so cannot be sent or read', async () => {
		const rows = [
			{ phone: phone(1), out: 'yes', agent: 'nobody' },
			{ phone: phone(1), out: '', agent: AGENT },
			{ phone: phone(2), out: 'perhaps', agent: AGENT },
			{ phone: phone(2), out: '', agent: AGENT },
		];
		const run = await bench.run(asks({ agentNumber: '={{ $json.agent }}' }), rows, {
			...loop,
			onError: 'continueRegularOutput',
		});
		expect(statusesOf(run)).toEqual([['invalid'], ['do_not_call'], ['invalid'], ['do_not_call']]);
		expect(bench.dialed).toEqual([]);
	});

	it.each([
		['a dry run says so for a live one', 'dryRun', 'live'],
		['a live run says so for a dry one', 'live', 'dryRun'],
	])('%s', async (_, first, second) => {
		const rows = [
			{ phone: phone(1), out: 'yes', mode: first },
			{ phone: phone(1), out: '', mode: second },
		];
		expect(statusesOf(await bench.run(asks({ mode: '={{ $json.mode }}' }), rows, loop))).toEqual([
			['do_not_call'],
			['do_not_call'],
		]);
		expect(bench.dialed).toEqual([]);
	});

	it('nor by the Retry button', async () => {
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const rows = [
			{ phone: phone(1), out: 'yes' },
			{ phone: phone(2), out: '' },
			{ phone: phone(1), out: '' },
			{ phone: phone(3), out: '' },
		];
		const stopped = await bench.run(asks(), rows, { batchSize: 2 });
		expect(bench.dialed).toEqual([phone(2)]);
		const retried = await bench.run(asks(), rows, { batchSize: 2, retryOf: stopped });
		expect(statusesOf(retried)).toEqual([
			['do_not_call', 'initiated'],
			['do_not_call', 'initiated'],
		]);
		expect(bench.dialed).toEqual([phone(2), phone(3)]);
	});

	it('a Retry with the saved workflow takes what the right column says, and not what the wrong one said', async () => {
		const rows = [{ phone: phone(1), out: 'no', notes: 'likes mornings' }];
		const wrong = await bench.run(asks({ options: { optedOut: '={{ $json.notes }}' } }), rows);
		expect(shown(wrong).message).toContain('the option Opted Out is "likes mornings"');
		const retried = await bench.run(asks(), rows, { retryOf: wrong, withSavedWorkflow: true });
		expect(statuses(retried.json)).toEqual(['initiated']);
	});

	it('the record of the execution names those who opted out, and nobody else', async () => {
		const none = await bench.run(asks(), [{ phone: phone(1), out: '' }]);
		expect(keptOf(none)).toBeUndefined();
		const one = await bench.run(asks(), [
			{ phone: phone(1), out: 'yes' },
			{ phone: phone(2), out: '' },
		]);
		expect(JSON.stringify(keptOf(one))).toContain(phone(1));
		expect(JSON.stringify(keptOf(one))).not.toContain(phone(2));
	});
});

describe('G11 a limit of calls', () => {
	const max = (maxCalls: number, more: INodeParameters = {}): INodeParameters =>
		bulk({ ...more, options: { maxCalls, ...(more.options as object) } });

	it('so many are called, and the rest says why not', async () => {
		const { json, called, hints } = await bench.run(max(12), contacts(30));
		expect(bench.dialed).toHaveLength(12);
		expect(called).toHaveLength(12);
		expect(statuses(json)).toEqual([
			...Array<string>(12).fill('initiated'),
			...Array<string>(18).fill('limit_reached'),
		]);
		expect(json[29]?.reason).toBe(
			'Max Calls is 12, which is used up in this execution, so nobody is called for this row',
		);
		expect(hints[0]?.message).toBe('30 rows: 12 called, 18 not called (18 beyond a limit)');
	});

	it('0 calls nobody; a limit that cannot be used calls nobody either', async () => {
		expect(statuses((await bench.run(max(0), contacts(2))).json)).toEqual([
			'limit_reached',
			'limit_reached',
		]);
		for (const maxCalls of ['', 'many', -1]) {
			expect(
				shown(await bench.run(bulk({ options: { maxCalls } as INodeParameters }), contacts(2)))
					.message,
			).toContain('Max Calls');
		}
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('people who were called before, or certainly were not dialed, do not count', async () => {
		await bench.run(bulk({ calledBefore: 'skip' }), contacts(8));
		bench.sandbox.destinationOutcome.set(phone(9), { status: 'locked', error: 'Locked', times: 1 });
		const { json } = await bench.run(max(5, { calledBefore: 'skip' }), contacts(30));
		expect(bench.dialed).toHaveLength(8 + 5);
		expect(statuses(json).filter((status) => status === 'initiated')).toHaveLength(5);
		expect(statuses(json).filter((status) => status === 'limit_reached')).toHaveLength(
			30 - 8 - 1 - 5,
		);
		// Nobody is remembered whom the limit kept from being called.
		expect(store.size).toBe(13);
	});

	it('it holds over the rounds of a loop', async () => {
		const { rounds } = await bench.run(
			max(7, { options: { duplicates: 'callEach' } }),
			contacts(3),
			{ rounds: 4 },
		);
		expect(
			rounds.map((round) => statuses(round).filter((status) => status === 'initiated').length),
		).toEqual([3, 3, 1, 0]);
		expect(bench.dialed).toHaveLength(7);
	});

	it('it holds over retries', async () => {
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const parameters = max(15, { options: { parallelRequests: 1 } });
		const stopped = await bench.run(parameters, contacts(30));
		expect(bench.dialed).toHaveLength(10);
		const { json } = await bench.run(parameters, contacts(30), { retryOf: stopped });
		expect(bench.dialed).toHaveLength(15);
		expect(statuses(json).filter((status) => status === 'limit_reached')).toHaveLength(15);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('it holds over two Retries of one execution, one after the other and at the same time', async () => {
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const parameters = max(25, { options: { parallelRequests: 1 } });
		const stopped = await bench.run(parameters, contacts(60));
		expect(bench.dialed).toHaveLength(10);
		const retries = await Promise.all(
			[1, 2].map(async () => await bench.run(parameters, contacts(60), { retryOf: stopped })),
		);
		await bench.run(parameters, contacts(60), { retryOf: stopped });
		expect(bench.dialed).toHaveLength(25);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
		for (const { json } of retries) expect(json).toHaveLength(60);
	});

	it('calls whose outcome is not known count', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		const { json } = await bench.run(max(12, { options: { parallelRequests: 1 } }), contacts(30), {
			onError: 'continueRegularOutput',
		});
		expect(bench.dialed).toHaveLength(12);
		expect(statuses(json).filter((status) => status === 'unknown')).toHaveLength(10);
	});

	it('a duplicate of a row beyond the limit is not called in its place', async () => {
		const { json } = await bench.run(max(1), [...contacts(2), ...contacts(2)]);
		expect(statuses(json)).toEqual(['initiated', 'limit_reached', 'duplicate', 'duplicate']);
		expect(bench.dialed).toEqual([phone(0)]);
	});

	it('a dry run shows whom the limit would leave out', async () => {
		const { json } = await bench.run(max(2, { mode: 'dryRun' }), contacts(4));
		expect(statuses(json)).toEqual(['dry_run', 'dry_run', 'limit_reached', 'limit_reached']);
	});
});
