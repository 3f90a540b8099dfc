import fc from 'fast-check';
import { KeyList } from '../../../nodes/OutboundCalls/claims/keyList';
import { WORKERS } from '../../../nodes/OutboundCalls/domain/memoryKeys';
import { HostStore } from './hostStore';

const holder = { lose: () => undefined, share: () => undefined };

const take =
	(...keys: string[]) =>
	async () =>
		await Promise.resolve(keys);

/** Nothing is read back, or taken out in doubt. */
const only = (keys: readonly string[]) => ({ keys, again: () => [], guarded: [], ifUnclear: [] });

describe('taking keys out of a list', () => {
	const open = (...keys: string[]) => {
		const store = new HostStore();
		store.keys = keys;
		return { store, list: KeyList.open(store.of(), holder) };
	};

	it('resolves with how many of them were there, whoever entered them', async () => {
		const { store, list } = open('a', 'b', 'c');
		expect(await list.takeOut(store.of(), take('a', 'c', 'x'))).toBe(2);
		expect(store.keys).toEqual(['b']);
		expect(await list.takeOut(store.of(), take('a'))).toBe(0);
		list.close(holder);
	});

	it('does not count what was entered to look for them, and takes it out', async () => {
		const { store, list } = open('a', 'b');
		const gone = await list.takeOut(store.of(), async (turn) =>
			[...(await turn.enter(['a', 'x', 'y']))].concat('a'),
		);
		expect([gone, store.keys]).toEqual([1, ['b']]);
		list.close(holder);
	});

	it('when looking for them fails, what was entered for that goes, and they stay', async () => {
		const { store, list } = open('a');
		const failing = list.takeOut(store.of(), async (turn) => {
			await turn.enter(['x']);
			throw new Error('no idea');
		});
		await expect(failing).rejects.toThrow('no idea');
		await list.remove(store.of(), []);
		expect(store.keys).toEqual(['a']);
		list.close(holder);
	});

	it('a key that is entered again meanwhile is somebody else’s and stays', async () => {
		const { store, list } = open('a');
		const taken = list.takeOut(store.of(), take('a'));
		const entered = list.record(store.of(), only(['a']));
		expect(await taken).toBe(1);
		expect([...(await entered).fresh]).toEqual(['a']);
		expect(store.keys).toEqual(['a']);
		list.close(holder);
	});

	it('whatever breaks, what was told to be gone is gone, all others stay, and no more is counted than went', async () => {
		const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1 });
		const breaks = fc.array(
			fc.constantFrom<'before' | 'after' | undefined>(undefined, undefined, 'before', 'after'),
			{ maxLength: 6 },
		);
		await fc.assert(
			fc.asyncProperty(
				keys,
				fc.array(keys, { minLength: 1, maxLength: 4 }),
				breaks,
				async (before, wishes, broken) => {
					const { store, list } = open(...before);
					let write = 0;
					store.breaks = () => broken[write++];
					const counted = await Promise.allSettled(
						wishes.map(async (wish) => await list.takeOut(store.of(), take(...wish))),
					);
					store.breaks = () => undefined;
					await list.remove(store.of(), []);
					const gone = new Set<string>(
						wishes.filter((_wish, index) => counted[index]!.status === 'fulfilled').flat(),
					);
					const wanted = new Set<string>(wishes.flat());
					expect(store.keys.filter((key) => gone.has(key))).toEqual([]);
					// What was wanted in vain may be gone or not.
					expect(store.keys.filter((key) => !wanted.has(key))).toEqual(
						before.filter((key) => !wanted.has(key)),
					);
					const told = counted.reduce(
						(sum, each) => sum + (each.status === 'fulfilled' ? each.value : 0),
						0,
					);
					expect(told).toBeLessThanOrEqual(before.length - store.keys.length);
					list.close(holder);
				},
			),
			{ numRuns: 150 },
		);
	});
});

