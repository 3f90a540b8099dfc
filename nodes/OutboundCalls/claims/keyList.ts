/**
 * One list of keys in the host's database, and the only writer of it in this process.
 *
 * The host reads, changes and writes the whole list without a lock (n8n behaviour), so two writers would lose entries, and
 * each write costs more the longer the list is. So it is written once at a time, and what waits meanwhile, of all
 * executions, goes into the next write. The list is one row of the database: a write is made whole, or not at all. Exact within
 * one process, unless another node of the workflow writes the list, too (Remove Duplicates, with the workflow's scope); across
 * processes an entry can be swept away, which reading it back finds (`again`).
 *
 * A key is, as far as this process knows:
 * - free: nobody asked for it;
 * - entered: `record` named it as fresh to the one run that asked first; or `turn` did, and then it is nobody's;
 * - owed: a run let go of it. It is taken out before anything else is entered, however often that takes, by whichever run
 *   writes next. So nobody is given a key of which nobody knows whether it is still there;
 * - due: what was learned, which must not be forgotten (`note`). It is entered before anybody else learns what the list has, by
 *   whichever run asks next. Then it is nobody's;
 * - late: a run has something to do with it (`later`), which needs a look at the list. It is done before anything else is asked
 *   for, by whichever run asks next;
 * - in doubt: the host rejected the write that was to enter it, which may have been made all the same. Before the next write
 *   the list is counted. If it grew by exactly the keys of that write, the write entered all of them, and they are owed. If it did
 *   not grow, nothing was entered. Otherwise some may have been there before it, and all stay but the marks of the gate
 *   (`ifUnclear`): better one person too few than one called twice. The number proves nothing where somebody else writes the
 *   list, so workers never go by it, and a process that is none asks first for the entry that workers leave (`WORKERS`).
 *
 * The host cannot be asked for a key without entering it (n8n behaviour). `missing` takes out again what it entered, as one step
 * that no other execution of this process sees.
 *
 * Forget People takes keys out whoever entered them. Every run that has the list open is told, so that it neither relies on them nor
 * takes them out once more, when they may be another run's.
 *
 * What is traded: when the process dies, entered keys stay, and nobody remembers what was owed, due, late or in doubt: such a key stays if
 * the database still has it, and then counts as entered.
 * If it dies while it asks for the workers, or that write is reported as lost, too, their entry may stay: then
 * writes in doubt are not cleared up in this list any more, and dry runs do not ask it (`lookUp.ts`).
 */
import { WORKERS } from '../domain/memoryKeys';
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
	guarded: readonly string[];
	ifUnclear: readonly string[];
}

/** What one may do to a list while nobody else writes it. */
export interface Turn {
	/** Enters keys; resolves with those that were not there before. `guarded`: as in `record`. */
	enter(keys: readonly string[], guarded?: readonly string[]): Promise<Set<string>>;
	/** Takes keys out, whoever entered them, if they are there. */
	takeOut(keys: readonly string[]): Promise<void>;
}

type Work<T> = (turn: Turn) => Promise<T>;

/** Something during which nobody else writes. */
interface StepWish extends Wish<void> {
	step: () => Promise<void>;
	/** Whatever was owed, due, late or in doubt before. */
	isAnew: boolean;
}

/** A write that the host rejected, and that may have been made all the same. */
interface Doubt {
	keys: readonly string[];
	sizeBefore: number;
	/** Taken out where nobody knows which of the keys it entered. */
	ifUnclear: readonly string[];
	/** Taken out where the list has another length than this write can have given it: somebody else has changed it meanwhile. */
	ifChanged: readonly string[];
}

/** The host compares each key that it takes out with each one in its list, and answers nobody meanwhile: so many take about a tenth of a second. */
const COMPARISONS = 10_000_000;
/** With so many keys, taking out takes about as long as writing the list. */
const REMOVED_AT_ONCE = 100;

/** A run that has a list open. */
export interface KeyHolder {
	/** Keys were taken out, whoever entered them: those, or all. */
	lose(keys: readonly string[] | 'all'): void;
	/** Another run relies on keys, too: whoever entered them takes them out no more. */
	share(keys: readonly string[]): void;
}

