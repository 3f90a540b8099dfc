import { type Checked, ok, problem } from './problem';
import { parsed, quoted } from './untrustedValues';

/**
 * What sheets show instead of a result: Excel's and Google's codes by their form in any language,
 * those without ! or ?, LibreOffice's numbers, a column that is too narrow, and a cell that loads.
 */
const SHEET_ERROR =
	/^(?:#[¡¿]?[\p{Lu}/_]{2,20}0?[!?]|#(?:N\/[ABDV]|N\/DISP|NV|I\/T|YOK|Н\/Д|Δ\/Υ|HIÁNYZIK|NENÍ_K_DISPOZICI|NEDOSTUPNÝ|GETTING_DATA)|(?:Err|Fehler)\s?:\s?\d{3}|#{3,}|Loading\.{3})$/u;

/** What an expression leaves behind that found no value, as a word of its own. */
const LEFT_BEHIND = /(?<![\p{L}\p{N}_])(?:undefined|NaN|Invalid Date(?:Time)?)(?![\p{L}\p{N}_])/u;

/** What n8n or a sheet put into a text, how a message names it (#: what was found), and the remedy. */
const LEFTOVERS: ReadonlyArray<readonly [RegExp, holds: string, remedy: string]> = [
	[/\{\{/, 'holds an expression as plain text', 'Switch the field from Fixed to Expression.'],
	[
		/\[object Object\]/,
		'holds an object that was turned into text',
		'Pick one of its fields instead.',
	],
	[
		SHEET_ERROR,
		'holds #, which your sheet shows instead of a result',
		'Correct the formula in your sheet.',
	],
	[
		LEFT_BEHIND,
		'holds #, which an expression leaves behind that found no value',
		'Check the column names in that expression, and this row for empty cells.',
	],
];

/**
 * Why a bounded text cannot be a value. `holds` completes a message: "the prompt variable "name"" +
 * `holds`.
 */
export function whyUnusable(text: string): { holds: string; remedy: string } | undefined {
	const whole = text.trim();
	for (const [pattern, holds, remedy] of LEFTOVERS) {
		const [found] = pattern.exec(whole) ?? [];
		if (found !== undefined) return { holds: holds.replace('#', () => quoted(found)), remedy };
	}
	return undefined;
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
