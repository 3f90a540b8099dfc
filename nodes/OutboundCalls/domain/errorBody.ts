import { isObject } from './json';

const ALLOWANCE_IDENTIFIERS = ['mf-core:rate-limit-exceeded', 'mf-core:rate-limiter-unavailable'];

/** The API's error body (API document, "Error body" and "Upcoming request allowances"). */
export interface ErrorBody {
	success?: false;
	error: string;
	error_type?: unknown;
	detail?: unknown;
	message?: unknown;
	details?: unknown;
}

/** Whether a body is the API's own refusal, and not a page or JSON of a gateway in between. */
export function isErrorBody(body: unknown): body is ErrorBody {
	return isObject(body) && typeof body.error === 'string' && (body.success === false || ALLOWANCE_IDENTIFIERS.includes(body.error));
}
