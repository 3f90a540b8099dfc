import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import { fromColumns, hasPlain } from '../domain/columns';
import { type Checked, problem } from '../domain/problem';

/** A parameter's value for an input item. */
export type PerItem<T> = (itemIndex: number) => T;

/**
 * A parameter, read once for the run when it holds no expression, and from the rows when it only names
 * columns: resolving an expression takes the host many times longer than everything else that is done for
 * a row. `name` may be a path ("options.timeout").
 */
export function perItem<T>(context: IExecuteFunctions, name: string, fallback: T): PerItem<T> {
	const read = (itemIndex: number): T => context.getNodeParameter(name, itemIndex, fallback) as T;
	const stored = rawParameter(context, name);
	if (holdsExpression(stored)) return byColumns(context, stored, read);
	let value: { read: T } | undefined;
	return () => (value ??= { read: read(0) }).read;
}

/**
 * The host reads the first row. It reads the others only if its value for the first row differs from that of
 * the columns, or if a row holds more than plain values.
 */
function byColumns<T>(context: IExecuteFunctions, stored: unknown, read: PerItem<T>): PerItem<T> {
	const parameter = fromColumns(stored);
	if (!parameter) return read;
	const { columns } = parameter;
	const items = context.getInputData();
	let agreed: boolean | undefined;
	return (itemIndex) => {
		const fields = items[itemIndex]!.json;
		if (agreed === false || !columns.every((column) => hasPlain(fields, column))) return read(itemIndex);
		const value = parameter.value(fields) as T;
		if (agreed) return value;
		const asked = read(itemIndex);
		agreed = JSON.stringify(asked) === JSON.stringify(value);
		return asked;
	};
}

/** A parameter that applies to the whole run: the first item's value. */
export function perRun<T>(context: IExecuteFunctions, name: string, fallback: T): T {
	return context.getNodeParameter(name, 0, fallback) as T;
}

/** The host copies a node whenever it is asked for it, and a list in a parameter may be long. */
const storedParameters = new WeakMap<IExecuteFunctions, INodeParameters>();

/** The parameter as it is stored in the workflow, expressions unresolved. */
export function rawParameter(context: IExecuteFunctions, name: string): unknown {
	const stored = storedParameters.get(context) ?? context.getNode().parameters;
	storedParameters.set(context, stored);
	return name
		.split('.')
		.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined), stored);
}

/** Reads an item's parameters: an expression that cannot be resolved concerns its own item only. */
export function tryRead<T>(read: () => Checked<T>): Checked<T> {
	try {
		return read();
	} catch (thrown) {
		const why = thrown instanceof Error ? thrown.message : String(thrown);
		return problem(
			`an expression in this node could not be resolved (${why})`,
			'Look at the fields of this node with expressions: the editor shows the one in question in red.',
		);
	}
}

/** Expressions are strings that start with "=" (n8n behaviour), at any depth. */
export function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
