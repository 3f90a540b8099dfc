import type { FastifyInstance } from 'fastify';
import type { Account } from './account';
import { type Batch, type CallRecord, callSidOf, type Progress, progressOf } from './records';
import { alreadyPlaced, batchNotFound, consentNotFound, invalid, Refusal } from './refusals';

const PAGE_SIZE = 20;
const FIRST_CONVERSATION_ID = 700_000;

/** GET /batches/{id} and POST /consents/{id}/cancel. */
export function recordRoutes(api: FastifyInstance, account: Account): void {
	api.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>(
		'/batches/:id',
		{ config: { route: 'batch' } },
		({ params, query }, reply) => {
			const page = pageFrom(query, account.settings.pageParameter);
			const batch = account.records.batch(params.id);
			if (!batch) throw new Refusal(batchNotFound);
			return reply.send(batchDetail(batch, page, account.now()));
		},
	);

	api.post<{ Params: { id: string } }>(
		'/consents/:id/cancel',
		{ config: { route: 'cancel' } },
		({ params: { id } }, reply) => {
			const record = /^\d+$/.test(id) ? account.records.record(Number(id)) : undefined;
			if (!record) throw new Refusal(consentNotFound);
			const now = account.now();
			if (callSidOf(record, now))
				throw new Refusal(alreadyPlaced(account.settings.alreadyPlacedStatus));
			record.cancelledAt ??= now;
			return reply.send({ success: true, id: record.id, status: 'cancelled' });
		},
	);
}

function pageFrom(query: Record<string, unknown>, name: string): number {
	const value = Object.hasOwn(query, name) ? query[name] : '1';
	if (typeof value !== 'string' || !/^0*[1-9]\d*$/.test(value))
		throw new Refusal(invalid(`${name} must be an integer of at least 1`));
	return Number(value);
}

function batchDetail(batch: Batch, page: number, now: number) {
	const { agent, records } = batch;
	const end = Math.max(0, records.length - (page - 1) * PAGE_SIZE);
	const newestFirst = records.slice(Math.max(0, end - PAGE_SIZE), end).reverse();
	return {
		success: true,
		batch_id: batch.id,
		agent_name: agent.name,
		agent_number: agent.number,
		batch_created_at: new Date(batch.createdAt).toISOString(),
		consents: newestFirst.map((record) => recordDetail(record, now)),
		total_pages: Math.max(1, Math.ceil(records.length / PAGE_SIZE)),
		current_page: page,
		summary: summaryOf(records, now),
	};
}

/** The API documents no status but `pending` and `cancelled`. */
const STATUSES: Record<Progress, string> = {
	pending: 'pending',
	cancelled: 'cancelled',
	notDialed: 'failed',
	dialed: 'called',
	finished: 'called',
};

function recordDetail(record: CallRecord, now: number) {
	const progress = progressOf(record, now);
	return {
		id: record.id,
		phone: record.phone,
		status: STATUSES[progress],
		consent_method: 'direct',
		auto_call_sid: callSidOf(record, now),
		auto_call_error:
			record.error ?? (progress === 'finished' ? record.callError : undefined) ?? null,
		conversation_id:
			progress === 'finished' && record.callError === undefined
				? FIRST_CONVERSATION_ID + record.id
				: null,
		updated_at: new Date(lastUpdate(record, progress)).toISOString(),
	};
}

function lastUpdate(record: CallRecord, progress: Progress): number {
	if (progress === 'finished') return record.finishAt;
	if (progress === 'dialed') return record.dialAt;
	return record.cancelledAt ?? record.createdAt;
}

/** The API does not document what the counters count. Here: approved = not cancelled, called = dialed. */
function summaryOf(records: CallRecord[], now: number) {
	let approved = 0;
	let called = 0;
	for (const record of records) {
		if (record.cancelledAt === undefined) approved++;
		if (callSidOf(record, now)) called++;
	}
	return { total: records.length, approved, called };
}
