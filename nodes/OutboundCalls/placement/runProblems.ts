import { formatDuration } from '../domain/format';
import type { ApiProblem } from '../http/apiErrors';
import { MemoryRefusal } from '../claims/gate';

/** So many answers in a row that are not the API's own end the run: it is not there. */
export const FOREIGN_ANSWERS = 3;

/** The answers of the run come from another server. */
export const NOT_THE_API: ApiProblem = {
	message: `${FOREIGN_ANSWERS} answers in a row did not come from the API itself, so nothing more was sent`,
	remedy:
		'Check the Base URL in the credential: it ends in /api/v1/outbound. If it is right, a gateway in front of the API may be busy: try again later.',
};

/** An answer does not account for a row that was sent. */
export const UNREADABLE_ROW = {
	message:
		'The API’s answer says nothing that can be read about this row, so the call may have been placed',
	remedy: 'Look at the outbound calls page of your dashboard before you call the number again.',
};

/** A wait that does not fit into Max Retry Wait ends the run. `demandedMs`: what the API asked for; `maxWaitMs`: the user's bound. */
export function comeBackLater(
	why: ApiProblem,
	demandedMs: number | undefined,
	maxWaitMs: number,
): ApiProblem {
	const bound = formatDuration(maxWaitMs);
	const next = why.nextStep === undefined ? '' : ` ${why.nextStep}`;
	return {
		...why,
		remedy: demandedMs
			? `Wait ${formatDuration(demandedMs)} first: the API asks for that, and it is more than is left of the option Max Retry Wait (${maxWaitMs > 0 ? `${bound} in all` : 'set to 0'}).${next}`
			: maxWaitMs > 0
				? `${why.remedy} It was tried again for ${bound}, as the option Max Retry Wait allows.`
				: why.remedy,
	};
}

/** The database did not answer, or says that nobody may be called. */
export function memoryProblem(thrown: unknown, { isRetry }: { isRetry: boolean }): ApiProblem {
	if (thrown instanceof MemoryRefusal) return thrown.problem;
	const why = thrown instanceof Error && thrown.message !== '' ? ` (${thrown.message})` : '';
	return {
		message: `n8n’s memory of the people called could not be used${why}`,
		remedy: isRetry
			? 'A Retry asks it whom other retries of the same execution have called. Press Retry once more in a moment. If it stays so, ask whoever runs this n8n to look at its database.'
			: 'If this workflow is new, save it and execute again. If it stays so in a saved workflow, ask whoever runs this n8n to look at its database.',
	};
}

/** Something was thrown that nobody expected. */
export const brokenOff = (thrown: unknown): ApiProblem => ({
	message: `The run broke off${thrown instanceof Error ? ` (${thrown.message})` : ''}, so the calls may have been placed`,
	remedy: 'Look at the outbound calls page of your dashboard before you call these numbers again.',
});
