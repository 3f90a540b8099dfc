import type {
	Answer,
	ApiProblem,
	ApiRequest,
	Purpose,
	Send,
	Subject,
} from '../domain/api/exchange';
import { type Api, openApi } from './client';
import { Throttle, WaitBudget } from './throttle';
import type { Execution } from '../execution/execution';
import type { RunParameters } from '../execution/runParameters';
import { fail, ok, type Result } from '../domain/values';
import { demandedWaitMs } from '../domain/api/retryTiming';
import { classifyExchange, isLimit } from '../domain/api/sendPolicy';
import { apiProblem, pauseProblem } from './apiErrors';

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
export async function openApiAccess(execution: Execution, parameters: RunParameters) {
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

/** A request that places no call, and what it is about. */
export type SafeRequest = ApiRequest & Subject;

/** `retryable`: asking again later may be answered otherwise. */
export interface ReadProblem extends ApiProblem {
	retryable: boolean;
}

/** More often, only a wait that the API names is worth it. */
const MAX_TRIES = 5;

/**
 * Sends a request that places no call, again within the run's budget as long as `classifyExchange`
 * allows it.
 */
export async function sendWithRetry(
	send: Send,
	throttle: Throttle,
	request: SafeRequest,
): Promise<Result<Answer, ReadProblem>> {
	for (let attempt = 0; ;) {
		const slot = await throttle.acquire();
		if (slot === 'stopped')
			return fail({
				message: 'The execution was stopped',
				remedy: 'Nothing more was sent.',
				retryable: true,
			});
		if (slot !== 'now')
			return fail({ ...pauseProblem(slot.limit, request, slot.leftMs), retryable: true });
		if (!throttle.isClear) continue;
		const exchange = await send(request);
		const proved = classifyExchange(request.purpose, exchange);
		if (proved.kind === 'placed' && exchange.kind === 'answer') return ok(exchange);

		const retryable = proved.kind === 'refused' && proved.retryable;
		const demandedMs = demandedWaitMs(exchange, Date.now());
		const again =
			retryable &&
			(attempt + 1 < MAX_TRIES || demandedMs !== undefined) &&
			(isLimit(exchange) || (await throttle.backOff(demandedMs, attempt)));
		attempt++;
		if (!again) return fail({ ...apiProblem(exchange, request), retryable });
	}
}
