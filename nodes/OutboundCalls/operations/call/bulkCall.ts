import { DESTINATIONS_PER_REQUEST } from '../../domain/apiLimits';
import { type BulkIds, outcomeOf, readBulkResults } from '../../domain/callOutcome';
import { bulkBody } from '../../domain/requests';
import type { Execution, OutputItem } from '../../execution/execution';
import { callingFields, destinationSourceFields } from '../../fields/call';
import { bulkCallOptions } from '../../fields/options';
import type { CallOperation } from '../../placement/callOperation';
import { callRows } from '../../placement/callRows';
import { NO_IDS } from '../../results/columns';
import type { Operation } from '../operation';

export const bulkCall: Operation<'bulkCall'> = {
	value: 'bulkCall',
	name: 'Bulk Call',
	action: 'Call many numbers',
	description: 'Call a whole list of phone numbers, each once, and get one row for each',
	callsPeople: true,
	fields: callingFields(destinationSourceFields, bulkCallOptions),
};

const BULK_PATH = '/calls/bulk';

/**
 * Short, because the ledger has one for each row: success, status, consent_id, call_sid, batch_id,
 * reason.
 */
type PackedOutcome = [0 | 1, number, BulkIds['consent_id'], string | null, number, number];

const bulk: CallOperation = {
	purpose: 'bulkCall',
	// A request starts its calls at once, so it must not hold more than a minute may have.
	chunkSize: (callsPerMinute = DESTINATIONS_PER_REQUEST) =>
		Math.min(DESTINATIONS_PER_REQUEST, Math.max(1, Math.floor(callsPerMinute))),
	request: (rows, timeoutMs) => ({
		purpose: 'bulkCall',
		method: 'POST',
		path: BULK_PATH,
		body: bulkBody(rows),
		timeoutMs,
	}),
	read: readBulkResults,

	pack({ success, status, reason, answer }, index): PackedOutcome {
		const { consent_id, call_sid, batch_id } = (answer ?? NO_IDS.bulkCall) as BulkIds;
		const orNone = (text: string | null): number => (text === null ? -1 : index(text));
		return [success ? 1 : 0, index(status), consent_id, call_sid, orNone(batch_id), orNone(reason)];
	},
	unpack(packed, text) {
		if (!Array.isArray(packed)) return undefined;
		const [success, status, consent_id, call_sid, batch, reason] = packed as PackedOutcome;
		return outcomeOf({
			status: text(status),
			reason: reason < 0 ? null : text(reason),
			success: success === 1,
			answer: { consent_id, call_sid, batch_id: batch < 0 ? null : text(batch) },
		});
	},
};

export async function executeBulkCall(execution: Execution): Promise<OutputItem[]> {
	return await callRows(execution, bulk);
}
