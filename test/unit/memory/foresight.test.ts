import { askMemory, type Foresight } from '../../../nodes/OutboundCalls/memory/decide';
import { Claims } from '../../../nodes/OutboundCalls/memory/claims';
import { forgetPeople } from '../../../nodes/OutboundCalls/memory/forgetPeople';
import type { ClaimRow } from '../../../nodes/OutboundCalls/memory/keys';
import { HostList, MARK, rows, rowsFrom, settings } from './hostList';

const NOW = Date.UTC(2026, 10, 28, 12);

type More = Parameters<typeof settings>[0];

let host: HostList;

beforeEach(() => {
	host = new HostList();
	host.keys = [MARK];
});

const run = (more?: More) => new Claims(host.open(), settings(more), () => NOW);
const foresight = async (of: readonly ClaimRow[], more?: More): Promise<Foresight> =>
	(await askMemory(host.open(), settings(more), of, NOW))!;

describe('a dry run', () => {
	const daily = { calls: 2, per: 'day' as const };
	const ever = { calls: 3, per: 'ever' as const };
	const limited = { limits: { perPerson: [daily, ever], perDay: 7 } };

	it.each<[string, More]>([
		['Skip', {}],
		['Once for Each', { calledBefore: 'onceForEach' }],
		['Call Again with limits', { calledBefore: 'callAgain', ...limited }],
		['Once for Each with limits', { calledBefore: 'onceForEach', ...limited }],
		['Stop When Reached', { calledBefore: 'callAgain', limits: { stopWhenReached: true } }],
		['Hours Between Calls', { calledBefore: 'callAgain', limits: { hoursBetween: 3 } }],
		[
			'Hours Between Calls with limits',
			{ calledBefore: 'callAgain', limits: { ...limited.limits, hoursBetween: 3 } },
		],
	])('foresees what Live decides, and leaves the list as it was: %s', async (_, more) => {
		await run(more).claim(rows(['+1', '+2'], 'a'));
		await run(more).claim(rows(['+2'], 'b'));
		const asked = rows(['+1', '+2', '+3', '+4', '+5', '+6', '+7'], 'b');
		const before = [...host.keys];
		const seen = await foresight(asked, more);
		const foreseen = await seen.heldBack(asked);
		expect(host.keys).toEqual(before);
		const live = await run(more).claim(asked);
		expect(foreseen).toEqual(live);
		expect(asked.map((row) => seen.wasCalled(row))).toEqual([true, true, ...Array(5).fill(false)]);
	});
});

describe('Forget People', () => {
	const forget = async (people: string[], values: string[] = [], signal?: AbortSignal) =>
		await forgetPeople(host.open(signal), [{ people, values }], 'UTC', NOW);
	const all = {
		calledBefore: 'onceForEach' as const,
		limits: {
			perPerson: (['day', 'week', 'month', 'ever'] as const).map((per) => ({ calls: 100, per })),
			stopWhenReached: true,
		},
	};

	it('forgets calls of three days, with all limits and Hours Between Calls', async () => {
		const more = {
			calledBefore: 'callAgain' as const,
			limits: { ...all.limits, stopWhenReached: false, hoursBetween: 3, perDay: 9 },
		};
		for (const days of [99, 40, 0]) {
			const claims = new Claims(host.open(), settings(more), () => NOW - days * 86_400_000);
			await claims.claim(rows(['+1', '+2']));
			await claims.renew(rows(['+1', '+2']));
		}
		const own = host.keys.filter((key) => / \+1( |$)/.test(key)).length;
		expect(own).toBeGreaterThan(25);
		expect(await forget(['+1'])).toEqual({ removed: own, unknown: [] });
		expect(host.keys.filter((key) => / \+1( |$)/.test(key))).toEqual([]);
		expect(host.keys.filter((key) => / \+2( |$)/.test(key))).toHaveLength(own);
	});

	it('goes in slices through many people, and stops when the execution is stopped', async () => {
		const people = rowsFrom(0, 60);
		await run().claim(people);
		const persons = people.map(({ person }) => person);
		await expect(forget(persons, [], AbortSignal.abort())).rejects.toThrow('aborted');
		expect(await forget(persons)).toEqual({ removed: 60, unknown: [] });
		expect(host.keys).toEqual([MARK]);
	});
});
