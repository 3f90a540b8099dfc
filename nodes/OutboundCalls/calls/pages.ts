import { idOf, RECORDS_PER_PAGE } from '../domain/api/apiLimits';
import { fail, type Fields, isObject, ok, type Result } from '../domain/values';
import type { ApiAccess } from '../http/apiAccess';
import type { RunParameters } from '../execution/runParameters';
import { ADDRESS_REMEDY } from '../http/refusals';
import { type ReadProblem, type SafeRequest, sendWithRetry } from '../http/retry';

/** The call records of a batch, newest first, or why they could not be read. */
export type BatchRead = Result<Fields[], ReadProblem>;

/** More than any batch has, in case a server always names one more page. */
const MAX_PAGES = 1_000;

/** Reads the option Page Parameter. */
export const pageParameterOf = (parameters: RunParameters): string =>
	parameters.text('options.pageParameter', 'Page Parameter', 'page');

/**
 * Reads the pages of a batch until `limit` records are there or no page is left. A record comes
 * once, also when the batch grows meanwhile and pages overlap. The API does not document the name
 * of the page parameter, so each page must say that it is the one asked for.
 */
export async function readPages(
	{ send, reads, timeoutMs }: Pick<ApiAccess, 'send' | 'reads' | 'timeoutMs'>,
	batchId: string,
	pageParameter: string,
	limit = Infinity,
): Promise<BatchRead> {
	const path = `/batches/${encodeURIComponent(batchId)}`;
	const request: SafeRequest = { purpose: 'read', method: 'GET', path, timeoutMs, batchId };
	const records = new Map<unknown, Fields>();
	for (let page = 1; page <= MAX_PAGES; page++) {
		// Page 1 is what the API sends without a parameter.
		const query = page > 1 ? { query: { [pageParameter]: page } } : {};
		const answer = await sendWithRetry(send, reads, { ...request, ...query });
		if (!answer.ok) return answer;
		const { body, status } = answer.value;
		if (!isObject(body) || !Array.isArray(body.consents))
			return unreadable('The server’s answer is not a batch', ADDRESS_REMEDY, status);
		const { consents, total_pages: pages, current_page: current } = body;
		if (page > 1 && current !== page)
			return unreadable(
				`The API sent ${typeof current === 'number' ? `page ${current}` : 'a page without a number'} instead of page ${page}, so it does not know the page parameter “${pageParameter}”`,
				'Set the option Page Parameter to the name that your API uses for the page number.',
			);
		const before = records.size;
		for (const each of consents as unknown[]) {
			const record = recordOf(each);
			const key = idOf(record) || record;
			if (!records.has(key)) records.set(key, record);
		}
		const isLast = typeof pages === 'number' ? page >= pages : consents.length < RECORDS_PER_PAGE;
		// A page that adds no record is the last one, too.
		if (isLast || records.size >= limit || records.size === before)
			return ok([...records.values()].slice(0, limit));
	}
	return unreadable(
		`The batch has more than ${MAX_PAGES} pages`,
		'Read fewer records with Limit, or open the batch on your dashboard.',
	);
}

/**
 * The record as it is. Only the key `error` is renamed: n8n would take the item for a failed one.
 */
function recordOf(record: unknown) {
	if (!isObject(record)) return { record: record as string };
	const { error, ...rest } = record as Fields;
	return error === undefined ? (record as Fields) : { ...rest, record_error: error };
}

/** Another read would be answered in the same way. */
const unreadable = (message: string, remedy: string, httpCode?: number): BatchRead =>
	fail({ message, remedy, httpCode, retryable: false });
