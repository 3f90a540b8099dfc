/**
 * One list of keys in the host's database, and the only writer of it in this process.
 *
 * The host reads, changes and writes the whole list without a lock (n8n behaviour), so two writers would lose entries, and
 * each write costs the more the longer the list is. So it is written once at a time, and what waits meanwhile, of all
 * executions, goes into the next write. Exact within one process; across processes an entry can be swept away, which
 * reading it back finds (`again`).
 *
 * A key is, as far as this process knows:
 * - free: nobody asked for it;
 * - entered: `record` named it as fresh to the one run that asked first;
 * - owed: a run let go of it. It is taken out before anything else is entered, however often that takes, by whichever run
 *   writes next. So nobody is given a key of which nobody knows whether it is still there;
 * - in doubt: the write that was to enter it is said to be lost, and may have been made. If the list grew by exactly the
 *   keys of that write, the write entered all of them, and they are owed. Otherwise some may have been there before it, and
 *   all stay: rather is somebody not called than called twice.
 *
 * When the process dies, what was entered stays, and what is owed or in doubt is forgotten: it stays as the database has it.
 */
import type { KeyStore } from '../execution/keyStore';

/** What one of those who asked for a write learns of it. */
export interface Recorded {
	/** Keys that nobody had entered before. */
	fresh: Set<string>;
	/** Those of `again` that were gone, and are entered again. */
	swept: Set<string>;
}

interface Wish<T> {
	store: KeyStore;
	resolve: (answer: T) => void;
	reject: (thrown: unknown) => void;
}

interface RecordWish extends Wish<Recorded> {
	keys: readonly string[];
	again: () => Iterable<string>;
}

/** Something during which nobody else writes. */
interface StepWish extends Wish<void> {
	step: () => Promise<void>;
}

/** The host searches its whole list for each key that it takes out, and answers nobody meanwhile: with so many, about as long as it writes. */
const REMOVED_AT_ONCE = 100;

export class KeyList {
	private static readonly lists = new Map<string, KeyList>();

	private runs = 0;
	private waiting: Array<RecordWish | StepWish> = [];
	private isWriting = false;
	private readonly owed = new Set<string>();
	private doubt: { keys: readonly string[]; sizeBefore: number } | undefined;
	/** Keys in the list; undefined when nobody knows. */
	private size: number | undefined;

	private constructor(private readonly id: string) {}

	/** The list of a store, the same for all executions of this process, until the last of them has closed it and nothing is owed. */
	static open({ id }: KeyStore): KeyList {
		const list = KeyList.lists.get(id) ?? new KeyList(id);
		KeyList.lists.set(id, list);
		list.runs++;
		return list;
	}

	/** To be called once by each run that opened it. */
	close(): void {
		this.runs--;
		if (this.runs === 0 && this.isSettled) KeyList.lists.delete(this.id);
	}

	/** Nothing is owed or in doubt. */
	get isSettled(): boolean {
		return this.owed.size === 0 && this.doubt === undefined;
	}

	/** Enters keys. `again`: keys that the run entered before, asked for as the write begins; it learns whether they are still there. Rejects when the database cannot be used. */
	async record(store: KeyStore, keys: readonly string[], again: () => Iterable<string>): Promise<Recorded> {
		return await new Promise((resolve, reject) => this.ask({ store, keys, again, resolve, reject }));
	}

	/** Takes out keys that the run entered. Rejects when the database cannot be used; they are owed then. */
	async remove(store: KeyStore, keys: readonly string[]): Promise<void> {
		for (const key of keys) this.owed.add(key);
		// What is owed is taken out before each step.
		if (!this.isSettled) await this.step(store, async () => await Promise.resolve());
	}

	/** How many keys there are, of all runs. Rejects when the database cannot be used. */
	async count(store: KeyStore): Promise<number> {
		let size = 0;
		await this.step(store, async () => void (this.size = size = await store.count()));
		return size;
	}

	private async step(store: KeyStore, step: () => Promise<void>): Promise<void> {
		await new Promise<void>((resolve, reject) => this.ask({ store, step, resolve, reject }));
	}

	private ask(wish: RecordWish | StepWish): void {
		this.waiting.push(wish);
		if (!this.isWriting) void this.write();
	}

	private async write(): Promise<void> {
		this.isWriting = true;
		// What is asked for in the same moment goes together.
		await Promise.resolve();
		for (let [first] = this.waiting; first; [first] = this.waiting) {
			if ('step' in first) {
				const { step } = first;
				this.waiting.shift();
				await this.takeTurn([first], async () => [await step()]);
			} else {
				const together = this.waiting.filter((wish) => 'keys' in wish);
				this.waiting = this.waiting.filter((wish) => 'step' in wish);
				await this.takeTurn(together, async () => await this.recordAll(together));
			}
		}
		this.isWriting = false;
	}

	private async takeTurn<T>(wishes: ReadonlyArray<Wish<T>>, work: () => Promise<readonly T[]>): Promise<void> {
		try {
			await this.settle(wishes[0]!.store);
			const answers = await work();
			wishes.forEach(({ resolve }, index) => resolve(answers[index]!));
		} catch (thrown) {
			for (const { reject } of wishes) reject(thrown);
		}
	}

	/** Takes out what is owed. */
	private async settle(store: KeyStore): Promise<void> {
		if (this.doubt) {
			const { keys, sizeBefore } = this.doubt;
			this.size = await store.count();
			if (this.size === sizeBefore + keys.length) for (const key of keys) this.owed.add(key);
			this.doubt = undefined;
		}
		while (this.owed.size > 0) {
			const keys = [...this.owed].slice(0, REMOVED_AT_ONCE);
			const { size } = this;
			// Unknown as long as nobody has answered.
			this.size = undefined;
			await store.remove(keys);
			for (const key of keys) this.owed.delete(key);
			if (size !== undefined) this.size = size - keys.length;
		}
	}

	/** A key that two ask for belongs to the one who asked first. */
	private async recordAll(together: readonly RecordWish[]): Promise<Recorded[]> {
		const { store } = together[0]!;
		const sizeBefore = (this.size ??= await store.count());
		const again = together.map((wish) => [...wish.again()]);
		const entered = new Set(again.flat());
		const asked = new Set(together.flatMap(({ keys }) => keys.filter((key) => !entered.has(key))));
		this.size = undefined;
		this.doubt = store.isShared ? undefined : { keys: [...asked], sizeBefore };
		const fresh = await store.record([...entered, ...asked]);
		this.doubt = undefined;
		this.size = sizeBefore + fresh.size;
		const take = (wanted: readonly string[]): Set<string> => new Set(wanted.filter((key) => fresh.delete(key)));
		// Whoever entered a key holds it, also when it was swept away.
		const swept = again.map(take);
		return together.map(({ keys }, index) => ({ fresh: take(keys), swept: swept[index]! }));
	}
}
