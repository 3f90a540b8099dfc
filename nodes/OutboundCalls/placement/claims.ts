import type { IExecuteFunctions } from 'n8n-workflow';
import type { Row } from '../domain/row';

/** Takes rows for this run, once and for all runs of the workflow. */
export interface Claims {
	/** Claims the rows that nobody had claimed before, and returns their positions. Rejects when the store cannot be used. */
	claim(rows: readonly Row[]): Promise<Set<number>>;
	/** Rows that certainly were not placed may be claimed again. */
	release(rows: readonly Row[]): Promise<void>;
	/** The rows whose turn will come, in that order. */
	expect?(rows: readonly Row[]): void;
	/** No further turn will come. */
	settle?(): Promise<void>;
}

/** With Call Again in Each Run, every row may be called. */
export const noClaims: Claims = {
	claim: async (rows) => await Promise.resolve(new Set(rows.map(({ position }) => position))),
	release: async () => {
		await Promise.resolve();
	},
};

/**
 * The host's store reads, changes and writes a whole list without a lock (n8n behaviour). So all claims of
 * this process are made one after the other. The workers of a cluster are not covered; `docs/retry.md` says so.
 */
let line: Promise<unknown> = Promise.resolve();

async function queued<T>(work: () => Promise<T>): Promise<T> {
	const turn = line.then(work);
	line = turn.catch(() => undefined);
	return await turn;
}

/** Keys of this node of this workflow in the host's database: one write after the other. */
export const keysInDatabase = ({ helpers }: IExecuteFunctions) => ({
	/** Those that were not there before. */
	record: async (keys: string[]): Promise<Set<string>> =>
		await queued(async () => new Set((await helpers.checkProcessedAndRecord(keys, 'node', { mode: 'entries' })).new as string[])),
	forget: async (keys: string[]): Promise<void> => {
		await queued(async () => await helpers.removeProcessed(keys, 'node', { mode: 'entries' }));
	},
});

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
export function durableClaims(context: IExecuteFunctions, { keyOf, alsoOf = () => [], isOurs }: ClaimKeys): Claims {
	const { helpers } = context;
	const record = async (keys: string[]): Promise<Set<string>> =>
		new Set((await helpers.checkProcessedAndRecord(keys, 'node', { mode: 'entries' })).new as string[]);
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
	/** Whether this run holds the key for a call that only shares it: a row of its own may be called all the same, as in one request. */
	const isShared = (key: string): boolean => holders.has(key) && [...along.values()].some((keys) => keys.includes(key));

	const claimAlong = async (rows: readonly Row[]): Promise<void> => {
		const wanted = new Set(rows.flatMap((row) => alsoOf(row)));
		if (wanted.size === 0) return;
		const fresh = await record([...wanted]);
		for (const row of rows) {
			const keys = alsoOf(row).filter((key) => fresh.delete(key));
			keys.forEach(hold);
			along.set(row.position, keys);
		}
	};

	return {
		claim: async (rows) =>
			await queued(async () => {
				const claimed: Row[] = [];
				const asked = new Map<string, Row[]>();
				for (const row of rows) {
					const key = keyOf(row);
					const isFree = key === undefined || stuck.delete(key) || (isOurs !== undefined && holders.has(key)) || isShared(key);
					if (isFree) claimed.push(row);
					else asked.set(key, [...(asked.get(key) ?? []), row]);
					if (isFree && key !== undefined) hold(key);
				}
				const fresh = asked.size > 0 ? await record([...asked.keys()]) : new Set<string>();
				for (const [key, same] of asked) {
					const free = !fresh.has(key) ? same.filter((row) => isOurs?.(row)) : isOurs ? same : same.slice(0, 1);
					claimed.push(...free);
					if (fresh.has(key)) free.forEach(() => hold(key));
				}
				await claimAlong(claimed);
				return new Set(claimed.map(({ position }) => position));
			}),
		release: async (rows) => {
			await queued(async () => {
				const keys = rows.flatMap((row) => [keyOf(row), ...(along.get(row.position) ?? [])]).filter((key) => key !== undefined);
				for (const key of keys.filter(letGo)) stuck.add(key);
				for (const { position } of rows) along.delete(position);
				if (stuck.size === 0) return;
				await helpers.removeProcessed([...stuck], 'node', { mode: 'entries' });
				stuck.clear();
			}).catch(() => {
				// Tried again with the next release. A claim that stays keeps a person from being called; nobody is called twice.
			});
		},
	};
}

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
 * no more often than it has rows, also where a retry reads the rows in another way, with changed settings.
 */
export function retryClaims(context: IExecuteFunctions, keysOf: (row: Row) => RetryKeys | undefined): Claims {
	const { helpers } = context;
	const record = async (keys: string[]): Promise<Set<string>> =>
		new Set((await helpers.checkProcessedAndRecord(keys, 'node', { mode: 'entries' })).new as string[]);
	const forget = async (keys: string[]): Promise<void> => {
		if (keys.length > 0) await helpers.removeProcessed(keys, 'node', { mode: 'entries' });
	};
	const held = new Map<number, string[]>();

	const claimRow = async ({ position }: Row, { row, calls, made }: RetryKeys): Promise<boolean> => {
		if (!(await record([row])).has(row)) return false;
		if (made > 0) await record(calls.slice(0, made));
		for (const call of calls.slice(made)) {
			if (!(await record([call])).has(call)) continue;
			held.set(position, [row, call]);
			return true;
		}
		await forget([row]);
		return false;
	};
	return {
		claim: async (rows) =>
			await queued(async () => {
				const claimed = new Set<number>();
				const alone: Array<{ position: number; keys: string[] }> = [];
				for (const row of rows) {
					const keys = keysOf(row);
					if (!keys) claimed.add(row.position);
					else if (keys.calls.length === 1 && keys.made === 0) alone.push({ position: row.position, keys: [keys.row, keys.calls[0]!] });
					else if (await claimRow(row, keys)) claimed.add(row.position);
				}
				if (alone.length === 0) return claimed;
				// One write for all rows whose number has no other row.
				const fresh = await record(alone.flatMap(({ keys }) => keys));
				const inVain: string[] = [];
				for (const { position, keys } of alone) {
					if (keys.every((key) => fresh.has(key))) {
						held.set(position, keys);
						claimed.add(position);
					} else inVain.push(...keys.filter((key) => fresh.has(key)));
				}
				await forget(inVain);
				return claimed;
			}),
		release: async (rows) => {
			await queued(async () => {
				await forget(rows.flatMap(({ position }) => held.get(position) ?? []));
				for (const { position } of rows) held.delete(position);
			}).catch(() => undefined);
		},
	};
}

/** If the store cannot be used, every row counts as claimed. For claims against a case that only a host with a store can have. */
export const ignoreStoreErrors = (claims: Claims): Claims => ({
	claim: async (rows) => await claims.claim(rows).catch(async () => await noClaims.claim(rows)),
	release: async (rows) => {
		await claims.release(rows);
	},
});

/** A row is claimed when both claim it. */
export const combineClaims = (first: Claims, second: Claims): Claims => ({
	async claim(rows) {
		const claimed = await first.claim(rows);
		const firstRows = rows.filter(({ position }) => claimed.has(position));
		let kept = new Set<number>();
		try {
			kept = await second.claim(firstRows);
			return kept;
		} finally {
			await first.release(firstRows.filter(({ position }) => !kept.has(position)));
		}
	},
	async release(rows) {
		await first.release(rows);
		await second.release(rows);
	},
});
