import type { Fields } from '../domain/values';
import { type Clock, systemClock, waitUntil } from '../execution/clock';
import { forEachConcurrent } from '../execution/concurrency';
import type { BatchRead } from './pages';

/** How long to wait for batches, in milliseconds. */
export interface PollOptions {
	pollIntervalMs: number;
	timeoutMs: number;
}

/** Says how batches are read. */
export interface ReadOptions {
	concurrency: number;
	/**
	 * With On Error = Stop, a refusal that another read would meet again ends the reading of all.
	 */
	stop: boolean;
	signal?: AbortSignal;
	/** Without it, each batch is read once. */
	poll?: PollOptions;
}

/**
 * A call that has lasted for minutes rarely ends in the next seconds: the interval grows with its
 * age.
 */
const SHARE_OF_AGE = 0.25;
const MAX_INTERVAL_MS = 50_000;

/**
 * Reads each batch once and, with `poll`, those that are not settled again, each at its own
 * interval, until the time is up. A later read that does not succeed is tried again and never ends
 * the wait. The last that was read of a batch counts; a problem only if nothing could be read at all.
 */
export async function pollBatches(
	ids: readonly string[],
	read: (id: string) => Promise<BatchRead>,
	isSettled: (id: string, records: readonly Fields[]) => boolean,
	{ concurrency, stop, signal, poll }: ReadOptions,
	clock: Clock = systemClock,
): Promise<Map<string, BatchRead>> {
	const batches = new Map<string, BatchRead>();
	const begun = clock.now();
	const end = begun + (poll?.timeoutMs ?? 0);
	/**
	 * The earliest first: all batches are followed from the same moment, so their intervals are
	 * alike.
	 */
	const due = ids.map((id) => ({ id, at: begun }));
	const refused = new AbortController();
	const ended = signal ? AbortSignal.any([signal, refused.signal]) : refused.signal;

	/** How long to wait at least before the next look; undefined when there is none. */
	const look = async (id: string) => {
		const result = await read(id);
		const known = batches.get(id)?.ok ?? false;
		if (result.ok || !known) batches.set(id, result);
		if (result.ok) return isSettled(id, result.value) ? undefined : 0;
		if (poll && (known || result.error.retryable)) return result.error.retryAfterMs ?? 0;
		if (stop) refused.abort();
		return undefined;
	};
	await forEachConcurrent(concurrency, ids.length, async () => {
		for (let next = due.shift(); next; next = due.shift()) {
			await waitUntil(clock, next.at, ended);
			if (ended.aborted) return false;
			const atLeastMs = await look(next.id);
			const now = clock.now();
			if (!poll || atLeastMs === undefined || now >= end) continue;
			const growingMs = Math.min((now - begun) * SHARE_OF_AGE, MAX_INTERVAL_MS);
			const intervalMs = Math.max(poll.pollIntervalMs, growingMs, atLeastMs);
			due.push({ id: next.id, at: Math.min(now + intervalMs, end) });
		}
		return undefined;
	});
	return batches;
}
