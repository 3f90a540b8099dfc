import { fail, type Result } from './result';

/**
 * Why something cannot be sent, in words for the person who built the workflow.
 * `message` says what is wrong (the row is put in front later); `remedy` says what to do.
 */
export interface Problem {
	message: string;
	remedy: string;
}

/** A value that passed its check. */
export type Checked<T> = Result<T, Problem>;

export const problem = (message: string, remedy: string): { ok: false; error: Problem } => fail({ message, remedy });
