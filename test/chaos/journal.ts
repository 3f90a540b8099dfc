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

type Heard = (request: RecordedRequest) => boolean;

const isPlacement = ({ route }: RecordedRequest): boolean => route === 'bulk' || route === 'call';

/** Placements that came in while another one to the same person was under way, whose client waited for its answer. */
export function overlapping({ requests }: Sandbox, isHeard: Heard): RecordedRequest[] {
	const placements = requests.filter(isPlacement);
	return placements.filter((later) =>
		placements.some(
			(earlier) =>
				earlier.index < later.index &&
				earlier.until > later.index &&
				isHeard(earlier) &&
				numbersIn(earlier).some((number) => numbersIn(later).includes(number)),
		),
	);
}

/** Requests that came in while the API wanted none of their kind. What had left before its answer came right after it. */
export function hasty({ requests }: Sandbox, isHeard: Heard): RecordedRequest[] {
	const pauses = requests.flatMap((request) => {
		const waitMs = Number(request.retryAfter) * 1_000;
		return waitMs > 0 && isHeard(request) ? [{ ...request, waitMs }] : [];
	});
	return requests.filter((later) =>
		pauses.some(({ route, at, waitMs }) => {
			const sinceMs = later.at - at;
			return route === later.route && sinceMs > waitMs / 3 && sinceMs < waitMs;
		}),
	);
}
