/**
 * The one door for what strangers write: cells, parameters, call records, error bodies, callbacks.
 * A value is bounded first, then cleaned, and becomes a text or a number without its own `toString`
 * or `valueOf`. No other module calls String() or Number() (the linter checks it).
 */

/** A JSON object, as a row, an item or an answer holds it: n8n's own type for it, without n8n. */
export type Fields = Record<string, string | number | boolean | object | null | undefined>;

/** Whether a value is a JSON object: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a date of n8n's expressions, such as {{ $now }}: a DateTime of Luxon. */
export const isDateTime = (
	value: unknown,
): value is { toISO(): string | null; toMillis(): number } =>
	isObject(value) && typeof value.toISO === 'function';

/** What stands for nothing in a cell: undefined, null and blank text. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Characters of a value that are looked at, where nothing else is said. */
const MAX_VALUE_LENGTH = 1_000;

/** Half a letter, and control characters but line breaks and tabs: what no text is sent with. */
const NOT_SENT = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;

const wellFormed = (text: string) => text.replace(NOT_SENT, '');

/**
 * A text, number, boolean or date as text (UTC, or in its own zone if it has one); '' for nothing;
 * undefined for a list or an object. One character more than `longest` shows that it was cut.
 */
export function textOf(value: unknown, longest = MAX_VALUE_LENGTH): string | undefined {
	switch (typeof value) {
		case 'string':
			// Cleaned, a text that was cut stays too long.
			return value.length > longest
				? wellFormed(value.slice(0, longest + 1)).padEnd(longest + 1, '…')
				: wellFormed(value);
		case 'number':
			return Number.isFinite(value) ? String(value) : 'NaN';
		case 'bigint':
		case 'boolean':
			return String(value);
		case 'undefined':
			return '';
		default:
			if (value === null) return '';
			if (value instanceof Date)
				return Number.isNaN(value.getTime()) ? INVALID_DATE : value.toISOString();
			return isDateTime(value) ? (value.toISO() ?? INVALID_DATE) : undefined;
	}
}

const INVALID_DATE = 'Invalid Date';

/** As `textOf`, a list or an object as JSON; undefined for what has none. For messages and notes. */
export function anyText(value: unknown, longest = MAX_VALUE_LENGTH): string | undefined {
	try {
		return textOf(value, longest) ?? textOf(JSON.stringify(value), longest);
	} catch {
		return undefined;
	}
}

/** A typed text without blanks around it; a number as its digits; '' for anything else. */
export const typedText = (value: unknown): string =>
	typeof value === 'boolean' || value instanceof Date || isDateTime(value)
		? ''
		: (textOf(value) ?? '').trim();

/** A number, or a text that is one; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
	const text = typeof value === 'string' ? typedText(value) : '';
	const number = text === '' ? value : Number(text);
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * An ID as text; '' without one. A number beyond 2^53 has lost digits on its way through JSON, and
 * would name something else.
 */
export const idText = (value: unknown): string =>
	typeof value === 'number' && !Number.isSafeInteger(value) ? '' : typedText(value);

/** Whether two values say the same. As JSON, a cell of control characters is six times as long. */
export function isSame(one: unknown, other: unknown): boolean {
	const text = textOf(one, Infinity);
	if (typeof one !== typeof other || text !== textOf(other, Infinity)) return false;
	if (text !== undefined) return true;
	const [fields, others] = [one, other] as [Fields, Fields];
	const names = Object.keys(fields);
	return (
		names.length === Object.keys(others).length &&
		names.every((name) => isSame(fields[name], others[name]))
	);
}

/** A message, a reason or a text of the API is never longer, so that a table and a database hold it. */
export const MAX_TEXT_LENGTH = 2_000;

/** What nobody sees and what changes how the text around it reads: control and direction characters. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const LINE_BREAK = /[\t-\r\u0085\u2028\u2029]+/gu;

/** A text as it may be shown: on one line, without control and direction characters, bounded. */
export function plainText(text: string, longest = MAX_TEXT_LENGTH): string {
	const bounded = text.slice(0, 2 * longest);
	const plain = bounded.replace(LINE_BREAK, ' ').replace(UNSEEN, '');
	return plain.length > longest || bounded.length < text.length
		? `${plain.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`
		: plain;
}

/** Says in words what was thrown. */
export const thrownText = (thrown: unknown): string =>
	plainText(thrown instanceof Error ? thrown.message : (anyText(thrown) ?? ''));

/** A user's value inside a sentence: quoted, on one line, and short. */
export function quoted(value: unknown): string {
	const text = value === null ? 'null' : value === undefined ? 'nothing' : anyText(value);
	const line = plainText(text ?? 'nothing')
		.replace(/\s+/g, ' ')
		.trim();
	return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
}

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

/** No documented value is nested more deeply than five. */
const MAX_JSON_DEPTH = 50;

/**
 * Cuts JSON text after so many values, or where it is nested too deeply, and closes what is open. It
 * is bounded as text, because merely listing the names of a large object blocks n8n.
 */
export function boundedJson(json: string, maxValues: number): string {
	let values = 1;
	/** Where the text can end, and what closes its objects and lists there. */
	let [end, closing] = [0, ''];
	for (let at = 0; at < json.length; at++) {
		const sign = json[at]!;
		if (sign === '"') at = endOfText(json, at);
		else if (sign === ']' || sign === '}') closing = closing.slice(1);
		else if (sign === ',' || sign === '[' || sign === '{') {
			if (sign === ',') end = at;
			values++;
			if (values > maxValues || closing.length >= MAX_JSON_DEPTH)
				return `${json.slice(0, end)}${closing}`;
			if (sign !== ',') [end, closing] = [at + 1, `${sign === '[' ? ']' : '}'}${closing}`];
		}
	}
	return json;
}

/** Position of the quotation mark that ends a JSON string. */
function endOfText(json: string, start: number) {
	for (let end = json.indexOf('"', start + 1); end > 0; end = json.indexOf('"', end + 1)) {
		let escapes = 0;
		while (json[end - 1 - escapes] === '\\') escapes++;
		if (escapes % 2 === 0) return end;
	}
	return json.length;
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
