import type { Exchange } from '../domain/exchange';
import { demandedWaitMs, waitMs } from '../domain/retryTiming';
import { isLimit } from '../domain/sendPolicy';
import type { Clock } from './clock';

/** Nobody is held up for longer by what another execution was told: then one may ask again. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Whoever asks after a pause, and hears nothing for so long, holds nobody up any more. */
const LONGEST_QUESTION_MS = 60_000;

/** What the API said when it asked for a pause. */
type Limit = Exchange & { kind: 'answer' };

/** A pause that the API asked for. Moments are those of the clock that never changes. */
export interface Pause {
	/** The wait that was demanded is over; undefined where none was. */
	least: number | undefined;
	/** `least` and some more at random, or a backoff. */
	until: number;
	/** Those who did not hear it themselves need not wait for longer. */
	othersUntil: number;
	limit: Limit;
}

/** Requests between two pauses. */
interface Wave {
	underWay: number;
	/** As many may be under way: one after a pause, and one more for each answer that asks for none. */
	most: number;
	lastLeft: number;
}

/** The requests of one kind to an account, of all executions of the process: they pause together, and none may storm after it. */
export class Line {
	pause: Pause | undefined;
	private wave: Wave = { underWay: 0, most: Infinity, lastLeft: -Infinity };
	/** Answers in a row, of requests that knew of the ones before, that asked for a pause. */
	private refusals = 0;
	private readonly waiting = new Set<() => void>();

	constructor(private readonly clock: Clock) {}

	/** Whether one more request may be under way. */
	get isOpen(): boolean {
		return this.wave.underWay < this.wave.most || this.questionMs <= 0;
	}

	/** Whether there is nothing to know of it. */
	get isIdle(): boolean {
		return this.wave.underWay === 0 && (this.pause?.until ?? -Infinity) <= this.clock.now();
	}

	/** To be called when a request leaves; what comes back, with what came of it. */
	leave(): (exchange: Exchange) => void {
		const { wave } = this;
		wave.underWay++;
		wave.lastLeft = this.clock.now();
		return (exchange) => {
			wave.underWay--;
			const isCurrent = wave === this.wave;
			if (exchange.kind === 'answer' && isLimit(exchange)) this.pauseFor(exchange, isCurrent);
			else if (isCurrent && exchange.kind === 'answer') {
				wave.most++;
				this.refusals = 0;
			}
			for (const wake of this.waiting) wake();
		};
	}

	/** A limit that a request of another kind has met, and that holds for these, too. */
	pauseWith(limit: Limit): void {
		this.pauseFor(limit, true);
		for (const wake of this.waiting) wake();
	}

	/** Ends with the next answer, when `signal` is aborted, and when nobody needs to wait for it any more. */
	async nextAnswer(signal: AbortSignal | undefined): Promise<void> {
		const woken = new AbortController();
		const wake = (): void => {
			woken.abort();
		};
		this.waiting.add(wake);
		signal?.addEventListener('abort', wake);
		await this.clock.sleep(Math.max(this.questionMs, 0), woken.signal);
		this.waiting.delete(wake);
		signal?.removeEventListener('abort', wake);
	}

	/** For how long those who wait for an answer still wait. */
	private get questionMs(): number {
		return this.wave.lastLeft + LONGEST_QUESTION_MS - this.clock.now();
	}

	private pauseFor(limit: Limit, isCurrent: boolean): void {
		const now = this.clock.now();
		// "Retry-After: 0" names no wait. Without backoff, many such answers would cause just as many requests at once.
		const demandedMs = demandedWaitMs(limit, this.clock.timeOfDay()) || undefined;
		// What left before the last pause says nothing new of how long to wait.
		if (isCurrent) {
			this.wave = { underWay: 0, most: 1, lastLeft: -Infinity };
			this.refusals++;
		}
		const earlier = isCurrent ? undefined : this.pause;
		const until = Math.max(
			now + waitMs(demandedMs, Math.max(this.refusals - 1, 0), this.clock.random()),
			earlier?.until ?? -Infinity,
		);
		const least =
			demandedMs === undefined
				? earlier?.least
				: Math.max(now + demandedMs, earlier?.least ?? -Infinity);
		this.pause = { least, until, othersUntil: Math.min(until, now + LONGEST_PAUSE_MS), limit };
	}
}
