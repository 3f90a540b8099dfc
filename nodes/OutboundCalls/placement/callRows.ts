import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { openApi } from '../http/client';
import { problem, ok, quoted, type Checked } from '../domain/problem';
import type { PlacementResult } from '../domain/outcome';
import { deduplicate, plan, type Duplicates } from '../domain/plan';
import { countryCode } from '../domain/phone';
import { checkRow, type CheckedRow, type Cleaning, type RawRow, type RejectedRow, type Row } from '../domain/row';
import { combineClaims, durableClaims, noClaims, ignoreStoreErrors } from './claims';
import { Ledger, type Attempt, type Packing } from './ledger';
import { Throttle } from '../http/throttle';
import { Placement, type Endpoint, type Halt, type Outcome } from './placement';
import { perRun } from '../execution/parameters';
import { haltError, rejection, statusOf, toItem, type RowOutcome } from './outputItems';
import { inputFields } from '../execution/inputFields';
import { cancelSignal, runOptions } from '../execution/runOptions';

/** How one operation calls its rows. */
export interface CallOperation<T extends PlacementResult> extends Packing<T> {
	/** Calls that one request may start. */
	chunkSize(callsPerMinute: number | undefined): number;
	endpoint(timeoutMs: number): Omit<Endpoint<T>, 'plan' | 'alreadyCalled'>;
	alreadyCalled(row: Row, reason: string): T;
	/** For a row with the number of an earlier one. */
	duplicate(earlier: T, row: Row): T;
	/** For a row of a dry run. */
	planned(row: Row): T;
	toJson: (result: T) => IDataObject;
}

const CALLED_BEFORE =
	'A call to this row was started by an earlier run, or by another retry of this one. If that run was broken off, the call may not have taken place: look at the outbound calls page of your dashboard. To call the row anyway, run the workflow anew; with Call Once, change its Call Once Key, for example by adding the campaign’s name.';
const SAME_KEY = 'Call Once: an earlier row of this run has the same Call Once Key.';

/** One item and one status for each row, and how many rows were not called because an earlier one with another number has their key. */
export interface CalledRows {
	items: INodeExecutionData[];
	statuses: string[];
	sameKey: number;
}

/**
 * Checks all rows, then calls those that may be called: one item for every row, in order. With
 * On Error = Stop it throws when a row cannot be sent (before anything is sent) or did not get an
 * answer that proves what happened.
 */
export async function callRows<T extends PlacementResult>(
	context: IExecuteFunctions,
	raw: Iterable<RawRow>,
	operation: CallOperation<T>,
): Promise<CalledRows> {
	const node = context.getNode();
	const cleaning = cleaningOf(context);
	const callsPerMinute = callsPerMinuteOf(context);
	const unusable = !cleaning.ok ? cleaning : !callsPerMinute.ok ? callsPerMinute : undefined;
	// Each row is checked as it is read, so that a large sheet is held once, not twice.
	const checked: CheckedRow[] = [];
	for (const row of raw) {
		const position = checked.length;
		checked.push(checkRow(unusable ? { ...row, variables: unusable } : row, position, cleaning.ok ? cleaning.value : undefined));
	}
	const { rows, rejected } = separated(checked);
	if (!context.continueOnFail() && rejected.length > 0) throw rejection(node, rejected);

	const duplicates = perRun<Duplicates>(context, 'options.duplicates', 'callOnce');
	const limit = callsPerMinute.ok ? callsPerMinute.value : undefined;
	const size = operation.chunkSize(limit);
	const { callers, followers } = deduplicate(rows, duplicates);
	const isDry = perRun<boolean>(context, 'options.dryRun', false);
	const { outcomes, requests, halt, close } = isDry
		? dryRun(callers, size, operation)
		: await placeRows(context, callers, size, limit, duplicates, operation);

	const sharesOnlyKey = ({ position, destination }: Row): boolean => {
		const first = followers.get(position);
		return first !== undefined && checkedRow(checked[first])?.destination !== destination;
	};
	const outcomeOf = (row: Row): Outcome<T> | undefined => {
		const first = followers.get(row.position);
		const outcome = outcomes.get(first ?? row.position);
		if (first === undefined || outcome?.kind !== 'result') return outcome;
		return { kind: 'result', result: sharesOnlyKey(row) ? operation.alreadyCalled(row, SAME_KEY) : operation.duplicate(outcome.result, row) };
	};
	if (halt) {
		throw haltError(node, halt, {
			total: checked.length,
			placed: rows.filter((row) => isPlaced(outcomeOf(row))).length,
			nobodyCalled: halt.kind === 'refused' && !rows.some((row) => outcomeOf(row)?.kind === 'result'),
		});
	}

	const withInput = inputFields(context);
	const toJson = (result: T, row: Row): IDataObject => {
		let json = operation.toJson(result);
		if (row.originalDestination !== undefined) json = { ...json, original_destination: row.originalDestination };
		const request = requests.get(followers.get(row.position) ?? row.position);
		if (request !== undefined) json = { ...json, request, ...requestFields(row) };
		return withInput(row.itemIndex, json);
	};
	const items: INodeExecutionData[] = [];
	const statuses: string[] = [];
	for (const each of checked) {
		const settled: RowOutcome<T> = each.ok ? { row: each.row, outcome: outcomeOf(each.row)! } : { rejected: each.rejected };
		items.push(toItem(node, settled, toJson));
		statuses.push(statusOf(settled));
	}
	close?.(items[0]?.json.error !== undefined);
	return { items, statuses, sameKey: rows.filter(sharesOnlyKey).length };
}

