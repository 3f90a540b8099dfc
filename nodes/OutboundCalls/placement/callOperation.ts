import type { CallOutcome } from '../domain/outcome';
import type { Row } from '../domain/row';
import type { CallSettings } from '../input/settings';

/** How one operation calls its rows. The sender adds what all requests have in common. */
export interface CallOperation {
	purpose: 'bulkCall' | 'placeCall';
	/** The path is below the base URL. */
	path: string;
	/** The most calls that one request may start. */
	rowsPerRequest(settings: CallSettings): number;
	body(rows: readonly Row[]): object;
	/**
	 * Outcomes in a 2xx answer, one for each row sent; undefined for a row that it does not account
	 * for.
	 */
	read(rows: readonly Row[], body: unknown): ReadonlyArray<CallOutcome | undefined>;
}
