import { fail, type Fields, ok, type Result } from '../domain/values';
import type { ApiProblem } from '../domain/api/apiProblem';
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
	signal?: AbortSignal | undefined;
	/** Without it, each batch is read once. */
	poll?: PollOptions | undefined;
}

/** The last that was read of a batch; an API problem if nothing could be read at all. */
export type PolledBatch = Result<{ records: Fields[]; settled: boolean }, ApiProblem>;

/**
 * A call that has lasted for minutes rarely ends in the next seconds: the interval grows with its
 * age.
 */
const SHARE_OF_AGE = 0.25;
const MAX_INTERVAL_MS = 50_000;

/**
 * Reads each batch once and, with `poll`, those that are not settled again, each at its own
 * interval, until the time is up. A later read that does not succeed is tried again and never ends
 * the wait.
 */
export async function pollBatches(
	ids: readonly string[],
	read: (id: string) => Promise<BatchRead>,
	isSettled: (id: string, records: readonly Fields[]) => boolean,
	{ concurrency, stop, signal, poll }: ReadOptions,
	clock: Clock = systemClock,
): Promise<Map<string, PolledBatch>> {
	const batches = new Map<string, PolledBatch>();
	const begun = clock.now();
	const end = begun + (poll?.timeoutMs ?? 0);
	/**
	 * The earliest first: all batches are followed from the same moment, so their intervals are
	 * alike.
	 */
	const due = ids.map((id) => ({ id, at: begun }));
	const ended = new AbortController();
	const hasEnded = (): boolean => ended.signal.aborted;
	const finish = (): void => {
		ended.abort();
	};

	/** How long to wait at least before the next look; undefined when there is none. */
	const look = async (id: string): Promise<number | undefined> => {
		const result = await read(id);
		if (result.ok) {
			const settled = isSettled(id, result.value);
			batches.set(id, ok({ records: result.value, settled }));
			return settled ? undefined : 0;
		}
		const { retryable, ...why } = result.error;
		const known = batches.get(id)?.ok ?? false;
		if (!known) batches.set(id, fail(why));
		if (poll && (known || retryable)) return why.retryAfterMs ?? 0;
		if (stop) finish();
		return undefined;
	};
	const follow = async (): Promise<boolean> => {
		for (let next = due.shift(); next && !hasEnded(); next = due.shift()) {
			await waitUntil(clock, next.at, ended.signal);
			if (hasEnded()) return false;
			const atLeastMs = await look(next.id);
			const now = clock.now();
			if (!poll || atLeastMs === undefined || now >= end) continue;
			const growingMs = Math.min((now - begun) * SHARE_OF_AGE, MAX_INTERVAL_MS);
			const intervalMs = Math.max(poll.pollIntervalMs, growingMs, atLeastMs);
			due.push({ id: next.id, at: Math.min(now + intervalMs, end) });
		}
		return true;
	};
	signal?.addEventListener('abort', finish);
	if (signal?.aborted) finish();
	try {
		await forEachConcurrent(concurrency, Math.min(concurrency, ids.length), follow);
	} finally {
		signal?.removeEventListener('abort', finish);
	}
	return batches;
}
