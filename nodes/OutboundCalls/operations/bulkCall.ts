import type { IExecuteFunctions } from 'n8n-workflow';
import { DESTINATIONS_PER_REQUEST } from '../domain/limits';
import { countedStatuses, duplicateOf, readBulkResults, unknownOutcome, type CallOutcome } from '../domain/outcome';
import { bulkBody, plan } from '../domain/plan';
import { spokenCount } from '../domain/words';
import { agentFields, bulkCallOptions, destinationSourceFields, promptVariableFields, shownFor } from '../fields';
import { perRun } from '../parameters';
import { callRows, toItems, type CallOperation, type Settled } from './callRows';
import type { Operation } from './operation';
import { readRows } from './rows';

const BULK_PATH = '/calls/bulk';

/** A request starts its calls at once, so it must not hold more than a minute may have. */
const chunkSize = (callsPerMinute: number | undefined): number =>
	Math.min(DESTINATIONS_PER_REQUEST, Math.max(1, Math.floor(callsPerMinute ?? DESTINATIONS_PER_REQUEST)));

const bulk: CallOperation<CallOutcome> = {
	plan: (rows, duplicates, callsPerMinute) => plan(rows, duplicates, chunkSize(callsPerMinute)),
	endpoint: ({ timeoutMs }, callsPerMinute) => ({
		purpose: 'bulkCall',
		request: (rows) => ({ method: 'POST', path: BULK_PATH, body: bulkBody(rows), timeoutMs }),
		read: readBulkResults,
		unknown: (row, reason) => unknownOutcome(row.destination, reason),
		plan: (rows) => plan(rows, 'callEach', chunkSize(callsPerMinute)).chunks,
	}),
	duplicate: duplicateOf,
};

export const bulkCall: Operation = {
	value: 'bulkCall',
	name: 'Bulk Call',
	action: 'Call many numbers',
	description: 'Call a whole list of phone numbers, ten per request, and get one row for each',
	fields: shownFor('call', 'bulkCall', [...agentFields, ...destinationSourceFields, ...promptVariableFields, bulkCallOptions]),

	async execute(context) {
		const source = perRun<'items' | 'list' | 'json'>(context, 'destinationSource', 'items');
		const settled = await callRows(context, readRows(context, source), bulk);
		addTotals(context, settled);
		return toItems(context.getNode(), settled, (result) => ({ ...result }));
	},
};

/** "27 rows: 25 initiated, 2 duplicate", above the table of results. */
function addTotals(context: IExecuteFunctions, settled: ReadonlyArray<Settled<CallOutcome>>): void {
	const statuses = settled.map((each) =>
		'rejected' in each ? 'not valid' : each.outcome.kind === 'result' ? each.outcome.result.status : 'refused',
	);
	const totals = countedStatuses(statuses).map(([status, rows]) => `${spokenCount(rows)} ${status}`);
	const message = `${spokenCount(settled.length)} ${settled.length === 1 ? 'row' : 'rows'}: ${totals.join(', ')}`;
	// Absent on older hosts.
	(context.addExecutionHints as typeof context.addExecutionHints | undefined)?.call(context, {
		message,
		location: 'outputPane',
	});
}
