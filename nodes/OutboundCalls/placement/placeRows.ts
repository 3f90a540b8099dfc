import { type CallOutcome, isUndialedForNow, notPlaced } from '../domain/callOutcome';
import type { Send } from '../domain/exchange';
import { requestPlan } from '../domain/requestPlan';
import type { Row } from '../domain/row';
import { type Frees, keysThatShare, leavesOut, memoryKey, promote, type Shared } from '../domain/sharing';
import type { Execution } from '../execution/execution';
import { Throttle } from '../http/throttle';
import { CallLimit, limitReached } from '../claims/callLimit';
import type { CallOperation } from './callOperation';
import { ClaimWindows } from '../claims/ahead';
import { combineClaims, noClaims } from '../claims/claims';
import { openClaimStore } from '../claims/claimStore';
import { durableClaims } from '../claims/memory';
import { type Attempt, Ledger, contentOf } from './ledger';
import { Placement, type PlacementPolicy } from './placement';
import { retryClaims } from '../claims/siblings';
import type { Halt } from '../results/runErrors';
import type { CallSettings } from './settings';

/** What earlier tries of this execution left behind. */
export interface Earlier {
	ledger: Ledger<CallOutcome>;
	/** Numbers that they called, or may have, and how often. */
	called: ReadonlyMap<string, number>;
	/** Lets the ledger go, once the output is made. */
	close: () => void;
}

/** What rows are called with. */
export interface CallContext extends Earlier {
	send: Send;
	/** Why a row must not be called at this moment. */
	heldBack: PlacementPolicy['heldBack'];
}

/** The ledger of this execution. `rows`: all live ones, also those that are not called now, so that a row is the same in all tries. */
export function openLedger(execution: Execution, rows: readonly Row[], settings: CallSettings, operation: CallOperation): Earlier {
	if (settings.duplicates === 'callEach') countOccurrences(rows);
	const ledger = new Ledger<CallOutcome>(execution.state, operation, attempt(execution, settings));
	const close = (): void => {
		ledger.close(rows);
	};
	return { ledger, called: ledger.calledNumbers(wasCalled), close };
}

/** What became of the rows that were to be called. */
export interface Placed {
	outcomes: ReadonlyMap<number, CallOutcome>;
	halt?: Halt | undefined;
	/** Lets the ledger go, once the output is made. */
	close?: () => void;
}

