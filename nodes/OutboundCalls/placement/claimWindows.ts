import type { Row } from '../domain/row';
import { type Clock, systemClock } from '../http/clock';
import type { Claims } from './claims';

/** Claiming takes at most this part of a run's time, as far as the largest window allows. */
const SHARE = 0.1;
/** What a crash leaves claimed and never called is bounded by this. */
const LARGEST_WINDOW = 500;
/** A store that answers within this many milliseconds is fast: then rows are claimed with their own request, and not ahead. */
const FAST_MS = 25;
/** One slow write may have another reason, unless it takes as long as this. */
const SURELY_SLOW_MS = 200;
const REMEMBERED_WRITES = 3;

/**
 * Claims rows ahead of their turn, several requests' in one write: the host reads and writes its whole list for each claim,
 * which takes the longer the more people it knows. Windows are as small as the store is fast: what is claimed when the process
 * is killed is never called.
 */
export class ClaimWindows implements Claims {
	/** Rows in the order of their turns; those before `next` were claimed. */
	private order: readonly Row[] = [];
	private next = 0;
	/** Rows whose turn has come: requests may overtake one another. */
	private readonly met = new Set<number>();
	/** Windows that are being claimed, or were, by the position of each row whose turn has not come. */
	private readonly windows = new Map<number, Promise<ReadonlySet<number>>>();
	/** Rows that were claimed ahead, and whose turn has not come. */
	private readonly ahead = new Map<number, Row>();
	/** How long the last writes took, in milliseconds. */
	private readonly writesMs: number[] = [];
	private begunAt = 0;
	private lastEnded = 0;
	private asked = 0;

	constructor(
		private readonly claims: Claims,
		/** Rows of the first window, when nobody knows how fast the store is. */
		private readonly first: number,
		private readonly clock: Clock = systemClock,
	) {}

	expect(rows: readonly Row[]): void {
		this.order = rows;
		this.next = 0;
		this.met.clear();
	}

	async claim(rows: readonly Row[]): Promise<Set<number>> {
		this.asked += rows.length;
		for (const { position } of rows) this.met.add(position);
		const open = rows.filter(({ position }) => !this.windows.has(position));
		if (open.length > 0) this.open(open, this.size() - open.length);
		const windows = new Set(rows.map(({ position }) => this.windows.get(position)!));
		for (const { position } of rows) {
			this.windows.delete(position);
			this.ahead.delete(position);
		}
		// The next window is claimed while this one is being sent.
		const size = this.asked > this.first ? this.size() : 0;
		if (size > rows.length && this.ahead.size < size / 2) this.open([], size);
		const claimed = new Set<number>();
		for (const window of windows) for (const position of await window) claimed.add(position);
		return new Set(rows.flatMap(({ position }) => (claimed.has(position) ? [position] : [])));
	}

	async release(rows: readonly Row[]): Promise<void> {
		await this.claims.release(rows);
	}

	/** Lets go of what was claimed ahead and is not needed, in one write. */
	async settle(): Promise<void> {
		const left = [...this.ahead.values()];
		this.order = [];
		this.ahead.clear();
		const claimed = new Set<number>();
		for (const window of new Set(left.map(({ position }) => this.windows.get(position)!))) {
			for (const position of await window.catch(() => [])) claimed.add(position);
		}
		for (const { position } of left) this.windows.delete(position);
		await this.claims.release(left.filter(({ position }) => claimed.has(position)));
	}

	/** Claims the rows and the next `more` of those that are expected. */
	private open(rows: readonly Row[], more: number): void {
		const window = [...rows];
		while (window.length < rows.length + more && this.next < this.order.length) {
			const row = this.order[this.next++]!;
			if (this.met.has(row.position)) continue;
			window.push(row);
			this.ahead.set(row.position, row);
		}
		if (window.length === 0) return;
		const begun = this.clock.now();
		if (this.begunAt === 0) this.begunAt = begun;
		const claiming = this.claims.claim(window).finally(() => {
			const ended = this.clock.now();
			// Claims wait for one another: that is not the store's time.
			this.writesMs.push(ended - Math.max(begun, this.lastEnded));
			this.lastEnded = ended;
			if (this.writesMs.length > REMEMBERED_WRITES) this.writesMs.shift();
		});
		// Whoever's turn comes meets it; nobody else does.
		claiming.catch(() => undefined);
		for (const { position } of window) this.windows.set(position, claiming);
	}

	/** So many rows are sent while the store is written `1 / SHARE` times. */
	private size(): number {
		// Until the first requests are answered, nobody knows how fast rows are sent.
		if (this.writesMs.length === 0 || this.asked <= this.first) return this.first;
		const writeMs = Math.min(...this.writesMs);
		if (writeMs < FAST_MS || (this.writesMs.length < 2 && writeMs < SURELY_SLOW_MS)) return 0;
		const elapsedMs = Math.max(1, this.clock.now() - this.begunAt);
		return Math.min(LARGEST_WINDOW, Math.floor((writeMs / SHARE) * (this.asked / elapsedMs)));
	}
}
