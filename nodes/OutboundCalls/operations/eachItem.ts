import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { openApi, type Send } from '../api/exchange';
import { apiError, errorItem, findingError } from '../api/nodeErrors';
import type { Refusal } from '../api/refusal';
import type { Checked } from '../domain/finding';
import { rowName, uncapitalized } from '../domain/words';
import { readable } from '../parameters';
import { inLanes } from '../placement/lanes';
import { Pace } from '../placement/pace';
import { cancelSignal, runOptions, type RunOptions } from './runOptions';

/** What one item came to: any number of output rows, or why there are none. */
export type ItemResult = { ok: true; rows: IDataObject[] } | { ok: false; refusal: Refusal };

/** Tools of one run of an operation that works item by item. */
export interface Run extends RunOptions {
	send: Send;
	pace: Pace;
}

/** Items that are carried out by the same requests, and what they ask for. */
interface Job<T> {
	items: number[];
	value: T;
}

/**
 * An operation that places no call: every item is checked before the first request, then each is carried
 * out, several at a time. With On Error = Stop the first item that could not be ends the run.
 * Items with the same `key` are carried out once: their rows come out once, paired with all of them.
 */
export async function eachItem<T>(
	context: IExecuteFunctions,
	check: (itemIndex: number) => Checked<T>,
	carryOut: (run: Run, value: T) => Promise<ItemResult>,
	key?: (value: T) => string,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const stop = !context.continueOnFail();
	const output: INodeExecutionData[][] = context.getInputData().map(() => []);

	const jobs = new Map<string, Job<T>>();
	output.forEach((_none, itemIndex) => {
		const checked = readable(() => check(itemIndex));
		if (!checked.ok) {
			const message = `${rowName(itemIndex)}: ${checked.finding.message}`;
			const error = findingError(node, checked.finding, message, itemIndex);
			if (stop) throw error;
			output[itemIndex] = [errorItem(error, itemIndex)];
			return;
		}
		const id = key ? key(checked.value) : String(itemIndex);
		const same = jobs.get(id);
		if (same) same.items.push(itemIndex);
		else jobs.set(id, { items: [itemIndex], value: checked.value });
	});

	const options = runOptions(context);
	const pace = new Pace({ maxWaitMs: options.maxWaitMs, signal: cancelSignal(context) });
	const run: Run = { ...options, send: await openApi(context), pace };
	const queue = [...jobs.values()];
	await inLanes(options.lanes, queue.length, async (index) => {
		const { items, value } = queue[index]!;
		const result = await carryOut(run, value);
		if (result.ok) {
			const pairedItem = items.length === 1 ? { item: items[0]! } : items.map((item) => ({ item }));
			output[items[0]!] = result.rows.map((json) => ({ json, pairedItem }));
			return true;
		}
		for (const itemIndex of items) {
			const message = `${rowName(itemIndex)}: ${uncapitalized(result.refusal.message)}`;
			const error = apiError(node, result.refusal, message, itemIndex);
			if (stop) throw error;
			output[itemIndex] = [errorItem(error, itemIndex)];
		}
		return true;
	});
	return output.flat();
}
