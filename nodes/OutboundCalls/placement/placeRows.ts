import { readPages } from '../batches/pages';
import { RECORDS_PER_PAGE } from '../domain/apiLimits';
import type { BlockedNow } from '../domain/blockedRows';
import type { Miscount } from '../domain/bulkAnswer';
import { type CallOutcome, isUndialedForNow, notPlaced } from '../domain/callOutcome';
import { requestPlan } from '../domain/requestPlan';
import type { Row } from '../domain/row';
import { type Frees, leavesOut, promote, type Shared } from '../domain/sharing';
import type { Execution } from '../execution/execution';
import { openReads } from '../execution/run';
import { Slices } from '../execution/slices';
import type { Turns } from '../http/account';
import type { Api } from '../http/client';
import { Patience } from '../http/patience';
import { Throttle } from '../http/throttle';
import { calledBefore } from '../domain/calledBefore';
import { maxCallsReached } from '../claims/maxCalls';
import { type EarlierTries, RunClaims } from '../claims/runClaims';
import type { CallSettings } from '../input/settings';
import type { Halt } from '../results/runErrors';
import type { CallOperation } from './callOperation';
import type { Ledger } from './ledger';
import { Placement, type PlacementPolicy } from './placement';
import { brokenOff } from './runProblems';

/** What rows are called with. */
export interface CallContext {
	execution: Execution;
	operation: CallOperation;
	settings: CallSettings;
	api: Api;
	ledger: Ledger;
	/** Why a row must not be called at this moment. */
	blockedNow: BlockedNow;
}

/** What became of the rows that were to be called. */
export interface Placed {
	/** By position. */
	outcomes: ReadonlyMap<number, CallOutcome>;
	halt?: Halt | undefined;
	/** Requests whose answers count otherwise than their rows. */
	miscounts?: readonly Miscount[];
	/** To be told once the calls were waited for, and to be closed. */
	claims?: RunClaims;
}

/** Calls the live rows that nobody has called yet, and then those that take the place of a row which was not called for a reason of its own. */
export async function placeRows(
	context: CallContext,
	rows: readonly Row[],
	shared: Shared,
): Promise<Placed> {
	const { execution, settings, ledger } = context;
	const claims = new RunClaims(execution, settings, earlierTries(ledger, rows));
	let placed: Placed | undefined;
	try {
		return (placed = await placeClaimed(context, claims, rows, shared));
	} finally {
		if (!placed) claims.close();
	}
}

async function placeClaimed(
	context: CallContext,
	claims: RunClaims,
	rows: readonly Row[],
	shared: Shared,
): Promise<Placed> {
	const { execution, settings, api } = context;
	const turns =
		settings.callsPerMinute === undefined ? undefined : api.account.turnsOf(execution.node);
	const placement = openPlacement(context, claims, turns);
	let halt: Halt | undefined;
	try {
		halt = await placeInOrder(context, placement, claims, rows, shared);
	} finally {
		if (turns) turns.users--;
		await claims.settle();
	}
	const leaders = new Set(shared.callers);
	return {
		outcomes: placement.outcomes,
		halt: halt ?? placement.haltIfAllRefused(rows.filter((row) => leaders.has(row))),
		miscounts: placement.miscounts,
		claims,
	};
}

/** Calls nobody. Rows that earlier tries of this execution called come out all the same: they were called. */
export const earlierCalls = ({ callers }: Shared, ledger: Ledger): Placed => ({
	outcomes: ledger.recorded(callers.filter(({ isDry }) => !isDry)),
});

/** Reads the call records of the batch of one request: they stand on one page. */
export function recordsOf(
	execution: Execution,
	api: Api,
	settings: CallSettings,
): PlacementPolicy['recordsOf'] {
	const run = openReads(execution, api, settings);
	return async (batchId) => {
		const read = await readPages(run, batchId, 'page', RECORDS_PER_PAGE);
		return read.ok ? read.value.records : undefined;
	};
}

