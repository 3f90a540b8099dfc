import type { Path } from '../domain/expression/path';
import { treesOf } from '../domain/expression/tree';
import type { Fields } from '../domain/fields';
import { isObject } from '../domain/json';

/** What a column is made of, as it is stored; `inside`: the column is a property of that. */
export interface Made {
	stored: unknown;
	inside: Path;
}

/** What n8n's Edit Fields makes a column of, in all of its versions: n8n-nodes-base.set 1 to 3.4. Undefined: it does not make it. */
export function madeByEditFields(parameters: Fields, path: Path): Made | undefined {
	const isDotted = !isObject(parameters.options) || parameters.options.dotNotation !== false;
	// Of two with one name, the last one holds.
	for (const { name, value } of fieldsOf(parameters).reverse()) {
		const names = isDotted ? placesOf(name) : [name];
		if (names.length > 0 && names.every((each, depth) => each === String(path[depth]))) return { stored: value, inside: path.slice(names.length) };
	}
	const { mode, jsonOutput } = parameters;
	return mode === 'raw' && treesOf(jsonOutput, path).length > 0 ? { stored: jsonOutput, inside: path } : undefined;
}

/** What n8n's Aggregate brings together in a column, as if an Edit Fields had made it of the column of that name. */
export function madeByAggregate({ fieldsToAggregate }: Fields, path: Path): Made | undefined {
	const field = listIn(fieldsToAggregate, 'fieldToAggregate').find(
		({ fieldToAggregate, renameField, outputFieldName }) => (renameField === true ? outputFieldName : placesOf(fieldToAggregate).at(-1)) === path[0],
	);
	const names = placesOf(field?.fieldToAggregate).map((name) => `[${JSON.stringify(name)}]`);
	return field && { stored: `={{ $json${names.join('')} }}`, inside: [] };
}

/** Whether it keeps nothing of what it is given. */
export const keepsNothing = ({ includeOtherFields, include, keepOnlySet }: Fields): boolean =>
	includeOtherFields === false || include === 'none' || keepOnlySet === true;

function fieldsOf({ assignments, fields, values }: Fields): Array<{ name?: unknown; value?: unknown }> {
	// From 3.3 on; 3.0 to 3.2, where the kind of the value names its field; before.
	const newest = listIn(assignments, 'assignments');
	const newer = listIn(fields, 'values').map((field) => ({
		name: field.name,
		value: field[typeof field.type === 'string' ? field.type : 'stringValue'],
	}));
	const oldest = isObject(values) ? Object.keys(values).flatMap((kind) => listIn(values, kind)) : [];
	return [...newest, ...newer, ...oldest];
}

/** `who.out` and `who["out"]` are a field of another one (n8n behaviour). */
const placesOf = (name: unknown): string[] => (typeof name === 'string' ? name.split(/[.[\]"']+/).filter((each) => each !== '') : []);

function listIn(collection: unknown, name: string): Array<Record<string, unknown>> {
	const list = isObject(collection) ? collection[name] : undefined;
	return Array.isArray(list) ? list.filter(isObject) : [];
}
