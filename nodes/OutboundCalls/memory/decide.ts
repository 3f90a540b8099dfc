/**
 * The one decision of the memory, for a claim and for a dry run: which rows are held back, and which
 * keys the others take.
 *
 * A limit of calls is a pool of numbered places, one key each: a call needs a free one among
 * `1..most`. Places that were given back leave gaps, so all places are tried, in blocks that
 * double, before a limit counts as reached.
 */
import { type LimitNow, type LimitsNow, longest } from '../domain/limits';
import type { HeldBack } from '../domain/outcome';
import { type ClaimRow, keysOf, type MemorySettings } from './keys';

/** Yields keys, and goes on with those that were free. They are taken from then on. */
export type Deciding = Generator<string[], Decision, ReadonlySet<string>>;

/** Holds what was decided. */
interface Decision {
	/** Why rows are not called, by position. */
	heldBack: Map<number, HeldBack>;
	/** The keys of the other rows, by position. */
	owned: Map<number, string[]>;
	/** These keys were taken in vain. */
	spare: string[];
	/** Names of limits of all people without a free place. */
	full: string[];
}

/** What is known of limits of all people, so that fewer places have to be tried. */
export interface KnownPlaces {
	full: ReadonlySet<string>;
	/** The search begins after this place. */
	from(limit: LimitNow): number;
}

/** A taker asks for keys. */
interface Taker {
	owned: string[];
	/** These protections keep it from being called. */
	heldBy: HeldBack[];
}

/** Decides about rows of different people, the first ones first. */
export function* decide(
	rows: readonly ClaimRow[],
	settings: MemorySettings,
	{ counted, gap }: LimitsNow,
	known: KnownPlaces,
): Deciding {
	const asked = rows.map((row) => ({
		row,
		...keysOf(row, settings),
		buckets: gap?.keys(row.person) ?? [],
		owned: [] as string[],
		heldBy: [] as HeldBack[],
	}));
	const free = new Set(
		yield asked.flatMap(({ deciding, recorded, buckets }) => [
			...deciding.map(({ key }) => key),
			...recorded,
			...buckets,
		]),
	);
	for (const { deciding, recorded, buckets, owned, heldBy } of asked) {
		for (const { key, heldBack } of deciding)
			if (free.delete(key)) owned.push(key);
			else heldBy.push(heldBack);
		const tooSoon = gap?.heldBack(buckets.findIndex((key) => free.has(key)));
		if (tooSoon) heldBy.push(tooSoon);
		owned.push(...[...recorded, ...buckets].filter((key) => free.delete(key)));
	}
	const { spare, full } = yield* takePlaces(asked, counted, known);
	const heldBack = new Map<number, HeldBack>();
	const owned = new Map<number, string[]>();
	for (const { row, owned: keys, heldBy } of asked) {
		const why = longest(heldBy);
		if (!why) owned.set(row.position, keys);
		else {
			heldBack.set(row.position, why);
			spare.push(...keys);
		}
	}
	return { heldBack, owned, spare, full };
}

function* takePlaces(
	asked: ReadonlyArray<Taker & { row: ClaimRow }>,
	counted: readonly LimitNow[],
	known: KnownPlaces,
): Generator<string[], Pick<Decision, 'spare' | 'full'>, ReadonlySet<string>> {
	const spare: string[] = [];
	const full: string[] = [];
	// Whoever is held back for a while may be held back longer by a limit.
	const asking = asked.filter(({ heldBy }) =>
		heldBy.every(({ callableAt }) => callableAt !== undefined),
	);
	const perPerson = counted.filter(({ of }) => of === 'person');
	yield* search(
		asking.flatMap((taker) =>
			perPerson.map((limit) => ({ limit, of: taker.row.person, takers: [taker], from: 0 })),
		),
		spare,
	);
	for (const limit of counted) {
		if (limit.of !== 'all') continue;
		const waiting = asking.filter(isHeld);
		// Whether a place would be left for those who wait.
		const probe: Taker = { owned: spare, heldBy: [] };
		const takers: Taker[] = asking.filter((taker) => !isHeld(taker));
		if (waiting.length > 0) takers.push(probe);
		const most = known.full.has(limit.name) ? 0 : limit.most;
		const pool = { limit: { ...limit, most }, of: 'all', takers, from: known.from(limit) };
		yield* search([pool], spare);
		if (takers.some(isHeld)) full.push(limit.name);
		for (const { heldBy } of waiting) heldBy.push(...probe.heldBy);
	}
	return { spare, full };
}

const isHeld = ({ heldBy }: Taker): boolean => heldBy.length > 0;

/** The places of one limit, for one person or for all. */
interface Pool {
	limit: LimitNow;
	/** This is the person, or 'all'. */
	of: string;
	/** Each wants one place. */
	takers: readonly Taker[];
	from: number;
}

/** The key of a place, from 1. */
export const placeKey = (name: string, of: string, place: number): string =>
	`${name} ${of} ${place}`;

/** All places of a limit; `of`: the person, or 'all'. */
export const placeKeys = (limit: LimitNow, of: string): string[] =>
	Array.from({ length: limit.most }, (_, index) => placeKey(limit.name, of, index + 1));

/** Gives each taker a place of each of its pools, or the limit's reason. */
function* search(
	pools: readonly Pool[],
	spare: string[],
): Generator<string[], void, ReadonlySet<string>> {
	const searches = pools.map((pool) => ({ ...pool, asked: 0, left: [...pool.takers] }));
	const isOpen = ({ left, asked, limit }: (typeof searches)[number]): boolean =>
		left.length > 0 && asked < limit.most;
	let open = searches.filter(isOpen);
	for (let size = 1; open.length > 0; size *= 2) {
		const blocks = open.map((pool) => nextPlaces(pool, size * pool.takers.length));
		const free = yield blocks.flat();
		open.forEach((pool, i) => {
			for (const key of blocks[i]!)
				if (free.has(key)) (pool.left.shift()?.owned ?? spare).push(key);
			pool.asked += blocks[i]!.length;
		});
		open = open.filter(isOpen);
	}
	for (const { left, limit } of searches)
		for (const { heldBy } of left) heldBy.push(limit.heldBack);
}

/** The next ones in a circle that begins after `from`. */
const nextPlaces = (
	{ limit, of, from, asked }: Pool & { asked: number },
	count: number,
): string[] =>
	Array.from({ length: Math.min(count, limit.most - asked) }, (_, index) =>
		placeKey(limit.name, of, ((from + asked + index) % limit.most) + 1),
	);
