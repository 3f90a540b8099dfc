import type { IExecuteFunctions, INode, INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { openApi } from '../api/exchange';
import { apiError, errorItem, findingError } from '../api/nodeErrors';
import { uncapitalized, rowName, rowNames, spokenCount } from '../domain/words';
import type { Duplicates, Plan } from '../domain/plan';
import { checkRow, type RawRow, type RejectedRow, type Row } from '../domain/row';
import { Pace } from '../placement/pace';
import { Placement, type Endpoint, type Halt, type Outcome, type PlacementResult } from '../placement/place';
import { perRun } from '../parameters';

/** Options that all operations share, with their units turned into those of the code. */
export interface RunOptions {
	timeoutMs: number;
	maxWaitMs: number;
	lanes: number;
}

export function runOptions(context: IExecuteFunctions): RunOptions {
	return {
		timeoutMs: within(perRun(context, 'options.timeout', 60), 1, 3_600) * 1_000,
		maxWaitMs: within(perRun(context, 'options.maxRetryWait', 300), 0, Infinity) * 1_000,
		lanes: Math.floor(within(perRun(context, 'options.parallelRequests', 5), 1, 10)),
	};
}

function within(value: unknown, least: number, most: number): number {
	const number = Number(value);
	return Number.isNaN(number) ? least : Math.min(Math.max(number, least), most);
}

export const cancelSignal = (context: IExecuteFunctions): AbortSignal | undefined =>
	// Absent on older hosts.
	(context.getExecutionCancelSignal as (() => AbortSignal | undefined) | undefined)?.call(context);

/** How one operation calls its rows. */
export interface CallOperation<T extends PlacementResult> {
	endpoint(options: RunOptions, rowsPerMinute: number | undefined): Endpoint<T>;
	plan(rows: readonly Row[], duplicates: Duplicates, callsPerMinute: number | undefined): Plan;
	duplicate(earlier: T, row: Row): T;
}

/** What became of every row of a run, in the rows' order. */
export type Settled<T> = { row: Row; outcome: Outcome<T> } | { rejected: RejectedRow };

/**
 * Checks all rows, then calls those that may be called. With On Error = Stop it throws when one row
 * cannot be sent (before anything is sent) or did not get an answer that proves what happened.
 */
export async function callRows<T extends PlacementResult>(
	context: IExecuteFunctions,
	raw: readonly RawRow[],
	operation: CallOperation<T>,
): Promise<Array<Settled<T>>> {
	const node = context.getNode();
	const stop = !context.continueOnFail();
	const options = runOptions(context);
	const callsPerMinute = perRun(context, 'options.callsPerMinute', 0) || undefined;

	const checked = raw.map(checkRow);
	const rows: Row[] = [];
	const rejected: RejectedRow[] = [];
	for (const each of checked) {
		if (each.ok) rows.push(each.row);
		else rejected.push(each.rejected);
	}
	if (stop && rejected.length > 0) throw rejection(node, rejected);

	const duplicates = perRun<Duplicates>(context, 'options.duplicates', 'callOnce');
	const { chunks, followers } = operation.plan(rows, duplicates, callsPerMinute);
	const pace = new Pace({ maxWaitMs: options.maxWaitMs, callsPerMinute, signal: cancelSignal(context) });
	const placement = new Placement<T>(operation.endpoint(options, callsPerMinute), await openApi(context), pace, {
		...options,
		stop,
		retryUndialed: perRun(context, 'options.retryUndialed', false),
	});
	const halt = await placement.run(chunks);
	const { outcomes } = placement;
	if (halt) throw haltError(node, halt, [...outcomes.values()].filter(isPlaced).length, raw.length);

	return checked.map((each): Settled<T> => {
		if (!each.ok) return { rejected: each.rejected };
		const { row } = each;
		const first = followers.get(row.position);
		const outcome = outcomes.get(first ?? row.position)!;
		return first !== undefined && outcome.kind === 'result'
			? { row, outcome: { kind: 'result', result: operation.duplicate(outcome.result, row) } }
			: { row, outcome };
	});
}

const isPlaced = (outcome: Outcome<PlacementResult & { success?: unknown }>): boolean =>
	outcome.kind === 'result' && outcome.result.success !== false;

/** One output item for every row, in order. */
export function toItems<T extends PlacementResult>(
	node: INode,
	settled: ReadonlyArray<Settled<T>>,
	toJson: (result: T) => INodeExecutionData['json'],
): INodeExecutionData[] {
	return settled.map((each) => {
		if ('rejected' in each) {
			const { rejected } = each;
			return errorItem(rejection(node, [rejected], true), rejected.itemIndex);
		}
		const { row, outcome } = each;
		if (outcome.kind === 'result') return { json: toJson(outcome.result), pairedItem: { item: row.itemIndex } };
		const message = `${rowName(row.position, row.destination)} was not called: ${uncapitalized(outcome.refusal.message)}`;
		return errorItem(apiError(node, outcome.refusal, message, row.itemIndex), row.itemIndex);
	});
}

function rejection(node: INode, rejected: readonly RejectedRow[], oneOnly = false): NodeOperationError {
	const [first, ...others] = rejected as [RejectedRow, ...RejectedRow[]];
	const message = `${rowName(first.position)}: ${first.finding.message}`;
	const rest =
		others.length === 0 ? '' : ` ${rowNames(others.map(({ position }) => position))} also ${others.length === 1 ? 'needs' : 'need'} a change.`;
	const remedy = oneOnly
		? first.finding.remedy
		: `${first.finding.remedy}${rest} Nothing was called. To call the other rows all the same, set On Error in this node’s settings to “Continue”.`;
	return findingError(node, { ...first.finding, remedy }, message, first.itemIndex);
}

function haltError(node: INode, halt: Halt, placed: number, total: number): Error {
	const progress = `${spokenCount(placed)} of ${spokenCount(total)} ${total === 1 ? 'row was' : 'rows were'} placed`;
	if (halt.kind === 'cancelled') {
		const message = `The execution was stopped: ${progress}`;
		return findingError(node, { message, remedy: 'No further call was started.' }, message, 0);
	}
	const { rows, refusal } = halt;
	const names = rows.length === 1 ? rowName(rows[0]!.position, rows[0]!.destination) : rowNames(rows.map(({ position }) => position));
	const what = halt.kind === 'unknown' ? 'got no clear answer' : rows.length === 1 ? 'was not called' : 'were not called';
	const message = `${progress}; ${uncapitalized(names)} ${what}: ${uncapitalized(refusal.message)}`;
	return apiError(node, refusal, message, rows[0]!.itemIndex);
}
