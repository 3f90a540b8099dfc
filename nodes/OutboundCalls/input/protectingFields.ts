import { ok, type Problem } from '../domain/problem';
import type { RawRow } from '../domain/row';
import type { Execution } from '../execution/execution';
import { holdsExpression, tryRead } from '../execution/parameters';
import { systemClock } from '../http/clock';

/** Fields of a row that protect people, by their labels in the panel. */
const OF_ROWS = {
	optedOut: 'Opted Out',
	noCallDates: 'No-Call Dates',
	timeZone: 'Time Zone',
	callOnceKey: 'Remember People By',
} as const;
type Field = keyof typeof OF_ROWS;

/** Whether a value is what a misspelled column comes to: undefined, or blanks alone in a text. An empty text or null is an empty cell. */
export function isUnsaid(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0 && value.every(isUnsaid);
	return value === undefined || (typeof value === 'string' && value !== '' && !/[^\s,;]/.test(value));
}

/** Why nobody is called: a field that protects people says nothing in any row. */
export const unsaid = (label: string): Problem => ({
	message: `${label} comes to nothing in every row`,
	remedy: 'Check that the name of its column is right, and drag the column in again. Nobody was called.',
	field: true,
});

/** Finds a field that is to protect people and protects nobody: its expression comes to nothing in every row. */
export class ProtectingFields {
	private readonly open: Set<Field>;

	constructor({ parameters }: Execution) {
		const fields = Object.keys(OF_ROWS) as Field[];
		this.open = new Set(fields.filter((name) => holdsExpression(parameters.raw(`options.${name}`))));
	}

	see(row: RawRow): void {
		for (const name of this.open) if (!isUnsaid(row[name])) this.open.delete(name);
	}

	/** Why nobody may be called. */
	get problem(): Problem | undefined {
		const [name] = this.open;
		return name && unsaid(OF_ROWS[name]);
	}
}

/** The finest time that an expression can name is a millisecond. */
const MOMENT_MS = 2;

/** Why a key remembers nobody: it is another one in each run, or once rows are sorted. */
export async function changingKey(
	{ id, input, parameters }: Execution,
	keys: readonly unknown[],
): Promise<Problem | undefined> {
	const stored = parameters.raw('options.callOnceKey');
	if (!holdsExpression(stored) || keys.length === 0) return undefined;
	const label = OF_ROWS.callOnceKey;
	if (keys.every((key) => String(key) === id)) return never(`${label} is the ID of the execution, which is another one in each run`);
	const numbers = input.map(({ row_number: number }) => number);
	if (keys.length === numbers.length && keys.every((key, row) => numbers[row] !== undefined && String(key) === String(numbers[row])))
		return never(`${label} is the row number, which is another one once rows are sorted or deleted`);
	const read = parameters.perItem<unknown>('options.callOnceKey', '');
	const before = tryRead(() => ok(read(0)));
	await systemClock.sleep(MOMENT_MS);
	const after = tryRead(() => ok(read(0)));
	if (!before.ok || !after.ok || JSON.stringify(before.value) === JSON.stringify(after.value)) return undefined;
	return never(`${label} changes from one moment to the next`);
}

const never = (message: string): Problem => ({
	message,
	remedy:
		'Each run would call everybody again. Use a value that stays the same, such as an appointment or {{ $now.toFormat("yyyy-MM") }}.',
	field: true,
});
