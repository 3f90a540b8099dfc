import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { NotPlaced, PlacementResult } from '../domain/callOutcome';
import { quoted } from '../domain/format';
import { countryCode } from '../domain/phone';
import { type Checked, fail, ok, problem } from '../domain/problem';
import { deduplicate, type Deduplicated, type Duplicates, plan } from '../domain/requestPlan';
import { type CheckedRow, checkRow, type Cleaning, type RawRow, type RejectedRow, type Row } from '../domain/row';
import { inputFields } from '../execution/inputFields';
import { perRun } from '../execution/parameters';
import { cancelSignal, runOptions } from '../execution/run';
import { openApi } from '../http/client';
import { Throttle } from '../http/throttle';
import { combineClaims, durableClaims, ignoreStoreErrors, noClaims } from './claims';
import { type Attempt, Ledger, type Packing } from './ledger';
import { haltError, rejection, type RowOutcome, statusOf, toItem } from './outputItems';
import { type Endpoint, type Halt, type Outcome, Placement } from './placement';

/** How one operation calls its rows. */
export interface CallOperation<T extends PlacementResult> extends Packing<T> {
	/** Calls that one request may start. */
	chunkSize(callsPerMinute: number | undefined): number;
	endpoint(timeoutMs: number): Omit<Endpoint<T>, 'plan' | 'notPlaced'>;
	notPlaced: NotPlaced<T>;
	/** For a row with the number of an earlier one. */
	duplicate(earlier: T, row: Row): T;
	toJson: (result: T) => IDataObject;
}

const SAME_KEY = 'Call Once: an earlier row of this run has the same Call Once Key.';

/** One item and one status for each row, and how many rows were not called because an earlier one with another number has their key. */
export interface CalledRows {
	items: INodeExecutionData[];
	statuses: string[];
	sameKey: number;
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

/** Options of a run that places calls. */
interface CallOptions {
	cleaning: Cleaning | undefined;
	/** Undefined without a limit. */
	callsPerMinute: number | undefined;
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
	const options = callOptions(context);
	const checked = checkRows(raw, options);
	const { rows, rejected } = separated(checked);
	if (!context.continueOnFail() && rejected.length > 0) throw rejection(node, rejected);

	const duplicates = perRun<Duplicates>(context, 'options.duplicates', 'callOnce');
	const callsPerMinute = options.ok ? options.value.callsPerMinute : undefined;
	const shared = deduplicate(rows, duplicates);
	const run = perRun<boolean>(context, 'options.dryRun', false)
		? dryRun(shared.callers, operation.chunkSize(callsPerMinute), operation)
		: await placeRows(context, shared.callers, callsPerMinute, duplicates, operation);

	const outcomeOf = outcomes(run, shared, checked, operation);
	if (run.halt) {
		throw haltError(node, run.halt, {
			total: checked.length,
			placed: rows.filter((row) => isPlaced(outcomeOf(row))).length,
			nobodyCalled: run.halt.kind === 'rejected' && !rows.some((row) => outcomeOf(row)?.kind === 'result'),
		});
	}

