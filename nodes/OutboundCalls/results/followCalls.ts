import { isNeverDialed, isSettled, reachedOf } from '../calls/callRecord';
import { readBatches, recordsIn, type Waiting } from '../calls/batches';
import { isBatchId } from '../domain/api/apiLimits';
import { textOrNull } from '../domain/api/answers';
import { isCalled, isTest, placementOf, type RowOutcome } from '../domain/outcome';
import type { Row } from '../domain/row';
import type { ApiAccess } from '../http/apiAccess';
import { type Fields, idText } from '../domain/values';

/** How a row's call ended, as far as it is known. */
export type FollowedCall = ReturnType<typeof followed>;

/** By row. Empty if the run did not wait. */
export type FollowedCalls = ReadonlyMap<RowOutcome, FollowedCall>;

/**
 * Waits until each call that was started has arrived where `waiting` says, or the time is up. Never
 * rejects: a call that cannot be read comes out open, because it was placed.
 */
export async function followCalls(
	api: ApiAccess,
	rows: readonly RowOutcome[],
	waiting: Waiting,
): Promise<Map<RowOutcome, FollowedCall>> {
	const named = rows.flatMap((row) => callOf(row) ?? []);
	const recordOf = recordsIn(await readBatches(api, named, waiting, false));
	return new Map(
		rows.map((row) => {
			const call = callOf(row);
			const result = followed((call && recordOf(call)) ?? {}, row, waiting);
			if (call) return [row, result];
			const cannotBeFollowed = isCalled({ call: placementOf(row) });
			return [row, { ...result, settled: !cannotBeFollowed, cannotBeFollowed }];
		}),
	);
}

/**
 * The call record that a row has; undefined when nobody was called, or nobody knows. The row of a
 * test has that of the user's own phone.
 */
function callOf(each: RowOutcome) {
	const { outcome } = each;
	if ((outcome.call === 'none' && !isTest(each)) || !outcome.answer) return undefined;
	const { batch_id: batch, consent_id } = outcome.answer;
	const record = idText(consent_id);
	if (typeof batch !== 'string' || !isBatchId(batch) || record === '') return undefined;
	return { batch, record };
}

const followed = (record: Fields, { outcome }: RowOutcome, { until }: Waiting) => ({
	reached: reachedOf(record),
	conversation_id: (record.conversation_id ?? null) as number | string | null,
	auto_call_error: textOrNull(record.auto_call_error),
	record_status: textOrNull(record.status),
	updated_at: textOrNull(record.updated_at),
	settled: isSettled(record, until),
	/** It was cancelled before it was dialed. No column. */
	neverDialed: isNeverDialed(record, outcome.answer),
	/** It was placed, and nothing names its record. No column. */
	cannotBeFollowed: false,
});

/**
 * What the memory learns from followed calls: rows whose people were not reached, and those that
 * were never dialed.
 */
export function learnedFrom(followed: FollowedCalls) {
	const learned = { notReached: [] as Row[], neverDialed: [] as Row[] };
	for (const [{ row }, { reached, neverDialed }] of followed) {
		// Only rows that were sent are followed.
		if ('problem' in row) continue;
		if (neverDialed) learned.neverDialed.push(row);
		else if (reached === 'no') learned.notReached.push(row);
	}
	return learned;
}
