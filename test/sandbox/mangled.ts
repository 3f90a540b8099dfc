import type { PagesMode, ResultsMode } from './faults';
import type { BulkAnswer } from './placing';

const STRANGER = '+15559990000';

const results: Record<ResultsMode, (answer: BulkAnswer) => object> = {
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
	return results[mode](answer);
}

export interface BatchPage {
	consents: Array<{ id: number }>;
	total_pages: number;
	current_page: number;
}

const ENDLESS = 1_000_000_000;

const pages: Record<PagesMode, (page: BatchPage) => object> = {
	more: (page) => ({ ...page, total_pages: ENDLESS }),
	empty: (page) => ({ ...page, consents: [], total_pages: ENDLESS }),
	repeated: (page) => ({ ...page, consents: [...page.consents, ...page.consents] }),
	none: (page) => ({ ...page, consents: [], total_pages: 1 }),
	lastMissing: (page) => ({ ...page, consents: page.consents.slice(0, -1) }),
};

/** A page of a batch that is not as the API promises. */
export function manglePage(mode: PagesMode, page: BatchPage): object {
	return pages[mode](page);
}
