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
const MIN_PATIENCE_MS = 12_000;
const MAX_POLL_MS = 250;
/** Rejected so often in a row, it is not others who are faster, but the database. */
const MAX_TRIES = 10;
/** Those who wait in this process share a turn for so long; then other processes have theirs, */
const SHARED_MS = 1_000;
/** because they notice within this time. */
const NOTICED_MS = 100;

/** The turns of this process, and the one that it has. */
export class ListLock {
	/** Settles after the last turn that somebody wants. */
	last: Promise<unknown> = Promise.resolve();
	/** Of the node that has the turn. */
	private list: StoredList | undefined;
	private takenAt = 0;
	/** When the turn was certainly this process's. */
	private sureAt = 0;

	constructor(private readonly clock: Clock) {}

	/** Rejects if the database does, or if `signal` is aborted before the turn has come. */
	async take(list: StoredList, signal: AbortSignal | undefined) {
		const { clock } = this;
		if (this.list?.id === list.id && clock.now() - this.takenAt < SHARED_MS) return;
		if (this.list) {
			await this.giveBack();
			await clock.sleep(NOTICED_MS, signal);
		}
		await this.wait(list, signal);
		this.list = list;
		this.takenAt = clock.now();
	}

	/** Call it before each write. Rejects if the turn may be another process's by now. */
	async keep() {
		const { clock, list, sureAt } = this;
		const now = clock.now();
		if (!list || now - sureAt < SURE_MS) return;
		const isOver = () => clock.now() - sureAt >= LEASE_MS;
		if (isOver() || (await this.enter(list, 1)) || isOver())
			throw new Error('another process may be writing it');
		this.sureAt = now;
		await this.keep();
	}

	/** Once only, and never rejects: what is left of a failed attempt, whoever waits takes over. */
	async giveBack() {
		try {
			await this.keep();
			await this.list?.clear();
		} catch {}
		this.list = undefined;
	}

	private async wait(list: StoredList, signal: AbortSignal | undefined) {
		const { clock } = this;
		const patienceMs = MIN_PATIENCE_MS + clock.random() * 3_000;
		let [seen, since, marks, tries] = [0, clock.now(), 0, 0];
		for (;;) {
			const now = (this.sureAt = clock.now());
			const entries = await list.count();
			if (entries !== seen) [seen, since, marks] = [entries, now, 0];
			const unchangedMs = now - since;
			if (marks > 0 && unchangedMs >= LEASE_MS) return;
			if (seen === 0 || (marks === 0 && unchangedMs >= patienceMs)) {
				// Far more than the entries of a living holder.
				const more = seen && Math.floor(100 + clock.random() * 900);
				const entering = this.enter(list, more);
				const isNew = await (++tries < MAX_TRIES ? entering.catch(() => undefined) : entering);
				if (isNew) return;
				if (isNew === false) [seen, since, marks, tries] = [seen + more, clock.now(), more, 0];
			}
			signal?.throwIfAborted();
			await clock.sleep(Math.min(MAX_POLL_MS, 20 + unchangedMs / 20), signal);
		}
	}

	/** Whether that has made the list. */
	private async enter(list: StoredList, more: number) {
		const entries = Array.from({ length: more }, () => `${this.clock.random()}`);
		return (await list.record([KEY, ...entries])).has(KEY);
	}
}
