import type { Row } from '../domain/row';
import { type Clock, systemClock } from '../http/clock';
import type { Claims } from './claims';
import type { ClaimStore } from './claimStore';

/** Claiming takes at most this part of a run's time, as far as the largest window allows. */
const SHARE = 0.1;
/** A crash leaves no more rows than these claimed and never called, besides those of the requests that are under way. */
const LARGEST_WINDOW = 500;
/** So many rows whose turn will not come are let go in one write. */
const PASSED_AT_ONCE = 100;
/** With fewer people in the store, rows are claimed with their own request, and none ahead, however busy the machine is. */
const LARGE_STORE = 5_000;
/** A store that answers within this many milliseconds is not asked how large it is. */
const FAST_MS = 4;
/** A store that takes so many milliseconds is large: asking would take as long. */
const SURELY_SLOW_MS = 200;

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
	/** Rows that were claimed ahead, and whose turn will not come. */
	private readonly passed = new Map<number, Row>();
	private begunAt = 0;
	/** People in the store before this run; undefined while nobody has asked. */
	private people: number | undefined;
	/** Takes less time than the write that it may save. */
	private counting: Promise<void> | undefined;
	/** In which requests waited for the store. */
	private waitedMs = 0;
	private lastAnswered = 0;
	private asked = 0;

	constructor(
		private readonly claims: Claims,
		/** Rows that are sent at once: those of the first window, when nobody knows how fast the store is. */
		private readonly first: number,
		private readonly store: Pick<ClaimStore, 'writesMs' | 'count'>,
		private readonly clock: Clock = systemClock,
	) {}

	expect(rows: readonly Row[]): void {
		this.order = rows;
		this.next = 0;
		this.met.clear();
	}

	async claim(rows: readonly Row[]): Promise<Set<number>> {
		if (this.counting) await this.counting;
		if (this.passed.size >= PASSED_AT_ONCE) await this.letGo(this.takePassed());
		this.asked += rows.length;
		for (const { position } of rows) this.met.add(position);
		const { window, left } = this.plan();
		const most = Math.min(window, LARGEST_WINDOW - this.passed.size);
		const open = rows.filter(({ position }) => !this.windows.has(position));
		if (open.length > 0) this.open(open, most - open.length - this.ahead.size);
		const windows = new Set(rows.map(({ position }) => this.windows.get(position)!));
		for (const { position } of rows) {
			this.windows.delete(position);
			this.ahead.delete(position);
			this.passed.delete(position);
		}
		// The next window is claimed while this one is being sent. One that could take all the rest waits until it can: that saves a write.
		const rest = this.order.length - this.next;
		const isSplit = rest <= most && rest + this.ahead.size > most;
		if (this.ahead.size <= left && !isSplit) this.open([], most - this.ahead.size);
		const asked = this.clock.now();
		const claimed = new Set<number>();
		// If one is rejected, the rows of the others are known to be claimed before they are let go.
		await Promise.allSettled(windows);
		for (const each of windows) for (const position of await each) claimed.add(position);
		const answered = this.clock.now();
		this.waitedMs += Math.max(0, answered - Math.max(asked, this.lastAnswered));
		this.lastAnswered = answered;
		if (this.next < this.order.length) this.askHowLarge();
		return new Set(rows.flatMap(({ position }) => (claimed.has(position) ? [position] : [])));
	}

	async release(rows: readonly Row[]): Promise<void> {
		await this.claims.release(rows);
	}

	pass(rows: readonly Row[]): void {
		for (const row of rows) {
			this.met.add(row.position);
			if (this.ahead.delete(row.position)) this.passed.set(row.position, row);
		}
	}

	/** Lets go of what was claimed ahead and is not needed, in one write. */
	async settle(): Promise<void> {
		const left = [...this.ahead.values(), ...this.takePassed()];
		this.order = [];
		this.ahead.clear();
		await this.letGo(left);
	}

	private takePassed(): Row[] {
		const rows = [...this.passed.values()];
		this.passed.clear();
		return rows;
	}

	private async letGo(rows: readonly Row[]): Promise<void> {
		const windows = new Set(rows.map(({ position }) => this.windows.get(position)!));
		for (const { position } of rows) this.windows.delete(position);
		const claimed = new Set<number>();
		for (const window of windows) for (const position of await window.catch(() => [])) claimed.add(position);
		await this.claims.release(rows.filter(({ position }) => claimed.has(position)));
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
		if (this.begunAt === 0) this.begunAt = this.clock.now();
		const claiming = this.claims.claim(window);
		// Whoever's turn comes meets it; nobody else does.
		claiming.catch(() => undefined);
		for (const { position } of window) this.windows.set(position, claiming);
	}

	/** How many rows are claimed at most and not sent, and how many of them are left when the next ones are claimed. */
	private plan(): { window: number; left: number } {
		const { writesMs } = this.store;
		// Until the first requests are answered, nobody knows how fast rows are sent.
		if (writesMs.length === 0 || this.asked <= this.first) return { window: this.first, left: -1 };
		const writeMs = Math.min(...writesMs);
		if (!this.isLarge(writeMs)) return { window: 0, left: -1 };
		const sendingMs = Math.max(1, this.clock.now() - this.begunAt - this.waitedMs);
		/** Rows that are sent while the store is written once. */
		const meanwhile = writeMs * (this.asked / sendingMs);
		const window = Math.min(LARGEST_WINDOW, Math.floor(meanwhile / SHARE));
		// Where writing takes longer than sending a whole window, fewer writes are all that counts.
		return { window, left: meanwhile < window ? Math.min(Math.ceil(meanwhile), window / 2) : 0 };
	}

	private isLarge(writeMs: number): boolean {
		return this.people === undefined ? writeMs >= SURELY_SLOW_MS : this.people + this.asked >= LARGE_STORE;
	}

	/** Asks once, while the first requests are being sent. */
	private askHowLarge(): void {
		const writeMs = Math.min(...this.store.writesMs);
		if (this.people !== undefined || writeMs < FAST_MS || writeMs >= SURELY_SLOW_MS) return;
		this.people = 0;
		const { asked } = this;
		this.counting = this.store
			.count()
			.then(
				(count) => {
					this.people = count - asked;
				},
				() => undefined,
			)
			.finally(() => {
				this.counting = undefined;
			});
	}
}
