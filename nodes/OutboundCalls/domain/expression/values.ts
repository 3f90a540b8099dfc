import { BESIDE_JSON, chosenBy, ENTRIES, isChosenBy, type Path } from './path';
import type { Tree } from './tree';

/** A column that a stored parameter takes. */
export interface Column {
	/** Undefined: the one whose items are the rows. */
	step: string | undefined;
	/** Of which items: of the one that the row comes from, of the one at the same place as the row (`$node`), of one for all rows, or of each in a list. */
	takes: 'ofRow' | 'samePlace' | 'one' | 'each';
	/** Of one for all rows: the first, the last, or that at the number of the round (`$runIndex`). Undefined: another one, or of a list that was filtered or sorted. */
	at?: 0 | -1 | 'round';
	path: Path;
}

/** Of the item that the row comes from, or of the one at its place. */
export const isOfRow = ({ takes }: Pick<Column, 'takes'>): boolean =>
	takes === 'ofRow' || takes === 'samePlace';

/** What can be followed to its columns. */
export type Value =
	| { is: 'steps' }
	| { is: 'anyItem' }
	| { is: 'step'; step: string | undefined }
	/** Found: among those that were filtered for the row, so that it is the row's at any place. */
	| {
			is: 'item';
			step: string | undefined;
			takes: Column['takes'];
			at?: Column['at'];
			isFound?: boolean;
	  }
	/** `of`: what takes the list that it is an entry of. */
	| ({ is: 'fields'; isFound?: boolean; of?: Pick<Column, 'takes' | 'at'> } & Column)
	| { is: 'list'; of: Value | undefined };

/** What names stand for. An expression is read in its order, so that one for all functions in it will do. */
export type Names = Map<string, Value | undefined>;

/** The names that n8n gives. */
export const GIVEN: ReadonlyArray<readonly [string, Value]> = [
	['$json', { is: 'fields', step: undefined, takes: 'ofRow', path: [] }],
	['$input', { is: 'step', step: undefined }],
	['$node', { is: 'steps' }],
];

/** All items of a step. */
export const itemsOf = (step: string | undefined): Value => ({
	is: 'list',
	of: { is: 'item', step, takes: 'each' },
});

/** An entry of a list, or of what may be one. */
export function entryOf(value: Value | undefined): Value | undefined {
	if (value?.is === 'list') return value.of;
	if (value?.is !== 'fields') return undefined;
	const { takes, at, path } = value;
	return { ...value, takes: 'each', at: undefined, path: [...path, ENTRIES], of: { takes, at } };
}

/** What stands there, or another in its place, a list or one; it is no column by itself. */
export const orOther = (value: Value | undefined): Value | undefined =>
	value?.is === 'fields' ? { ...value, path: [...value.path, ENTRIES] } : value;

/** What items and steps have beside the columns (n8n behaviour). */
const OF_ITEM = /^(?:binary|context|error|index|isExecuted|pairedItem|parameter|params|runIndex)$/;

const besideJson = (
	item: Value & { is: 'item' },
	name: string | number | Tree,
): Value | undefined =>
	typeof name !== 'string' || OF_ITEM.test(name)
		? undefined
		: { ...item, is: 'fields', path: [BESIDE_JSON, name] };

/** A member of it: `.json`, `.phone`, `[0]`; one by a name that is calculated is a tree. */
export function memberOf(value: Value, name: string | number | Tree): Value | undefined {
	const isDynamic = typeof name === 'object';
	switch (value.is) {
		case 'anyItem':
			return name === '$node' ? { is: 'steps' } : name === '$json' ? GIVEN[0]![1] : undefined;
		case 'steps':
			return typeof name === 'string' ? { is: 'item', step: name, takes: 'samePlace' } : undefined;
		case 'step':
			return name === 'item'
				? { ...value, is: 'item', takes: 'ofRow' }
				: besideJson({ ...value, is: 'item', takes: 'one' }, name);
		case 'item':
			// `$node["List"].data` is its json, in n8n's older spelling.
			return name === 'json' || (name === 'data' && value.takes === 'samePlace')
				? { ...value, is: 'fields', path: [] }
				: besideJson(value, name);
		case 'fields':
			if (isDynamic || (name === 'length' && isOfEntries(value.path))) return undefined;
			// `contacts["0"]`; an item itself may have a column of that name.
			return {
				...value,
				path: [
					...value.path,
					value.path.length > 0 && /^(?:0|[1-9]\d*)$/.test(String(name)) ? Number(name) : name,
				],
			};
		case 'list': {
			const { of } = value;
			if (of?.is !== 'item' && of?.is !== 'fields') return undefined;
			if (typeof name === 'number')
				return of.isFound ? of : (entryAt(of, name) ?? { ...of, takes: 'one' });
			return isDynamic
				? { ...of, ...(BY_PLACE.get(name.is === 'name' ? name.name : '') ?? { takes: 'each' }) }
				: undefined;
		}
	}
}

