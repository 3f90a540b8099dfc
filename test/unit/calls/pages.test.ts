import fc from 'fast-check';
import { readPages } from '../../../nodes/OutboundCalls/calls/batches';
import type { Send } from '../../../nodes/OutboundCalls/domain/api/exchange';
import { systemClock } from '../../../nodes/OutboundCalls/execution/clock';
import { RequestLine } from '../../../nodes/OutboundCalls/http/account';
import type { ApiAccess } from '../../../nodes/OutboundCalls/http/apiAccess';
import { Throttle, WaitBudget } from '../../../nodes/OutboundCalls/http/throttle';

/** Reads a batch from pages that `body` makes; how many were asked for, and what came out. */
async function reading(body: (page: number) => object) {
	let asked = 0;
	const send: Send = async ({ query }) => {
		asked++;
		const page = Number(query?.page ?? 1);
		const answer = { current_page: page, ...body(page) };
		return await Promise.resolve({ kind: 'answer', status: 200, body: answer });
	};
	const line = new RequestLine(systemClock);
	const reads = new Throttle({ line, budget: new WaitBudget(0) });
	const read = await readPages({ send, reads, timeoutMs: 1_000 } as ApiAccess, 'batch', 'page');
	return { asked, ids: read.ok ? read.value.map(({ id }) => id) : read.error.message };
}

const ids = (from: number, count: number) =>
	Array.from({ length: count }, (_, n) => ({ id: from + n }));

it('G10 reading pages ends at an empty page, whatever the number of pages says', async () => {
	expect(
		await reading((page) => ({ consents: page === 1 ? ids(1, 20) : [], total_pages: 1e9 })),
	).toEqual({ asked: 2, ids: ids(1, 20).map(({ id }) => id) });
});

it('G10 reading pages ends at a page that brings nothing new', async () => {
	expect((await reading(() => ({ consents: ids(1, 20) }))).asked).toBe(2);
});

it('G10 reading pages ends with a message when new records come without end', async () => {
	expect(
		await reading((page) => ({ consents: ids(page * 20, 20), total_pages: page + 1 })),
	).toEqual({ asked: 1_000, ids: expect.stringContaining('1000 pages') as string });
});

it('G10 reading pages ends with each record once, however pages overlap', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 25 }), {
				minLength: 1,
				maxLength: 6,
			}),
			async (pages) => {
				const { ids: read } = await reading((page) => ({
					consents: (pages[page - 1] ?? []).map((id) => ({ id })),
					total_pages: pages.length,
				}));
				expect(new Set(read).size).toBe(read.length);
			},
		),
	);
});
