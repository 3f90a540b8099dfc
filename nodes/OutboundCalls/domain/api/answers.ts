import { NO_COLUMNS } from '../outputColumns';
import type { CallOutcome } from '../outcome';
import type { Row } from '../row';
import { anyText, idText, isBlank, isObject, plainText, typedText, without } from '../values';

/** Tells what the API says of one row. */
type ApiResult = Pick<CallOutcome, 'status' | 'reason' | 'success' | 'answer'>;

/**
 * The outcome of a row by what the API says of it. It was not dialed where that is proved, so that
 * it may be called by a later run: "on failure it gives the reason the destination was not dialed".
 * A status never seen before proves nothing.
 */
export function apiOutcome(result: ApiResult): CallOutcome {
	const { status, success, answer } = result;
	const callSid = answer?.call_sid ?? null;
	const provesNotDialed = !success && NOT_DIALED.includes(status) && callSid === null;
	return provesNotDialed
		? { ...result, call: 'none', reach: 'person' }
		: { ...result, call: success ? 'placed' : 'unknown' };
}

/**
 * Results of one bulk request, one for each row sent; undefined for a row that the answer does not
 * account for.
 */
export function readBulkResults(
	rows: readonly Row[],
	body: unknown,
): Array<CallOutcome | undefined> {
	const byNumber = new Map<unknown, CallOutcome>();
	for (const { destination, outcome } of resultsOf(body)) {
		const earlier = byNumber.get(destination);
		if (outcome && (!earlier || saysMore(outcome, earlier))) byNumber.set(destination, outcome);
	}
	return rows.map((row) => byNumber.get(row.destination));
}

/**
 * For a number that the answer names twice: a call that was or may have been placed must not count
 * as not placed.
 */
const saysMore = (outcome: CallOutcome, earlier: CallOutcome) =>
	!earlier.success && (outcome.success || earlier.call === 'none');

/** The results of a bulk answer; `outcome` is undefined for one that says nothing of a row. */
function resultsOf(body: unknown) {
	const { results, batch_id: batch } = isObject(body) ? body : ({} as Record<string, unknown>);
	const batchId = typeof batch === 'string' ? bounded(batch) : null;
	return (Array.isArray(results) ? results : []).map((each: unknown) => {
		const result = isObject(each) ? each : {};
		return { destination: result.destination, outcome: readResult(result, batchId) };
	});
}

function readResult(result: Record<string, unknown>, batchId: string | null) {
	const status = typeof result.status === 'string' ? result.status : undefined;
	if (status === undefined && typeof result.success !== 'boolean') return undefined;
	const success = typeof result.success === 'boolean' ? result.success : status === 'initiated';
	return apiOutcome({
		status: status === undefined ? (success ? 'initiated' : 'failed') : bounded(status),
		reason: success ? undefined : (textOrNull(result.error) ?? undefined),
		success,
		answer: {
			consent_id: idOrNull(result.consent_id),
			call_sid: textOrNull(result.call_sid),
			batch_id: batchId,
		},
	});
}

/** A table cell, and n8n's database, hold no text without end. */
const MAX_TEXT_LENGTH = 500;

const bounded = (text: string) => plainText(text, MAX_TEXT_LENGTH);

/** A field of an answer or a record as a bounded text; null where it has none. */
export const textOrNull = (value: unknown): string | null =>
	isBlank(value) ? null : bounded(anyText(value, MAX_TEXT_LENGTH) ?? '?');

/** A call record's ID in an answer: a text stays one. */
const idOrNull = (value: unknown) => {
	const id = idText(value);
	return id === '' ? null : typeof value === 'number' ? value : bounded(id);
};

/** "The primary public identifier of the call" (API document, "POST /calls"). */
export const isCallId = (value: unknown) => typedText(value) !== '';

/** Whether an answer names a call, whatever else it says. */
export function namesCall(body: unknown) {
	if (!isObject(body)) return false;
	const { call_id, call_sid, consent_id, batch_id } = body;
	return (
		[call_id, call_sid, consent_id, batch_id].some(isCallId) ||
		resultsOf(body).some(
			({ outcome }) => outcome && (outcome.success || outcome.answer?.call_sid !== null),
		)
	);
}

/**
 * The API's answer to Place Call as it is, because most of its fields are not shown. Any 2xx is a
 * placed call, but one without the documented `call_id` may be somebody else's answer, and then
 * nothing is known: undefined.
 */
export function readPlacedCall(body: unknown): CallOutcome | undefined {
	if (!isObject(body) || body.success === false) return undefined;
	if (!isCallId(body.call_id) && body.success !== true) return undefined;
	const { status, error, reason } = body;
	return apiOutcome({
		status: typeof status === 'string' ? bounded(status) : 'placed',
		reason: textOrNull(reason ?? error) ?? undefined,
		success: true,
		answer: boundedAnswer(without(body, 'error', ...NO_COLUMNS)),
	});
}

/** Fields of an answer that may come out of one row, and characters of each. */
const MAX_FIELDS = 100;
const MAX_FIELD_LENGTH = 2_000;

/** An answer's other fields are not shown by the API document: as they are, but not without end. */
const boundedAnswer = (answer: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(answer)
			.slice(0, MAX_FIELDS)
			.map(([name, value]) => {
				const text = anyText(value, MAX_FIELD_LENGTH) ?? '?';
				return [name, text.length > MAX_FIELD_LENGTH ? plainText(text, MAX_FIELD_LENGTH) : value];
			}),
	);

/** Whether a bulk answer says of each of its rows that the API may dial it when asked again later. */
export function isUndialedAnswer(body: unknown) {
	const results = resultsOf(body);
	return (
		results.length > 0 &&
		results.every(
			({ outcome }) => outcome?.call === 'none' && UNDIALED_FOR_NOW.includes(outcome.status),
		)
	);
}

const UNDIALED_FOR_NOW: readonly string[] = ['rate_limited', 'temporarily_unavailable'];
const NOT_DIALED: readonly string[] = ['failed', 'skipped', 'locked', ...UNDIALED_FOR_NOW];
