import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { openApi, type Send } from '../http/client';
import { apiError, errorItem, operationError } from './nodeErrors';
import type { ApiProblem } from '../http/apiErrors';
import type { Checked } from '../domain/problem';
import { rowName, uncapitalized } from '../domain/format';
import { tryRead } from './parameters';
import { forEachConcurrent } from '../http/concurrency';
import { Throttle } from '../http/throttle';
import { cancelSignal, runOptions, type RunOptions } from './runOptions';

/** What an item came to: any number of output rows, or why there are none. */
export type ItemResult = { ok: true; rows: IDataObject[] } | { ok: false; refusal: ApiProblem };

/** Tools of one run of an operation that places no call. */
export interface Run extends RunOptions {
	send: Send;
	pace: Throttle;
	signal: AbortSignal | undefined;
}

export async function openRun(context: IExecuteFunctions): Promise<Run> {
	const options = runOptions(context);
	const signal = cancelSignal(context);
	return { ...options, signal, send: await openApi(context), pace: new Throttle({ maxWaitMs: options.maxWaitMs, signal }) };
}

/** What items ask for, and the output in their order. */
export class Items<T> {
	readonly accepted: Array<{ itemIndex: number; value: T }> = [];
	private readonly output: INodeExecutionData[][];

	/** Checks every item before anything is sent. With On Error = Stop the first one that must not be sent ends the run. */
	constructor(
		private readonly context: IExecuteFunctions,
		check: (itemIndex: number) => Checked<T>,
	) {
		this.output = context.getInputData().map(() => []);
		this.output.forEach((_none, itemIndex) => {
			const checked = tryRead(() => check(itemIndex));
			if (checked.ok) {
				this.accepted.push({ itemIndex, value: checked.value });
				return;
			}
			const message = `${rowName(itemIndex)}: ${checked.finding.message}`;
			this.fail(operationError(context.getNode(), checked.finding, message), itemIndex);
		});
	}

	/** Rows of an item; rows that several items asked for are paired with all of them and come out once. */
	add(items: readonly number[], rows: readonly IDataObject[]): void {
		const pairedItem = items.length === 1 ? { item: items[0]! } : items.map((item) => ({ item }));
		this.output[items[0]!] = rows.map((json) => ({ json, pairedItem }));
	}

	/** With On Error = Stop the run ends here. */
	reject(items: readonly number[], refusal: ApiProblem): void {
		for (const itemIndex of items) {
			const message = `${rowName(itemIndex)}: ${uncapitalized(refusal.message)}`;
			this.fail(apiError(this.context.getNode(), refusal, message), itemIndex);
		}
	}

	toOutput(): INodeExecutionData[] {
		return this.output.flat();
	}

	private fail(error: Parameters<typeof errorItem>[0], itemIndex: number): void {
		if (!this.context.continueOnFail()) throw error;
		this.output[itemIndex] = [errorItem(error, itemIndex)];
	}
}

/** Items that name the same thing, in the order of its first naming. */
export function groupBy<T>(wanted: ReadonlyArray<{ itemIndex: number; value: T }>, key: (value: T) => string) {
	const groups = new Map<string, { items: number[]; values: T[] }>();
	for (const { itemIndex, value } of wanted) {
		const group = groups.get(key(value));
		if (group) {
			group.items.push(itemIndex);
			group.values.push(value);
		} else groups.set(key(value), { items: [itemIndex], values: [value] });
	}
	return groups;
}

/**
 * Carries out each item, several at a time (or `lanes`); items with the same key once, for all of them.
 */
export async function eachItem<T>(
	context: IExecuteFunctions,
	check: (itemIndex: number) => Checked<T>,
	carryOut: (run: Run, value: T) => Promise<ItemResult>,
	{ key, lanes }: { key?: (value: T) => string; lanes?: number } = {},
): Promise<INodeExecutionData[]> {
	const items = new Items(context, check);
	const run = await openRun(context);
	const jobs = key
		? [...groupBy(items.accepted, key).values()].map((group) => ({ items: group.items, value: group.values[0]! }))
		: items.accepted.map(({ itemIndex, value }) => ({ items: [itemIndex], value }));
	await forEachConcurrent(lanes ?? run.concurrency, jobs.length, async (index) => {
		const job = jobs[index]!;
		const result = await carryOut(run, job.value);
		if (result.ok) items.add(job.items, result.rows);
		else items.reject(job.items, result.refusal);
		return true;
	});
	return items.toOutput();
}
