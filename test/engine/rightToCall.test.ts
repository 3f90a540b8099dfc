import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { storeForEach } from './helpers/durableStore';
import type { Finished } from './helpers/harness';
import { workbench } from './helpers/workbench';
import { pairs, shown, statuses, all, linesOf, text } from './helpers/outcomes';
import { AGENT } from './helpers/account';
import { goesOn, ON_ERROR } from './helpers/onError';
import { bulk, contacts, OPERATIONS, phone, place } from './helpers/workflows';

const bench = workbench();
const store = storeForEach();

afterEach(() => {
	jest.restoreAllMocks();
});

const HOUR = 3_600_000;
/** On a Monday, in winter. */
const at = (time: string): number => Date.parse(`2026-11-23T${time}Z`);
/** What n8n and the node take for the time of day. It may move while the node works. */
const clock = (now: () => number): void => {
	jest.spyOn(Date, 'now').mockImplementation(now);
};
const window = (days: string[], from: string, to: string) => ({ days, from, to });
const custom = (...windows: unknown[]): INodeParameters =>
	({ callingHours: 'custom', callingWindows: { window: windows } }) as INodeParameters;
const weekdays: INodeParameters = { callingHours: 'weekdays' };
const zoned = bulk({ ...weekdays, rules: { timeZone: '={{ $json.zone }}' } });
const oneLane: INodeParameters = { parallelRequests: 1 };

const LONG = 'The appointment of the second Tuesday in the afternoon';
const BERLIN = '+4917612340001';
const NEW_YORK = '+12125550101';
const people = [{ phone: BERLIN }, { phone: NEW_YORK }];
const berliners = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ phone: `+491761234${1_000 + n}` }));
const londoners = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ phone: `+44740012${3_000 + n}` }));

it('G11 a workflow that holds no Calling Hours calls on weekdays, and says so', async () => {
	clock(() => Date.parse('2026-11-28T11:00:00Z'));
	const { callingHours: _absent, ...absent } = bulk();
	const { json } = await bench.run(absent, [{ phone: BERLIN }]);
	expect(json[0]).toMatchObject({ status: 'outside_hours', reason: 'From Mon 09:00 (Berlin)' });
	expect(bench.dialed).toEqual([]);
});

it.each<[heldBy: string, status: string, INodeParameters]>([
	['countries', 'not_allowed', { countries: ['US'] }],
	['special_numbers', 'not_allowed', { destination: '+49900123456' }],
	['opted_out', 'do_not_call', { optedOut: 'yes' }],
	['do_not_call', 'do_not_call', { rules: { doNotCall: BERLIN } }],
	['calling_hours', 'outside_hours', custom(window(['sun'], '09:00', '10:00'))],
	['no_call_dates', 'outside_hours', { rules: { noCallDates: '2026-11-23' } }],
	['called_before', 'already_called', { calledBefore: 'skip' }],
	['called_before', 'already_called', { calledBefore: 'onceForEach', onceForEach: LONG }],
	['reached_before', 'limit_reached', { waitUntil: 'finished', rules: { stopWhenReached: true } }],
	['calls_per_person', 'limit_reached', { rules: { callsPerPerson: { limit: [{ per: 'day' }] } } }],
	['hours_between_calls', 'limit_reached', { rules: { hoursBetweenCalls: 3 } }],
	['max_calls', 'limit_reached', { rules: { maxCalls: 0 } }],
	['max_calls_per_day', 'limit_reached', { rules: { maxCallsPerDay: 1 } }],
])('held_by names what holds a row back: %s', async (heldBy, status, more) => {
	clock(() => at('10:00:00'));
	const twice = bulk({ ...more, options: { simplify: true } });
	const [first] = (await bench.run(twice, [{ phone: BERLIN }])).json;
	const [last] = (await bench.run(twice, [{ phone: BERLIN }])).json;
	if (first!.called === 'yes') expect(first).not.toHaveProperty('held_by');
	expect(last).toMatchObject({ status, called: 'no', held_by: heldBy });
	// Many rows share it.
	expect(text(last!.reason).length).toBeLessThanOrEqual(50);
});

