/**
 * Takes people out of a list. The host keeps hashes and cannot say what it has, and searches its whole list for each key that it
 * takes out. So the keys that a call may be remembered by are taken out as they are, and counts are looked up first: of most
 * people there are none. How many keys there were is counted before and after.
 *
 * It goes in slices, each of which is one step of the only writer and takes about as long as writing the list a few times; other
 * runs write in between. What was taken out stays so when the process dies: the rest goes the next time. What is traded: of one
 * slice, first calls may stay counted that were not made.
 *
 * Left are the keys of retries of one execution, and keys that somebody chose and that are not given: nobody can name them.
 */
import { everyLimit } from '../domain/callLimits';
import { chosenKey, everyPersonKey } from '../domain/memoryKeys';
import type { PeopleToForget } from '../domain/peopleToForget';
import { keysOf } from './counts';
import { removedAtOnce } from './keyList';
import type { RunKeys } from './runKeys';

/** How many entries went; `isStopped`: not all were looked for. */
export interface Forgotten {
	entries: number;
	isStopped: boolean;
}

/** `zone`: whose calendar calls are counted by; `now`: milliseconds since 1970. Rejects when the database cannot be used; what is left is taken out before the list is written again. */
export async function forgetPeople(
	keys: RunKeys,
	{ people, keys: chosen }: PeopleToForget,
	zone: string,
	now: number,
	signal: AbortSignal | undefined,
): Promise<Forgotten> {
	const limits = everyLimit(zone, now);
	let size = await keys.count();
	let entries = 0;
	let slice = emptySlice();
	const takeOut = async (): Promise<void> => {
		const { people: some, keys: named } = slice;
		slice = emptySlice();
		const taken = await keys.takeOut(async (list) => {
			const counts = await keysOf(
				list,
				some.flatMap((person) => limits.countedFor(person)),
			);
			return [...named, ...counts];
		});
		entries += taken;
		size -= taken;
	};
	const toForget = [
		...[...chosen].map((key) => ({ people: [], keys: [chosenKey(key)] })),
		...[...people].map((person) => ({ people: [person], keys: everyPersonKey(person) })),
	];
	for (const each of toForget) {
		if (size <= 0) return { entries, isStopped: false };
		if (signal?.aborted) return { entries, isStopped: true };
		slice.people.push(...each.people);
		slice.keys.push(...each.keys);
		if (slice.keys.length >= removedAtOnce(size)) await takeOut();
	}
	if (slice.keys.length > 0) await takeOut();
	return { entries, isStopped: false };
}

interface Slice {
	people: string[];
	/** By which they, and what else is forgotten, may be remembered. */
	keys: string[];
}

const emptySlice = (): Slice => ({ people: [], keys: [] });
