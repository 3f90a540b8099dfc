/** Batches of calls: reads their pages, polls until calls are settled, and cancels single calls. */
import { batchKey, idOf, RECORDS_PER_PAGE } from '../domain/api/apiLimits';
import { fail, type Fields, isObject, numberOf, ok, type Result, without } from '../domain/values';
import { type Clock, systemClock, waitUntil } from '../execution/clock';
import { forEachConcurrent } from '../execution/concurrency';
import type { RunParameters } from '../execution/runParameters';
import {
	type ApiAccess,
	type ReadProblem,
	type SafeRequest,
	sendWithRetry,
} from '../http/apiAccess';
import { isSettled, type WaitUntil } from './callRecord';
import { ADDRESS_REMEDY } from '../http/refusals';
import { type ApiProblem, isErrorBody } from '../domain/api/exchange';
import { apiProblem } from '../http/apiErrors';

/** The call records of a batch, newest first, or why they could not be read. */
export type BatchRead = Result<Fields[], ReadProblem>;

/** More than any batch has, in case a server always names one more page. */
const MAX_PAGES = 1_000;

/** Reads the option Page Parameter. */
export const pageParameterOf = (parameters: RunParameters) =>
	parameters.text('options.pageParameter', 'Page Parameter', 'page');

/**
 * Reads the pages of a batch until `limit` records are there or no page is left. A record comes
 * once, also when the batch grows meanwhile and pages overlap. The API does not document the name
 * of the page parameter, so each page must say that it is the one asked for.
 */
