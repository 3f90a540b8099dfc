import type { CallOutcome } from '../domain/callOutcome';
import type { ApiRequest } from '../domain/exchange';
import type { Row } from '../domain/row';

/** A stored outcome: short, and plain JSON, because n8n writes it into the execution's record. */
export type Packed = unknown;

/**
 * How an operation's outcomes are stored. Equal texts (batch IDs, reasons) are kept once, as
 * indexes.
 */
export interface Packing {
	pack(outcome: CallOutcome, index: (text: string) => number): Packed;
	/** Undefined for what another operation stored. */
	unpack(packed: Packed, text: (index: number) => string): CallOutcome | undefined;
}

/** How one operation calls its rows. */
export interface CallOperation extends Packing {
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
