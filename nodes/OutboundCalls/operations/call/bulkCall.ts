import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { type CallOutcome, countedStatuses, duplicateOf, notPlacedInBulk, readBulkResults } from '../../domain/callOutcome';
import { formatCount, formatRows } from '../../domain/format';
import { DESTINATIONS_PER_REQUEST } from '../../domain/limits';
import { bulkBody } from '../../domain/requestPlan';
import { perRun } from '../../execution/parameters';
import { agentFields } from '../../fields/agent';
import { destinationSourceFields } from '../../fields/destination';
import { bulkCallOptions } from '../../fields/options';
import { promptVariableFields } from '../../fields/promptVariables';
import { type CalledRows, type CallOperation, callRows } from '../../placement/callRows';
import { readRows } from '../../placement/readRows';
import type { Operation } from '../operation';

const BULK_PATH = '/calls/bulk';

/** Short, because the ledger has one for each row: success, status, consent_id, call_sid, batch_id, reason. */
type PackedOutcome = [0 | 1, number, CallOutcome['consent_id'], string | null, number, number];

const bulk: CallOperation<CallOutcome> = {
	// A request starts its calls at once, so it must not hold more than a minute may have.
	chunkSize: (callsPerMinute = DESTINATIONS_PER_REQUEST) => Math.min(DESTINATIONS_PER_REQUEST, Math.max(1, Math.floor(callsPerMinute))),
	endpoint: (timeoutMs) => ({
		purpose: 'bulkCall',
		request: (rows) => ({ method: 'POST', path: BULK_PATH, body: bulkBody(rows), timeoutMs }),
		read: readBulkResults,
	}),
	notPlaced: notPlacedInBulk,
	duplicate: duplicateOf,
	toJson: (outcome) => outcome as CallOutcome & IDataObject,

	pack({ success, status, consent_id, call_sid, batch_id, reason }, index): PackedOutcome {
		const orNone = (text: string | null): number => (text === null ? -1 : index(text));
		return [success ? 1 : 0, index(status), consent_id, call_sid, orNone(batch_id), orNone(reason)];
	},
	unpack({ destination }, packed, text) {
		if (!Array.isArray(packed)) return undefined;
		const [success, status, consent_id, call_sid, batch, reason] = packed as PackedOutcome;
		return {
			destination,
			success: success === 1,
			status: text(status),
			reason: reason < 0 ? null : text(reason),
			consent_id,
			call_sid,
			batch_id: batch < 0 ? null : text(batch),
		};
	},
};

export const bulkCall: Operation = {
	value: 'bulkCall',
	name: 'Bulk Call',
	action: 'Call many numbers',
	description: 'Call a whole list of phone numbers, ten per request, and get one row for each',
	fields: [...agentFields, ...destinationSourceFields, ...promptVariableFields, bulkCallOptions],

	async execute(context) {
		const source = perRun<'items' | 'list' | 'json'>(context, 'destinationSource', 'items');
		const called = await callRows(context, readRows(context, source), bulk);
		addTotals(context, called);
		return called.items;
	},
};

/** "27 rows: 25 initiated, 2 duplicate", above the table of results. Older hosts have no hints. */
function addTotals(context: Partial<IExecuteFunctions>, { statuses, sameKey }: CalledRows): void {
	const totals = countedStatuses(statuses).map(([status, rows]) => `${formatCount(rows)} ${status}`);
	const shared =
		sameKey > 0
			? `. ${formatRows(sameKey)} ${sameKey === 1 ? 'has' : 'have'} the Call Once Key of an earlier row with another number, so ${sameKey === 1 ? 'it was' : 'they were'} not called. Look at the column in that key.`
			: '';
	context.addExecutionHints?.({ message: `${formatRows(statuses.length)}: ${totals.join(', ')}${shared}`, location: 'outputPane' });
}
