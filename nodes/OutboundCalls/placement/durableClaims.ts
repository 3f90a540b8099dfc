import type { Row } from '../domain/row';
import type { Claims } from './claims';
import type { ClaimStore } from './claimStore';

/** How the rows of a run and the keys in the database belong together. */
export interface ClaimKeys {
	/** The key that decides; undefined: the row needs no claim. */
	keyOf: (row: Row) => string | undefined;
	/** Keys that the row's call stands for as well: those of the rows that share it. */
	alsoOf?: (row: Row) => readonly string[];
	/** With it, several rows of the run share the claim of a key. It says whether an earlier try of this execution claimed the row's key; such a claim is never released: a call stands behind it. */
	isOurs?: (row: Row) => boolean;
}

/** Claims that outlive the run and the process, in the host's database, for this node of this workflow. */
export function durableClaims(store: ClaimStore, { keyOf, alsoOf = () => [], isOurs }: ClaimKeys): Claims {
	/** How many rows of this run have claimed a key. */
	const holders = new Map<string, number>();
	const hold = (key: string): number => holders.set(key, (holders.get(key) ?? 0) + 1).get(key)!;
	/** Whether the last row that held the key has let it go. */
	const letGo = (key: string): boolean => {
		const others = (holders.get(key) ?? 0) - 1;
		if (others <= 0) return holders.delete(key);
		holders.set(key, others);
		return false;
	};
	/** Let go by this run, but still in the database, which could not be written: nobody else can have claimed them. */
	const stuck = new Set<string>();
	/** Keys that went along with a row's claim, by position. */
	const along = new Map<number, string[]>();
	/** Whether this run holds the key for other rows of it that may be called as well. With a key that only goes along with a call, that is as in one request. */
	const isHeld = (key: string): boolean => holders.has(key) && (isOurs !== undefined || [...along.values()].some((keys) => keys.includes(key)));

	const claimAlong = async (rows: readonly Row[]): Promise<void> => {
		const wanted = new Set(rows.flatMap((row) => alsoOf(row)));
		if (wanted.size === 0) return;
		const fresh = await store.record([...wanted]);
		for (const row of rows) {
			const keys = alsoOf(row).filter((key) => fresh.delete(key));
			keys.forEach(hold);
			along.set(row.position, keys);
		}
	};

	return {
		async claim(rows) {
			const claimed: Row[] = [];
			const take = (row: Row, key: string): void => {
				claimed.push(row);
				hold(key);
			};
			const asked = new Map<string, Row[]>();
			for (const row of rows) {
				const key = keyOf(row);
				if (key === undefined) claimed.push(row);
				else if (stuck.delete(key) || isHeld(key)) take(row, key);
				else asked.set(key, [...(asked.get(key) ?? []), row]);
			}
			const fresh = asked.size > 0 ? await store.record([...asked.keys()]) : new Set<string>();
			for (const [key, same] of asked) {
				const isFree = fresh.has(key) || stuck.delete(key);
				// Another request of this run may have claimed the key meanwhile.
				if (isFree || isHeld(key)) for (const row of isFree && !isOurs ? same.slice(0, 1) : same) take(row, key);
				else claimed.push(...same.filter((row) => isOurs?.(row)));
			}
			await claimAlong(claimed);
			return new Set(claimed.map(({ position }) => position));
		},
		async release(rows) {
			const keys = rows.flatMap((row) => [keyOf(row), ...(along.get(row.position) ?? [])]).filter((key) => key !== undefined);
			for (const { position } of rows) along.delete(position);
			const free = [...stuck, ...keys.filter(letGo)];
			stuck.clear();
			// Tried again with the next release. A claim that stays keeps a person from being called; nobody is called twice.
			for (const key of await store.forget(free)) stuck.add(key);
		},
	};
}
