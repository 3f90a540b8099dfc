/** What a wait is for. */
export type WaitUntil = 'dialed' | 'finished';

/** A call record's documented fields that end a wait as soon as one of them has a value (API document, "Call record"). */
const ENDS_WAIT: Record<WaitUntil, readonly string[]> = {
	dialed: ['auto_call_sid', 'auto_call_error'],
	finished: ['conversation_id', 'auto_call_error'],
};

/** Whether nothing more is to be waited for: a cancelled record never gets any of these fields. */
export function isSettled(record: Record<string, unknown>, until: WaitUntil): boolean {
	return (
		record.status === 'cancelled' || ENDS_WAIT[until].some((field) => record[field] !== null && record[field] !== undefined && record[field] !== '')
	);
}
