/** What operations are, and how those that place no call work through their items. */
import type { INodeProperties } from 'n8n-workflow';
import type { Execution, OutputItem, ShownError } from '../execution/execution';
import {
	type Checked,
	type Fields,
	formatDuration,
	type Result,
	uncapitalized,
	without,
} from '../domain/values';
import type { ApiProblem } from '../domain/api/exchange';
import { tryRead } from '../execution/parameters';
import { inSlices } from '../execution/slices';
import { forEachConcurrent } from '../execution/concurrency';
import type { RunParameters } from '../execution/runParameters';
import { type ApiAccess, openApiAccess } from '../http/apiAccess';
import { isSettled, reachedOf } from '../calls/callRecord';
import {
	type Named,
	pageParameterOf,
	readBatches,
	readWaiting,
	type Waiting,
} from '../calls/batches';
import { batchKey } from '../domain/api/apiLimits';

/**
 * One operation, as the panel shows it. Its file also holds what it does, which the bundler leaves
 * out of the panel (package.json has `"sideEffects": false`).
 */
export interface Operation {
	/** Stored in saved workflows: never changes. */
	value: string;
	name: string;
	action: string;
	description: string;
	fields: INodeProperties[];
}

/**
 * What an operation does with the input items: one output item for each row. Throws only with On
 * Error = Stop; otherwise every row comes out.
 */
export type Handler = (execution: Execution) => Promise<OutputItem[]>;

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
	static async read<T>(execution: Execution, check: (itemIndex: number) => Checked<T>) {
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
	add(items: readonly number[], rows: readonly Fields[]) {
		const pairedItem = items.length === 1 ? { item: items[0]! } : items.map((item) => ({ item }));
		this.output[items[0]!] = rows.map((json) => ({ json, pairedItem }));
	}

	/** With On Error = Stop the run ends here. */
	reject(items: readonly number[], why: ApiProblem) {
		for (const itemIndex of items) {
			const message = `Row ${this.execution.rowNumber(itemIndex)}: ${uncapitalized(why.message)}`;
			this.fail(this.execution.apiError(why, message), itemIndex);
		}
	}

	toOutput() {
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

/**
 * Carries out each item, several at a time (or `concurrency`); items with the same key once, for
 * all of them. `parameters` has read the operation's own settings.
 */
export async function eachItem<T>(
	execution: Execution,
	parameters: RunParameters,
	check: (itemIndex: number) => Checked<T>,
	key: (value: T, itemIndex: number) => string,
	carryOut: (api: ApiAccess, value: T, itemIndex: number) => Promise<Result<Fields[], ApiProblem>>,
	concurrency?: number,
) {
	const api = await openApiAccess(execution, parameters);
	const items = await Items.read(execution, check);
	const jobs = [...groupBy(items.accepted, key).values()];
	await forEachConcurrent(
		concurrency ?? api.concurrency,
		jobs,
		async ({ items: together, values }) => {
			const result = await carryOut(api, values[0]!, together[0]!);
			if (result.ok) items.add(together, result.value);
			else items.reject(together, result.error);
		},
	);
	return items.toOutput();
}

/**
 * Reads the batches that items name, and waits for the calls if that is wanted. `parameters` has
 * read the operation's own settings.
 */
export async function readCalls<T extends Named>(
	execution: Execution,
	parameters: RunParameters,
	check: (itemIndex: number) => Checked<T>,
	limit?: number,
) {
	const waiting = readWaiting(parameters);
	const isOpenReturned = parameters.choice('onTimeout') === 'output';
	const pageParameter = pageParameterOf(parameters);
	const api = await openApiAccess(execution, parameters);
	const items = await Items.read(execution, check);
	const named = items.accepted.map(({ value }) => value);
	const batches = await readBatches(api, named, waiting, execution.stops, pageParameter, limit);
	// Before all others: with On Error = Stop it says more than a call that is still open.
	const accepted = items.accepted.filter(({ itemIndex, value: { batch } }) => {
		const read = batch === undefined ? undefined : batches.get(batchKey(batch));
		if (read?.ok === false) items.reject([itemIndex], read.error);
		return read?.ok ?? batch === undefined;
	});
	return {
		items,
		/** Items whose batch was read, and those that name none. */
		accepted,
		batches,
		/** A record as a row, with `reached` first and, if the run waited, `settled` last. */
		rowOf: (record: Fields, settled?: boolean): Fields => ({
			reached: reachedOf(record),
			...without(record, 'reached'),
			...(waiting && { settled: settled ?? isSettled(record, waiting.until) }),
		}),
		/** Rejects items with calls that are open when the time is up, if On Timeout is `error`. */
		rejectOpen: (indexes: readonly number[], records: readonly Fields[]) => {
			if (!waiting || isOpenReturned) return false;
			const open = records.filter((record) => !isSettled(record, waiting.until)).length;
			if (open > 0) items.reject(indexes, stillOpen(open, records.length, waiting));
			return open > 0;
		},
	};
}

const stillOpen = (open: number, of: number, { until, timeoutMs }: Waiting) => ({
	message: `${of === 1 ? 'the call is' : `${open} of ${of} calls are`} not ${until === 'dialed' ? 'dialed' : 'finished'} ${timeoutMs > 0 ? `after ${formatDuration(timeoutMs)}` : 'yet'}`,
	remedy:
		'The calls continue, and you can look again at any time. Raise Stop Waiting After, or set On Timeout to “Return What Is Available”.',
});
