/**
 * Claims rows for one run, before they are called. A row is claimed if all of its deciding keys are
 * new and each limit has a free place; otherwise what it entered is removed again. A claim is
 * released only if the call certainly was not placed. Claims of a killed process stay.
 *
 * A copy of a workflow has an empty memory, and would call everybody again. So a dry run or a test
 * that somebody starts by hand enters a mark, and each claim enters it again: if it is new, nobody
 * has seen whom this run would call, or people were removed together with it.
 */
import { type GapNow, limitsAt } from '../domain/limits';
import type { Problem } from '../domain/values/problem';
import { systemClock } from '../execution/clock';
import type { KeyList, Turn } from './keyList';
import {
	type ClaimRow,
	keysOf,
	longestRefusal,
	type MemorySettings,
	reachedKey,
	type Refusal,
	SOMEBODY,
	usesMemory,
} from './keys';
import { waitsKey } from './dryRunMark';
import { hintOf, type Taker, takePlaces } from './limitPlaces';

/** Answers to parallel requests arrive close together: a claim waits so long for the others. */
const TOGETHER_MS = 2;

/** Why nobody is called, although the database can be used. */
export class MemoryRefusal extends Error {
	constructor(readonly problem: Problem) {
		super(problem.message);
	}
}

/** `isNew`: nobody was ever remembered here. Otherwise the setting was changed. */
const noDryRun = (isNew: boolean): Problem => ({
	message: 'Make a dry run in this workflow first',
	remedy: `${
		isNew
			? 'A copy does not know whom the original called, and would call them again: for the same people, use the original. Nobody is remembered here yet.'
			: 'People Called Before, Once for Each or Hours Between Calls was changed since the last one, and each setting needs its own.'
	} If it is published, unpublish it. Set Mode to Dry Run, execute by hand, then set Mode to Live again.`,
});

/** The mark disappeared during a run. */
const EMPTIED: Problem = {
	message: 'The call history was emptied during this run',
	remedy:
		'Make a dry run to see who would be called again. If a Remove Duplicates node uses the scope Workflow, set it to Node.',
};

interface Attempt extends Taker {
	row: ClaimRow;
	/** Why it is not called, whatever the limits are. */
	called: Refusal | undefined;
}

const refusalOf = ({ called, limits }: Attempt): Refusal | undefined =>
	called ?? longestRefusal(limits);

/** What one run holds of the list. */
export class Claims {
	/** Rows that wait for the same write. */
	private waiting: ClaimRow[] = [];
	private nextClaim: Promise<ReadonlyMap<number, Refusal>> | undefined;
	/** The keys that rows own, by position. */
	private readonly held = new Map<number, string[]>();
	/** Why the database did not release rows; undefined if it did. */
	unreleased: unknown;
	/** Whether a claim of this run has found the mark. */
	private isOpen = false;
	/** The name of a Max Calls per Day without a free place. */
	private fullDay: string | undefined;

	constructor(
		private readonly list: KeyList,
		private readonly settings: MemorySettings,
		private readonly now: () => number = Date.now,
	) {}

	/**
	 * About how many keys the list has; 0 if this run uses none, or if its rows are claimed at their
	 * turn however long the list is. Rejects if the database does.
	 */
	async size(): Promise<number> {
		const isAtTurn = this.settings.limits.hoursBetween !== undefined;
		return this.usesList && !isAtTurn ? await this.list.size() : 0;
	}

	/**
	 * Claims rows of different people. Resolves with the refusals, by position: all other rows are
	 * claimed. Rejects with a MemoryRefusal without the mark of the setting, or if the database
	 * rejects a write, this one or an earlier release: then the run must end.
	 */
	async claim(rows: readonly ClaimRow[]): Promise<Map<number, Refusal>> {
		if (!this.usesList || rows.length === 0) return new Map();
		this.waiting.push(...rows);
		this.nextClaim ??= this.list.step(async (turn) => {
			await systemClock.sleep(TOGETHER_MS);
			const together = this.waiting;
			this.waiting = [];
			this.nextClaim = undefined;
			if (this.unreleased !== undefined) throw this.unreleased as Error;
			return await this.claimIn(turn, together);
		});
		const refused = await this.nextClaim;
		return new Map(
			rows.flatMap(({ position }) => {
				const refusal = refused.get(position);
				return refusal ? [[position, refusal]] : [];
			}),
		);
	}

	/**
	 * Rows whose request leaves now, however long it waited: the hours between calls begin now.
	 * Never rejects (see `unreleased`).
	 */
	async renew(rows: readonly ClaimRow[]): Promise<void> {
		const gap = this.gapNow();
		const wanted = rows.map(({ position, person }) => {
			const held = this.held.get(position) ?? [];
			return { held, later: gap?.keys(person).filter((key) => !held.includes(key)) ?? [] };
		});
		const keys = wanted.flatMap(({ later }) => later);
		if (keys.length === 0) return;
		try {
			const fresh = await this.list.enter(keys);
			for (const { held, later } of wanted) held.push(...later.filter((key) => fresh.has(key)));
		} catch (thrown) {
			this.unreleased = thrown;
		}
	}

