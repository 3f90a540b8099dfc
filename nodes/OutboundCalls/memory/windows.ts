/**
 * Claims rows ahead of their turn if the list is long, because the host reads and writes the whole
 * list for each claim. If the process is killed, up to one window of people who were not called
 * stay entered.
 */
import type { Claims } from './claims';
import type { ClaimRow, Refusal } from './keys';

/** Rows per window, by keys in the list; shorter lists are claimed request by request. */
const WINDOWS: ReadonlyArray<[keys: number, rows: number]> = [
	[500_000, 1_000],
	[50_000, 500],
	[5_000, 100],
];

/** What a run needs of its claims to call. */
export type Claiming = Pick<Claims, 'size' | 'claim' | 'release'>;

type Window = Promise<ReadonlyMap<number, Refusal>>;

/** Claims the rows of a run, in windows. */
export class ClaimWindows {
	/** Rows before this one were taken into a window, or their turn came earlier. */
	private next = 0;
	/** Rows in a window whose turn has not come, by position. */
	private readonly ahead = new Map<number, { row: ClaimRow; window: Window }>();
	/** Positions whose turn came. */
	private readonly asked = new Set<number>();

	constructor(
		private readonly claims: Claiming,
		/** In the order in which their requests leave. */
		private readonly order: readonly ClaimRow[],
	) {}

	/** The turn of these rows has come. Resolves and rejects as `Claims.claim`. */
	async claim(rows: readonly ClaimRow[]): Promise<Map<number, Refusal>> {
		const size = await this.claims.size();
		const length = WINDOWS.find(([keys]) => size >= keys)?.[1] ?? 0;
		const open = rows.filter(({ position }) => !this.ahead.has(position));
		const isAgain = open.every(({ position }) => this.asked.has(position));
		for (const { position } of rows) this.asked.add(position);
		const windows = new Set(rows.flatMap(({ position }) => this.ahead.get(position)?.window ?? []));
		if (open.length > 0) windows.add(this.open(open, isAgain ? 0 : length));
		for (const { position } of rows) this.ahead.delete(position);
		// The next window is claimed while these rows are sent.
		const last = this.order[this.next - 1];
		if (rows.some(({ position }) => position === last?.position)) void this.open([], length);
		// Each window settles first, so that nothing is claimed after this rejects.
		await Promise.allSettled(windows);
		const refused = (await Promise.all(windows)).flatMap((refusals) => [...refusals]);
		const positions = new Set(rows.map(({ position }) => position));
		return new Map(refused.filter(([position]) => positions.has(position)));
	}

	/** Releases the rows whose turn did not come, in one write. Never rejects. */
	async close(): Promise<void> {
		const left = [...this.ahead.values()];
		this.next = this.order.length;
		this.ahead.clear();
		await Promise.allSettled(new Set(left.map(({ window }) => window)));
		await this.claims.release(left.map(({ row }) => row));
	}

	/** Claims the rows, and up to `length` in all with those that follow. */
	private open(rows: readonly ClaimRow[], length: number): Window {
		const together = [...rows];
		while (together.length < length && this.next < this.order.length) {
			const row = this.order[this.next++]!;
			if (!this.asked.has(row.position)) together.push(row);
		}
		const window = this.claims.claim(together);
		// Whoever asks for a row of the window gets the rejection.
		window.catch(() => undefined);
		for (const row of together.slice(rows.length)) this.ahead.set(row.position, { row, window });
		return window;
	}
}
