import { listed, quoted } from './format';
import { parsed } from './json';
import { PROMPT_VARIABLES_PER_CALL } from './apiLimits';
import { type Checked, ok, problem } from './problem';
import { toSnakeCase, variablesFromJson } from './promptVariables';
/** Bringing a name into snake_case takes time that grows with the square of its length. */
const LONGEST_NAME = 200;

type Entries = Array<readonly [string, unknown]>;

/** A destination with the prompt variables of its own, as a list or JSON names it. */
export interface DestinationEntry {
	phone: unknown;
	variables: Checked<Entries>;
	/** Where its number may stand, if that is none. */
	cells?: readonly unknown[];
}

/** Value of an assignment collection: dragged columns, named. */
export interface Assignments {
	assignments?: Array<{ name?: unknown; value?: unknown }> | null;
}

export function variablesFromAssignments(collection: Assignments | undefined): Entries {
	return (collection?.assignments ?? []).map(
		({ name, value }) => [typeof name === 'string' ? name : '', value] as const,
	);
}

/** Every field of an input item but the destination, named as prompt variables are. */
export function variablesFromInput(
	input: Record<string, unknown>,
	without: ReadonlySet<string>,
): Checked<Entries> {
	const origin = new Map<string, string>();
	const entries: Entries = [];
	for (const [field, value] of Object.entries(input)) {
		if (without.has(field)) continue;
		if (field.length > LONGEST_NAME) {
			return problem(
				`the field ${quoted(field)} has a name of ${field.length} characters`,
				'Rename it before this node, or name it in Fields to Leave Out.',
			);
		}
		const name = toSnakeCase(field);
		if (name === '') {
			return problem(
				`the field ${quoted(field)} has no letters or digits that could name a prompt variable`,
				'Rename it before this node, or choose “Fields Below” under Prompt Variables From.',
			);
		}
		const other = origin.get(name);
		if (other !== undefined) {
			return problem(
				`the fields ${quoted(other)} and ${quoted(field)} would both become the prompt variable ${quoted(name)}`,
				'Rename one of them before this node, or choose “Fields Below” under Prompt Variables From.',
			);
		}
		origin.set(name, field);
		entries.push([name, value]);
	}
	if (entries.length > PROMPT_VARIABLES_PER_CALL) {
		const past = [...origin.values()].slice(PROMPT_VARIABLES_PER_CALL);
		return problem(
			`there are ${entries.length} input fields beside the destination, and the API takes at most ${PROMPT_VARIABLES_PER_CALL} prompt variables`,
			`Name those that the agent’s prompt does not use in Fields to Leave Out. Those past the limit: ${listed(past, 10)}.`,
		);
	}
	return ok(entries);
}

/**
 * The input fields that a destination expression reads: `={{ $json.phone }}` → phone.
 * Where it names none, the fields that hold the same value.
 */
export function destinationFields(expression: unknown): Set<string> {
	const names = new Set<string>();
	if (typeof expression !== 'string' || !expression.startsWith('=')) return names;
	for (const match of expression.matchAll(
		/\bjson\s*(?:\??\.\s*([A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*(['"`])(.*?)\2\s*\])/g,
	)) {
		const name = match[1] ?? match[3];
		if (name !== undefined) names.add(name);
	}
	return names;
}

/** No cell that is worth repeating in each row of a list has more characters. */
const LONGEST_CELL = 2_000;

/** The input fields that a list of destinations comes from. Where its expression names none, those that may hold one. */
export function listFields(
	parameter: unknown,
	input: ReadonlyArray<Record<string, unknown>>,
): Set<string> {
	const named = destinationFields(parameter);
	if (named.size > 0 || typeof parameter !== 'string' || !parameter.startsWith('=')) return named;
	const mayHoldList = (value: unknown): boolean =>
		(typeof value === 'object' && value !== null) ||
		(typeof value === 'string' && value.length > LONGEST_CELL);
	return new Set(
		input.flatMap((fields) => Object.keys(fields).filter((name) => mayHoldList(fields[name]))),
	);
}

export function fieldsHolding(input: Record<string, unknown>, destination: unknown): Set<string> {
	const text = String(destination);
	return new Set(Object.keys(input).filter((field) => String(input[field]) === text));
}

/** The JSON form of the destinations: an array of numbers as strings, or of `{phone, prompt_variables}`. */
export function destinationsFromJson(json: unknown): Checked<DestinationEntry[]> {
	const value = parsed(json);
	if (!Array.isArray(value)) {
		return problem(
			'the destinations are not a JSON list',
			'Write them like ["+14155550123", "+14155550124"], or [{"phone": "+14155550123", "prompt_variables": {"name": "Ada"}}].',
		);
	}
	if (value.length === 0) return nothingToCall('the JSON list of destinations is empty');
	return ok(value.map(entryFromJson));
}

export const nothingToCall = (message: string) =>
	problem(message, 'Add at least one phone number.');

function entryFromJson(entry: unknown): DestinationEntry {
	if (typeof entry !== 'object' || entry === null) return { phone: entry, variables: ok([]) };
	const { phone, prompt_variables: own, ...rest } = entry as Record<string, unknown>;
	const unused = Object.keys(rest);
	if (unused.length > 0) {
		return {
			phone,
			cells: Object.values(rest),
			variables: problem(
				`the destination ${quoted(phone)} has ${listed(unused.map(quoted))} beside "phone" and "prompt_variables"`,
				'Put values for the prompt inside "prompt_variables".',
			),
		};
	}
	return { phone, variables: variablesFromJson(own) };
}
