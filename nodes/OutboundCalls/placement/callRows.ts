import { type CallOutcome, invalid, notPlaced, type RowOutcome } from '../domain/callOutcome';
import { rowName } from '../domain/format';
import type { Problem } from '../domain/problem';
import { Judge, optedOutIn } from '../domain/rightToCall';
import { requestPlan } from '../domain/requestPlan';
import { type CheckedRow, checkRow, type Row } from '../domain/row';
import { deduplicate, leavesOut, type Shared } from '../domain/sharing';
import type { Execution, OutputItem } from '../execution/execution';
import { openReads } from '../execution/run';
import { RunParameters } from '../execution/runParameters';
import { limitReached } from '../claims/callLimit';
import type { CallOperation } from './callOperation';
import { followCalls, type FollowedCall } from '../results/followCalls';
import { forecast } from '../results/forecast';
import { heldBackBy, heldRows } from './heldRows';
import { optedOutEarlier } from './optOuts';
import { outputRows } from '../results/outputRows';
import { earlierCalls, openLedger, type Placed, placeRows } from './placeRows';
import { readRows } from './readRows';
import { callSettings, type CallSettings } from './settings';
import { allInvalid, haltError, runProblemError } from '../results/runErrors';
import { countPeople, totals } from '../results/totals';

/** A run whose rows have been read and checked. */
interface Prepared {
	settings: CallSettings;
	checked: CheckedRow[];
	/** Undefined when nothing keeps people from being called at one time or another. */
	judge: Judge | undefined;
	/** Why none of the rows may be called. */
	problem: Problem | undefined;
}

/**
 * Reads and checks everything, then calls the rows that may be called: every row comes out once, on Called
 * or Not Called. Throws only with On Error = Stop, and only for what concerns the whole run.
 */
export async function callRows(execution: Execution, operation: CallOperation): Promise<OutputItem[][]> {
	const { stops: stop } = execution;
	const prepared = prepare(execution);
	const { settings, checked } = prepared;
	const rows = checked.flatMap((each) => (each.ok ? [each.value] : []));
	const live = rows.filter(({ isDry }) => !isDry);
	const api = prepared.problem || live.length === 0 ? undefined : await execution.openApi();
	const runProblem = prepared.problem ?? (api?.ok === false ? api.error : undefined);
	if (stop) {
		if (runProblem) throw runProblemError(execution, runProblem);
		const rejected = checked.flatMap((each) => (each.ok ? [] : [each.error]));
		if (rows.length === 0 && rejected.some(({ isDry }) => !isDry)) throw allInvalid(execution, rejected);
	}

	const heldBack = heldBackBy(prepared.judge);
	const earlier = live.length > 0 ? openLedger(execution, live, settings, operation) : undefined;
	const held = heldRows(rows, heldBack, earlier?.called);
	const callable = held.size === 0 ? rows : rows.filter(({ position }) => !held.has(position));
	const shared = deduplicate(callable, settings.duplicates);
	const placed: Placed = !earlier
		? { outcomes: new Map() }
		: api?.ok
			? await placeRows(execution, live, shared, settings, { send: api.value, heldBack, ...earlier }, operation)
			: earlierCalls(shared, earlier);
	for (const { position } of beyondLimit(shared, settings)) held.set(position, notPlaced('limit_reached', limitReached(settings.maxCalls!)));
	const outcomeOf = outcomes(shared, placed, held, settings.duplicates === 'callEach', ({ isDry }) => (isDry ? prepared.problem : runProblem));
	const settled = checked.map((each): RowOutcome =>
		each.ok ? { row: each.value, outcome: outcomeOf(each.value) } : { row: each.error, outcome: invalid(each.error) },
	);
	if (stop && placed.halt) throw haltError(execution, placed.halt, countPeople(settled), settings.remembers);

	const followed =
		settings.waiting && api?.ok
			? await followCalls(openReads(execution, api.value, settings), settled, settings.waiting)
			: new Map<RowOutcome, FollowedCall>();
	if (stop && followed.size > 0 && execution.signal?.aborted)
		throw haltError(execution, { kind: 'cancelled' }, countPeople(settled), settings.remembers);

	const requests = prepared.problem ? new Map<number, number>() : dryRequests(shared, settings, operation);
	const output = outputRows(execution, settled, {
		operation: operation.purpose,
		includeInputFields: settings.includeInputFields,
		followed,
		requests,
	});
	placed.close?.();
	execution.hint(() => sentences(totals(settled, followed), forecast(settled, settings, prepared.judge, execution.timeZone)));
	return output;
}

