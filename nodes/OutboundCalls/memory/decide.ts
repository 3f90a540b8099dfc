/**
 * The one decision of the memory, for a claim and for a dry run: which rows are held back, and which
 * keys the others take.
 *
 * A limit of calls is a pool of numbered places, one key each: a call needs a free one among
 * `1..most`. Places that were given back leave gaps, so all places are tried, in blocks that
 * double, before a limit counts as reached.
 */
import { type LimitNow, limitsAt, type LimitsNow, longest } from '../domain/limits';
import type { HeldBack } from '../domain/outcome';
import { systemClock } from '../execution/clock';
import { type ClaimRow, keysOf, type MemorySettings, personKey, SOMEBODY } from './keys';
import { Slices } from '../execution/slices';
import type { KeyList } from './keyList';

/** Resolves with the keys that were free. They are taken from then on. */
type Enter = (keys: readonly string[]) => Set<string> | Promise<Set<string>>;

/** A taker asks for keys. */
interface Taker {
	owned: string[];
	/** These protections keep it from being called. */
	heldBy: HeldBack[];
}

const isHeld = ({ heldBy }: Taker) => heldBy.length > 0;

/**
 * Decides about rows of different people, the first ones first. `full`: names of limits of all
 * people that are known to have no free place, so that fewer have to be tried; updated. `spare`:
 * these keys were taken in vain.
 */
export async function decide(
	rows: readonly ClaimRow[],
	settings: MemorySettings,
	{ counted, gap }: LimitsNow,
	full: Set<string>,
	enter: Enter,
) {
	const asked = rows.map((row) => ({
		row,
		...keysOf(row, settings),
		buckets: gap?.keys(row.person) ?? [],
		owned: [] as string[],
		heldBy: [] as HeldBack[],
	}));
	const free = new Set(
		await enter(
			asked.flatMap(({ deciding, recorded, buckets }) => [
				...deciding.map(({ key }) => key),
				...recorded,
				...buckets,
			]),
		),
	);
	for (const { deciding, recorded, buckets, owned, heldBy } of asked) {
		for (const { key, heldBack } of deciding)
			if (free.delete(key)) owned.push(key);
			else heldBy.push(heldBack);
		const tooSoon = gap?.heldBack(buckets.findIndex((key) => free.has(key)));
		if (tooSoon) heldBy.push(tooSoon);
		owned.push(...[...recorded, ...buckets].filter((key) => free.delete(key)));
	}
	// Whoever is held back for a while may be held back longer by a limit.
	const asking = asked.filter(({ heldBy }) =>
		heldBy.every(({ callableAt }) => callableAt !== undefined),
	);
	const spare: string[] = [];
	await takePlaces(asking, counted, full, spare, enter);
	/** Both by position: why rows are not called, and the keys of the others. */
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
	return { heldBack, owned, spare };
}

async function takePlaces(
	asking: ReadonlyArray<Taker & { row: ClaimRow }>,
	counted: readonly LimitNow[],
	full: Set<string>,
	spare: string[],
	enter: Enter,
) {
	const ofPeople = counted.filter(({ of }) => of === 'person');
	const poolsOf = (taker: (typeof asking)[number]) =>
		ofPeople.map((limit) => ({ limit, of: taker.row.person, takers: [taker], from: 0 }));
	await search(asking.flatMap(poolsOf), spare, enter);
	for (const limit of counted) {
		if (limit.of !== 'all') continue;
		const waiting = asking.filter(isHeld);
		// Whether a place would be left for those who wait.
		const probe: Taker = { owned: spare, heldBy: [] };
		const takers: Taker[] = asking.filter((taker) => !isHeld(taker));
		if (waiting.length > 0) takers.push(probe);
		const most = full.has(limit.name) ? 0 : limit.most;
		// Places are taken all over a pool, so that a search soon finds a free one.
		const from = Math.floor(systemClock.random() * most);
		await search([{ limit: { ...limit, most }, of: 'all', takers, from }], spare, enter);
		if (takers.some(isHeld)) full.add(limit.name);
		for (const { heldBy } of waiting) heldBy.push(...probe.heldBy);
	}
}

