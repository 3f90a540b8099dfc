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

/** `.opted_out`, `['Opted Out']`, `.data[0].phone`: a column, and the fields and places of lists inside that it goes on to. */
const FIELDS = /((?:\s*(?:\?\.|\.)?\s*(?:[A-Za-z_$][\w$]*|\[\s*(?:'[^'\\]*'|"[^"\\]*"|\d+)\s*\]))+)/.source;
const FIELD = /([A-Za-z_$][\w$]*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)"|(\d+))\s*\]/g;
const OF_ROW = new RegExp(`\\$(?:json|input\\.item\\.json)${FIELDS}`, 'g');

/** Numbers are places of a list. */
type Path = ReadonlyArray<string | number>;

const pathOf = (fields: string): Path =>
	[...fields.matchAll(FIELD)].map(([, name, single, double, place]) => name ?? single ?? double ?? Number(place));

/** The columns of the row that a stored parameter names, each with the fields inside that it goes on to. `$json.keys()` is no column. */
const pathsIn = (parameter: string): Path[] =>
	[...parameter.matchAll(OF_ROW)].flatMap(({ 0: whole, 1: fields, index }) => {
		const path = pathOf(fields!);
		return path.length === 1 && /^\s*\(/.test(parameter.slice(index + whole.length)) ? [] : [path];
	});

/** "|| 'no'": what a row without the column is to count as. */
const SAYS_WHAT_ELSE = /\|\||\?\?/;

/** Behind a value that is no object come methods of it. A list may have no such place. */
function holds(fields: unknown, [name, ...rest]: Path): boolean {
	if (typeof name !== 'string' || !isObject(fields)) return true;
	return Object.hasOwn(fields, name) && holds(fields[name], rest);
}

/**
 * Whether a stored parameter may name a misspelt column: the row has none of those that its expression names, and it says nothing of a row
 * without them. `{{ $json.stauts === 'stop' }}` is false for everybody. What comes from elsewhere cannot be looked up: there, a blank may be one.
 */
export function mayBeMisspelt(parameter: unknown, value: unknown, fields: unknown): boolean {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return false;
	if (value === undefined) return true;
	const paths = pathsIn(parameter);
	if (paths.some((path) => holds(fields, path))) return false;
	return isBlank(value) || (paths.length > 0 && !SAYS_WHAT_ELSE.test(parameter));
}

const QUOTED = /(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/.source;
const unescaped = (name: string): string => name.replace(/\\(.)/g, '$1');

const STEP = new RegExp(`\\$(?:\\(\\s*${QUOTED}\\s*\\)|node\\s*\\[\\s*${QUOTED}\\s*\\])`, 'g');

/** The steps that a stored parameter names. */
export const stepsIn = (parameter: unknown): string[] =>
	typeof parameter === 'string' && parameter.startsWith('=')
		? [...parameter.matchAll(STEP)].map(([, a, b, c, d, e, f]) => unescaped((a ?? b ?? c ?? d ?? e ?? f)!))
		: [];

const ONE = /(item|first\([^)]*\)|last\([^)]*\)|all\(\s*\)\s*\[\s*\d+\s*\]|itemMatching\(\s*\d+\s*\))/.source;
/** `$('Opted out').item.json.phone`, which dragging a column of an earlier step in writes; `$node["Opted out"].json.phone`; `$json.data[0].phone`. */
const OF_ONE_ITEM = new RegExp(
	`(?:\\$\\(\\s*${QUOTED}\\s*\\)\\s*\\.\\s*${ONE}\\s*\\??\\.\\s*json|\\$node\\s*\\[\\s*${QUOTED}\\s*\\]\\s*\\.\\s*json|\\$input\\s*\\.\\s*${ONE}\\s*\\??\\.\\s*json|\\$json)${FIELDS}`,
	'g',
);

/** A column that a stored parameter takes from one item of a step. */
export interface ColumnOfStep {
	/** Undefined: the one whose items are the rows. */
	step: string | undefined;
	/** Which item: the one that the row comes from, the one at the same place as the row (`$node`), or one for all rows. */
	takes: 'ofRow' | 'samePlace' | 'one';
	path: Path;
}

export function columnsOfSteps(parameter: unknown): ColumnOfStep[] {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return [];
	return [...parameter.matchAll(OF_ONE_ITEM)].map(([, a, b, c, which, d, e, f, ofInput, fields]) => {
		const step = a ?? b ?? c ?? d ?? e ?? f;
		const item = which ?? ofInput;
		return {
			step: step === undefined ? undefined : unescaped(step),
			takes: item === undefined ? (step === undefined ? 'ofRow' : 'samePlace') : item === 'item' ? 'ofRow' : 'one',
			path: pathOf(fields!),
		};
	});
}

/** What a path leads to, at each place of a list that it names one of; behind a value that is no object come methods of it. */
export function valuesAt(fields: unknown, [name, ...rest]: Path): unknown[] {
	if (typeof name === 'number' && Array.isArray(fields)) return fields.flatMap((entry) => valuesAt(entry, rest));
	if (name === undefined || !isObject(fields)) return [fields];
	return valuesAt(Object.hasOwn(fields, name) ? fields[name] : undefined, rest);
}

/** What stands for nothing in a cell: undefined, null and blank text. */
export const isBlank = (value: unknown): boolean => value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Whether a stored parameter is one that an AI model fills in, at any depth (n8n behaviour: $fromAI, in three spellings). */
export function asksModel(parameter: unknown): boolean {
	if (typeof parameter === 'string') return parameter.startsWith('=') && /\$from_?ai/i.test(parameter);
	return typeof parameter === 'object' && parameter !== null && Object.values(parameter).some(asksModel);
}
