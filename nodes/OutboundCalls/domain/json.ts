/** Whether a value is a JSON object: no list, not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON text as its value. What is no text, and text that is no JSON, comes back unchanged; blank text as ''. */
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
