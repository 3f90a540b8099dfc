import type { IExecuteFunctions, INode, INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { openApi } from '../api/exchange';
import { apiError, errorItem, findingError } from '../api/nodeErrors';
import type { PlacementResult } from '../domain/outcome';
import { deduplicate, plan, type Duplicates } from '../domain/plan';
import { checkRow, type CheckedRow, type RawRow, type RejectedRow, type Row } from '../domain/row';
import { rowName, rowNames, spokenCount, uncapitalized } from '../domain/words';
import { durableClaims, noClaims } from '../placement/claims';
import { Ledger, type Attempt, type Packing } from '../placement/ledger';
import { Pace } from '../placement/pace';
import { Placement, type Endpoint, type Halt, type Outcome } from '../placement/place';
import { perRun } from '../parameters';
import { cancelSignal, runOptions } from './runOptions';

/** How one operation calls its rows. */
export interface CallOperation<T extends PlacementResult> extends Packing<T> {
	/** Calls that one request may start. */
	chunkSize(callsPerMinute: number | undefined): number;
	endpoint(timeoutMs: number): Omit<Endpoint<T>, 'plan' | 'alreadyCalled'>;
	alreadyCalled(row: Row, reason: string): T;
	/** For a row with the number of an earlier one. */
	duplicate(earlier: T, row: Row): T;
	toJson: (result: T) => INodeExecutionData['json'];
}

type Settled<T> = { rejected: RejectedRow } | { row: Row; outcome: Outcome<T> };

const CALLED_BEFORE =
	'Call Once: a call to this row was started by an earlier run. If that run was broken off, the call may not have taken place: look at the outbound calls page of your dashboard. To call the row anyway, change its Call Once Key, for example by adding the campaign’s name.';
const SAME_KEY = 'Call Once: an earlier row of this run has the same Call Once Key.';

/**
 * Checks all rows, then calls those that may be called: one item for every row, in order. With
 * On Error = Stop it throws when a row cannot be sent (before anything is sent) or did not get an
 * answer that proves what happened.
 */
export async function callRows<T extends PlacementResult>(
	context: IExecuteFunctions,
	raw: readonly RawRow[],
	operation: CallOperation<T>,
): Promise<{ items: INodeExecutionData[]; statuses: string[] }> {
	const node = context.getNode();
	const stop = !context.continueOnFail();
	const checked = raw.map(checkRow);
	const { rows, rejected } = separated(checked);
	if (stop && rejected.length > 0) throw rejection(node, rejected);

	const duplicates = perRun<Duplicates>(context, 'options.duplicates', 'callOnce');
	const callsPerMinute = perRun<number>(context, 'options.callsPerMinute', 0) || undefined;
	const options = runOptions(context);
	const size = operation.chunkSize(callsPerMinute);
	const { callers, followers } = deduplicate(rows, duplicates);

	const ledger = new Ledger<T>(context.getContext('node'), operation, attempt(context, duplicates));
	const placement = new Placement<T>(
		{
			...operation.endpoint(options.timeoutMs),
			plan: (again) => plan(again, size),
			alreadyCalled: (row) => operation.alreadyCalled(row, CALLED_BEFORE),
		},
		await openApi(context),
		new Pace({ maxWaitMs: options.maxWaitMs, callsPerMinute, signal: cancelSignal(context) }),
		ledger,
		perRun<boolean>(context, 'options.callOnce', false) ? durableClaims(context) : noClaims,
		{ ...options, stop, retryUndialed: perRun(context, 'options.retryUndialed', false) },
	);
	const { outcomes } = placement;
	for (const [position, result] of ledger.recorded(callers)) outcomes.set(position, { kind: 'result', result });
	const halt = await placement.run(plan(callers.filter(({ position }) => !outcomes.has(position)), size));

	const outcomeOf = (row: Row): Outcome<T> | undefined => {
		const first = followers.get(row.position);
		const outcome = outcomes.get(first ?? row.position);
		if (first === undefined || outcome?.kind !== 'result') return outcome;
		const sameNumber = checkedRow(checked[first])?.destination === row.destination;
		const result = sameNumber ? operation.duplicate(outcome.result, row) : operation.alreadyCalled(row, SAME_KEY);
		return { kind: 'result', result };
	};
	if (halt) {
		const placed = rows.filter((row) => isPlaced(outcomeOf(row))).length;
		throw haltError(node, halt, placed, raw.length);
	}
	const settled = checked.map(
		(each): Settled<T> => (each.ok ? { row: each.row, outcome: outcomeOf(each.row)! } : { rejected: each.rejected }),
	);
	const items = settled.map((each) => toItem(node, each, operation));
	ledger.close(items[0]?.json.error !== undefined);
	return { items, statuses: settled.map(statusOf) };
}

function separated(checked: readonly CheckedRow[]): { rows: Row[]; rejected: RejectedRow[] } {
	const rows: Row[] = [];
	const rejected: RejectedRow[] = [];
	for (const each of checked) {
		if (each.ok) rows.push(each.row);
		else rejected.push(each.rejected);
	}
	return { rows, rejected };
}

const checkedRow = (checked: CheckedRow | undefined): Row | undefined => (checked?.ok ? checked.row : undefined);

function attempt(context: IExecuteFunctions, duplicates: Duplicates): Attempt {
	const { retryOnFail, maxTries } = context.getNode();
	return {
		round: context.getWorkflowDataProxy(0).$runIndex as number,
		execution: context.getExecutionId(),
		// The host's own bounds (host fact).
		maxTries: retryOnFail ? Math.min(5, Math.max(2, maxTries ?? 3)) : 1,
		perRow: duplicates === 'callEach',
	};
}

const isPlaced = (outcome: Outcome<PlacementResult> | undefined): boolean =>
	outcome?.kind === 'result' && outcome.result.success !== false;

const statusOf = (settled: Settled<PlacementResult>): string => {
	if ('rejected' in settled) return 'not valid';
	const { outcome } = settled;
	return outcome.kind === 'refused' ? 'refused' : String(outcome.result.status);
};

function toItem<T extends PlacementResult>(
	node: INode,
	settled: Settled<T>,
	{ toJson }: Pick<CallOperation<T>, 'toJson'>,
): INodeExecutionData {
	if ('rejected' in settled) {
		const { rejected } = settled;
		return errorItem(rejection(node, [rejected], true), rejected.itemIndex);
	}
	const { row, outcome } = settled;
	if (outcome.kind === 'result') return { json: toJson(outcome.result), pairedItem: { item: row.itemIndex } };
	const message = `${rowName(row.position, row.destination)} was not called: ${uncapitalized(outcome.refusal.message)}`;
	return errorItem(apiError(node, outcome.refusal, message, row.itemIndex), row.itemIndex);
}

function rejection(node: INode, rejected: readonly RejectedRow[], continues = false): NodeOperationError {
	const [first, ...others] = rejected as [RejectedRow, ...RejectedRow[]];
	const message = `${rowName(first.position)}: ${first.finding.message}`;
	const rest =
		others.length === 0
			? ''
			: ` ${rowNames(others.map(({ position }) => position))} also ${others.length === 1 ? 'needs' : 'need'} a change.`;
	const remedy = continues
		? first.finding.remedy
		: `${first.finding.remedy}${rest} Nothing was called. To call the other rows all the same, set On Error in this node’s settings to “Continue”.`;
	return findingError(node, { ...first.finding, remedy }, message, first.itemIndex);
}

function haltError(node: INode, halt: Halt, placed: number, total: number): Error {
	const progress = `${spokenCount(placed)} of ${spokenCount(total)} ${total === 1 ? 'row was' : 'rows were'} placed`;
	const retry = 'Retry calls only the rest.';
	if (halt.kind === 'cancelled') {
		const message = `The execution was stopped: ${progress}. ${retry}`;
		return findingError(node, { message, remedy: 'No further call was started after the stop.' }, message, 0);
	}
	const { rows, refusal } = halt;
	const first = rows[0]!;
	const names =
		rows.length === 1 ? rowName(first.position, first.destination) : rowNames(rows.map(({ position }) => position));
	const were = rows.length === 1 ? 'was' : 'were';
	const what =
		halt.kind === 'unknown' ? `${were} sent without a clear answer` : `${were} not called`;
	const event = `${names} ${what}: ${uncapitalized(refusal.message)}`;
	const message = total === 1 ? event : `${progress}; ${uncapitalized(event)}. ${retry}`;
	return apiError(node, refusal, message, first.itemIndex);
}