function openPlacement(
	{ execution, operation, settings, api, ledger, blockedNow }: CallContext,
	{ claims }: RunClaims,
	turns?: Turns,
): Placement {
	const size = operation.chunkSize(settings.callsPerMinute);
	const throttle = new Throttle({
		line: api.account.line(operation.purpose),
		patience: new Patience(settings.maxWaitMs),
		callsPerMinute: settings.callsPerMinute,
		...(turns ? { pace: (execution.state.outboundCallsPace ??= {}), turns } : {}),
		signal: execution.signal,
	});
	return new Placement(execution, operation, api, throttle, ledger, claims, {
		...settings,
		isRetry: ledger.isRetry,
		stop: execution.stops,
		memoryOf: settings.remembers ? settings.memoryOf : undefined,
		signal: execution.signal,
		recordsOf: recordsOf(execution, api, settings),
		plan: (again) => requestPlan(again, size),
		blockedNow,
	});
}

/** Calls the rows that lead, then those that take their place. */
async function placeInOrder(
	{ execution, ledger, settings }: CallContext,
	placement: Placement,
	claims: RunClaims,
	rows: readonly Row[],
	shared: Shared,
): Promise<Halt | undefined> {
	const { outcomes } = placement;
	const slices = new Slices(execution.signal);
	const isOpen = ({ position }: Row): boolean => {
		const outcome = outcomes.get(position);
		return outcome === undefined || (settings.retryUndialed && isUndialedForNow(outcome));
	};
	const record = (callers: readonly Row[]): void => {
		for (const [position, outcome] of ledger.recorded(callers)) outcomes.set(position, outcome);
	};
	const frees: Frees = (first, follower) => {
		const outcome = outcomes.get(first.position);
		// An earlier try of this execution called the follower's number: it comes out with that call.
		const hasOutcome = first.person !== follower.person && ledger.called.has(follower.person);
		return leavesOut(outcome, first, follower) || (outcome?.called === 'no' && hasOutcome);
	};
	let halt: Halt | undefined;
	let callers = shared.callers.filter(({ isDry }) => !isDry);
	while (callers.length > 0 && !halt) {
		record(callers);
		await slices.restIfOver();
		halt = await placeWithin(claims, placement, callers.filter(isOpen)).catch((thrown: unknown) => {
			// Nothing is expected to throw here; if something does, no row may get lost: what was sent is unknown then, and comes out so.
			const open = callers.filter(({ position }) => !outcomes.has(position));
			record(open);
			return {
				kind: 'unknown',
				rows: open.length > 0 ? open : callers,
				problem: brokenOff(thrown),
			};
		});
		callers = promote(shared, rows, settings.duplicates, frees);
	}
	return halt;
}

/**
 * Calls as many rows as the limit leaves. Rows that turn out not to be called, such as those of people called before, do not
 * count.
 */
async function placeWithin(
	claims: RunClaims,
	placement: Placement,
	open: readonly Row[],
): Promise<Halt | undefined> {
	const { outcomes } = placement;
	const { limit } = claims;
	for (let from = 0; from < open.length;) {
		const rest = open.slice(from);
		const calls = await limit
			.take(rest.length)
			.catch((thrown: unknown) => placement.refuse(rest, thrown));
		if (typeof calls !== 'number') return calls.halt;
		const wave = rest.slice(0, calls);
		if (wave.length === 0) {
			const beyond = rest.filter(({ position }) => !outcomes.has(position));
			for (const { position } of beyond)
				outcomes.set(position, notPlaced('limit_reached', maxCallsReached(limit.most!)));
			// They may be those whose calls have used it up. Where the database cannot tell, the limit is the reason.
			const called = await claims.calledByRetries(beyond).catch(() => []);
			for (const row of called) outcomes.set(row.position, calledBefore(row, undefined));
			return undefined;
		}
		const halt = await placement.run(wave);
		await limit.giveBack(
			wave.filter(({ position }) => (outcomes.get(position)?.called ?? 'no') === 'no').length,
		);
		if (halt) return halt;
		from += calls;
	}
	return undefined;
}

/**
 * What the ledger knows of earlier tries. Where one of a number's rows has a key of its own, nobody knows which of them an
 * earlier try called, so none of them counts as claimed by it.
 */
function earlierTries(ledger: Ledger, rows: readonly Row[]): EarlierTries {
	const keyed = new Set(
		rows.filter(({ callOnceKey }) => callOnceKey !== undefined).map(({ person }) => person),
	);
	return {
		called: ledger.called.keys(),
		retryKeys: ledger.isRetry ? (row, tree) => ledger.retryKeys(row, tree) : undefined,
		claimed: ({ person }) => ledger.called.has(person) && !keyed.has(person),
	};
}
