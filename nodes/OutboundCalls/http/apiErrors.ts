/** The one mapper from what came back to what a user reads: what happened, and what to do. */
import {
	type Answer,
	type ApiProblem,
	type ErrorBody,
	type Exchange,
	isErrorBody,
	isPlacing,
	type Purpose,
	type Subject,
} from '../domain/api/exchange';
import { formatDuration, isObject, typedText } from '../domain/values';
import { demandedWaitMs } from '../domain/api/retryTiming';
import { classifyExchange, isLimit, neverArrived, NOT_HANDED_ON } from '../domain/api/sendPolicy';
import { connectionProblem } from './networkErrors';
import {
	ADDRESS_REMEDY,
	ADDRESS_REMEDY_OR_LATER,
	CHECK_DASHBOARD,
	LATER,
	refusal,
	sentence,
} from './refusals';

/** Turns anything but a carried-out request into one sentence and one remedy; never throws. */
export const apiProblem = (exchange: Exchange, subject: Subject): ApiProblem =>
	pauseProblem(exchange, subject, demandedWaitMs(exchange, Date.now()));

/** The same during a pause: `retryAfterMs` is what is left of the wait that the API asks for. */
export function pauseProblem(
	exchange: Exchange,
	subject: Subject,
	retryAfterMs: number | undefined,
): ApiProblem {
	if (exchange.kind === 'notOpened') return connectionProblem(exchange.code);
	if (exchange.kind === 'noAnswer') return noAnswerProblem(exchange.code, subject);

	const { status, body } = exchange;
	// Every row of a bulk answer says so, and further ones would.
	if (status === 201 && isLimit(exchange))
		return {
			message: 'The API cannot dial anybody at the moment',
			remedy: LATER,
		};
	if (!isErrorBody(body) || status === 201)
		return { ...foreignAnswerProblem(exchange, subject), httpCode: status, retryAfterMs };
	const provesNothing =
		isPlacing(subject.purpose) && classifyExchange(subject.purpose, exchange).kind === 'unknown';
	return {
		...(provesNothing
			? unprovenRefusal(status, body, subject)
			: refusal(status, body, subject, retryAfterMs)),
		...apiAdds(body),
		httpCode: status,
		retryAfterMs,
	};
}

function apiAdds(body: ErrorBody) {
	const { details } = body;
	const [detail, type, policy] = [
		body.detail,
		body.error_type,
		isObject(details) ? details.policy : undefined,
	].map((value) => sentence(typedText(value)));
	const parts = [detail, type && `error_type ${type}`, policy && `policy ${policy}`];
	const added = parts.filter((part) => part).join(', ');
	return added === '' ? {} : { apiAdds: `The API adds: ${added}.` };
}

/**
 * The API's own words, with a status that it does not document for a refusal, or together with a
 * call.
 */
const unprovenRefusal = (
	status: number,
	{ error }: ErrorBody,
	{ purpose }: Subject,
): ApiProblem => ({
	message: `The API answered with status ${status} (${sentence(error)}), ${unanswered[purpose]}`,
	remedy: CHECK_DASHBOARD,
});

/** A page, an empty body, a redirect or somebody else's JSON. */
function foreignAnswerProblem(
	exchange: Answer,
	{ purpose, apiAnswered = true }: Subject,
): ApiProblem {
	const { status, body } = exchange;
	const answer =
		status >= 300 && status < 400
			? `The server redirects to another address (status ${status}), which the node does not follow`
			: `The server answered with ${shapeOf(body)} instead of the API’s own answer (status ${status})`;
	if (neverArrived(purpose, exchange, apiAnswered)) {
		const next = status === 407 ? ' If it is right, this n8n has to sign in to its proxy.' : '';
		return { message: answer, remedy: `${ADDRESS_REMEDY}${next}` };
	}
	// A server that does not know the path has cancelled nothing.
	const mayHaveCancelled = purpose === 'cancel' && !NOT_HANDED_ON.includes(status);
	return {
		message: `${answer}${isPlacing(purpose) || mayHaveCancelled ? `, ${unanswered[purpose]}` : ''}`,
		remedy: isPlacing(purpose) ? `${CHECK_DASHBOARD} ${ADDRESS_REMEDY}` : ADDRESS_REMEDY_OR_LATER,
		...(mayHaveCancelled && { unanswered: true }),
	};
}

function shapeOf(body: unknown) {
	if (body === undefined || body === null || body === '') return 'an empty body';
	if (typeof body === 'string') return /^\s*</.test(body) ? 'a web page' : 'unreadable text';
	return 'other data';
}

const unanswered: Record<Purpose, string> = {
	bulkCall: 'so the calls may have been placed',
	placeCall: 'so the call may have been placed',
	cancel: 'so the call may or may not be cancelled',
	read: 'so nothing could be read',
};

function noAnswerProblem(code: string, { purpose, timeoutMs }: Subject): ApiProblem {
	const timedOut = ['ECONNABORTED', 'ETIMEDOUT'].includes(code);
	const what = timedOut
		? `The API did not answer within ${formatDuration(timeoutMs)}`
		: 'The connection ended before the answer was complete';
	const next = timedOut ? 'raise the option Timeout' : 'check the network of this n8n';
	return {
		message: `${what}, ${unanswered[purpose]}`,
		remedy: isPlacing(purpose) ? CHECK_DASHBOARD : `Try again. If this continues, ${next}.`,
		unanswered: true,
	};
}
