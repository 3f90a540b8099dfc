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

const refusing = (status: number, error: string, more: object = {}): Answer => ({
	status,
	body: { success: false, error, ...more },
});

export const E164_TEXT = 'Destination must be in E.164 international format starting with +';

// Where the API documents no text (400 causes beyond the documented two, 401, 403, 410, 422, 503),
// the words below are placeholders: clients must not match on them.

export const invalid = (error: string): Answer => refusing(400, error);
export const missingVariables = (keys: string[]): Answer =>
	invalid(`Missing prompt_variables keys: ${keys.join(', ')}`);
export const unauthorized = refusing(401, 'Missing or invalid API token');
export const forbidden = refusing(403, 'Outbound calling is not enabled for this account');
export const agentNotFound = refusing(404, 'Agent not found or not accessible');
export const batchNotFound = refusing(404, 'Batch not found');
export const consentNotFound = refusing(404, 'Consent not found');
export const removed = refusing(410, 'This endpoint has been removed');
export const accountLocked = refusing(422, 'Account is locked');
export const dailyLimitReached = refusing(422, 'Daily call limit reached', {
	error_type: 'daily_limit',
});
export const temporarilyUnavailable = refusing(
	503,
	'Outbound calling is temporarily unavailable. Please retry shortly.',
);
export const alreadyPlaced = (status: number): Answer =>
	refusing(status, 'Call already placed for this consent');
export const notCarriedOut = (error: string): Answer => refusing(422, error);

/** Errors, "outbound rate limit". `retryAfter` becomes the header as it is; undefined leaves it out. */
export function rateLimited(retryAfter?: number | string): Answer {
	const refusal = refusing(429, 'Outbound rate limit exceeded. Please retry later.', {
		error_type: 'rate_limit',
		detail: 'Request a higher daily limit on the outbound page of the dashboard.',
	});
	return { ...refusal, headers: retryAfterHeader(retryAfter) };
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
