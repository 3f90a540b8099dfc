/**
 * A run of calls: read → check → judge → (dry run: ask the memory, plan) or (live: claim, judge
 * again, send, record) → wait → tell.
 */
import { isTest } from '../domain/outcome';
import { type Halt, rowOutcomes } from '../results/endOfRun';
import { ok } from '../domain/values';
import type { Execution } from '../execution/execution';
import { apiAccess } from '../http/apiAccess';
import { type Api, openApi } from '../http/client';
import { readRun, type Run } from '../input/readRun';
import { Claims } from '../memory/claims';
import type { ApiProblem } from '../domain/api/exchange';
import { KeyList } from '../memory/keyList';
import { followCalls, type FollowedCalls, learnedFrom } from '../results/followCalls';
import { type RunResult, sharedReasons } from '../results/runResult';
import { outputRows } from '../results/outputRows';
import { allInvalid, haltError, runProblemError } from '../results/runErrors';
import { summary } from '../results/summary';
import type { CallOperation } from './callOperation';
import { judgeRows } from './judge';
import { Ledger, Outcomes } from './ledger';
import { placeRows } from './placeRows';
import { memoryProblem } from './runEvidence';
import { planRows } from './planRows';
import { whyNoTest, withTestCall } from './testCall';

/** The result of a run, before it waits for its calls. */
interface Ended extends Pick<RunResult, 'rows' | 'requests' | 'memory'> {
	halt?: Halt | undefined;
	/** Of a live run: the claims that the wait updates, and the API that it reads calls with. */
	live?: { claims: Claims; api: Api };
}

/**
 * Calls the rows that may be called. Every row comes out once. Throws only with On Error = Stop,
 * and only for what concerns the whole run.
 */
export async function callRows(execution: Execution, operation: CallOperation) {
	const run = await readRun(execution);
	const { settings } = run;
	const ledger = settings.mode === 'live' ? new Ledger(execution.state, execution) : undefined;
	const ended = ledger
		? await callLive(execution, operation, run, ledger)
		: await planDry(execution, operation, run);
	if (execution.stops && ended.halt)
		throw haltError(execution, ended.halt, ended.rows, settings.memory);
	const followed = await follow(execution, run, ended);
	const unwritten = unwrittenProblem(ended);
	if (execution.stops && unwritten)
		throw haltError(
			execution,
			{ kind: 'refused', rows: [], problem: unwritten },
			ended.rows,
			settings.memory,
		);
	await run.slices.restIfOver();
	const result: RunResult = {
		...ended,
		execution,
		settings,
		operation: operation.purpose,
		reasons: sharedReasons(ended.rows),
		followed,
		unwritten,
		leftAt: (person) => ledger?.leftAt(person),
		noTest: settings.mode === 'test' ? whyNoTest(execution) : undefined,
	};
	const output = await outputRows(result);
	await execution.hint(summary(result));
	// Last, because a Stop may arrive while other work runs in between.
	ledger?.close();
	return output;
}

/** A dry run, or a test, which is a dry run with one call. */
async function planDry(execution: Execution, operation: CallOperation, run: Run): Promise<Ended> {
	const { checked, problem, settings } = run;
	if (problem && execution.stops) throw runProblemError(execution, problem, settings.memory);
	const { blocked, shared } = await judgeRows(run);
	const end = { isDry: true, shared, outcomes: [blocked], isStopped: false, problem };
	if (problem) return { rows: rowOutcomes(checked, end) };
	const plan = await planRows(execution, operation, run, shared, blocked);
	const rows = rowOutcomes(checked, { ...end, outcomes: [plan.outcomes, blocked] });
	return {
		rows:
			settings.mode === 'test' ? await withTestCall(execution, operation, settings, rows) : rows,
		requests: plan.requests,
		memory: plan.memory,
	};
}

/**
 * A live run. People whom an earlier try of this execution called keep that outcome, even if nobody
 * else may be called now.
 */
async function callLive(
	execution: Execution,
	operation: CallOperation,
	run: Run,
	ledger: Ledger,
): Promise<Ended> {
	const { checked, settings, rows } = run;
	const api = run.problem ? undefined : await openApi(execution);
	const problem = run.problem ?? (api?.ok === false ? api.error : undefined);
	if (execution.stops) {
		if (problem) throw runProblemError(execution, problem, settings.memory);
		if (rows.length === 0) throw allInvalid(execution, checked, settings.memory);
	}
	const { blocked, shared } = await judgeRows(run, ledger);
	const claims = new Claims(new KeyList(execution.keyStore, execution.signal), settings.memory);
	let placed = new Outcomes(ledger, execution);
	if (api?.ok && !problem) {
		const context = { execution, operation, run, api: api.value, ledger, claims };
		placed = await placeRows(context, shared);
	} else placed.carryOver(shared.callers);
	const { halt, byPosition } = placed;
	const isStopped = halt?.kind === 'stopped' || (execution.signal?.aborted ?? false);
	const end = { isDry: false, shared, outcomes: [byPosition, blocked], isStopped, problem };
	return {
		rows: rowOutcomes(checked, end),
		halt,
		...(api?.ok ? { live: { claims, api: api.value } } : {}),
	};
}

/** Why the last writes of a run are missing in the call history; undefined if none are. */
function unwrittenProblem({ live }: Ended): ApiProblem | undefined {
	const thrown = live?.claims.unwritten;
	if (thrown === undefined) return undefined;
	const { message } = memoryProblem(thrown);
	return {
		message: `${message} for the last entries`,
		remedy: 'People who were not called may stay entered: Forget People frees them.',
	};
}

/** Optionally waits for the calls, and updates the memory with their results. */
async function follow(
	execution: Execution,
	{ settings }: Run,
	{ rows, live }: Ended,
): Promise<FollowedCalls> {
	const { waiting } = settings;
	if (!waiting || !(live ?? rows.some(isTest))) return new Map();
	const api = live ? ok(live.api) : await openApi(execution);
	if (!api.ok) return new Map();
	const followed = await followCalls(apiAccess(execution, api.value, settings), rows, waiting);
	if (live) await live.claims.learn(learnedFrom(followed));
	return followed;
}