export class KeyList {
	private static readonly lists = new Map<string, KeyList>();

	private readonly holders = new Set<KeyHolder>();
	private waiting: Array<RecordWish | StepWish> = [];
	private isWriting = false;
	private readonly owed = new Set<string>();
	private readonly due = new Set<string>();
	private readonly late = new Map<KeyHolder, Work<void>>();
	/** Runs that have closed the list, and have something to do with it that is late: they are told what others take out until then. */
	private readonly leaving = new Set<KeyHolder>();
	private doubt: Doubt | undefined;
	/** Keys in the list; undefined when nobody knows. */
	private size: number | undefined;

	private constructor(private readonly id: string) {}

	/** The list of a store, the same for all executions of this process, until the last of them has closed it and it is settled. */
	static open({ id }: KeyStore, holder: KeyHolder): KeyList {
		const list = KeyList.lists.get(id) ?? new KeyList(id);
		KeyList.lists.set(id, list);
		list.holders.add(holder);
		return list;
	}

	/** To be called once by each run that opened it. */
	close(holder: KeyHolder): void {
		if (this.late.has(holder)) this.leaving.add(holder);
		else this.holders.delete(holder);
		if (this.holders.size === 0 && this.isSettled && KeyList.lists.get(this.id) === this)
			KeyList.lists.delete(this.id);
	}

	/** A run relies on keys that it has found in the list. Those that are about to be taken out are lost to it. */
	rely(holder: KeyHolder, keys: readonly string[]): void {
		for (const other of this.holders) if (other !== holder) other.share(keys);
		holder.lose(keys.filter((key) => this.owed.has(key)));
	}

	/** Nothing is owed, due, late or in doubt. */
	get isSettled(): boolean {
		return this.owed.size + this.due.size + this.late.size === 0 && this.doubt === undefined;
	}

	/** Enters keys. `again`: keys that the run entered before, asked for as the write begins; it learns whether they are still there. `guarded`: those of `again` that nobody may find there if somebody else took them out. `ifUnclear`: those of `keys` that are taken out where nobody knows whether the write was made. Rejects when the database cannot be used. */
	async record(
		store: KeyStore,
		wanted: Pick<RecordWish, 'keys' | 'again' | 'guarded' | 'ifUnclear'>,
	): Promise<Recorded> {
		return await new Promise((resolve, reject) => this.ask({ store, ...wanted, resolve, reject }));
	}

	/** Takes out keys that the run entered. Rejects when the database cannot be used; they are owed then. */
	async remove(store: KeyStore, keys: readonly string[]): Promise<void> {
		for (const key of keys) this.owed.add(key);
		await this.catchUp(store);
	}

	/** Enters keys that are nobody's, and must not be forgotten. Rejects when the database cannot be used; they are due then. */
	async note(store: KeyStore, keys: readonly string[]): Promise<void> {
		for (const key of keys) this.due.add(key);
		await this.catchUp(store);
	}

	/** Something that has to be done, in place of what the run has asked for before in this way. Rejects when the database cannot be used; it is late then. */
	async later(store: KeyStore, holder: KeyHolder, work: Work<void>): Promise<void> {
		this.late.set(holder, work);
		await this.catchUp(store);
	}

	/** How many keys there are, of all runs. Rejects when the database cannot be used. */
	async count(store: KeyStore): Promise<number> {
		let size = 0;
		await this.step(store, async () => void (this.size = size = await store.count()));
		return size;
	}

	/** Which of the keys are not in the list. Rejects when the database cannot be used. `ifUnclear`: taken out where nobody knows whether the write was made. */
	async missing(
		store: KeyStore,
		keys: readonly string[],
		ifUnclear: readonly string[] = [],
	): Promise<Set<string>> {
		let missing = new Set<string>();
		await this.step(store, async () => {
			missing = await this.enter(store, keys, [], { ifUnclear });
			for (const key of missing) this.owed.add(key);
			await this.settle(store);
		});
		return missing;
	}

