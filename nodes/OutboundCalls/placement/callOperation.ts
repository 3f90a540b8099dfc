import type { Miscount } from '../domain/bulkAnswer';
import type { CallOutcome } from '../domain/callOutcome';
import type { ApiRequest } from '../domain/exchange';
import type { Fields } from '../domain/fields';
import type { Row } from '../domain/row';

/** A stored outcome: short, and plain JSON, because the host writes it into the execution's record. */
export type Packed = unknown;

/** How an operation's outcomes are stored. Equal texts (batch ids, reasons) are kept once, as indexes. */
export interface Packing {
	pack(outcome: CallOutcome, index: (text: string) => number): Packed;
	/** Undefined for what another operation stored. */
	unpack(packed: Packed, text: (index: number) => string): CallOutcome | undefined;
}

type Outcomes = ReadonlyArray<CallOutcome | undefined>;

/** How one operation calls its rows. */
export interface CallOperation extends Packing {
	purpose: 'bulkCall' | 'placeCall';
	/** Calls that one request may start. */
	chunkSize(callsPerMinute: number | undefined): number;
	request(rows: readonly Row[], timeoutMs: number): ApiRequest;
	/** Outcomes in a 2xx answer, one for each row sent; undefined for a row that it does not account for. */
	read(rows: readonly Row[], body: unknown): Outcomes;
	/** What an answer says beside these; absent where it says no more. */
	beside?: {
		/** The batch of its call records. */
		batch(body: unknown): string | undefined;
		/** The outcomes, with those that its call records add. */
		leftOut(
			rows: readonly Row[],
			outcomes: Outcomes,
			body: unknown,
			records: readonly Fields[],
		): Outcomes;
		/** Where its own counts are others. */
		miscount(outcomes: Outcomes, body: unknown): Miscount | undefined;
	};
}
