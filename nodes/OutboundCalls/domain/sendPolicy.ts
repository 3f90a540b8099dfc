import type { Exchange } from '../http/client';

/** What a request asks for; only placements must never be repeated blindly. */
export type Purpose = 'bulkCall' | 'placeCall' | 'cancel' | 'read';

/**
 * What an exchange proves about its request:
 * `done`: carried out. `refused`: certainly not carried out; `again` when sending it again later is safe and sensible.
 * `unknown`: it may have been carried out, so it must not be sent again.
 */
export type Classification = { kind: 'done' } | { kind: 'refused'; again: boolean } | { kind: 'unknown' };

const ALLOWANCE_IDENTIFIERS = ['mf-core:rate-limit-exceeded', 'mf-core:rate-limiter-unavailable'];

/** Statuses with which the API refuses (API document, "Errors"). */
const DOCUMENTED_REFUSALS = [400, 401, 403, 404, 410, 422, 429, 503];

/** The API's error body (API document, "Error body" and "Upcoming request allowances"). */
export interface ErrorBody {
	success?: false;
	error: string;
	error_type?: unknown;
	detail?: unknown;
	message?: unknown;
	details?: unknown;
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a body is the API's own refusal, and not a page or JSON of a gateway in between. */
export function isErrorBody(body: unknown): body is ErrorBody {
	return isObject(body) && typeof body.error === 'string' && (body.success === false || ALLOWANCE_IDENTIFIERS.includes(body.error));
}

/**
 * The send policy, whole: (what was asked, what happened) → what it proves.
 * Sources: API document, "POST /calls/bulk" rule 4 (any status but 201 dialed nothing: believed only
 * with the API's own body), "Errors", "Upcoming request allowances" ("the operation has not executed").
 */
export function classifyExchange(purpose: Purpose, exchange: Exchange): Classification {
	if (exchange.kind === 'notOpened') return { kind: 'refused', again: mayOpenLater(exchange.code) };
	if (exchange.kind === 'noAnswer') return purpose === 'read' ? { kind: 'refused', again: true } : { kind: 'unknown' };

	const { status, body } = exchange;
	if (purpose === 'read') {
		return status === 200 && isObject(body) && !isErrorBody(body)
			? { kind: 'done' }
			: { kind: 'refused', again: status === 429 || status === 408 || status >= 500 || isCutOff(status, body) };
	}
	const success = status >= 200 && status < 300;
	const rejected = isErrorBody(body) && (!success || (purpose === 'bulkCall' && status !== 201));
	if (!rejected) return { kind: success ? 'done' : 'unknown' };
	if (status === 429 || status === 503) return { kind: 'refused', again: true };
	return purpose === 'bulkCall' || DOCUMENTED_REFUSALS.includes(status) ? { kind: 'refused', again: false } : { kind: 'unknown' };
}

/** A 200 whose JSON does not parse arrives as text: the connection may have ended too soon. */
const isCutOff = (status: number, body: unknown): boolean => status === 200 && typeof body === 'string' && body.trimStart().startsWith('{');

/** A server that restarts opens again within moments; a wrong name or certificate does not mend itself. */
const mayOpenLater = (code: string): boolean => ['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].includes(code);
