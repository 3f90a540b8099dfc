import { type CallOutcome, invalid, isCalled, notPlaced, type RowOutcome } from '../domain/callOutcome';
import { rowName } from '../domain/format';
import type { Problem } from '../domain/problem';
import { requestPlan } from '../domain/requestPlan';
import type { RejectedRow, Row } from '../domain/row';
import { listFields } from '../domain/rowSources';
import { deduplicate, difference, leavesOut, type Shared } from '../domain/sharing';
import type { Execution, OutputItem } from '../execution/execution';
import { openReads } from '../execution/run';
import { limitReached } from '../claims/callLimit';
import type { CallOperation } from './callOperation';
import { followCalls, type FollowedCall } from '../results/followCalls';
import { forecast } from '../results/forecast';
import { heldBackBy, heldRows } from './heldRows';
import { outputRows } from '../results/outputRows';
import { rehearse } from './rehearsal';
import { type CallsLearned, earlierCalls, openLedger, type Placed, placeRows } from './placeRows';
import { prepare } from './prepare';
import { STOPPED } from './readRows';
import type { CallSettings } from './settings';
import { whyNoTest, withTestCall } from './testCall';
import { allInvalid, haltError, runProblemError } from '../results/runErrors';
import { countPeople, totals } from '../results/totals';

/**
 * Reads and checks everything, then calls the rows that may be called: every row comes out once on All Rows,
 * and once on Called or Not Called. Throws only with On Error = Stop, and only for what concerns the whole run.
 */
export async function callRows(execution: Execution, operation: CallOperation): Promise<OutputItem[][]> {
	const { stops: stop } = execution;
	const prepared = await prepare(execution);
	const { settings, checked } = prepared;
	const rows = checked.flatMap((each) => (each.ok ? [each.value] : []));
	const live = rows.filter(({ isDry }) => !isDry);
	const { testNumber } = prepared;
	const noTest = testNumber === undefined ? undefined : whyNoTest(execution);
	const rings = testNumber !== undefined && noTest === undefined;
	const api = prepared.problem || (live.length === 0 && !rings) ? undefined : await execution.openApi();
	const runProblem = prepared.problem ?? (api?.ok === false ? api.error : undefined);
	if (stop) {
		if (runProblem) throw runProblemError(execution, runProblem);
		const unfit = checked.flatMap((each) => (each.ok ? [] : [each.error]));
		if (rows.length === 0 && unfit.some(({ isDry }) => !isDry)) throw allInvalid(execution, unfit);
	}

	const heldBack = heldBackBy(prepared.judge);
	const earlier = live.length > 0 ? openLedger(execution, live, settings, operation) : undefined;
	const held = prepared.problem ? new Map<number, CallOutcome>() : heldRows(rows, settings.callable, heldBack, earlier?.called);
	const callable = held.size === 0 ? rows : rows.filter(({ position }) => !held.has(position));
	const shared = deduplicate(earlier?.spokenFirst(callable) ?? callable, settings.duplicates);
	const leavesMark = live.length === 0 && rows.length > 0 && execution.mode !== 'evaluation';
	const rehearsal = prepared.problem ? undefined : await rehearse(execution, callable, shared, settings, leavesMark);
	for (const [position, outcome] of rehearsal?.outcomes ?? []) held.set(position, outcome);
	const isPlanned = ({ isDry, position }: Row): boolean => isDry && !held.has(position);
	const plannedCalls = { ...shared, callers: shared.callers.filter(isPlanned) };
	const placed: Placed = !earlier
		? { outcomes: new Map() }
		: api?.ok
			? await placeRows(execution, live, shared, settings, { api: api.value, heldBack, ...earlier }, operation)
			: earlierCalls(shared, earlier);
	for (const { position } of beyondLimit(plannedCalls, settings)) held.set(position, notPlaced('limit_reached', limitReached(settings.maxCalls!)));
	const outcomeOf = outcomes(shared, placed, held, settings.duplicates === 'callEach', ({ isDry }) => (isDry ? prepared.problem : runProblem));
	const planned = checked.map((each): RowOutcome => (each.ok ? { row: each.value, outcome: outcomeOf(each.value) } : rejected(each.error)));
	if (stop && placed.halt) throw haltError(execution, placed.halt, countPeople(planned), settings.remembers);
	const settled =
		testNumber === undefined
			? planned
			: await withTestCall(execution, planned, { number: testNumber, api: rings ? api : undefined, settings, operation });

	const followed =
		settings.waiting && api?.ok
			? await followCalls(openReads(execution, api.value, settings), settled, settings.waiting)
			: new Map<RowOutcome, FollowedCall>();
	const isRemembered = (await placed.learn?.(learnedFrom(followed))) ?? true;

	const requests = prepared.problem ? new Map<number, number>() : dryRequests(rows, plannedCalls, settings, operation);
	const output = outputRows(execution, settled, {
		operation: operation.purpose,
		leaveOut: fieldsToLeaveOut(execution, settings),
		followed,
		requests,
	});
	placed.close?.();
	const more = (): string =>
		[forecast(settled, settings, prepared.judge, execution.timeZone), ...(rehearsal?.sentences ?? []), isRemembered ? '' : FORGOTTEN].join('');
	execution.hint(() =>
		sentences(totals(settled, followed, { noTest, isEvaluation: execution.mode === 'evaluation', executesOnce: execution.executesOnce }), more()),
	);
	return output;
}

