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
	/** Keys that this run entered and has not let go. */
	const owned = new Set<string>();
	/** How many rows of this run hold a key. Where rows share one, a row that asks for it holds it already: no other one lets it go meanwhile. */
	const holders = new Map<string, number>();
	/** The keys that a row holds, by position. */
	const held = new Map<number, string[]>();
	/** Those of them that only go along with its call. */
	const along = new Map<number, readonly string[]>();

	const hold = ({ position }: Row, key: string): void => {
		holders.set(key, (holders.get(key) ?? 0) + 1);
		const keys = held.get(position);
		if (keys) keys.push(key);
		else held.set(position, [key]);
	};
	/** Whether the row was the last one to hold a key of this run. */
	const letGo = (key: string): boolean => {
		const others = holders.get(key)! - 1;
		if (others > 0) holders.set(key, others);
		else holders.delete(key);
		return others === 0 && owned.delete(key);
	};
	const release = async (rows: readonly Row[]): Promise<void> => {
		const keys = rows.flatMap(({ position }) => held.get(position) ?? []);
		for (const { position } of rows) {
			held.delete(position);
			along.delete(position);
		}
		await store.forget(keys.filter(letGo));
	};
	/** Whether rows of this run may be called by a key that it has claimed for another one. With a key that only goes along with a call, that is as in one request. */
	const isShared = (key: string): boolean => owned.has(key) && (isOurs !== undefined || [...along.values()].some((keys) => keys.includes(key)));

	const claimAlong = async (rows: readonly Row[]): Promise<void> => {
		const wanted = new Set(rows.flatMap((row) => alsoOf(row)));
		if (wanted.size === 0) return;
		const fresh = await store.record([...wanted]);
		for (const row of rows) {
			const keys = alsoOf(row).filter((key) => fresh.delete(key));
			for (const key of keys) {
				owned.add(key);
				hold(row, key);
			}
			along.set(row.position, keys);
		}
	};

	const claim = async (rows: readonly Row[]): Promise<Row[]> => {
		const claimed: Row[] = [];
		const asked = new Map<string, Row[]>();
		for (const row of rows) {
			const key = keyOf(row);
			const isFree = key === undefined || isShared(key);
			if (isFree) claimed.push(row);
			if (key === undefined) continue;
			if (isFree || isOurs) hold(row, key);
			if (isFree) continue;
			const same = asked.get(key);
			if (same) same.push(row);
			else asked.set(key, [row]);
		}
		const fresh = asked.size > 0 ? await store.record([...asked.keys()]) : new Set<string>();
		const lost: Row[] = [];
		for (const [key, same] of asked) {
			const isFree = fresh.has(key);
			if (isFree) owned.add(key);
			// Another request of this run may have claimed the key meanwhile.
			if (isFree || isShared(key)) {
				const first = isFree && !isOurs ? same.slice(0, 1) : same;
				if (!isOurs) for (const row of first) hold(row, key);
				claimed.push(...first);
			} else {
				claimed.push(...same.filter((row) => isOurs?.(row)));
				lost.push(...same);
			}
		}
		if (lost.length > 0) await release(lost);
		await claimAlong(claimed);
		return claimed;
	};

	return {
		async claim(rows) {
			let claimed: Row[] | undefined;
			try {
				claimed = await claim(rows);
			} finally {
				// Nobody knows of what was claimed before the database broke off.
				if (!claimed) await release(rows);
			}
			return new Set(claimed.map(({ position }) => position));
		},
		release,
	};
}