/** Calls those of the live rows that nobody called yet, and then those that follow a row which was not called for a reason of its own. */
export async function placeRows(
	execution: Execution,
	rows: readonly Row[],
	shared: Shared,
	settings: CallSettings,
	{ send, ledger, called, heldBack, close }: CallContext,
	operation: CallOperation,
): Promise<Placed> {
	const size = operation.chunkSize(settings.callsPerMinute);
	const eachRow = settings.duplicates === 'callEach';
	const store = openClaimStore(execution.host);
	const limit = new CallLimit(execution.host, settings.maxCalls, store);
	let sharedKeys = keysThatShare(rows, shared, settings.duplicates);
	const claims = combineClaims(
		retryClaims(store, (row) => ledger.retryKeys(row, called.get(row.destination) ?? 0)),
		settings.remembers
			? durableClaims(store, {
					keyOf: memoryKey,
					alsoOf: ({ position }) => sharedKeys.get(position) ?? [],
					...(eachRow ? { isOurs: claimedEarlier(called, rows) } : {}),
				})
			: noClaims,
	);
	const placement = new Placement(
		operation,
		send,
		new Throttle({
			maxWaitMs: settings.maxWaitMs,
			callsPerMinute: settings.callsPerMinute,
			pace: settings.callsPerMinute === undefined ? undefined : (execution.state.outboundCallsPace ??= {}),
			signal: execution.signal,
		}),
		ledger,
		settings.remembers ? new ClaimWindows(claims, settings.callsPerMinute === undefined ? settings.concurrency * size : size, store) : claims,
		{ ...settings, stop: execution.stops, plan: (again) => requestPlan(again, size), heldBack },
	);
	const { outcomes } = placement;
	const isOpen = ({ position }: Row): boolean => {
		const outcome = outcomes.get(position);
		return outcome === undefined || (settings.retryUndialed && isUndialedForNow(outcome));
	};
	const record = (callers: readonly Row[]): void => {
		for (const [position, outcome] of ledger.recorded(callers, wasCalled)) outcomes.set(position, outcome);
	};
	const frees: Frees = (first, follower) => {
		const outcome = outcomes.get(first.position);
		// Whoever an earlier try of this execution called has that outcome to show.
		const hasOutcome = first.destination !== follower.destination && called.has(follower.destination);
		return leavesOut(outcome, first, follower) || (outcome?.called === 'no' && hasOutcome);
	};
	let callers = shared.callers.filter(({ isDry }) => !isDry);
	let halt: Halt | undefined;
	try {
		while (callers.length > 0 && !halt) {
			record(callers);
			halt = await placeWithin(limit, placement, callers.filter(isOpen)).catch((thrown: unknown) => {
				const open = callers.filter(({ position }) => !outcomes.has(position));
				// What was sent is unknown then, and comes out so.
				record(open);
				return brokenOff(thrown, open.length > 0 ? open : callers);
			});
			callers = promote(shared, rows, settings.duplicates, frees);
			sharedKeys = keysThatShare(rows, shared, settings.duplicates);
		}
	} finally {
		await store.close();
	}
	const leaders = new Set(shared.callers);
	return {
		outcomes,
		halt: halt ?? placement.haltIfAllRefused(rows.filter((row) => leaders.has(row))),
		close,
	};
}

/**
 * Calls as many rows as the limit leaves. A row that turns out not to be called, such as one that was called before, takes no
 * other one's place.
 */
async function placeWithin(limit: CallLimit, placement: Placement, open: readonly Row[]): Promise<Halt | undefined> {
	const { outcomes } = placement;
	for (let from = 0; from < open.length;) {
		const wave = open.slice(from, from + (await limit.take(open.length - from)));
		if (wave.length === 0) {
			const left = open.slice(from).filter(({ position }) => !outcomes.has(position));
			for (const { position } of left) outcomes.set(position, notPlaced('limit_reached', limitReached(limit.most!)));
			break;
		}
		const halt = await placement.run(wave);
		await limit.giveBack(wave.filter(({ position }) => !mayHaveBeenCalled(outcomes.get(position))).length);
		if (halt) return halt;
		from += wave.length;
	}
	return undefined;
}

const mayHaveBeenCalled = (outcome: CallOutcome | undefined): boolean => outcome !== undefined && wasCalled(outcome);

/** Calls nobody. Rows that earlier tries of this execution called come out all the same: they were called. */
export function earlierCalls({ callers }: Shared, { ledger, close }: Earlier): Placed {
	const live = callers.filter(({ isDry }) => !isDry);
	return { outcomes: ledger.recorded(live, wasCalled), close };
}

const wasCalled = (outcome: CallOutcome): boolean => outcome.called !== 'no';

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

/**
 * Whether an earlier try of this execution claimed the row's number. A key of a row's own has one call in all tries,
 * and where one of a number's rows has a key, nobody knows which of them the earlier try called.
 */
function claimedEarlier(called: ReadonlyMap<string, number>, rows: readonly Row[]): (row: Row) => boolean {
	const keyed = new Set(rows.filter(({ callOnceKey }) => callOnceKey !== undefined).map(({ destination }) => destination));
	return ({ destination }) => called.has(destination) && !keyed.has(destination);
}

const attempt = ({ round, id, tree, isTool }: Execution, { duplicates }: CallSettings): Attempt => ({
	round,
	execution: id,
	tree,
	isTool,
	perRow: duplicates === 'callEach',
});
