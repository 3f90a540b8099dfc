import type { BulkAnswer } from './placing';

const STRANGER = '+15559990000';

/** Bulk answers that are not as the API promises, although every call was placed. */
export const mangledResults = {
	reorder: (answer: BulkAnswer) => ({ ...answer, results: [...answer.results].reverse() }),
	missing: (answer: BulkAnswer) => ({ ...answer, results: answer.results.slice(0, -1) }),
	allMissing: (answer: BulkAnswer) => ({ ...answer, results: [] }),
	miscounted: (answer: BulkAnswer) => ({
		...answer,
		succeeded: answer.succeeded + 1,
		total: answer.total + 1,
	}),
	extra: (answer: BulkAnswer) => ({
		...answer,
		results: [
			...answer.results,
			{ ...answer.results[0], destination: STRANGER, consent_id: 1, call_sid: 'CA-stranger' },
		],
	}),
	repeated: (answer: BulkAnswer) => ({
		...answer,
		results: [...answer.results, ...answer.results.slice(0, 1)],
	}),
	noBatchId: ({ batch_id: _, ...answer }: BulkAnswer) => answer,
	strangeStatus: (answer: BulkAnswer) => ({
		...answer,
		results: answer.results.map((result) => ({ ...result, status: 'teleported' })),
	}),
} satisfies Record<string, (answer: BulkAnswer) => object>;

export type ResultsMode = keyof typeof mangledResults;
export const RESULTS_MODES = Object.keys(mangledResults) as ResultsMode[];

export interface BatchPage {
	consents: Array<{ id: number }>;
}

const ENDLESS = 1_000_000_000;

/** No page is the last one (`more`, `empty`); records twice; nothing, or not all, visible yet. */
export const mangledPages = {
	more: (page: BatchPage) => ({ ...page, total_pages: ENDLESS }),
	empty: (page: BatchPage) => ({ ...page, consents: [], total_pages: ENDLESS }),
	repeated: (page: BatchPage) => ({ ...page, consents: [...page.consents, ...page.consents] }),
	none: (page: BatchPage) => ({ ...page, consents: [], total_pages: 1 }),
	lastMissing: (page: BatchPage) => ({ ...page, consents: page.consents.slice(0, -1) }),
} satisfies Record<string, (page: BatchPage) => object>;

export type PagesMode = keyof typeof mangledPages;
export const PAGES_MODES = Object.keys(mangledPages) as PagesMode[];