	/** Takes the keys out that `find` names, whoever entered them, as one step. Resolves with how many were there. Rejects when the database cannot be used; those that were named are owed then. */
	async takeOut(store: KeyStore, find: Work<readonly string[]>): Promise<number> {
		return await this.turn(store, async (turn) => {
			const before = (this.size = await store.count());
			const keys = await find(turn);
			for (const holder of this.holders) holder.lose(keys);
			for (const key of keys) this.due.delete(key);
			await turn.takeOut(keys);
			this.size = await store.count();
			return Math.max(0, before - this.size);
		});
	}

	/** Takes all keys out, those of other runs too. Resolves with how many there were. Rejects when the database cannot be used. */
	async clear(store: KeyStore): Promise<number> {
		let gone = 0;
		const clear = async (): Promise<void> => {
			gone = await store.count();
			this.size = undefined;
			for (const holder of this.holders) holder.lose('all');
			this.due.clear();
			await store.clear();
			this.owed.clear();
			this.doubt = undefined;
			for (const holder of this.late.keys()) this.isDone(holder);
		};
		await this.step(store, clear, true);
		return gone;
	}

	/** Reads and writes as one step that no other execution of this process sees. When it rejects, what it entered is taken out again. */
	async turn<T>(store: KeyStore, work: Work<T>): Promise<T> {
		let result: T | undefined;
		await this.step(store, async () => void (result = await this.inTurn(store, work)));
		return result as T;
	}

	private async inTurn<T>(store: KeyStore, work: Work<T>): Promise<T> {
		const entered = new Set<string>();
		const turn: Turn = {
			enter: async (keys, guarded = []) => {
				const fresh = await this.enter(store, keys, [], { ifChanged: guarded });
				for (const key of fresh) entered.add(key);
				return new Set(fresh);
			},
			takeOut: async (keys) => {
				for (const key of keys) {
					this.owed.add(key);
					entered.delete(key);
				}
				await this.settle(store);
				// Some of them may not have been there.
				if (keys.length > 0) this.size = undefined;
			},
		};
		let isDone = false;
		try {
			const result = await work(turn);
			isDone = true;
			return result;
		} finally {
			if (!isDone) for (const key of entered) this.owed.add(key);
		}
	}

	/** What is owed is taken out, what is late is done, and what is due is entered, before each step. */
	private async catchUp(store: KeyStore): Promise<void> {
		if (!this.isSettled) await this.step(store, async () => await Promise.resolve());
	}

