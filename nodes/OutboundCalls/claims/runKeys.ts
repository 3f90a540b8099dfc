/**
 * What one run holds in the list of keys.
 *
 * A key of the run is, once `record` has named it as fresh:
 * - unconfirmed: another process, which had read the list before this one wrote it, may have swept it away. The next
 *   record of the run reads it back, and enters it again if it is gone;
 * - confirmed: it was seen in the list after it was entered. It can still be swept away, by a process that had read the list
 *   before that. So where several processes write, all keys are read back once more as the run ends;
 * - let go, by `forget`: the run holds it no more, and it is taken out as soon as the database can be used;
 * - shared: another run relies on it, too. It is taken out by neither, also if none of them has called anybody: one person too few;
 * - lost: somebody else took it out (Forget People). It may be another run's by now, so that this one does not take it out.
 * Keys that `turn` and `note` enter are no run's, and nobody reads them back.
 *
 * What is traded: reading back costs no write of its own but the last ones, and none where n8n is one process. When the process
 * dies, what was swept away and not read back since is gone, also if it had been confirmed, and its person can be called again.
 * Two processes that ask for a key at the same moment may both be told that it is fresh, even if none dies. Both can only happen
 * where several processes write one list.
 */
import { WORKERS } from '../domain/memoryKeys';
import type { KeyStore } from '../execution/keyStore';
import { type KeyHolder, KeyList, type Turn } from './keyList';

/** Keys that are swept away every time are given up after so many writes at the end of a run. */
const CONFIRMATIONS = 3;

/** Another process was seen to write a list. */
let othersWrite = false;

/** Keys without which a run must not enter anything. */
interface Guarded {
	keys: readonly string[];
	/** Thrown when one of them is gone. */
	swept: Error;
	/** Thrown when the whole list was emptied by this package. */
	cleared: Error;
	/** What the run had lost by then. */
	since: number;
}

export class RunKeys implements KeyHolder {
	private readonly list: KeyList;
	private readonly entered = new Set<string>();
	private readonly unconfirmed = new Set<string>();
	/** If this is a worker, it has left its entry. */
	private hasTold = false;
	private guarded: Guarded | undefined;
	private readonly watched = new Set<string>();
	/** How often somebody else took out keys of this run. */
	losses = 0;
	private readonly lostAt = new Map<string, number>();
	private allLostAt = 0;

	/** To be closed when the run ends. */
	constructor(private readonly store: KeyStore) {
		this.list = KeyList.open(store, this);
	}

	lose(keys: readonly string[] | 'all'): void {
		this.losses++;
		if (keys === 'all') {
			this.allLostAt = this.losses;
			this.entered.clear();
			this.unconfirmed.clear();
			return;
		}
		for (const key of keys) {
			this.unconfirmed.delete(key);
			if (this.entered.delete(key) || this.watched.has(key)) this.lostAt.set(key, this.losses);
		}
	}

	/** Whether somebody else took out a key since there were so many losses: one that the run has entered, or watches. */
	isLost(key: string, since: number): boolean {
		return this.allLostAt > since || (this.lostAt.get(key) ?? 0) > since;
	}

	share(keys: readonly string[]): void {
		for (const key of keys) this.entered.delete(key);
	}

	/** A key that the run relies on without having entered it. */
	watch(key: string): void {
		this.watched.add(key);
	}

	/** As `watch`, of keys that another run may have entered, and is not to take out. */
	rely(keys: readonly string[]): void {
		for (const key of keys) this.watch(key);
		this.list.rely(this, keys);
	}

	/** Other processes may write the list, too. */
	get isShared(): boolean {
		return this.store.isShared;
	}

	/** Whether the run has entered the key, and not let it go. */
	has(key: string): boolean {
		return this.entered.has(key);
	}

	/** Enters keys, and resolves with those that nobody else had entered before. Rejects when the database cannot be used: then none of them is this run's; those of `ifUnclear` are taken out, if nobody knows whether they were entered. */
	async record(keys: readonly string[], ifUnclear: readonly string[] = []): Promise<Set<string>> {
		this.checkGuard();
		let seen: string[] = [];
		const guarded = this.guarded?.keys ?? [];
		const { fresh, swept } = await this.list.record(this.store, {
			keys: [...keys, ...this.untold],
			again: () => (seen = [...guarded, ...this.unconfirmed]),
			guarded,
			ifUnclear,
		});
		if (this.guarded?.keys.some((key) => swept.has(key))) {
			await this.list.remove(this.store, [...this.guarded.keys, ...fresh]).catch(() => undefined);
			throw this.guarded.swept;
		}
		this.hasTold = true;
		fresh.delete(WORKERS);
		othersWrite ||= swept.size > 0;
		for (const key of seen) if (!swept.has(key)) this.unconfirmed.delete(key);
		for (const key of fresh) {
			this.entered.add(key);
			this.unconfirmed.add(key);
		}
		return fresh;
	}