const FORGOTTEN =
	' n8n’s memory could not be used when the calls had ended: people who were reached may be called again, and calls that were cancelled count.';

function learnedFrom(followed: ReadonlyMap<RowOutcome, FollowedCall>): CallsLearned {
	const learned: { reached: Row[]; neverDialed: Row[] } = { reached: [], neverDialed: [] };
	for (const [{ row }, { reached, neverDialed }] of followed) {
		// The row of a test has the user's own phone.
		if ('problem' in row || row.isDry) continue;
		if (neverDialed) learned.neverDialed.push(row);
		else if (reached) learned.reached.push(row);
	}
	return learned;
}

/** A row that was not read because the execution was stopped may well be one that could be called. */
const rejected = (row: RejectedRow): RowOutcome => ({
	row,
	outcome: row.problem === STOPPED ? notPlaced('refused', `${STOPPED.message}. ${STOPPED.remedy}`) : invalid(row),
});

const sentences = (first: string, more: string): string => (more === '' || first.endsWith('.') ? first + more : `${first}.${more}`);

/** The input's fields that rows do not carry: the field that a list of destinations came from would stand, whole, in each of its rows. */
function fieldsToLeaveOut({ parameters, input }: Execution, { includeInputFields, listsFrom }: CallSettings): 'all' | ReadonlySet<string> {
	if (!includeInputFields) return 'all';
	return listsFrom === undefined ? new Set() : listFields(parameters.raw(listsFrom), input);
}

/** Rows of a dry run that Max Calls would leave out. */
const beyondLimit = ({ callers }: Shared, { maxCalls }: CallSettings): Row[] => (maxCalls === undefined ? [] : callers.slice(maxCalls));

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
		const name = rowName(first.position).toLowerCase();
		if (first.person === row.person) {
			const same = `${eachRow ? 'Same person (option Remember People By)' : 'Same number'} as ${name}`;
			const other = isCalled(outcome) || outcome.status === 'dry_run' ? difference(first, row) : undefined;
			if (other === undefined) return { ...outcome, isDuplicate: true, status: 'duplicate', reason: same };
			const remedy = eachRow ? 'let Remember People By differ' : 'set Duplicates to Call Each Row';
			const reason = `${same}, with ${other}. To call for each row, ${remedy}`;
			return { status: 'same_number', reason, success: false, called: row.isDry ? 'no' : 'other_row', reach: 'person' };
		}
		if (outcome.called === 'no' && (outcome.reach === 'run' || outcome.reach === 'agent')) return outcome;
		const samePerson = `Same person as ${name} (option Remember People By), with another number`;
		return { ...notPlaced('already_called', samePerson), called: 'no', reach: 'key', sharesKey: true };
	};
}

/** In a dry run, the number of the request that a row would be part of, from 1. Rows beyond the limit are part of none. */
function dryRequests(
	rows: readonly Row[],
	{ callers, followers }: Shared,
	{ callsPerMinute, maxCalls }: CallSettings,
	operation: CallOperation,
): Map<number, number> {
	const requests = new Map<number, number>();
	const dry = callers.slice(0, maxCalls);
	requestPlan(dry, operation.chunkSize(callsPerMinute)).forEach((chunk, index) => {
		for (const { position } of chunk.rows) requests.set(position, index + 1);
	});
	for (const row of rows) {
		const first = followers.get(row.position);
		const request = first && difference(first, row) === undefined ? requests.get(first.position) : undefined;
		if (request !== undefined) requests.set(row.position, request);
	}
	return requests;
}
