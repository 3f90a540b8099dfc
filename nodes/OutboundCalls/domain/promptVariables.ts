import {
	PROMPT_VARIABLE_LENGTH,
	PROMPT_VARIABLES_PER_CALL,
	RESERVED_PREFIXES,
} from './api/apiLimits';
import {
	type Checked,
	isBlank,
	isObject,
	listed,
	ok,
	problem,
	quoted,
	readJson,
	textOf,
	typedText,
	whyUnusable,
} from './values';

/** Names and values as they are sent. */
export type PromptVariables = Record<string, string>;

/**
 * Turns named values into the strings that the API takes, or says which of them cannot be sent;
 * undefined without any.
 * Source: API document, "Personalizing the prompt".
 */
export function promptVariables(
	values: Iterable<readonly [string, unknown]>,
): Checked<PromptVariables | undefined> {
	const variables = new Map<string, string>();
	for (const [spelled, value] of values) {
		// Some programs put a byte order mark before a sheet's first heading.
		const name = typedText(spelled);
		const whyNot = whyNotName(name);
		if (whyNot) return whyNot;
		const text = readValue(name, value);
		if (!text.ok) return text;
		variables.set(name, text.value);
	}
	if (variables.size > PROMPT_VARIABLES_PER_CALL) {
		const tooMany = [...variables.keys()].slice(PROMPT_VARIABLES_PER_CALL);
		return problem(
			`there are ${variables.size} prompt variables, and the API takes at most ${PROMPT_VARIABLES_PER_CALL}`,
			`Remove those that the prompt does not use, such as ${listed(tooMany, 3)}, or add them to Fields to Leave Out.`,
		);
	}
	return ok(variables.size === 0 ? undefined : Object.fromEntries(variables));
}

function whyNotName(name: string) {
	if (name === '')
		return problem(
			'a prompt variable has no name',
			'Name it like the placeholder in the agent’s prompt.',
		);
	const spelled = plainName(name);
	const prefix = RESERVED_PREFIXES.find((reserved) => spelled.startsWith(reserved));
	return (
		prefix &&
		problem(
			`the prompt variable ${quoted(name)} starts with "${prefix}", which the API reserves`,
			'Rename it here and in the agent’s prompt.',
		)
	);
}

/** Only the beginning counts. Normalizing takes time that grows with the square of the length. */
const plainName = (name: string) =>
	name
		.slice(0, 100)
		.normalize('NFKC')
		.replace(/[\p{Cc}\p{Cf}\p{DI}]/gu, '')
		.trim()
		.toLowerCase();

function readValue(name: string, value: unknown): Checked<string> {
	const refuse = (what: string, remedy: string) =>
		problem(`the prompt variable ${quoted(name)} ${what}`, remedy);
	// An emoji of two units counts as one character.
	const text = textOf(value, 2 * PROMPT_VARIABLE_LENGTH);
	if (text === undefined)
		return refuse(
			`holds ${Array.isArray(value) ? 'a list' : 'an object'}`,
			'Pick one field of it, or add it to Fields to Leave Out.',
		);
	const unusable = whyUnusable(text);
	if (unusable) return refuse(unusable.holds, unusable.remedy);
	const length =
		typeof value === 'string' && value.length > text.length ? value.length : lengthOf(text);
	return length <= PROMPT_VARIABLE_LENGTH
		? ok(text)
		: refuse(
				`has ${length} characters, and the API takes at most ${PROMPT_VARIABLE_LENGTH}`,
				'Shorten its value.',
			);
}

/** Characters as a person counts them (code points), so that an emoji is one. */
const lengthOf = (text: string) =>
	text.length <= PROMPT_VARIABLE_LENGTH ? text.length : Array.from(text).length;

/**
 * A column's name as a prompt variable's name: "First Name" and "firstName" become "first_name".
 * Latin letters lose their accents; marks that belong to letters of other scripts stay.
 */
export function toSnakeCase(name: string) {
	return name
		.normalize('NFKD')
		.replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
		.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
		.replace(/[^\p{L}\p{M}\d]+/gu, '_')
		.replace(/^_+|(?<!_)_+$/g, '')
		.toLowerCase()
		.normalize('NFC');
}

/** All variables as entries, from the JSON form: an object of names and values. */
export function variablesFromJson(json: unknown) {
	const read = readJson(
		json,
		'the JSON of the prompt variables',
		'Choose Fields Below under Prompt Variables From.',
	);
	if (!read.ok) return read;
	if (isBlank(read.value)) return ok([]);
	return isObject(read.value)
		? ok(Object.entries(read.value))
		: problem(
				'the JSON of the prompt variables is not an object',
				'Write it like {"name": "Ada", "amount": "12.50"}.',
			);
}
