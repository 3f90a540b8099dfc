import { type CallOutcome, isUndialedForNow, notPlaced } from '../domain/callOutcome';
import { countsCalls, reachedName } from '../domain/callLimits';
import { alongKeys, memoryKey } from '../domain/memoryKeys';
import { requestPlan } from '../domain/requestPlan';
import type { Row } from '../domain/row';
import { type Frees, leavesOut, promote, type Shared } from '../domain/sharing';
import type { Execution } from '../execution/execution';
import type { Api } from '../http/client';
import { Throttle } from '../http/throttle';
import { CallLimit, limitReached } from '../claims/callLimit';
import type { CallOperation } from './callOperation';
import { ClaimsAhead } from '../claims/ahead';
import { both, type Claims, noClaims } from '../claims/claims';
import { Counts } from '../claims/counts';
import { WithinLimits } from '../claims/withinLimits';
import { openGate } from '../claims/gate';
import { Memory } from '../claims/memory';
import { RunKeys } from '../claims/runKeys';
import { Siblings } from '../claims/siblings';
import { type Attempt, countOccurrences, Ledger } from './ledger';
import { Placement, type PlacementPolicy } from './placement';
import type { Halt } from '../results/runErrors';
import type { CallSettings } from './settings';

/** What earlier tries of this execution left behind. */
export interface Earlier {
	ledger: Ledger<CallOutcome>;
	/** Numbers that they called, or may have, and how often. */
	called: ReadonlyMap<string, number>;
	/** The rows, but first those whose words they have spoken. */
	spokenFirst: (rows: readonly Row[]) => readonly Row[];
	/** Lets the ledger go, once the output is made. */
	close: () => void;
}

/** What rows are called with. */
export interface CallContext extends Earlier {
	api: Api;
	/** Why a row must not be called at this moment. */
	heldBack: PlacementPolicy['heldBack'];
}

/** The ledger of this execution. `rows`: all live ones, also those that are not called now, so that a row is the same in all tries. */
export function openLedger(execution: Execution, rows: readonly Row[], settings: CallSettings, operation: CallOperation): Earlier {
	const ledger = new Ledger<CallOutcome>(execution.state, operation, attempt(execution, rows, settings));
	const close = (): void => {
		ledger.close(rows);
	};
	const spokenFirst = (those: readonly Row[]): readonly Row[] => ledger.spokenFirst(those, wasCalled);
	return { ledger, called: ledger.calledNumbers(wasCalled), spokenFirst, close };
}

/** What became of the rows that were to be called. */
export interface Placed {
	outcomes: ReadonlyMap<number, CallOutcome>;
	halt?: Halt | undefined;
	/** To be told once the calls were waited for. False when nobody who was reached could be remembered. */
	learn?: (calls: CallsLearned) => Promise<boolean>;
	/** Lets the ledger go, once the output is made. */
	close?: () => void;
}

/** What the wait for calls has told. */
export interface CallsLearned {
	reached: readonly Row[];
	/** Cancelled before they were dialed: certainly not placed. */
	neverDialed: readonly Row[];
}

/** Calls those of the live rows that nobody called yet, and then those that follow a row which was not called for a reason of its own. */
export async function placeRows(
	execution: Execution,
	rows: readonly Row[],
	shared: Shared,
	settings: CallSettings,
	{ api, ledger, called, heldBack, close }: CallContext,
	operation: CallOperation,
): Promise<Placed> {
	const size = operation.chunkSize(settings.callsPerMinute);
	const keys = new RunKeys(execution.keyStore(settings.memoryOf));
	const limit = new CallLimit(execution.state, settings.maxCalls, keys, execution.tree);
	const turns = settings.callsPerMinute === undefined ? undefined : api.account.turnsOf(execution.node);
	const counts = new Counts(keys);
	let opened: Promise<number> | undefined;
	const gate = async (): Promise<number> => await (opened ??= openGate(keys, settings.setting));
	const claims = withinLimits(counts, settings, claimsOf(keys, rows, settings, { ledger, called }, gate), gate);
	const policy = {
		isRetry: ledger.isRetry,
		stop: execution.stops,
		countsCalls: countsCalls(settings.limits),
		memoryOf: settings.remembers ? settings.memoryOf : undefined,
	};
	const placement = new Placement(
		operation,
		api,
		new Throttle({
			maxWaitMs: settings.maxWaitMs,
			callsPerMinute: settings.callsPerMinute,
			...(turns ? { pace: (execution.state.outboundCallsPace ??= {}), turns } : {}),
			signal: execution.signal,
		}),
		ledger,
		claims,
		{ ...settings, ...policy, signal: execution.signal, plan: (again) => requestPlan(again, size), heldBack },
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
		const hasOutcome = first.person !== follower.person && called.has(follower.person);
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
		}
	} finally {
		if (turns) turns.users--;
		await keys.close();
	}
	const leaders = new Set(shared.callers);
	return {
		outcomes,
		halt: halt ?? placement.haltIfAllRefused(rows.filter((row) => leaders.has(row))),
		learn: async (calls) => await learned(calls, { keys, claims, counts, settings }),
		close,
	};
}

