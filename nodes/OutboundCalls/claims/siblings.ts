/**
 * Claims among the retries of one execution, which know nothing of each other. A row is called once, and a number no more
 * often than it has rows, also where a retry reads the rows in another way, with changed settings.
 *
 * All of this is entered twice, by the node's name and by its ID (`both` in `claims.ts`): a row is claimed if neither knows of it.
 *
 * The first execution enters nothing here. Its retries find its calls in what the host has stored of it (`placement/ledger.ts`),
 * which after a crash may be nothing: then the memory alone knows them, and without a memory its people are called again.
 *
 * A row is
 * - open: neither of the two things is entered that it takes to call it: the row itself, by what it says and comes from, and one of its number's
 *   places (`places.ts`), of which a number has as many as rows;
 * - claimed: this retry has entered both, where there is a memory perhaps ahead of the row's turn (`ahead.ts`). It gives both back if
 *   one cannot be had, or if the row certainly was not placed;
 * - another retry's: one of them was taken.
 * The places of calls that were made before this retry began are occupied by it, so that other retries know of them.
 *
 * What is traded: when the process dies, both stay, also where only one was entered. No retry of this execution calls the row then,
 * or calls its number once less. A new run knows nothing of it.
 */
import type { Row } from '../domain/row';
import { type Claims, everyone } from './claims';
import { HeldKeys } from './heldKeys';
import { Places } from './places';
import type { RunKeys } from './runKeys';

/** What a row's call is known by among the retries of one execution. */
export interface RetryKeys {
	/** The row itself, by what it says, and where its number has several, by what it comes from. */
	row: readonly string[];
	/** The first, second … call to its number, as many as it has rows. */
	calls: readonly string[];
	/** So many of them were made by executions that this one continues. */
	made: number;
}

export class Siblings implements Claims {
	private readonly held: HeldKeys;
	private readonly places: Places;

	constructor(
		private readonly keys: RunKeys,
		private readonly keysOf: (row: Row) => RetryKeys,
	) {
		this.places = new Places(keys);
		this.held = new HeldKeys(keys);
	}

	async claim(rows: readonly Row[]): Promise<Set<number>> {
		let claimed: boolean[] = [];
		try {
			// At the same moment, so that one write serves all rows.
			claimed = await everyone(rows.map(async (row) => await this.claimRow(row)));
		} finally {
			await this.release(rows.filter((_row, index) => !claimed[index]));
		}
		return new Set(rows.flatMap(({ position }, index) => (claimed[index] ? [position] : [])));
	}

	isForgotten({ position }: Row): boolean {
		return this.held.isLost(position);
	}

	async release(rows: readonly Row[]): Promise<void> {
		await this.places.giveBack(this.held.letGo(rows.map(({ position }) => position)));
	}

	private async claimRow(row: Row): Promise<boolean> {
		const { row: names, calls, made } = this.keysOf(row);
		const hold = (keys: readonly string[]): boolean => {
			this.held.hold(row.position, keys);
			return keys.length > 0;
		};
		const enterRow = async (): Promise<boolean> => {
			const entered = [...(await this.keys.record(names))];
			return hold(entered) && entered.length === names.length;
		};
		const takeCall = async (): Promise<boolean> => {
			const [taken] = await everyone([
				this.places.take(() => calls.slice(made), 1),
				this.places.occupy(calls.slice(0, made)),
			]);
			return hold(taken!);
		};
		// Where a number has several rows, one that is not claimed would keep a place from another meanwhile.
		if (calls.length > 1) return (await enterRow()) && (await takeCall());
		const ours = await everyone([enterRow(), takeCall()]);
		return ours.every(Boolean);
	}
}
