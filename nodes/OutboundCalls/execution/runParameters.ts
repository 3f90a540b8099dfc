import { asksModel, isOfRows } from '../domain/expression/parameter';
import { formatCount, quoted } from '../domain/format';
import { type Checked, ok, problem } from '../domain/problem';
import type { Execution } from './execution';
import type { PerItem } from './parameters';
import { Slices } from './slices';

/** What a parameter of the whole run came to in row 1. `label` is its name in the panel. */
interface OfRows {
	label: string;
	first: unknown;
	read: PerItem<unknown>;
}

const unresolved = (label: string, itemIndex: number, thrown: unknown) => {
	const why = thrown instanceof Error ? thrown.message : String(thrown);
	return problem(
		`${label} holds an expression that could not be resolved for row ${formatCount(itemIndex + 1)} (${why})`,
		'Look at it in this node: the editor shows it in red.',
	);
};

/** An option that nobody added. */
const isAbsent = ({ parameters }: Execution, name: string): boolean =>
	parameters.raw(name) === undefined;

/**
 * Reads parameters that count for the whole run; after the first that cannot be used, `problem` says why. One that
 * holds an expression must come to the same value for every item: nobody may be called by the settings of somebody
 * else's row. So each item is to be compared, or `check` does it.
 */
export class RunParameters {
	private readonly ofRows: OfRows[] = [];
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
		if (typeof number === 'number' && Number.isFinite(number))
			return Math.min(Math.max(number, least), most);
		return this.unusable(label, value, 'Enter a number.', fallback);
	}

	/** As `number`, above 0; undefined where the parameter is absent. A pace of 0 is no wish for “no limit”. */
	pace(name: string, label: string): number | undefined {
		if (isAbsent(this.execution, name)) return undefined;
		const value = this.number(name, label, 1, -Number.MAX_VALUE, Number.MAX_VALUE);
		return value > 0 ? value : this.unusable(label, value, 'Enter a number above 0.', undefined);
	}

	/** A whole number of at least 0; undefined where the parameter is absent. */
	limit(name: string, label: string): number | undefined {
		if (isAbsent(this.execution, name)) return undefined;
		const value = this.number(name, label, 0, -1, Number.MAX_VALUE);
		return value < 0
			? this.unusable(label, value, 'Enter a number of at least 0.', 0)
			: Math.floor(value);
	}

	choice<T extends string>(name: string, label: string, choices: readonly [T, ...T[]]): T {
		const value = this.read(name, label, choices[0]);
		const choice = choices.find((each) => each === value);
		return (
			choice ??
			this.unusable(
				label,
				value,
				`It takes ${choices.map((each) => `“${each}”`).join(' or ')}.`,
				choices[0],
			)
		);
	}

	flag(name: string, label: string, fallback: boolean): boolean {
		const value = this.read(name, label, fallback);
		if (typeof value === 'boolean') return value;
		if (value === 'true' || value === 'false') return value === 'true';
		return this.unusable(label, value, 'It takes true or false.', fallback);
	}

	/** Whether the parameters that were read come to the same for this item as for the first. */
	compare(itemIndex: number): void {
		for (const { label, first, read } of this.ofRows) {
			if (this.problem) return;
			const checked = sameAs(first, label, itemIndex, read);
			if (!checked.ok) this.problem = checked.error;
		}
	}

	/** Compares all items. Throws when a parameter that was read cannot be used. */
	async check(): Promise<void> {
		const { input, signal } = this.execution;
		const slices = new Slices(signal);
		for (
			let itemIndex = 1;
			itemIndex < input.length && this.ofRows.length > 0 && !this.problem;
			itemIndex++
		) {
			this.compare(itemIndex);
			if (slices.isOver) await slices.rest();
		}
		if (this.problem) throw this.execution.operationError(this.problem);
	}

	/** A text without blanks around it; `fallback` where it is empty. */
	text(name: string, label: string, fallback: string): string {
		const value = this.read(name, label, fallback);
		return (
			(typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '') ||
			fallback
		);
	}

	/** Whether no expression of it asks an AI model: what protects people is for the person who owns the workflow to say. */
	isOwn(name: string, label: string): boolean {
		if (!asksModel(this.execution.parameters.raw(name))) return true;
		this.problem ??= {
			message: `${label} is left to the AI model`,
			remedy: 'Set it yourself: a model can be talked into anything.',
		};
		return false;
	}

	/** As `parsed`, but no expression of it may ask an AI model. */
	own<T>(name: string, label: string, parse: (value: unknown) => Checked<T>): T | undefined {
		return this.isOwn(name, label) ? this.parsed(name, label, parse) : undefined;
	}

	/** What `parse` makes of a parameter; undefined where it is absent. */
	parsed<T>(name: string, label: string, parse: (value: unknown) => Checked<T>): T | undefined {
		if (isAbsent(this.execution, name)) return undefined;
		const value = this.first(name, label, undefined);
		const result = value.ok ? parse(value.value) : value;
		if (result.ok) return result.value;
		this.problem ??= result.error;
		return undefined;
	}

	private read(name: string, label: string, fallback: unknown): unknown {
		const value = this.first(name, label, fallback);
		if (value.ok) return value.value;
		this.problem ??= value.error;
		return fallback;
	}

	private first(name: string, label: string, fallback: unknown): Checked<unknown> {
		const { parameters } = this.execution;
		try {
			const read = parameters.perItem(name, fallback);
			const first = read(0);
			if (isOfRows(parameters.raw(name))) this.ofRows.push({ label, first, read });
			return ok(first);
		} catch (thrown) {
			return unresolved(label, 0, thrown);
		}
	}

	private unusable<T>(label: string, value: unknown, remedy: string, fallback: T): T {
		const isEmpty =
			value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
		this.problem ??= {
			message: isEmpty ? `${label} is empty` : `${label} is ${quoted(value)}, which cannot be used`,
			remedy,
		};
		return fallback;
	}
}

function sameAs(
	first: unknown,
	label: string,
	itemIndex: number,
	read: PerItem<unknown>,
): Checked<unknown> {
	try {
		const other = read(itemIndex);
		if (JSON.stringify(other) === JSON.stringify(first)) return ok(other);
		return problem(
			`${label} is ${quoted(first)} in row 1 and ${quoted(other)} in row ${formatCount(itemIndex + 1)}, but it counts for the whole run`,
			'Give it one value for all rows.',
		);
	} catch (thrown) {
		return unresolved(label, itemIndex, thrown);
	}
}
