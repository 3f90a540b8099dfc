import type { Exchange } from './exchange';
import { isObject, numberOf, typedText } from '../values';

const BACKOFF_BASE_MS = 1_000;
const BACKOFF_CAP_MS = 30_000;
/**
 * "Add a small random delay when several clients retry together" (API document, "Upcoming request
 * allowances").
 */
const JITTER_SHARE = 0.25;

/**
 * The wait that an answer asks for, in milliseconds: the Retry-After header (seconds or HTTP date)
 * or `details.retry_after` (seconds), the longer of the two. Undefined when there is none that
 * makes sense.
 */
export function demandedWaitMs(exchange: Exchange, now: number): number | undefined {
	if (exchange.kind !== 'answer') return undefined;
	const details = isObject(exchange.body) ? exchange.body.details : undefined;
	const demands = [
		headerWaitMs(exchange.retryAfter, now),
		secondsToMs(isObject(details) ? details.retry_after : undefined),
	].filter((wait) => wait !== undefined);
	return demands.length > 0 ? Math.max(...demands) : undefined;
}

function headerWaitMs(header: string | undefined, now: number) {
	const text = typedText(header);
	// Date.parse takes much that is no HTTP date ("-5"); those all have a weekday.
	const date = /^[A-Z][a-z]{2,8},/.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? secondsToMs(text) : Math.max(0, date - now);
}

/** A number, or a text that is one; a fraction is rounded up. */
function secondsToMs(value: unknown) {
	const seconds = numberOf(value);
	return seconds !== undefined && seconds >= 0 ? Math.ceil(seconds) * 1_000 : undefined;
}

/**
 * How long to wait before sending again, in milliseconds. A demanded wait is kept in full, plus up
 * to a quarter of it at random; otherwise, and where it asks for next to nothing, exponential
 * backoff with full jitter. `attempt` counts from 0; `random` is in [0, 1).
 * After a 429 or 503 the whole account pauses for so long: `pauseFor` in `http/account.ts` sets the
 * pause, and `isLimit` in `sendPolicy.ts` says which answers ask for one.
 */
export function waitMs(demandedMs: number | undefined, attempt: number, random: number): number {
	const backoffMs = random * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** Math.min(attempt, 10));
	if (demandedMs === undefined) return backoffMs;
	const waitMs = demandedMs * (1 + JITTER_SHARE * random);
	return demandedMs < BACKOFF_BASE_MS ? Math.max(waitMs, backoffMs) : waitMs;
}
