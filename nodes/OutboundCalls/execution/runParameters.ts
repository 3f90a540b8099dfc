import { isOfRows } from '../domain/expressions';
import { formatCount, quoted } from '../domain/format';
import { type Checked, ok, problem } from '../domain/problem';
import type { Execution } from './execution';

/**
 * A parameter that counts for the whole run. One that holds an expression must come to the same value for
 * every item: nobody may be called by the settings of somebody else's row. `label` is its name in the panel.
 */
function forTheRun({ input, parameters }: Execution, name: string, label: string, fallback: unknown): Checked<unknown> {
	let item = 0;
	try {
		const read = parameters.perItem<unknown>(name, fallback);
		const value = read(0);
		if (!isOfRows(parameters.raw(name))) return ok(value);
		const text = JSON.stringify(value);
		for (item = 1; item < input.length; item++) {
			const other = read(item);
			if (JSON.stringify(other) === text) continue;
			return problem(
				`${label} is ${quoted(value)} in row 1 and ${quoted(other)} in row ${formatCount(item + 1)}, but it counts for the whole run`,
				'Give it one value for all rows.',
			);
		}
		return ok(value);
	} catch (thrown) {
		const why = thrown instanceof Error ? thrown.message : String(thrown);
		return problem(
			`${label} holds an expression that could not be resolved for row ${formatCount(item + 1)} (${why})`,
			'Look at it in this node: the editor shows it in red.',
		);
	}
}

/** An option that nobody added. */
const isAbsent = ({ parameters }: Execution, name: string): boolean => parameters.raw(name) === undefined;

/** Reads parameters that count for the whole run; after the first that cannot be used, `problem` says why. */
export class RunParameters {
	/** Why the run cannot begin. */
	problem: { message: string; remedy: string } | undefined;

	constructor(private readonly execution: Execution) {
		// The host takes it for no options at all, and people on a list in it would be called (n8n behaviour).
		if (typeof execution.parameters.raw('options') === 'string') {
			this.problem = {
				message: 'Options is one expression, which n8n cannot read',
				remedy: 'Add each option by itself; each may hold an expression.',
			};
		}
	}

	/** A number within bounds; what is none, or empty, cannot be used. */
	number(name: string, label: string, fallback: number, least: number, most: number): number {
		const value = this.read(name, label, fallback);
		const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
		if (typeof number === 'number' && Number.isFinite(number)) return Math.min(Math.max(number, least), most);
		return this.unusable(label, value, 'Enter a number.', fallback);
	}

	/** As `number`; undefined where the parameter is absent or 0. A limit below 0 is no wish for “no limit”. */
	optionalNumber(name: string, label: string, least: number): number | undefined {
		const value = this.number(name, label, 0, -Number.MAX_VALUE, Number.MAX_VALUE);
		if (value < 0) return this.unusable(label, value, 'Enter a number above 0.', undefined);
		return value === 0 ? undefined : Math.max(value, least);
	}

	/** A whole number of at least 0; undefined where the parameter is absent. */
	limit(name: string, label: string): number | undefined {
		if (isAbsent(this.execution, name)) return undefined;
		const value = this.number(name, label, 0, -1, Number.MAX_VALUE);
		return value < 0 ? this.unusable(label, value, 'Enter a number of at least 0.', 0) : Math.floor(value);
	}

	choice<T extends string>(name: string, label: string, choices: readonly [T, ...T[]]): T {
		const value = this.read(name, label, choices[0]);
		const choice = choices.find((each) => each === value);
		return choice ?? this.unusable(label, value, `It takes ${choices.map((each) => `“${each}”`).join(' or ')}.`, choices[0]);
	}

	flag(name: string, label: string, fallback: boolean): boolean {
		const value = this.read(name, label, fallback);
		if (typeof value === 'boolean') return value;
		if (value === 'true' || value === 'false') return value === 'true';
		return this.unusable(label, value, 'It takes true or false.', fallback);
	}

	/** Throws when a parameter that was read cannot be used. */
	check(): void {
		const { problem: why } = this;
		if (why) throw this.execution.operationError(why);
	}

	/** A text without blanks around it; `fallback` where it is empty. */
	text(name: string, label: string, fallback: string): string {
		const value = this.read(name, label, fallback);
		return (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '') || fallback;
	}

	/** What `parse` makes of a parameter; undefined where it is absent. */
	parsed<T>(name: string, label: string, parse: (value: unknown) => Checked<T>): T | undefined {
		if (isAbsent(this.execution, name)) return undefined;
		const value = forTheRun(this.execution, name, label, undefined);
		const result = value.ok ? parse(value.value) : value;
		if (result.ok) return result.value;
		this.problem ??= result.error;
		return undefined;
	}

	private read(name: string, label: string, fallback: unknown): unknown {
		const value = forTheRun(this.execution, name, label, fallback);
		if (value.ok) return value.value;
		this.problem ??= value.error;
		return fallback;
	}

	private unusable<T>(label: string, value: unknown, remedy: string, fallback: T): T {
		const isEmpty = value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
		this.problem ??= { message: isEmpty ? `${label} is empty` : `${label} is ${quoted(value)}, which cannot be used`, remedy };
		return fallback;
	}
}
