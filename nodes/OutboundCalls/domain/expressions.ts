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
const TEXT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`/.source;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/u.source;

const ESCAPED: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
const unquoted = (text: string): string =>
	text
		.slice(1, -1)
		.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|(.))/gi, (_, u: string | undefined, x: string | undefined, other: string) =>
			(u ?? x) ? String.fromCharCode(parseInt((u ?? x)!, 16)) : (ESCAPED[other] ?? other),
		);

const STEP = new RegExp(`\\$(?:\\(\\s*(${TEXT})\\s*\\)|node\\s*\\[\\s*(${TEXT})\\s*\\])`, 'g');

/** The steps that a stored parameter names. */
export const stepsIn = (parameter: unknown): string[] =>
	typeof parameter === 'string' && parameter.startsWith('=') ? [...parameter.matchAll(STEP)].map(([, step, node]) => unquoted((step ?? node)!)) : [];

/** `.opted_out`, `['Opted Out']`, `.data[0].phone`: a column, and the fields and places of lists inside that it goes on to. */
const FIELDS = `((?:\\s*(?:\\?\\.|\\.)\\s*${NAME}|\\s*(?:\\?\\.\\s*)?\\[\\s*(?:${TEXT}|\\d+)\\s*\\])+)`;
const FIELD = new RegExp(`(${NAME})|\\[\\s*(?:(${TEXT})|(\\d+))\\s*\\]`, 'gu');
const ONE = /(item|first\([^)]*\)|last\([^)]*\)|all\(\s*\)\s*\[\s*\d+\s*\]|itemMatching\(\s*\d+\s*\))/.source;
/** `$('Opted out').item.json.phone`, which dragging a column of an earlier step in writes; `$node["Opted out"].json.phone`; `$json.data[0].phone`. */
const COLUMN = new RegExp(
	`(?:\\$\\(\\s*(${TEXT})\\s*\\)\\s*\\.\\s*${ONE}\\s*\\??\\.\\s*json|\\$node\\s*\\[\\s*(${TEXT})\\s*\\]\\s*\\.\\s*json|\\$input\\s*\\.\\s*${ONE}\\s*\\??\\.\\s*json|\\$json)${FIELDS}`,
	'gu',
);
/** What a method is given. */
const ARGUMENTS = /\s*(?:\?\.\s*)?\((?:[^()]|\([^()]*\))*\)/.source;
const IS_METHOD = new RegExp(`^${ARGUMENTS}`);

/** Numbers are places of a list. */
export type Path = ReadonlyArray<string | number>;

/** A column that a stored parameter takes from one item. */
export interface Column {
	/** Undefined: the one whose items are the rows. */
	step: string | undefined;
	/** Which item: the one that the row comes from, the one at the same place as the row (`$node`), or one for all rows. */
	takes: 'ofRow' | 'samePlace' | 'one';
	path: Path;
}

/** Something that is named, and where it stands in the parameter. */
interface Named<T> {
	is: T;
	from: number;
	to: number;
	/** "=== 'stop'" */
	isAsked: boolean;
}

/** What goes on from a column: its methods and their properties. */
const GOES_ON = `(?:${ARGUMENTS}|\\s*(?:\\?\\.|\\.)\\s*${NAME})*\\s*`;
const QUESTION = /(?:includes|startsWith|endsWith|match|some|every)/.source;
const IS_QUESTION = new RegExp(`^${QUESTION}$`);
/** Behind a column: "=== 'stop'", ".trim().includes('stop')". */
const IS_ASKED = new RegExp(`^(?:${ARGUMENTS}|\\s*(?:\\?\\.|\\.)\\s*${NAME})*?\\s*(?:[=!]=|[<>]|\\??\\.\\s*${QUESTION}\\s*\\()`, 'u');

/** `$json.keys()` names nothing. */
function named<T>(parameter: string, { 0: whole, index: from }: RegExpExecArray, fields: string, asNamed: (path: Path) => T): Array<Named<T>> {
	const to = from + whole.length;
	const path = [...fields.matchAll(FIELD)].map(([, name, text, place]) => name ?? (text === undefined ? Number(place) : unquoted(text)));
	const behind = parameter.slice(to);
	const method = IS_METHOD.test(behind) ? path.pop() : undefined;
	const isAsked = IS_QUESTION.test(String(method)) || IS_ASKED.test(behind);
	return path.length > 0 ? [{ is: asNamed(path), from, to, isAsked }] : [];
}

const namedColumns = (parameter: string): Array<Named<Column>> =>
	[...parameter.matchAll(COLUMN)].flatMap((match) => {
		const [, ofStep, whichOfStep, ofNode, whichOfInput, fields] = match;
		const step = ofStep ?? ofNode;
		const which = whichOfStep ?? whichOfInput;
		const takes = which === undefined ? (step === undefined ? 'ofRow' : 'samePlace') : which === 'item' ? 'ofRow' : 'one';
		return named<Column>(parameter, match, fields!, (path) => ({ step: step === undefined ? undefined : unquoted(step), takes, path }));
	});

/** The columns that a stored parameter takes from one item of a step. */
export const columnsIn = (parameter: unknown): Column[] =>
	typeof parameter === 'string' && parameter.startsWith('=') ? namedColumns(parameter).map(({ is }) => is) : [];

const LIST = new RegExp(`\\$\\(\\s*(${TEXT})\\s*\\)\\s*\\.\\s*all\\(|\\$items\\(\\s*(${TEXT})|\\$(?:input\\s*\\.\\s*all|items)\\(`, 'g');

/** The steps of which a stored parameter takes all items: `$('Opted out').all()`. Undefined: the one whose items are the rows. */
export const listsIn = (parameter: unknown): Array<string | undefined> =>
	typeof parameter === 'string' && parameter.startsWith('=')
		? [...parameter.matchAll(LIST)].map(([, ofAll, ofItems]) => ofAll ?? ofItems).map((step) => step && unquoted(step))
		: [];

/** `(item) => item.json.phone`, `({ json }) => json.phone` */
const OF_EACH = new RegExp(`(?<![\\p{ID_Continue}$.])(?:${NAME}\\s*\\??\\.\\s*)?json${FIELDS}`, 'gu');

const OR = /(?:\|\||\?\?)\s*\(*\s*/.source;
/** No column: a text, a number, what n8n gives to all. */
const VALUE = /(?:['"`\d[{-]|(?:true|false|null|undefined|new|DateTime)\b|\$(?!json|input|node|\())/.source;
/** "|| 'no'": what counts without the column. So does `$ifEmpty($json.opted_out, 'no')` (n8n behaviour). */
const OR_VALUE = new RegExp(`^${GOES_ON}${OR}${VALUE}`, 'u');
const IF_EMPTY = /\$ifEmpty\(\s*$/;
/** Between two columns: `$json.a || $json.b`, `$json.a ? $json.a : $json.b`. */
const OR_COLUMN = new RegExp(`^${GOES_ON}(\\|\\||\\?\\?|[?:])\\s*$`, 'u');

/**
 * Of what is named, that without which the parameter says something else than it is meant to; of several in one list, one serves for another, unless they are
 * asked for something.
 */
function needed<T>(parameter: string, all: ReadonlyArray<Named<T>>): T[][] {
	const lists: T[][] = [];
	let list: T[] = [];
	let isChosen = false;
	all.forEach(({ is, from, to, isAsked }, index) => {
		list.push(is);
		const next = all[index + 1];
		const [, operator] = (next && !isAsked && !next.isAsked && OR_COLUMN.exec(parameter.slice(to, next.from))) || [];
		const wasChosen = isChosen;
		isChosen = operator === '?' && JSON.stringify(is) === JSON.stringify(next?.is);
		if (operator?.length === 2 || isChosen || (operator === ':' && wasChosen)) return;
		if (!OR_VALUE.test(parameter.slice(to)) && !IF_EMPTY.test(parameter.slice(0, from))) lists.push(list);
		list = [];
	});
	return lists;
}

const namedOfItems = (parameter: string): Array<Named<Path>> =>
	listsIn(parameter).length === 0 ? [] : [...parameter.matchAll(OF_EACH)].flatMap((match) => named(parameter, match, match[1]!, (path) => path));

/** The columns that a stored parameter takes of each item of its lists (`listsIn`). */
export const columnsOfItems = (parameter: unknown): Path[] => (typeof parameter === 'string' ? namedOfItems(parameter).map(({ is }) => is) : []);

/**
 * The columns without which a stored parameter says something else than it is meant to, such as no for everybody: `$json.stauts === 'stop'`. Of several in one
 * list, one serves for another: `$json.opted_out || $json.dnc`.
 */
export const neededColumns = (parameter: unknown): { columns: Column[][]; ofItems: Path[][] } =>
	typeof parameter === 'string' && parameter.startsWith('=')
		? { columns: needed(parameter, namedColumns(parameter)), ofItems: needed(parameter, namedOfItems(parameter)) }
		: { columns: [], ofItems: [] };

const FORMAT_OF_NOW = new RegExp(
	`(?:\\$now|\\bDateTime\\s*\\.\\s*(?:now|local)\\(\\s*\\))(?:\\s*\\.\\s*\\w+${ARGUMENTS})*?\\s*\\.\\s*(?:toFormat|format)\\(\\s*(${TEXT})`,
	'g',
);

/** `$now.setZone('Asia/Tokyo').toFormat('yyyy-MM')`: formats in which a stored parameter writes the time of the run, without the plain text in them. */
export const formatsOfNow = (parameter: string): string[] =>
	[...parameter.matchAll(FORMAT_OF_NOW)].map(([, format]) => unquoted(format!).replace(/'[^']*'/g, ''));

/** Whether fields have a column. Behind a value that is no object come properties of it. A list may have no such place. */
export function hasColumn(fields: unknown, [name, ...rest]: Path): boolean {
	if (typeof name !== 'string' || !isObject(fields)) return true;
	return Object.hasOwn(fields, name) && hasColumn(fields[name], rest);
}

/** What a path leads to, at each place of a list that it names one of; behind a value that is no object come properties of it. */
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
