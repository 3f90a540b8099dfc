import type { Fields } from '../domain/fields';
import { idOf } from '../domain/ids';
import { isObject, without } from '../domain/json';
import { RECORDS_PER_PAGE } from '../domain/apiLimits';
import { fail, ok, type Result } from '../domain/problem';
import type { Run } from '../execution/run';
import type { RunParameters } from '../execution/runParameters';
import { type Answer, type ReadProblem, sendWithRetry } from '../http/retry';

/** A batch as far as it was read. Shapes: API document, "GET /batches/{id}" and "Call record". */
export interface BatchDetail {
	/** The batch's own fields and summary, without records and paging. */
	batch: Fields;
	/** Newest first, as the API sorts them. */
	records: Fields[];
}

/** More than any batch has: a server that always names one more page must not be read forever. */
const MOST_PAGES = 1_000;

export type BatchRead = Result<BatchDetail, ReadProblem>;

/**
 * Reads pages until `limit` records are there or no page is left; each record comes once, also where pages
 * overlap because the batch grew meanwhile. The API does not document the name of the page parameter, so each
 * page must say that it is the one asked for: a server that does not know the name would send page 1 forever.
 * A page that brings nothing new is the last one.
 */
export async function readBatch(
	page: (number: number) => Promise<Result<Answer, ReadProblem>>,
	pageParameter: string,
	limit = Infinity,
): Promise<BatchRead> {
	let detail: BatchDetail | undefined;
	const seen = new Set<string>();
	for (let number = 1; ; number++) {
		const answer = await page(number);
		if (!answer.ok) return answer;
		const { body, status } = answer.value;
		if (!isObject(body) || !Array.isArray(body.consents)) return notABatch(status);
		const { consents, total_pages: totalPages, current_page: currentPage } = body;
		if (number > 1 && currentPage !== number) return wrongPage(pageParameter, number, currentPage);
		detail ??= {
			batch: without(body as Fields, 'consents', 'total_pages', 'current_page', 'error'),
			records: [],
		};
		const before = detail.records.length;
		for (const each of consents as unknown[]) {
			const record = recordOf(each);
			const id = idOf(record);
			if (detail.records.length >= limit || (id !== '' && seen.has(id))) continue;
			seen.add(id);
			detail.records.push(record);
		}
		const more =
			typeof totalPages === 'number' ? number < totalPages : consents.length >= RECORDS_PER_PAGE;
		if (!more || detail.records.length >= limit || detail.records.length === before)
			return ok(detail);
		if (number >= MOST_PAGES) return endless();
	}
}

/** The record as it is. Only the key `error` is renamed: n8n would take the item for a failed one. */
function recordOf(record: unknown): Fields {
	if (!isObject(record)) return { record: record as string };
	const { error, ...rest } = record as Fields;
	return error === undefined ? (record as Fields) : { ...rest, record_error: error };
}

const notABatch = (httpCode: number): BatchRead =>
	fail({
		message: 'The server’s answer is not a batch',
		remedy: 'Check the Base URL in the credential: it ends in /api/v1/outbound.',
		httpCode,
		retryable: false,
	});

const endless = (): BatchRead =>
	fail({
		message: `The API sent ${MOST_PAGES} pages of the batch and named still more`,
		remedy: 'Read fewer records with Limit, or look at the batch on your dashboard.',
		retryable: false,
	});

const wrongPage = (pageParameter: string, asked: number, got: unknown): BatchRead =>
	fail({
		message: `The API was asked for page ${asked} of the batch but sent ${typeof got === 'number' ? `page ${got}` : 'a page without a number'}, so it seems not to know the page parameter “${pageParameter}”`,
		remedy: 'Set the option Page Parameter to the name that your API uses for the page number.',
		retryable: false,
	});

/** All pages of a batch, or as many as `limit` records need. */
export async function readPages(
	{ send, reads, timeoutMs }: Pick<Run, 'send' | 'reads' | 'timeoutMs'>,
	batchId: string,
	pageParameter: string,
	limit = Infinity,
): Promise<BatchRead> {
	const path = `/batches/${encodeURIComponent(batchId)}`;
	const subject = { purpose: 'read' as const, batchId, timeoutMs };
	// Page 1 is what the API sends without being asked for a page, so it needs no parameter's name.
	const page = (number: number) => {
		const query = number > 1 ? { query: { [pageParameter]: number } } : {};
		return sendWithRetry(
			send,
			reads,
			{ purpose: 'read', method: 'GET', path, timeoutMs, ...query },
			subject,
		);
	};
	return await readBatch(page, pageParameter, limit);
}

/** The option Page Parameter. */
export const pageParameterOf = (read: RunParameters): string =>
	read.text('options.pageParameter', 'Page Parameter', 'page');
