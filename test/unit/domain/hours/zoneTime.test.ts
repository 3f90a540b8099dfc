import {
	hostNameOf,
	isoIn,
	localTime,
	offsetAt,
	steadyPeriods,
} from '../../../../nodes/OutboundCalls/domain/hours/zoneTime';

const at = (iso: string) => Date.parse(iso);
const HOUR = 3_600_000;

describe('how far a zone’s clocks are ahead of UTC', () => {
	it.each<[string, string, number]>([
		['UTC', '2026-11-23T00:00:00Z', 0],
		['Europe/London', '2026-11-23T00:00:00Z', 0],
		['Europe/London', '2026-07-23T00:00:00Z', 1],
		['Europe/Berlin', '2026-11-23T08:00:00Z', 1],
		['America/New_York', '2026-11-23T08:00:00Z', -5],
		['America/St_Johns', '2026-11-23T08:00:00Z', -3.5],
		['Asia/Kathmandu', '2026-11-23T08:00:00Z', 5.75],
		['Australia/Eucla', '2026-11-23T08:00:00Z', 8.75],
		['Australia/Lord_Howe', '2026-11-23T08:00:00Z', 11],
		['Australia/Lord_Howe', '2026-07-23T08:00:00Z', 10.5],
		['Pacific/Kiritimati', '2026-11-23T08:00:00Z', 14],
		['Pacific/Pago_Pago', '2026-11-23T08:00:00Z', -11],
		['America/New_York', '2026-11-01T05:59:59Z', -4],
		['America/New_York', '2026-11-01T06:00:00Z', -5],
	])('%s at %s: %d hours', (zone, instant, hours) => {
		expect(offsetAt(zone, at(instant))).toBe(hours * HOUR);
	});

	it('is exact to the second, long ago', () => {
		expect(offsetAt('Europe/Amsterdam', at('1900-01-01T00:00:00Z'))).toBeDefined();
		expect(offsetAt('America/New_York', at('1800-01-01T00:00:00Z'))).toBe(
			-(4 * 3_600 + 56 * 60 + 2) * 1_000,
		);
	});

	it('is not known for what is no zone', () => {
		for (const zone of ['Mars/Olympus', '', 'Europe/Berlin ']) {
			expect([
				zone,
				offsetAt(zone, 0),
				steadyPeriods(zone, 0, 1),
				localTime(zone, 0),
				hostNameOf(zone),
			]).toEqual([zone, undefined, undefined, undefined, undefined]);
		}
	});

	it('stays known when very many names were asked about', () => {
		for (let n = 0; n < 2_500; n++) offsetAt(`Nowhere/Place_${n}`, 0);
		expect(offsetAt('Asia/Tokyo', 0)).toBe(9 * HOUR);
	});
});

describe('the periods between changes of the clocks', () => {
	it.each<[string, string, string, string, string, Array<[string, number]>]>([
		[
			'no change',
			'Asia/Tokyo',
			'2026-11-01T05:00:00Z',
			'2026-11-15T05:00:00Z',
			'2026-11-15T05:00:00Z',
			[['2026-11-01T05:00:00Z', 9]],
		],
		[
			'back from summer time',
			'America/New_York',
			'2026-10-31T12:00:00Z',
			'2026-11-02T12:00:00Z',
			'2026-11-02T12:00:00Z',
			[
				['2026-10-31T12:00:00Z', -4],
				['2026-11-01T06:00:00Z', -5],
			],
		],
		[
			'half an hour forward',
			'Australia/Lord_Howe',
			'2026-10-03T00:00:00Z',
			'2026-10-04T12:00:00Z',
			'2026-10-04T12:00:00Z',
			[
				['2026-10-03T00:00:00Z', 10.5],
				['2026-10-03T15:30:00Z', 11],
			],
		],
		[
			'a change before, on the same day',
			'America/New_York',
			'2026-11-01T07:00:00Z',
			'2026-11-02T00:00:00Z',
			'2026-11-02T00:00:00Z',
			[['2026-11-01T07:00:00Z', -5]],
		],
		[
			'a change after, on the same day',
			'America/New_York',
			'2026-11-01T01:00:00Z',
			'2026-11-01T05:00:00Z',
			'2026-11-01T05:00:00Z',
			[['2026-11-01T01:00:00Z', -4]],
		],
		[
			'a change at the end',
			'America/New_York',
			'2026-11-01T01:00:00Z',
			'2026-11-01T06:00:00Z',
			'2026-11-01T06:00:00Z',
			[['2026-11-01T01:00:00Z', -4]],
		],
		[
			'a change at the beginning',
			'America/New_York',
			'2026-11-01T06:00:00Z',
			'2026-11-01T08:00:00Z',
			'2026-11-01T08:00:00Z',
			[['2026-11-01T06:00:00Z', -5]],
		],
		[
			'a day that Samoa left out',
			'Pacific/Apia',
			'2011-12-29T00:00:00Z',
			'2012-01-01T00:00:00Z',
			'2012-01-01T00:00:00Z',
			[
				['2011-12-29T00:00:00Z', -10],
				['2011-12-30T10:00:00Z', 14],
			],
		],
	])('%s', (_, zone, from, to, end, expected) => {
		const periods = steadyPeriods(zone, at(from), at(to))!;
		expect(periods.map(({ from: begin, offset }) => [begin, offset])).toEqual(
			expected.map(([begin, hours]) => [at(begin), hours * HOUR]),
		);
		expect(periods.map(({ to: until }) => until)).toEqual([
			...periods.slice(1).map(({ from: begin }) => begin),
			at(end),
		]);
	});
});

it('an instant is written as a zone’s clocks show it', () => {
	const instant = at('2026-11-23T08:00:00Z');
	expect(isoIn('Europe/Berlin', instant)).toBe('2026-11-23T09:00:00+01:00');
	expect(isoIn('America/St_Johns', instant)).toBe('2026-11-23T04:30:00-03:30');
	expect(isoIn('Pacific/Kiritimati', at('2026-12-31T23:00:00Z'))).toBe('2027-01-01T13:00:00+14:00');
	expect(isoIn('UTC', instant)).toBe('2026-11-23T08:00:00+00:00');
	expect(isoIn('Mars/Olympus', instant)).toBe('2026-11-23T08:00:00+00:00');
});

it('midnight is the beginning of a day, not hour 24 of the one before', () => {
	expect(localTime('Europe/Berlin', at('2026-11-22T23:00:00Z'))).toEqual({
		day: at('2026-11-23T00:00:00Z') / 86_400_000,
		time: 0,
	});
	expect(localTime('Europe/Berlin', at('2026-11-22T22:59:59Z'))).toEqual({
		day: at('2026-11-22T00:00:00Z') / 86_400_000,
		time: 86_399_000,
	});
	expect(isoIn('Europe/Berlin', at('2026-11-22T23:00:00Z'))).toBe('2026-11-23T00:00:00+01:00');
});
