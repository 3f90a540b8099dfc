import { fieldProblem, isSame, ok, type Problem, textOf } from '../domain/values';
import type { RawRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { holdsExpression, type Parameters, tryRead } from '../execution/parameters';
import { systemClock } from '../execution/clock';

/** Fields of a row that protect people: where they are, and what the panel calls them. */
const FIELDS = {
	optedOut: { name: 'optedOut', label: 'Opted Out' },
	noCallDates: { name: 'rules.noCallDates', label: 'No-Call Dates' },
	timeZone: { name: 'rules.timeZone', label: 'Time Zone' },
	onceForEach: { name: 'onceForEach', label: 'Once for Each' },
} as const;
type Field = keyof typeof FIELDS;

/**
 * Whether a value is what a misspelled column comes to: undefined, or blanks alone in a text. An
 * empty text or null is an empty cell.
 */
export function isUnresolved(value: unknown) {
	if (Array.isArray(value)) return value.length > 0 && value.every(isUnresolved);
	return (
		value === undefined || (typeof value === 'string' && value !== '' && !/[^\s,;]/.test(value))
	);
}

/** Why nobody is called: a field that protects people says nothing in any row. */
export const unresolved = (label: string): Problem =>
	fieldProblem(
		`${label} is undefined or blank in every row`,
		'Is the name of its column right? If your source leaves empty fields out, write it like {{ $json.column ?? "" }}.',
	);

/**
 * Finds a field that is to protect people and protects nobody: its expression comes to nothing in
 * every row.
 */
export class ProtectingFields {
	private readonly open: Set<Field>;

	constructor(parameters: Parameters) {
		const fields = Object.keys(FIELDS) as Field[];
		this.open = new Set(
			fields.filter((field) => holdsExpression(parameters.raw(FIELDS[field].name))),
		);
	}

	see(row: RawRow) {
		for (const field of this.open) {
			const cell = field === 'onceForEach' ? row.onceForEach : { value: row[field] };
			if (!cell || !isUnresolved(cell.value)) this.open.delete(field);
		}
	}

	get problem() {
		const [field] = this.open;
		return field && unresolved(FIELDS[field].label);
	}
}

/** The finest time that an expression can name is a millisecond. */
const MOMENT_MS = 2;

/**
 * Why Once for Each remembers nobody: its value is another one in each run, or once rows are
 * sorted. `values`: of the rows, as n8n resolves them.
 */
export async function changingValue(
	{ id, input, parameters }: Execution,
	values: readonly unknown[],
) {
	const { name, label } = FIELDS.onceForEach;
	if (!holdsExpression(parameters.raw(name)) || values.length === 0) return undefined;
	if (values.every((value) => textOf(value) === id))
		return never(`${label} is the ID of the execution, which changes with each run`);
	const isRowNumber = (value: unknown, item: number) => {
		const number = textOf(input[item]?.row_number);
		return number !== '' && number === textOf(value);
	};
	if (values.length === input.length && values.every(isRowNumber))
		return never(`${label} is the row number, which changes when rows are sorted or deleted`);
	const read = parameters.perItem(name);
	const before = tryRead(() => ok(read(0)));
	await systemClock.sleep(MOMENT_MS);
	const after = tryRead(() => ok(read(0)));
	return !before.ok || !after.ok || isSame(before.value, after.value)
		? undefined
		: never(`${label} changes from one moment to the next`);
}

const never = (message: string) =>
	fieldProblem(
		message,
		'Every run would call everybody again. Use a value that stays the same, such as an appointment.',
	);
