/**
 * A limit of calls is a pool of numbered places, one key each: a call needs a free one among
 * `1..most`. Places that were given back leave gaps, so all places are tried, in blocks that
 * double, before a limit counts as reached.
 */
import type { LimitNow, LimitRefusal } from '../domain/limits';
import type { Turn } from './keyList';

/** A row that is being claimed. */
export interface Taker {
	/** Keys that it has entered. */
	owned: string[];
	/** Limits that keep it from being called. */
	limits: LimitRefusal[];
}

/** The places of one limit, for one person or for all. */
interface Pool {
	limit: LimitNow;
	/** The person, or 'all'. */
	of: string;
	/** Each wants one place. */
	takers: readonly Taker[];
	/** The search begins after this place, which was the last one found free. */
	hint?: { place: number };
}

/** By list. */
const hints = new Map<string, { name: string; place: number }>();

/** The hint that all runs of this process share for a limit of all; one limit per list is known. */
export function hintOf(list: string, { name }: LimitNow): { place: number } {
	const known = hints.get(list);
	const hint = known?.name === name ? known : { name, place: 0 };
	hints.set(list, hint);
	return hint;
}

/** The key of a place, from 1. */
const placeKey = ({ name }: LimitNow, of: string, place: number): string =>
	`${name} ${of} ${place}`;

/** All places of a limit. */
export const placeKeys = (limit: LimitNow, of: string): string[] =>
	Array.from({ length: limit.most }, (_, index) => placeKey(limit, of, index + 1));

/** Gives each taker a place of each of its pools, or the limit's refusal. Resolves with places to remove. */
export async function takePlaces(turn: Turn, pools: readonly Pool[]): Promise<string[]> {
	const inVain: string[] = [];
	const searches = pools.map((pool) => ({
		...pool,
		from: pool.hint?.place ?? 0,
		asked: 0,
		left: [...pool.takers],
	}));
	let open = searches.filter(({ left }) => left.length > 0);
	for (let size = 1; open.length > 0; size *= 2) {
		const blocks = open.map((search) => nextPlaces(search, size * search.takers.length));
		const fresh = await turn.enter(
			open.flatMap(({ limit, of }, i) => blocks[i]!.map((place) => placeKey(limit, of, place))),
		);
		open.forEach((search, i) => {
			const free = blocks[i]!.filter((place) =>
				fresh.has(placeKey(search.limit, search.of, place)),
			);
			for (const place of free) {
				if (search.hint && search.left.length > 0) search.hint.place = place;
				const { owned } = search.left.shift() ?? { owned: inVain };
				owned.push(placeKey(search.limit, search.of, place));
			}
			search.asked += blocks[i]!.length;
		});
		open = open.filter(({ left, asked, limit }) => left.length > 0 && asked < limit.most);
	}
	for (const { left, limit } of searches) for (const { limits } of left) limits.push(limit.refusal);
	return inVain;
}

/** The next ones in a circle that begins after `from`. */
const nextPlaces = (
	{ limit: { most }, from, asked }: { limit: LimitNow; from: number; asked: number },
	count: number,
): number[] =>
	Array.from(
		{ length: Math.min(count, most - asked) },
		(_, index) => ((from + asked + index) % most) + 1,
	);
