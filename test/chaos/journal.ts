import { EXECUTION_HEADER } from '../engine/helpers/harness';
import type { Dial, RecordedRequest, Sandbox } from '../sandbox';
import type { Execution } from './executions';

/** What the sandbox saw of these executions, whenever it arrived: each request says whose it is. */
export function seenOf(
	sandbox: Sandbox,
	executions: readonly Execution[],
): { requests: RecordedRequest[]; dials: Dial[] } {
	const marks = new Set<unknown>(executions.map(({ mark }) => mark));
	const requests = sandbox.requests.filter(({ headers }) => marks.has(headers[EXECUTION_HEADER]));
	const indices = new Set(requests.map(({ index }) => index));
	return {
		requests,
		dials: sandbox.journal.filter(({ requestIndex }) => indices.has(requestIndex)),
	};
}

/** Dials whose request no execution sent: there is no other way to the API than the credential. */
export const unmarked = ({ journal, requests }: Sandbox): Dial[] =>
	journal.filter(
		({ requestIndex }) =>
			requestIndex >= 0 && requests[requestIndex]?.headers[EXECUTION_HEADER] === undefined,
	);

/** Answers of the API's own that certainly placed nothing. */
const REFUSALS = [400, 401, 403, 422];

/** Whether a request may have placed its calls, as somebody sees it who does not know the answer's maker. */
export function mayHavePlaced({ route, status, fault, dialed }: RecordedRequest): boolean {
	if (route !== 'bulk' && route !== 'call') return false;
	// An answer that nothing disturbed says of each number whether it was dialed, and the journal knows it.
	if (status === 201 && (fault === undefined || fault === 'latency')) return false;
	if (dialed > 0 || status === null) return true;
	if (fault === 'rateLimited' || fault === 'unavailable') return false;
	if (fault === 'respond') return !REFUSALS.includes(status);
	return (
		fault !== undefined && !['latency', 'unauthorized', 'forbidden', 'dailyLimit'].includes(fault)
	);
}

export function numbersIn({ body }: RecordedRequest): string[] {
	const { destination, destinations = [] } = (body ?? {}) as {
		destination?: string;
		destinations?: Array<string | { phone: string }>;
	};
	return [
		...(destination === undefined ? [] : [destination]),
		...destinations.map((each) => (typeof each === 'string' ? each : each.phone)),
	];
}
