/** Whether a value is a JSON object: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All values in objects and lists, however deep, that are none. */
export const leavesOf = (value: unknown): unknown[] =>
	typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];

/** Parses JSON text. Text that is not JSON, and anything that is not text, comes back unchanged; blank text becomes ''. */
export function parsed(json: unknown): unknown {
	if (typeof json !== 'string') return json;
	const text = json.trim();
	if (text === '') return '';
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return json;
	}
}

/** A copy of an object that lacks these fields. */
export function without<T extends object, K extends keyof T>(
	object: T,
	...names: readonly K[]
): Omit<T, K> {
	return Object.fromEntries(
		Object.entries(object).filter(([name]) => !names.includes(name as K)),
	) as Omit<T, K>;
}
