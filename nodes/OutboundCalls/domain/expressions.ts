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

/** Without parentheses that capture: what is built from these numbers its own. */
const TEXT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/.source;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/u.source;

const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/g, '$1');

const STEP = new RegExp(`\\$(?:\\(\\s*(${TEXT})\\s*\\)|node\\s*\\[\\s*(${TEXT})\\s*\\])`, 'g');

/** The steps that a stored parameter names. */
export const stepsIn = (parameter: unknown): string[] =>
	typeof parameter === 'string' && parameter.startsWith('=') ? [...parameter.matchAll(STEP)].map(([, step, node]) => unquoted((step ?? node)!)) : [];

/** `.opted_out`, `['Opted Out']`, `.data[0].phone`: a column, and the fields and places of lists inside that it goes on to. */
const FIELDS = `((?:\\s*(?:\\?\\.|\\.)\\s*${NAME}|\\s*(?:\\?\\.)?\\s*\\[\\s*(?:${TEXT}|\\d+)\\s*\\])+)`;
const FIELD = new RegExp(`(${NAME})|\\[\\s*(?:(${TEXT})|(\\d+))\\s*\\]`, 'gu');
const ONE = /(item|first\([^)]*\)|last\([^)]*\)|all\(\s*\)\s*\[\s*\d+\s*\]|itemMatching\(\s*\d+\s*\))/.source;
/** `$('Opted out').item.json.phone`, which dragging a column of an earlier step in writes; `$node["Opted out"].json.phone`; `$json.data[0].phone`. */
const COLUMN = new RegExp(
	`(?:\\$\\(\\s*(${TEXT})\\s*\\)\\s*\\.\\s*${ONE}\\s*\\??\\.\\s*json|\\$node\\s*\\[\\s*(${TEXT})\\s*\\]\\s*\\.\\s*json|\\$input\\s*\\.\\s*${ONE}\\s*\\??\\.\\s*json|\\$json)${FIELDS}`,
	'gu',
);
/** What a method is given. */
const ARGUMENTS = /\s*(?:\?\.)?\s*\((?:[^()]|\([^()]*\))*\)/.source;
const IS_METHOD = new RegExp(`^${ARGUMENTS}`);
/** "|| 'no'", also behind a method. */
const OTHERWISE = new RegExp(`^(?:${ARGUMENTS}|\\s*(?:\\?\\.|\\.)\\s*${NAME})*\\s*(?:\\|\\||\\?\\?)`, 'u');
const IF_EMPTY = /\$ifEmpty\(\s*$/;

/** A column that a stored parameter names. */
export interface Named {
	/** Numbers are places of a list. */
	path: ReadonlyArray<string | number>;
	/** It says what an item without the column is to count as: "|| 'no'". */
	saysOtherwise: boolean;
}

/** One that it takes from one item. */
export interface Column extends Named {
	/** Undefined: the one whose items are the rows. */
	step: string | undefined;
	/** Which item: the one that the row comes from, the one at the same place as the row (`$node`), or one for all rows. */
	takes: 'ofRow' | 'samePlace' | 'one';
}

/** What `fields` name, which begin with a match and end with it. `$json.keys()` names nothing. */
function namedBy(fields: string, parameter: string, { 0: whole, index }: RegExpExecArray): Named[] {
	const behind = parameter.slice(index + whole.length);
	const path = [...fields.matchAll(FIELD)].map(([, name, text, place]) => name ?? (text === undefined ? Number(place) : unquoted(text)));
	if (IS_METHOD.test(behind)) path.pop();
	const saysOtherwise = OTHERWISE.test(behind) || IF_EMPTY.test(parameter.slice(0, index));
	return path.length > 0 ? [{ path, saysOtherwise }] : [];
}

/** The columns that a stored parameter takes from one item of a step. */
export function columnsIn(parameter: unknown): Column[] {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return [];
	return [...parameter.matchAll(COLUMN)].flatMap((match) => {
		const [, step, ofStep, node, ofInput, fields] = match;
		const named = step ?? node;
		const item = ofStep ?? ofInput;
		const takes = item === undefined ? (named === undefined ? 'ofRow' : 'samePlace') : item === 'item' ? 'ofRow' : 'one';
		return namedBy(fields!, parameter, match).map((each) => ({ ...each, step: named === undefined ? undefined : unquoted(named), takes }));
	});
}

const LIST = new RegExp(`\\$\\(\\s*(${TEXT})\\s*\\)\\s*\\.\\s*all\\(|\\$items\\(\\s*(${TEXT})|\\$(?:input\\s*\\.\\s*all|items)\\(`, 'g');
const OF_EACH = new RegExp(`(?<![\\p{ID_Continue}$.])(?:${NAME}\\s*\\??\\.\\s*)?json${FIELDS}`, 'gu');

/** `$('Opted out').all().some((item) => item.json.phone === $json.phone)`: steps of which a stored parameter takes all items, and the columns of these. */
export function listsIn(parameter: unknown): { steps: Array<string | undefined>; columns: Named[] } {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return { steps: [], columns: [] };
	const steps = [...parameter.matchAll(LIST)].map(([, ofAll, ofItems]) => ofAll ?? ofItems);
	return {
		steps: steps.map((step) => step && unquoted(step)),
		columns: [...parameter.matchAll(OF_EACH)].flatMap((match) => namedBy(match[1]!, parameter, match)),
	};
}

const FORMAT_OF_NOW = new RegExp(
	`(?:\\$now|\\bDateTime\\s*\\.\\s*(?:now|local)\\(\\s*\\))(?:\\s*\\.\\s*\\w+${ARGUMENTS})*?\\s*\\.\\s*(?:toFormat|format)\\(\\s*(${TEXT})`,
	'g',
);

/** `$now.setZone('Asia/Tokyo').toFormat('yyyy-MM')`: formats in which a stored parameter writes the time of the run, without the plain text in them. */
export const formatsOfNow = (parameter: string): string[] =>
	[...parameter.matchAll(FORMAT_OF_NOW)].map(([, format]) => unquoted(format!).replace(/'[^']*'/g, ''));

/** Whether fields have a column. Behind a value that is no object come properties of it. A list may have no such place. */
export function hasColumn(fields: unknown, [name, ...rest]: Column['path']): boolean {
	if (typeof name !== 'string' || !isObject(fields)) return true;
	return Object.hasOwn(fields, name) && hasColumn(fields[name], rest);
}

/** What a path leads to, at each place of a list that it names one of; behind a value that is no object come properties of it. */
export function valuesAt(fields: unknown, [name, ...rest]: Column['path']): unknown[] {
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
