import { isObject } from './json';

/**
 * What an expression may name without depending on the row (n8n behaviour): all, the first or the last items of a node, and what is
 * the same in the whole execution.
 */
const SAME_FOR_ALL = /\$(?:input|\((?:'[^']*'|"[^"]*")\))\.(?:all|first|last)\(\)|\$(?:vars|env|workflow|execution|now|today|runIndex)\b/g;

/** All names that n8n gives to expressions begin so. JavaScript takes \u0024 for a $, too. */
const NAME_OF_N8N = /\$|\\[ux]/;

/** Whether a stored parameter may come to another value for each row. Expressions are strings that start with "=" (n8n behaviour), at any depth. */
export function isOfRows(parameter: unknown): boolean {
	if (typeof parameter !== 'string') return typeof parameter === 'object' && parameter !== null && Object.values(parameter).some(isOfRows);
	return parameter.startsWith('=') && NAME_OF_N8N.test(parameter.replace(SAME_FOR_ALL, ''));
}

/** `.opted_out`, `['Opted Out']`, `.fields?.opted_out`: a column, and the fields inside that it goes on to. */
const FIELDS = /((?:\s*(?:\?\.|\.)?\s*(?:[A-Za-z_$][\w$]*|\[\s*(?:'[^'\\]*'|"[^"\\]*")\s*\]))+)/.source;
const PATH = new RegExp(`\\$(?:json|input\\.item\\.json)${FIELDS}`, 'g');
const FIELD = /([A-Za-z_$][\w$]*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\]/g;

const fieldsIn = (path: string): string[] => [...path.matchAll(FIELD)].map(([, name, single, double]) => (name ?? single ?? double)!);

/** The columns of the row that a stored parameter names, each with the fields inside that it goes on to. */
const pathsIn = (parameter: string): string[][] => [...parameter.matchAll(PATH)].map(([, path]) => fieldsIn(path!));

/** Behind a value that is no object come methods of it. */
function holds(fields: unknown, [name, ...rest]: readonly string[]): boolean {
	if (name === undefined || !isObject(fields)) return true;
	return Object.hasOwn(fields, name) && holds(fields[name], rest);
}

/**
 * Whether a blank that an expression came to may be that of a misspelt column: unless the row has one of the columns that the
 * expression names, where it is null or text. What comes from elsewhere cannot be looked up.
 */
export function mayBeMisspelt(parameter: unknown, value: unknown, fields: unknown): boolean {
	if (typeof parameter !== 'string' || !parameter.startsWith('=') || !isBlank(value)) return false;
	if (value === undefined) return true;
	return !pathsIn(parameter).some((path) => holds(fields, path));
}

const QUOTED = /(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/.source;
/** `$('Opted out').item.json.phone`, which dragging a column of an earlier step in writes; `.first()`, `.last()`; `$node["Opted out"].json.phone`. */
const OF_ONE_ITEM = new RegExp(
	`(?:\\$\\(\\s*${QUOTED}\\s*\\)\\s*\\.\\s*(item|first\\(\\s*\\)|last\\(\\s*\\))|\\$node\\s*\\[\\s*${QUOTED}\\s*\\])\\s*\\??\\.\\s*json${FIELDS}`,
	'g',
);

/** A column that a stored parameter takes from one item of an earlier step. */
export interface ColumnOfStep {
	step: string;
	/** It is the item that the row comes from. */
	isOfRow: boolean;
	path: readonly string[];
}

export function columnsOfSteps(parameter: unknown): ColumnOfStep[] {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return [];
	return [...parameter.matchAll(OF_ONE_ITEM)].map(([, single, double, which, oldSingle, oldDouble, path]) => ({
		step: (single ?? double ?? oldSingle ?? oldDouble)!.replace(/\\(.)/g, '$1'),
		isOfRow: which === undefined || which === 'item',
		path: fieldsIn(path!),
	}));
}

/** What a path leads to; behind a value that is no object come methods of it. */
export const valueAt = (fields: unknown, [name, ...rest]: readonly string[]): unknown =>
	name === undefined || !isObject(fields) ? fields : valueAt(Object.hasOwn(fields, name) ? fields[name] : undefined, rest);

/** What stands for nothing in a cell: undefined, null and blank text. */
export const isBlank = (value: unknown): boolean => value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Whether a stored parameter is one that an AI model fills in, at any depth (n8n behaviour: $fromAI, in three spellings). */
export function asksModel(parameter: unknown): boolean {
	if (typeof parameter === 'string') return parameter.startsWith('=') && /\$from_?ai/i.test(parameter);
	return typeof parameter === 'object' && parameter !== null && Object.values(parameter).some(asksModel);
}
