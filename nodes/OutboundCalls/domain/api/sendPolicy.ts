import { isCallId, isUndialedAnswer, namesCall } from './answers';
import { type Exchange, isErrorBody, isPlacing, type Purpose, REFUSALS } from './exchange';
import { isObject } from '../values';

/**
 * What an exchange proves about its request. `placed`: carried out (a call placed, a record
 * cancelled, a batch read). `refused`: certainly not; `retryable` when sending it again later is
 * safe and sensible. `unknown`: it may have been carried out, so it must not be sent again.
 */
export type Classification =
	{ kind: 'placed' } | { kind: 'refused'; retryable: boolean } | { kind: 'unknown' };

/**
 * The send policy, whole: (what was asked, what happened, whether the API itself answered before in
 * this run) → what it proves. Sources: API document, "POST /calls/bulk" rule 4 (any status but 201
 * dialed nothing: believed only with the API's own body, and one that names no call), "Errors",
 * "Upcoming request allowances" ("the operation has not executed").
 */
export function classifyExchange(
	purpose: Purpose,
	exchange: Exchange,
	apiAnswered = true,
): Classification {
	if (exchange.kind === 'notOpened')
		return { kind: 'refused', retryable: mayOpenLater(exchange.code) };
	if (exchange.kind === 'noAnswer')
		return purpose === 'read' ? { kind: 'refused', retryable: true } : { kind: 'unknown' };

	const { status, body } = exchange;
	if (purpose === 'read') {
		return status === 200 && isObject(body) && !isErrorBody(body)
			? { kind: 'placed' }
			: {
					kind: 'refused',
					retryable: status === 429 || status === 408 || status >= 500 || isCutOff(status, body),
				};
	}
	const success = status >= 200 && status < 300;
	const isRefused =
		isErrorBody(body) &&
		(purpose === 'cancel' || !namesCall(body)) &&
		(!success || (purpose === 'bulkCall' && status !== 201));
	if (neverArrived(purpose, exchange, apiAnswered)) return { kind: 'refused', retryable: false };
	if (!isRefused) return { kind: success ? 'placed' : 'unknown' };
	if (status === 429 || status === 503) return { kind: 'refused', retryable: true };
	return purpose === 'bulkCall' || status in REFUSALS
		? { kind: 'refused', retryable: false }
		: { kind: 'unknown' };
}

/**
 * Statuses with which a server says that it has no such path, or no way there, before it hands a
 * request on.
 */
export const NOT_HANDED_ON = [404, 405, 407];

/**
 * Whether a placement never came to the API: another server at a wrong address, or a proxy before
 * it, says that it knows no such path. Once the API itself has answered, the address is right, and
 * such a page says nothing.
 */
export const neverArrived = (purpose: Purpose, exchange: Exchange, apiAnswered: boolean): boolean =>
	!apiAnswered &&
	isPlacing(purpose) &&
	exchange.kind === 'answer' &&
	NOT_HANDED_ON.includes(exchange.status) &&
	!isOwnAnswer(exchange);

/** Whether the API itself answered, and not a page or the data of a server in between. */
export const isOwnAnswer = (exchange: Exchange): boolean =>
	exchange.kind === 'answer' &&
	isObject(exchange.body) &&
	(isErrorBody(exchange.body) ||
		(exchange.status >= 200 && exchange.status < 300 && isOwnData(exchange.body)));

/**
 * Whether the API asks for a pause: with a refusal of its own, or by dialing none of a request's
 * rows for now. Whatever else is asked of it meets the same.
 */
export const isLimit = (exchange: Exchange): boolean =>
	exchange.kind === 'answer' &&
	([429, 503].includes(exchange.status)
		? isErrorBody(exchange.body)
		: exchange.status === 201 && isUndialedAnswer(exchange.body));

const isOwnData = ({ success, call_id, results, consents }: Record<string, unknown>) =>
	success === true || isCallId(call_id) || Array.isArray(results) || Array.isArray(consents);

/** A 200 whose JSON does not parse arrives as text: the connection may have ended too soon. */
const isCutOff = (status: number, body: unknown) =>
	status === 200 && typeof body === 'string' && body.trimStart().startsWith('{');

/**
 * A server that restarts accepts connections again within moments. A wrong name or certificate
 * stays wrong.
 */
const mayOpenLater = (code: string) =>
	['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].includes(code);