	const toJson = rowJson(context, run, shared, operation);
	const settled = checked.map((each): RowOutcome<T> => (each.ok ? { row: each.value, outcome: outcomeOf(each.value)! } : { rejected: each.error }));
	const items = settled.map((each) => toItem(node, each, toJson));
	run.close?.(items[0]?.json.error !== undefined);
	return { items, statuses: settled.map(statusOf), sameKey: rows.filter((row) => sharesOnlyKey(row, shared, checked)).length };
}

/** Each row is checked as it is read, so that a large sheet is held once, not twice. */
function checkRows(raw: Iterable<RawRow>, options: Checked<CallOptions>): CheckedRow[] {
	const checked: CheckedRow[] = [];
	for (const row of raw) {
		const position = checked.length;
		checked.push(options.ok ? checkRow(row, position, options.value.cleaning) : fail({ itemIndex: row.itemIndex, position, problem: options.error }));
	}
	return checked;
}

/** What became of a row; undefined when the run ended before. */
function outcomes<T extends PlacementResult>(
	run: Run<T>,
	shared: Deduplicated,
	checked: readonly CheckedRow[],
	operation: CallOperation<T>,
): (row: Row) => Outcome<T> | undefined {
	return (row) => {
		const first = shared.followers.get(row.position);
		const outcome = run.outcomes.get(first ?? row.position);
		if (first === undefined || outcome?.kind !== 'result') return outcome;
		return {
			kind: 'result',
			result: sharesOnlyKey(row, shared, checked) ? operation.notPlaced(row, 'already_called', SAME_KEY) : operation.duplicate(outcome.result, row),
		};
	};
}

/** Whether the row follows one that has its Call Once key, but another number. */
function sharesOnlyKey({ position, destination }: Row, { followers }: Deduplicated, checked: readonly CheckedRow[]): boolean {
	const first = followers.get(position);
	const leader = first === undefined ? undefined : checked[first];
	return leader?.ok === true && leader.value.destination !== destination;
}

function rowJson<T extends PlacementResult>(
	context: IExecuteFunctions,
	run: Run<T>,
	{ followers }: Deduplicated,
	operation: CallOperation<T>,
): (result: T, row: Row) => IDataObject {
	const withInput = inputFields(context);
	return (result, row) => {
		let json = operation.toJson(result);
		if (row.originalDestination !== undefined) json = { ...json, original_destination: row.originalDestination };
		const request = run.requests.get(followers.get(row.position) ?? row.position);
		if (request !== undefined) json = { ...json, request, ...requestFields(row) };
		return withInput(row.itemIndex, json);
	};
}

function dryRun<T extends PlacementResult>(callers: readonly Row[], size: number, operation: CallOperation<T>): Run<T> {
	const run: Run<T> = { outcomes: new Map(), requests: new Map() };
	plan(callers, size).forEach((chunk, index) => {
		for (const row of chunk.rows) {
			run.outcomes.set(row.position, { kind: 'result', result: operation.notPlaced(row, 'dry_run', null) });
			run.requests.set(row.position, index + 1);
		}
	});
	return run;
}

async function placeRows<T extends PlacementResult>(
	context: IExecuteFunctions,
	callers: readonly Row[],
	callsPerMinute: number | undefined,
	duplicates: Duplicates,
	operation: CallOperation<T>,
): Promise<Run<T>> {
	const options = runOptions(context);
	const size = operation.chunkSize(callsPerMinute);
	const ledger = new Ledger<T>(context.getContext('node'), operation, attempt(context, duplicates));
	const placement = new Placement<T>(
		{ ...operation.endpoint(options.timeoutMs), plan: (again) => plan(again, size), notPlaced: operation.notPlaced },
		await openApi(context),
		new Throttle({ maxWaitMs: options.maxWaitMs, callsPerMinute, signal: cancelSignal(context) }),
		ledger,
		claimsOf(context, ledger),
		{ ...options, stop: !context.continueOnFail(), retryUndialed: perRun<boolean>(context, 'options.retryUndialed', false) },
	);
	for (const [position, result] of ledger.recorded(callers)) placement.outcomes.set(position, { kind: 'result', result });
	const open = callers.filter(({ position }) => !placement.outcomes.has(position));
	const halt = await placement.run(plan(open, size), callers);
	return {
		outcomes: placement.outcomes,
		requests: new Map(),
		halt,
		close: (firstItemFailed) => {
			ledger.close(callers, firstItemFailed);
		},
	};
}

function claimsOf<T>(context: IExecuteFunctions, ledger: Ledger<T>) {
	return combineClaims(
		ignoreStoreErrors(durableClaims(context, (row) => ledger.retryKey(row))),
		perRun<boolean>(context, 'options.callOnce', false)
			? durableClaims(context, ({ callOnceKey, destination }) => callOnceKey ?? destination)
			: noClaims,
	);
}

function callOptions(context: IExecuteFunctions): Checked<CallOptions> {
	const cleaning = cleaningOf(context);
	if (!cleaning.ok) return cleaning;
	const callsPerMinute = callsPerMinuteOf(context);
	return callsPerMinute.ok ? ok({ cleaning: cleaning.value, callsPerMinute: callsPerMinute.value }) : callsPerMinute;
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
		if (each.ok) rows.push(each.value);
		else rejected.push(each.error);
	}
	return { rows, rejected };
}

function attempt(context: IExecuteFunctions, duplicates: Duplicates): Attempt {
	const { retryOnFail, maxTries, type } = context.getNode();
	return {
		round: context.getWorkflowDataProxy(0).$runIndex as number,
		execution: context.getExecutionId(),
		// The host's own bounds (n8n behaviour).
		maxTries: retryOnFail ? Math.min(5, Math.max(2, maxTries || 3)) : 1,
		// The host makes a second type of the node, which agents use (n8n behaviour).
		isTool: type.endsWith('Tool'),
		perRow: duplicates === 'callEach',
	};
}

const isPlaced = (outcome: Outcome<PlacementResult> | undefined): boolean => outcome?.kind === 'result' && outcome.result.success !== false;
