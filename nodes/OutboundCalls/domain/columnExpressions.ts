type Fields = Readonly<Record<string, unknown>>;

/** A parameter that takes nothing but columns of the item's own row. */
export interface FromColumns {
	columns: readonly string[];
	/** The parameter's value for a row that has these columns. */
	value(fields: Fields): unknown;
}

/** The whole of `={{ $json.phone }}` or `={{ $json['First Name'] }}`: what dragging a column into a field writes. */
const COLUMN = /^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[(['"])([^'"\\]+)\2\])\s*\}\}$/;

/** A stored parameter, at any depth; undefined when it holds an expression that does more than name a column. */
export function fromColumns(parameter: unknown): FromColumns | undefined {
	if (typeof parameter === 'string' && parameter.startsWith('=')) {
		const [, name, , quotedName = name] = COLUMN.exec(parameter) ?? [];
		return quotedName === undefined
			? undefined
			: { columns: [quotedName], value: (fields) => fields[quotedName] };
	}
	if (typeof parameter !== 'object' || parameter === null)
		return { columns: [], value: () => parameter };

	const parts: Array<readonly [string, FromColumns]> = [];
	for (const [key, part] of Object.entries(parameter)) {
		const read = fromColumns(part);
		if (!read) return undefined;
		parts.push([key, read]);
	}
	return {
		columns: parts.flatMap(([, { columns }]) => columns),
		value: (fields) => {
			const filled: Record<string, unknown> = Array.isArray(parameter) ? ([] as never) : {};
			for (const [key, part] of parts) filled[key] = part.value(fields);
			return filled;
		},
	};
}

/** Whether the row holds a text, a number, a boolean or null there: nothing that the host would convert or refuse. */
export function hasPlain(fields: Fields, column: string): boolean {
	if (!Object.prototype.hasOwnProperty.call(fields, column)) return false;
	const value = fields[column];
	return (
		value === null ||
		typeof value === 'string' ||
		typeof value === 'number' ||
		typeof value === 'boolean'
	);
}
