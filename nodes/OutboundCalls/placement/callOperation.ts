import type { CallOutcome } from '../domain/callOutcome';
import type { Packing } from './ledger';
import type { Endpoint } from './placement';

/** How one operation calls its rows. */
export interface CallOperation extends Endpoint, Packing<CallOutcome> {
	/** Calls that one request may start. */
	chunkSize(callsPerMinute: number | undefined): number;
}
