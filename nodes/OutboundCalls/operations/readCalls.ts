import { isSettled, reachedOf } from '../calls/callRecord';
import {
	type Named,
	pageParameterOf,
	readBatches,
	readWaiting,
	type Waiting,
} from '../calls/readBatches';
import { batchKey } from '../domain/api/apiLimits';
import { type Checked, type Fields, formatDuration, without } from '../domain/values';
import type { Execution } from '../execution/execution';
import { Items } from '../execution/items';
import type { RunParameters } from '../execution/runParameters';
import { openApiAccess } from '../http/apiAccess';

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
