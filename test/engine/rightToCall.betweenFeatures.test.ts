import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import { workbench } from './helpers/workbench';
import { AGENT, bulk, contacts, phone, shown, UNKNOWN_AGENT } from './helpers/workflows';

/** What broke between the right to call and everything else. */
const bench = workbench();
storeForEach();
afterEach(() => {
	jest.restoreAllMocks();
});

const clock = (time: string): void => {
	jest.spyOn(Date, 'now').mockReturnValue(Date.parse(`2026-11-23T${time}Z`));
};
const statuses = (rows: IDataObject[]): unknown[] => rows.map(({ status }) => status);
const nineToEight: INodeParameters = {
	callingHours: {
		window: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '20:00' }],
	},
};
const BERLIN = '+4917612340001';

describe('a limit of calls', () => {
	it('G6 an agent that does not exist is asked for once, not once for each portion of the limit', async () => {
		const parameters = bulk({
			agentNumber: UNKNOWN_AGENT,
			options: { maxCalls: 10, parallelRequests: 1 },
		});
		const { json } = await bench.run(parameters, contacts(60), {
			onError: 'continueRegularOutput',
		});
		expect(new Set(statuses(json))).toEqual(new Set(['refused']));
		expect(bench.sandbox.requests).toHaveLength(1);
	});

	it('G7 an account whose daily limit is reached is not asked for each further row', async () => {
		bench.sandbox.fault({ kind: 'dailyLimit', route: 'bulk', after: 1 });
		const parameters = bulk({ options: { maxCalls: 11, parallelRequests: 1 } });
		const { json } = await bench.run(parameters, contacts(40), {
			onError: 'continueRegularOutput',
		});
		expect(statuses(json).filter((status) => status === 'initiated')).toHaveLength(10);
		expect(bench.sandbox.requests).toHaveLength(2);
	});

	it('a dry run shows no request for a row that would not be sent', async () => {
		const { json } = await bench.run(
			bulk({ mode: 'dryRun', options: { maxCalls: 2 } }),
			contacts(3),
		);
		expect(json.map(({ request }) => request)).toEqual([1, 1, undefined]);
	});
});

