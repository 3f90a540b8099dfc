import { blockedBy, type BlockedNow } from '../domain/blockedRows';
import { type CallOutcome, invalid, notPlaced, type RowOutcome } from '../domain/callOutcome';
import { learnsReached } from '../domain/callLimits';
import { contentOf, wordsIn } from '../domain/contentHash';
import { formatRows } from '../domain/format';
import { plannedRequests } from '../domain/plannedRequests';
import { requestPlan } from '../domain/requestPlan';
import type { Checked, Problem } from '../domain/problem';
import type { CheckedRow, RejectedRow, Row } from '../domain/row';
import { rowOutcomes } from '../domain/endOfRun';
import { listFields } from '../domain/rowSources';
import { deduplicate, type Shared } from '../domain/sharing';
import type { Execution, OutputItem } from '../execution/execution';
import { openReads } from '../execution/run';
import type { Slices } from '../execution/slices';
import type { Api } from '../http/client';
import { maxCallsReached } from '../claims/maxCalls';
import type { CallsLearned } from '../claims/runClaims';
import { takeBackMarks } from '../claims/unseenMarks';
import { prepare, type Prepared } from '../input/prepare';
import { STOPPED } from '../input/readRows';
import type { CallSettings } from '../input/settings';
import { followCalls, type FollowedCall } from '../results/followCalls';
import { forecast } from '../results/forecast';
import { countedOtherwise } from '../results/miscounts';
import { outputRows } from '../results/outputRows';
import { allInvalid, haltError, runProblemError } from '../results/runErrors';
import { countPeople, totals } from '../results/totals';
import type { CallOperation } from './callOperation';
import { type Ledger, openLedger } from './ledger';
import { earlierCalls, type Placed, placeRows } from './placeRows';
import { NO_REHEARSAL, rehearse, type Rehearsal } from './rehearsal';
import { whyNoTest, withTestCall } from './testCall';

/**
 * Reads and checks everything, then calls the rows that may be called: every row comes out once on All Rows,
 * and once on Called or Not Called. Throws only with On Error = Stop, and only for what concerns the whole run.
 */
export async function callRows(
	execution: Execution,
	operation: CallOperation,
): Promise<OutputItem[][]> {
	const run = await beginRun(execution);
	const judged = await judgeRows(execution, run, operation);
	const placed = await place(execution, operation, run, judged);
	try {
		return await finish(execution, operation, run, judged, placed);
	} finally {
		placed.claims?.close();
	}
}

/** Waits for the calls, if that is wanted, and tells what became of all rows. */
async function finish(
	execution: Execution,
	operation: CallOperation,
	run: Run,
	judged: Judged,
	placed: Placed,
): Promise<OutputItem[][]> {
	const { settings, api, testNumber, slices } = run;
	const { ledger, shared, planned, rehearsal } = judged;
	const rows = outcomesOf(run, judged, placed);
	await slices.restIfOver();
	const miscounted = countedOtherwise(placed.miscounts ?? []);
	if (execution.stops && placed.halt) {
		// The next run must not call again whom this one has reached, however it ends.
		const ended = learnsReached(settings.limits)
			? await follow(execution, run, rows, placed)
			: undefined;
		const told = miscounted + (ended === undefined ? '' : notLearned(ended));
		throw haltError(
			execution,
			placed.halt,
			{ ...countPeople(rows), told: told.trimStart() },
			settings.remembers,
		);
	}
	const test = { api: run.noTest === undefined ? api : undefined, settings, operation };
	const settled =
		testNumber === undefined
			? rows
			: await withTestCall(execution, rows, { ...test, number: testNumber });
	const { followed, isRemembered } = await follow(execution, run, settled, placed);

	const output = await outputRows(execution, settled, {
		operation: operation.purpose,
		leaveOut: fieldsToLeaveOut(execution, settings),
		followed,
		requests: run.problem
			? new Map()
			: plannedRequests(
					run.rows,
					{ callers: planned, followers: shared.followers },
					operation.chunkSize(settings.callsPerMinute),
				),
	});
	await slices.restIfOver();
	execution.hint(() => {
		const notes = {
			noTest: run.noTest,
			isEvaluation: execution.isEvaluation,
			executesOnce: execution.executesOnce,
		};
		const told = miscounted === '' ? '' : ` ${miscounted}`;
		const more = [
			forecast(settled, settings, run.judge, execution.timeZone),
			...rehearsal.sentences,
			told,
			notLearned({
				followed: settings.limits.stopWhenReached ? followed : new Map(),
				isRemembered,
			}),
		];
		return sentences(totals(settled, followed, notes), more.join(''));
	});
	// Last, because a Stop may come while others have their turn.
	ledger?.close(run.live);
	return output;
}

