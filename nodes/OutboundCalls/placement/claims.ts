import type { IExecuteFunctions } from 'n8n-workflow';
import type { Row } from '../domain/row';

/** Takes rows for this run, once and for all runs of the workflow. */
export interface Claims {
	/** The positions of rows that nobody had claimed; now this run has. Rejects when the store cannot be used. */
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
 * The host's store reads, changes and writes a whole list without a lock (n8n behaviour), so claims of the
 * whole process stand in one line. Workers of a cluster are not covered: the README says so.
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
				// A claim that stays keeps a person from being called, never calls one twice.
			}
		},
	};
}

/** Claims that are left out where the host has no store: they guard a case that such a host does not have. */
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