describe('who opted out', () => {
	const optedOut = '={{ $json.out }}';
	/** The agent of rows that opted out cannot be resolved. */
	const UNRESOLVED = `={{ $json.out ? $("Nowhere").first().json.agent : "${AGENT}" }}`;

	it('is not called for another row, when the Mode of the row that says so cannot be resolved', async () => {
		const rows = [
			{ phone: phone(1), out: 'yes' },
			{ phone: phone(1), out: '' },
		];
		await bench.run(
			bulk({
				mode: '={{ $json.out ? $("Nowhere").first().json.mode : "live" }}',
				options: { optedOut },
			}),
			rows,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('is not called for another row, when the agent of the row that says so cannot be resolved and its number has no country code', async () => {
		const rows = [
			{ phone: '0176 12340001', out: 'yes', country: 'DE' },
			{ phone: BERLIN, out: '', country: 'DE' },
		];
		await bench.run(
			bulk({
				agentNumber: UNRESOLVED,
				defaultCountry: '={{ $json.country }}',
				options: { optedOut },
			}),
			rows,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('is not called for another row, when a list of several numbers that says so cannot be sent', async () => {
		const rows = [
			{ phones: [phone(1), phone(2)], out: 'yes' },
			{ phones: [phone(2), phone(3)], out: '' },
		];
		const parameters = bulk({
			destinationSource: 'json',
			destinationsJson: '={{ $json.phones }}',
			agentNumber: UNRESOLVED,
			options: { optedOut },
		});
		const { json } = await bench.run(parameters, rows);
		expect(bench.dialed).toEqual([phone(3)]);
		expect(json.map(({ destination, status }) => [destination, status])).toEqual([
			[phone(1), 'invalid'],
			[phone(2), 'invalid'],
			[phone(2), 'do_not_call'],
			[phone(3), 'initiated'],
		]);
	});

	it.each([
		['JSON that is none', `["${phone(1)}",]`],
		['JSON that is one number', phone(1)],
		['JSON with a list in it', `[["${phone(1)}"]]`],
		['JSON in which the number has another name', [{ number: phone(1) }]],
	])('is not called for another item, when the list that says so is %s', async (_, list) => {
		const rows = [
			{ list, out: 'yes' },
			{ list: [phone(1)], out: '' },
		];
		await bench.run(
			bulk({
				destinationSource: 'json',
				destinationsJson: '={{ $json.list }}',
				options: { optedOut },
			}),
			rows,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('is not called for another row, when the first of two columns with numbers cannot be called', async () => {
		const rows = [
			{ mobile: 'unknown', phone: phone(1), out: 'yes' },
			{ mobile: '', phone: phone(1), out: '' },
		];
		await bench.run(
			bulk({ destination: '={{ $json.mobile || $json.phone }}', options: { optedOut } }),
			rows,
		);
		expect(bench.dialed).toEqual([]);
	});

	it('is not called for another row, when the number is a cell of an earlier step that its expression does not fit', async () => {
		const [first, second] = [{ phone: 15550101001 }, { phone: phone(1) }];
		const parameters = bulk({
			destination: "={{ $('List').item.json.phone.trim() }}",
			options: { optedOut },
		});
		const rows = [{ out: 'yes' }, { out: '' }];
		await bench.run(parameters, rows, {
			listBefore: [first, second],
			listTaken: 'inTurns',
			rowsFrom: [0, 1],
		});
		expect(bench.dialed).toEqual([]);
	});

	it('is not called at another number either, when the rows have the same key', async () => {
		const rows = [
			{ phone: phone(1), out: 'yes', person: 'Ada' },
			{ phone: phone(2), out: '', person: 'Ada' },
		];
		await bench.run(
			bulk({ calledBefore: 'skip', options: { optedOut, callOnceKey: '={{ $json.person }}' } }),
			rows,
		);
		expect(bench.dialed).toEqual([]);
	});
});

describe('do not call', () => {
	it('G1 two numbers with a blank between are two entries that cannot be told apart: nobody is called', async () => {
		const rows = [{ phone: BERLIN }, { phone: '+4917612340002' }];
		const run = await bench.run(bulk({ options: { doNotCall: `${BERLIN} 017612340002` } }), rows);
		expect(shown(run).message).toContain('Do Not Call');
		expect(bench.dialed).toEqual([]);
	});

	it('a number of the list is not called, however it and the row are written with a +', async () => {
		const rows = [{ phone: '+49017612340001' }, { phone: '+442079460001' }];
		const { json } = await bench.run(
			bulk({ options: { doNotCall: '+49 (0) 176 12340001, +4402079460001' } }),
			rows,
		);
		expect(statuses(json)).toEqual(['do_not_call', 'do_not_call']);
		expect(bench.dialed).toEqual([]);
	});

	it('an expression that differs by row calls nobody, however its $json is spelled', async () => {
		const rows = contacts(2).map((row, n) => ({ ...row, list: phone(n) }));
		await bench.run(bulk({ options: { doNotCall: '={{ [\\u0024json.list] }}' } }), rows, {
			onError: 'continueRegularOutput',
		});
		expect(bench.dialed).toEqual([]);
	});
});

describe('calling hours', () => {
	it('a row with a key of its own, whose own zone was outside, is called in a later run', async () => {
		const rows = [
			{ phone: BERLIN, invoice: 'A', zone: 'America/New_York' },
			{ phone: BERLIN, invoice: 'B', zone: 'Europe/Berlin' },
		];
		const parameters = bulk({
			calledBefore: 'skip',
			options: {
				...nineToEight,
				timeZone: '={{ $json.zone }}',
				callOnceKey: '={{ $json.invoice }}',
			},
		});
		clock('10:00:00');
		await bench.run(parameters, rows);
		clock('16:00:00');
		await bench.run(parameters, rows);
		expect(bench.dialed).toEqual([BERLIN, BERLIN]);
	});
});

describe('numbers without +', () => {
	it.each([
		['Swiss', '41791234567'],
		['Austrian', '436641234567'],
		['French', '33612345678'],
		['British', '447400123456'],
		['Polish', '48501234567'],
		['Italian', '393471234567'],
	])(
		'a %s mobile number that lost its + does not ring a stranger in Germany',
		async (_, number) => {
			await bench.run(bulk({ defaultCountry: 'DE' }), [{ phone: number }], {
				onError: 'continueRegularOutput',
			});
			expect(bench.dialed).toEqual([]);
		},
	);

	it('a German mobile number that lost its 0 is called', async () => {
		await bench.run(bulk({ defaultCountry: 'DE' }), [
			{ phone: '15123456789' },
			{ phone: 17612340001 },
		]);
		expect(bench.dialed).toEqual(['+4915123456789', BERLIN]);
	});
});

describe('G11 the no-call dates of a person, whichever of their rows say them', () => {
	const options = { noCallDates: '={{ $json.dates }}', timeZone: '={{ $json.zone || "UTC" }}' };
	const closed = { phone: phone(0), dates: '2026-11-23' };

	it.each<[string, IDataObject, IDataObject]>([
		['in an empty cell of a database', {}, { dates: null }],
		['in an empty cell of a sheet', {}, { dates: '' }],
		['with another date', {}, { dates: '2026-12-25' }],
		['where the row that says it has an agent that cannot be', { agent: 'nobody' }, {}],
		['where the row that says it has a time zone that is none', { zone: 'CEST+2' }, {}],
		['with another number of theirs', { id: 'A' }, { id: 'A', phone: phone(1) }],
		[
			'where the row that says it has the number without its country',
			{ phone: phone(0).slice(2), country: '' },
			{},
		],
	])('hold for the row that does not say so: %s', async (_, own, other) => {
		clock('12:00:00');
		for (const isFirst of [true, false]) {
			const rows = [
				{ ...closed, ...own },
				{ phone: phone(0), dates: '', ...other },
			];
			const agentNumber = `={{ $json.agent || "${AGENT}" }}`;
			const parameters = bulk({
				calledBefore: 'skip',
				agentNumber,
				countries: ['US', 'CA'],
				defaultCountry: '={{ $json.country }}',
				options: { ...options, callOnceKey: '={{ $json.id || $json.phone }}' },
			});
			const { json } = await bench.run(parameters, [
				...(isFirst ? rows : rows.reverse()),
				{ phone: phone(5), dates: null },
			]);
			expect(statuses(json).slice(0, 2)).not.toContain('initiated');
		}
		expect(new Set(bench.dialed)).toEqual(new Set([phone(5)]));
	});
});

describe('of a person in two rows', () => {
	const rows = (first: IDataObject, second: IDataObject): IDataObject[] =>
		[first, second].map((more) => ({ phone: '+12125550101', ...more }));

	it('G11 the one that says where they are counts for the one that does not', async () => {
		clock('17:00:00');
		const { json } = await bench.run(
			bulk({ options: { ...nineToEight, timeZone: '={{ $json.zone }}' } }),
			rows({ zone: 'Asia/Tokyo' }, { zone: '' }),
		);
		expect(statuses(json)).toEqual(['outside_hours', 'outside_hours']);
		expect(bench.dialed).toEqual([]);
	});

	it.each(['callAgain', 'skip'])(
		'G11 dates of a person hold for another number with the same Remember People By, with %s',
		async (calledBefore) => {
			const options = { noCallDates: '={{ $json.days }}', callOnceKey: '={{ $json.key }}' };
			const two = [
				{ phone: phone(1), days: 'soon', key: 'k1' },
				{ phone: phone(2), days: '', key: 'k1' },
			];
			const { json } = await bench.run(bulk({ calledBefore, options }), two, {
				onError: 'continueRegularOutput',
			});
			expect(statuses(json)).toEqual(['invalid', 'invalid']);
			expect(bench.dialed).toEqual([]);
		},
	);

	it('G11 a row that is not called because of dates of another one still says who opted out', async () => {
		const options = {
			noCallDates: '={{ $json.days }}',
			optedOut: '={{ $json.out }}',
			callOnceKey: '={{ $json.key }}',
		};
		const three = [
			...rows({ days: 'soon', out: '', key: 'k1' }, { days: '', out: 'yes', key: 'k2' }),
			{ phone: phone(3), days: '', out: '', key: 'k2' },
		];
		const { json } = await bench.run(bulk({ options }), three, {
			onError: 'continueRegularOutput',
		});
		expect(statuses(json)).toEqual(['invalid', 'invalid', 'do_not_call']);
		expect(bench.dialed).toEqual([]);
	});

	it('G11 so does one whose number has no country, and cannot be called', async () => {
		clock('17:00:00');
		const options = { ...nineToEight, timeZone: '={{ $json.zone }}' };
		const two = rows({ phone: '2125550101', zone: 'Asia/Tokyo' }, { zone: '' });
		const { json } = await bench.run(bulk({ countries: ['US', 'CA'], options }), two, {
			onError: 'continueRegularOutput',
		});
		expect(statuses(json)).toEqual(['invalid', 'outside_hours']);
	});

	it.each([
		['digits without a country are of somebody else', '25550101'],
		[
			'it is no leave to call: the hours of the number itself have to be open, too',
			'+1 212 555 0101 mobile',
		],
	])(
		'G11 a row that cannot be called says where they are, where it is morning: %s',
		async (_, number) => {
			clock('01:00:00');
			const options = { ...nineToEight, timeZone: '={{ $json.zone }}' };
			const two = rows({ phone: number, zone: 'Asia/Tokyo' }, { zone: '' });
			const { json } = await bench.run(bulk({ options }), two, {
				onError: 'continueRegularOutput',
			});
			expect(statuses(json)).toEqual(['invalid', 'outside_hours']);
		},
	);

	it('G11 one has a time zone that cannot be read: the other ones are not called, but for the one that says where its person is', async () => {
		const rows = ['Berlin time', '', 'Europe/London', ''].map((zone, n) => ({
			phone: phone(n === 3 ? 2 : 1),
			zone,
		}));
		const { json } = await bench.run(bulk({ options: { timeZone: '={{ $json.zone }}' } }), rows);
		expect(statuses(json)).toEqual(['invalid', 'invalid', 'initiated', 'initiated']);
		expect(json[1]!.reason).toBe(
			'Row 1 is of the same person, and its time zone cannot be read. Correct that row.',
		);
	});

	it('G11 one has a time zone that cannot be worked out: the other one is not called', async () => {
		const { json } = await bench.run(
			bulk({ options: { timeZone: '={{ $json.zone.trim() }}' } }),
			rows({ zone: 7 }, { zone: '' }),
			{
				onError: 'continueRegularOutput',
			},
		);
		expect(statuses(json)).toEqual(['invalid', 'invalid']);
	});

	it('G11 one has no-call dates that cannot be read: the other one is not called, and says why', async () => {
		const { json } = await bench.run(
			bulk({ options: { noCallDates: '={{ $json.days }}' } }),
			rows({ days: '25.12.2026' }, { days: '' }),
			{
				onError: 'continueRegularOutput',
			},
		);
		expect(statuses(json)).toEqual(['invalid', 'invalid']);
		expect(json[1]!.reason).toBe(
			'Row 1 is of the same person, and its no-call dates cannot be read. Correct that row.',
		);
		expect(bench.dialed).toEqual([]);
	});
});
