/** What a bulk answer says beside its results: the batch, in which rows that it left out can be looked up, and its own counts. */
import { isBatchId } from './apiLimits';
import { type BulkIds, type CallOutcome, idOrNull, notPlaced, outcomeOf } from './callOutcome';
import { isDialed } from './callRecord';
import type { Fields } from './fields';
import { isObject } from './json';
import type { Row } from './row';

/** Outcomes in the order of the rows of one request; undefined for a row that the answer left out. */
type Outcomes = ReadonlyArray<CallOutcome | undefined>;

/** The counts of a bulk answer (API document, "POST /calls/bulk"); undefined where it does not say one. */
export interface BulkCounts {
	total: number | undefined;
	succeeded: number | undefined;
	failed: number | undefined;
}

/** A request whose counts are not those of its rows. */
export interface Miscount {
	batchId: string | undefined;
	counted: BulkCounts;
	/** What became of its rows; of the others, nobody knows. */
	rows: { total: number; succeeded: number; failed: number };
}

/** The ID of the batch that an answer names. */
export function batchIn(body: unknown): string | undefined {
	const id = isObject(body) ? body.batch_id : undefined;
	return typeof id === 'string' && isBatchId(id) ? id : undefined;
}

const count = (value: unknown): number | undefined =>
	Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

function countsIn(body: unknown): BulkCounts {
	const { total, succeeded, failed } = isObject(body) ? body : ({} as Record<string, unknown>);
	return { total: count(total), succeeded: count(succeeded), failed: count(failed) };
}

const isFailed = (outcome: CallOutcome | undefined): boolean =>
	outcome !== undefined && !outcome.success && outcome.status !== 'unknown';

/** What became of the rows of a request, in the answer's own terms, where it counts them otherwise. */
export function miscountIn(outcomes: Outcomes, body: unknown): Miscount | undefined {
	const counted = countsIn(body);
	const rows = {
		total: outcomes.length,
		succeeded: outcomes.filter((outcome) => outcome?.success).length,
		failed: outcomes.filter(isFailed).length,
	};
	const differs = (['total', 'succeeded', 'failed'] as const).some(
		(name) => counted[name] !== undefined && counted[name] !== rows[name],
	);
	return differs ? { batchId: batchIn(body), counted, rows } : undefined;
}

const digitsOf = (number: unknown): string =>
	typeof number === 'string' ? number.replace(/\D/g, '') : '';

/** By number. Where a number comes twice, nobody knows which of the two is meant: undefined. */
function byNumber<T>(
	all: readonly T[],
	numberOf: (each: T) => unknown,
): Map<string, T | undefined> {
	const found = new Map<string, T | undefined>();
	for (const each of all) {
		const digits = digitsOf(numberOf(each));
		found.set(digits, found.has(digits) ? undefined : each);
	}
	return found;
}

/**
 * Outcomes of the rows that an answer left out, by the call records of its batch, which are known by their numbers. "Every
 * destination creates one call record", also one that was not dialed: so a record proves a call where it has been dialed,
 * or where the answer counts no failure but those that it tells. Otherwise the row stays unknown, with its record.
 */
export function readLeftOut(
	rows: readonly Row[],
	outcomes: Outcomes,
	body: unknown,
	records: readonly Fields[],
): Outcomes {
	const { succeeded, failed } = countsIn(body);
	const told = outcomes.filter(isFailed).length;
	const allFailuresTold = failed === told && succeeded === rows.length - told;
	const recordOf = byNumber(records, ({ phone }) => phone);
	const rowOf = byNumber(rows, ({ destination }) => destination);
	return rows.map((row, i) => {
		const number = digitsOf(row.destination);
		const record = recordOf.get(number);
		if (outcomes[i] !== undefined || record === undefined || rowOf.get(number) !== row)
			return outcomes[i];
		const answer = idsOf(record, batchIn(body) ?? null);
		return allFailuresTold || isDialed(record)
			? outcomeOf({ status: 'initiated', reason: null, success: true, answer })
			: { ...notPlaced('unknown', NOT_SAID), answer };
	});
}

/** Of a row of which only its call record is known. */
const NOT_SAID =
	'The API’s answer left this row out, and its call record does not say whether the call was placed. Look at the record with Get Call before you call the number again.';

const idsOf = ({ id, auto_call_sid: callSid }: Fields, batchId: string | null): BulkIds => ({
	consent_id: idOrNull(id),
	call_sid: typeof callSid === 'string' ? callSid : null,
	batch_id: batchId,
});
