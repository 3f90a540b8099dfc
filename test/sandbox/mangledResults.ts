import type { ResultsMode } from './faults';
import type { BulkAnswer } from './placing';

const STRANGER = '+15559990000';

const mangle: Record<ResultsMode, (answer: BulkAnswer) => object> = {
	reorder: (answer) => ({ ...answer, results: [...answer.results].reverse() }),
	missing: (answer) => ({ ...answer, results: answer.results.slice(0, -1) }),
	allMissing: (answer) => ({ ...answer, results: [] }),
	miscounted: (answer) => ({ ...answer, succeeded: answer.succeeded + 1, total: answer.total + 1 }),
	extra: (answer) => ({
		...answer,
		results: [
			...answer.results,
			{ ...answer.results[0], destination: STRANGER, consent_id: 1, call_sid: 'CA-stranger' },
		],
	}),
	repeated: (answer) => ({
		...answer,
		results: [...answer.results, ...answer.results.slice(0, 1)],
	}),
	noBatchId: ({ batch_id: _, ...answer }) => answer,
	strangeStatus: (answer) => ({
		...answer,
		results: answer.results.map((result) => ({ ...result, status: 'teleported' })),
	}),
};

/** A bulk answer that is not as the API promises, although every call was placed. */
export function mangleResults(mode: ResultsMode, answer: BulkAnswer): object {
	return mangle[mode](answer);
}
