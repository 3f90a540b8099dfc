/**
 * The memory of people called: claims that outlive the run and the process.
 *
 * Each row has keys that decide whether it may be called, and keys that only go along with its call. To this run a key is
 * - somebody else's: it was in the list before. A row that it decides about is not called;
 * - this run's: the list named it as fresh. One row may be called by it, or, with Duplicates = Call Each Row, each;
 * - let go: no row of the run holds it any more, and it is taken out;
 * - forgotten: somebody took it out although a row holds it (Forget People). The row is claimed once more before it is sent, or, if
 *   it was under way, after the answer.
 * - relied on: it goes along with a call, and was in the list before. Whoever entered it takes it out no more.
 * Rows hold their keys from the moment the database is asked, so that what another row lets go meanwhile stays.
 *
 * What is traded: one write enters all keys of a request, before anybody knows which of its rows may be called. The keys that go
 * along with a row that must not be called are taken out again with a second write. When the process dies before that, they stay,
 * and a later dry run may take their person for one who was called under another setting; nobody is left out for them. When it
 * dies after a row was claimed, the row's own key stays, and whoever it stands for is not called. When it dies before somebody who
 * was forgotten under way is claimed again, the memory does not know of that call.
 * A retry takes out nothing that an earlier try has entered, also when it learns that the call was cancelled before it was dialed:
 * a key does not say whose it is, and after Forget People, a changed setting or another retry it may be another run's by now. For
 * the same reason a retry calls no row by a key of another retry, also with Duplicates = Call Each Row: to ask whose it is, the
 * host would have to enter the answer, and who dies meanwhile would leave it. A next try does not call a row whose key is empty,
 * either, once its number was called by a key: whether that was the try before or an earlier run, the memory does not say.
 */
import type { Row } from '../domain/row';
import type { Claims } from './claims';
import { HeldKeys } from './heldKeys';
import type { RunKeys } from './runKeys';

/** How the rows of a run and the keys of the list belong together. */
export interface MemoryKeys {
	/** The keys that decide: none of them may be somebody else's. */
	decidedBy: (row: Row) => readonly string[];
	/** Keys that the row's call stands for as well. */
	alsoOf?: (row: Row) => readonly string[];
	/** Given where each row of a key is called. It says whether an earlier try of this execution claimed the row's keys; such a claim is never let go, because a call stands behind it. */
	isOurs?: (row: Row) => boolean;
}

export class Memory implements Claims {
	private readonly held: HeldKeys;

	constructor(
		private readonly keys: RunKeys,
		private readonly of: MemoryKeys,
	) {
		this.held = new HeldKeys(keys);
	}

	async claim(rows: readonly Row[]): Promise<Set<number>> {
		let claimed = new Set<number>();
		for (const row of rows) this.held.hold(row.position, this.keysOf(row));
		try {
			claimed = await this.enter(rows);
		} finally {
			await this.release(rows.filter(({ position }) => !claimed.has(position)));
		}
		return claimed;
	}

	isForgotten({ position }: Row): boolean {
		return this.held.isLost(position);
	}

	async release(rows: readonly Row[]): Promise<void> {
		await this.keys.forget(this.held.letGo(rows.map(({ position }) => position)));
	}

	private async enter(rows: readonly Row[]): Promise<Set<number>> {
		const wanted = new Set(
			rows.flatMap((row) => this.keysOf(row)).filter((key) => !this.isShared(key)),
		);
		const fresh = wanted.size > 0 ? await this.keys.record([...wanted]) : new Set<string>();
		const { decidedBy, isOurs } = this.of;
		const claimed = rows.filter((row) => {
			const keys = decidedBy(row);
			// Another request of this run may have entered them meanwhile.
			const isFree = keys.every((key) => fresh.has(key) || this.isShared(key));
			// One row of the run may be called by each of them.
			for (const key of keys) fresh.delete(key);
			return isFree || isOurs?.(row);
		});
		this.keys.rely(
			claimed.flatMap((row) => this.of.alsoOf?.(row) ?? []).filter((key) => !this.keys.has(key)),
		);
		return new Set(claimed.map(({ position }) => position));
	}

	private keysOf(row: Row): string[] {
		const { decidedBy, alsoOf } = this.of;
		return [...new Set([...decidedBy(row), ...(alsoOf?.(row) ?? [])])];
	}

	/** Whether rows of this run may be called by a key that it has entered for another one. */
	private isShared(key: string): boolean {
		return this.of.isOurs !== undefined && this.keys.has(key);
	}
}
