import { classifyExchange } from '../domain/sendPolicy';
import { demandedWaitMs } from '../domain/retryTiming';
import type { Throttle } from './throttle';
import type { ApiRequest, Exchange, Send } from './client';
import { apiProblem, type ApiProblem, type Subject } from './apiErrors';

/** A carried-out request's body, or why there is none. */
export type Answered =
	| { ok: true; body: unknown; status: number }
	/** `again`: asking again later may be answered otherwise. */
	| { ok: false; refusal: ApiProblem; again: boolean };

/**
 * Sends a request that places no call, again and again within the run's budget for waiting as long as
 * the verdict says that this is safe and sensible. `tries` bounds it where waiting longer helps nobody.
 */
export async function sendWithRetry(send: Send, pace: Throttle, request: ApiRequest, subject: Subject, tries = 5): Promise<Answered> {
	for (let attempt = 0; ; attempt++) {
		if (!(await pace.acquire())) {
			return { ok: false, refusal: { message: 'The execution was stopped', remedy: 'Nothing more was sent.' }, again: true };
		}
		const exchange: Exchange = await send(request);
		const proof = classifyExchange(subject.purpose, exchange);
		if (proof.kind === 'done' && exchange.kind === 'answer') {
			return { ok: true, body: exchange.body, status: exchange.status };
		}
		const mayBeAsked = proof.kind === 'refused' && proof.again;
		const again =
			mayBeAsked &&
			(attempt + 1 < tries || demandedWaitMs(exchange, Date.now()) !== undefined) &&
			pace.backOff(demandedWaitMs(exchange, Date.now()), attempt);
		if (!again) return { ok: false, refusal: apiProblem(exchange, subject, Date.now()), again: mayBeAsked };
	}
}
