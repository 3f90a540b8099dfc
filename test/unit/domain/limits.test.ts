import {
	type CallLimits,
	everyPersonLimit,
	hasLimits,
	limitsAt,
	readCallsPerDay,
	readCallsPerPerson,
} from '../../../nodes/OutboundCalls/domain/limits';

const zone = 'Europe/Berlin';
const none: CallLimits = { perPerson: [], perDay: undefined, stopWhenReached: false, zone };
const NOON = Date.parse('2026-11-25T11:00:00Z');

it('reads Calls per Person as it is stored; the lowest of one kind counts', () => {
	const limit = [
		{ calls: 3, per: 'ever' },
		{ calls: '2', per: 'day' },
		{ calls: 1, per: 'day' },
	];
	expect(readCallsPerPerson({ limit })).toEqual({
		ok: true,
		value: [
			{ calls: 1, per: 'day' },
			{ calls: 3, per: 'ever' },
		],
	});
});

it.each([undefined, '', 5, {}, { limit: [] }, { limit: [{}] }, { limit: [{ calls: 1 }] }])(
	'%j is no limit for a person',
	(stored) => {
		expect(readCallsPerPerson(stored)).toMatchObject({ ok: false });
	},
);

it.each([undefined, ' ', 'x', 0, -1, '1.5', 10_001, Infinity, NaN, true, [5], {}])(
	'%p is no limit for a day',
	(stored) => {
		expect(readCallsPerDay(stored)).toMatchObject({ ok: false });
	},
);

it.each<[Partial<CallLimits>, boolean]>([
	[{}, false],
	[{ perPerson: [{ calls: 1, per: 'ever' }] }, true],
	[{ perDay: 5 }, true],
	[{ stopWhenReached: true }, true],
])('with %j, calls are limited over runs: %s', (limits, expected) => {
	expect(hasLimits({ ...none, ...limits })).toBe(expected);
});

it.each([
	['day', '2026-11-26T00:00:00+01:00'],
	['week', '2026-11-30T00:00:00+01:00'],
	['month', '2026-12-01T00:00:00+01:00'],
	['ever', undefined],
] as const)('a person called too often in a %s may be called at %s', (per, callableAt) => {
	const { perPerson } = limitsAt({ ...none, perPerson: [{ calls: 3, per }] }, NOON);
	expect(perPerson).toMatchObject([
		{ most: 3, refusal: { callableAt, isOfAll: false, reason: expect.stringContaining('3') } },
	]);
});

it('Max Calls per Day holds for everybody, until midnight', () => {
	expect(limitsAt({ ...none, perDay: 1_000 }, NOON).perDay).toMatchObject({
		most: 1_000,
		refusal: {
			callableAt: '2026-11-26T00:00:00+01:00',
			isOfAll: true,
			reason: expect.stringMatching(/Max Calls per Day \(1,000\)/),
		},
	});
});

it.each([
	['day', '2026-11-25T23:59:59+01:00', true],
	['day', '2026-11-26T00:00:00+01:00', false],
	['week', '2026-11-30T00:00:00+01:00', false],
	['month', '2026-12-01T00:00:00+01:00', false],
	['ever', '2027-12-01T00:00:00+01:00', true],
] as const)('the same %s at %s: %s', (per, iso, expected) => {
	const name = (now: number) =>
		limitsAt({ ...none, perPerson: [{ calls: 1, per }] }, now).perPerson[0]!.name;
	expect(name(NOON) === name(Date.parse(iso))).toBe(expected);
});

it('people are forgotten under the names by which their calls are counted', () => {
	const perPerson = (['day', 'week', 'month', 'ever'] as const).map((per) => ({ calls: 1, per }));
	const names = limitsAt({ ...none, perPerson }, NOON).perPerson.map(({ name }) => name);
	expect(everyPersonLimit(none.zone, NOON).map(({ name }) => name)).toEqual(names);
});