	/** Rows that certainly were not placed. Never rejects (see `unreleased`). */
	async release(rows: readonly ClaimRow[]): Promise<void> {
		this.fullDay = undefined;
		const owned = rows.flatMap(({ position }) => this.held.get(position) ?? []);
		for (const { position } of rows) this.held.delete(position);
		await this.remove(owned);
	}

	/**
	 * What the wait for calls has shown, also for those of an earlier try. Call it last. Never
	 * rejects (see `unreleased`).
	 */
	async learn(rows: Record<'notReached' | 'neverDialed', readonly ClaimRow[]>): Promise<void> {
		await this.release(rows.neverDialed);
		if (this.settings.limits.stopWhenReached)
			await this.remove(rows.notReached.map(({ person }) => reachedKey(person)));
	}

	private gapNow(): GapNow | undefined {
		const { limits } = this.settings;
		return limits.hoursBetween === undefined ? undefined : limitsAt(limits, this.now()).gap;
	}

	private get usesList(): boolean {
		return usesMemory(this.settings) || this.settings.retryOf !== undefined;
	}

	private async remove(keys: readonly string[]): Promise<void> {
		if (keys.length === 0) return;
		try {
			await this.list.remove(keys);
		} catch (thrown) {
			this.unreleased = thrown;
		}
	}

	private async claimIn(turn: Turn, rows: readonly ClaimRow[]): Promise<Map<number, Refusal>> {
		const attempts = rows.map((row): Attempt => ({
			row,
			owned: [],
			called: undefined,
			limits: [],
		}));
		await this.enterKeys(turn, attempts);
		const inVain = await this.takePlaces(turn, attempts);
		const toRemove = inVain;
		const refused = new Map<number, Refusal>();
		for (const attempt of attempts) {
			const { row, owned } = attempt;
			const refusal = refusalOf(attempt);
			if (refusal) refused.set(row.position, refusal);
			if (refusal) toRemove.push(...owned);
			else this.held.set(row.position, owned);
		}
		await turn.remove(toRemove);
		return refused;
	}

	private async enterKeys(turn: Turn, attempts: readonly Attempt[]): Promise<void> {
		const { mark, isByHand } = this.settings;
		const gap = this.gapNow();
		const keys = attempts.map(({ row }) => ({
			...keysOf(row, this.settings),
			buckets: gap?.keys(row.person) ?? [],
		}));
		const fresh = await turn.enter([
			...(usesMemory(this.settings) ? [mark, SOMEBODY] : []),
			...keys.flatMap(({ deciding, recordOnly, buckets }) => [
				...deciding.map(({ key }) => key),
				...recordOnly,
				...buckets,
			]),
		]);
		if (fresh.has(mark)) {
			await turn.remove([...fresh]);
			if (!isByHand) await turn.enter([waitsKey(mark)]);
			throw new MemoryRefusal(this.isOpen ? EMPTIED : noDryRun(fresh.has(SOMEBODY)));
		}
		this.isOpen = true;
		for (const [i, attempt] of attempts.entries()) {
			const { deciding, recordOnly, buckets } = keys[i]!;
			for (const { key, refusal } of deciding) {
				if (fresh.delete(key)) attempt.owned.push(key);
				else if (refusal.kind === 'limit_reached') attempt.limits.push(refusal);
				else attempt.called ??= refusal;
			}
			const tooSoon = gap?.refusal(buckets.findIndex((key) => fresh.has(key)));
			if (tooSoon) attempt.limits.push(tooSoon);
			attempt.owned.push(...[...recordOnly, ...buckets].filter((key) => fresh.delete(key)));
		}
	}

	/** Resolves with places that were entered in vain. */
	private async takePlaces(turn: Turn, attempts: readonly Attempt[]): Promise<string[]> {
		const { perPerson, perDay } = limitsAt(this.settings.limits, this.now());
		// Somebody whom one limit keeps back for a while may be kept back longer by another one.
		const asking = attempts.filter(
			({ called, limits }) => !called && limits.every(({ callableAt }) => callableAt !== undefined),
		);
		const inVain = await takePlaces(
			turn,
			asking.flatMap((attempt) =>
				perPerson.map((limit) => ({ limit, of: attempt.row.person, takers: [attempt] })),
			),
		);
		if (!perDay) return inVain;
		const isWaiting = ({ limits }: Taker) => limits.length > 0;
		const waiting = asking.filter(isWaiting);
		// Whether a place would be left for those who wait.
		const probe: Taker = { owned: inVain, limits: [] };
		const takers: Taker[] = asking.filter((attempt) => !isWaiting(attempt));
		if (waiting.length > 0) takers.push(probe);
		const limit = perDay.name === this.fullDay ? { ...perDay, most: 0 } : perDay;
		const ofDay = { limit, of: 'all', takers, hint: hintOf(this.list.id, perDay) };
		inVain.push(...(await takePlaces(turn, [ofDay])));
		if (takers.some(isWaiting)) this.fullDay = perDay.name;
		for (const { limits } of waiting) limits.push(...probe.limits);
		return inVain;
	}
}
