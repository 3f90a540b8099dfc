/**
 * Asks a list who is in it, for a dry run, and leaves nothing behind.
 *
 * The host cannot be asked without entering, so keys are entered and taken out again, in slices: each is one step that no other
 * execution of this process sees, and keeps n8n busy for about a tenth of a second.
 *
 * A key is, within its slice,
 * - there before: it stays;
 * - entered by asking: it is taken out at the end of the slice.
 *
 * What is traded: a process that dies meanwhile leaves at most one slice, whose people count as called, and calls as counted. So does
 * a write that is reported as lost, where some of the slice were there before (`keyList.ts`). If
 * the mark of the setting is in it, the gate may be open (`gate.ts`).
 *
 * It does not ask
 * - where workers of a cluster use the list: they would take a slice for people who were called. A worker that writes the list
 *   enters a key which says so (`WORKERS`). Where this process is no worker, that key is asked for before each slice, by itself: who
 *   else is asked for together with it could not be told from what workers enter, if that write is reported as lost;
 * - where it would take longer than half a minute: the longer the list, the smaller the slices, and the longer each of them takes.
 */
import { isMark, WORKERS } from '../domain/memoryKeys';
import { keysInSlice } from './keyList';
import type { RunKeys } from './runKeys';

/** Slices × keys in the list. */
const MOST_WORK = 10_000_000;

/** Which keys are in the list, or why nobody knows. */
export type LookUp =
	{ kind: 'known'; has: (key: string) => boolean } | { kind: 'workers' | 'tooLong' | 'stopped' };

/** Rejects when the database cannot be used. */
export async function lookUp(
	keys: RunKeys,
	wanted: ReadonlySet<string>,
	signal: AbortSignal | undefined,
): Promise<LookUp> {
	const size = await keys.count();
	if (size === 0 || wanted.size === 0) return { kind: 'known', has: () => false };
	if (keys.isShared) return { kind: 'workers' };
	const slice = keysInSlice(size);
	const absent = new Set<string>();
	for (const some of inSlices(wanted, slice)) {
		if (signal?.aborted) return { kind: 'stopped' };
		if ((await keys.missing([WORKERS])).size === 0) return { kind: 'workers' };
		if (Math.ceil(wanted.size / slice) * size > MOST_WORK) return { kind: 'tooLong' };
		for (const key of await keys.missing(some, some.filter(isMark))) absent.add(key);
	}
	return { kind: 'known', has: (key) => wanted.has(key) && !absent.has(key) };
}

/** One after the other, because there may be millions. */
function* inSlices(wanted: ReadonlySet<string>, size: number): Generator<string[]> {
	let slice: string[] = [];
	for (const key of wanted) {
		if (slice.length === size) {
			yield slice;
			slice = [];
		}
		slice.push(key);
	}
	yield slice;
}
