import {
	type CallLimits,
	countsCalls,
	limitsAt,
	readCallsPerDay,
	readCallsPerPerson,
	Tally,
} from '../../../nodes/OutboundCalls/domain/callLimits';

const none: CallLimits = {
	perPerson: [],
	perDay: undefined,
	stopWhenReached: false,
	zone: 'Europe/Berlin',
};
const NOON = Date.parse('2026-11-25T11:00:00Z');
const counted = (limits: Partial<CallLimits>, person = '+15551') =>
	limitsAt({ ...none, ...limits }, NOON).countedFor(person);

describe('limits of calls', () => {
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

	it.each([
		undefined,
		null,
		'',
		'x',
		5,
		[],
		{},
		{ limit: {} },
		{ limit: [] },
		{ limit: [null] },
		{ limit: [{}] },
		{ limit: [{ calls: 1 }] },
	])('%j is no limit for a person', (stored) => {
		expect(readCallsPerPerson(stored)).toMatchObject({ ok: false });
	});

	it.each([
		undefined,
		null,
		'',
		' ',
		'x',
		0,
		-1,
		0.5,
		'1.5',
		10_001,
		1e9,
		Infinity,
		NaN,
		true,
		[5],
		{},
	])('%p is no limit for a day', (stored) => {
		expect(readCallsPerDay(stored)).toMatchObject({ ok: false });
	});

	it.each([1, 10_000, '25', ' 25 '])('%p is one', (stored) => {
		expect(readCallsPerDay(stored)).toEqual({ ok: true, value: Number(stored) });
	});

	it('nothing is counted without them', () => {
		expect(countsCalls(none)).toBe(false);
		expect(counted({})).toEqual([]);
	});

	it('a call adds to a count of its person for each limit, and to one for all', () => {
		const [day, ever, all] = counted({
			perPerson: [
				{ calls: 1, per: 'day' },
				{ calls: 3, per: 'ever' },
			],
			perDay: 100,
		});
		expect(day).toMatchObject({
			name: 'calls per day +15551',
			most: 1,
			refusal: { callableAt: '2026-11-26T00:00:00+01:00', isOfAll: false },
		});
		expect(ever).toMatchObject({
			name: 'calls per ever +15551',
			period: undefined,
			most: 3,
			refusal: { callableAt: undefined },
		});
		expect(all).toMatchObject({ name: 'calls per day', most: 100, refusal: { isOfAll: true } });
		expect(
			new Set([
				day!.name,
				ever!.name,
				all!.name,
				...counted({ perPerson: [{ calls: 1, per: 'day' }] }, '+15552').map(({ name }) => name),
			]).size,
		).toBe(4);
	});

	it('the periods are the same until one of those that are counted is over', () => {
		const limits: CallLimits = { ...none, perPerson: [{ calls: 1, per: 'week' }] };
		const at = (iso: string): string => limitsAt(limits, Date.parse(iso)).periods;
		expect(at('2026-11-23T00:00:00+01:00')).toBe(at('2026-11-29T23:59:59+01:00'));
		expect(at('2026-11-30T00:00:00+01:00')).not.toBe(at('2026-11-29T23:59:59+01:00'));
	});

	it('of several limits that are full, the one that lasts longest is told', () => {
		const limits = counted({
			perPerson: [
				{ calls: 1, per: 'day' },
				{ calls: 1, per: 'month' },
				{ calls: 2, per: 'ever' },
			],
		});
		const tally = new Tally(() => 0);
		expect(tally.add(limits)).toBeUndefined();
		expect(tally.add(limits)?.reason).toBe(
			'Calls per Person is 1 per month, which is used up for this month, so nobody is called for this row',
		);
		expect(
			new Tally(({ name }) => (name === 'calls per ever +15551' ? 2 : 0)).add(limits)?.reason,
		).toBe('Calls per Person is 2 ever, which is used up, so nobody is called for this row');
	});

	it('a row that one limit keeps back adds to none', () => {
		const limits = counted({ perPerson: [{ calls: 1, per: 'day' }], perDay: 5 });
		const tally = new Tally(({ name }) => (name === 'calls per day +15551' ? 1 : 0));
		expect(tally.add(limits)).toBeDefined();
		expect(limits.map((each) => tally.of(each))).toEqual([1, 0]);
	});
});
