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
