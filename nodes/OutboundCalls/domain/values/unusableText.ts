import { type Checked, ok, problem } from './problem';
import { parsed, quoted } from './untrustedValues';

/** Completes a message: "the prompt variable "name"" + `holds`. */
interface UnusableText {
	holds: string;
	remedy: string;
}

/**
 * What sheets show instead of a result: Excel's and Google's codes by their form in any language,
 * those without ! or ?, LibreOffice's numbers, a column that is too narrow, and a cell that loads.
 */
const SHEET_ERROR =
	/^(?:#[¡¿]?[\p{Lu}/_]{2,20}0?[!?]|#(?:N\/[ABDV]|N\/DISP|NV|I\/T|YOK|Н\/Д|Δ\/Υ|HIÁNYZIK|NENÍ_K_DISPOZICI|NEDOSTUPNÝ|GETTING_DATA)|(?:Err|Fehler)\s?:\s?\d{3}|#{3,}|Loading\.{3})$/u;

/** What an expression leaves behind that found no value, as a word of its own. */
const LEFT_BEHIND = /(?<![\p{L}\p{N}_])(?:undefined|NaN|Invalid Date(?:Time)?)(?![\p{L}\p{N}_])/u;

/** Why a bounded text cannot be a value: something stands in it that n8n or a sheet put there. */
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
	const [left] = LEFT_BEHIND.exec(text) ?? [];
	return left === undefined
		? undefined
		: {
				holds: `holds ${quoted(left)}, left by an expression that found no value`,
				remedy: 'Check the column names in that expression, and this row for empty cells.',
			};
}

/** What of a JSON text is searched for such leftovers: more than any field of it may hold. */
const MAX_SEARCH_LENGTH = 10_000;

/**
 * The value of a field that takes JSON, as text or as an expression gives it. `subject` begins the
 * message; `wayOut` is the remedy for JSON that cannot be parsed.
 */
export function readJson(json: unknown, subject: string, wayOut: string): Checked<unknown> {
	const value = parsed(json);
	if (typeof value !== 'string' || value === '') return ok(value);
	const unusable = whyUnusable(value.slice(0, MAX_SEARCH_LENGTH));
	return unusable
		? problem(`${subject} ${unusable.holds}`, unusable.remedy)
		: problem(
				`${subject} is not valid JSON, often because a cell holds a quotation mark or a line break`,
				wayOut,
			);
}
