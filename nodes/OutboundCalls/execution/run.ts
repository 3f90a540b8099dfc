import type { Purpose, Send } from '../domain/exchange';
import type { Api } from '../http/client';
import { Throttle, WaitBudget } from '../http/throttle';
import type { Execution } from './execution';
import { RunParameters } from './runParameters';

/** Options that all operations share, in the units of the code and within their bounds. */
export interface RunOptions {
	timeoutMs: number;
	maxWaitMs: number;
	concurrency: number;
}

/** Reads the shared options; `read.check()` throws for those that cannot be used. */
export const runOptions = (read: RunParameters): RunOptions => ({
	timeoutMs: read.number('options.timeout', 'Timeout', 60, 1, 3_600) * 1_000,
	maxWaitMs:
		read.number('options.maxRetryWait', 'Max Retry Wait', 300, 0, Number.MAX_VALUE) * 1_000,
	concurrency: Math.floor(read.number('options.parallelRequests', 'Parallel Requests', 5, 1, 10)),
});

/** What one run of an operation that places no call works with. */
export interface Run extends RunOptions {
	send: Send;
	reads: Throttle;
	cancels: Throttle;
	signal: AbortSignal | undefined;
}

/** Opens the run of an operation that places no call; throws what cannot be used. */
export async function openRun(execution: Execution): Promise<Run> {
	const read = new RunParameters(execution);
	const options = runOptions(read);
	await read.check();
	const api = await execution.openApi();
	if (!api.ok) throw execution.operationError(api.error);
	return openReads(execution, api.value, options);
}

/** A run that reads or cancels, with a budget of waiting of its own. */
export function openReads(
	{ signal }: Execution,
	{ send, account }: Api,
	{ timeoutMs, maxWaitMs, concurrency }: RunOptions,
): Run {
	const budget = new WaitBudget(maxWaitMs);
	const throttle = (kind: Purpose): Throttle =>
		new Throttle({ line: account.line(kind), budget, signal });
	return {
		timeoutMs,
		maxWaitMs,
		concurrency,
		signal,
		send,
		reads: throttle('read'),
		cancels: throttle('cancel'),
	};
}
