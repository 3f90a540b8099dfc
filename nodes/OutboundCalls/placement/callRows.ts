import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { calledBy, type CallOutcome } from '../domain/callOutcome';
import { rowName } from '../domain/format';
import type { Problem } from '../domain/problem';
import { deduplicate, requestPlan, type Shared } from '../domain/requestPlan';
import { type CheckedRow, checkRow, type Row } from '../domain/row';
import { cancelSignal } from '../execution/run';
import { RunParameters } from '../execution/runParameters';
import { openApi } from '../http/client';
import type { CallOperation } from './callOperation';
import { followCalls, type FollowedCall } from './followCalls';
import { outputRows, type RowOutcome } from './outputRows';
import { earlierCalls, type Placed, placeRows } from './placeRows';
import { readRows } from './readRows';
import { callSettings, type CallSettings } from './settings';
import { allInvalid, countPeople, haltError, runProblemError, totals } from './totals';

/** A run whose rows have been read and checked. */
interface Prepared {
	settings: CallSettings;
	checked: CheckedRow[];
	/** Why none of the rows may be called. */
	problem: Problem | undefined;
}

/**
 * Reads and checks everything, then calls the rows that may be called: every row comes out once, on Called
 * or Not Called. Throws only with On Error = Stop, and only for what concerns the whole run.
 */
export async function callRows(context: IExecuteFunctions, operation: CallOperation): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const stop = !context.continueOnFail();
	const prepared = prepare(context);
	const { settings, checked } = prepared;
	const rows = checked.flatMap((each) => (each.ok ? [each.value] : []));
	const live = rows.filter(({ isDry }) => !isDry);
	const api = prepared.problem || live.length === 0 ? undefined : await openApi(context);
	const runProblem = prepared.problem ?? (api?.ok === false ? api.error : undefined);
	if (stop) {
		if (runProblem) throw runProblemError(node, runProblem);
		if (rows.length === 0 && checked.some((each) => !each.ok && !each.error.isDry)) throw allInvalid(node, checked);
	}

	const shared = deduplicate(rows, settings.duplicates);
	const placed: Placed = api?.ok
		? await placeRows(context, live, shared, settings, api.value, operation)
		: earlierCalls(context, live, shared, settings, operation);
	const outcomeOf = outcomes(operation, shared, placed, ({ isDry }) => (isDry ? prepared.problem : runProblem));
	const settled = checked.map((each): RowOutcome => (each.ok ? { row: each.value, outcome: outcomeOf(each.value) } : { rejected: each.error }));
	if (stop && placed.halt) throw haltError(node, placed.halt, countPeople(settled), settings.remembers);

	const followed =
		settings.waiting && api?.ok ? await followCalls(context, api.value, settled, settings.waiting, settings) : new Map<RowOutcome, FollowedCall>();
	if (stop && followed.size > 0 && cancelSignal(context)?.aborted)
		throw haltError(node, { kind: 'cancelled' }, countPeople(settled), settings.remembers);

	const requests = prepared.problem ? new Map<number, number>() : dryRequests(shared, settings, operation);
	const output = outputRows(context, settled, { operation, settings, followed, requests });
	placed.close?.();
	// Older hosts have no hints.
	(context as Partial<IExecuteFunctions>).addExecutionHints?.({ message: totals(settled, followed), location: 'outputPane' });
	return output;
}

/** All parameters are read here, before the first call. Never throws. */
function prepare(context: IExecuteFunctions): Prepared {
	const { settings, problem: unusable } = callSettings(context);
	const read = new RunParameters(context);
	const source = read.choice('destinationSource', 'Destinations From', ['items', 'list', 'json']);
	const variables = read.choice('variablesFrom', 'Prompt Variables From', ['fields', 'input', 'json']);
	// Each row is checked as it is read, so that a large sheet is held once, not twice.
	const checked: CheckedRow[] = [];
	for (const raw of readRows(context, source, variables, settings.remembers)) checked.push(checkRow(raw, checked.length));
	return { settings, checked, problem: unusable ?? read.problem };
}

/** What became of a row that may be called; for one that shares an earlier row's call, what became of that. */
function outcomes(operation: CallOperation, shared: Shared, { outcomes: placed, halt }: Placed, problemOf: (row: Row) => Problem | undefined) {
	const notReached = halt?.kind === 'cancelled' ? 'The execution was stopped before this row was sent.' : 'The run ended before this row was sent.';
	const own = (row: Row): CallOutcome => {
		const outcome = placed.get(row.position);
		if (outcome) return outcome;
		const why = problemOf(row);
		if (why) return operation.notPlaced('refused', `${why.message}. ${why.remedy}`);
		return row.isDry ? operation.notPlaced('dry_run', null) : { ...operation.notPlaced('refused', notReached), notReached: true };
	};
	return (row: Row): CallOutcome => {
		const first = shared.followers.get(row.position);
		if (first === undefined) return own(row);
		const outcome = own(first);
		if (first.destination !== row.destination && outcome.status === 'refused' && calledBy(outcome) === 'no') return outcome;
		if (first.destination !== row.destination) {
			return {
				...operation.notPlaced(
					'already_called',
					`Same person as ${rowName(first.position).toLowerCase()} (option Remember People By), with another number`,
				),
				sharesKey: true,
			};
		}
		return { ...outcome, called: calledBy(outcome), status: 'duplicate', reason: `Same number as ${rowName(first.position).toLowerCase()}` };
	};
}

/** In a dry run, the number of the request that a row would be part of, from 1. */
function dryRequests({ callers, followers }: Shared, { callsPerMinute }: CallSettings, operation: CallOperation): Map<number, number> {
	const requests = new Map<number, number>();
	const dry = callers.filter(({ isDry }) => isDry);
	requestPlan(dry, operation.chunkSize(callsPerMinute)).forEach((chunk, index) => {
		for (const { position } of chunk.rows) requests.set(position, index + 1);
	});
	for (const [position, first] of followers) {
		const request = requests.get(first.position);
		if (request !== undefined) requests.set(position, request);
	}
	return requests;
}
