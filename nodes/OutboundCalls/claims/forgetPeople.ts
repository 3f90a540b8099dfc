/**
 * Takes people out of a list. The host keeps hashes and cannot say what it has, so every key that a call to a number may have
 * entered is taken out, and how many were there is counted before and after.
 *
 * It goes in slices, each of which is one step of the only writer and keeps n8n from answering for about a tenth of a second; other
 * runs write in between. What was taken out stays so when the process dies: the rest goes the next time.
 *
 * Left are the keys of retries of one execution, and keys that somebody chose and that are not given: nobody can name them.
 */
import { everyLimit } from '../domain/callLimits';
import { chosenKey, everyPersonKey } from '../domain/memoryKeys';
import type { PeopleToForget } from '../domain/peopleToForget';
import { everyKeyOf } from './counts';
import { keysInSlice } from './keyList';
import type { RunKeys } from './runKeys';

/** How many entries went; `isStopped`: not all were looked for. */
export interface Forgotten {
	entries: number;
	isStopped: boolean;
}

/** `zone`: whose calendar calls are counted by. Rejects when the database cannot be used; what is left is taken out before the list is written again. */
export async function forgetPeople(
	keys: RunKeys,
	{ people, keys: chosen }: PeopleToForget,
	zone: string,
	signal: AbortSignal | undefined,
): Promise<Forgotten> {
	const limits = everyLimit(zone, Date.now());
	let size = await keys.count();
	let entries = 0;
	let slice: string[] = [];
	const takeOut = async (): Promise<void> => {
		const taken = await keys.takeOut(slice);
		slice = [];
		entries += taken;
		size -= taken;
	};
	for (const key of everyKey(people, chosen, (person) => limits.countedFor(person).flatMap(everyKeyOf))) {
		if (size <= 0) break;
		if (signal?.aborted) return { entries, isStopped: true };
		slice.push(key);
		if (slice.length >= keysInSlice(size)) await takeOut();
	}
	if (slice.length > 0) await takeOut();
	return { entries, isStopped: false };
}

function* everyKey(people: Iterable<string>, chosen: Iterable<string>, countsOf: (person: string) => string[]): Generator<string> {
	for (const key of chosen) yield chosenKey(key);
	for (const person of people) {
		yield* everyPersonKey(person);
		yield* countsOf(person);
	}
}
