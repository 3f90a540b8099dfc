import type { Path } from '../domain/expression/path';
import { treesOf } from '../domain/expression/tree';
import type { Fields } from '../domain/fields';
import { textIfAny } from '../domain/format';
import { isObject } from '../domain/json';

/** What a column is made of, as it is stored; `inside`: the column is a property of that. */
export interface Made {
	stored: unknown;
	inside: Path;
}

/** What n8n's Edit Fields makes a column of, in all of its versions: n8n-nodes-base.set 1 to 3.4. Undefined: it does not make it. */
export function madeByEditFields(parameters: Fields, path: Path): Made | undefined {
	const isDotted = optionOf(parameters, 'dotNotation') !== false;
	// Of two with one name, the last one holds.
	for (const { name, value } of fieldsOf(parameters).reverse()) {
		const names = namesIn(name, isDotted);
		if (beginsWith(path, names)) return { stored: value, inside: path.slice(names.length) };
	}
	const { mode, jsonOutput } = parameters;
	return mode === 'raw' && treesOf(jsonOutput, path).length > 0
		? { stored: jsonOutput, inside: path }
		: undefined;
}

/** What n8n's Aggregate brings together in a column, as if an Edit Fields had made it of the column of that name. */
export function madeByAggregate(parameters: Fields, path: Path): Made | undefined {
	const isDotted = optionOf(parameters, 'disableDotNotation') !== true;
	const takenFor = ({ fieldToAggregate, outputFieldName }: Record<string, unknown>): unknown =>
		textIfAny(outputFieldName) ||
		(isDotted ? String(fieldToAggregate).split('.').pop() : fieldToAggregate);
	const field = listIn(parameters.fieldsToAggregate, 'fieldToAggregate').find((each) =>
		beginsWith(path, namesIn(takenFor(each), isDotted)),
	);
	// Of all fields, into one list.
	const { include, fieldsToInclude, destinationFieldName } = parameters;
	const isAll = include === 'specifiedFields' && path[0] === destinationFieldName;
	if (!field && !isAll) return undefined;
	// A column that has the name as it stands comes before one at that place (n8n behaviour).
	const ways = field
		? [[field.fieldToAggregate], namesIn(field.fieldToAggregate, isDotted)]
		: (textIfAny(fieldsToInclude) ?? '').split(',').map((each) => [each.trim()]);
	const columns = new Set(
		ways.map((names) => `$json${names.map((name) => `[${JSON.stringify(name)}]`).join('')}`),
	);
	return { stored: `={{ ${[...columns].join(' ?? ')} }}`, inside: [] };
}

/** Whether it keeps nothing of what it is given. */
export const keepsNothing = ({ includeOtherFields, include, keepOnlySet }: Fields): boolean =>
	includeOtherFields === false || include === 'none' || keepOnlySet === true;

function fieldsOf({
	assignments,
	fields,
	values,
}: Fields): Array<{ name?: unknown; value?: unknown }> {
	// From 3.3 on; 3.0 to 3.2, where the kind of the value names its field; before.
	const newest = listIn(assignments, 'assignments');
	const newer = listIn(fields, 'values').map((field) => ({
		name: field.name,
		value: field[typeof field.type === 'string' ? field.type : 'stringValue'],
	}));
	const oldest = isObject(values)
		? Object.keys(values).flatMap((kind) => listIn(values, kind))
		: [];
	return [...newest, ...newer, ...oldest];
}

/** The name of a field, or the place in others that it stands for: `who.out` and `who["out"]` are `out` in `who` (n8n behaviour). */
function namesIn(name: unknown, isDotted: boolean): unknown[] {
	if (typeof name !== 'string') return [];
	return isDotted
		? name.split(/\[["']?|["']?\](?:\.|(?=\[)|$)|\./).filter((each) => each !== '')
		: [name];
}

const beginsWith = (path: Path, names: readonly unknown[]): boolean =>
	names.length > 0 && names.every((each, depth) => each === String(path[depth]));

const optionOf = ({ options }: Fields, name: string): unknown =>
	isObject(options) ? options[name] : undefined;

function listIn(collection: unknown, name: string): Array<Record<string, unknown>> {
	const list = isObject(collection) ? collection[name] : undefined;
	return Array.isArray(list) ? list.filter(isObject) : [];
}
