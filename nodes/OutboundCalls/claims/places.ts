/**
 * Numbered places, of which each has one holder: any free one of N. So many calls, and no more, by retries that know nothing of
 * each other: to a number with N rows, or up to Max Calls. (The places of `counts.ts` are others, and have no holder.)
 *
 * A place is a key like any other (`runKeys.ts`), named by whom or what it counts and its number. To this run it is
 * - open: the run has not asked for it;
 * - taken: asked for. It is this run's if the list named it as fresh, and otherwise another run's, as far as this run will
 *   ever know;
 * - given back: open again, and taken out of the list.
 *
 * What is traded: places are asked for from the first one on, as many at once as are wanted. A run that knows nothing meets those
 * of the others first, which costs a write each time that somebody was faster, but never are more entered than are wanted. When
 * the process dies, the places of calls that did not begin stay taken, also of rows claimed ahead (`ahead.ts`): that many
 * calls fewer.
 */
import type { RunKeys } from './runKeys';

export class Places {
	private readonly taken = new Set<string>();

	constructor(private readonly keys: RunKeys) {}

	/** Takes `wanted` of the places, or as many as are free. Rejects when the database cannot be used: then none is taken. */
	async take(places: () => Iterable<string>, wanted: number): Promise<string[]> {
		const ours: string[] = [];
		const asked: string[] = [];
		let isAnswered = false;
		try {
			for (
				let next = this.open(places(), wanted);
				next.length > 0;
				next = this.open(places(), wanted - ours.length)
			) {
				asked.push(...next);
				const fresh = await this.keys.record(next);
				ours.push(...next.filter((place) => fresh.has(place)));
			}
			isAnswered = true;
		} finally {
			if (!isAnswered) await this.giveBack(asked);
		}
		return ours;
	}

	/** Enters places that are taken already, whoever holds them, so that other runs know. Rejects when the database cannot be used. */
	async occupy(places: readonly string[]): Promise<string[]> {
		const unknown = this.open(places, places.length);
		if (unknown.length > 0) await this.keys.record(unknown);
		return unknown;
	}

	/** Never rejects. */
	async giveBack(places: readonly string[]): Promise<void> {
		for (const place of places) this.taken.delete(place);
		await this.keys.forget(places);
	}

	/** They are taken from now on: what is asked for at the same time gets others. */
	private open(places: Iterable<string>, wanted: number): string[] {
		const open: string[] = [];
		for (const place of places) {
			if (open.length >= wanted) break;
			if (this.taken.has(place)) continue;
			this.taken.add(place);
			open.push(place);
		}
		return open;
	}
}
