import { isBlank } from '../fields';
import { isObject } from '../json';

/** Each entry of a list, in a path; what is no list is its own entry. A text, so that paths can be compared as JSON, which no column is named. */
export const ENTRIES = '\0entries';

/** An entry of a list that is no object: what is taken of the others is itself. */
export const PLAIN = '\0plain';

/** What was done to a list before an entry of it is taken, such as `filter`: its text tells it from the list itself, and from another one. */
export const chosenBy = (...how: readonly unknown[]): string => `\0by${JSON.stringify(how)}`;
export const isChosenBy = (name: string | number | undefined): boolean =>
	typeof name === 'string' && name.startsWith('\0by');

/** Where .json is forgotten, as in `item.phone`, an item has no column. It begins a path that leads nowhere. */
export const BESIDE_JSON = '\0besideJson';

/** Names of fields; numbers are places of a list, -1 the last one. */
export type Path = ReadonlyArray<string | number>;

/** What leads to the cell itself, of a path that leads to entries of a list in it. */
export const cellIn = (path: Path): Path =>
	path.slice(
		0,
		[...path, ENTRIES].findIndex((name) => name === ENTRIES || isChosenBy(name)),
	);

export const isPlace = (name: string | number): name is number => typeof name === 'number';

/**
 * Whether one of all these has a column. What is empty tells nothing, nor does a list that none of them has. A list may have no such place, unless `isAsked`: what
 * stands there is asked for itself, and there is nothing.
 */
export function haveColumn(
	all: readonly unknown[],
	[name, ...rest]: Path,
	isAsked = false,
): boolean {
	if (isChosenBy(name)) return haveColumn(all, rest, isAsked);
	// The first row tells, as a rule, whatever their number.
	if (rest.length === 0 && all.some((each) => isObject(each) && Object.hasOwn(each, name!)))
		return true;
	const said = all.filter((each) => !isBlank(each));
	if (name === ENTRIES) return haveColumn(said.flat(), rest, isAsked);
	if (name === PLAIN) return said.length === 0 || !said.every(isObject);
	if (typeof name === 'number') {
		const entries = said.flatMap((each: unknown) =>
			Array.isArray(each) ? (each.slice(name).slice(0, 1) as unknown[]) : [each],
		);
		return entries.length > 0
			? haveColumn(entries, rest, isAsked)
			: !isAsked || said.flat().length === 0;
	}
	const holding = said.filter((each) => !isNothing(each));
	if (name === undefined || holding.length === 0) return true;
	const having = holding.filter((each) =>
		isObject(each) ? Object.hasOwn(each, name) : name in Object(each),
	);
	const values = having.map((each) => (each as Record<string, unknown>)[name]);
	return having.length > 0 ? haveColumn(values, rest, isAsked) : rest.includes(ENTRIES);
}

/** What stands in place of fields where there are none: some APIs say false, those in PHP an empty list. */
const isNothing = (value: unknown): boolean =>
	isBlank(value) || value === false || value === 0 || (Array.isArray(value) && value.length === 0);

/** Whether a path names a field of something on its way that is no object, such as text. Of a list, which says the same of many, that is not asked. */
export function holdsNoField(fields: unknown, [name, ...rest]: Path): boolean {
	if (name === undefined || isNothing(fields)) return false;
	// A text has a first letter.
	if (isPlace(name) && (Array.isArray(fields) || typeof fields === 'string'))
		return holdsNoField(fields.at(name), rest);
	if (isPlace(name))
		return !(isObject(fields) && (name in fields || Object.keys(fields).length === 0));
	if (!isObject(fields)) return !name.startsWith('\0') && !(name in Object(fields));
	return Object.hasOwn(fields, name) && holdsNoField(fields[name], rest);
}

/** What a path leads to, at each place of a list that it names one of; behind a value that is no object come properties of it. */
export function valuesAt(fields: unknown, [name, ...rest]: Path): unknown[] {
	if (name === ENTRIES || isChosenBy(name)) return valuesAt(fields, rest);
	if (typeof name === 'number' && Array.isArray(fields))
		return fields.flatMap((entry) => valuesAt(entry, rest));
	if (name === undefined || !isObject(fields)) return [fields];
	return valuesAt(Object.hasOwn(fields, name) ? fields[name] : undefined, rest);
}

/** `body.phones[0]`, as the panel writes it. */
export const nameOf = (path: Path): string =>
	path
		.filter(
			(name) => name !== ENTRIES && name !== PLAIN && name !== BESIDE_JSON && !isChosenBy(name),
		)
		.map((name) => (!isPlace(name) ? `.${name}` : name < 0 ? `.at(${name})` : `[${name}]`))
		.join('')
		.replace(/^\./, '');