/** Waits for the calls, if that is wanted. `isRemembered`: what that has shown is in the memory, as far as later runs have to know it. */
async function follow(
	execution: Execution,
	{ settings, api }: Run,
	rows: readonly RowOutcome[],
	{ claims }: Placed,
): Promise<{ followed: ReadonlyMap<RowOutcome, FollowedCall>; isRemembered: boolean }> {
	const followed =
		settings.waiting && api?.ok
			? await followCalls(openReads(execution, api.value, settings), rows, settings.waiting)
			: new Map<RowOutcome, FollowedCall>();
	return { followed, isRemembered: (await claims?.learn(learnedFrom(followed))) ?? true };
}

/** What the rows would say, if they came out. */
function notLearned({ followed, isRemembered }: Awaited<ReturnType<typeof follow>>): string {
	const open = [...followed.values()].filter(
		({ settled, cannotBeFollowed }) => !settled || cannotBeFollowed,
	).length;
	const who =
		open === 0
			? ''
			: ` Of ${formatRows(open)} called, nobody knows yet whether somebody was reached: look at your dashboard before the next run, which may call them again.`;
	return who + (isRemembered ? '' : FORGOTTEN);
}

const FORGOTTEN =
	' n8n’s memory could not be used when the calls had ended: if n8n is restarted before it can be, people who were reached may be called again, and calls that were cancelled count.';

const sentences = (first: string, more: string): string =>
	more === '' || first.endsWith('.') ? first + more : `${first}.${more}`;

/** A run that was read, with what it needs to send. */
interface Run extends Prepared {
	/** Those that may be sent. */
	rows: readonly Row[];
	/** Of them, those of people who may be called for real. */
	live: readonly Row[];
	/** Of a row that is to be called for real, be it one that cannot be sent. */
	someoneIsLive: boolean;
	/** Why no phone rings in a test. */
	noTest: string | undefined;
	/** Undefined where nothing is to be sent. */
	api: Checked<Api> | undefined;
	/** Why none of the live rows may be called. */
	liveProblem: Problem | undefined;
}

/** Reads everything. Throws when nothing can be sent and On Error is Stop. */
async function beginRun(execution: Execution): Promise<Run> {
	const prepared = await prepare(execution);
	const { checked, testNumber } = prepared;
	const rows = checked.flatMap((each) => (each.ok ? [each.value] : []));
	const live = rows.filter(({ isDry }) => !isDry);
	const someoneIsLive = live.length > 0 || checked.some((each) => !each.ok && each.error.isLive);
	if (someoneIsLive) await takeBackMarks(execution);
	const noTest = testNumber === undefined ? undefined : whyNoTest(execution);
	const rings = testNumber !== undefined && noTest === undefined;
	const api =
		prepared.problem || (live.length === 0 && !rings) ? undefined : await execution.openApi();
	const liveProblem = prepared.problem ?? (api?.ok === false ? api.error : undefined);
	if (execution.stops) {
		if (liveProblem) throw runProblemError(execution, liveProblem, prepared.settings.remembers);
		const unfit = checked.flatMap((each) => (each.ok ? [] : [each.error]));
		if (rows.length === 0 && unfit.some(({ isDry }) => !isDry))
			throw allInvalid(execution, unfit, prepared.settings.remembers);
	}
	return { ...prepared, rows, live, someoneIsLive, noTest, api, liveProblem };
}

