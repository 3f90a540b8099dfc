/** What many rows of a sheet lack. */
export type Cause = 'noCountry' | 'noTrunkPrefix';

/** A value, or why there is none. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

export const fail = <E>(error: E): { ok: false; error: E } => ({ ok: false, error });

/**
 * Why something cannot be sent, in words for the person who built the workflow.
 * `message` says what is wrong (the row is put in front later); `remedy` says what to do.
 */
export interface Problem {
	message: string;
	remedy: string;
	/**
	 * It is about the panel or the run, not about the row: its message is a sentence of its own.
	 */
	field?: boolean;
	/** Many rows have it in common: they only name it, and the summary says what to do. */
	cause?: Cause;
	/** A phone number is not valid in the country that it was read in. */
	isOfCountry?: boolean;
}

/** A problem of the panel or the run. */
export const fieldProblem = (message: string, remedy: string): Problem => ({
	message,
	remedy,
	field: true,
});

/** A value that passed its check. */
export type Checked<T> = Result<T, Problem>;

export const fieldRefused = (message: string, remedy: string): Checked<never> =>
	fail(fieldProblem(message, remedy));

export const problem = (message: string, remedy: string): { ok: false; error: Problem } =>
	fail({ message, remedy });
