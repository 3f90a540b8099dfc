import type { BatchDetail, BatchRead } from './pages';
import type { ApiProblem } from '../http/apiErrors';
import { forEachConcurrent } from '../http/concurrency';
import { systemClock, type Clock } from '../http/throttle';

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

/** The last that was read of a batch; a refusal when nothing could be read at all. */
export type PolledBatch = { ok: true; detail: BatchDetail; settled: boolean } | { ok: false; refusal: ApiProblem };

/**
 * Reads each batch once, then, with `patience`, again and again those that are not settled, until all are or
 * the time is up. A read that fails later on is tried again with the next round and never ends the wait.
 */
export async function pollBatches(
	ids: readonly string[],
	read: (id: string) => Promise<BatchRead>,
	isSettled: (id: string, detail: BatchDetail) => boolean,
	{ concurrency, stop, signal, poll }: ReadOptions,
	clock: Clock = systemClock(),
): Promise<Map<string, PolledBatch>> {
	const followed = new Map<string, PolledBatch>();
	const end = clock.now() + (poll?.timeoutMs ?? 0);
	let open = ids;
	for (;;) {
		const unsettled: string[] = [];
		const round = { ended: false };
		let demandedMs = 0;
		await forEachConcurrent(concurrency, open.length, async (index) => {
			const id = open[index]!;
			const result = await read(id);
			if (result.ok) {
				const settled = isSettled(id, result.detail);
				followed.set(id, { ok: true, detail: result.detail, settled });
				if (!settled) unsettled.push(id);
			} else {
				const { refusal, again } = result;
				const known = followed.get(id)?.ok ?? false;
				if (!known) followed.set(id, { ok: false, refusal });
				demandedMs = Math.max(demandedMs, refusal.retryAfterMs ?? 0);
				if (poll && (known || again)) unsettled.push(id);
				else round.ended ||= stop;
			}
			return !round.ended && !signal?.aborted;
		});
		const left = end - clock.now();
		if (!poll || round.ended || unsettled.length === 0 || left <= 0 || signal?.aborted) return followed;
		await clock.sleep(Math.min(Math.max(poll.pollIntervalMs, demandedMs), left), signal);
		open = unsettled;
	}
}
