import type { Purpose } from './exchange';

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
