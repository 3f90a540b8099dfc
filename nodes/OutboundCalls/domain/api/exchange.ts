import { isObject, typedText } from '../values';

/** What a request asks for. Only placements must never be repeated blindly. */
export type Purpose = 'bulkCall' | 'placeCall' | 'cancel' | 'read';

/** Whether a request may start calls. */
export const isPlacing = (purpose: Purpose): boolean =>
	purpose === 'bulkCall' || purpose === 'placeCall';

/** One request to the API, as plain values. */
export interface ApiRequest {
	purpose: Purpose;
	method: 'GET' | 'POST';
	/** Path below the base URL; the caller has checked and encoded the ids in it. */
	path: string;
	query?: Record<string, string | number>;
	body?: object;
	/** For the whole request, in milliseconds. */
	timeoutMs: number;
}

/** What happened to one request, as plain values. */
export type Exchange =
	| { kind: 'answer'; status: number; body: unknown; retryAfter?: string }
	/** The connection never opened, so the API cannot have seen the request. */
	| { kind: 'notOpened'; code: string }
	/** The request left and no whole answer came back: whether it was carried out is not known. */
	| { kind: 'noAnswer'; code: string };

/** Sends a request. Never rejects for what the network or the API does. */
export type Send = (request: ApiRequest) => Promise<Exchange>;

const ALLOWANCE_IDENTIFIERS = ['mf-core:rate-limit-exceeded', 'mf-core:rate-limiter-unavailable'];

/** The API's error body (API document, "Error body" and "Upcoming request allowances"). */
export interface ErrorBody {
	error: string;
	error_type?: unknown;
	detail?: unknown;
	details?: unknown;
}

/** "Machine-readable category, present on limit-related errors"; empty without one. */
export const errorTypeOf = ({ error_type }: ErrorBody): string => typedText(error_type);

/** "Where to go next, present on rate-limit errors"; empty without one. */
export const detailOf = ({ detail }: ErrorBody): string => typedText(detail);

/** The request allowance that an answer names; empty without one. */
export const policyOf = ({ details }: ErrorBody): string =>
	typedText(isObject(details) ? details.policy : undefined);

/** Whether a body is the API's own refusal, and not a page or JSON of a gateway in between. */
export function isErrorBody(body: unknown): body is ErrorBody {
	return (
		isObject(body) &&
		typeof body.error === 'string' &&
		(body.success === false || ALLOWANCE_IDENTIFIERS.includes(body.error))
	);
}
