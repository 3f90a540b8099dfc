/** A JSON object, as a row, an item or an answer holds it: n8n's own type for it, without n8n. */
export type Fields = Record<string, string | number | boolean | object | null | undefined>;

/** What stands for nothing in a cell: undefined, null and blank text. */
export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
