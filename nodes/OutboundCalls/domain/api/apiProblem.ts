import type { Purpose } from './exchange';
import type { RefusalReach } from './refusalReach';

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
	/** Why the host may want to try again later (newer n8n versions show and use it). */
	cause?: 'rate-limited' | 'quota-exhausted' | 'temporarily-unavailable';
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
