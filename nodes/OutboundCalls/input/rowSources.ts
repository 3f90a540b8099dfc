import {
	type Checked,
	isObject,
	listed,
	ok,
	problem,
	quoted,
	readJson,
	textOf,
} from '../domain/values';
import { toSnakeCase, variablesFromJson } from '../domain/promptVariables';

type Entries = Array<readonly [string, unknown]>;

/** A destination with the prompt variables of its own, as a list or JSON names it. */
export interface DestinationEntry {
	phone: unknown;
	variables: Checked<Entries>;
}

/** Value of an assignment collection: dragged columns, named. */
export interface Assignments {
	assignments?: Array<{ name?: unknown; value?: unknown }> | null;
}

/** Names and values of dragged columns; a missing name is ''. */
export function variablesFromAssignments(collection: Assignments | undefined): Entries {
	return (collection?.assignments ?? []).map(
		({ name, value }) => [typeof name === 'string' ? name : '', value] as const,
	);
}

/** Normalizing a name takes time that grows with the square of its length. */
const MAX_NAME_LENGTH = 200;

const RENAME = 'Rename it before this node, or add it to Fields to Leave Out.';

/** The same columns come with each row, and a name costs more than all else that is done with it. */
const names = new Map<string, string>();
const MAX_NAMES = 1_000;

function nameOf(field: string) {
	const name = names.get(field) ?? toSnakeCase(field);
	if (names.size >= MAX_NAMES) names.clear();
	names.set(field, name);
	return name;
}

/** Every field of an input item but those of `without`, named as prompt variables are. */
export function variablesFromInput(
	input: Record<string, unknown>,
	without: ReadonlySet<string>,
): Checked<Entries> {
	const origin = new Map<string, string>();
	const entries: Entries = [];
	for (const [field, value] of Object.entries(input)) {
		if (without.has(field)) continue;
		if (field.length > MAX_NAME_LENGTH) {
			return problem(`the field ${quoted(field)} has a name of ${field.length} characters`, RENAME);
		}
		const name = nameOf(field);
		if (name === '') {
			return problem(
				`the field ${quoted(field)} has no letters or digits, so it cannot name a prompt variable`,
				RENAME,
			);
		}
		const other = origin.get(name);
		if (other !== undefined) {
			return problem(
				`the field ${quoted(field)} becomes the prompt variable ${quoted(name)}, as does ${quoted(other)}`,
				RENAME,
			);
		}
		origin.set(name, field);
		entries.push([name, value]);
	}
	return ok(entries);
}

/** The input fields that hold the destination, which is no prompt variable. */
export function fieldsHolding(input: Record<string, unknown>, destination: unknown) {
	const text = textOf(destination);
	return new Set(Object.keys(input).filter((field) => textOf(input[field]) === text));
}

/**
 * The JSON form of the destinations: an array of numbers as strings, or of `{phone,
 * prompt_variables}`.
 */
export function destinationsFromJson(json: unknown) {
	const read = readJson(
		json,
		'the JSON of the destinations',
		'Choose Input Items under Numbers From.',
	);
	if (!read.ok) return read;
	if (!Array.isArray(read.value)) {
		return problem(
			'the JSON of the destinations is not a list',
			'Write it like ["+14155550123"], or [{"phone": "+14155550123"}].',
		);
	}
	return read.value.length === 0
		? nothingToCall('the JSON list of destinations is empty')
		: ok(read.value.map(entryFromJson));
}

/** Refuses a list without destinations. */
export const nothingToCall = (message: string) =>
	problem(message, 'Add at least one phone number.');

function entryFromJson(entry: unknown): DestinationEntry {
	if (!isObject(entry)) return { phone: entry, variables: ok([]) };
	const { phone, prompt_variables: own, ...rest } = entry;
	if (phone === undefined && rest.phone_number !== undefined) {
		return {
			phone: rest.phone_number,
			variables: problem(
				`the destination ${quoted(rest.phone_number)} has no "phone"`,
				'Name the field phone, not phone_number.',
			),
		};
	}
	const unused = Object.keys(rest);
	return {
		phone,
		variables:
			unused.length === 0
				? variablesFromJson(own)
				: problem(
						`the destination ${quoted(phone)} has ${listed(unused.map(quoted))} next to "phone"`,
						'Put values for the prompt inside "prompt_variables".',
					),
	};
}
