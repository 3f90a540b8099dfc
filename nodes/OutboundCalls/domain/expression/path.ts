import { isObject } from '../json';

/** Each entry of a list, in a path. A text, so that paths can be compared as JSON, which no column is named. */
export const ENTRIES = '\0entries';

/** Names of fields; numbers are places of a list. */
export type Path = ReadonlyArray<string | number>;

/** Whether fields have a column. Behind a value that is no object come properties of it. A list may have no such place. */
export function hasColumn(fields: unknown, [name, ...rest]: Path): boolean {
	if (name === ENTRIES && Array.isArray(fields)) return fields.length === 0 || fields.some((entry) => hasColumn(entry, rest));
	if (typeof name !== 'string' || !isObject(fields)) return true;
	return Object.hasOwn(fields, name) && hasColumn(fields[name], rest);
}

/** What a path leads to, at each place of a list that it names one of; behind a value that is no object come properties of it. */
export function valuesAt(fields: unknown, [name, ...rest]: Path): unknown[] {
	if (typeof name === 'number' && Array.isArray(fields)) return fields.flatMap((entry) => valuesAt(entry, rest));
	if (name === undefined || !isObject(fields)) return [fields];
	return valuesAt(Object.hasOwn(fields, name) ? fields[name] : undefined, rest);
}

/** `body.phone` */
export const nameOf = (path: Path): string => path.filter((name) => name !== ENTRIES).join('.');
