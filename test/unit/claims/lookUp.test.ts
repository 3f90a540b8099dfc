import { lookUp } from '../../../nodes/OutboundCalls/claims/lookUp';
import { RunKeys } from '../../../nodes/OutboundCalls/claims/runKeys';
import { personKey, WORKERS } from '../../../nodes/OutboundCalls/domain/memoryKeys';
import { HostStore } from './hostStore';

const people = (from: number, to: number): string[] =>
	Array.from({ length: to - from }, (_, n) => personKey(`+4915${from + n}`));

/** A list of so many people. */
function remembering(size: number): HostStore {
	const store = new HostStore();
	store.keys = people(0, size);
	return store;
}

describe('a dry run asks whom the memory knows', () => {
	it.each([1, 40, 1_000])('and leaves nothing in a list of %d', async (size) => {
		const store = remembering(size);
		const before = [...store.keys];
		const found = await lookUp(store.open(), new Set(people(size - 1, size + 2)), undefined);
		expect(found.kind === 'known' && people(size - 1, size + 2).map(found.has)).toEqual([
			true,
			false,
			false,
		]);
		expect(store.keys).toEqual(before);
	});

	it.each(['before', 'after'] as const)(
		'and leaves nobody of whom it knew none, nor takes its list for a cluster’s, whichever of its writes is lost (%s it is made)',
		async (lost) => {
			for (let broken = 1, isOver = false; !isOver; broken++) {
				const store = remembering(10);
				let write = 0;
				store.breaks = () => (++write === broken ? lost : undefined);
				const wanted = new Set(people(10, 3_300));
				isOver = await lookUp(store.open(), wanted, undefined).then(
					() => true,
					() => false,
				);
				expect(isOver || broken < 20).toBe(true);
				store.breaks = () => undefined;
				const found = await lookUp(store.open(), wanted, undefined);
				expect(found.kind === 'known' && people(10, 3_300).filter(found.has)).toEqual([]);
				expect(store.keys).toEqual(people(0, 10));
			}
		},
	);

	it('a few at a time, so that n8n can do something else in between: the more are remembered, the fewer', async () => {
		const most = async (size: number, wanted: number): Promise<number> => {
			const store = remembering(size);
			let asked = 0;
			store.breaks = () => {
				asked = Math.max(asked, store.asked.length);
				return undefined;
			};
			await lookUp(store.open(), new Set(people(size, size + wanted)), undefined);
			return asked;
		};
		const [few, many] = [await most(100, 3_200), await most(10_000, 950)];
		expect(few * (100 + few)).toBeLessThanOrEqual(10_000_000);
		expect(many * (10_000 + many)).toBeLessThanOrEqual(10_000_000);
		expect(many).toBeLessThan(few);
	});

	it('not where a worker has left its entry, and then it writes nothing but that question', async () => {
		const store = remembering(10);
		store.keys.push(WORKERS);
		const before = [...store.keys];
		expect(await lookUp(store.open(), new Set(people(0, 100)), undefined)).toEqual({
			kind: 'workers',
		});
		expect(store.asked).toEqual([WORKERS]);
		expect(store.keys).toEqual(before);
	});

	it('not in a worker', async () => {
		const store = remembering(10);
		const keys = new RunKeys(store.of('worker', { instanceSettings: { instanceType: 'worker' } }));
		expect(await lookUp(keys, new Set(people(0, 100)), undefined)).toEqual({ kind: 'workers' });
		expect(store.writes).toBe(0);
	});

	it('not where that would take too long, and then it writes nobody', async () => {
		const store = remembering(60_000);
		const before = store.keys.length;
		expect(await lookUp(store.open(), new Set(people(60_000, 90_000)), undefined)).toEqual({
			kind: 'tooLong',
		});
		expect(store.asked).toEqual([WORKERS]);
		expect(store.keys).toHaveLength(before);
	});

	it('no further when it is stopped', async () => {
		const stop = new AbortController();
		const store = remembering(100);
		store.breaks = () => {
			if (store.asked.length > 1) stop.abort();
			return undefined;
		};
		expect(await lookUp(store.open(), new Set(people(100, 3_300)), stop.signal)).toEqual({
			kind: 'stopped',
		});
		expect(store.keys).toHaveLength(100);
	});
});
