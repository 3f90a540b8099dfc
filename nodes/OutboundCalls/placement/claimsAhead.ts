import type { Claim, Claims } from '../memory/claims';
import type { ClaimRow } from '../memory/keys';

/** Rows claimed together, by keys in the list; with fewer keys, rows are claimed at their turn. */
export const AHEAD: ReadonlyArray<[keys: number, rows: number]> = [
	[500_000, 1_000],
	[50_000, 500],
	[5_000, 100],
];

/**
 * Claims the rows of a run, some of them ahead of their turn if the list is long, because the host
 * reads and writes the whole list for each claim. If the process is killed, the rows that were
 * claimed ahead stay entered.
 */
export class ClaimsAhead {
	/** Rows before this one were claimed ahead, or their turn came earlier. */
	private next = 0;
	/** Rows that were claimed and whose turn has not come, by position. */
	private readonly ahead = new Map<number, { row: ClaimRow; claim: Claim }>();
	/** The turn of these positions has come. */
	private readonly asked = new Set<number>();

	constructor(
		private readonly claims: Claims,
		/** In the order in which their requests leave. */
		private readonly order: readonly ClaimRow[],
	) {}

	/** The turn of these rows has come. Resolves and rejects as `Claims.claim`. */
	async claim(rows: readonly ClaimRow[]) {
		const size = await this.claims.size();
		const length = AHEAD.find(([keys]) => size >= keys)?.[1] ?? 0;
		const open = rows.filter(({ position }) => !this.ahead.has(position));
		const isAgain = open.every(({ position }) => this.asked.has(position));
		for (const { position } of rows) this.asked.add(position);
		const claims = new Set(rows.flatMap(({ position }) => this.ahead.get(position)?.claim ?? []));
		if (open.length > 0) claims.add(this.claimWith(open, isAgain ? 0 : length));
		for (const { position } of rows) this.ahead.delete(position);
		// The next rows are claimed while these are sent.
		const last = this.order[this.next - 1];
		if (rows.some(({ position }) => position === last?.position)) void this.claimWith([], length);
		// Each claim settles first, so that nothing is claimed after this rejects.
		await Promise.allSettled(claims);
		return new Map((await Promise.all(claims)).flatMap((each) => [...each]));
	}

	/** Releases the rows whose turn did not come, in one write. Never rejects. */
	async close() {
		const left = [...this.ahead.values()];
		this.next = this.order.length;
		this.ahead.clear();
		await Promise.allSettled(new Set(left.map(({ claim }) => claim)));
		await this.claims.release(left.map(({ row }) => row));
	}

	/** Claims the rows, and up to `length` in all with those that follow. */
	private claimWith(rows: readonly ClaimRow[], length: number): Claim {
		const together = [...rows];
		while (together.length < length && this.next < this.order.length) {
			const row = this.order[this.next++]!;
			if (!this.asked.has(row.position)) together.push(row);
		}
		const claim = this.claims.claim(together);
		// Whoever asks for one of these rows gets the rejection.
		claim.catch(() => undefined);
		for (const row of together.slice(rows.length)) this.ahead.set(row.position, { row, claim });
		return claim;
	}
}