/** Remembers what the wait for calls has told. */
async function learned(
	{ reached, neverDialed }: CallsLearned,
	{ keys, claims, counts, settings }: { keys: RunKeys; claims: Claims; counts: Counts; settings: CallSettings },
): Promise<boolean> {
	const isToMark = settings.limits.stopWhenReached && reached.length > 0;
	if (neverDialed.length === 0 && !isToMark) return true;
	keys.reopen();
	try {
		if (neverDialed.length > 0) await claims.release(neverDialed);
		if (isToMark) await counts.mark(reached.map(({ person }) => reachedName(person)));
		await claims.settle?.();
		return true;
	} catch {
		return false;
	} finally {
		await keys.close();
	}
}

/** Whoever has to agree before a row is called. */
function claimsOf(
	keys: RunKeys,
	rows: readonly Row[],
	{ remembers, duplicates, setting }: CallSettings,
	{ ledger, called }: Pick<Earlier, 'ledger' | 'called'>,
	gate: () => Promise<number>,
): Claims {
	const siblings = ledger.isRetry ? new Siblings(keys, (row) => ledger.retryKeys(row, called.get(row.person) ?? 0)) : undefined;
	if (!remembers) return siblings ?? noClaims;
	const isOurs = duplicates === 'callEach' ? { isOurs: claimedEarlier(called, rows) } : {};
	const memory = new Memory(keys, { keyOf: memoryKey, alsoOf: (row) => alongKeys(row, setting), ...isOurs });
	return new ClaimsAhead(siblings ? both(siblings, memory) : memory, gate);
}

const withinLimits = (counts: Counts, { limits }: CallSettings, claims: Claims, gate: () => Promise<number>): Claims =>
	countsCalls(limits) ? new WithinLimits(claims, counts, limits, gate) : claims;

/**
 * Calls as many rows as the limit leaves. A row that turns out not to be called, such as one that was called before, takes no
 * other one's place.
 */
async function placeWithin(limit: CallLimit, placement: Placement, open: readonly Row[]): Promise<Halt | undefined> {
	const { outcomes } = placement;
	for (let from = 0; from < open.length;) {
		const rest = open.slice(from);
		const calls = await limit.take(rest.length).catch((thrown: unknown) => placement.refuse(rest, thrown));
		if (typeof calls !== 'number') return calls.halt;
		if (calls === 0) {
			for (const { position } of rest) if (!outcomes.has(position)) outcomes.set(position, notPlaced('limit_reached', limitReached(limit.most!)));
			return undefined;
		}
		const wave = rest.slice(0, calls);
		const halt = await placement.run(wave);
		await limit.giveBack(wave.filter(({ position }) => !mayHaveBeenCalled(outcomes.get(position))).length);
		if (halt) return halt;
		from += calls;
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
	const keyed = new Set(rows.filter(({ callOnceKey }) => callOnceKey !== undefined).map(({ person }) => person));
	return ({ person }) => called.has(person) && !keyed.has(person);
}

function attempt({ round, id, tree, isTool }: Execution, rows: readonly Row[], { duplicates }: CallSettings): Attempt {
	return { round, execution: id, tree, isTool, perRow: duplicates === 'callEach', occurrences: countOccurrences(rows) };
}
