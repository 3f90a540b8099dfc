import { DESTINATIONS_PER_REQUEST } from '../domain/apiLimits';
import { waitMs } from '../domain/retryTiming';
import { Turns } from './account';
import { type Clock, systemClock } from './clock';
import { Line, type Pause } from './line';
import { Patience } from './patience';
import { untilAborted } from './untilAborted';

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
	/** Requests of this kind of all executions. */
	line?: Line;
	/** Bound on all waits of the run that answers cause. */
	patience: Patience;
	callsPerMinute?: number;
	/** Who else takes a turn: other executions of the node. */
	turns?: Turns;
	/** Where the pace is kept over the rounds of a loop and retries. */
	pace?: Pace;
	signal?: AbortSignal;
}

/** Whether a request may leave at once, the run was stopped, or the account pauses for longer than the run may wait. */
export type Turn = 'now' | 'stopped' | Pause;

/** When the requests of a run may leave: the pauses of its account, its own, and one spacing of calls. */
export class Throttle {
	private pausedUntil = -Infinity;
	/** The account's pause that the run keeps to. */
	private kept: Pause | undefined;
	private readonly line: Line;
	private readonly turns: Turns;
	/** Until the first paced work, an earlier round or try may have left a pace. */
	private hasPace = false;
	private nextRequest = -Infinity;
	private firstRequest: number | undefined;
	private requests = 0;

	constructor(
		private readonly limits: ThrottleLimits,
		private readonly clock: Clock = systemClock,
	) {
		this.line = limits.line ?? new Line(clock);
		this.turns = limits.turns ?? new Turns();
	}

	get cancelled(): boolean {
		return this.limits.signal?.aborted ?? false;
	}

	/** To be asked in the moment in which a request leaves: others may have left since it had its turn. */
	get isClear(): boolean {
		return this.newPause === undefined && this.line.isOpen;
	}

	/**
	 * Runs `work` when no pause is on and the calls per minute allow for more calls, and counts as many as it answers with:
	 * rows that turn out not to be called cost no time. `tooLong` is a pause that the run may not wait for. Undefined when
	 * the run was stopped.
	 */
	async paced<T extends { length: number }>(
		work: (tooLong?: Pause) => Promise<T>,
	): Promise<T | undefined> {
		const { callsPerMinute } = this.limits;
		for (;;) {
			const turn = await this.pauseIsOver();
			if (turn === 'stopped') return undefined;
			if (turn !== 'now') return await work(turn);
			if (!callsPerMinute) return await work();
			// Nobody waits for a pause in line: those behind may be allowed less.
			const calls = await this.inLine(60_000 / callsPerMinute, async () =>
				this.isPaused ? undefined : await work(),
			);
			if (calls !== undefined || this.cancelled) return calls;
		}
	}

	private async inLine<T extends { length: number }>(
		betweenMs: number,
		work: () => Promise<T | undefined>,
	): Promise<T | undefined> {
		const { turns } = this;
		const { pace = {}, signal } = this.limits;
		const hasTurn = turns.line.then(() => !this.cancelled);
		const turn = hasTurn.then(async (isOurs) => {
			if (!isOurs) return undefined;
			if (!this.hasPace) {
				const left = Math.min(
					(pace.nextCallAt ?? 0) - this.clock.timeOfDay(),
					MOST_CALLS_AT_ONCE * betweenMs,
				);
				turns.nextCall = Math.max(turns.nextCall, this.clock.now() + left);
				this.hasPace = true;
			}
			const { nextCall } = turns;
			if (!(await this.waitUntil(() => nextCall))) return undefined;
			const calls = await work();
			if (!calls) return undefined;
			const now = this.clock.now();
			turns.nextCall = Math.max(now, nextCall) + calls.length * betweenMs;
			pace.nextCallAt = this.clock.timeOfDay() + turns.nextCall - now;
			return calls;
		});
		turns.line = turn.catch(() => undefined);
		// Whoever is stopped does not wait for the turns before, but for what was begun.
		return (await untilAborted(hasTurn, signal)) ? await turn : undefined;
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

	/** Waits for the end of a pause, for whoever asks first after it, and for the request before. */
	async acquire(): Promise<Turn> {
		for (;;) {
			const turn = await this.pauseIsOver();
			if (turn !== 'now') return turn;
			if (!this.line.isOpen) await this.line.nextAnswer(this.limits.signal);
			else if (this.clock.now() < this.nextRequest) await this.waitUntil(() => this.nextRequest);
			else {
				const now = this.clock.now();
				this.firstRequest ??= now;
				const betweenMs = (now - this.firstRequest) / ++this.requests;
				this.nextRequest = now + Math.min(Math.floor(betweenMs / 2), MOST_APART_MS);
				return 'now';
			}
		}
	}

	/** After an answer that asks for a pause of the account (`isLimit`). False when the run may not wait for so long: then nothing is waited for. */
	keepPause(): boolean {
		const { pause } = this.line;
		return pause === undefined || this.keep(pause, pause.least, pause.until);
	}

	/** Pauses the requests of this run alone after something else that may be tried again. False as in `keepPause`. */
	backOff(demandedMs: number | undefined, attempt: number): boolean {
		const now = this.clock.now();
		const least = demandedMs ? now + demandedMs : undefined;
		return this.pauseUntil(
			least,
			now + waitMs(demandedMs || undefined, attempt, this.clock.random()),
		);
	}

	/** How long the API still asks to wait, in milliseconds; undefined where it names no time. */
	demandedMs({ least }: Pause): number | undefined {
		return least === undefined ? undefined : Math.max(0, least - this.clock.now());
	}

	/** A pause of the account that the run has not kept to yet. */
	private get newPause(): Pause | undefined {
		const { pause } = this.line;
		return pause !== undefined && pause !== this.kept && pause.othersUntil > this.clock.now()
			? pause
			: undefined;
	}

	private get isPaused(): boolean {
		return this.newPause !== undefined || this.clock.now() < this.pausedUntil;
	}

	private async pauseIsOver(): Promise<Turn> {
		for (;;) {
			if (this.cancelled) return 'stopped';
			const { newPause } = this;
			if (newPause) {
				const { least, othersUntil } = newPause;
				if (
					!this.keep(
						newPause,
						least === undefined ? undefined : Math.min(least, othersUntil),
						othersUntil,
					)
				)
					return newPause;
			}
			if (!this.isPaused) return 'now';
			await this.waitUntil(() => this.pausedUntil);
		}
	}

	private keep(pause: Pause, least: number | undefined, until: number): boolean {
		if (!this.pauseUntil(least, until)) return false;
		this.kept = pause;
		return true;
	}

	private pauseUntil(least: number | undefined, wanted: number): boolean {
		const until = this.limits.patience.take(this.clock.now(), least, wanted);
		if (until === undefined) return false;
		this.pausedUntil = Math.max(this.pausedUntil, until);
		return true;
	}

	/** `moment` may move during the wait. False when the run was stopped meanwhile. */
	private async waitUntil(moment: () => number): Promise<boolean> {
		for (;;) {
			if (this.cancelled) return false;
			const leftMs = moment() - this.clock.now();
			if (leftMs <= 0) return true;
			await this.clock.sleep(leftMs, this.limits.signal);
		}
	}
}
