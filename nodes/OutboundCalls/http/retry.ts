import type { ApiRequest, Send } from '../domain/exchange';
import { fail, ok, type Result } from '../domain/problem';
import { demandedWaitMs } from '../domain/retryTiming';
import { classifyExchange } from '../domain/sendPolicy';
import { apiProblem, type ApiProblem, type Subject } from './apiErrors';
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
	for (let attempt = 0; ; attempt++) {
		if (!(await throttle.acquire())) {
			return fail({ message: 'The execution was stopped', remedy: 'Nothing more was sent.', retryable: true });
		}
		const exchange = await send(request);
		const classification = classifyExchange(subject.purpose, exchange);
		if (classification.kind === 'succeeded' && exchange.kind === 'answer') return ok({ status: exchange.status, body: exchange.body });

		const retryable = classification.kind === 'rejected' && classification.retryable;
		const demandedMs = demandedWaitMs(exchange, Date.now());
		const again = retryable && (attempt + 1 < tries || demandedMs !== undefined) && throttle.backOff(demandedMs, attempt);
		if (!again) return fail({ ...apiProblem(exchange, subject, Date.now()), retryable });
	}
}
