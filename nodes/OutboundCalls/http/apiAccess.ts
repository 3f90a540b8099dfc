import type { Purpose } from '../domain/api/exchange';
import { type Api, openApi } from './client';
import { Throttle, WaitBudget } from './throttle';
import type { Execution } from '../execution/execution';
import type { RunParameters } from '../execution/runParameters';

/** Options that all operations share, in the units of the code and within their bounds. */
type RequestOptions = ReturnType<typeof requestOptions>;

/** Reads the shared options; `parameters.check()` throws for those that cannot be used. */
export const requestOptions = (parameters: RunParameters) => ({
	timeoutMs: parameters.number('timeout', 'options') * 1_000,
	maxWaitMs: parameters.number('maxRetryWait', 'options') * 1_000,
	concurrency: Math.floor(parameters.number('parallelRequests', 'options')),
});

/** What one run of an operation that places no call works with. */
export type ApiAccess = ReturnType<typeof apiAccess>;

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
export function apiAccess({ signal }: Execution, { send, account }: Api, options: RequestOptions) {
	const budget = new WaitBudget(options.maxWaitMs);
	const throttle = (kind: Purpose) => new Throttle({ line: account.line(kind), budget, signal });
	return { ...options, signal, send, reads: throttle('read'), cancels: throttle('cancel') };
}
