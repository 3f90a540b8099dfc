export interface Answer {
	status: number;
	headers?: Record<string, string>;
	body: unknown;
}

/** An answer in the API's error body shape (Errors). Thrown by the rules, sent by the server. */
export class Refusal extends Error {
	constructor(readonly answer: Answer) {
		super(`refused with ${answer.status}`);
	}
}

function errorBody(error: string, more: object = {}) {
	return { success: false, error, ...more };
}

export const E164_TEXT = 'Destination must be in E.164 international format starting with +';

// Where the API documents no text (400 causes beyond the documented two, 401, 403, 410, 422, 503),
// the words below are placeholders: clients must not match on them.

export function invalid(error: string): Answer {
	return { status: 400, body: errorBody(error) };
}

export function missingVariables(keys: string[]): Answer {
	return invalid(`Missing prompt_variables keys: ${keys.join(', ')}`);
}

export const unauthorized: Answer = {
	status: 401,
	body: errorBody('Missing or invalid API token'),
};
export const forbidden: Answer = {
	status: 403,
	body: errorBody('Outbound calling is not enabled for this account'),
};
export const agentNotFound: Answer = {
	status: 404,
	body: errorBody('Agent not found or not accessible'),
};
export const batchNotFound: Answer = { status: 404, body: errorBody('Batch not found') };
export const consentNotFound: Answer = { status: 404, body: errorBody('Consent not found') };
export const removed: Answer = { status: 410, body: errorBody('This endpoint has been removed') };
export const accountLocked: Answer = { status: 422, body: errorBody('Account is locked') };
export const dailyLimitReached: Answer = {
	status: 422,
	body: errorBody('Daily call limit reached', { error_type: 'daily_limit' }),
};
export const temporarilyUnavailable: Answer = {
	status: 503,
	body: errorBody('Outbound calling is temporarily unavailable. Please retry shortly.'),
};

export function alreadyPlaced(status: number): Answer {
	return { status, body: errorBody('Call already placed for this consent') };
}

export function notCarriedOut(error: string): Answer {
	return { status: 422, body: errorBody(error) };
}

/** Errors, "outbound rate limit". `retryAfter` becomes the header as it is; undefined leaves it out. */
export function rateLimited(retryAfter?: number | string): Answer {
	return {
		status: 429,
		headers: retryAfterHeader(retryAfter),
		body: errorBody('Outbound rate limit exceeded. Please retry later.', {
			error_type: 'rate_limit',
			detail: 'Request a higher daily limit on the outbound page of the dashboard.',
		}),
	};
}

export function retryAfterHeader(retryAfter?: number | string): Record<string, string> {
	return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

/** What the web server in front of the API answers if the API does not know the address. */
export function htmlPage(status: number, title: string): Answer {
	return {
		status,
		headers: { 'content-type': 'text/html; charset=utf-8' },
		body: `<!DOCTYPE html>\n<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1></body></html>\n`,
	};
}
