/**
 * Claims rows ahead of their turn, so that one write serves several requests: the host reads and writes its whole list for
 * each claim, which takes longer the more people it knows.
 *
 * Only the size of the list decides how many: below 5,000 people none, because a write costs next to nothing then; below 50,000 one
 * hundred; else five hundred. It is counted once for the run, and grows with what the run claims. No clock has a say, so the same
 * run claims the same rows on every machine.
 *
 * A row is
 * - expected: its turn will come;
 * - claimed ahead: its keys are in the list, or on their way there, in a window with others. The next window opens when the
 *   last one holds nothing but passed rows, or when the turn of a row comes that is not claimed yet;
 * - met: its turn has come. It is claimed from then on, or somebody else was faster;
 * - passed: it must not be called when its turn comes. It keeps its claim until there are a hundred to be let go in one write, or
 *   until no further turn will come.
 *
 * What is traded: rows that are claimed ahead or passed when the process dies count as called and never were. They are at most
 * five hundred of each run under way.
 */
import type { Row } from '../domain/row';
import { type Claims, everyone } from './claims';

/** People in the list, and how many rows are claimed ahead with so many or more. */
const MOST_AHEAD: ReadonlyArray<[people: number, rows: number]> = [
	[50_000, 500],
	[5_000, 100],
];
/** Claimed and not called after a crash, at most. */
const MOST_CLAIMED = 500;
/** So many rows whose turn will not come are let go in one write. */
const PASSED_AT_ONCE = 100;

interface ClaimedRow {
	row: Row;
	/** The positions that were claimed together with it, as far as nobody had claimed them before. */
	window: Promise<ReadonlySet<number>>;
}

export class ClaimsAhead implements Claims {
	/** Rows in the order of their turns; those before `next` were claimed. */
	private order: readonly Row[] = [];
	private next = 0;
	/** Requests may overtake one another. */
	private readonly met = new Set<number>();
	/** Rows that were claimed ahead, by position. */
	private readonly claimed = new Map<number, ClaimedRow>();
	/** Those of them whose turn will not come. */
	private readonly passed = new Set<number>();
	/** People in the list before the first claim. */
	private before: Promise<number> | undefined;
	/** Rows claimed since, whether or not somebody else was faster. */
	private since = 0;

	constructor(
		private readonly claims: Claims,
		/** How many people the list knows. */
		private readonly count: () => Promise<number>,
	) {}

	expect(rows: readonly Row[]): void {
		this.order = rows;
		this.next = 0;
		this.met.clear();
	}

	async claim(rows: readonly Row[]): Promise<Set<number>> {
		const before = await (this.before ??= this.count());
		if (this.passed.size >= PASSED_AT_ONCE) await this.letGo([...this.passed]);
		for (const { position } of rows) this.met.add(position);
		const open = rows.filter(({ position }) => !this.claimed.has(position));
		if (open.length > 0) this.open(open, mostAhead(before + this.since));
		const windows = new Set(rows.map(({ position }) => this.claimed.get(position)!.window));
		this.forget(rows);
		// The next window is claimed while this request is being sent.
		if (this.claimed.size === this.passed.size) this.open([], mostAhead(before + this.since));
		let claimed: ReadonlySet<number> | undefined;
		try {
			claimed = new Set((await everyone([...windows])).flatMap((window) => [...window]));
		} finally {
			if (!claimed) await this.claims.release(rows);
		}
		return new Set(rows.flatMap(({ position }) => (claimed.has(position) ? [position] : [])));
	}

	async release(rows: readonly Row[]): Promise<void> {
		await this.claims.release(rows);
	}

	isForgotten(row: Row): boolean {
		return this.claims.isForgotten?.(row) ?? false;
	}

	pass(rows: readonly Row[]): void {
		for (const { position } of rows) {
			this.met.add(position);
			if (this.claimed.has(position)) this.passed.add(position);
		}
	}

	/** Lets go of what was claimed ahead and is not needed, in one write. */
	async settle(): Promise<void> {
		this.order = [];
		await this.letGo([...this.claimed.keys()]);
	}

	private forget(rows: readonly Row[]): void {
		for (const { position } of rows) {
			this.claimed.delete(position);
			this.passed.delete(position);
		}
	}

	private async letGo(positions: readonly number[]): Promise<void> {
		const left = positions.map((position) => this.claimed.get(position)!);
		this.forget(left.map(({ row }) => row));
		const windows = await Promise.allSettled(new Set(left.map(({ window }) => window)));
		const claimed = new Set(
			windows.flatMap((window) => (window.status === 'fulfilled' ? [...window.value] : [])),
		);
		await this.claims.release(left.flatMap(({ row }) => (claimed.has(row.position) ? [row] : [])));
	}

	/** Claims the rows and the next ones of those that are expected: as many as may be claimed and not called. */
	private open(rows: readonly Row[], most: number): void {
		const together = [...rows];
		const size = Math.max(
			rows.length,
			Math.min(most, MOST_CLAIMED - this.passed.size) - (this.claimed.size - this.passed.size),
		);
		while (together.length < size && this.next < this.order.length) {
			const row = this.order[this.next++]!;
			if (!this.met.has(row.position)) together.push(row);
		}
		if (together.length === 0) return;
		this.since += together.length;
		const window = this.claims.claim(together);
		// Rows learn of a rejection when their turn comes; until then it must not count as unhandled.
		window.catch(() => undefined);
		for (const row of together) this.claimed.set(row.position, { row, window });
	}
}

const mostAhead = (people: number): number =>
	MOST_AHEAD.find(([least]) => people >= least)?.[1] ?? 0;