/** Whom a run may call, before anything is sent. */
interface Judged {
	/** Undefined where no row is live. */
	ledger: Ledger | undefined;
	blockedNow: BlockedNow;
	/** Outcomes of the rows that must not be called, or would not be, by position. */
	blocked: Map<number, CallOutcome>;
	/** The others, by the calls that they share. */
	shared: Shared;
	/** Outcomes of those whose own words an earlier try of this execution has spoken, by position. */
	spoken: ReadonlyMap<number, CallOutcome>;
	/** Of a dry run: those that would be called, in the order of their calls. */
	planned: readonly Row[];
	rehearsal: Rehearsal;
}

async function judgeRows(
	execution: Execution,
	{ settings, checked, problem, judge, rows, live, someoneIsLive, slices }: Run,
	operation: CallOperation,
): Promise<Judged> {
	const { duplicates } = settings;
	const blockedNow = blockedBy(settings.callable, judge);
	const ledger = someoneIsLive
		? await slices.through(openLedger(execution, live, duplicates, operation, othersIn(checked)))
		: undefined;
	const blocked = problem
		? new Map<number, CallOutcome>()
		: await blockedAtFirst(
				rows,
				(row) => blockedNow(row),
				ledger,
				slices,
			);
	const callable =
		blocked.size === 0 ? rows : rows.filter(({ position }) => !blocked.has(position));
	await slices.restIfOver();
	const spokenFirst = ledger?.spokenFirst(callable) ?? callable;
	await slices.restIfOver();
	const shared = deduplicate(spokenFirst, duplicates);
	const spoken = ledger?.spoken(callable) ?? new Map<number, CallOutcome>();
	await slices.restIfOver();
	const leavesMark = !someoneIsLive && rows.length > 0 && !execution.isEvaluation;
	const inOrder = (callers: readonly Row[]): Row[] =>
		requestPlan(callers, operation.chunkSize(settings.callsPerMinute)).flatMap(
			(chunk) => chunk.rows,
		);
	const rehearsal = problem
		? NO_REHEARSAL
		: await rehearse(execution, callable, shared, settings, leavesMark, inOrder, slices);
	for (const [position, outcome] of rehearsal.outcomes) blocked.set(position, outcome);
	const dryCallers = shared.callers.filter(
		({ isDry, position }) => isDry && !blocked.has(position),
	);
	const { maxCalls = dryCallers.length } = settings;
	for (const { position } of dryCallers.slice(maxCalls))
		blocked.set(position, notPlaced('limit_reached', maxCallsReached(maxCalls)));
	return {
		ledger,
		blockedNow,
		blocked,
		shared,
		spoken,
		planned: dryCallers.slice(0, maxCalls),
		rehearsal,
	};
}

/** People of rows that are not called, which a Retry may call; null where nobody knows of one whose it is. */
function othersIn(checked: readonly CheckedRow[]): Set<string> | null {
	const people = checked.flatMap((each) =>
		each.ok ? (each.value.isDry ? each.value.person : []) : [each.error.number?.person],
	);
	return people.includes(undefined) ? null : new Set(people as string[]);
}

/**
 * Outcomes of the rows that must not be called as the run begins, by position. Whoever an earlier try of this execution called
 * has that outcome to show, whatever the hour is now.
 */
async function blockedAtFirst(
	rows: readonly Row[],
	blockedNow: BlockedNow,
	ledger: Ledger | undefined,
	slices: Slices,
): Promise<Map<number, CallOutcome>> {
	const blocked = new Map<number, CallOutcome>();
	for (const row of rows) {
		if (slices.isOver) await slices.rest();
		if (!row.isDry && ledger?.called.has(row.person)) continue;
		const outcome = blockedNow(row);
		if (outcome) blocked.set(row.position, outcome);
	}
	return blocked;
}

