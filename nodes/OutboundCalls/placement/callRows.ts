import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { calledBy, type CallOutcome } from '../domain/callOutcome';
import type { Send } from '../domain/exchange';
import { rowName } from '../domain/format';
import type { Problem } from '../domain/problem';
import { deduplicate, promote, requestPlan, type Shared } from '../domain/requestPlan';
import { type CheckedRow, checkRow, type Row } from '../domain/row';
import { cancelSignal } from '../execution/run';
import { RunParameters } from '../execution/runParameters';
import { retryTree } from '../execution/retryTree';
import { isTool } from '../execution/tool';
import { openApi } from '../http/client';
import { Throttle, type Pace } from '../http/throttle';
import { combineClaims, durableClaims, ignoreStoreErrors, noClaims, retryClaims } from './claims';
import { followCalls, type FollowedCall } from './followCalls';
import { type Attempt, contentOf, Ledger, type Packing } from './ledger';
import { outputRows, type RowOutcome } from './outputRows';
import { type Endpoint, type Halt, Placement } from './placement';
import { readRows } from './readRows';
import { callSettings, type CallSettings } from './settings';
import { allInvalid, countPeople, haltError, runProblemError, totals } from './totals';

/** How one operation calls its rows. */
export interface CallOperation extends Endpoint, Packing<CallOutcome> {
	/** Calls that one request may start. */
	chunkSize(callsPerMinute: number | undefined): number;
	/** Names of output fields that are this operation's own, beside those that all rows have. */
	ours: readonly string[];
}

/** A run whose rows have been read and checked. */
interface Prepared {
	settings: CallSettings;
	checked: CheckedRow[];
	/** Why none of the rows may be called. */
	problem: Problem | undefined;
}

