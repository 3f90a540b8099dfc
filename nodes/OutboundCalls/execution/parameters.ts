import { fromColumns, hasPlain } from '../domain/columnExpressions';
import { isOfRows } from '../domain/expression/parameter';
import { codesOf } from '../domain/expression/tree';
import type { Fields } from '../domain/fields';
import { quoted } from '../domain/format';
import { type Checked, fail, type Problem, problem } from '../domain/problem';

/** A parameter's value for an input item. */
export type PerItem<T> = (itemIndex: number) => T;

/** The parameters of the node, as they are stored and as they come to values. */
export class Parameters {
	constructor(
		/** The value for an item, by n8n: it resolves expressions. `name` may be a path ("options.timeout"). */
		private readonly read: (name: string, itemIndex: number, fallback: unknown) => unknown,
		/** As they are stored in the workflow, expressions unresolved. */
		private readonly stored: Fields,
		private readonly input: readonly Fields[],
		/** What the code of an expression comes to for an item, by n8n. */
		private readonly evaluate: (expression: string, itemIndex: number) => unknown,
	) {}

	/**
	 * A parameter, read once for the run when it holds no expression, and from the rows when it only names
	 * columns: resolving an expression takes the host many times longer than everything else that is done for
	 * a row. Throws where a part of its text cannot be worked out.
	 */
	perItem<T>(name: string, fallback: T): PerItem<T> {
		const read = (itemIndex: number): T => this.read(name, itemIndex, fallback) as T;
		const stored = this.raw(name);
		if (holdsExpression(stored)) return this.byColumns(stored, this.inAllParts(stored, read));
		let value: { read: T } | undefined;
		return () => (value ??= { read: read(0) }).read;
	}

	/** The parameter as it is stored in the workflow. */
	raw(name: string): unknown {
		return name
			.split('.')
			.reduce<unknown>(
				(value, key) =>
					typeof value === 'object' && value !== null
						? (value as Record<string, unknown>)[key]
						: undefined,
				this.stored,
			);
	}

	/** What an expression would come to for an item, had it other `fields`; undefined where that cannot be worked out. */
	wouldBe(stored: unknown, itemIndex: number, fields: object | undefined): unknown {
		const [code, ...others] = codesOf(stored);
		if (!fields || code === undefined || others.length > 0) return undefined;
		// A code ends at the next }} (n8n behaviour).
		const item = `Object.assign({}, $json, ${JSON.stringify(fields).replaceAll('}', '} ')})`;
		return this.comesTo(`{{ ${code.replace(OF_ITEM, () => item)} }}`, itemIndex);
	}

	/** What an expression comes to for an item; undefined where that cannot be worked out. */
	comesTo(stored: string, itemIndex: number): unknown {
		return orElse(() => this.evaluate(stored.replace(/^=/, ''), itemIndex), undefined);
	}

	/**
	 * `read`, of a parameter as it is stored. What cannot be worked out, as where a number is trimmed, comes to undefined, in a text to nothing, and the
	 * host does not tell (n8n behaviour): then it throws. `of`: the step in which it stands, and as it stands there.
	 */
	inAllParts<T>(
		stored: unknown,
		read: PerItem<T>,
		of?: { step: string; stored: string },
	): PerItem<T> {
		const codes = codesOf(stored).filter((code) => !fromColumns(`={{${code}}}`));
		if (codes.length === 0) return read;
		const isAlone = isOneCode(stored);
		const isOnce = !codes.some((code) => isOfRows(`={{${code}}}`));
		const list = `{{[${codes.map((code) => code.replace(ENDED, '')).join('\n,')}\n]}}`;
		let isWorkedOut = false;
		return (itemIndex) => {
			const value = read(itemIndex);
			if (isWorkedOut || (isAlone && value !== undefined)) return value;
			const workOut = (): unknown => this.evaluate(list, itemIndex);
			if (!Array.isArray(of ? orElse(workOut, []) : workOut()))
				throw new NotWorkedOut(
					of ? codesOf(of.stored) : codes,
					of ? `the step ${quoted(of.step)}` : THIS_NODE,
				);
			isWorkedOut = isOnce;
			return value;
		};
	}

	/**
	 * The host reads the first row. It reads the others only if its value for the first row differs from that of
	 * the columns, or if a row holds more than plain values.
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
			agreed = JSON.stringify(asked) === JSON.stringify(value);
			return asked;
		};
	}
}

/** Whether an expression is one code, with no text beside it. */
export const isOneCode = (stored: unknown): boolean =>
	/^=\{\{(?:(?!\}\})[^])*\}\}$/.test(String(stored));

/** What an expression calls the item that it is at. */
export const OF_ITEM = /\$json\b|\$input\.item\.json\b/g;

/** The end of a statement, and comments behind it. With quotes, it may be text: "https:;//a". */
export const ENDED = /;(?:[\s;]|\/\/[^'"`\n]*|\/\*[^'"`]*?\*\/)*$/;

/** What the host does not tell here, it has told in the step where the expression stands. */
function orElse(workOut: () => unknown, otherwise: unknown): unknown {
	try {
		return workOut();
	} catch {
		return otherwise;
	}
}

const THIS_NODE = 'this node';

/** Of an expression that cannot be worked out for an item. */
class NotWorkedOut extends Error {
	constructor(
		codes: readonly string[],
		readonly where: string,
		why = 'a cell that it takes is empty, or a number where it expects text',
	) {
		super(`${why}: ${quoted(codes.join(' '))}`);
	}
}

/** To be thrown: a parameter takes a field of a cell that has none. `step`: the Edit Fields in which it does. */
export const noFields = (column: string, step: string | undefined): Error =>
	new NotWorkedOut(
		[column],
		step === undefined ? THIS_NODE : `the step ${quoted(step)}`,
		'the cell holds something else than fields',
	);

/** An expression takes a cell for something else than it says. */
export class Misread extends Error {
	constructor(readonly problem: Problem) {
		super(problem.message);
	}
}

/** Reads an item's parameters: an expression that cannot be resolved concerns its own item only. */
export function tryRead<T>(read: () => Checked<T>): Checked<T> {
	try {
		return read();
	} catch (thrown) {
		if (thrown instanceof Misread) return fail(thrown.problem);
		const why = thrown instanceof Error ? thrown.message : String(thrown);
		const of = thrown instanceof NotWorkedOut ? thrown.where : THIS_NODE;
		return problem(
			`an expression in ${of} could not be resolved (${why})`,
			thrown instanceof NotWorkedOut
				? 'Correct the cell, or let the expression allow for it: $json.name?.trim() for an empty one, String($json.phone) for a number.'
				: 'Look at the fields of this node with expressions: the editor shows the one in question in red.',
		);
	}
}

/** Expressions are strings that start with "=" (n8n behaviour), at any depth. */
export function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}
