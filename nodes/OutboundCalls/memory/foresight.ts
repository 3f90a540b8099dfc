/** Asks the memory for a dry run. A killed process leaves one slice of people in it as called. */
import { type LimitNow, limitsAt } from '../domain/limits';
import { Slices } from '../execution/slices';
import type { KeyList } from './keyList';
import {
	type ClaimRow,
	keysOf,
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
	const { perPerson, perDay } = limitsAt(settings.limits, now);
	const wanted = new Set([SOMEBODY, ...(perDay ? placeKeys(perDay, 'all') : [])]);
	const slices = new Slices(signal);
	for (const row of rows) {
		wanted.add(personKey(row.person));
		for (const { key } of keysOf(row, settings).deciding) wanted.add(key);
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
	private leftToday: number;

	constructor(
		private readonly settings: MemorySettings,
		private readonly taken: ReadonlySet<string>,
		now: number,
	) {
		({ perPerson: this.perPerson, perDay: this.perDay } = limitsAt(settings.limits, now));
		this.leftToday = this.perDay ? this.freePlaces(this.perDay, 'all') : Infinity;
	}

	/** Why the row would not be called; undefined: it would be, and counts. */
	refusalOf(row: ClaimRow): Refusal | undefined {
		const taken = keysOf(row, this.settings).deciding.find(({ key }) => this.taken.has(key));
		if (taken) return taken.refusal;
		const full =
			[...this.perPerson].reverse().find((limit) => this.freePlaces(limit, row.person) === 0) ??
			(this.leftToday === 0 ? this.perDay : undefined);
		if (full) return { kind: 'limit_reached', ...full.refusal };
		this.leftToday--;
		return undefined;
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