export async function readPages(
	{ send, reads, timeoutMs }: ApiAccess,
	batchId: string,
	pageParameter: string,
	limit = Infinity,
): Promise<BatchRead> {
	const path = `/batches/${encodeURIComponent(batchId)}`;
	const request: SafeRequest = { purpose: 'read', path, timeoutMs, batchId };
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

/** Says how a run waits for its calls. */
export interface Waiting {
	until: WaitUntil;
	pollIntervalMs: number;
	timeoutMs: number;
}

/** Reads Wait Until, Stop Waiting After and Poll Interval; undefined when the run does not wait. */
export function readWaiting(parameters: RunParameters): Waiting | undefined {
	const until = parameters.choice('waitUntil');
	if (until === 'none') return undefined;
	return {
		until,
		pollIntervalMs: parameters.number('pollInterval', 'options') * 1_000,
		timeoutMs: parameters.number('waitTimeout') * 60_000,
	};
}

/** A call record that is asked for: all of the batch without `record`, and none without `batch`. */
export interface Named {
	batch?: string;
	record?: string;
}

/**
 * Reads batches once or, with `waiting`, until the named records are settled or the time is up;
 * resolves with what was read, by `batchKey`.
 */
export async function readBatches(
	api: ApiAccess,
	named: Iterable<Named>,
	waiting: Waiting | undefined,
	stop: boolean,
	pageParameter = 'page',
	limit?: number,
) {
	const { signal, concurrency, maxWaitMs } = api;
	// A limit must not hold the rows for longer than the run waits for the calls.
	const reads = waiting?.timeoutMs
		? api.reads.within(Math.min(maxWaitMs, waiting.timeoutMs))
		: api.reads;
	const wanted = new Map<string, Set<string>>();
	for (const { batch, record } of named) {
		if (batch === undefined) continue;
		const records = wanted.get(batchKey(batch)) ?? new Set();
		wanted.set(batchKey(batch), record === undefined ? records : records.add(record));
	}
	return await pollBatches(
		[...wanted.keys()],
		async (batchId) => {
			const read = await readPages({ ...api, reads }, batchId, pageParameter, limit);
			// A batch that was just placed may not be visible yet.
			return !read.ok && read.error.httpCode === 404
				? fail({ ...read.error, retryable: true })
				: read;
		},
		(batchId, records) => !waiting || areSettled(records, waiting.until, wanted.get(batchId)!),
		{ concurrency, stop, signal, poll: waiting },
	);
}

/** Whether each wanted record is there and settled. A missing record may not be visible yet. */
function areSettled(records: readonly Fields[], until: WaitUntil, wanted: ReadonlySet<string>) {
	const named = wanted.size > 0 ? records.filter((record) => wanted.has(idOf(record))) : records;
	return named.length >= (wanted.size || 1) && named.every((record) => isSettled(record, until));
}

/** Finds the records that were named. */
export function recordsIn(batches: ReadonlyMap<string, BatchRead>) {
	const records = new Map<string, Fields>();
	for (const [batch, read] of batches)
		for (const record of read.ok ? read.value : []) records.set(`${batch} ${idOf(record)}`, record);
	return ({ batch = '', record }: Named) => records.get(`${batchKey(batch)} ${record}`);
}

/** Says how batches are read. */
export interface ReadOptions {
	concurrency: number;
	/**
	 * With On Error = Stop, a refusal that another read would meet again ends the reading of all.
	 */
	stop: boolean;
	signal?: AbortSignal;
	/** Without it, each batch is read once. */
	poll?: Omit<Waiting, 'until'>;
}

/**
 * A call that has lasted for minutes rarely ends in the next seconds: the interval grows with its
 * age.
 */
const SHARE_OF_AGE = 0.25;
const MAX_INTERVAL_MS = 50_000;

/**
 * Reads each batch once and, with `poll`, those that are not settled again, each at its own
 * interval, until the time is up. A later read that does not succeed is tried again and never ends
 * the wait. The last that was read of a batch counts; a problem only if nothing could be read at all.
 */
export async function pollBatches(
	ids: readonly string[],
	read: (id: string) => Promise<BatchRead>,
	isSettled: (id: string, records: readonly Fields[]) => boolean,
	{ concurrency, stop, signal, poll }: ReadOptions,
	clock: Clock = systemClock,
) {
	const batches = new Map<string, BatchRead>();
	const begun = clock.now();
	const end = begun + (poll?.timeoutMs ?? 0);
	/**
	 * The earliest first: all batches are followed from the same moment, so their intervals are
	 * alike.
	 */
	const due = ids.map((id) => ({ id, at: begun }));
	const refused = new AbortController();
	const ended = signal ? AbortSignal.any([signal, refused.signal]) : refused.signal;

	/** How long to wait at least before the next look; undefined when there is none. */
	const look = async (id: string) => {
		const result = await read(id);
		const known = batches.get(id)?.ok ?? false;
		if (result.ok || !known) batches.set(id, result);
		if (result.ok) return isSettled(id, result.value) ? undefined : 0;
		if (poll && (known || result.error.retryable)) return result.error.retryAfterMs ?? 0;
		if (stop) refused.abort();
		return undefined;
	};
	await forEachConcurrent(concurrency, ids, async () => {
		for (let next = due.shift(); next; next = due.shift()) {
			await waitUntil(clock, next.at, ended);
			if (ended.aborted) return false;
			const atLeastMs = await look(next.id);
			const now = clock.now();
			if (!poll || atLeastMs === undefined || now >= end) continue;
			const growingMs = Math.min((now - begun) * SHARE_OF_AGE, MAX_INTERVAL_MS);
			const intervalMs = Math.max(poll.pollIntervalMs, growingMs, atLeastMs);
			due.push({ id: next.id, at: Math.min(now + intervalMs, end) });
		}
		return undefined;
	});
	return batches;
}

/** The API's answer to a cancelled call, or why it is not cancelled. */
export type CancelResult = Result<Fields, ApiProblem>;

/** Whether an answer names the record that was asked for as cancelled, as far as it says. */
const isCancelled = (body: Record<string, unknown>, asked: string) =>
	body.success === true &&
	(body.status ?? 'cancelled') === 'cancelled' &&
	// Numbers, because the host rounds IDs beyond 2^53.
	numberOf(body.id ?? asked) === numberOf(asked);

/** Cancels one call record. */
export async function cancelRecord(
	{ send, cancels, timeoutMs }: ApiAccess,
	callRecordId: string,
): Promise<CancelResult> {
	const path = `/consents/${encodeURIComponent(callRecordId)}/cancel`;
	const request: SafeRequest = { purpose: 'cancel', path, timeoutMs, callRecordId };
	const answer = await sendWithRetry(send, cancels, request);
	if (!answer.ok) return answer;
	const { body, status } = answer.value;
	if (isObject(body) && isCancelled(body, callRecordId))
		return ok(without(body as Fields, 'error'));
	// The API document does not show the status of a refused cancellation, so its text counts with
	// any status.
	if (isErrorBody(body)) return fail(apiProblem(answer.value, request));
	return fail({
		message: 'The answer does not say whether the call is cancelled',
		remedy: 'Read the call record with Get Batch, or cancel it again, which is safe.',
		httpCode: status,
		unanswered: true,
	});
}
