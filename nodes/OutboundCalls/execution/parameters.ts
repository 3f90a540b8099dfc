import type { IExecuteFunctions } from 'n8n-workflow';
import { type Checked, type Fields, isSame, problem, quoted, thrownText } from '../domain/values';

/** A parameter's value for an input item, by its index. */
export type PerItem<T = unknown> = (itemIndex: number) => T;

/** The parameters of the node: as they are stored in the workflow, and as n8n resolves them. */
export class Parameters {
	constructor(
		private readonly context: IExecuteFunctions,
		/** As they are stored in the workflow, expressions unresolved. */
		private readonly stored: Fields,
		private readonly input: readonly Fields[],
	) {}

	/**
	 * A parameter's value for each item. `name` may be a path ("options.timeout"). It is read once if it holds no expression, and taken from
	 * the row if it only names columns, because n8n needs far longer to resolve an expression than
	 * all other work on a row takes. Throws if a part of it cannot be evaluated.
	 */
	perItem<T = unknown>(name: string, fallback: unknown = ''): PerItem<T> {
		const read = (itemIndex: number): T =>
			this.context.getNodeParameter(name, itemIndex, fallback) as T;
		const stored = this.raw(name);
		if (holdsExpression(stored)) return this.byColumns(stored, this.evaluated(stored, read));
		let value: { read: T } | undefined;
		return () => (value ??= { read: read(0) }).read;
	}

	/** The parameter as it is stored in the workflow. */
	raw(name: string): unknown {
		return name
			.split('.')
			.reduce<unknown>(
				(value, key) => (value as Record<string, unknown> | null | undefined)?.[key],
				this.stored,
			);
	}

	/**
	 * n8n swallows what an expression throws and returns undefined (n8n behavior). Inside a list,
	 * undefined is a value, and the list is missing if its code has thrown.
	 */
	private evaluated<T>(stored: unknown, read: PerItem<T>): PerItem<T> {
		const codes = codesIn(stored).filter((code) => !fromColumns(`={{${code}}}`));
		if (codes.length === 0) return read;
		const isWhole = typeof stored === 'string' && /^=\{\{(?:(?!\}\})[^])*\}\}$/.test(stored);
		const list = `{{[${codes.map((code) => code.replace(/;\s*$/, '')).join('\n,')}\n]}}`;
		return (itemIndex) => {
			const value = read(itemIndex);
			if (isWhole && value !== undefined) return value;
			if (!Array.isArray(this.context.evaluateExpression(list, itemIndex)))
				throw new NotEvaluated(codes);
			return value;
		};
	}

	/**
	 * n8n reads the first row. It reads the others only if its value differs there, or if a row
	 * holds more than plain values.
	 */
	private byColumns<T>(stored: unknown, read: PerItem<T>): PerItem<T> {
		const parameter = fromColumns(stored);
		if (!parameter) return read;
		const { columns } = parameter;
		let agreed: boolean | undefined;
		return (itemIndex) => {
			const fields = this.input[itemIndex]!;
			if (agreed === false || !columns.every((column) => hasPlain(fields, column)))
				return read(itemIndex);
			const value = parameter.value(fields) as T;
			if (agreed) return value;
			const asked = read(itemIndex);
			agreed = isSame(asked, value);
			return asked;
		};
	}
}

/** The code of each `{{ … }}` in a stored parameter, at any depth. */
function codesIn(stored: unknown): string[] {
	if (typeof stored === 'object' && stored !== null) return Object.values(stored).flatMap(codesIn);
	if (typeof stored !== 'string' || !stored.startsWith('=')) return [];
	return stored
		.split('{{')
		.slice(1)
		.flatMap((code) => (code.includes('}}') ? [code.slice(0, code.indexOf('}}'))] : []));
}

class NotEvaluated extends Error {
	constructor(codes: readonly string[]) {
		super(
			`a cell that it uses is empty, or holds a number where it expects text: ${quoted(codes.join(' '))}`,
		);
	}
}

/** Reads an item's parameters. An expression that n8n cannot evaluate is a problem of that item. */
export function tryRead<T>(read: () => Checked<T>): Checked<T> {
	try {
		return read();
	} catch (thrown) {
		return problem(
			`an expression in this node could not be evaluated (${thrownText(thrown)})`,
			thrown instanceof NotEvaluated
				? 'Correct the cell, or write $json.name?.trim() for an empty cell and String($json.phone) for a number.'
				: 'The editor shows [ERROR] below the field.',
		);
	}
}

/**
 * Whether a stored parameter holds an expression: a string that starts with "=" (n8n behavior), at
 * any depth.
 */
export function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

/** A parameter that takes nothing but columns of the item's own row. */
interface FromColumns {
	columns: readonly string[];
	/** The parameter's value for a row that has these columns. */
	value(fields: Fields): unknown;
}

/**
 * The whole of `={{ $json.phone }}` or `={{ $json['First Name'] }}`: what dragging a column into a
 * field writes.
 */
const COLUMN = /^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[(['"])([^'"\\]+)\2\])\s*\}\}$/;

/**
 * A stored parameter, at any depth; undefined when it holds an expression that does more than name
 * a column.
 */
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

/**
 * Whether the row holds a text, a number, a boolean or null there: nothing that the host would
 * convert or refuse.
 */
export function hasPlain(fields: Fields, column: string) {
	const value = fields[column];
	return (
		Object.hasOwn(fields, column) &&
		(value === null || ['string', 'number', 'boolean'].includes(typeof value))
	);
}
