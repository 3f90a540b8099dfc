/** Asks the memory for a dry run. A killed process leaves one slice of people in it as called. */
import { type GapNow, type LimitNow, type LimitRefusal, limitsAt } from '../domain/limits';
import { Slices } from '../execution/slices';
import type { KeyList } from './keyList';
import {
	type ClaimRow,
	keysOf,
	longestRefusal,
	type MemorySettings,
	personKey,
	type Refusal,
	SOMEBODY,
} from './keys';
import { placeKeys } from './limitPlaces';

/** Rows asked × keys in the list: with more, a dry run would take too long. */
const MOST_COMPARISONS = 10_000_000;

/** What the memory says of rows, or why it was not asked. */
export type Asked =
	{ kind: 'known'; foresight: Foresight } | { kind: 'tooLong' } | { kind: 'stopped' };

/** Asks for all that decides about these rows. Rejects if the database does. */
export async function askMemory(
	list: KeyList,
	settings: MemorySettings,
	rows: readonly ClaimRow[],
	now: number,
	signal?: AbortSignal,
): Promise<Asked> {
	const size = await list.size();
	if (rows.length * size > MOST_COMPARISONS) return { kind: 'tooLong' };
	const { perPerson, perDay, gap } = limitsAt(settings.limits, now);
	const wanted = new Set([SOMEBODY, ...(perDay ? placeKeys(perDay, 'all') : [])]);
	const slices = new Slices();
	for (const row of rows) {
		wanted.add(personKey(row.person));
		for (const { key } of keysOf(row, settings).deciding) wanted.add(key);
		for (const key of gap?.keys(row.person) ?? []) wanted.add(key);
		for (const limit of perPerson) for (const key of placeKeys(limit, row.person)) wanted.add(key);
		await slices.restIfOver();
	}
	const taken = size === 0 ? new Set<string>() : await list.ask([...wanted], signal);
	return taken
		? { kind: 'known', foresight: new Foresight(settings, taken, now) }
		: { kind: 'stopped' };
}

/** What a live run would decide, row by row, in the order of their requests. */
export class Foresight {
	private readonly perPerson: readonly LimitNow[];
	private readonly perDay: LimitNow | undefined;
	private readonly gap: GapNow | undefined;
	private leftToday: number;

	constructor(
		private readonly settings: MemorySettings,
		private readonly taken: ReadonlySet<string>,
		now: number,
	) {
		({
			perPerson: this.perPerson,
			perDay: this.perDay,
			gap: this.gap,
		} = limitsAt(settings.limits, now));
		this.leftToday = this.perDay ? this.freePlaces(this.perDay, 'all') : Infinity;
	}

	/** Why the row would not be called; undefined: it would be, and counts. */
	refusalOf(row: ClaimRow): Refusal | undefined {
		const limits: LimitRefusal[] = [];
		for (const { key, refusal } of keysOf(row, this.settings).deciding) {
			if (!this.taken.has(key)) continue;
			if (refusal.kind !== 'limit_reached') return refusal;
			limits.push(refusal);
		}
		const free = this.gap?.keys(row.person).findIndex((key) => !this.taken.has(key)) ?? 0;
		const tooSoon = this.gap?.refusal(free);
		if (tooSoon) limits.push(tooSoon);
		for (const limit of this.perPerson)
			if (this.freePlaces(limit, row.person) === 0) limits.push(limit.refusal);
		if (this.perDay && this.leftToday === 0) limits.push(this.perDay.refusal);
		if (limits.length === 0) this.leftToday--;
		return longestRefusal(limits);
	}

	/** Whether any setting of this workflow has called somebody. */
	get isEmpty(): boolean {
		return !this.taken.has(SOMEBODY);
	}

	/** Whether any setting of this workflow has called the row's person. */
	wasCalled({ person }: ClaimRow): boolean {
		return this.taken.has(personKey(person));
	}

	private freePlaces(limit: LimitNow, of: string): number {
		return placeKeys(limit, of).filter((key) => !this.taken.has(key)).length;
	}
}
