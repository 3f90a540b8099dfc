import { DESTINATIONS_PER_REQUEST } from '../../domain/apiLimits';
import { readBulkResults } from '../../domain/callOutcome';
import { bulkBody } from '../../domain/requests';
import type { Execution, OutputItem } from '../../execution/execution';
import { callingFields, destinationSourceFields } from '../../fields/call';
import { bulkCallOptions } from '../../fields/options';
import type { CallOperation } from '../../placement/callOperation';
import { callRows } from '../../placement/callRows';
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
};

export async function executeBulkCall(execution: Execution): Promise<OutputItem[]> {
	return await callRows(execution, bulk);
}
