import { isObject, typedText } from '../values';

/** What a request asks for. Only placements must never be repeated blindly. */
export type Purpose = 'bulkCall' | 'placeCall' | 'cancel' | 'read';

/** Whether a request may start calls. */
export const isPlacing = (purpose: Purpose) => purpose === 'bulkCall' || purpose === 'placeCall';

/** One request to the API, as plain values. */
export interface ApiRequest {
	purpose: Purpose;
	/** Path below the base URL; the caller has checked and encoded the ids in it. */
	path: string;
	query?: Record<string, string | number>;
	body?: object;
	/** For the whole request, in milliseconds. */
	timeoutMs: number;
}

/** The whole answer to a request, by whoever gave it. */
export interface Answer {
	kind: 'answer';
	status: number;
	body: unknown;
	retryAfter?: string;
}

/** What happened to one request, as plain values. */
export type Exchange =
	| Answer
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
	/** "Where to go next, present on rate-limit errors" */
	detail?: unknown;
	/** They name the request allowance. */
	details?: unknown;
}

/** "Machine-readable category, present on limit-related errors"; empty without one. */
export const errorTypeOf = ({ error_type }: ErrorBody) => typedText(error_type);

/** Whether a body is the API's own refusal, and not a page or JSON of a gateway in between. */
export function isErrorBody(body: unknown): body is ErrorBody {
	return (
		isObject(body) &&
		typeof body.error === 'string' &&
		(body.success === false || ALLOWANCE_IDENTIFIERS.includes(body.error))
	);
}

/**
 * What the API, a gateway or the network refused, in words for the person who built the workflow.
 */
export interface ApiProblem {
	/** What happened: a sentence without the row and without a full stop. */
	message: string;
	remedy: string;
	/**
	 * A sentence with the API's `detail`, `error_type` and `policy`, for the details of a thrown
	 * error.
	 */
	apiAdds?: string;
	/** HTTP status, when there was an answer. */
	httpCode?: number;
	/** Undefined: only the rows of this request. */
	reach?: RefusalReach;
	alreadyPlaced?: boolean;
	/** No such call record exists. */
	gone?: boolean;
	/** The request left, and no answer says whether it was carried out. */
	unanswered?: boolean;
	/** Names of the prompt variables that the agent's prompt needs and the request lacked. */
	missingVariables?: string[];
	/** The wait that the API asks for, in milliseconds. */
	retryAfterMs?: number;
}

/** What the refused request was about. */
export interface Subject {
	purpose: Purpose;
	agentNumber?: string;
	batchId?: string;
	callRecordId?: string;
	sentVariables?: readonly string[];
	/** Of the request, in milliseconds. */
	timeoutMs: number;
	/** Whether the API itself answered before in this run; absent where that proves nothing. */
	apiAnswered?: boolean;
}

/**
 * What else a refusal applies to: the rows that it is about are to be found out one by one, or it
 * holds for every row of this agent and caller, or of the run.
 */
export type RefusalReach = 'row' | 'agent' | 'run';

/**
 * Statuses with which the API refuses (API document, "Errors"), and how far that reaches where its
 * text says no more.
 */
export const REFUSALS: Readonly<Record<number, RefusalReach>> = {
	400: 'row',
	401: 'run',
	403: 'run',
	404: 'agent',
	410: 'run',
	422: 'agent',
	429: 'run',
	503: 'run',
};