/** What became of the rows that were to be called. */
interface Placed {
	outcomes: ReadonlyMap<number, CallOutcome>;
	halt?: Halt | undefined;
	/** Lets the ledger go, once the output is made. */
	close?: () => void;
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
	const placed: Placed = api?.ok ? await placeRows(context, live, shared, settings, api.value, operation) : { outcomes: new Map() };
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

async function placeRows(
	context: IExecuteFunctions,
	rows: readonly Row[],
	shared: Shared,
	settings: CallSettings,
	send: Send,
	operation: CallOperation,
): Promise<Placed> {
	const size = operation.chunkSize(settings.callsPerMinute);
	const eachRow = settings.duplicates === 'callEach';
	if (eachRow) countOccurrences(rows);
	const ledger = new Ledger<CallOutcome>(context.getContext('node'), operation, attempt(context, settings));
	const called = ledger.calledNumbers((outcome) => calledBy(outcome) !== 'no');
	let sharedKeys = keysThatShare(rows, shared);
	const placement = new Placement(
		operation,
		send,
		new Throttle({
			maxWaitMs: settings.maxWaitMs,
			callsPerMinute: settings.callsPerMinute,
			pace: settings.callsPerMinute === undefined ? undefined : paceOf(context),
			signal: cancelSignal(context),
		}),
		ledger,
		combineClaims(
			ignoreStoreErrors(retryClaims(context, (row) => ledger.retryKeys(row))),
			settings.remembers
				? durableClaims(context, {
						keyOf: memoryKey,
						alsoOf: ({ position }) => sharedKeys.get(position) ?? [],
						...(eachRow ? { isOurs: claimedEarlier(ledger) } : {}),
					})
				: noClaims,
		),
		{ ...settings, stop: !context.continueOnFail(), plan: (again) => requestPlan(again, size) },
	);
	const { outcomes } = placement;
	const record = (callers: readonly Row[]): void => {
		for (const [position, outcome] of ledger.recorded(callers)) outcomes.set(position, outcome);
	};
	let callers = shared.callers.filter(({ isDry }) => !isDry);
	let halt: Halt | undefined;
	while (callers.length > 0 && !halt) {
		record(callers);
		halt = await placement.run(callers).catch((thrown: unknown) => {
			const open = callers.filter(({ position }) => !outcomes.has(position));
			// What was sent is unknown then, and comes out so.
			record(open);
			return brokenOff(thrown, open.length > 0 ? open : callers);
		});
		callers = promote(shared, rows, settings.duplicates, (first, follower) => frees(placement, called, first, follower));
		sharedKeys = keysThatShare(rows, shared);
	}
	return {
		outcomes,
		halt: halt ?? placement.haltIfAllRefused(rows.filter(({ position }) => !shared.followers.has(position))),
		close: () => {
			ledger.close(rows);
		},
	};
}

/** Tells rows of one number apart by what they say, in all executions alike. */
function countOccurrences(rows: readonly Row[]): void {
	const ofNumber = new Map<string, number>();
	const alike = new Map<string, number>();
	const next = (counts: Map<string, number>, key: string): number => counts.set(key, (counts.get(key) ?? 0) + 1).get(key)!;
	for (const row of rows) {
		next(ofNumber, row.destination);
		row.occurrence = next(alike, `${row.destination} ${contentOf(row)}`);
	}
	for (const row of rows) row.rowsOfNumber = ofNumber.get(row.destination)!;
}

/** Nothing is expected to throw here; if something does, no row may get lost. */
const brokenOff = (thrown: unknown, rows: readonly Row[]): Halt => ({
	kind: 'unknown',
	rows,
	problem: {
		message: `The run broke off${thrown instanceof Error ? ` (${thrown.message})` : ''}, so the calls may have been placed`,
		remedy: 'Look at the outbound calls page of your dashboard before you call these numbers again.',
	},
});

/** A row that was refused alone, or called before under another key, keeps nobody else from being called. */
function frees({ outcomes, refusedAlone }: Placement, called: ReadonlySet<string>, first: Row, follower: Row): boolean {
	const outcome = outcomes.get(first.position);
	if (outcome === undefined || calledBy(outcome) !== 'no') return false;
	if (refusedAlone.has(first.position)) return true;
	if (outcome.status === 'already_called') {
		// With the same key: an earlier try of this execution called the follower, which has that outcome to show.
		return first.callOnceKey !== follower.callOnceKey || (first.destination !== follower.destination && called.has(follower.destination));
	}
	return outcome.status !== 'refused' && first.destination !== follower.destination;
}

/** Whether an earlier try of this execution claimed the row's number. A key of the row's own has one call in all tries. */
function claimedEarlier(ledger: Ledger<CallOutcome>): (row: Row) => boolean {
	const numbers = ledger.calledNumbers((outcome) => calledBy(outcome) !== 'no');
	return ({ callOnceKey, destination }) => callOnceKey === undefined && numbers.has(destination);
}

/** What the memory of people called knows a row by. */
const memoryKey = ({ callOnceKey, destination }: Row): string => callOnceKey ?? destination;

/** A call stands for all rows that share it by their number: the keys of the others, by the position of the row that is called. */
function keysThatShare(rows: readonly Row[], { followers }: Shared): Map<number, string[]> {
	const keys = new Map<number, string[]>();
	for (const row of rows) {
		const first = followers.get(row.position);
		if (first?.destination !== row.destination || memoryKey(row) === memoryKey(first)) continue;
		const same = keys.get(first.position);
		if (same) same.push(memoryKey(row));
		else keys.set(first.position, [memoryKey(row)]);
	}
	return keys;
}

/** The host keeps it over rounds and retries, with the ledger. */
function paceOf(context: IExecuteFunctions): Pace {
	const kept = context.getContext('node') as { outboundCallsPace?: Pace };
	return (kept.outboundCallsPace ??= {});
}

function attempt(context: IExecuteFunctions, { duplicates }: CallSettings): Attempt {
	return {
		round: context.getWorkflowDataProxy(0).$runIndex as number,
		execution: context.getExecutionId(),
		tree: retryTree(context),
		isTool: isTool(context),
		perRow: duplicates === 'callEach',
	};
}