	/** From now on these keys are read back with each record. When one is gone, nothing is entered any more, and `record` rejects. */
	guard(guarded: Omit<Guarded, 'since'>): void {
		this.guarded = { ...guarded, since: this.losses };
	}

	/** A worker says once that it writes the list. */
	private get untold(): string[] {
		return this.store.isShared && !this.hasTold ? [WORKERS] : [];
	}

	private checkGuard(): void {
		if (this.guarded && this.allLostAt > this.guarded.since) throw this.guarded.cleared;
	}

	/** Which of the keys are not in the list. Nothing is entered. Rejects when the database cannot be used; then those of `ifUnclear` are taken out, if nobody knows whether they were entered. */
	async missing(keys: readonly string[], ifUnclear: readonly string[] = []): Promise<Set<string>> {
		return await this.list.missing(this.store, keys, ifUnclear);
	}

	/** Lets keys go, as far as this run entered them. Never rejects: what could not be taken out is tried again. */
	async forget(keys: readonly string[]): Promise<void> {
		const own = keys.filter((key) => this.entered.delete(key));
		for (const key of own) this.unconfirmed.delete(key);
		if (own.length > 0) await this.list.remove(this.store, own).catch(() => undefined);
	}

	/** Enters what was learned, which is nobody's. Where the database cannot be used, it is tried again. Rejects when the list was emptied by this package. */
	async note(keys: readonly string[]): Promise<void> {
		this.checkGuard();
		await this.list.note(this.store, [...this.untold, ...keys]).catch(() => undefined);
	}

	/** Does something with the list as one step; what is entered is nobody's. In place of what was asked for before in this way. Never rejects: where the database cannot be used, it is tried again, also by other runs. */
	async later(work: (turn: Turn) => Promise<void>): Promise<void> {
		await this.list.later(this.store, this, work).catch(() => undefined);
	}

	/** Takes the keys out that `find` names, whoever entered them, as one step. Resolves with how many were there. Rejects when the database cannot be used. */
	async takeOut(find: (turn: Turn) => Promise<readonly string[]>): Promise<number> {
		return await this.list.takeOut(this.store, find);
	}

	/** Takes out all keys, those of other runs too. Resolves with how many there were. Rejects when the database cannot be used. */
	async clear(): Promise<number> {
		return await this.list.clear(this.store);
	}

	/** Reads and writes the list as one step; what is entered is nobody's. Rejects when the database cannot be used: then nothing stays that the step has entered. */
	async turn<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
		return await this.list.turn(this.store, async (list) => {
			this.checkGuard();
			const guarded = this.guarded?.keys ?? [];
			const enter = async (keys: readonly string[]): Promise<Set<string>> => {
				const fresh = await list.enter([...guarded, ...this.untold, ...keys], guarded);
				if (guarded.some((key) => fresh.has(key))) throw this.guarded!.swept;
				this.hasTold = true;
				return fresh;
			};
			return await work({ ...list, enter });
		});
	}

	/** How many keys there are, of all runs. Rejects when the database cannot be used. */
	async count(): Promise<number> {
		return await this.list.count(this.store);
	}

	/** Nothing more is entered for now: enters again what another process swept away, and tries again what could not be taken out or noted. Never rejects. */
	async settle(): Promise<void> {
		if (othersWrite || this.store.isShared) await this.confirm().catch(() => undefined);
		await this.list.remove(this.store, []).catch(() => undefined);
	}

	/** Nothing is left to take out that this run, or another one, let go, or to enter that one has learned. */
	get isSettled(): boolean {
		return this.list.isSettled;
	}

	/** The run is told no more of what others do. After `settle`. */
	leave(): void {
		this.list.close(this);
	}

	/** At the end of a run. Never rejects. */
	async close(): Promise<void> {
		await this.settle();
		this.leave();
	}

	private async confirm(): Promise<void> {
		for (const key of this.entered) this.unconfirmed.add(key);
		for (let tries = 0; tries < CONFIRMATIONS && this.unconfirmed.size > 0; tries++)
			await this.record([]);
	}
}
