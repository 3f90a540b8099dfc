/**
 * The requests of one kind to one account, from all executions of the process.
 *
 * open ──a limit──► paused ──time is up──► probing ──any other answer──► open
 *                     ▲                       │
 *                     └───────a limit─────────┘
 *
 * While it probes, one request is under way and the others wait for its answer; a lost answer lets
 * the next one ask. So a pause ends with one slow request, not with a burst.
 */
import type { Answer, Exchange } from '../domain/api/exchange';
import { NUMBER_FIELDS } from '../domain/numberFields';
import { demandedWaitMs, waitMs } from '../domain/api/retryTiming';
import { isLimit } from '../domain/api/sendPolicy';
import type { Clock } from '../execution/clock';

/** A wait until a moment of the clock; `least` is the end of the part that the API asks for. */
export interface Wait {
	least?: number;
	until: number;
}

/** Describes a pause of the account. */
export interface Pause extends Wait {
	/** The answer of the API that asks for it. */
	limit: Answer;
}

/** A pause that the API asks for is remembered for so long. */
const MAX_PAUSE_MS = NUMBER_FIELDS.maxRetryWait.most * 1_000;

/** The state of the requests of one kind to one account. */
export class RequestLine {
	/** It is undefined while the line is open. */
	pause: Pause | undefined;
	/** Ends with the answer to the request that probes. */
	probe: Promise<void> | undefined;
	/**
	 * Counts pauses: a request that left before the last one says nothing about whether it is over.
	 */
	private pauses = 0;
	/** Pauses since the last other answer, for the backoff. */
	private refusals = 0;

	constructor(private readonly clock: Clock) {}

	/** Call it when a request leaves, and what it returns with what came back. */
	leave(): (exchange: Exchange) => void {
		const { pauses } = this;
		let end = (): void => undefined;
		const probe = this.pause && new Promise<void>((resolve) => (end = resolve));
		this.probe ??= probe;
		return (exchange) => {
			const isCurrent = pauses === this.pauses;
			if (exchange.kind === 'answer' && isLimit(exchange)) this.pauseFor(exchange, isCurrent);
			else if (exchange.kind === 'answer' && isCurrent) {
				this.pause = undefined;
				this.refusals = 0;
			}
			if (this.probe === probe) this.probe = undefined;
			end();
		};
	}

	private pauseFor(limit: Answer, isCurrent: boolean) {
		const now = this.clock.now();
		// "Retry-After: 0" names no wait: without backoff, such answers would cause a request each
		// at once.
		const demandedMs = demandedWaitMs(limit, this.clock.timeOfDay()) || undefined;
		if (isCurrent) {
			this.pauses++;
			this.refusals++;
		}
		const wait = waitMs(demandedMs, Math.max(this.refusals - 1, 0), this.clock.random());
		// Runs do not wait for longer than an hour: after it, one of them asks again.
		const until = now + Math.min(wait, MAX_PAUSE_MS);
		if (!isCurrent && this.pause && until <= this.pause.until) return;
		this.pause = { limit, least: demandedMs && now + demandedMs, until };
	}
}
