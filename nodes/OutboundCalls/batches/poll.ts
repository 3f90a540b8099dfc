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

/**
 * Reads each batch once, then, with `poll`, again and again those that are not settled, until all are or
 * the time is up. A read that fails later on is tried again with the next round and never ends the wait.
 */
export async function pollBatches(
	ids: readonly string[],
	read: (id: string) => Promise<BatchRead>,
	isSettled: (id: string, detail: BatchDetail) => boolean,
	{ concurrency, stop, signal, poll }: ReadOptions,
	clock: Clock = systemClock,
): Promise<Map<string, PolledBatch>> {
	const batches = new Map<string, PolledBatch>();
	const end = clock.now() + (poll?.timeoutMs ?? 0);
	let open = ids;
	for (;;) {
		const unsettled: string[] = [];
		const round = { refused: false };
		let demandedMs = 0;
		await forEachConcurrent(concurrency, open.length, async (index) => {
			const id = open[index]!;
			const result = await read(id);
			if (result.ok) {
				const settled = isSettled(id, result.value);
				batches.set(id, ok({ detail: result.value, settled }));
				if (!settled) unsettled.push(id);
			} else {
				const { retryable, ...why } = result.error;
				const known = batches.get(id)?.ok ?? false;
				if (!known) batches.set(id, fail(why));
				demandedMs = Math.max(demandedMs, why.retryAfterMs ?? 0);
				if (poll && (known || retryable)) unsettled.push(id);
				else round.refused ||= stop;
			}
			return !round.refused && !signal?.aborted;
		});
		const left = end - clock.now();
		if (!poll || round.refused || unsettled.length === 0 || left <= 0 || signal?.aborted) return batches;
		await clock.sleep(Math.min(Math.max(poll.pollIntervalMs, demandedMs), left), signal);
		open = unsettled;
	}
}
