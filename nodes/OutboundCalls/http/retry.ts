import type { Answer, ApiProblem, ApiRequest, Send, Subject } from '../domain/api/exchange';
import { fail, ok, type Result } from '../domain/values';
import { demandedWaitMs } from '../domain/api/retryTiming';
import { classifyExchange, isLimit } from '../domain/api/sendPolicy';
import { apiProblem, pauseProblem } from './apiErrors';
import type { Throttle } from './throttle';

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
