import { verdict } from '../domain/sendPolicy';
import { demandedWaitMs } from '../domain/retryTiming';
import type { Pace } from './throttle';
import type { ApiRequest, Exchange, Send } from './client';
import { refusal, type Refusal, type Subject } from './apiErrors';

/** A carried-out request's body, or why there is none. */
export type Answered =
	| { ok: true; body: unknown; status: number }
	/** `again`: asking again later may be answered otherwise. */
	| { ok: false; refusal: Refusal; again: boolean };

/**
 * Sends a request that places no call, again and again within the run's budget for waiting as long as
 * the verdict says that this is safe and sensible. `tries` bounds it where waiting longer helps nobody.
 */
export async function request(send: Send, pace: Pace, request: ApiRequest, subject: Subject, tries = 5): Promise<Answered> {
	for (let attempt = 0; ; attempt++) {
		if (!(await pace.turn())) {
			return { ok: false, refusal: { message: 'The execution was stopped', remedy: 'Nothing more was sent.' }, again: true };
		}
		const exchange: Exchange = await send(request);
		const proof = verdict(subject.purpose, exchange);
		if (proof.kind === 'done' && exchange.kind === 'answer') {
			return { ok: true, body: exchange.body, status: exchange.status };
		}
		const mayBeAsked = proof.kind === 'refused' && proof.again;
		const again =
			mayBeAsked &&
			(attempt + 1 < tries || demandedWaitMs(exchange, Date.now()) !== undefined) &&
			pace.pause(demandedWaitMs(exchange, Date.now()), attempt);
		if (!again) return { ok: false, refusal: refusal(exchange, subject, Date.now()), again: mayBeAsked };
	}
}
