/**
 * How many calls were made, to a person or in all, in a day, a week, a month or ever: so many, and no more, by all runs that
 * share the list of keys.
 *
 * A count is as many numbered places as calls, without a gap. Unlike those of `places.ts`, they have no holder: whoever takes a
 * call adds the next place, and whoever gives one back takes the last one out. Beside them stands which period is counted, in
 * three keys of few digits. When a call is counted in another period, the same places are counted anew: the first ones stay, as
 * many as calls are counted now, and the others and the digits that changed are taken out. So a list grows with people, and not
 * with days.
 *
 * A count is
 * - new: its first place is missing. Nothing was counted;
 * - of this period: its first place and all three keys of the period are there. So many calls were made as there are places;
 * - over: its first place is there, and a key of the period is missing. Its places are of an earlier period: no call was made in
 *   this one.
 *
 * Reading a count enters what is asked for (n8n behaviour), so it is read, judged and written as one step in which nobody else
 * writes (`keyList.ts`), and what was entered in vain is taken out at its end. The number of places is searched for in steps that
 * double and then halve.
 *
 * What is traded: rather too few calls than too many. When the process dies between a count and its call, the call stays counted.
 * When it dies within a step, what the search has entered is counted as well, which may be about as many calls again; or, in the
 * first step of a period, all calls of the one before. But where several processes write, they may sweep places away, which nobody reads back:
 * then too many calls are made.
 */
import { type Counted, type LimitRefusal, Tally } from '../domain/callLimits';
import { periodKeys, placeKey, placesOf, staleKeys } from '../domain/countKeys';
import type { Turn } from './keyList';
import type { RunKeys } from './runKeys';

/** Of counts with more places than this, the run remembers how many they were, and the next search begins there. */
const FEW = 4;

/** Calls that a run has counted for a row. */
export interface Taken {
	counted: readonly Counted[];
	/** What the run had lost by then. */
	since: number;
}

/** A count as it is found in the list. */
interface Found {
	counted: Counted;
	/** These places were there before: 1 up to it. */
	places: number;
	/** The lowest place of which it is known that it was not there. */
	absent: number;
	/** Keys that reading has entered. */
	entered: Set<string>;
	/** The places are of an earlier period. */
	isOver: boolean;
	/** Keys of earlier periods, as far as there may be any. */
	stale: readonly string[];
}

export class Counts {
	/** What was not given back yet: a call of one count each. */
	private owed: Array<{ each: Counted; since: number }> = [];
	/** How many places a count had when this run saw it last, where they are many. */
	private readonly seen = new Map<string, number>();

	constructor(private readonly keys: RunKeys) {}

	/**
	 * Counts a call for each row, in this order, as far as none of its counts is full: why not, for the others. `rowsNow` is asked
	 * as the step begins, so that no step is of an earlier day than the one before. Rejects when the database cannot be used: then
	 * none is counted.
	 */
	async take(
		rowsNow: () => ReadonlyArray<readonly Counted[]>,
	): Promise<Array<LimitRefusal | undefined>> {
		return await this.keys.turn(async (list) => {
			const rows = rowsNow();
			const counts = await read(list, unique(rows.flat()), this.seen);
			const before = new Map(
				counts.map(({ counted, places, isOver }) => [counted.name, isOver ? 0 : places]),
			);
			const tally = new Tally(({ name }) => before.get(name)!);
			const refusals = rows.map((row) => tally.add(row));
			const enter: string[] = [];
			const takeOut: string[] = [];
			for (const count of counts) {
				const made = tally.of(count.counted);
				const change = changed(count, made);
				enter.push(...change.enter);
				takeOut.push(...change.takeOut);
				if (made > FEW) this.seen.set(count.counted.name, made);
			}
			if (enter.length > 0) await list.enter(enter);
			await list.takeOut(takeOut);
			return refusals;
		});
	}

	/** What `take` has counted for a row. */
	taken(counted: readonly Counted[]): Taken {
		for (const { name } of counted) this.keys.watch(placeKey(name, 1));
		return { counted, since: this.keys.losses };
	}

	/** Whether somebody took out what was counted: then it does not count any more, and others may count in its place. */
	isForgotten(taken: Taken): boolean {
		return this.forgotten(taken).size > 0;
	}

	/** The names of the counts that somebody took out. */
	forgotten({ counted, since }: Taken): Set<string> {
		return new Set(
			counted.map(({ name }) => name).filter((name) => this.keys.isLost(placeKey(name, 1), since)),
		);
	}

	/** Calls that were counted and certainly were not made. Never rejects: as long as the database cannot be used, they are owed (`keyList.ts`). */
	async giveBack(taken: readonly Taken[]): Promise<void> {
		// Marks are no calls.
		const calls = taken.flatMap(({ counted, since }) =>
			counted.filter(({ isMark }) => !isMark).map((each) => ({ each, since })),
		);
		if (calls.length === 0) return;
		this.owed.push(...calls);
		await this.keys.later(async (list) => await this.giveBackTo(list));
	}

