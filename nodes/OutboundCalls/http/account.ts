/**
 * What the executions of a process share: an account's pauses, whether it answers, and the pace of
 * each node. It is lost when the process ends, and workers of a cluster do not share it: then each
 * asks the API once more.
 */
import { createHash } from 'node:crypto';
import { type Answer, type Exchange, type Purpose, REFUSALS } from '../domain/api/exchange';
import { isLimit, isOwnAnswer } from '../domain/api/sendPolicy';
import { type Clock, systemClock, untilAborted, waitUntil } from '../execution/clock';
import { NUMBER_FIELDS } from '../domain/panelDefaults';
import { demandedWaitMs, waitMs } from '../domain/api/retryTiming';

/** How long an answer of the API's own proves that it is there. */
const KNOWN_MS = 600_000;

/** What all executions of the process know about one account of the API. */
export class Account {
	private answeredAt = -Infinity;
	private readonly lines = new Map<Purpose, RequestLine>();
	private readonly paces = new Map<string, CallPace>();

	constructor(
		private readonly clock: Clock = systemClock,
		/** This is a short digest of the base URL. */
		readonly address = '',
	) {}

	/** Returns the line for its requests of one kind. */
	line(kind: Purpose) {
		const line = this.lines.get(kind) ?? new RequestLine(this.clock);
		this.lines.set(kind, line);
		return line;
	}

	/** The pace of one node, for all of its executions. */
	pace(node: string) {
		const pace = this.paces.get(node) ?? new CallPace(this.clock);
		this.paces.set(node, pace);
		return pace;
	}

	/** Call it when a request leaves, and what it returns with what came back. */
	leave(kind: Purpose) {
		const returned = this.line(kind).leave();
		return (exchange: Exchange) => {
			if (isOwnAnswer(exchange))
				this.answeredAt = isOrdinary(exchange) ? this.clock.now() : -Infinity;
			returned(exchange);
		};
	}

	/**
	 * Whether the API answered within the last ten minutes, and would not refuse everything else as
	 * well.
	 */
	isKnown() {
		return this.clock.now() - this.answeredAt < KNOWN_MS;
	}
}

/** Other refusals may hold for all requests: then the next run asks with one request again. */
const isOrdinary = (exchange: Exchange) =>
	exchange.kind === 'answer' && (exchange.status < 300 || REFUSALS[exchange.status] === 'row');

/** By a digest of base URL and token. */
const accounts = new Map<string, Account>();

// No token and no address stays in memory or in the record of an execution.
const digest = (text: string) => createHash('sha256').update(text).digest('base64');

/** The account behind a base URL and a token. */
export function accountOf(baseUrl: string, token: string) {
	const key = digest(`${baseUrl} ${token}`);
	const account = accounts.get(key) ?? new Account(systemClock, digest(baseUrl).slice(0, 8));
	accounts.set(key, account);
	return account;
}

/**
 * The calls per minute of one node: its executions share the slots. Time in which nobody is called is
 * not saved up.
 */
export class CallPace {
	private nextCallAt = -Infinity;
	/** Ends when everybody who waits has had a slot. */
	private slots: Promise<unknown> = Promise.resolve();

	constructor(private readonly clock: Clock) {}

	/**
	 * Runs `work` in its slot and counts as many calls as it returns. Undefined after a stop, or
	 * when `work` returns that.
	 */
	async inSlot<T extends { length: number }>(
		callsPerMinute: number,
		work: () => Promise<T | undefined>,
		signal?: AbortSignal,
	): Promise<T | undefined> {
		const begins = this.slots.then(() => true);
		const slot = begins.then(async () => {
			await waitUntil(this.clock, this.nextCallAt, signal);
			const calls = signal?.aborted ? undefined : await work();
			if (calls)
				this.nextCallAt =
					Math.max(this.clock.now(), this.nextCallAt) + (calls.length * 60_000) / callsPerMinute;
			return calls;
		});
		this.slots = slot.catch(() => undefined);
		// After a stop, only work that has begun is waited for.
		return (await untilAborted(begins, signal)) ? await slot : undefined;
	}
}

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
	leave() {
		const { pauses } = this;
		let end = (): void => undefined;
		const probe = this.pause && new Promise<void>((resolve) => (end = resolve));
		this.probe ??= probe;
		return (exchange: Exchange) => {
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