	private async step(store: KeyStore, step: () => Promise<void>, isAnew = false): Promise<void> {
		await new Promise<void>((resolve, reject) =>
			this.ask({ store, step, isAnew, resolve, reject }),
		);
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
				const { step, isAnew } = first;
				this.waiting.shift();
				await this.answer([first], async () => [await step()], isAnew);
			} else {
				const together = this.waiting.filter((wish) => 'keys' in wish);
				this.waiting = this.waiting.filter((wish) => 'step' in wish);
				await this.answer(together, async () => await this.recordAll(together));
			}
		}
		this.isWriting = false;
	}

	private async answer<T>(
		wishes: ReadonlyArray<Wish<T>>,
		work: () => Promise<readonly T[]>,
		isAnew = false,
	): Promise<void> {
		try {
			const { store } = wishes[0]!;
			if (!isAnew) {
				await this.settle(store);
				await this.doLate(store);
				await this.enterDue(store);
			}
			const answers = await work();
			wishes.forEach(({ resolve }, index) => resolve(answers[index]!));
		} catch (thrown) {
			for (const { reject } of wishes) reject(thrown);
		}
	}

	/** Takes out what is owed. */
	private async settle(store: KeyStore): Promise<void> {
		if (this.doubt) {
			const { keys, sizeBefore, ifUnclear, ifChanged } = this.doubt;
			this.size = await store.count();
			const grown = this.size - sizeBefore;
			// Workers enter that key with those of people, if there are any new ones: alone, it is what this process has asked for (`lookUp.ts`).
			const isAlone = (grown === 1 && keys.join() === WORKERS) || !(await this.hasWorkers(store));
			const isClear = isAlone && (grown === 0 || grown === keys.length);
			const isChanged = isAlone && (grown < 0 || grown > keys.length);
			if (isChanged) for (const key of ifChanged) this.owed.add(key);
			if (!isClear) for (const key of ifUnclear) this.owed.add(key);
			else if (grown > 0) for (const key of keys) this.owed.add(key);
			this.doubt = undefined;
		}
		while (this.owed.size > 0) {
			const { size } = this;
			const keys = [...this.owed].slice(0, removedAtOnce(size));
			// Unknown as long as nobody has answered.
			this.size = undefined;
			await store.remove(keys);
			for (const key of keys) this.owed.delete(key);
			if (size !== undefined) this.size = size - keys.length;
		}
	}

	private async doLate(store: KeyStore): Promise<void> {
		for (const [holder, work] of this.late) {
			await this.inTurn(store, work);
			// Meanwhile it may have asked for something else.
			if (this.late.get(holder) === work) this.isDone(holder);
		}
	}

	private isDone(holder: KeyHolder): void {
		this.late.delete(holder);
		if (this.leaving.delete(holder)) this.holders.delete(holder);
	}

	private async enterDue(store: KeyStore): Promise<void> {
		const keys = [...this.due];
		if (keys.length === 0) return;
		await this.enter(store, keys, []);
		for (const key of keys) this.due.delete(key);
	}

	/** Whether workers write the list, too: then how it has grown says nothing. What is entered to ask for that is owed. To be called when the list was counted. */
	private async hasWorkers(store: KeyStore): Promise<boolean> {
		if (store.isShared) return true;
		// It changes nothing: as long as writes are rejected, theirs must not be entered.
		await store.remove([]);
		if (!(await store.record([WORKERS])).has(WORKERS)) return true;
		this.owed.add(WORKERS);
		this.size!++;
		return false;
	}

	/** A key that two ask for belongs to the one who asked first. */
	private async recordAll(together: readonly RecordWish[]): Promise<Recorded[]> {
		const again = together.map((wish) => [...wish.again()]);
		const fresh = await this.enter(
			together[0]!.store,
			together.flatMap(({ keys }) => keys),
			again.flat(),
			{
				ifChanged: together.flatMap(({ guarded }) => guarded),
				ifUnclear: together.flatMap(({ ifUnclear }) => ifUnclear),
			},
		);
		const swept = again.map((keys) => new Set(keys.filter((key) => fresh.has(key))));
		// Whoever entered a key holds it, also when it was swept away.
		for (const key of again.flat()) fresh.delete(key);
		return together.map(({ keys }, index) => ({
			fresh: new Set(keys.filter((key) => fresh.delete(key))),
			swept: swept[index]!,
		}));
	}

	/** One write. `before`: keys that were entered before. Resolves with those that were not in the list. */
	private async enter(
		store: KeyStore,
		keys: readonly string[],
		before: readonly string[],
		{ ifUnclear = [], ifChanged = [] }: Partial<Pick<Doubt, 'ifUnclear' | 'ifChanged'>> = {},
	): Promise<Set<string>> {
		const sizeBefore = (this.size ??= await store.count());
		const again = new Set(before);
		const asked = new Set(keys.filter((key) => !again.has(key)));
		this.size = undefined;
		this.doubt = { keys: [...asked], sizeBefore, ifUnclear, ifChanged };
		const fresh = await store.record([...again, ...asked]);
		this.doubt = undefined;
		this.size = sizeBefore + fresh.size;
		return fresh;
	}
}

/** So many keys are taken out in one write. */
export const removedAtOnce = (size = 0): number => Math.max(REMOVED_AT_ONCE, keysInSlice(size));

/** So many keys can be entered and taken out again within COMPARISONS, at least one. */
export const keysInSlice = (size: number): number =>
	Math.max(1, Math.floor((Math.sqrt(size * size + 4 * COMPARISONS) - size) / 2));
