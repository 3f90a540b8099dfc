import type { Row } from '../domain/row';

/** Takes rows for this run, once and for all runs of the workflow. */
export interface Claims {
	/** Claims the rows that nobody had claimed before, and returns their positions. Rejects when the store cannot be used. */
	claim(rows: readonly Row[]): Promise<Set<number>>;
	/** Rows that certainly were not placed may be claimed again. */
	release(rows: readonly Row[]): Promise<void>;
	/** The rows whose turn will come, in that order. */
	expect?(rows: readonly Row[]): void;
	/** The turn of these rows will not come. */
	pass?(rows: readonly Row[]): void;
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

/** A row is claimed when both claim it. They are asked at the same moment, so that one write of the database serves both. */
export const combineClaims = (first: Claims, second: Claims): Claims => ({
	async claim(rows) {
		const [ofFirst, ofSecond] = [new Set<number>(), new Set<number>()];
		const ask = async (claims: Claims, asked: readonly Row[], claimed: Set<number>): Promise<void> => {
			for (const position of await claims.claim(asked)) claimed.add(position);
		};
		const those = (claimed: ReadonlySet<number>, but: ReadonlySet<number>): Row[] =>
			rows.filter(({ position }) => claimed.has(position) && !but.has(position));
		let kept: ReadonlySet<number> = new Set<number>();
		try {
			const asks = [ask(first, rows, ofFirst), ask(second, rows, ofSecond)];
			await Promise.allSettled(asks);
			await Promise.all(asks);
			const open = those(ofFirst, ofSecond);
			const inVain = those(ofSecond, ofFirst);
			for (const { position } of inVain) ofSecond.delete(position);
			await second.release(inVain);
			// A row in vain may have taken the key of one that is open.
			if (inVain.length > 0 && open.length > 0) await ask(second, open, ofSecond);
			kept = ofSecond;
			return ofSecond;
		} finally {
			await Promise.all([first.release(those(ofFirst, kept)), second.release(those(ofSecond, kept))]);
		}
	},
	async release(rows) {
		if (rows.length > 0) await Promise.all([first.release(rows), second.release(rows)]);
	},
});
