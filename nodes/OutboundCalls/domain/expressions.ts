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

/** `$json.opted_out`, `$json['Opted Out']`, `$input.item.json.fields?.opted_out`: what follows the row. */
const PATH = /\$(?:json|input\.item\.json)((?:\s*(?:\?\.|\.)?\s*(?:[A-Za-z_$][\w$]*|\[\s*(?:'[^'\\]*'|"[^"\\]*")\s*\]))+)/g;
const STEP = /([A-Za-z_$][\w$]*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\]/g;

/** The columns of the row that a stored parameter names, each with the fields inside that it goes on to. */
const pathsIn = (parameter: string): string[][] =>
	[...parameter.matchAll(PATH)].map(([, steps]) => [...steps!.matchAll(STEP)].map(([, name, single, double]) => (name ?? single ?? double)!));

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

/** What stands for nothing in a cell: undefined, null and blank text. */
export const isBlank = (value: unknown): boolean => value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Whether a stored parameter is one that an AI model fills in, at any depth (n8n behaviour: $fromAI, in three spellings). */
export function asksModel(parameter: unknown): boolean {
	if (typeof parameter === 'string') return parameter.startsWith('=') && /\$from_?ai/i.test(parameter);
	return typeof parameter === 'object' && parameter !== null && Object.values(parameter).some(asksModel);
}
