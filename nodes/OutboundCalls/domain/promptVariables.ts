import { listed, quoted } from './format';
import { parsed } from './json';
import { PROMPT_VARIABLE_LENGTH, PROMPT_VARIABLES_PER_CALL, RESERVED_PREFIXES } from './apiLimits';
import { type Checked, ok, problem } from './problem';

/** Names and values as they are sent. */
export type PromptVariables = Record<string, string>;

/**
 * Turns named values into the strings that the API takes, or says which of them it would reject.
 * Numbers, booleans and dates become strings, null becomes an empty string; objects are not values.
 * Source: API document, "Personalizing the prompt".
 */
export function promptVariables(
	values: Iterable<readonly [string, unknown]>,
): Checked<PromptVariables> {
	const variables: PromptVariables = {};
	let count = 0;
	for (const [spelled, value] of values) {
		// Some programs put one before a sheet's first heading. Nobody sees it, and no prompt has it.
		const name = spelled.replaceAll('\uFEFF', '');
		if (name.trim() === '') {
			return problem(
				'a prompt variable has no name',
				'Give each prompt variable the name of a placeholder in the agent’s prompt.',
			);
		}
		const prefix = RESERVED_PREFIXES.find((reserved) => name.startsWith(reserved));
		if (prefix) {
			return problem(
				`the prompt variable ${quoted(name)} starts with "${prefix}", which the API keeps for itself`,
				'Choose a name with another beginning, in the prompt and here.',
			);
		}
		const text = asText(value);
		if (text === undefined) return notSendable(name, value);
		const length = lengthOf(text);
		if (length > PROMPT_VARIABLE_LENGTH) {
			return problem(
				`the prompt variable ${quoted(name)} has ${length} characters, and the API takes at most ${PROMPT_VARIABLE_LENGTH}`,
				`Shorten the value of ${quoted(name)}.`,
			);
		}
		if (!Object.prototype.hasOwnProperty.call(variables, name)) count++;
		// A plain assignment of the key __proto__ would be lost instead of sent.
		if (name === '__proto__') {
			Object.defineProperty(variables, name, {
				value: text,
				enumerable: true,
				configurable: true,
				writable: true,
			});
		} else {
			variables[name] = text;
		}
	}
	if (count > PROMPT_VARIABLES_PER_CALL) {
		const tooMany = Object.keys(variables).slice(PROMPT_VARIABLES_PER_CALL);
		return problem(
			`there are ${count} prompt variables, and the API takes at most ${PROMPT_VARIABLES_PER_CALL}`,
			`Keep only those that the agent’s prompt uses. Those past the limit: ${listed(tooMany, 10)}.`,
		);
	}
	return ok(variables);
}

function notSendable(name: string, value: unknown): ReturnType<typeof problem> {
	if (typeof value === 'number' || isDate(value)) {
		return problem(
			`the prompt variable ${quoted(name)} is a ${typeof value === 'number' ? 'number' : 'date'} that does not exist`,
			'Look at the field that it is calculated from.',
		);
	}
	return problem(
		`the prompt variable ${quoted(name)} holds ${Array.isArray(value) ? 'a list' : 'an object'}, and only text, numbers, booleans and dates can be sent`,
		'Pick one field of it, for example by dragging that field in, or join a list to one text.',
	);
}

/** Dates come as JavaScript's Date or, from an expression such as {{ $now }}, as Luxon's DateTime. */
const isDate = (value: unknown): value is Date | { toISO(): string | null } =>
	value instanceof Date ||
	(typeof value === 'object' &&
		value !== null &&
		typeof (value as { toISO?: unknown }).toISO === 'function');

/** The text of a value as it is sent; undefined when there is none (objects, lists, impossible dates and numbers). */
function asText(value: unknown): string | undefined {
	switch (typeof value) {
		case 'string':
			return value;
		case 'boolean':
		case 'bigint':
			return String(value);
		case 'number':
			return Number.isFinite(value) ? String(value) : undefined;
		case 'undefined':
			return '';
		case 'object':
			return value === null ? '' : isDate(value) ? dateText(value) : undefined;
		default:
			return undefined;
	}
}

function dateText(date: Date | { toISO(): string | null }): string | undefined {
	if (date instanceof Date) return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
	return date.toISO() ?? undefined;
}

/** Characters as a person counts them (code points), so that an emoji is one. */
function lengthOf(text: string): number {
	return text.length <= PROMPT_VARIABLE_LENGTH ? text.length : Array.from(text).length;
}

/** A column's name as a prompt variable's name: "First Name" and "firstName" become "first_name". Accents go, Korean syllables stay whole. */
export function toSnakeCase(name: string): string {
	return name
		.normalize('NFKD')
		.replace(/\p{M}+/gu, '')
		.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
		.replace(/[^\p{L}\d]+/gu, '_')
		.replace(/^_+|_+$/g, '')
		.toLowerCase()
		.normalize('NFC');
}

/** All variables as entries, from the JSON form: an object of names and values. */
export function variablesFromJson(json: unknown): Checked<Array<readonly [string, unknown]>> {
	const value = parsed(json);
	if (value === null || value === undefined || value === '') return ok([]);
	if (typeof value !== 'object' || Array.isArray(value)) {
		return problem(
			'the prompt variables are not a JSON object',
			'Write them like {"name": "Ada", "amount": "12.50"}.',
		);
	}
	return ok(Object.entries(value));
}

/** Whether two calls say the same. Undefined: no variables. */
export function sameVariables(
	a: PromptVariables | undefined,
	b: PromptVariables | undefined,
): boolean {
	if (a === b) return true;
	if (!a || !b) return false;
	const names = Object.keys(a);
	return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
