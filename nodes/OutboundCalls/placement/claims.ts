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
 * The host's store reads, changes and writes a whole list without a lock (host fact), so claims of the
 * whole process stand in one line. Workers of a cluster are not covered: the README says so.
 */
let line: Promise<unknown> = Promise.resolve();

async function inLine<T>(work: () => Promise<T>): Promise<T> {
	const turn = line.then(work);
	line = turn.catch(() => undefined);
	return await turn;
}

/** Claims that outlive the run and the process, in the host's database, for this node of this workflow. */
export function durableClaims(context: IExecuteFunctions): Claims {
	const keyOf = (row: Row): string => row.callOnceKey ?? row.destination;
	const { helpers } = context;
	const mine = new Set<string>();
	return {
		claim: async (rows) =>
			await inLine(async () => {
				const byKey = new Map<string, number>();
				for (const row of rows) {
					const key = keyOf(row);
					if (!byKey.has(key)) byKey.set(key, row.position);
				}
				const { new: fresh } = await helpers.checkProcessedAndRecord([...byKey.keys()], 'node', { mode: 'entries' });
				const keys = fresh as string[];
				for (const key of keys) mine.add(key);
				return new Set(keys.map((key) => byKey.get(key)!));
			}),
		release: async (rows) => {
			const keys = [...new Set(rows.map(keyOf))].filter((key) => mine.delete(key));
			if (keys.length === 0) return;
			try {
				await inLine(async () => {
					await helpers.removeProcessed(keys, 'node', { mode: 'entries' });
				});
			} catch {
				// A claim that stays keeps a person from being called, never calls one twice.
			}
		},
	};
}
