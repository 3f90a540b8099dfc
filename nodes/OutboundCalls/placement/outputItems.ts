import type { IDataObject, INode, INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import type { PlacementResult } from '../domain/callOutcome';
import { formatCount, rowName, rowNames, uncapitalized } from '../domain/format';
import type { RejectedRow, Row } from '../domain/row';
import { errorItem } from '../execution/items';
import { apiError, operationError } from '../execution/nodeErrors';
import type { Halt, Outcome } from './placement';

/** The editor's own button for another run would call everybody again. */
const WHERE_RETRY_IS = 'Retry is in the Executions tab; “Execute workflow” starts a new run and calls everybody again, unless Call Once is on.';

/** What became of a row. */
export type RowOutcome<T> = { rejected: RejectedRow } | { row: Row; outcome: Outcome<T> };

/** The row's word in the totals. */
export const statusOf = (settled: RowOutcome<PlacementResult>): string => {
	if ('rejected' in settled) return 'not called';
	const { outcome } = settled;
	return outcome.kind === 'rejected' ? 'not called' : String(outcome.result.status);
};

/** One output item for a row: its result, or an error item. */
export function toItem<T extends PlacementResult>(
	node: INode,
	settled: RowOutcome<T>,
	toJson: (result: T, row: Row) => IDataObject,
): INodeExecutionData {
	if ('rejected' in settled) {
		const { rejected } = settled;
		return errorItem(rejection(node, [rejected], true), rejected.itemIndex);
	}
	const { row, outcome } = settled;
	if (outcome.kind === 'result') return { json: toJson(outcome.result, row), pairedItem: { item: row.itemIndex } };
	const message = `${rowName(row.position, row.destination)} was not called: ${uncapitalized(outcome.problem.message)}`;
	return errorItem(apiError(node, outcome.problem, message), row.itemIndex);
}

/** Rows that must not be sent, as one message about the first of them. */
export function rejection(node: INode, rejected: readonly RejectedRow[], continues = false): NodeOperationError {
	const [first, ...others] = rejected as [RejectedRow, ...RejectedRow[]];
	const message = `${rowName(first.position)}: ${first.problem.message}`;
	const rest =
		others.length === 0 ? '' : ` ${rowNames(others.map(({ position }) => position))} also ${others.length === 1 ? 'needs' : 'need'} a change.`;
	const remedy = continues
		? first.problem.remedy
		: `${first.problem.remedy}${rest} Nothing was called. To call the other rows all the same, set On Error in this node’s settings to “Continue (using error output)”.`;
	return operationError(node, { ...first.problem, remedy }, message);
}

/** How far a run got. */
export interface Progress {
	total: number;
	placed: number;
	/** No row of the run has a result, so certainly nobody was called. */
	nobodyCalled: boolean;
}

/** Why the run ended, with how far it got. */
export function haltError(node: INode, halt: Halt, { total, placed, nobodyCalled }: Progress): Error {
	const progress = `${formatCount(placed)} of ${formatCount(total)} ${total === 1 ? 'row was' : 'rows were'} placed`;
	const retry = nobodyCalled ? 'Nobody was called, so retrying is safe.' : 'Retry calls only the rest.';
	if (halt.kind === 'cancelled') {
		const message = `The execution was stopped: ${progress}`;
		return operationError(
			node,
			{ message, remedy: 'No further call was started after the stop. A new run calls these rows again, unless Call Once is on.' },
			message,
		);
	}
	const { rows, problem } = halt;
	const first = rows[0]!;
	const names = rows.length === 1 ? rowName(first.position, first.destination) : rowNames(rows.map(({ position }) => position));
	const were = rows.length === 1 ? 'was' : 'were';
	const what = halt.kind === 'unknown' ? `${were} sent without a clear answer` : `${were} not called`;
	const event = `${names} ${what}: ${uncapitalized(problem.message)}`;
	const message = total === 1 ? event : `${progress}; ${uncapitalized(event)}. ${retry}`;
	const where = total === 1 || nobodyCalled ? '' : ` ${WHERE_RETRY_IS}`;
	return apiError(node, { ...problem, remedy: `${problem.remedy}${where}` }, message);
}
