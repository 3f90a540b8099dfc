/**
 * Claims rows for one run, before they are called. A row is claimed if all of its deciding keys are
 * free and each limit has a free place; otherwise what it took is given back. A claim is released
 * only if the call certainly was not placed. Claims of a killed process stay.
 */
import { limitsAt } from '../domain/limits';
import type { HeldBack } from '../domain/outcome';
import { systemClock } from '../execution/clock';
import { decide } from './decide';
import type { KeyList } from './keyList';
import { type ClaimRow, type MemorySettings, reachedKey, usesMemory } from './keys';
import { LiveGate } from './liveGate';

/** Answers to parallel requests arrive close together: a claim waits so long for the others. */
const TOGETHER_MS = 2;

/** What holds rows back, by position. */
export type Claim = Promise<ReadonlyMap<number, HeldBack>>;

/** Knows what one run holds of the list. */
export class Claims {
	/** Rows that wait for the same write. */
	private readonly waiting: ClaimRow[] = [];
	private nextClaim: Claim | undefined;
	/** The keys that rows own, by position. */
	private readonly owned = new Map<number, string[]>();
	private readonly gate: LiveGate;
	/** Names of limits of all people without a free place. */
	private readonly full = new Set<string>();
	/**
	 * What the database rejected in a write that no claim waits for; undefined if nothing. Whoever
	 * ends the run reads it.
	 */
	unwritten: unknown;

	constructor(
		private readonly list: KeyList,
		private readonly settings: MemorySettings,
		private readonly now: () => number = Date.now,
	) {
		this.gate = new LiveGate(settings);
	}

	/**
	 * About how many keys the list has; 0 if this run uses none, or if its rows are claimed at their
	 * turn however long the list is. Rejects if the database does.
	 */
	async size() {
		const isAtTurn = this.settings.limits.hoursBetween !== undefined;
		return this.usesList && !isAtTurn ? await this.list.size() : 0;
	}

	/**
	 * Claims rows of different people. Resolves with what holds rows back, by position, also those
	 * that waited for the same write: all others are claimed. Rejects with GateClosed before the
	 * first dry run, or if the database rejects a write, this one or an earlier one: then the run
	 * must end.
	 */
	async claim(rows: readonly ClaimRow[]): Claim {
		if (!this.usesList || rows.length === 0) return new Map();
		this.waiting.push(...rows);
		this.nextClaim ??= this.list.step(async (turn) => {
			await systemClock.sleep(TOGETHER_MS);
			const together = this.waiting.splice(0);
			this.nextClaim = undefined;
			if (this.unwritten !== undefined) throw this.unwritten as Error;
			const { settings, full } = this;
			const limits = limitsAt(settings.limits, this.now());
			const enter = (keys: readonly string[]) => this.gate.enter(turn, keys);
			const { heldBack, owned, spare } = await decide(together, settings, limits, full, enter);
			for (const [position, keys] of owned) this.owned.set(position, keys);
			await turn.remove(spare);
			return heldBack;
		});
		return await this.nextClaim;
	}

	/**
	 * Rows whose request leaves now, however long it waited: the hours between calls begin now.
	 * Never rejects (see `unwritten`).
	 */
	async renew(rows: readonly ClaimRow[]) {
		const { limits } = this.settings;
		if (limits.hoursBetween === undefined) return;
		const { gap } = limitsAt(limits, this.now());
		const wanted = rows.map(({ position, person }) => {
			const owned = this.owned.get(position) ?? [];
			return { owned, later: gap!.keys(person).filter((key) => !owned.includes(key)) };
		});
		const keys = wanted.flatMap(({ later }) => later);
		if (keys.length === 0) return;
		await this.write(async () => {
			const fresh = await this.list.enter(keys);
			for (const { owned, later } of wanted) owned.push(...later.filter((key) => fresh.has(key)));
		});
	}

	/** Rows that certainly were not placed. Never rejects (see `unwritten`). */
	async release(rows: readonly ClaimRow[]) {
		this.full.clear();
		const keys = rows.flatMap(({ position }) => this.owned.get(position) ?? []);
		for (const { position } of rows) this.owned.delete(position);
		await this.write(() => this.list.remove(keys));
	}

	/**
	 * What the wait for calls has shown, also for those of an earlier try. Never rejects (see
	 * `unwritten`).
	 */
	async learn(rows: Record<'notReached' | 'neverDialed', readonly ClaimRow[]>) {
		await this.release(rows.neverDialed);
		const people = rows.notReached.map(({ person }) => reachedKey(person));
		if (this.settings.limits.stopWhenReached) await this.write(() => this.list.remove(people));
	}

	private get usesList() {
		return usesMemory(this.settings) || this.settings.retryOf !== undefined;
	}

	private async write(work: () => Promise<void>) {
		await work().catch((thrown: unknown) => {
			this.unwritten = thrown;
		});
	}
}
