import { HOURS_BETWEEN } from '../domain/fieldDefaults';
import { recentBuckets, recentLimits } from '../domain/limits';
import { placeKey } from './decide';
import type { KeyList } from './keyList';
import { hoursKey, onceKey, personKey, reachedKey } from './keys';

/** The list is asked for so many keys at once, of several people. */
const KEYS_AT_ONCE = 10_000;
/** Places of a limit that are asked for at once. */
const PLACES_AT_ONCE = 4;

/** People to forget, with the values of Once for Each that they were called for. */
export interface ToForget {
	/** Their numbers are in E.164. */
	people: readonly string[];
	/** The values are normalized, as `readOnceForEach` does. */
	values: readonly string[];
}

/** Yields keys, and goes on with those that are in the list; returns all that are. */
type Search = Generator<string[], string[], ReadonlySet<string>>;

/**
 * Removes what the last 100 days can have entered about these people. Resolves with how many entries
 * there were, and with the people who had none. `zone`: whose calendar counts calls. Rejects if the
 * database does, and if the execution is stopped.
 */
export async function forgetPeople(
	list: KeyList,
	items: readonly ToForget[],
	zone: string,
	now: number,
): Promise<{ removed: number; unknown: string[] }> {
	const used = await list.ask(HOURS_BETWEEN.map(hoursKey));
	const hours = HOURS_BETWEEN.filter((each) => used?.has(hoursKey(each)));
	const limits = recentLimits(zone, now);
	const people = items.flatMap((item) => item.people.map((person) => ({ person, ...item })));
	const unknown: string[] = [];
	let removed = 0;
	let batch: Array<{ person: string; search: Search; step: IteratorResult<string[], string[]> }> =
		[];
	let asked = 0;
	const forgetBatch = async (): Promise<void> => {
		for (let open = batch; open.length > 0; open = open.filter(({ step }) => !step.done)) {
			const taken = await list.ask(open.flatMap(({ step }) => step.value));
			for (const each of open) each.step = each.search.next(taken ?? new Set());
		}
		const found = batch.flatMap(({ step }) => step.value);
		unknown.push(...batch.flatMap(({ person, step }) => (step.value.length > 0 ? [] : [person])));
		await list.remove(found);
		removed += found.length;
		[batch, asked] = [[], 0];
	};
	for (const { person, values } of people) {
		const search = entriesOf(person, values, limits, hours, now);
		const step = search.next();
		batch.push({ person, search, step });
		asked += step.value.length;
		if (asked >= KEYS_AT_ONCE) await forgetBatch();
	}
	await forgetBatch();
	return { removed, unknown };
}

function* entriesOf(
	person: string,
	values: readonly string[],
	limits: readonly string[],
	hours: readonly number[],
	now: number,
): Search {
	const own = [
		personKey(person),
		reachedKey(person),
		...values.map((value) => onceKey(value, person)),
	];
	const buckets = new Map(hours.flatMap((each) => [...recentBuckets(each, person, now)]));
	const found = new Set<string>();
	let wanted = [...own, ...buckets.keys()];
	let open = limits;
	for (let place = 1; wanted.length > 0 || open.length > 0; place += PLACES_AT_ONCE) {
		const places = (name: string): string[] =>
			Array.from({ length: PLACES_AT_ONCE }, (_, next) => placeKey(name, person, place + next));
		const asked = [...wanted, ...open.flatMap(places)];
		const taken = yield asked;
		const hits = asked.filter((key) => taken.has(key) && !found.has(key));
		for (const key of hits) found.add(key);
		wanted = hits.flatMap((key) => buckets.get(key) ?? []).filter((key) => !found.has(key));
		open = open.filter((name) => places(name).some((key) => taken.has(key)));
	}
	return [...found];
}
