import { everyGap, everyPersonLimit } from '../domain/limits';
import type { KeyList } from './keyList';
import { onceKey, personKey, reachedKey } from './keys';
import { placeKeys } from './decide';

/** A person has about 500, most of which were never entered. */
const KEYS_AT_ONCE = 10_000;

/** People to forget, with the values of Once for Each that they were called for. */
export interface ToForget {
	/** Their numbers are in E.164. */
	people: readonly string[];
	/** The values are normalized, as `readOnceForEach` does. */
	values: readonly string[];
}

/**
 * Removes all that the memory knows of these people; resolves with how many entries there were.
 * `zone`: whose calendar counts calls. Rejects if the database does. Ends with the signal.
 */
export async function forgetPeople(
	list: KeyList,
	items: readonly ToForget[],
	zone: string,
	now: number,
	signal?: AbortSignal,
): Promise<number> {
	const limits = everyPersonLimit(zone, now);
	const gaps = everyGap(zone, now);
	let removed = 0;
	let keys: string[] = [];
	for (const { people, values } of items) {
		for (const person of people) {
			if (signal?.aborted) return removed;
			keys.push(
				personKey(person),
				reachedKey(person),
				...values.map((value) => onceKey(value, person)),
				...limits.flatMap((limit) => placeKeys(limit, person)),
				...gaps.flatMap((gap) => gap.keys(person)),
			);
			if (keys.length < KEYS_AT_ONCE) continue;
			removed += await list.takeOut(keys, signal);
			keys = [];
		}
	}
	return removed + (await list.takeOut(keys, signal));
}