/** Calls the live rows, if there is somebody to ask. */
async function place(
	execution: Execution,
	operation: CallOperation,
	{ settings, api, live }: Run,
	{ ledger, blockedNow, shared }: Judged,
): Promise<Placed> {
	if (!ledger || live.length === 0) return { outcomes: new Map() };
	if (!api?.ok) return earlierCalls(shared, ledger);
	return await placeRows(
		{ execution, operation, settings, api: api.value, ledger, blockedNow },
		live,
		shared,
	);
}

/** All rows of the run, in their order, with what became of them. */
function outcomesOf(
	{ settings, checked, problem, liveProblem }: Run,
	{ ledger, shared, spoken, blocked }: Judged,
	{ outcomes: placed, halt }: Placed,
): RowOutcome[] {
	const kept = keptCalls(checked, ledger);
	const outcomeOf = rowOutcomes({
		shared,
		duplicates: settings.duplicates,
		placed,
		spoken: kept.size === 0 ? spoken : new Map([...kept, ...spoken]),
		blocked,
		isStopped: halt?.kind === 'cancelled',
		problemOf: ({ isDry }) => (isDry ? problem : liveProblem),
	});
	return checked.map((each) =>
		each.ok
			? { row: each.value, outcome: outcomeOf(each.value) }
			: unread(each.error, kept.get(each.error.position)),
	);
}

/**
 * By position, what became of live rows in an earlier try, whatever a setting that was changed since makes of them: they cannot be read, or have the key of another one.
 * Where several have a number, nobody knows whose call it was.
 */
function keptCalls(
	checked: readonly CheckedRow[],
	ledger: Ledger | undefined,
): Map<number, CallOutcome> {
	const kept = new Map<number, CallOutcome>();
	if (!ledger || ledger.called.size === 0) return kept;
	const rowsOf = new Map<string, number[]>();
	for (const each of checked) {
		const { position, person } = each.ok
			? each.value
			: { position: each.error.position, person: each.error.number?.person };
		if (person === undefined || (each.ok && each.value.isDry)) continue;
		const same = rowsOf.get(person);
		if (same) same.push(position);
		else rowsOf.set(person, [position]);
	}
	const isOf = (row: CheckedRow, [words, , item]: readonly string[]): boolean =>
		ledger.itemOf(row.ok ? row.value : row.error) === item ||
		(row.ok && wordsIn(contentOf(row.value)) === words);
	for (const [person, { outcome, parts }] of ledger.onlyCalls()) {
		const [position, ...others] = rowsOf.get(person) ?? [];
		const row = position === undefined ? undefined : checked[position];
		if (row && others.length === 0 && (parts === undefined || isOf(row, parts)))
			kept.set(position!, outcome);
	}
	return kept;
}

const unread = (row: RejectedRow, outcome: CallOutcome | undefined): RowOutcome =>
	outcome ? { row: { ...row, destination: row.number!.number }, outcome } : rejected(row);

/** A row that was not read because of a stop is not invalid: it might have been called. */
const rejected = (row: RejectedRow): RowOutcome => ({
	row,
	outcome:
		row.problem === STOPPED
			? notPlaced('refused', `${STOPPED.message}. ${STOPPED.remedy}`)
			: invalid(row),
});

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

/** Fields of the input that rows do not carry. A list of destinations would stand, whole, in each of its rows. */
function fieldsToLeaveOut(
	{ parameters, input }: Execution,
	{ includeInputFields, listsFrom }: CallSettings,
): 'all' | ReadonlySet<string> {
	if (!includeInputFields) return 'all';
	return listsFrom === undefined ? new Set() : listFields(parameters.raw(listsFrom), input);
}