/** Places of a list that n8n has names for. */
const BY_PLACE: ReadonlyMap<string, Pick<Column, 'takes' | 'at'>> = new Map([
	['$itemIndex', { takes: 'samePlace' }],
	['$runIndex', { takes: 'one', at: 'round' }],
]);
export const isNameOfPlace = (name: string): boolean => BY_PLACE.has(name);

/** Whether a path leads to a list of entries. */
export const isOfEntries = (path: Path): boolean =>
	path.at(-1) === ENTRIES || isChosenBy(path.at(-1));

/** `contacts.map((each) => each.name)[0]` is `contacts[0].name`. */
function entryAt(value: Value, place: number): Value | undefined {
	if (value.is !== 'fields' || !value.of) return undefined;
	const { path, of } = value;
	if (path.indexOf(ENTRIES) !== path.lastIndexOf(ENTRIES)) return undefined;
	return { ...value, ...of, path: path.map((name) => (name === ENTRIES ? place : name)) };
}

/** What a method of a step gives: `.all()`, `.first()`. */
export function givenByStep(
	step: string | undefined,
	method: string,
	[first]: readonly Tree[],
): Value | undefined {
	switch (method) {
		case 'all':
			return itemsOf(step);
		case 'first':
		case 'last':
			return { is: 'item', step, takes: 'one', at: method === 'first' ? 0 : -1 };
		case 'itemMatching':
		case 'pairedItem':
			return { is: 'item', step, takes: first?.is === 'literal' ? 'one' : 'ofRow' };
		default:
			return undefined;
	}
}

/** Methods of lists. These give a list of its entries; one entry at a place, or that is looked up; and what a function makes of each. */
const SAME_ENTRIES =
	/^(?:filter|slice|sort|reverse|concat|toSorted|toReversed|compact|unique|removeDuplicates)$/;
export const ENTRY_AT_PLACE = /^(?:at|pop|shift|first|last)$/;
const ENTRY_LOOKED_UP = /^(?:find|findLast)$/;
const MADE_OF_ENTRIES = /^(?:map|flatMap|pluck)$/;

/** Of an entry at a place: -1 is the last one. */
const placeOf = (method: string, given: Tree | undefined): number | undefined =>
	method === 'at' ? numberIn(given) : /^(?:pop|last)$/.test(method) ? -1 : 0;

/** `-1` is an operator and what it stands before. */
function numberIn(tree: Tree | undefined): number | undefined {
	const [negated] = tree?.is === 'parts' && tree.of.length === 1 ? tree.of : [];
	const number = negated ?? tree;
	return number?.is === 'literal' && typeof number.value === 'number'
		? negated
			? -number.value
			: number.value
		: undefined;
}

/**
 * What a method of a list gives. `given`: to the method; `made`: what its function makes of each entry; `isOfRow`: by a column of the row.
 */
export function givenByList(
	list: Value | undefined,
	method: string,
	[given]: readonly Tree[],
	made: Value | undefined,
	isOfRow: boolean,
): Value | undefined {
	const entry = entryOf(list);
	if (method === 'filter' && isOfRow && (entry?.is === 'item' || entry?.is === 'fields'))
		return { is: 'list', of: { ...entry, isFound: true } };
	const chosen: Value | undefined =
		list?.is === 'fields' ? { ...list, path: [...list.path, chosenBy(method, given)] } : list;
	if (SAME_ENTRIES.test(method)) return chosen;
	if (method === 'flat') return entry?.is === 'list' ? entry : { is: 'list', of: orOther(entry) };
	if (method === 'chunk') return { is: 'list', of: { is: 'list', of: entry } };
	if (ENTRY_AT_PLACE.test(method)) {
		const place = placeOf(method, given);
		// One at a place that is calculated is another one than the first.
		return place === undefined ? chosen && memberOf(chosen, 0) : list && memberOf(list, place);
	}
	if (ENTRY_LOOKED_UP.test(method)) return entry;
	if (!MADE_OF_ENTRIES.test(method)) return undefined;
	return { is: 'list', of: method === 'flatMap' ? entryOf(made) : made };
}
