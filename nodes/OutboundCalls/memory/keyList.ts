/**
 * The workflow's list of keys in n8n's database. Whoever enters a key first owns it.
 *
 * The host reads, changes and writes the whole list at each call, without a lock, so all executions
 * take turns: those of this process in a queue, and the processes by a `ListLock`. It cannot be asked
 * for a key without entering it. If the process is killed between entering and removing, the key
 * stays.
 */
import { type Clock, systemClock, untilAborted } from '../execution/clock';
import type { KeyStore } from '../execution/keyStore';
import { ListLock } from './listLock';

/** What may be done to a list while nobody else writes it. */
export interface Turn {
	/** One write; resolves with the keys that were new. Rejects if the database does. */
	enter(keys: readonly string[]): Promise<Set<string>>;
	/** Rejects if the database rejects twice. */
	remove(keys: readonly string[]): Promise<void>;
}

/** By list; no entry if nobody uses it. */
const locks = new Map<string, ListLock>();

/** The host searches its whole list for each key that it removes, at about 1.4 ns per entry. */
const COMPARISONS_PER_SLICE = 50_000_000;
/** Removing so few takes less time than writing the list. */
const SMALLEST_SLICE = 100;

/** One run uses the list through it. */
export class KeyList {
	private counted: Promise<number> | undefined;
	private entered = 0;

	constructor(
		private readonly store: KeyStore,
		private readonly signal?: AbortSignal,
		private readonly clock: Clock = systemClock,
	) {}

	/** Several reads and writes that nobody interleaves. Rejects if `signal` is aborted before. */
	async step<T>(work: (turn: Turn) => Promise<T>, signal = this.signal): Promise<T> {
		const { id, lock: list } = this.store;
		const lock = locks.get(id) ?? new ListLock(this.clock);
		const { last } = lock;
		const result = (async () => {
			await untilAborted(last, signal);
			signal?.throwIfAborted();
			await lock.take(list, signal);
			return await work(this.turn(lock));
		})();
		const over = Promise.allSettled([last, result]).then(async () => {
			if (lock.last === over) await lock.giveBack();
			if (lock.last === over) locks.delete(id);
		});
		lock.last = over;
		locks.set(id, lock);
		return await result;
	}

	async enter(keys: readonly string[]) {
		return await this.step((turn) => turn.enter(keys));
	}

	/** Also after a Stop: whoever stays entered is not called. */
	async remove(keys: readonly string[]) {
		if (keys.length === 0) return;
		await this.step((turn) => turn.remove(keys), new AbortController().signal);
	}

	/** Which keys are taken. Rejects if the database does, and if the run is stopped. */
	async ask(keys: readonly string[]) {
		const taken = new Set(keys);
		for (const slice of await this.inSlices(keys))
			await this.step(async (turn) => {
				const free = await turn.enter(slice);
				for (const key of free) taken.delete(key);
				await turn.remove([...free]);
			});
		return taken;
	}

	/** About how many keys there are: counted once, plus what this run has entered. */
	async size() {
		return (await (this.counted ??= this.store.count())) + this.entered;
	}

	/** Forgets everybody, marks included; resolves with how many there were. */
	async clear() {
		return await this.step(async () => {
			const before = await this.store.count();
			await this.store.clear();
			return before;
		});
	}

	private turn(lock: ListLock): Turn {
		const { store } = this;
		return {
			enter: async (keys) => {
				if (keys.length === 0) return new Set();
				await lock.keep();
				const fresh = await store.record(keys);
				this.entered += fresh.size;
				return fresh;
			},
			remove: async (keys) => {
				for (const slice of await this.inSlices(keys)) {
					await lock.keep();
					await store.remove(slice).catch(() => store.remove(slice));
				}
			},
		};
	}

	private async inSlices(keys: readonly string[]) {
		let length = SMALLEST_SLICE;
		if (keys.length > length) {
			// The keys themselves may be in the list, too.
			const searched = (await (this.counted ??= this.store.count())) + 5_000;
			length = Math.max(length, Math.floor(COMPARISONS_PER_SLICE / searched));
		}
		const slices: string[][] = [];
		for (let from = 0; from < keys.length; from += length)
			slices.push(keys.slice(from, from + length));
		return slices;
	}
}
