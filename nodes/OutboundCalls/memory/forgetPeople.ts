import { HOURS_BETWEEN } from '../domain/panelDefaults';
import { recentBuckets, recentLimits } from '../domain/limits';
import { placeKey } from './decide';
import type { KeyList } from './keyList';
import { hoursKey, onceKey, personKey, reachedKey } from './keys';

/** The list is asked for so many keys at once, of several people. */
const KEYS_AT_ONCE = 10_000;
/** Places of a limit that are asked for at once. */
const PLACES_AT_ONCE = 4;

/** People to forget (E.164), with values of Once for Each, normalized as by `readOnceForEach`. */
export interface ToForget {
	people: readonly string[];
	values: readonly string[];
}

/** A key that may be in the list; if it is, others may be there as well. */
interface Lead {
	person: string;
	key: string;
	further?: () => Lead[];
}

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
) {
	const used = await list.ask(HOURS_BETWEEN.map(hoursKey));
	const hours = HOURS_BETWEEN.filter((each) => used.has(hoursKey(each)));
	const limits = recentLimits(zone, now);
	const unknown = new Set(items.flatMap(({ people }) => people));
	let removed = 0;
	const forget = async (all: readonly Lead[]) => {
		const found = new Set<string>();
		for (let leads = all; leads.length > 0;) {
			const taken = await list.ask([...new Set(leads.map(({ key }) => key))]);
			const next: Lead[] = [];
			for (const { key, person, further } of leads) {
				if (!taken.has(key) || found.has(key)) continue;
				found.add(key);
				unknown.delete(person);
				if (further) next.push(...further());
			}
			leads = next;
		}
		await list.remove([...found]);
		removed += found.size;
	};
	let leads: Lead[] = [];
	for (const { people, values } of items)
		for (const person of people) {
			const lead = (key: string): Lead => ({ person, key });
			leads.push(
				...[personKey(person), reachedKey(person)].map(lead),
				...values.map((value) => lead(onceKey(value, person))),
				...limits.flatMap((name) => placesOf(name, person)),
				...hours
					.flatMap((each) => [...recentBuckets(each, person, now)])
					.map(([key, near]) => ({ person, key, further: () => near.map(lead) })),
			);
			if (leads.length < KEYS_AT_ONCE) continue;
			await forget(leads);
			leads = [];
		}
	await forget(leads);
	return { removed, unknown: [...unknown] };
}

/** A block of places; if one of them is taken, the next block may be, too. */
const placesOf = (name: string, person: string, from = 1): Lead[] =>
	Array.from({ length: PLACES_AT_ONCE }, (_, next) => ({
		person,
		key: placeKey(name, person, from + next),
		further: () => placesOf(name, person, from + PLACES_AT_ONCE),
	}));