/** The places of one limit, for one person or for all. */
interface Pool {
	limit: LimitNow;
	/** This is the person, or 'all'. */
	of: string;
	/** Each wants one place. */
	takers: readonly Taker[];
	/** The search begins after this place. */
	from: number;
}

/** The key of a place, from 1. */
export const placeKey = (name: string, of: string, place: number) => `${name} ${of} ${place}`;

/** Keys of places in a circle that begins after `from`; all of them if nothing else is said. */
export const placeKeys = ({ name, most }: LimitNow, of: string, count = most, from = 0) =>
	Array.from({ length: count }, (_, next) => placeKey(name, of, ((from + next) % most) + 1));

/** Gives each taker a place of each of its pools, or the limit's reason. */
async function search(pools: readonly Pool[], spare: string[], enter: Enter) {
	const searches = pools.map((pool) => ({ ...pool, asked: 0, left: [...pool.takers] }));
	const isOpen = ({ left, asked, limit }: (typeof searches)[number]) =>
		left.length > 0 && asked < limit.most;
	let open = searches.filter(isOpen);
	for (let size = 1; open.length > 0; size *= 2) {
		const blocks = open.map(({ limit, of, takers, from, asked }) =>
			placeKeys(limit, of, Math.min(size * takers.length, limit.most - asked), from + asked),
		);
		const free = await enter(blocks.flat());
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

/** Rows asked × keys in the list: with more, a dry run would take too long. */
const MAX_COMPARISONS = 10_000_000;

/**
 * Asks for all that decides about the rows of a dry run; undefined if that would take too long. If
 * the process is killed, one slice of people may stay entered. Rejects if the database does, and if
 * the run is stopped.
 */
export async function askMemory(
	list: KeyList,
	settings: MemorySettings,
	rows: readonly ClaimRow[],
	now: number,
) {
	const size = await list.size();
	if (rows.length * size > MAX_COMPARISONS) return undefined;
	const limits = limitsAt(settings.limits, now);
	const ofAll = limits.counted.filter(({ of }) => of === 'all');
	const wanted = new Set([SOMEBODY, ...ofAll.flatMap((limit) => placeKeys(limit, 'all'))]);
	const slices = new Slices();
	for (const row of rows) {
		const { person } = row;
		const keys = [
			personKey(person),
			...keysOf(row, settings).deciding.map(({ key }) => key),
			...(limits.gap?.keys(person) ?? []),
			...limits.counted.flatMap((limit) => (limit.of === 'person' ? placeKeys(limit, person) : [])),
		];
		for (const key of keys) wanted.add(key);
		await slices.restIfOver();
	}
	const taken = size === 0 ? new Set<string>() : await list.ask([...wanted]);
	return new Foresight(settings, taken, limits);
}

/** What a live run would decide, request by request. */
export class Foresight {
	/** What the rows before would have taken. */
	private readonly entered = new Set<string>();
	private readonly full = new Set<string>();

	constructor(
		private readonly settings: MemorySettings,
		private readonly taken: ReadonlySet<string>,
		private readonly limits: LimitsNow,
	) {}

	/** Why rows would not be called, by position; the others would be, and count. */
	async heldBack(rows: readonly ClaimRow[]) {
		const { settings, limits, full, entered, taken } = this;
		const { heldBack, spare } = await decide(rows, settings, limits, full, (keys) => {
			const free = new Set(keys.filter((key) => !taken.has(key) && !entered.has(key)));
			for (const key of free) entered.add(key);
			return free;
		});
		for (const key of spare) entered.delete(key);
		return heldBack;
	}

	/** Whether any setting of this workflow has called somebody. */
	get isEmpty() {
		return !this.taken.has(SOMEBODY);
	}

	/** Whether any setting of this workflow has called the row's person. */
	wasCalled({ person }: ClaimRow) {
		return this.taken.has(personKey(person));
	}
}
