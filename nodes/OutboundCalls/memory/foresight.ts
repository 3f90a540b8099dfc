/** Asks the memory for a dry run. A killed process leaves one slice of people in it as called. */
import { type LimitsNow, limitsAt } from '../domain/limits';
import type { HeldBack } from '../domain/outcome';
import { Slices } from '../execution/slices';
import { decide, placeKeys } from './decide';
import type { KeyList } from './keyList';
import { type ClaimRow, keysOf, type MemorySettings, personKey, SOMEBODY } from './keys';

/** Rows asked × keys in the list: with more, a dry run would take too long. */
const MAX_COMPARISONS = 10_000_000;

/**
 * Asks for all that decides about these rows; undefined if that would take too long. Rejects if the
 * database does, and if the run is stopped.
 */
export async function askMemory(
	list: KeyList,
	settings: MemorySettings,
	rows: readonly ClaimRow[],
	now: number,
): Promise<Foresight | undefined> {
	const size = await list.size();
	if (rows.length * size > MAX_COMPARISONS) return undefined;
	const limits = limitsAt(settings.limits, now);
	const ofAll = limits.counted.filter(({ of }) => of === 'all');
	const wanted = new Set([SOMEBODY, ...ofAll.flatMap((limit) => placeKeys(limit, 'all'))]);
	const slices = new Slices();
	for (const row of rows) {
		const { person } = row;
		const keys = [
			personKey(person),
			...keysOf(row, settings).deciding.map(({ key }) => key),
			...(limits.gap?.keys(person) ?? []),
			...limits.counted.flatMap((limit) => (limit.of === 'person' ? placeKeys(limit, person) : [])),
		];
		for (const key of keys) wanted.add(key);
		await slices.restIfOver();
	}
	const taken = size === 0 ? new Set<string>() : await list.ask([...wanted]);
	return new Foresight(settings, taken, limits);
}

/** What a live run would decide, request by request. */
export class Foresight {
	/** What the rows before would have taken. */
	private readonly entered = new Set<string>();
	private readonly full = new Set<string>();

	constructor(
		private readonly settings: MemorySettings,
		private readonly taken: ReadonlySet<string>,
		private readonly limits: LimitsNow,
	) {}

	/** Why rows would not be called, by position; the others would be, and count. */
	async heldBack(rows: readonly ClaimRow[]): Promise<ReadonlyMap<number, HeldBack>> {
		const { settings, limits, full, entered, taken } = this;
		const { heldBack, spare } = await decide(rows, settings, limits, full, (keys) => {
			const free = new Set(keys.filter((key) => !taken.has(key) && !entered.has(key)));
			for (const key of free) entered.add(key);
			return free;
		});
		for (const key of spare) entered.delete(key);
		return heldBack;
	}

	/** Whether any setting of this workflow has called somebody. */
	get isEmpty(): boolean {
		return !this.taken.has(SOMEBODY);
	}

	/** Whether any setting of this workflow has called the row's person. */
	wasCalled({ person }: ClaimRow): boolean {
		return this.taken.has(personKey(person));
	}
}
