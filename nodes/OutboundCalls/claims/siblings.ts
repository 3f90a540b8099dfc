import type { Row } from '../domain/row';
import type { Claims } from './claims';
import type { ClaimStore } from './claimStore';

const partition = <T>(all: readonly T[], belongs: (each: T) => boolean): [T[], T[]] => [all.filter(belongs), all.filter((each) => !belongs(each))];

/** What a row's call is known by among the retries of one execution. */
export interface RetryKeys {
	/** The row itself, by what it says. */
	row: string;
	/** The first, second … call to its number, as many as it has rows. */
	calls: readonly string[];
	/** So many of them were made by executions that this one continues. */
	made: number;
}

/**
 * Claims among the retries of one execution, which know nothing of each other. A row is called once, and a number
 * no more often than it has rows, also where a retry reads the rows in another way, with changed settings. Never rejects: a row
 * for which the store cannot be used counts as claimed, because then there are no other retries either.
 */
export function retryClaims(store: ClaimStore, keysOf: (row: Row) => RetryKeys | undefined): Claims {
	const held = new Map<number, string[]>();
	/** Calls that this retry or another one has made, or is about to make. */
	const taken = new Set<string>();

	const claimRow = async ({ position }: Row, { row, calls, made }: RetryKeys): Promise<boolean> => {
		if (!(await store.hold([row])).has(row)) return false;
		const before = calls.slice(0, made).filter((call) => !taken.has(call));
		if (before.length > 0) await store.hold(before);
		for (const call of before) taken.add(call);
		for (const call of calls.slice(made)) {
			if (taken.has(call)) continue;
			taken.add(call);
			if (!(await store.hold([call])).has(call)) continue;
			held.set(position, [row, call]);
			return true;
		}
		await store.forget([row]);
		return false;
	};

	/** One write for all rows whose number has no other row. Resolves with the positions of those that were claimed. */
	const claimAlone = async (rows: ReadonlyArray<{ position: number; keys: string[] }>): Promise<number[]> => {
		if (rows.length === 0) return [];
		const fresh = await store.hold(rows.flatMap(({ keys }) => keys));
		const [claimed, inVain] = partition(rows, ({ keys }) => keys.every((key) => fresh.has(key)));
		for (const { position, keys } of claimed) held.set(position, keys);
		await store.forget(inVain.flatMap(({ keys }) => keys.filter((key) => fresh.has(key))));
		return claimed.map(({ position }) => position);
	};

	return {
		async claim(rows) {
			const claimed = new Set<number>();
			const alone: Array<{ position: number; keys: string[] }> = [];
			const several: Array<[Row, RetryKeys]> = [];
			for (const row of rows) {
				const keys = keysOf(row);
				if (!keys) claimed.add(row.position);
				else if (keys.calls.length === 1 && keys.made === 0) alone.push({ position: row.position, keys: [keys.row, keys.calls[0]!] });
				else several.push([row, keys]);
			}
			for (const position of await claimAlone(alone)) claimed.add(position);
			for (const [row, keys] of several) if (await claimRow(row, keys)) claimed.add(row.position);
			return claimed;
		},
		async release(rows) {
			const keys = rows.flatMap(({ position }) => held.get(position) ?? []);
			for (const { position } of rows) held.delete(position);
			for (const key of keys) taken.delete(key);
			await store.forget(keys);
		},
	};
}
