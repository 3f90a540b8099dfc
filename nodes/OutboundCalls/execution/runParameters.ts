import {
	type Checked,
	isBlank,
	isSame,
	numberOf,
	type Problem,
	quoted,
	rowNames,
	thrownText,
	typedText,
} from '../domain/values';
import {
	type Choice,
	type ChoiceOf,
	CHOICES,
	NUMBER_FIELDS,
	type NumberField,
} from '../domain/panelDefaults';
import type { Execution } from './execution';
import { holdsExpression, type PerItem } from './parameters';
import { inSlices } from './slices';

/**
 * Reads settings of the whole run. The first one that cannot be used is kept in `problem`. A
 * setting that holds an expression must come to the same value in every row, because nobody may be
 * called by the settings of another row: `compare` or `check` looks at all rows.
 */
export class RunParameters {
	/** Settings that hold an expression: their names in the panel, and their values in the first row. */
	private readonly ofRows: Array<{ label: string; first: unknown; read: PerItem }> = [];
	/** This is why the run cannot start. */
	problem: Problem | undefined;

	constructor(private readonly execution: Execution) {}

	/** The first reason counts. */
	refuse(why: Problem) {
		this.problem ??= why;
	}

	/** A number within the bounds of its field; anything else cannot be used. */
	number(field: keyof typeof NUMBER_FIELDS, collection?: 'options') {
		const { least, most = Infinity }: NumberField = NUMBER_FIELDS[field];
		return Math.min(Math.max(this.anyNumber(field, collection), least), most);
	}

	/** Undefined if nobody added it. A negative one, or 0 where the field begins above, cannot be used. */
	added(field: keyof typeof NUMBER_FIELDS, collection: 'options' | 'rules'): number | undefined {
		if (this.isAbsent(`${collection}.${field}`)) return undefined;
		const value = this.anyNumber(field, collection);
		const { label, least } = NUMBER_FIELDS[field];
		if (value > 0 || value === least) return value;
		return this.unusable(label, value, 'Enter a number above 0.', 0);
	}

	/** One of the values that the panel offers; the first one if the field is absent. */
	choice<N extends keyof typeof CHOICES>(field: N): ChoiceOf<N> {
		const { label, in: collection, options }: Choice = CHOICES[field];
		const values = options.map(({ value }) => value);
		const value = this.read(collection ? `${collection}.${field}` : field, label, values[0]);
		const choice = values.find((each) => each === value);
		const remedy = `It takes ${values.map((each) => `“${each}”`).join(' or ')}.`;
		return (choice ?? this.unusable(label, value, remedy, values[0])) as ChoiceOf<N>;
	}

	flag(name: string, label: string, fallback: boolean) {
		const value = this.read(name, label, fallback);
		if (typeof value === 'boolean') return value;
		if (value === 'true' || value === 'false') return value === 'true';
		return this.unusable(label, value, 'It takes true or false.', fallback);
	}

	/** A text without blanks around it; `fallback` if it is empty. */
	text(name: string, label: string, fallback: string) {
		const value = this.read(name, label, fallback);
		return typedText(value) || fallback;
	}

	/** What `parse` makes of a setting; undefined if nobody added it, or if it cannot be used. */
	parsed<T>(name: string, label: string, parse: (value: unknown) => Checked<T>) {
		return this.isAbsent(name) ? undefined : this.accept(parse(this.read(name, label, undefined)));
	}

	/** Undefined if a value cannot be used, which is why the run cannot start. */
	accept<T>(checked: Checked<T>) {
		if (checked.ok) return checked.value;
		this.refuse(checked.error);
		return undefined;
	}

	/**
	 * n8n passes an expression on in a field that takes none, such as a lone $fromAI(), if the
	 * workflow's JSON holds one.
	 */
	takesNoExpression(name: string, label: string) {
		if (holdsExpression(this.execution.parameters.raw(name)))
			this.refuse({
				message: `${label} holds an expression, and it takes none`,
				remedy: 'Choose a value in this node.',
			});
	}

	/** A collection of the panel that the workflow's JSON holds as an expression or a list. */
	isCollection(name: 'options' | 'rules', label: string) {
		if (this.isAbsent(`${name}.length`)) return;
		this.refuse({
			message: `${label} is one expression or a list, which n8n discards`,
			remedy: `Add the ${label} one by one in this node, and use expressions in their fields.`,
		});
	}

	/** Whether the settings are the same for this item as for the first. */
	compare(itemIndex: number) {
		for (const { label, first, read } of this.ofRows) {
			if (this.problem) return;
			try {
				const other = read(itemIndex);
				if (!isSame(other, first))
					this.refuse({
						message: `${label} is ${quoted(first)} in ${this.rowOf(0)} and ${quoted(other)} in ${this.rowOf(itemIndex)}, but it counts for the whole run`,
						remedy: 'Give it one value for all rows.',
					});
			} catch (thrown) {
				this.notEvaluated(label, itemIndex, thrown);
			}
		}
	}

	/** Compares all items. Throws if a setting cannot be used. */
	async check() {
		for await (const itemIndex of inSlices(this.execution.input.keys())) {
			if (itemIndex > 0) this.compare(itemIndex);
		}
		if (this.problem) throw this.execution.operationError(this.problem);
	}

	private anyNumber(field: keyof typeof NUMBER_FIELDS, collection?: string) {
		const { label, initial } = NUMBER_FIELDS[field];
		const value = this.read(collection ? `${collection}.${field}` : field, label, initial);
		return numberOf(value) ?? this.unusable(label, value, 'Enter a number.', initial);
	}

	private isAbsent(name: string) {
		return this.execution.parameters.raw(name) === undefined;
	}

	/** Reads the setting in the first row. */
	private read(name: string, label: string, fallback: unknown) {
		const { parameters } = this.execution;
		try {
			const read = parameters.perItem(name, fallback);
			const first = read(0);
			if (holdsExpression(parameters.raw(name))) this.ofRows.push({ label, first, read });
			return first;
		} catch (thrown) {
			this.notEvaluated(label, 0, thrown);
			return fallback;
		}
	}

	private unusable<T>(label: string, value: unknown, remedy: string, fallback: T) {
		const message = isBlank(value) ? `${label} is empty` : `${label} is ${quoted(value)}`;
		this.refuse({ message, remedy });
		return fallback;
	}

	private notEvaluated(label: string, itemIndex: number, thrown: unknown) {
		this.refuse({
			message: `${label} holds an expression that could not be evaluated for ${this.rowOf(itemIndex)} (${thrownText(thrown)})`,
			remedy: 'The editor shows [ERROR] below the field.',
		});
	}

	private rowOf(itemIndex: number) {
		return rowNames([this.execution.rowNumber(itemIndex)]);
	}
}
