import type { PagesMode } from './faults';

export interface BatchPage {
	consents: Array<{ id: number }>;
	total_pages: number;
	current_page: number;
}

const ENDLESS = 1_000_000_000;
const FIRST_STRANGER = 900_000_000;

const mangle: Record<PagesMode, (page: BatchPage) => object> = {
	more: (page) => ({ ...page, total_pages: ENDLESS }),
	empty: (page) => ({ ...page, consents: [], total_pages: ENDLESS }),
	strangers: (page) => ({
		...page,
		consents: Array.from({ length: 20 }, (_, n) => ({
			id: FIRST_STRANGER + page.current_page * 100 + n,
			phone: '+15559990000',
			status: 'called',
		})),
		total_pages: ENDLESS,
	}),
	repeated: (page) => ({ ...page, consents: [...page.consents, ...page.consents] }),
	none: (page) => ({ ...page, consents: [], total_pages: 1 }),
	lastMissing: (page) => ({ ...page, consents: page.consents.slice(0, -1) }),
};

/** A page of a batch that is not as the API promises. */
export function manglePage(mode: PagesMode, page: BatchPage): object {
	return mangle[mode](page);
}
