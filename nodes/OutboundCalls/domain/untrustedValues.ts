import { quoted } from './format';
import { type Checked, ok, problem } from './problem';

/** Whether a value is a JSON object: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a date of n8n's expressions, such as {{ $now }}: a DateTime of Luxon. */
export const isDateTime = (
	value: unknown,
): value is { toISO(): string | null; toMillis(): number } =>
	isObject(value) && typeof value.toISO === 'function';

/**
 * Parses JSON text. Text that is not JSON, and anything that is not text, comes back unchanged;
 * blank text becomes ''.
 */
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

/**
 * The value of a field that takes JSON, as text or as an expression gives it. `subject` begins the
 * message; `wayOut` is the remedy for JSON that cannot be parsed.
 */
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

/** A JSON object, as a row, an item or an answer holds it: n8n's own type for it, without n8n. */
export type Fields = Record<string, string | number | boolean | object | null | undefined>;

/** What stands for nothing in a cell: undefined, null and blank text. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A typed value; a number from a cell counts as its digits, anything else as empty. */
export function typedText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** Completes a message: "the prompt variable "name"" + `holds`. */
interface UnusableText {
	holds: string;
	remedy: string;
}

/** The codes of Excel, Google Sheets and LibreOffice, also in languages other than English. */
const SHEET_ERROR = /^(?:#(?:[¡¿]?[\p{Lu}/_]{2,20}0?[!?]|N\/A|NV)|Loading\.{3})$/u;

/** Why a text cannot be a value: something stands in it that n8n or a sheet put in its place. */
export function whyUnusable(text: string): UnusableText | undefined {
	const whole = text.trim();
	if (text.includes('{{')) {
		return {
			holds: 'holds an expression as plain text',
			remedy: 'Switch the field from Fixed to Expression.',
		};
	}
	if (text.includes('[object Object]')) {
		return {
			holds: 'holds an object that was turned into text',
			remedy: 'Pick one of its fields instead.',
		};
	}
	if (SHEET_ERROR.test(whole)) {
		return {
			holds: `holds ${quoted(whole)}, which your sheet shows instead of a result`,
			remedy: 'Correct the formula in your sheet.',
		};
	}
	if (/^(?:undefined|NaN|Invalid Date(?:Time)?)$/.test(whole)) {
		return {
			holds: 'comes from an expression that found no value',
			remedy: 'Check the column names in that expression.',
		};
	}
	return undefined;
}