describe('G11 calling hours', () => {
	it('whoever is inside on their own clock is called; the others come out with the time from when they may be', async () => {
		clock(() => at('10:00:00'));
		const { called, notCalled, json } = await bench.run(bulk(weekdays), people);
		expect(bench.dialed).toEqual([BERLIN]);
		const outside = { status: 'outside_hours', called: 'no', reason: 'From Mon 09:00 (New York)' };
		const from = { callable_at: '2026-11-23T09:00:00-05:00', time_zones: ['America/New_York'] };
		const rows = notCalled.map(({ json: row }) => row);
		expect(rows).toMatchObject([{ ...outside, destination: NEW_YORK, ...from }]);
		expect(pairs([...called, ...notCalled])).toEqual([0, 1]);
		expect(json[0]).not.toHaveProperty('callable_at');
	});

	it.each(ON_ERROR)('nobody is called outside, and nothing is thrown: %s', async (onError) => {
		clock(() => at('02:00:00'));
		const { json, error } = await bench.run(bulk(weekdays), people, { onError });
		expect([error, ...statuses(json)]).toEqual([undefined, 'outside_hours', 'outside_hours']);
		expect(bench.sandbox.requests).toEqual([]);
	});

	describe('the summary says from when the others can be called, and that nothing does it by itself', () => {
		const others = (run: Finished): string[] =>
			linesOf(run).filter((line) => / more can be called /.test(line));
		const HOW = ': execute again then, or add a Schedule Trigger';

		it.each<[string, IDataObject[], string]>([
			['in their zone', berliners(2), '2 more can be called from Mon 09:00 (Berlin)'],
			['without the workflow’s own', people.slice(1), '1 more can be called from Mon 09:00'],
			['on its clock, if they have several', people, '2 more can be called from Mon 03:00'],
		])('%s', async (_, rows, line) => {
			// The workflow is on New York's clock.
			clock(() => at('02:00:00'));
			for (const mode of ['dryRun', 'live']) {
				const run = await bench.run(bulk({ ...weekdays, mode }), rows);
				expect(run.json[0]!.reason).toMatch(/^From Mon 09:00 \(/);
				expect(others(run)).toEqual([`${line}${HOW}`]);
			}
			expect(bench.sandbox.requests).toEqual([]);
		});

		it('the row of a test, which was called, is none of them', async () => {
			clock(() => at('02:00:00'));
			const own = { mode: 'test', testNumber: '+447400123456' };
			const run = await bench.run(bulk({ ...weekdays, ...own }), berliners(3));
			expect(statuses(run.json)).toEqual(['test_call', 'outside_hours', 'outside_hours']);
			expect(others(run)).toEqual([`2 more can be called from Mon 09:00 (Berlin)${HOW}`]);
			const only = await bench.run(bulk({ ...weekdays, ...own }), berliners(1));
			expect(others(only)).toEqual([]);
		});

		it('who never fits is not promised a time; the row says what to set', async () => {
			clock(() => at('10:00:00'));
			// A number of North America without a place: its zones are never open together.
			const hours = custom(window(['mon'], '09:00', '09:01'));
			const run = await bench.run(bulk({ ...hours, mode: 'dryRun' }), [{ phone: '+18005550123' }]);
			expect(statuses(run.json)).toEqual(['outside_hours']);
			expect(run.json[0]!.reason).toMatch(/never open together\. Set Time Zone$/);
			expect(run.json[0]).not.toHaveProperty('callable_at');
			expect(others(run)).toEqual([]);
		});
	});

	it('a run of every half hour calls each person once, when their time has come', async () => {
		const parameters = bulk({ ...weekdays, calledBefore: 'skip' });
		for (let halfHours = 0; halfHours < 32; halfHours++) {
			clock(() => at('00:00:00') + halfHours * (HOUR / 2));
			await bench.run(parameters, people);
		}
		expect(bench.dialed).toEqual([BERLIN, NEW_YORK]);
		expect(store.size).toBe(2);
	});

	it('the row’s own time zone goes before its number; a zone that does not exist makes its row invalid', async () => {
		clock(() => at('10:00:00'));
		const { json } = await bench.run(zoned, [
			{ phone: NEW_YORK, zone: 'Europe/Berlin' },
			{ phone: BERLIN, zone: 'America/New_York' },
			{ phone: '+4917612340002', zone: '' },
			{ phone: '+4917612340003', zone: 'Berlin' },
		]);
		expect(statuses(json)).toEqual(['initiated', 'outside_hours', 'initiated', 'invalid']);
		expect(json[3]?.reason).toMatch(/Time Zone.*"Berlin"/);
	});

	it('nobody is called on a no-call date, at any hour of it', async () => {
		clock(() => at('10:00:00'));
		const { json } = await bench.run(bulk({ rules: { noCallDates: '={{ $json.dates }}' } }), [
			{ phone: BERLIN, dates: '2026-12-25, 2026-11-23' },
			{ phone: '+4917612340002', dates: '2026-12-25' },
			{ phone: '+4917612340003', dates: '11/23/2026' },
			{ phone: '+4917612340004', dates: '' },
		]);
		expect(json[0]!.reason).toBe('No-call date. From Tue 00:00 (Berlin)');
		expect(statuses(json)).toEqual(['outside_hours', 'initiated', 'invalid', 'initiated']);
		expect(json[0]).toMatchObject({ callable_at: '2026-11-24T00:00:00+01:00' });
	});

	it('a paced run stops at the end of the window, to the second', async () => {
		// Time passes with the calls: the eighth one is the last before 20:00.
		clock(() => at('19:59:57') + bench.sandbox.journal.length * 400);
		const options = { callsPerMinute: 1_200, parallelRequests: 3 };
		bench.sandbox.fault({ kind: 'latency', route: 'call', ms: 5 });
		const { json } = await bench.run(place({ ...weekdays, options }), londoners(40));
		const called = 40 - statuses(json).filter((status) => status === 'outside_hours').length;
		expect(called).toBe(bench.dialed.length);
		expect(called).toBeGreaterThanOrEqual(8);
		// Two more may have been under way.
		expect(called).toBeLessThanOrEqual(10);
	});

	it.each(OPERATIONS)('%s: a request leaves the moment it was judged last', async (_, calls) => {
		let now = at('19:59:58');
		clock(() => now);
		let reads = 0;
		const { json } = await bench.run(calls({ ...weekdays, options: oneLane }), londoners(21), {
			// If the credential were read after the judgment, a slow database would have the request leave too late.
			onCredentialRead: () => (now = ++reads === 1 ? now : at('20:00:01')),
		});
		expect(new Set(statuses(json)).size).toBe(1);
		expect(bench.dialed).toHaveLength(21);
	});

	it('rows whose window ends during a pause are not called after it, and not remembered', async () => {
		let now = at('19:59:59');
		clock(() => now);
		bench.sandbox.fault({ kind: 'rateLimited', form: 'plain', retryAfter: 1, times: 1 });
		bench.meanwhile = () => {
			now = at('20:00:00');
		};
		const parameters = bulk({ ...weekdays, calledBefore: 'skip' });
		const { json } = await bench.run(parameters, londoners(1));
		const callable_at = '2026-11-24T09:00:00+00:00';
		expect(json).toMatchObject([{ status: 'outside_hours', called: 'no', callable_at }]);
		expect(bench.dialed).toEqual([]);
		expect(bench.sandbox.requests).toHaveLength(1);
		expect(store.size).toBe(0);
	});

	it('G4 a Retry after the window has ended shows who was called, and calls nobody else', async () => {
		clock(() => at('10:00:00'));
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const parameters = bulk({ ...weekdays, options: oneLane });
		const stopped = await bench.run(parameters, berliners(11));
		clock(() => at('22:00:00'));
		const { json } = await bench.run(parameters, berliners(11), { retryOf: stopped });
		expect(statuses(json)).toEqual([...all(10, 'initiated'), 'outside_hours']);
		expect(bench.dialed).toHaveLength(10);
	});

	it('G2 of two rows with one number, the one whose own zone is inside is called', async () => {
		clock(() => at('10:00:00'));
		const zones = ['America/New_York', 'Europe/Berlin', 'Europe/Berlin'];
		const rows = zones.map((zone) => ({ phone: BERLIN, zone }));
		const { json } = await bench.run(zoned, rows);
		expect(statuses(json)).toEqual(['outside_hours', 'initiated', 'duplicate']);
		expect(json[2]?.reason).toMatch(/row 2/);
	});
});

describe('G11 do not call', () => {
	it('numbers of the list are not called, however they are written, and are not remembered', async () => {
		const rules = { doNotCall: '+49 176 12340001;\n0176/12340002' };
		const { json } = await bench.run(
			bulk({ calledBefore: 'skip', options: { defaultCountry: 'DE' }, rules }),
			[{ phone: '0176 12340001' }, { phone: '+4917612340002' }, { phone: '+4917612340003' }],
		);
		expect(statuses(json)).toEqual(['do_not_call', 'do_not_call', 'initiated']);
		expect(json[0]?.reason).toMatch(/Do Not Call/);
		expect(bench.dialed).toEqual(['+4917612340003']);
		expect(store.size).toBe(1);
	});

	it.each<[string, INodeParameters]>([
		['the only one that may be called', { countries: ['DE'] }],
		['the chosen one', { countries: ['DE', 'AT'], options: { defaultCountry: 'DE' } }],
	])('its numbers without + are of %s', async (_, country) => {
		const parameters = bulk({ ...country, rules: { doNotCall: '0176 12340001' } });
		expect(await bench.statuses(parameters, [{ phone: BERLIN }])).toEqual(['do_not_call']);
	});

	it('a number whose + a spreadsheet dropped stands for both readings', async () => {
		const rules = { doNotCall: '447400123000' };
		const { json } = await bench.run(bulk({ countries: ['GB'], rules }), londoners(2));
		expect(statuses(json)).toEqual(['do_not_call', 'initiated']);
	});

	it.each<[string, unknown]>([
		['a word', 'nobody'],
		['an expression that does not resolve', '={{ $("Nowhere").all() }}'],
		['another list for each row', '={{ $json.phone }}'],
		['a list of rows', '={{ $input.all() }}'],
	])('G1 a list that cannot be read calls nobody: %s', async (_, doNotCall) => {
		const parameters = bulk({ rules: { doNotCall } as INodeParameters });
		expect(shown(await bench.run(parameters, contacts(3))).message).toContain('Do Not Call');
		const { json } = await bench.run(parameters, contacts(3), goesOn);
		expect(statuses(json)).toEqual(['refused', 'refused', 'refused']);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('a list from an expression counts for all rows', async () => {
		const doNotCall = '={{ [$input.first().json.phone, $input.last().json.phone] }}';
		const { json } = await bench.run(bulk({ rules: { doNotCall } }), contacts(3));
		expect(statuses(json)).toEqual(['do_not_call', 'initiated', 'do_not_call']);
	});
});

describe('G11 opted out', () => {
	const asks = (more: INodeParameters = {}) => bulk({ optedOut: '={{ $json.out }}', ...more });

	it('whoever opted out is not called, for no row of that number', async () => {
		const { json } = await bench.run(asks(), [
			{ phone: phone(1), out: '' },
			{ phone: phone(1), out: 'x' },
			{ phone: phone(2), out: 'no' },
			{ phone: phone(3), out: true },
			{ phone: phone(4), out: 'perhaps' },
			{ phone: phone(4), out: '' },
			{ phone: phone(5), out: null },
		]);
		const [NOT, CALLED] = ['do_not_call', 'initiated'];
		expect(statuses(json)).toEqual([NOT, NOT, CALLED, NOT, 'invalid', NOT, CALLED]);
		expect(json[0]?.reason).toMatch(/row 2.*Opted Out/);
		expect(bench.dialed).toEqual([phone(2), phone(5)]);
	});

	it.each<[string, INodeParameters, IDataObject]>([
		['has an agent that is none', { agentNumber: '={{ $json.agent }}' }, { agent: 'nobody' }],
		[
			'has no value for Once for Each',
			{ calledBefore: 'onceForEach', onceForEach: '={{ $json.agent ? "a" : "" }}' },
			{ agent: '' },
		],
	])('nor if the row that says so %s', async (_, parameters, cells) => {
		const { json } = await bench.run(asks(parameters), [
			{ phone: phone(1), out: 'yes', ...cells },
			{ phone: phone(1), out: '', agent: AGENT },
			{ phone: phone(2), out: '', ...cells },
			{ phone: phone(2), out: '', agent: AGENT },
		]);
		expect(statuses(json)).toEqual(['invalid', 'do_not_call', 'invalid', 'initiated']);
		expect(bench.dialed).toEqual([phone(2)]);
	});

	it.each<[string, string, string[]]>([
		['words after the number', '+14155550101 mobile', ['+14155550101']],
		['two numbers', '+14155550101 / +44 7400 123456', ['+14155550101', '+447400123456']],
	])('nor by any number in a cell that cannot be dialed: %s', async (_, cell, numbers) => {
		const others = ['+14155550102', '+491712345679'];
		const { json } = await bench.run(asks(), [
			{ phone: cell, out: 'yes' },
			...[...numbers, ...others].map((number) => ({ phone: number, out: '' })),
		]);
		expect(statuses(json)).toEqual([
			'invalid',
			...numbers.map(() => 'do_not_call'),
			...others.map(() => 'initiated'),
		]);
	});
});

describe('G11 Max Calls', () => {
	const max = (maxCalls: unknown, more: INodeParameters = {}): INodeParameters =>
		bulk({ ...more, rules: { maxCalls } as INodeParameters });

	it('so many are called, and the rest says why not', async () => {
		const { json } = await bench.run(max(12), contacts(30));
		expect(bench.dialed).toHaveLength(12);
		expect(statuses(json)).toEqual([...all(12, 'initiated'), ...all(18, 'limit_reached')]);
		expect(json[29]?.reason).toBe('Max Calls (12) reached');
	});

	it('0 calls nobody; a limit that cannot be used calls nobody either', async () => {
		expect(await bench.statuses(max(0), contacts(2))).toEqual(all(2, 'limit_reached'));
		for (const maxCalls of ['', 'many', -1])
			expect(shown(await bench.run(max(maxCalls), contacts(2))).message).toMatch(/Max Calls/);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('people who were called before, or certainly were not dialed, do not count', async () => {
		await bench.run(bulk({ calledBefore: 'skip' }), contacts(8));
		bench.sandbox.destinationOutcome.set(phone(9), { status: 'locked', error: 'Locked', times: 1 });
		const { json } = await bench.run(max(5, { calledBefore: 'skip' }), contacts(30));
		expect(bench.dialed).toHaveLength(8 + 5);
		expect(statuses(json).filter((status) => status === 'initiated')).toHaveLength(5);
		expect(statuses(json).filter((status) => status === 'limit_reached')).toHaveLength(16);
		// Nobody is remembered whom the limit kept from being called.
		expect(store.size).toBe(13);
	});

	it('it holds over the rounds of a loop', async () => {
		const { rounds } = await bench.run(max(7), contacts(3), { rounds: 4 });
		expect(
			rounds.map((rows) => statuses(rows).filter((status) => status === 'initiated').length),
		).toEqual([3, 3, 1, 0]);
		expect(bench.dialed).toHaveLength(7);
	});

	it('G4 it holds over a Retry', async () => {
		bench.sandbox.fault({ kind: 'unauthorized', route: 'bulk', after: 1, times: 1 });
		const parameters = max(15, { options: oneLane });
		const stopped = await bench.run(parameters, contacts(30));
		expect(bench.dialed).toHaveLength(10);
		const { json } = await bench.run(parameters, contacts(30), { retryOf: stopped });
		expect(bench.dialed).toHaveLength(15);
		expect(statuses(json).filter((status) => status === 'limit_reached')).toHaveLength(15);
		expect(bench.sandbox.doubleDialed()).toEqual([]);
	});

	it('calls whose outcome is not known count', async () => {
		bench.sandbox.fault({ kind: 'resetAfter', route: 'bulk', times: 1 });
		const { json } = await bench.run(max(12, { options: oneLane }), contacts(30), goesOn);
		expect(bench.dialed).toHaveLength(12);
		expect(statuses(json).filter((status) => status === 'unknown')).toHaveLength(10);
	});

	it('a duplicate of a row beyond the limit is not called in its place', async () => {
		const { json } = await bench.run(max(1), [...contacts(2), ...contacts(2)]);
		expect(statuses(json)).toEqual(['initiated', 'limit_reached', 'duplicate', 'limit_reached']);
		expect(bench.dialed).toEqual([phone(0)]);
	});
});

const GERMAN = '+4917612345678';
const AUSTRIAN = '+436641234567';
const JAMAICAN = '+18764567890';
const PREMIUM = '+19005550123';
const SATELLITE = '+881612345678';

const rows = (...phones: string[]) => phones.map((phone) => ({ phone }));
describe.each(OPERATIONS)('G12 where it was meant to, with %s', (_, operation) => {
	it.each<[string, INodeParameters, RegExp]>([
		['no country', { countries: [] }, /Germany.*Austria.*Jamaica/],
		['an unknown code', { countries: ['DE', 'XX'] }, /"XX"/],
		['a name', { countries: ['Germany'] }, /Germany/],
		['what every object has', { countries: ['constructor'] }, /"constructor"/],
		['Every Country beside others', { countries: ['any', 'DE'] }, /Every Country|any/],
	])('G1 %s chosen, by an AI tool as well: nobody is called', async (__, parameters, told) => {
		// n8n checks that a node's required field is filled in, and not a tool's.
		const people = rows(GERMAN, AUSTRIAN, GERMAN, JAMAICAN);
		const run = await bench.run(operation(parameters), people, { alone: true });
		const { message, description } = shown(run);
		expect(message).toMatch(/Countries That May Be Called/);
		expect(`${message} ${description}`).toMatch(told);
		expect(bench.sandbox.requests).toEqual([]);
	});

	it('only numbers of the chosen countries are called, and a dry run shows which', async () => {
		const people = rows(GERMAN, JAMAICAN, AUSTRIAN, SATELLITE);
		const parameters = operation({ countries: ['DE', 'AT'] });
		const { json } = await bench.run(parameters, people);
		const both = ['initiated', 'not_allowed', 'initiated', 'not_allowed'];
		expect(statuses(json)).toEqual(both);
		expect(json.map(({ called }) => called)).toEqual(['yes', 'no', 'yes', 'no']);
		expect(json[1]?.reason).toBe('Country not chosen: Jamaica');
		expect([...bench.dialed].sort()).toEqual([AUSTRIAN, GERMAN].sort());
		const dry = await bench.run({ ...parameters, mode: 'dryRun' }, people);
		expect(statuses(dry.json)).toEqual(['dry_run', 'not_allowed', 'dry_run', 'not_allowed']);
		expect(dry.hints[0]?.message).toMatch(/Countries and Special Numbers: 2 rows.*Germany/);
	});

	it('special numbers are called in no country, unless the rule says so', async () => {
		const special = rows(PREMIUM, SATELLITE, '+447012345678');
		const { json } = await bench.run(operation(), special);
		expect(json.map(({ status, reason }) => [status, reason])).toEqual([
			['not_allowed', 'Special number: premium rate'],
			['not_allowed', 'Special number: satellite phone'],
			['not_allowed', 'Special number: personal number'],
		]);
		expect(bench.dialed).toEqual([]);
		await bench.run(operation({ rules: { specialNumbers: 'call' } }), special);
		expect([...bench.dialed].sort()).toEqual(special.map(({ phone }) => phone).sort());
	});

	it('emergency, short and impossible numbers are never called', async () => {
		const never = ['112', '911', '+49110', '08', '12345678901234567890'];
		const parameters = { countries: ['DE'], rules: { specialNumbers: 'call' } };
		const { notCalled } = await bench.run(operation(parameters), rows(...never, GERMAN));
		expect([notCalled.length, bench.dialed]).toEqual([never.length, [GERMAN]]);
	});

	it('numbers without + are of the country if one is chosen; Country of Numbers Without + goes first', async () => {
		const national = rows('0176 12345678', AUSTRIAN);
		const status = async (parameters: INodeParameters) =>
			await bench.statuses(operation({ mode: 'dryRun', ...parameters }), national);
		expect(await status({ countries: ['DE'] })).toEqual(['dry_run', 'not_allowed']);
		expect(await status({ countries: ['DE', 'AT'] })).toEqual(['invalid', 'dry_run']);
		expect(await status({ countries: ['any'] })).toEqual(['invalid', 'dry_run']);
		const austrian = { countries: ['AT'], options: { defaultCountry: 'DE' } };
		expect(await status(austrian)).toEqual(['not_allowed', 'dry_run']);
	});

	it('where a column names the country of each number, a row without one has none, though only one is chosen', async () => {
		const { json } = await bench.run(
			operation({ countries: ['DE'], options: { defaultCountry: '={{ $json.land }}' } }),
			[
				{ phone: '0176 12345678', land: 'DE' },
				{ phone: '079 123 45 67', land: 'CH' },
				{ phone: '0176 12345679', land: '' },
				{ phone: '0176 12345670' },
			],
		);
		expect(statuses(json)).toEqual(['initiated', 'not_allowed', 'invalid', 'invalid']);
		expect(bench.dialed).toEqual([GERMAN]);
	});
});
