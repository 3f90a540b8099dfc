import { DESTINATIONS_PER_REQUEST } from '../../domain/api/apiLimits';
import { readBulkResults } from '../../domain/api/answers';
import { bulkBody } from '../../domain/api/requests';
import { callingFields, destinationSourceFields } from '../../fields/call';
import type { CallOperation } from '../../placement/callOperation';
import { callRows } from '../../placement/callRows';
import type { Handler, Operation } from '../operation';

export const bulkCall: Operation = {
	value: 'bulkCall',
	name: 'Bulk Call',
	action: 'Call many people',
	description: 'Call a whole list of phone numbers, each once, and get one row for each',
	fields: callingFields(destinationSourceFields),
};

const bulk: CallOperation = {
	purpose: 'bulkCall',
	path: '/calls/bulk',
	// A request starts its calls at once, so it must not hold more than a minute may have.
	rowsPerRequest: ({ callsPerMinute = DESTINATIONS_PER_REQUEST }) =>
		Math.min(DESTINATIONS_PER_REQUEST, Math.max(1, Math.floor(callsPerMinute))),
	body: bulkBody,
	read: readBulkResults,
};

export const handleBulkCall: Handler = (execution) => callRows(execution, bulk);
