import { calledBy, type CallOutcome } from '../domain/callOutcome';
import type { Fields } from '../domain/fields';
import { capitalized } from '../domain/format';
import type { RejectedRow, Row } from '../domain/row';
import type { Execution, OutputItem } from '../execution/execution';
import { flatRow } from '../execution/flatRow';
import type { CallOperation } from '../placement/callOperation';
import type { FollowedCall } from './followCalls';
import type { CallSettings } from '../placement/settings';

/** What became of a row. */
export type RowOutcome = { rejected: RejectedRow } | { row: Row; outcome: CallOutcome };

interface OutputOptions {
	operation: CallOperation;
	settings: CallSettings;
	followed: ReadonlyMap<RowOutcome, FollowedCall>;
	/** In a dry run, the number of each row's request, by position. */
	requests: ReadonlyMap<number, number>;
}

const OURS = ['status', 'reason', 'destination', 'original_destination', 'success', 'request', 'agent_number', 'caller_number', 'prompt_variables'];

/** One item for each row, on Called or on Not Called. A tool of an agent has one output only (n8n behaviour). */
export function outputRows({ input, isTool }: Execution, rows: readonly RowOutcome[], options: OutputOptions): OutputItem[][] {
	const ours = new Set([...OURS, ...options.operation.ours]);
	// What the API answers for one row is ours in all rows, so that a column means the same in each.
	for (const row of rows) {
		if ('rejected' in row) continue;
		for (const name in row.outcome.answer) ours.add(name);
		for (const name in row.outcome.hours?.columns) ours.add(name);
	}
	const called: OutputItem[] = [];
	const notCalled: OutputItem[] = isTool ? called : [];
	for (const row of rows) {
		const { itemIndex } = 'rejected' in row ? row.rejected : row.row;
		const fields = options.settings.includeInputFields ? input[itemIndex]! : {};
		const { head, tail } = rowFields(row, options);
		const item = { json: flatRow(head, fields, tail, ours), pairedItem: { item: itemIndex } };
		if (isCalled(row)) called.push(item);
		else notCalled.push(item);
	}
	return isTool ? [called] : [called, notCalled];
}

/** Whether somebody was called, or may have been. */
const isCalled = (row: RowOutcome): boolean => !('rejected' in row) && !row.row.isDry && calledBy(row.outcome) !== 'no';

function rowFields(row: RowOutcome, { operation, followed, requests }: OutputOptions): { head: Fields; tail: Fields } {
	const follow = followed.get(row);
	if ('rejected' in row) {
		const { destination, problem, isDry } = row.rejected;
		const head = { status: 'invalid', reason: `${capitalized(problem.message)}. ${problem.remedy}`, destination };
		return { head, tail: isDry ? {} : { success: false, ...(operation.notPlaced('invalid', null).answer as Fields), ...follow } };
	}
	const { destination, originalDestination, isDry } = row.row;
	const { status, reason, success, answer, hours } = row.outcome;
	const head: Fields = { status, reason, destination };
	if (originalDestination !== undefined) head.original_destination = originalDestination;
	return {
		head,
		tail: {
			...(hours?.columns as Fields | undefined),
			...(isDry ? dryFields(row.row, requests) : { success, ...(answer as Fields), ...follow }),
		},
	};
}

/** What the request of a dry run would say about the row. */
function dryFields({ position, agentNumber, callerNumber, variables, externalCallId }: Row, requests: ReadonlyMap<number, number>): Fields {
	const request = requests.get(position);
	return {
		...(request === undefined ? {} : { request }),
		agent_number: agentNumber,
		caller_number: callerNumber ?? null,
		prompt_variables: variables ?? {},
		...(externalCallId === undefined ? {} : { external_call_id: externalCallId }),
	};
}
