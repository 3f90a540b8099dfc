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

/** The columns of the row that a stored parameter names, each with the fields inside that it goes on to. `$json.keys()` is no column. */
const pathsIn = (parameter: string): string[][] =>
	[...parameter.matchAll(PATH)].flatMap(({ 0: whole, 1: path, index }) => {
		const fields = fieldsIn(path!);
		return fields.length === 1 && /^\s*\(/.test(parameter.slice(index + whole.length)) ? [] : [fields];
	});

/** "|| 'no'": what a row without the column is to count as. */
const SAYS_WHAT_ELSE = /\|\||\?\?/;

/** Behind a value that is no object come methods of it. */
function holds(fields: unknown, [name, ...rest]: readonly string[]): boolean {
	if (name === undefined || !isObject(fields)) return true;
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

/** The steps that a stored parameter names. */
export const stepsIn = (parameter: unknown): string[] =>
	typeof parameter === 'string' && parameter.startsWith('=')
		? [...parameter.matchAll(STEP)].map(([, a, b, c, d, e, f]) => (a ?? b ?? c ?? d ?? e ?? f)!.replace(/\\(.)/g, '$1'))
		: [];

const QUOTED = /(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/.source;
const STEP = new RegExp(`\\$(?:\\(\\s*${QUOTED}\\s*\\)|node\\s*\\[\\s*${QUOTED}\\s*\\])`, 'g');
const ONE = /(item|first\([^)]*\)|last\([^)]*\)|all\(\s*\)\s*\[\s*\d+\s*\]|itemMatching\(\s*\d+\s*\))/.source;
/** As `FIELDS`, and with places of a list in it: `.data[0].phone`. */
const FIELDS_AND_PLACES = /((?:\s*(?:\?\.|\.)?\s*(?:[A-Za-z_$][\w$]*|\[\s*(?:'[^'\\]*'|"[^"\\]*"|\d+)\s*\]))+)/.source;
const PLACE_OR_FIELD = /([A-Za-z_$][\w$]*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)"|(\d+))\s*\]/g;
/** `$('Opted out').item.json.phone`, which dragging a column of an earlier step in writes; `$node["Opted out"].json.phone`; `$json.data[0].phone`. */
const OF_ONE_ITEM = new RegExp(
	`(?:\\$\\(\\s*${QUOTED}\\s*\\)\\s*\\.\\s*${ONE}\\s*\\??\\.\\s*json|\\$node\\s*\\[\\s*${QUOTED}\\s*\\]\\s*\\.\\s*json|\\$input\\s*\\.\\s*${ONE}\\s*\\??\\.\\s*json|\\$json)${FIELDS_AND_PLACES}`,
	'g',
);

/** A column that a stored parameter takes from one item of a step. */
export interface ColumnOfStep {
	/** Undefined: the one whose items are the rows. */
	step: string | undefined;
	/** Which item: the one that the row comes from, the one at the same place as the row (`$node`), or one for all rows. */
	takes: 'ofRow' | 'samePlace' | 'one';
	/** Numbers are places of a list. */
	path: ReadonlyArray<string | number>;
}

export function columnsOfSteps(parameter: unknown): ColumnOfStep[] {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return [];
	return [...parameter.matchAll(OF_ONE_ITEM)].map(([, a, b, c, which, d, e, f, ofInput, path]) => {
		const step = a ?? b ?? c ?? d ?? e ?? f;
		const item = which ?? ofInput;
		return {
			step: step?.replace(/\\(.)/g, '$1'),
			takes: item === undefined ? (step === undefined ? 'ofRow' : 'samePlace') : item === 'item' ? 'ofRow' : 'one',
			path: [...path!.matchAll(PLACE_OR_FIELD)].map(([, name, single, double, place]) => name ?? single ?? double ?? Number(place)),
		};
	});
}

/** What a path leads to, at each place of a list that it names one of; behind a value that is no object come methods of it. */
export function valuesAt(fields: unknown, [name, ...rest]: ColumnOfStep['path']): unknown[] {
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
