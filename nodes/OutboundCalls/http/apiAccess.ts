import type { Purpose, Send } from '../domain/api/exchange';
import { type Api, openApi } from './client';
import { Throttle, WaitBudget } from './throttle';
import type { Execution } from '../execution/execution';
import type { RunParameters } from '../execution/runParameters';

/** Options that all operations share, in the units of the code and within their bounds. */
export interface RequestOptions {
	timeoutMs: number;
	maxWaitMs: number;
	concurrency: number;
}

/** Reads the shared options; `parameters.check()` throws for those that cannot be used. */
export const requestOptions = (parameters: RunParameters): RequestOptions => ({
	timeoutMs: parameters.number('timeout', 'options') * 1_000,
	maxWaitMs: parameters.number('maxRetryWait', 'options') * 1_000,
	concurrency: Math.floor(parameters.number('parallelRequests', 'options')),
});

/** What one run of an operation that places no call works with. */
export interface ApiAccess extends RequestOptions {
	send: Send;
	reads: Throttle;
	cancels: Throttle;
	signal: AbortSignal | undefined;
}

/**
 * Opens the run of an operation that places no call, after it has read its own settings; throws what
 * cannot be used.
 */
export async function openApiAccess(
	execution: Execution,
	parameters: RunParameters,
): Promise<ApiAccess> {
	const options = requestOptions(parameters);
	await parameters.check();
	const api = await openApi(execution);
	if (!api.ok) throw execution.operationError(api.error);
	return apiAccess(execution, api.value, options);
}

/** A run that reads or cancels, with a budget of waiting of its own. */
export function apiAccess(
	{ signal }: Execution,
	{ send, account }: Api,
	options: RequestOptions,
): ApiAccess {
	const budget = new WaitBudget(options.maxWaitMs);
	const throttle = (kind: Purpose) => new Throttle({ line: account.line(kind), budget, signal });
	return { ...options, signal, send, reads: throttle('read'), cancels: throttle('cancel') };
}