describe('a write that was made and said to be lost', () => {
	/** The write of a main process, during which a worker enters a key of its own. */
	const lostWrite = async (before: string[], keys: string[], ofWorker?: string) => {
		const store = new HostStore();
		store.keys = [...before];
		const list = KeyList.open(store.of(), holder);
		store.breaks = () => 'after';
		await expect(list.record(store.of(), only(keys))).rejects.toThrow('connection terminated');
		store.breaks = () => undefined;
		if (ofWorker !== undefined) store.keys.push(ofWorker);
		await list.remove(store.of(), []);
		list.close(holder);
		return store.keys;
	};

	it('leaves nothing behind where no worker writes the list', async () => {
		expect(await lostWrite(['called'], ['new', 'other'])).toEqual(['called']);
	});

	it('G8 leaves everybody in it who was called, where workers write the list and it has grown as if by that write', async () => {
		expect(await lostWrite([WORKERS, 'called'], ['new', 'called'], 'worker’s')).toEqual([
			WORKERS,
			'called',
			'new',
			'worker’s',
		]);
	});

	it('G8 leaves them there, too, when asking for the workers was said to be lost as well', async () => {
		const store = new HostStore();
		store.keys = [WORKERS, 'called'];
		const list = KeyList.open(store.of(), holder);
		store.breaks = () => 'after';
		await expect(list.record(store.of(), only(['new', 'called']))).rejects.toThrow(
			'connection terminated',
		);
		store.keys.push('worker’s');
		await expect(list.remove(store.of(), [])).rejects.toThrow('connection terminated');
		store.breaks = () => undefined;
		await list.remove(store.of(), []);
		expect(store.keys).toEqual([WORKERS, 'called', 'new', 'worker’s']);
		list.close(holder);
	});
});

describe('what was learned of calls', () => {
	it('G8 is in the list before anybody asks for it, however often its write breaks off', async () => {
		const breaks = fc.array(
			fc.constantFrom<'before' | 'after' | undefined>('before', 'after', undefined),
			{ maxLength: 8 },
		);
		await fc.assert(
			fc.asyncProperty(breaks, async (broken) => {
				const store = new HostStore();
				store.keys = ['reached 1'];
				store.breaks = () => broken.shift();
				const list = KeyList.open(store.of(), holder);
				await list.note(store.of(), ['reached 1', 'reached 2', 'reached 3']).catch(() => undefined);
				list.close(holder);
				// The run that learned it has ended; another one asks.
				const next = KeyList.open(store.of(), holder);
				const asked = async () =>
					(await next.record(store.of(), only(['reached 1', 'reached 2', 'reached 3', 'x']))).fresh;
				let fresh = await asked().catch(() => undefined);
				for (let tries = 0; !fresh && tries < 9; tries++)
					fresh = await asked().catch(() => undefined);
				expect([...fresh!].filter((key) => key !== 'x')).toEqual([]);
				expect(store.keys).toEqual(expect.arrayContaining(['reached 1', 'reached 2', 'reached 3']));
				next.close(holder);
				expect(next.isSettled).toBe(true);
			}),
			{ numRuns: 100, seed: 26 },
		);
	});
});

it('Forget Everybody empties a list whose writes are rejected, whatever was left to do before', async () => {
	const store = new HostStore();
	store.keys = ['called'];
	const list = KeyList.open(store.of(), holder);
	store.breaks = () => 'before';
	await expect(list.record(store.of(), only(['new']))).rejects.toThrow('connection refused');
	await expect(list.remove(store.of(), ['called'])).rejects.toThrow('connection refused');
	await expect(
		list.later(store.of(), holder, async (turn) => {
			await turn.enter(['counted']);
		}),
	).rejects.toThrow('connection refused');
	const emptied = async (): Promise<void> => {
		await Promise.resolve();
		store.keys = [];
	};
	expect(await list.clear({ ...store.of(), clear: emptied })).toBe(1);
	expect(list.isSettled).toBe(true);
	store.breaks = () => undefined;
	expect((await list.record(store.of(), only(['called']))).fresh).toEqual(new Set(['called']));
	expect(store.keys).toEqual(['called']);
	list.close(holder);
});
