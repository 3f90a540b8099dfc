import { DESTINATIONS_PER_REQUEST } from '../domain/apiLimits';
import { waitMs } from '../domain/retryTiming';
import { Turns } from './account';
import { type Clock, systemClock } from './clock';

/**
 * Requests that leave together come back together and then wait for each other, round after round. So each
 * request leaves a moment after the one before it: half of the average time between two requests, which slows
 * nothing down, and at most this long.
 */
const MOST_APART_MS = 5;

/** As many as a request can start: a stored pace never holds a run up for longer than these take. */
const MOST_CALLS_AT_ONCE = DESTINATIONS_PER_REQUEST;

/** When the next call may be started, in epoch milliseconds. */
export interface Pace {
	nextCallAt?: number;
}

export interface ThrottleLimits {
	/** Bound on all waits of the run that answers cause, in milliseconds. */
	maxWaitMs: number;
	callsPerMinute?: number;
	/** Who else takes a turn: other executions of the node. */
	turns?: Turns;
	/** Where the pace is kept over the rounds of a loop and retries. */
	pace?: Pace;
	signal?: AbortSignal;
}

/** When the requests of a run may leave: one shared pause, one shared budget for waiting, one spacing of calls. */
export class Throttle {
	private pausedUntil = 0;
	private readonly turns: Turns;
	/** Until the first paced work, an earlier round or try may have left a pace. */
	private hasPace = false;
	private nextRequest = 0;
	private firstRequest: number | undefined;
	private requests = 0;
	private waitedMs = 0;

	constructor(
		private readonly limits: ThrottleLimits,
		private readonly clock: Clock = systemClock,
	) {
		this.turns = limits.turns ?? new Turns();
	}

	get cancelled(): boolean {
		return this.limits.signal?.aborted ?? false;
	}

	/**
	 * Runs `work` when the calls per minute allow for more calls, and counts as many as it answers with: rows that
	 * turn out not to be called cost no time. Without a limit it runs at once. Undefined when the run was cancelled.
	 */
	async paced<T extends { length: number }>(work: () => Promise<T>): Promise<T | undefined> {
		const { callsPerMinute, pace = {} } = this.limits;
		if (!callsPerMinute) return (await this.waitUntil(() => this.pausedUntil)) ? await work() : undefined;
		const betweenMs = 60_000 / callsPerMinute;
		const { turns } = this;
		const turn = turns.line.then(async () => {
			if (!this.hasPace) {
				const left = Math.min((pace.nextCallAt ?? 0) - this.clock.timeOfDay(), MOST_CALLS_AT_ONCE * betweenMs);
				turns.nextCall = Math.max(turns.nextCall, this.clock.now() + left);
				this.hasPace = true;
			}
			const { nextCall } = turns;
			if (!(await this.waitUntil(() => Math.max(nextCall, this.pausedUntil)))) return undefined;
			const calls = await work();
			const now = this.clock.now();
			turns.nextCall = Math.max(now, nextCall) + calls.length * betweenMs;
			pace.nextCallAt = this.clock.timeOfDay() + turns.nextCall - now;
			return calls;
		});
		turns.line = turn.catch(() => undefined);
		return await turn;
	}

	/** Waits until so many calls may be started, and counts them. False when the run was cancelled. */
	async takeTurn(calls: number): Promise<boolean> {
		return (await this.paced(async () => await Promise.resolve({ length: calls }))) !== undefined;
	}

	/** Calls that were counted and turned out not to be placed cost no time. */
	giveBack(calls: number): void {
		const { callsPerMinute, pace } = this.limits;
		if (!callsPerMinute || !this.hasPace) return;
		const now = this.clock.now();
		this.turns.nextCall = Math.max(now, this.turns.nextCall - (calls * 60_000) / callsPerMinute);
		if (pace) pace.nextCallAt = this.clock.timeOfDay() + this.turns.nextCall - now;
	}

	/** Waits for the end of a pause and for the request before: then a request may leave, at once. False when the run was cancelled meanwhile. */
	async acquire(): Promise<boolean> {
		return await this.waitUntil(
			() => Math.max(this.pausedUntil, this.nextRequest),
			(now) => {
				this.firstRequest ??= now;
				const betweenMs = (now - this.firstRequest) / ++this.requests;
				this.nextRequest = now + Math.min(Math.floor(betweenMs / 2), MOST_APART_MS);
			},
		);
	}

	/** `moment` may move during the wait. `reached` is called in the same tick, before any other request can go on. */
	private async waitUntil(moment: () => number, reached?: (now: number) => void): Promise<boolean> {
		for (;;) {
			if (this.cancelled) return false;
			const now = this.clock.now();
			const until = moment();
			if (now >= until) {
				reached?.(now);
				return true;
			}
			await this.clock.sleep(until - now, this.limits.signal);
		}
	}

	/**
	 * Pauses all requests of the run after a refusal that may be tried again. False when the wait does not
	 * fit into what is left of the budget: then nothing is waited for.
	 */
	backOff(demanded: number | undefined, attempt: number): boolean {
		// "Retry-After: 0" names no wait. Without backoff, many such answers would cause just as many requests at once.
		const demandedMs = demanded || undefined;
		const now = this.clock.now();
		const start = Math.max(now, this.pausedUntil);
		const left = this.limits.maxWaitMs - this.waitedMs;
		const least = demandedMs === undefined ? 0 : now + demandedMs - start;
		if (least > left || (demandedMs === undefined && left <= 0)) return false;
		const wanted = now + waitMs(demandedMs, attempt, this.clock.random()) - start;
		const extra = Math.min(Math.max(wanted, 0), left);
		this.pausedUntil = start + extra;
		this.waitedMs += extra;
		return true;
	}
}
