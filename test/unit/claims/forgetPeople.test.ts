import { Counts } from '../../../nodes/OutboundCalls/claims/counts';
import { forgetPeople } from '../../../nodes/OutboundCalls/claims/forgetPeople';
import type { RunKeys } from '../../../nodes/OutboundCalls/claims/runKeys';
import { limitsAt } from '../../../nodes/OutboundCalls/domain/callLimits';
import { chosenKey, personKey } from '../../../nodes/OutboundCalls/domain/memoryKeys';
import { HostStore } from './hostStore';

const ZONE = 'America/New_York';
const NOW = Date.UTC(2026, 10, 23, 12);
const number = (n: number): string => `+1555${1_000_000 + n}`;
const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => number(n));
const whom = (people: string[], keys: string[] = []) => ({
	people: new Set(people),
	keys: new Set(keys),
	taken: 0,
	unread: 0,
});
const forget = async (
	keys: RunKeys,
	people: string[],
	named: string[] = [],
	signal?: AbortSignal,
) => await forgetPeople(keys, whom(people, named), ZONE, NOW, signal);

const remembering = (people: string[]): HostStore => {
	const store = new HostStore();
	store.keys = people.map(personKey);
	return store;
};

it('G8 a person costs few searches of the list, with limits too', async () => {
	const store = remembering(numbers(200));
	await forget(store.open(), [number(0)]);
	expect(store.searches).toBeLessThanOrEqual(40);

	const keys = store.open();
	const perPerson = [
		{ calls: 1, per: 'day' as const },
		{ calls: 3, per: 'ever' as const },
	];
	const limits = limitsAt({ perPerson, perDay: undefined, stopWhenReached: true, zone: ZONE }, NOW);
	await new Counts(keys).take(() => [limits.countedFor(number(1))]);
	store.searches = 0;
	await forget(keys, [number(1)]);
	expect(store.searches).toBeLessThanOrEqual(60);
	expect(store.keys.filter((key) => key.includes(number(1)))).toEqual([]);
});

it('many people are forgotten in slices, between which others write', async () => {
	const store = remembering(numbers(400));
	const other = store.open();
	const forgetting = forget(store.open(), numbers(300));
	const entered: string[] = [];
	while (store.keys.length > 110) {
		const key = chosenKey(`meanwhile ${entered.length}`);
		if ((await other.record([key])).has(key)) entered.push(key);
	}
	expect(await forgetting).toEqual({ entries: 300, isStopped: false });
	expect(store.keys.sort()).toEqual([...numbers(400).slice(300).map(personKey), ...entered].sort());
});

it('a key is forgotten when it is given, and counts as one', async () => {
	const store = remembering([number(1)]);
	store.keys.push(chosenKey('spring-1'), chosenKey('spring-2'));
	expect(await forget(store.open(), [], ['spring-1', 'spring-9'])).toEqual({
		entries: 1,
		isStopped: false,
	});
	expect(store.keys).toEqual([personKey(number(1)), chosenKey('spring-2')]);
});

it('G10 a stop ends it between two slices, and says so', async () => {
	const store = remembering(numbers(20_000));
	const stop = new AbortController();
	store.breaks = () => {
		stop.abort();
		return undefined;
	};
	const { entries, isStopped } = await forget(store.open(), numbers(20_000), [], stop.signal);
	expect(isStopped).toBe(true);
	expect(entries).toBeGreaterThan(0);
	expect(store.keys).toHaveLength(20_000 - entries);
});

it.each(['before', 'after'] as const)(
	'a database that fails %s a write: it rejects, and the next time nothing is left',
	async (when) => {
		for (const failing of [1, 2]) {
			const store = remembering([number(1), number(2)]);
			const keys = store.open();
			let write = 0;
			store.breaks = () => (++write === failing ? when : undefined);
			await expect(forget(keys, [number(1)])).rejects.toThrow('connection');
			await forget(keys, [number(1)]);
			await keys.close();
			expect(store.keys).toEqual([personKey(number(2))]);
		}
	},
);

it('a list that is empty is not written', async () => {
	const store = new HostStore();
	expect(await forget(store.open(), numbers(3))).toEqual({ entries: 0, isStopped: false });
	expect(store.writes).toBe(0);
});
