import type { IExecuteFunctions } from 'n8n-workflow';
import type { Row } from '../domain/row';

/** Takes rows for this run, once and for all runs of the workflow. */
export interface Claims {
	/** Claims the rows that nobody had claimed before, and returns their positions. Rejects when the store cannot be used. */
	claim(rows: readonly Row[]): Promise<Set<number>>;
	/** Rows that certainly were not placed may be claimed again. */
	release(rows: readonly Row[]): Promise<void>;
}

/** Without Call Once every row may be called. */
export const noClaims: Claims = {
	claim: async (rows) => await Promise.resolve(new Set(rows.map(({ position }) => position))),
	release: async () => {
		await Promise.resolve();
	},
};

/**
 * The host's store reads, changes and writes a whole list without a lock (n8n behaviour). So all claims of
 * this process are made one after the other. The workers of a cluster are not covered; the README says so.
 */
let line: Promise<unknown> = Promise.resolve();

async function queued<T>(work: () => Promise<T>): Promise<T> {
	const turn = line.then(work);
	line = turn.catch(() => undefined);
	return await turn;
}

/** Claims that outlive the run and the process, in the host's database, for this node of this workflow. */
export function durableClaims(context: IExecuteFunctions, keyOf: (row: Row) => string | undefined): Claims {
	const { helpers } = context;
	const mine = new Set<string>();
	return {
		claim: async (rows) => {
			const positions = new Set<number>();
			const byKey = new Map<string, number>();
			for (const row of rows) {
				const key = keyOf(row);
				if (key === undefined) positions.add(row.position);
				else if (!byKey.has(key)) byKey.set(key, row.position);
			}
			if (byKey.size === 0) return positions;
			return await queued(async () => {
				const { new: fresh } = await helpers.checkProcessedAndRecord([...byKey.keys()], 'node', { mode: 'entries' });
				for (const key of fresh as string[]) {
					mine.add(key);
					positions.add(byKey.get(key)!);
				}
				return positions;
			});
		},
		release: async (rows) => {
			const keys = [...new Set(rows.map(keyOf))].filter((key): key is string => key !== undefined && mine.delete(key));
			if (keys.length === 0) return;
			try {
				await queued(async () => {
					await helpers.removeProcessed(keys, 'node', { mode: 'entries' });
				});
			} catch {
				// If a claim stays, a person may not be called, but nobody is called twice.
			}
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
