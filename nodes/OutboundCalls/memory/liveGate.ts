/**
 * The gate before Live: wherever the memory decides who is called, each setting needs a dry run or a
 * test first, because a copy of a workflow has an empty memory and would call everybody again.
 *
 * A look leaves the mark of its setting in the list. Each claim enters it again: if it is new,
 * nobody has seen whom this run would call, or people were removed together with it. If a published
 * version is Live and was refused for lack of it, the mark would set that version off: so the
 * refusal leaves a note, the next look warns instead of counting, and the one after it counts.
 */
import { holdsExpression } from '../execution/parameters';
import type { Execution } from '../execution/execution';
import type { CallOutcome } from '../domain/outcome';
import type { Shared } from '../domain/sharing';
import type { Problem } from '../domain/values';
import type { Turn } from './keyList';
import { hoursKey, type MemorySettings, SOMEBODY, usesMemory } from './keys';

/** The mark of a setting. `stored`: the stored text of Once for Each, which is hashed, not read. */
export function markOf(calledBefore: string, stored: unknown, hoursBetween?: number) {
	const gap = hoursBetween === undefined ? '' : `gap ${hoursBetween} `;
	const text = typeof stored === 'string' ? stored : '';
	return `mark ${gap}${calledBefore === 'onceForEach' ? `once ${text}` : calledBefore}`;
}

/** A Live run that nobody started by hand was refused for lack of this mark. */
const waitsKey = (mark: string) => `waits ${mark}`;

/** Whether somebody sees what this execution says, so that a refusal leaves no note. */
export const isByHand = ({ startedBy }: Execution) =>
	['manual', 'retry', 'evaluation'].includes(startedBy);

/**
 * Whether a dry run or a test shows somebody whom Live would call: it was started by hand, and no
 * model chose the mode.
 */
export const isLook = ({ startedBy, isTool, parameters }: Execution) =>
	startedBy === 'manual' && !(isTool && holdsExpression(parameters.raw('mode')));

/** Whether a dry run had a row that could be called, if only at another hour. */
export const couldCall = ({ callers }: Shared, blocked: ReadonlyMap<number, CallOutcome>) =>
	callers.length > 0 || [...blocked.values()].some(({ status }) => status === 'outside_hours');

/** Leaves the mark. Resolves with whether it is there now, and whether a Live run waits: then a look has `warned` first. */
export async function leaveMark(turn: Turn, mark: string) {
	const [waits, warned] = [waitsKey(mark), `warned ${mark}`];
	const fresh = await turn.enter([mark, waits, warned]);
	const liveWaits = fresh.has(mark) && !fresh.has(waits);
	const isLeft = !liveWaits || !fresh.has(warned);
	await turn.remove(isLeft ? [waits, warned] : [mark, waits]);
	return { isLeft, liveWaits };
}

/** Why nobody is called, although the database can be used. */
export class GateClosed extends Error {
	constructor(readonly problem: Problem) {
		super(problem.message);
	}
}

/** One run meets the gate here. */
export class LiveGate {
	/** Whether a claim of this run has found the mark. */
	private wasOpen = false;

	constructor(private readonly settings: MemorySettings) {}

	/** Enters keys as `turn.enter` does. Rejects with GateClosed without the mark; then none stays. */
	async enter(turn: Turn, keys: readonly string[]) {
		if (!usesMemory(this.settings)) return await turn.enter(keys);
		const { mark, isByHand, limits } = this.settings;
		const hours = limits.hoursBetween === undefined ? [] : [hoursKey(limits.hoursBetween)];
		const fresh = await turn.enter([mark, SOMEBODY, ...hours, ...keys]);
		if (fresh.has(mark)) {
			await turn.remove([...fresh]);
			if (!isByHand) await turn.enter([waitsKey(mark)]);
			throw new GateClosed(this.wasOpen ? EMPTIED : noLook(fresh.has(SOMEBODY)));
		}
		this.wasOpen = true;
		return fresh;
	}
}

/** `isNew`: nobody was ever remembered here. Otherwise the setting was changed. */
const noLook = (isNew: boolean): Problem => ({
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