	private async giveBackTo(list: Turn): Promise<void> {
		while (this.owed.length > 0) {
			// A run over midnight has calls of two periods of one count, and only those of the one that is counted are given back.
			const periods = new Map(this.owed.map(({ each }) => [each.name, each.period]));
			const calls = this.owed.filter(({ each }) => periods.get(each.name) === each.period);
			const counted = calls
				.filter(({ each, since }) => !this.keys.isLost(placeKey(each.name, 1), since))
				.map(({ each }) => each);
			const counts = await read(
				list,
				unique(counted).map((each) => ({ ...each, most: Infinity })),
				this.seen,
			);
			const keys = counts.flatMap((count) =>
				givenBack(count, counted.filter(({ name }) => name === count.counted.name).length),
			);
			// From here on, the list owes these keys, whatever happens to the write.
			const given = new Set(calls);
			this.owed = this.owed.filter((call) => !given.has(call));
			await list.takeOut(keys);
		}
	}

	/** Sets marks. Where the database cannot be used, they are set before anybody asks for them. Rejects when the list was emptied meanwhile. */
	async mark(names: readonly string[]): Promise<void> {
		await this.keys.note(names.map((name) => placeKey(name, 1)));
	}
}

/** `seen`: how many places counts had before. */
async function read(
	list: Turn,
	counted: readonly Counted[],
	seenBefore: ReadonlyMap<string, number> = new Map(),
): Promise<Found[]> {
	const asked = counted.map((each) => ({
		each,
		first: placeKey(each.name, 1),
		seen: seenBefore.get(each.name),
		period: periodKeys(each),
	}));
	const fresh = await list.enter(
		asked.flatMap(({ each, first, seen, period }) => [
			first,
			...(seen ? [placeKey(each.name, seen)] : []),
			...period,
		]),
	);
	const counts = asked.map(({ each, first, seen, period }): Found => {
		const isNew = fresh.has(first);
		const missing = period.findIndex((key) => fresh.has(key));
		const isOver = !isNew && missing >= 0;
		const last = seen === undefined ? undefined : placeKey(each.name, seen);
		const entered = new Set(
			[first, ...period, ...(last ? [last] : [])].filter((key) => fresh.has(key)),
		);
		const places = isNew ? 0 : last && !fresh.has(last) ? seen! : 1;
		const absent = isNew
			? 1
			: last && fresh.has(last)
				? seen!
				: isOver
					? Infinity
					: Math.max(each.most, places) + 1;
		// A count that was given back whole has no period left, unless the process died meanwhile.
		const from = isNew ? (period.some((key) => !fresh.has(key)) ? 0 : -1) : missing;
		return {
			counted: each,
			places,
			absent,
			entered,
			isOver,
			stale: from < 0 ? [] : staleKeys(each, from),
		};
	});
	await search(list, counts);
	return counts;
}

/** Finds how many places each count has. */
async function search(list: Turn, counts: readonly Found[]): Promise<void> {
	let step = 1;
	for (let open = counts; ; step *= 2) {
		open = open.filter(({ places, absent }) => absent - places > 1);
		if (open.length === 0) return;
		const asked = open.map((count) => ({
			count,
			at: Math.min(count.places + step, Math.floor((count.places + count.absent) / 2)),
		}));
		const fresh = await list.enter(asked.map(({ count, at }) => placeKey(count.counted.name, at)));
		for (const { count, at } of asked) {
			const key = placeKey(count.counted.name, at);
			if (!fresh.has(key)) count.places = at;
			else {
				count.absent = at;
				count.entered.add(key);
			}
		}
	}
}

/** What has to be entered and taken out so that the count is `made`. */
function changed(
	{ counted, places, entered, isOver, stale }: Found,
	made: number,
): { enter: string[]; takeOut: string[] } {
	// Nothing is counted in this period: it stays as it was.
	if (made === 0) return { enter: [], takeOut: [...entered] };
	const enter = placesOf(counted, places + 1, made).filter((key) => !entered.has(key));
	const kept = new Set([...placesOf(counted, 1, made), ...periodKeys(counted)]);
	const past = isOver ? placesOf(counted, made + 1, places) : [];
	return { enter, takeOut: [...[...entered].filter((key) => !kept.has(key)), ...past, ...stale] };
}

/** What has to be taken out so that so many calls are counted less. A count of an earlier period stays as it was. */
function givenBack({ counted, places, entered, isOver }: Found, calls: number): string[] {
	if (isOver) return [...entered];
	const left = Math.max(0, places - calls);
	return [
		...entered,
		...placesOf(counted, left + 1, places),
		...(left === 0 ? periodKeys(counted) : []),
	];
}

const unique = (counted: readonly Counted[]): Counted[] => [
	...new Map(counted.map((each) => [each.name, each])).values(),
];

/**
 * All keys of these counts and marks, of whatever period, with what asking has entered. Left are digits of a period whose places are
 * gone, because a process died between two writes: they count nothing.
 */
export async function keysOf(list: Turn, counted: readonly Counted[]): Promise<string[]> {
	const firsts = counted.map(({ name }) => placeKey(name, 1));
	const fresh = await list.enter(firsts.filter((_first, index) => !counted[index]!.isMark));
	const made = counted.filter(({ isMark }, index) => !isMark && !fresh.has(firsts[index]!));
	const found = made.length > 0 ? await read(list, made) : [];
	const ofFound = found.flatMap((each) => [
		...each.entered,
		...placesOf(each.counted, 2, each.places),
		...periodKeys(each.counted),
		...each.stale,
	]);
	return [...firsts, ...ofFound];
}
