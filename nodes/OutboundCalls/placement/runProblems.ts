import { formatDuration } from '../domain/format';
import type { ApiProblem } from '../http/apiErrors';
import { MemoryRefusal } from '../memory/gate';

const CHECK_DASHBOARD =
	'Check the outbound calls page of your dashboard before you call these numbers again.';

/** So many requests in a row without an answer of the API's own end the run. */
export const REQUESTS_WITHOUT_API = 3;

/** Why a run ends when the API does not answer. */
export const NO_API: ApiProblem = {
	message: `${REQUESTS_WITHOUT_API} requests in a row got no answer from the API, so nothing more was sent`,
	remedy:
		'Check the Base URL in the credential: it ends in /api/v1/outbound. If it is right, try again later.',
};

/** Why a row is unknown that an answer does not account for. */
export const UNREADABLE_ROW = {
	message: 'The API’s answer does not mention this row, so the call may have been placed',
	remedy: CHECK_DASHBOARD,
};

/** Why a run ends when a wait does not fit into Max Retry Wait, in milliseconds: what the API asks for, and the bound. */
export function comeBackLater(
	why: ApiProblem,
	demandedMs: number | undefined,
	maxWaitMs: number,
): ApiProblem {
	const bound = maxWaitMs > 0 ? formatDuration(maxWaitMs) : '0';
	if (demandedMs)
		return {
			...why,
			remedy: `Try again in ${formatDuration(demandedMs)}, as the API asks: that is longer than Max Retry Wait (${bound}) allows.`,
		};
	return maxWaitMs > 0
		? { ...why, remedy: `${why.remedy} The node retried for ${bound} (Max Retry Wait).` }
		: why;
}

/** Why a run ends when n8n's database does not answer, or says that nobody may be called. */
export function memoryProblem(thrown: unknown, { isRetry }: { isRetry: boolean }): ApiProblem {
	if (thrown instanceof MemoryRefusal) return thrown.problem;
	const why = thrown instanceof Error && thrown.message !== '' ? ` (${thrown.message})` : '';
	return {
		message: `The call history in n8n’s database is not available${why}`,
		remedy: isRetry
			? 'Press Retry again in a moment. If this continues, ask your n8n administrator to check the database.'
			: 'If this workflow is new, save it and execute again. If this continues, ask your n8n administrator to check the database.',
	};
}

/** Why rows are unknown after something was thrown that nobody expected. */
export const brokenOff = (thrown: unknown): ApiProblem => ({
	message: `The run stopped unexpectedly${thrown instanceof Error ? ` (${thrown.message})` : ''}, so the calls may have been placed`,
	remedy: CHECK_DASHBOARD,
});
