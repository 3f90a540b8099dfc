import { type Result, fail, ok } from '../domain/problem';
import type { ApiProblem } from '../http/apiErrors';
import { type Clock, systemClock } from '../http/clock';
import { forEachConcurrent } from '../http/concurrency';
import type { BatchDetail, BatchRead } from './pages';

/** How long to wait for batches, in milliseconds. */
export interface PollOptions {
	pollIntervalMs: number;
	timeoutMs: number;
}

export interface ReadOptions {
	/** Batches read at the same time. */
	concurrency: number;
	/** With On Error = Stop a refusal that another read would meet again ends the reading of all. */
	stop: boolean;
	signal?: AbortSignal | undefined;
	/** Without it, each batch is read once. */
	poll?: PollOptions | undefined;
}

/** The last that was read of a batch; an API problem when nothing could be read at all. */
export type PolledBatch = Result<{ detail: BatchDetail; settled: boolean }, ApiProblem>;

/** A call that has lasted for minutes rarely ends in the next seconds: the time between two looks is this share of its age. */
const SHARE_OF_AGE = 0.25;

/** With this, and the time that a look takes, no call is seen later than a minute after it ended. */
const LONGEST_INTERVAL_MS = 50_000;

/** When to look again at calls that have been followed for `ageMs`; never sooner than the user says. */
export const nextLookMs = (ageMs: number, pollIntervalMs: number): number =>
	Math.max(pollIntervalMs, Math.min(ageMs * SHARE_OF_AGE, LONGEST_INTERVAL_MS));

/**
 * Reads each batch once, then, with `poll`, again and again those that are not settled, each after an interval of its own,
 * until all are or the time is up. A read that fails later on is tried again and never ends the wait.
 */
export async function pollBatches(
	ids: readonly string[],
	read: (id: string) => Promise<BatchRead>,
	isSettled: (id: string, detail: BatchDetail) => boolean,
	{ concurrency, stop, signal, poll }: ReadOptions,
	clock: Clock = systemClock,
): Promise<Map<string, PolledBatch>> {
	const batches = new Map<string, PolledBatch>();
	const begun = clock.now();
	const end = begun + (poll?.timeoutMs ?? 0);
	/** In the order of their turns: all are of one age, so that whatever is read first is due first. */
	const open = ids.map((id) => ({ id, due: begun }));
	const ended = new AbortController();
	const hasEnded = (): boolean => ended.signal.aborted;
	const finish = (): void => {
		ended.abort();
	};
	signal?.addEventListener('abort', finish);
	if (signal?.aborted) finish();

	/** Whether to look again, and after how long at least. */
	const look = async (id: string): Promise<{ afterMs: number } | undefined> => {
		const result = await read(id);
		if (result.ok) {
			const settled = isSettled(id, result.value);
			batches.set(id, ok({ detail: result.value, settled }));
			return settled ? undefined : { afterMs: 0 };
		}
		const { retryable, ...why } = result.error;
		const known = batches.get(id)?.ok ?? false;
		if (!known) batches.set(id, fail(why));
		if (poll && (known || retryable)) return { afterMs: why.retryAfterMs ?? 0 };
		if (stop) finish();
		return undefined;
	};
	try {
		await forEachConcurrent(concurrency, Math.min(concurrency, ids.length), async () => {
			for (let next = open.shift(); next && !hasEnded(); next = open.shift()) {
				const { id, due } = next;
				if (due > clock.now()) await clock.sleep(due - clock.now(), ended.signal);
				if (hasEnded()) return false;
				const again = await look(id);
				const now = clock.now();
				if (!poll || !again || now >= end) continue;
				open.push({
					id,
					due: Math.min(
						now + Math.max(nextLookMs(now - begun, poll.pollIntervalMs), again.afterMs),
						end,
					),
				});
			}
			return !hasEnded();
		});
	} finally {
		signal?.removeEventListener('abort', finish);
	}
	return batches;
}
