import { type Checked, type Fields, uncapitalized } from '../domain/values';
import type { ApiProblem } from '../domain/api/exchange';
import type { Execution, OutputItem, ShownError } from './execution';
import { tryRead } from './parameters';
import { inSlices } from './slices';

/** What items ask for, and the output in their order. */
export class Items<T> {
	readonly accepted: Array<{ itemIndex: number; value: T }> = [];
	private readonly output: OutputItem[][];

	private constructor(private readonly execution: Execution) {
		this.output = execution.input.map(() => []);
	}

	/**
	 * Checks every item before anything is sent. With On Error = Stop the first one that must not
	 * be sent ends the run.
	 */
	static async read<T>(
		execution: Execution,
		check: (itemIndex: number) => Checked<T>,
	): Promise<Items<T>> {
		const items = new Items<T>(execution);
		for await (const itemIndex of inSlices(execution.input.keys())) {
			const checked = tryRead(() => check(itemIndex));
			if (checked.ok) {
				items.accepted.push({ itemIndex, value: checked.value });
				continue;
			}
			const message = `Row ${execution.rowNumber(itemIndex)}: ${checked.error.message}`;
			items.fail(execution.operationError(checked.error, message), itemIndex);
		}
		return items;
	}

	/**
	 * Rows of an item; rows that several items asked for are paired with all of them and come out
	 * once.
	 */
	add(items: readonly number[], rows: readonly Fields[]): void {
		const pairedItem = items.length === 1 ? { item: items[0]! } : items.map((item) => ({ item }));
		this.output[items[0]!] = rows.map((json) => ({ json, pairedItem }));
	}

	/** With On Error = Stop the run ends here. */
	reject(items: readonly number[], why: ApiProblem): void {
		for (const itemIndex of items) {
			const message = `Row ${this.execution.rowNumber(itemIndex)}: ${uncapitalized(why.message)}`;
			this.fail(this.execution.apiError(why, message), itemIndex);
		}
	}

	toOutput(): OutputItem[] {
		return this.output.flat();
	}

	private fail(error: ShownError, itemIndex: number) {
		if (this.execution.stops) throw error;
		this.output[itemIndex] = [errorItem(error, itemIndex)];
	}
}

/** Items that name the same thing, in the order of its first naming. */
export function groupBy<T>(
	wanted: ReadonlyArray<{ itemIndex: number; value: T }>,
	key: (value: T, itemIndex: number) => string,
) {
	const groups = new Map<string, { items: number[]; values: T[] }>();
	for (const { itemIndex, value } of wanted) {
		const name = key(value, itemIndex);
		const group = groups.get(name) ?? { items: [], values: [] };
		groups.set(name, group);
		group.items.push(itemIndex);
		group.values.push(value);
	}
	return groups;
}

/**
 * A row that could not be carried out, with On Error = Continue. All versions of n8n take an item
 * whose `json` holds nothing but `error` for a failed one. An `error` beside `json` would do so
 * too, but n8n 2 then throws away the input fields that it adds on the error output (n8n behavior).
 */
export const errorItem = ({ message, description }: ShownError, itemIndex: number): OutputItem => ({
	// The table shows one text, so the remedy goes into it.
	json: { error: description ? `${message}. ${description}` : message },
	pairedItem: { item: itemIndex },
});
