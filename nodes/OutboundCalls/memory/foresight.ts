/** Asks the memory for a dry run. A killed process leaves one slice of people in it as called. */
import { type LimitsNow, limitsAt } from '../domain/limits';
import type { HeldBack } from '../domain/outcome';
import { Slices } from '../execution/slices';
import { decide, placeKeys } from './decide';
import type { KeyList } from './keyList';
import { type ClaimRow, keysOf, type MemorySettings, personKey, SOMEBODY } from './keys';

/** Rows asked × keys in the list: with more, a dry run would take too long. */
const MAX_COMPARISONS = 10_000_000;

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
	if (rows.length * size > MAX_COMPARISONS) return { kind: 'tooLong' };
	const limits = limitsAt(settings.limits, now);
	const wanted = new Set([SOMEBODY]);
	const want = (limit: LimitsNow['counted'][number], of: string) => {
		for (const key of placeKeys(limit, of)) wanted.add(key);
	};
	for (const limit of limits.counted) if (limit.of === 'all') want(limit, 'all');
	const slices = new Slices();
	for (const row of rows) {
		wanted.add(personKey(row.person));
		for (const { key } of keysOf(row, settings).deciding) wanted.add(key);
		for (const key of limits.gap?.keys(row.person) ?? []) wanted.add(key);
		for (const limit of limits.counted) if (limit.of === 'person') want(limit, row.person);
		await slices.restIfOver();
	}
	const taken = size === 0 ? new Set<string>() : await list.ask([...wanted], signal);
	return taken
		? { kind: 'known', foresight: new Foresight(settings, taken, limits) }
		: { kind: 'stopped' };
}

/** What a live run would decide, request by request. */
export class Foresight {
	/** What the rows before would have taken. */
	private readonly entered = new Set<string>();
	private readonly full = new Set<string>();
	private asked = 0;

	constructor(
		private readonly settings: MemorySettings,
		private readonly taken: ReadonlySet<string>,
		private readonly limits: LimitsNow,
	) {}

	/** Why rows would not be called, by position; the others would be, and count. */
	heldBack(rows: readonly ClaimRow[]): ReadonlyMap<number, HeldBack> {
		const { full, entered, taken } = this;
		const known = { full, from: () => this.asked++ };
		const deciding = decide(rows, this.settings, this.limits, known);
		let step = deciding.next(new Set());
		while (!step.done) {
			const free = new Set(step.value.filter((key) => !taken.has(key) && !entered.has(key)));
			for (const key of free) entered.add(key);
			step = deciding.next(free);
		}
		for (const key of step.value.spare) entered.delete(key);
		for (const name of step.value.full) full.add(name);
		return step.value.heldBack;
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
