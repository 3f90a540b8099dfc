import {
	type Called,
	type CallOutcome,
	isCalled,
	notPlaced,
	type RowOutcome,
} from '../domain/callOutcome';
import type { Api } from '../http/client';
import { uncapitalized } from '../domain/format';
import type { Checked } from '../domain/problem';
import { requestPlan } from '../domain/requestPlan';
import type { Row } from '../domain/row';
import type { Execution } from '../execution/execution';
import { hasCalled } from '../execution/nodeState';
import { Slices } from '../execution/slices';
import { Patience } from '../http/patience';
import { Throttle } from '../http/throttle';
import { noClaims } from '../claims/claims';
import type { CallOperation } from './callOperation';
import { openLedger } from './ledger';
import { Placement } from './placement';
import { recordsOf } from './placeRows';
import type { CallSettings } from '../input/settings';
import { without } from '../domain/json';

/** What a test is placed with. `api` is undefined where no phone is to ring. */
export interface TestContext {
	/** The user's own phone, in E.164. */
	number: string;
	api: Checked<Api> | undefined;
	settings: CallSettings;
	operation: CallOperation;
}

/** Why no phone rings now, as the totals begin; undefined when it may. */
export function whyNoTest({ flow, mode }: Execution): string | undefined {
	if (flow.outboundCallsTestedBy !== undefined)
		return 'Nobody was called this time: Mode is Test, and your own phone was called earlier in this execution. To hear it again, execute again';
	return mode === 'manual'
		? undefined
		: 'Nobody was called: Mode is Test, but your own phone rings only in an execution that somebody starts by hand';
}

/**
 * Calls the user's own phone with the words of one row, once for an execution: over its nodes, their rounds, Retry On Fail and
 * the Retry button. That row comes out as `test_call`, the others as they are. With On Error = Stop it throws when the phone was not
 * called, or nobody knows; but not where other rows were called, of which nobody would learn then.
 */
export async function withTestCall(
	execution: Execution,
	rows: readonly RowOutcome[],
	test: TestContext,
): Promise<readonly RowOutcome[]> {
	const tested = testedRow(execution, rows);
	if (!tested) return rows;
	const throws = execution.stops && !rows.some(({ outcome }) => isCalled(outcome));
	const outcome = await testOutcome(execution, tested.row, test, throws);
	return outcome
		? rows.map((each) => (each === tested ? asTested(tested, outcome, test.number) : each))
		: rows;
}

type TestedRow = RowOutcome & { row: Row };
const isOfTest = (each: RowOutcome): each is TestedRow =>
	'isTest' in each.row && !('problem' in each.row);

/** The first row that would be called, or else the first that could be sent; where the phone was called in an earlier try of this round, that row. */
function testedRow(
	{ state, flow, node, round }: Execution,
	rows: readonly RowOutcome[],
): TestedRow | undefined {
	if (flow.outboundCallsTestedBy !== undefined && flow.outboundCallsTestedBy !== node)
		return undefined;
	const ofTest = rows.filter(isOfTest);
	const before = state.outboundCallsTest;
	if (before)
		return before.round === round
			? ofTest.find(({ row }) => row.person === before.person)
			: undefined;
	return ofTest.find(({ outcome }) => outcome.status === 'dry_run') ?? ofTest[0];
}

async function testOutcome(
	execution: Execution,
	row: Row,
	{ number, api, settings, operation }: TestContext,
	throws: boolean,
): Promise<CallOutcome | undefined> {
	const { state, flow, node, round } = execution;
	const before = state.outboundCallsTest;
	if (before)
		return (before.outcome as CallOutcome | undefined) ?? notPlaced('unknown', UNANSWERED);
	if (!api) return undefined;
	if (!api.ok) return notPlaced('refused', `${api.error.message}. ${api.error.remedy}`);

	const call = atOwnPhone(row, number);
	// Before it is sent, and before others have a turn: an execution that ends meanwhile must not forget it, and the phone rings once.
	flow.outboundCallsTestedBy = node;
	state.outboundCallsTest = { round, person: row.person };
	const placement = await testPlacement(execution, api.value, settings, operation);
	const halt = (await placement.run([call])) ?? placement.haltIfAllRefused([call]);
	const outcome = placement.outcomes.get(row.position) ?? notPlaced('refused', STOPPED);
	if (outcome.called === 'no') {
		delete state.outboundCallsTest;
		delete flow.outboundCallsTestedBy;
	} else state.outboundCallsTest.outcome = outcome;
	if (!halt || !throws) return outcome;
	if (halt.kind === 'cancelled')
		throw execution.operationError({ message: 'The execution was stopped', remedy: STOPPED });
	const what =
		halt.kind === 'unknown'
			? 'Nobody knows whether your own phone was called'
			: 'Your own phone was not called';
	const remedy = `${halt.problem.remedy} ${hasCalled(flow) ? 'No further call was started: people were called earlier in this execution.' : 'Nobody else was called.'}`;
	throw execution.apiError(
		{ ...halt.problem, remedy },
		`${what}: ${uncapitalized(halt.problem.message)}`,
	);
}

/** Sends as any other placement does, but nothing remembers whom it called. */
async function testPlacement(
	execution: Execution,
	api: Api,
	settings: CallSettings,
	operation: CallOperation,
): Promise<Placement> {
	const { round, tree, isTool, id, input, signal, stops } = execution;
	const ledger = await new Slices(signal).through(
		openLedger({ state: {}, round, tree, isTool, id, input }, [], 'callOnce', operation),
	);
	const policy = {
		...settings,
		retryUndialed: false,
		isRetry: false,
		stop: stops,
		signal,
		recordsOf: recordsOf(execution, api, settings),
		plan: (rows: readonly Row[]) => requestPlan(rows, 1),
	};
	const throttle = new Throttle({
		line: api.account.line(operation.purpose),
		patience: new Patience(settings.maxWaitMs),
		signal,
	});
	return new Placement(execution, operation, api, throttle, ledger, noClaims, policy);
}

/** Without the row's own ID, which would come back with the callback as if the person had been called. */
function atOwnPhone(row: Row, number: string): Row {
	return {
		...without(row, 'externalCallId', 'originalDestination'),
		destination: number,
		person: number,
	};
}

const STOPPED = 'The execution was stopped before your phone was called.';
const UNANSWERED = 'The run broke off before the API answered.';

const NOT = 'Your own phone was not called';
const WHAT: Record<Called, string> = {
	yes: 'Your own phone was called',
	maybe: 'Your own phone may have been called',
	no: NOT,
	other_row: NOT,
};

function asTested(
	{ row, outcome: otherwise }: TestedRow,
	{ success, answer, reason, called }: CallOutcome,
	number: string,
): RowOutcome {
	const words =
		reason === null
			? `${WHAT[called]}, with the words of this row`
			: `${WHAT[called]}: ${uncapitalized(reason)}`;
	const test = { calledAt: number, called, otherwise };
	const outcome: CallOutcome = {
		status: 'test_call',
		called: 'no',
		reason: words,
		success,
		...(answer ? { answer } : {}),
		test,
	};
	return { row, outcome };
}
