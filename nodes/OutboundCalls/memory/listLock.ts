/**
 * One writer among all processes. The host makes a missing list with one INSERT, which the database
 * lets happen once: whoever made the node's own list has the turn, and clears it afterwards. All
 * enter the same key, so whoever was slower writes back what was there.
 *
 * A process may die in its turn. Whoever has seen no change for longer than its patience adds a
 * random number of entries, and has the turn if nobody changes it within LEASE_MS. A living holder
 * has cleared the list by then, or added an entry of its own. The list stays: if it were cleared,
 * somebody new could make it while another one takes over.
 */
import type { Clock } from '../execution/clock';
import type { StoredList } from '../execution/keyStore';

const KEY = 'turn';
/** So long after its holder was sure of it, a turn cannot be another process's. */
const LEASE_MS = 10_000;
/** A statement begins at most so long after that: it has the rest of the time. */
const SURE_MS = 1_000;
/** Longer than a lease: of two that wait, none disturbs the other's takeover. */
const MIN_PATIENCE_MS = 13_000;
const MAX_POLL_MS = 250;
/** So often in a row, it is not others who are faster, but the database that rejects. */
const MAX_REJECTIONS = 10;

/** A turn of this process. */
export class ListLock {
	/** When it was certainly its own. */
	private sureAt = 0;

	constructor(
		private readonly list: StoredList,
		private readonly clock: Clock,
	) {}

	/** Rejects if the database does, or if `signal` is aborted before the turn has come. */
	async take(signal: AbortSignal | undefined): Promise<void> {
		const { list, clock } = this;
		const patienceMs = MIN_PATIENCE_MS + clock.random() * 4_000;
		let [seen, since, marks, rejections] = [0, clock.now(), 0, 0];
		for (;;) {
			this.sureAt = clock.now();
			const entries = await list.count();
			if (entries !== seen) [seen, since, marks] = [entries, this.sureAt, 0];
			const unchangedMs = this.sureAt - since;
			if (marks > 0 && unchangedMs >= LEASE_MS) return;
			if (seen === 0 || (marks === 0 && unchangedMs >= patienceMs)) {
				// Far more than the entries of a living holder.
				const more = seen && Math.floor(100 + clock.random() * 900);
				try {
					if (await this.enter(more)) return;
					[seen, since, marks, rejections] = [seen + more, clock.now(), more, 0];
				} catch (thrown) {
					if (++rejections === MAX_REJECTIONS) throw thrown;
				}
			}
			signal?.throwIfAborted();
			await clock.sleep(Math.min(MAX_POLL_MS, 20 + unchangedMs / 20), signal);
		}
	}

	/** Call it before each write. Rejects if the turn may be another process's by now. */
	async keep(): Promise<void> {
		const { clock, sureAt } = this;
		const now = clock.now();
		if (now - sureAt < SURE_MS) return;
		const isOver = (): boolean => clock.now() - sureAt >= LEASE_MS;
		if (isOver() || (await this.enter(1)) || isOver())
			throw new Error('another process may be writing it');
		this.sureAt = now;
	}

	/** Once only, and never rejects: what is left of a failed attempt, whoever waits takes over. */
	async giveBack(): Promise<void> {
		try {
			await this.keep();
			await this.list.clear();
		} catch {}
	}

	/** Whether that has made the list. */
	private async enter(more: number): Promise<boolean> {
		const entries = Array.from({ length: more }, () => `${this.clock.random()}`);
		return (await this.list.record([KEY, ...entries])).has(KEY);
	}
}
