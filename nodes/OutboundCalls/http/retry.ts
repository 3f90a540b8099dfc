import type { ApiRequest, Send } from '../domain/exchange';
import { fail, ok, type Result } from '../domain/problem';
import { demandedWaitMs } from '../domain/retryTiming';
import { classifyExchange, isLimit } from '../domain/sendPolicy';
import { apiProblem, type ApiProblem, pauseProblem, type Subject } from './apiErrors';
import type { Throttle } from './throttle';

/** A request that was carried out. */
export interface Answer {
	status: number;
	body: unknown;
}

/** `retryable`: asking again later may be answered otherwise. */
export interface ReadProblem extends ApiProblem {
	retryable: boolean;
}

/**
 * Sends a request that places no call, again and again within the run's budget for waiting as long as
 * `classifyExchange` says that this is safe and sensible. `tries` bounds it where waiting longer helps nobody.
 */
export async function sendWithRetry(
	send: Send,
	throttle: Throttle,
	request: ApiRequest,
	subject: Subject,
	tries = 5,
): Promise<Result<Answer, ReadProblem>> {
	for (let attempt = 0; ;) {
		const turn = await throttle.acquire();
		if (turn === 'stopped')
			return fail({
				message: 'The execution was stopped',
				remedy: 'Nothing more was sent.',
				retryable: true,
			});
		if (turn !== 'now')
			return fail({
				...pauseProblem(turn.limit, subject, throttle.demandedMs(turn)),
				retryable: true,
			});
		if (!throttle.isClear) continue;
		const exchange = await send(request);
		const classification = classifyExchange(subject.purpose, exchange);
		if (classification.kind === 'succeeded' && exchange.kind === 'answer')
			return ok({ status: exchange.status, body: exchange.body });

		const retryable = classification.kind === 'rejected' && classification.retryable;
		const demandedMs = demandedWaitMs(exchange, Date.now());
		const again =
			retryable &&
			(attempt + 1 < tries || demandedMs !== undefined) &&
			(isLimit(exchange) ? throttle.keepPause() : throttle.backOff(demandedMs, attempt));
		attempt++;
		if (!again) return fail({ ...apiProblem(exchange, subject, Date.now()), retryable });
	}
}
