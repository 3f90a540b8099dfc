import fc from 'fast-check';
import { readBatch } from '../../../nodes/OutboundCalls/batches/pages';
import { ok } from '../../../nodes/OutboundCalls/domain/problem';

/** Reads a batch from pages that `body` makes; how many were asked for, and what came out. */
async function reading(body: (page: number) => object, limit?: number) {
	let asked = 0;
	const read = await readBatch(
		async (page) => {
			asked++;
			return await Promise.resolve(
				ok({ status: 200, body: { current_page: page, ...body(page) } }),
			);
		},
		'page',
		limit,
	);
	return { asked, ids: read.ok ? read.value.records.map(({ id }) => id) : read.error.message };
}

const ids = (from: number, count: number) =>
	Array.from({ length: count }, (_, n) => ({ id: from + n }));

describe('G10 reading pages always ends', () => {
	it('at an empty page, whatever the number of pages says', async () => {
		expect(
			await reading((page) => ({ consents: page === 1 ? ids(1, 20) : [], total_pages: 1e9 })),
		).toEqual({
			asked: 2,
			ids: ids(1, 20).map(({ id }) => id),
		});
	});

	it('at a page that brings nothing new', async () => {
		expect(await reading(() => ({ consents: ids(1, 20) }))).toEqual({
			asked: 2,
			ids: ids(1, 20).map(({ id }) => id),
		});
	});

	it('with a message when new records come without end', async () => {
		expect(
			await reading((page) => ({ consents: ids(page * 20, 20), total_pages: page + 1 })),
		).toEqual({
			asked: 1_000,
			ids: 'The API sent 1000 pages of the batch and named still more',
		});
	});

	it('with each record once, however pages overlap', async () => {
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
});
