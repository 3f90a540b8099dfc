import { readPages } from '../batches/pages';
import { pollBatches } from '../batches/poll';
import { areSettled, notVisibleYet } from '../batches/waiting';
import { type BulkIds, calledBy } from '../domain/callOutcome';
import { isReached, isSettled, type WaitUntil } from '../domain/callRecord';
import type { Send } from '../domain/exchange';
import type { Fields } from '../domain/fields';
import { batchKey, idOf } from '../domain/ids';
import { isBatchId } from '../domain/limits';
import type { Execution } from '../execution/execution';
import type { RunOptions } from '../execution/run';
import { Throttle } from '../http/throttle';
import type { RowOutcome } from './outputRows';
import type { Waiting } from '../placement/settings';

/** How a row's call ended, as far as it is known. */
export interface FollowedCall extends Fields {
	reached: boolean | null;
	conversation_id: number | string | null;
	auto_call_error: string | null;
	settled: boolean;
}

/** For a row without a call record: there is nothing to wait for. */
const NOTHING_TO_FOLLOW: FollowedCall = { reached: null, conversation_id: null, auto_call_error: null, settled: true };

/**
 * Reads the batches of the calls that were started, again and again, until each call has arrived where `until`
 * says or the time is up. Never rejects: a call that cannot be read comes out open, because it was placed.
 */
export async function followCalls(
	{ signal }: Execution,
	send: Send,
	rows: readonly RowOutcome[],
	{ until, pollIntervalMs, waitMs }: Waiting,
	{ timeoutMs, maxWaitMs, concurrency }: RunOptions,
): Promise<Map<RowOutcome, FollowedCall>> {
	const wanted = new Map<string, Set<string>>();
	for (const row of rows) {
		const call = callOf(row);
		if (!call) continue;
		const records = wanted.get(call.batch) ?? new Set();
		wanted.set(call.batch, records.add(call.record));
	}
	// A limit that asks to come back later must not hold the rows for longer than calls are waited for.
	const throttle = new Throttle({ maxWaitMs: Math.min(maxWaitMs, waitMs), signal });
	const run = { send, throttle, signal, timeoutMs, maxWaitMs, concurrency };
	const records = new Map<string, Fields>();
	await pollBatches(
		[...wanted.keys()],
		async (batch) => notVisibleYet(await readPages(run, batch, 'page')),
		(batch, detail) => {
			for (const record of detail.records) records.set(`${batch} ${idOf(record)}`, record);
			return areSettled(detail, until, wanted.get(batch));
		},
		{ concurrency, stop: false, signal, poll: { pollIntervalMs, timeoutMs: waitMs } },
	);
	return new Map(rows.map((row) => [row, followed(row, records, until)]));
}

/** The call record that a row has; undefined when nobody was called, or nobody knows. */
function callOf(row: RowOutcome): { batch: string; record: string } | undefined {
	if ('rejected' in row || calledBy(row.outcome) === 'no') return undefined;
	const { batch_id: batch, consent_id: record } = row.outcome.answer as BulkIds;
	return batch === null || record === null || !isBatchId(batch) ? undefined : { batch: batchKey(batch), record: String(record) };
}

function followed(row: RowOutcome, records: ReadonlyMap<string, Fields>, until: WaitUntil): FollowedCall {
	const call = callOf(row);
	if (!call) return NOTHING_TO_FOLLOW;
	const record = records.get(`${call.batch} ${call.record}`) ?? {};
	return {
		reached: isReached(record),
		conversation_id: (record.conversation_id ?? null) as FollowedCall['conversation_id'],
		auto_call_error: (record.auto_call_error ?? null) as FollowedCall['auto_call_error'],
		settled: isSettled(record, until),
	};
}
