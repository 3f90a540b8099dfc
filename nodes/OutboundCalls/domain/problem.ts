/**
 * Why a row cannot be sent, in words for the person who built the workflow.
 * `message` says what was found (the row is put in front later); `remedy` says what to do.
 */
export interface Problem {
	message: string;
	remedy: string;
}

/** A value that passed its check, or what was found instead. */
export type Checked<T> = { ok: true; value: T } | { ok: false; finding: Problem };

export const ok = <T>(value: T): Checked<T> => ({ ok: true, value });

export const problem = (message: string, remedy: string): { ok: false; finding: Problem } => ({
	ok: false,
	finding: { message, remedy },
});

/** A user's value inside a sentence: quoted, on one line, and short. */
export function quoted(value: unknown): string {
	const text = (typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? 'nothing')).replace(/\s+/g, ' ').trim();
	return `"${text.length > 60 ? `${text.slice(0, 57)}…` : text}"`;
}

/** "a", "a and b", "a, b and c": the first `limit` names, then how many more. */
export function listed(names: readonly string[], limit = 5): string {
	const shown = names.length > limit ? [...names.slice(0, limit), `${names.length - limit} more`] : names;
	return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}
