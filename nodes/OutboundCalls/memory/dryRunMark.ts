/**
 * A dry run by hand leaves the mark that Live needs. If a published version is Live and was refused
 * for lack of it, the mark would set that version off: so the refusal leaves a note, the next dry
 * run warns instead of counting, and the one after it counts.
 */
import type { Turn } from './keyList';

/** A Live run that nobody started by hand was refused for lack of this mark. */
export const waitsKey = (mark: string): string => `waits ${mark}`;
/** A dry run has said so. */
const warnedKey = (mark: string): string => `warned ${mark}`;

/** Whether the mark is there now, and whether a Live run waits for it. */
export async function leaveMark(turn: Turn, mark: string) {
	const [waits, warned] = [waitsKey(mark), warnedKey(mark)];
	const fresh = await turn.enter([mark, waits, warned]);
	const liveWaits = fresh.has(mark) && !fresh.has(waits);
	const isLeft = !liveWaits || !fresh.has(warned);
	await turn.remove(isLeft ? [waits, warned] : [mark, waits]);
	return { isLeft, liveWaits };
}
