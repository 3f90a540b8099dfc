import type { CallOutcome } from '../domain/callOutcome';
import type { ApiRequest } from '../domain/exchange';
import type { Row } from '../domain/row';

/** How one operation calls its rows. */
export interface CallOperation {
	purpose: 'bulkCall' | 'placeCall';
	/** Calls that one request may start. */
	chunkSize(callsPerMinute: number | undefined): number;
	request(rows: readonly Row[], timeoutMs: number): ApiRequest;
	/**
	 * Outcomes in a 2xx answer, one for each row sent; undefined for a row that it does not account
	 * for.
	 */
	read(rows: readonly Row[], body: unknown): ReadonlyArray<CallOutcome | undefined>;
}
