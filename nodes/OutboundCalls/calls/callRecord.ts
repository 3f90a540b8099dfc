import { isBlank } from '../domain/values';

/** A wait ends with one of these events. */
export type WaitUntil = 'dialed' | 'finished';

type CallRecord = Readonly<Record<string, unknown>>;

/**
 * A call record's documented fields that end a wait as soon as one of them has a value (API
 * document, "Call record").
 */
const ENDS_WAIT: Record<WaitUntil, readonly string[]> = {
	dialed: ['auto_call_sid', 'auto_call_error'],
	finished: ['conversation_id', 'auto_call_error'],
};

const has = (record: CallRecord, field: string) =>
	!isBlank(record[field]) && record[field] !== false;

/** Whether nothing more is to be waited for: a cancelled record never gets any of these fields. */
export const isSettled = (record: CallRecord, until: WaitUntil) =>
	record.status === 'cancelled' || ENDS_WAIT[until].some((field) => has(record, field));

/** Whether the call certainly was placed. */
export const isDialed = (record: CallRecord) =>
	['auto_call_sid', 'conversation_id'].some((field) => has(record, field));

/**
 * Whether the call certainly was not placed: it was cancelled, which is possible only before it is
 * dialed (API document, "Cancel"), and its answer named no call.
 */
export const isNeverDialed = (record: CallRecord, answer: CallRecord = {}) =>
	record.status === 'cancelled' && !isDialed(record) && !has(answer, 'call_sid');

/** Whether a conversation took place; `open` while nothing is known. The API has no such field. */
export type Reached = 'yes' | 'no' | 'open';

export function reachedOf(record: CallRecord): Reached {
	if (has(record, 'conversation_id')) return 'yes';
	return has(record, 'auto_call_error') || record.status === 'cancelled' ? 'no' : 'open';
}