const sentences = (first: string, more: string): string => (more === '' || first.endsWith('.') ? first + more : `${first}.${more}`);

/** All parameters are read here, before the first call. Never throws. */
function prepare(execution: Execution): Prepared {
	const { settings, problem: unusable } = callSettings(execution);
	const read = new RunParameters(execution);
	const source = read.choice('destinationSource', 'Destinations From', ['items', 'list', 'json']);
	const variables = read.choice('variablesFrom', 'Prompt Variables From', ['fields', 'input', 'json']);
	// Each row is checked as it is read, so that a large sheet is held once, not twice.
	const checked: CheckedRow[] = [];
	let saysWhoOptedOut = execution.parameters.raw('options.optedOut') === undefined;
	for (const raw of readRows(execution, source, variables, settings.remembers)) {
		saysWhoOptedOut ||= raw.optedOut !== undefined;
		checked.push(checkRow(raw, checked.length));
	}
	const optedOut = optedOutIn(checked);
	const { rightToCall } = settings;
	const problem = unusable ?? read.problem ?? (saysWhoOptedOut ? undefined : NOBODY_SAYS);
	const earlier = optedOutEarlier(execution, optedOut.keys());
	const isJudged = rightToCall.hours !== undefined || rightToCall.doNotCall.size > 0 || optedOut.size > 0 || earlier !== undefined;
	return { settings, checked, judge: isJudged && !problem ? new Judge({ ...rightToCall, optedOut, optedOutEarlier: earlier }) : undefined, problem };
}

/** A column whose name is misspelt has nothing in any row: everybody who asked not to be called would be called. */
const NOBODY_SAYS: Problem = {
	message: 'Opted Out is empty in every row',
	remedy:
		'Check the name of the column in that option. If it is right, and your list leaves empty cells out, write {{ $json.opted_out ?? "no" }} there, with the name of your column.',
};

/** Rows of a dry run that Max Calls would leave out. */
const beyondLimit = ({ callers }: Shared, { maxCalls }: CallSettings): Row[] =>
	maxCalls === undefined ? [] : callers.filter(({ isDry }) => isDry).slice(maxCalls);

/** What became of a row that may be called; for one that shares an earlier row's call, what became of that. */
function outcomes(
	shared: Shared,
	{ outcomes: placed, halt }: Placed,
	held: ReadonlyMap<number, CallOutcome>,
	/** Rows of one number share no call, so that those that do share a key. */
	eachRow: boolean,
	problemOf: (row: Row) => Problem | undefined,
): (row: Row) => CallOutcome {
	const ended = halt?.kind === 'cancelled' ? 'The execution was stopped before this row was sent.' : 'The run ended before this row was sent.';
	const notReached: CallOutcome = { ...notPlaced('refused', ended), called: 'no', reach: 'run', notReached: true };
	const own = (row: Row): CallOutcome => {
		const outcome = held.get(row.position) ?? placed.get(row.position);
		if (outcome) return outcome;
		const why = problemOf(row);
		if (why) return notPlaced('refused', `${why.message}. ${why.remedy}`);
		return row.isDry ? notPlaced('dry_run', null) : notReached;
	};
	return (row) => {
		const first = shared.followers.get(row.position);
		if (first === undefined) return own(row);
		const outcome = own(first);
		// It would have been its turn.
		if (leavesOut(outcome, first, row)) return notReached;
		if (first.destination === row.destination) {
			const same = eachRow ? 'Same person (option Remember People By)' : 'Same number';
			return { ...outcome, isDuplicate: true, status: 'duplicate', reason: `${same} as ${rowName(first.position).toLowerCase()}` };
		}
		if (outcome.called === 'no' && (outcome.reach === 'run' || outcome.reach === 'agent')) return outcome;
		const samePerson = `Same person as ${rowName(first.position).toLowerCase()} (option Remember People By), with another number`;
		return { ...notPlaced('already_called', samePerson), called: 'no', reach: 'key', sharesKey: true };
	};
}

/** In a dry run, the number of the request that a row would be part of, from 1. Rows beyond the limit are part of none. */
function dryRequests({ callers, followers }: Shared, { callsPerMinute, maxCalls }: CallSettings, operation: CallOperation): Map<number, number> {
	const requests = new Map<number, number>();
	const dry = callers.filter(({ isDry }) => isDry).slice(0, maxCalls);
	requestPlan(dry, operation.chunkSize(callsPerMinute)).forEach((chunk, index) => {
		for (const { position } of chunk.rows) requests.set(position, index + 1);
	});
	for (const [position, first] of followers) {
		const request = requests.get(first.position);
		if (request !== undefined) requests.set(position, request);
	}
	return requests;
}
