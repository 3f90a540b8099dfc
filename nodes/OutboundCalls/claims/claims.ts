/**
 * Whose call a row is. Whoever has to agree claims it: the memory of people called (`memory.ts`), in a retry the other retries of
 * its execution (`siblings.ts`), and the limits (`withinLimits.ts`). All that they claim is keys in a list of the host's database
 * (`keyList.ts`), which outlive the process.
 *
 * A row is, one after the other, and when the process dies it is found as
 * - open: no key of it is entered. The next run calls it;
 * - being claimed: a write enters all of its keys or none, but the limits, and the places of a number with several rows, take
 *   further ones. As soon as its key of the memory is entered, it counts as called although nobody called it;
 * - claimed: all of its keys are entered, right before its request leaves or, where the list is long, ahead of its turn
 *   (`ahead.ts`; not the limits). It counts as called although nobody called it;
 * - sent: nothing changes until the API has answered. It counts as called, which it may have been;
 * - called, or nobody knows: its keys stay until somebody takes them out (Forget People);
 * - released: it certainly was not placed, or was cancelled before it was dialed. Its keys are let go, and owed until the database
 *   has taken them out. As long as it has not, the row counts as called.
 *
 * What is traded: a crash leaves some people uncalled, rather than have one called twice. As far as the memory goes, these are at most
 * - the rows of the requests under way, and those claimed ahead (`ahead.ts`);
 * - those released, or cancelled before they were dialed, as far as the database was not told;
 * - those of each write in doubt that was not cleared up (`keyList.ts`);
 * - one slice of people whom a dry run was asking for (`lookUp.ts`).
 * Limits may keep more of them back: places of rows whose turn had not come (`maxCalls.ts`), and counts (`counts.ts`).
 *
 * A person can be called twice after a crash
 * - with Call Again in Each Run. Nobody is remembered then but by the retries (`siblings.ts`) and the limits (`counts.ts`);
 * - where other processes, or nodes of another kind, write the list, also without a crash: they may sweep an entry away
 *   (`runKeys.ts`), or make it look as if a write in doubt had entered it (`keyList.ts`);
 * - when the process died while it wrote what opens the gate (`gate.ts`): people called under another setting, or before the list
 *   was emptied by something else;
 * - when the person was forgotten while being called, and the process died before they were remembered again (`memory.ts`).
 */
import type { LimitRefusal } from '../domain/callLimits';
import type { Row } from '../domain/row';

/** Takes rows for this run, once and for all runs that share the list of keys. */
export interface Claims {
	/** Claims the rows that nobody had claimed before, and returns their positions. Rejects when the database cannot be used: then none of them is claimed. */
	claim(rows: readonly Row[]): Promise<Set<number>>;
	/** Rows that certainly were not placed may be claimed again. Never rejects. */
	release(rows: readonly Row[]): Promise<void>;
	/** The rows whose turn will come, in that order. */
	expect?(rows: readonly Row[]): void;
	/** The turn of these rows will not come. */
	pass?(rows: readonly Row[]): void;
	/** No further turn will come. */
	settle?(): Promise<void>;
	/** Why a limit keeps a row from being claimed; undefined when none does. */
	refusalOf?(row: Row): LimitRefusal | undefined;
	/** Whether somebody took out what this row was claimed by (Forget People): then others may claim it, too. */
	isForgotten?(row: Row): boolean;
	/** Enters again what somebody took out, of rows that were called all the same. Whoever claimed them since keeps their claim. Rejects when the database cannot be used. */
	rememberAgain?(rows: readonly Row[]): Promise<void>;
	/** Whether these rows have to be claimed once more before they are sent, for another reason. */
	hasLapsed?(rows: readonly Row[]): boolean;
}

/** As `Claims.rememberAgain`. */
export async function rememberAgain(claims: Claims, rows: readonly Row[]): Promise<void> {
	if (claims.rememberAgain) return await claims.rememberAgain(rows);
	await claims.release(rows);
	await claims.claim(rows);
}

/** With Call Again in Each Run, every row may be called. */
export const noClaims: Claims = {
	claim: async (rows) => await Promise.resolve(new Set(rows.map(({ position }) => position))),
	release: async () => {
		await Promise.resolve();
	},
};

/** A row is claimed when both claim it. They are asked at the same moment, so that one write of the database serves both. */
export const both = (first: Claims, second: Claims): Claims => ({
	async claim(rows) {
		let kept = new Set<number>();
		try {
			const [ofFirst, ofSecond] = (await everyone([first.claim(rows), second.claim(rows)])) as [
				Set<number>,
				Set<number>,
			];
			const open = rows.filter(({ position }) => ofFirst.has(position) && !ofSecond.has(position));
			const inVain = rows.filter(
				({ position }) => ofSecond.has(position) && !ofFirst.has(position),
			);
			await second.release(inVain);
			for (const { position } of inVain) ofSecond.delete(position);
			// A row in vain may have taken the key of one that is open.
			if (inVain.length > 0 && open.length > 0)
				for (const position of await second.claim(open)) ofSecond.add(position);
			kept = ofSecond;
		} finally {
			const left = rows.filter(({ position }) => !kept.has(position));
			await Promise.all([first.release(left), second.release(left)]);
		}
		return kept;
	},
	isForgotten: (row) => [first, second].some((claims) => claims.isForgotten?.(row)),
	async release(rows) {
		await Promise.all([first.release(rows), second.release(rows)]);
	},
});

/** Like Promise.all, but it rejects only when all have settled: then it is known what each of them took, and can be let go. */
export async function everyone<T>(asked: ReadonlyArray<Promise<T>>): Promise<T[]> {
	await Promise.allSettled(asked);
	return await Promise.all(asked);
}