/** What became of the rows that are called, by position. */
interface Run<T> {
	outcomes: Map<number, Outcome<T>>;
	/** In a dry run, the number of the request that the row would be part of, from 1. */
	requests: Map<number, number>;
	halt?: Halt | undefined;
	/** To be called when the output is made; see `Ledger.close`. */
	close?: (firstItemFailed: boolean) => void;
}

function dryRun<T>(callers: readonly Row[], size: number, operation: CallOperation<T & PlacementResult>): Run<T> {
	const outcomes = new Map<number, Outcome<T>>();
	const requests = new Map<number, number>();
	plan(callers, size).forEach((chunk, index) => {
		for (const row of chunk.rows) {
			outcomes.set(row.position, { kind: 'result', result: operation.planned(row) });
			requests.set(row.position, index + 1);
		}
	});
	return { outcomes, requests };
}

async function placeRows<T extends PlacementResult>(
	context: IExecuteFunctions,
	callers: readonly Row[],
	size: number,
	callsPerMinute: number | undefined,
	duplicates: Duplicates,
	operation: CallOperation<T>,
): Promise<Run<T>> {
	const options = runOptions(context);
	const ledger = new Ledger<T>(context.getContext('node'), operation, attempt(context, duplicates));
	const placement = new Placement<T>(
		{
			...operation.endpoint(options.timeoutMs),
			plan: (again) => plan(again, size),
			alreadyCalled: (row) => operation.alreadyCalled(row, CALLED_BEFORE),
		},
		await openApi(context),
		new Throttle({ maxWaitMs: options.maxWaitMs, callsPerMinute, signal: cancelSignal(context) }),
		ledger,
		combineClaims(
			ignoreStoreErrors(durableClaims(context, (row) => ledger.retryKey(row))),
			perRun<boolean>(context, 'options.callOnce', false)
				? durableClaims(context, ({ callOnceKey, destination }) => callOnceKey ?? destination)
				: noClaims,
		),
		{
			...options,
			stop: !context.continueOnFail(),
			retryUndialed: perRun<boolean>(context, 'options.retryUndialed', false),
		},
	);
	const { outcomes } = placement;
	for (const [position, result] of ledger.recorded(callers)) outcomes.set(position, { kind: 'result', result });
	const halt = await placement.run(
		plan(
			callers.filter(({ position }) => !outcomes.has(position)),
			size,
		),
		callers,
	);
	return {
		outcomes,
		requests: new Map(),
		halt,
		close: (firstItemFailed) => {
			ledger.close(callers, firstItemFailed);
		},
	};
}

function cleaningOf(context: IExecuteFunctions): Checked<Cleaning | undefined> {
	if (!perRun<boolean>(context, 'options.cleanNumbers', false)) return ok(undefined);
	const text = String(perRun<string | number>(context, 'options.defaultCountryCode', '')).trim();
	if (text === '') return ok({});
	const code = countryCode(text);
	return code === undefined
		? problem(`the option Default Country Code holds ${quoted(text)}, which is no country code`, 'Enter digits like 49 or 1.')
		: ok({ defaultCountryCode: code });
}

/** Undefined without a limit. */
function callsPerMinuteOf(context: IExecuteFunctions): Checked<number | undefined> {
	const given = perRun<unknown>(context, 'options.callsPerMinute', 0);
	const limit = Number(given);
	return limit >= 0 && limit < Infinity
		? ok(limit || undefined)
		: problem(`the option Calls per Minute holds ${quoted(given)}, which is no number of calls`, 'Enter a number like 60.');
}

/** What the request of a dry run would say about the row. */
const requestFields = ({ agentNumber, callerNumber, variables, externalCallId }: Row): IDataObject => ({
	agent_number: agentNumber,
	caller_number: callerNumber ?? null,
	prompt_variables: variables ?? {},
	...(externalCallId === undefined ? {} : { external_call_id: externalCallId }),
});

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
	const { retryOnFail, maxTries, type } = context.getNode();
	return {
		round: context.getWorkflowDataProxy(0).$runIndex as number,
		execution: context.getExecutionId(),
		// The host's own bounds (host fact).
		maxTries: retryOnFail ? Math.min(5, Math.max(2, maxTries || 3)) : 1,
		// The host makes a second type of the node, which agents use (host fact).
		isTool: type.endsWith('Tool'),
		perRow: duplicates === 'callEach',
	};
}

const isPlaced = (outcome: Outcome<PlacementResult> | undefined): boolean => outcome?.kind === 'result' && outcome.result.success !== false;
