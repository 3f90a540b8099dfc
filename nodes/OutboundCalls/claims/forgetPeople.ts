/**
 * Takes people out of a list. The host keeps hashes and cannot say what it has, and it searches its whole list for each key that
 * it takes out. So the keys that a call may be remembered by are taken out as they are, and counts are looked up first: most
 * people have none. The entries are counted before and after.
 *
 * A person is
 * - remembered: some of their keys are in the list;
 * - forgotten: all of them are taken out, other than the keys of retries of one execution, and keys that somebody chose and did
 *   not give, which nobody can name.
 *
 * What is traded: people go in slices, each one step of the only writer that takes about as long as writing the list a few times,
 * and other runs write in between. When the process dies, what was taken out stays out, and the rest is still remembered; of one
 * slice, first calls may stay counted that were not made.
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
