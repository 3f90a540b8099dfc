import type { Send } from '../domain/exchange';
import type { Api } from '../http/client';
import { Patience } from '../http/patience';
import { Throttle } from '../http/throttle';
import type { Execution } from './execution';
import { RunParameters } from './runParameters';

/** Options that all operations share, in the units of the code and within their bounds. */
export interface RunOptions {
	timeoutMs: number;
	maxWaitMs: number;
	concurrency: number;
}

/** Reads them; what cannot be used is kept in `read`. */
export const runOptions = (read: RunParameters): RunOptions => ({
	timeoutMs: read.number('options.timeout', 'Timeout', 60, 1, 3_600) * 1_000,
	maxWaitMs:
		read.number('options.maxRetryWait', 'Max Retry Wait', 300, 0, Number.MAX_VALUE) * 1_000,
	concurrency: Math.floor(read.number('options.parallelRequests', 'Parallel Requests', 5, 1, 10)),
});

/** What one run of an operation that places no call works with. */
export interface Run extends RunOptions {
	send: Send;
	/** When requests that read may leave. */
	reads: Throttle;
	/** When requests that cancel may leave. */
	cancels: Throttle;
	/** Reads that are waited for together with their calls: their own bound on waits, in milliseconds. */
	readsWithin: (maxWaitMs: number) => Throttle;
	signal: AbortSignal | undefined;
}

export async function openRun(execution: Execution): Promise<Run> {
	const read = new RunParameters(execution);
	const options = runOptions(read);
	await read.check();
	const api = await execution.openApi();
	if (!api.ok) throw execution.operationError(api.error);
	return openReads(execution, api.value, options);
}

/** A run that only reads, or cancels. */
export function openReads(
	{ signal }: Execution,
	{ send, account }: Api,
	{ timeoutMs, maxWaitMs, concurrency }: RunOptions,
): Run {
	const patience = new Patience(maxWaitMs);
	const readsWith = (bound: Patience): Throttle =>
		new Throttle({ line: account.line('read'), patience: bound, signal });
	return {
		timeoutMs,
		maxWaitMs,
		concurrency,
		signal,
		send,
		reads: readsWith(patience),
		cancels: new Throttle({ line: account.line('cancel'), patience, signal }),
		readsWithin: (mostMs) => readsWith(new Patience(Math.min(maxWaitMs, mostMs))),
	};
}
