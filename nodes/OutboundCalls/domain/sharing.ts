import type { CallOutcome, Reach } from './callOutcome';
import { sameVariables } from './promptVariables';
import { lineOf } from './requestPlan';
import type { Row } from './row';

/** What happens to a number that stands in several rows: one call for all of them, or one call for each. */
export type Duplicates = 'callOnce' | 'callEach';

/** Rows that are called, and rows that share the call of an earlier one: position → that row. */
export interface Shared {
	callers: Row[];
	followers: Map<number, Row>;
}

/** Whether a row may be called although the one that it follows was not. */
export type Frees = (first: Row, follower: Row) => boolean;

/**
 * A row follows an earlier row with the same number (unless each row is to be called) or the same
 * key of the memory. Dry rows follow dry rows. `before`: callers that rows may follow, too, unless these free them.
 */
export function deduplicate(
	rows: readonly Row[],
	duplicates: Duplicates,
	before: readonly Row[] = [],
	frees: Frees = () => false,
): Shared {
	const shared: Shared = { callers: [], followers: new Map() };
	const none = () => ({ byNumber: new Map<string, Row>(), byKey: new Map<string, Row>() });
	const firsts = { live: none(), dry: none() };
	const firstsOf = ({ isDry }: Row) => (isDry ? firsts.dry : firsts.live);
	const lead = (row: Row): void => {
		const { byNumber, byKey } = firstsOf(row);
		byNumber.set(row.person, row);
		if (row.callOnceKey !== undefined) byKey.set(row.callOnceKey, row);
	};
	before.forEach(lead);
	for (const row of rows) {
		const { byNumber, byKey } = firstsOf(row);
		const sameNumber = duplicates === 'callOnce' ? byNumber.get(row.person) : undefined;
		const sameKey = row.callOnceKey === undefined ? undefined : byKey.get(row.callOnceKey);
		const first = [sameNumber, sameKey].find((each) => each && !frees(each, row));
		if (first) {
			shared.followers.set(row.position, first);
		} else {
			lead(row);
			shared.callers.push(row);
		}
	}
	return shared;
}

/** Callers among the rows whose first one was not called for a reason of its own. They and what follows them now are put into `shared`. */
export function promote(
	shared: Shared,
	rows: readonly Row[],
	duplicates: Duplicates,
	frees: Frees,
): Row[] {
	const freed = rows.filter((row) => {
		const first = shared.followers.get(row.position);
		return first !== undefined && frees(first, row);
	});
	if (freed.length === 0) return [];
	const again = deduplicate(freed, duplicates, shared.callers, frees);
	for (const { position } of freed) shared.followers.delete(position);
	for (const [position, first] of again.followers) shared.followers.set(position, first);
	shared.callers.push(...again.callers);
	return again.callers;
}

/** Whether the reason why the first row was not called leaves out the one that follows it. */
export const leavesOut = (outcome: CallOutcome | undefined, first: Row, follower: Row): boolean =>
	outcome?.called === 'no' &&
	outcome.reach !== undefined &&
	!HOLDS_FOR[outcome.reach](first, follower);

const sameNumber = (first: Row, follower: Row): boolean => first.person === follower.person;

/** Whether what kept the first row from being called keeps the follower as well. */
const HOLDS_FOR: Record<Reach, (first: Row, follower: Row) => boolean> = {
	row: () => false,
	person: sameNumber,
	key: (first, follower) => first.callOnceKey === follower.callOnceKey,
	hours: (first, follower) =>
		sameNumber(first, follower) &&
		first.timeZones === follower.timeZones &&
		first.noCallDates === follower.noCallDates,
	agent: (first, follower) => lineOf(first) === lineOf(follower),
	run: () => true,
};

/** What a row would have said in its call that the call of another row with its number did not say; undefined if that call was the same. */
export function difference(called: Row, row: Row): string | undefined {
	if (!sameVariables(called.variables, row.variables)) return 'other prompt variables';
	if (lineOf(called) !== lineOf(row))
		return called.callerNumber === row.callerNumber ? 'another agent' : 'another agent or caller';
	return called.callOnceKey === row.callOnceKey ? undefined : 'another value in Remember People By';
}
