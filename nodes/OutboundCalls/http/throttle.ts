/**
 * When the requests of one run may leave: after the pauses of the account, in the pace of the node,
 * within the run's budget. A wait that does not fit into the budget is not begun: the run ends and
 * says how long to wait.
 */
import { waitMs } from '../domain/api/retryTiming';
import type { CallPace, Pause, RequestLine, Wait } from './account';
import { type Clock, systemClock, untilAborted, waitUntil } from '../execution/clock';

/**
 * The option Max Retry Wait: the time that a run may spend waiting because of answers. Waits at the
 * same time count once.
 */
export class WaitBudget {
	private heldUntil = -Infinity;

	/** `leftMs` is the whole budget at first, in milliseconds. */
	constructor(private leftMs: number) {}

	/**
	 * Until when the wait lasts, cut to what is left; undefined when its least part does not fit.
	 */
	take(now: number, { least = now, until }: Wait): number | undefined {
		const start = Math.max(now, this.heldUntil);
		if (until <= start) return until;
		if (this.leftMs <= 0 || least - start > this.leftMs) return undefined;
		this.heldUntil = Math.min(until, start + this.leftMs);
		this.leftMs -= this.heldUntil - start;
		return this.heldUntil;
	}
}

/**
 * A pause that is longer than the run may wait; `leftMs` is what is left of the wait that the API
 * asks for, in whole seconds.
 */
export interface TooLong extends Pick<Pause, 'limit'> {
	leftMs: number | undefined;
}

/** Whether a request may leave now, the run was stopped, or the wait would be too long. */
export type Slot = 'now' | 'stopped' | TooLong;

/** Holds back the requests of one kind of one run. */
export class Throttle {
	/** The pause that the run waits for, and until when. */
	private kept: { pause: Pause; until: number } | undefined;

	constructor(
		/** What a run shares with others, and its own bounds. */
		private readonly limits: {
			line: RequestLine;
			budget: WaitBudget;
			pace?: CallPace;
			callsPerMinute?: number;
			signal?: AbortSignal;
		},
		private readonly clock: Clock = systemClock,
	) {}

	/** The same requests, with a budget of their own in milliseconds. */
	within(budgetMs: number) {
		return new Throttle({ ...this.limits, budget: new WaitBudget(budgetMs) }, this.clock);
	}

	/** Ask it at the moment a request leaves: another one may have left since `acquire`. */
	get isClear() {
		return this.limits.line.probe === undefined && !this.isPaused;
	}

	/**
	 * Runs `work` when no pause is on and the calls per minute allow it, and counts as many calls
	 * as it returns. `tooLong` is a pause that the run may not wait for. Undefined when the run was
	 * stopped.
	 */
	async paced<T extends { length: number }>(
		work: (tooLong?: TooLong) => Promise<T>,
	): Promise<T | undefined> {
		const { pace, callsPerMinute, signal } = this.limits;
		for (;;) {
			const slot = await this.afterPause();
			if (slot === 'stopped') return undefined;
			if (slot !== 'now') return await work(slot);
			if (!pace || !callsPerMinute) return await work();
			// A pause that began meanwhile is waited for outside of the slot, so that others can
			// have theirs.
			const calls = await pace.inSlot(
				callsPerMinute,
				async () => (this.isPaused ? undefined : await work()),
				signal,
			);
			if (calls) return calls;
		}
	}

	/** Waits for the end of a pause and for the request that probes after it. */
	async acquire(): Promise<Slot> {
		const { line, signal } = this.limits;
		for (;;) {
			const slot = await this.afterPause();
			if (slot !== 'now' || !line.probe) return slot;
			await untilAborted(line.probe, signal);
		}
	}

	/**
	 * Waits before one request is sent again that met no limit. False when the run may not wait, or
	 * was stopped.
	 */
	async backOff(demandedMs: number | undefined, attempt: number) {
		const now = this.clock.now();
		const until = this.limits.budget.take(now, {
			least: demandedMs ? now + demandedMs : undefined,
			until: now + waitMs(demandedMs || undefined, attempt, this.clock.random()),
		});
		if (until === undefined) return false;
		await waitUntil(this.clock, until, this.limits.signal);
		return !this.limits.signal?.aborted;
	}

	/** Whether a pause is on, as far as the run waits for it. */
	private get isPaused() {
		const { pause } = this.limits.line;
		const until = this.kept?.pause === pause ? this.kept?.until : pause?.until;
		return until !== undefined && until > this.clock.now();
	}

	private async afterPause(): Promise<Slot> {
		const { line, budget, signal } = this.limits;
		while (!signal?.aborted) {
			const { pause } = line;
			if (!pause || !this.isPaused) return 'now';
			if (this.kept?.pause !== pause) {
				const now = this.clock.now();
				const { least, limit } = pause;
				const until = budget.take(now, pause);
				if (until === undefined)
					return { limit, leftMs: least && Math.max(0, Math.ceil((least - now) / 1_000)) * 1_000 };
				this.kept = { pause, until };
			}
			await waitUntil(this.clock, this.kept.until, signal);
		}
		return 'stopped';
	}
}
