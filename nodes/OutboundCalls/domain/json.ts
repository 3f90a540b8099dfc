import { type Checked, ok, problem } from './problem';
import { whyUnusable } from './unusableText';

/** Whether a value is a JSON object: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a date of n8n's expressions, such as {{ $now }}: a DateTime of Luxon. */
export const isDateTime = (
	value: unknown,
): value is { toISO(): string | null; toMillis(): number } =>
	isObject(value) && typeof value.toISO === 'function';

/** Parses JSON text. Text that is not JSON, and anything that is not text, comes back unchanged; blank text becomes ''. */
export function parsed(json: unknown): unknown {
	if (typeof json !== 'string') return json;
	const text = json.trim();
	if (text === '') return '';
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return json;
	}
}

/** The value of a field that takes JSON, as text or as an expression gives it. `subject` begins the message; `wayOut` is the remedy for JSON that cannot be parsed. */
export function readJson(json: unknown, subject: string, wayOut: string): Checked<unknown> {
	const unusable = typeof json === 'string' ? whyUnusable(json) : undefined;
	if (unusable) return problem(`${subject} ${unusable.holds}`, unusable.remedy);
	const value = parsed(json);
	return typeof value === 'string' && value !== ''
		? problem(
				`${subject} is not valid JSON, often because a cell holds a quotation mark or a line break`,
				wayOut,
			)
		: ok(value);
}

/** A copy of an object that lacks these fields. */
export function without<T extends object, K extends keyof T>(
	object: T,
	...names: readonly K[]
): Omit<T, K> {
	return Object.fromEntries(
		Object.entries(object).filter(([name]) => !names.includes(name as K)),
	) as Omit<T, K>;
}
