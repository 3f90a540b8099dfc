import type { CallOutcome, Reach } from './outcome';
import { agentOf } from './api/requests';
import type { Row } from './row';

/** Rows that are called, and rows that share the call of an earlier one: position → that row. */
export interface Shared {
	callers: Row[];
	followers: Map<number, Row>;
}

/** Whether a row may be called although the one that it follows was not. */
export type IsFreed = (first: Row, follower: Row) => boolean;

/**
 * A row follows an earlier row of the same person. `before`: callers that rows may follow, too,
 * unless these free them.
 */
export function deduplicate(
	rows: readonly Row[],
	before: readonly Row[] = [],
	isFreed: IsFreed = () => false,
): Shared {
	const shared: Shared = { callers: [], followers: new Map() };
	const firsts = new Map(before.map((row) => [row.person, row]));
	for (const row of rows) {
		const first = firsts.get(row.person);
		if (first && !isFreed(first, row)) {
			shared.followers.set(row.position, first);
		} else {
			firsts.set(row.person, row);
			shared.callers.push(row);
		}
	}
	return shared;
}

/**
 * The rows to call next: their person's first row was not called, for a reason that does not hold
 * for them. Updates `shared` with these callers and the rows that now follow them.
 */
export function promote(shared: Shared, rows: readonly Row[], isFreed: IsFreed): Row[] {
	const freed = rows.filter((row) => {
		const first = shared.followers.get(row.position);
		return first !== undefined && isFreed(first, row);
	});
	if (freed.length === 0) return [];
	const again = deduplicate(freed, shared.callers, isFreed);
	for (const { position } of freed) shared.followers.delete(position);
	for (const [position, first] of again.followers) shared.followers.set(position, first);
	shared.callers.push(...again.callers);
	return again.callers;
}

/** Whether the first row was not called for a reason that does not hold for its follower. */
export const isFreedBy = (outcome: CallOutcome | undefined, first: Row, follower: Row): boolean =>
	outcome?.call === 'none' &&
	outcome.reach !== undefined &&
	!HOLDS_FOR[outcome.reach](first, follower);

/** Whether what kept the first row of a person from being called keeps another one as well. */
const HOLDS_FOR: Record<Reach, (first: Row, follower: Row) => boolean> = {
	row: () => false,
	person: () => true,
	purpose: (first, follower) => first.onceForEach === follower.onceForEach,
	hours: (first, follower) =>
		first.timeZones?.join() === follower.timeZones?.join() &&
		first.noCallDates === follower.noCallDates,
	agent: (first, follower) => agentOf(first) === agentOf(follower),
	run: () => true,
};
