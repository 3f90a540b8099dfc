import { type Placement, type CallOutcome, nodeOutcome, type RowOutcome } from '../domain/outcome';
import { uncapitalized, without } from '../domain/values';
import { requestPlan } from '../domain/api/requests';
import type { Row } from '../domain/row';
import type { Execution } from '../execution/execution';
import type { Halt } from '../results/endOfRun';
import type { TestState } from '../execution/nodeState';
import { openApi } from '../http/client';
import type { CallSettings } from '../input/settings';
import type { CallOperation } from './callOperation';
import { NO_LIMITS } from '../domain/limits';
import { Claims } from '../memory/claims';
import { KeyList } from '../memory/keyList';
import { Ledger } from './ledger';
import { Sender } from './send';

/** Why the user's own phone does not ring now; undefined if it may. */
export function whyNoTest({ flow, startedBy: mode }: Execution) {
	if (flow.outboundCallsTest)
		return 'Your own phone was called earlier in this execution. To hear it again, execute again';
	return mode === 'manual'
		? undefined
		: 'Your own phone rings only in an execution that you start by hand';
}

/**
 * Calls the user's own phone with the details of the first row that would be called, once for an
 * execution: over its nodes, their runs in loops, Retry On Fail and the Retry button. That row
 * comes out as `test_call`, the others as in a dry run. With On Error = Stop it throws if the phone
 * was not called, or nobody knows.
 */
export async function withTestCall(
	execution: Execution,
	operation: CallOperation,
	settings: CallSettings,
	rows: readonly RowOutcome[],
) {
	const tested = testedRow(execution, rows);
	const number = settings.testNumber;
	if (!tested || number === undefined) return rows;
	const before = execution.flow.outboundCallsTest;
	if (!before && whyNoTest(execution) !== undefined) return rows;
	const outcome = before
		? (before.outcome ?? nodeOutcome('unknown', UNANSWERED))
		: await ring(execution, operation, settings, tested.row, number);
	return rows.map((each) => (each === tested ? asTested(tested, outcome, number) : each));
}

type TestedRow = RowOutcome & { row: Row };
const maySend = (each: RowOutcome): each is TestedRow => !('problem' in each.row);

/**
 * The first row that would be called, or else the first that could be sent; after an earlier try of
 * this run, the row of that one.
 */
function testedRow({ flow, node, runIndex }: Execution, rows: readonly RowOutcome[]) {
	const own = rows.filter(maySend);
	const before = flow.outboundCallsTest;
	if (!before) return own.find(({ outcome }) => outcome.status === 'dry_run') ?? own[0];
	const isOwn = before.node === node && before.runIndex === runIndex;
	return isOwn ? own.find(({ row }) => row.person === before.person) : undefined;
}

/** Rings the user's own phone with the details of the row, and keeps what became of it. */
async function ring(
	execution: Execution,
	operation: CallOperation,
	settings: CallSettings,
	row: Row,
	number: string,
) {
	const { flow, node, runIndex } = execution;
	const api = await openApi(execution);
	if (!api.ok) {
		if (execution.stops) throw execution.operationError(api.error);
		return nodeOutcome('refused', api.error);
	}
	// Before it is sent: an execution that ends meanwhile must not forget it, and the phone rings
	// once.
	const kept: TestState = { node, runIndex, person: row.person };
	flow.outboundCallsTest = kept;
	// As any other run sends, but no list, limit or rule applies, and nothing remembers it.
	const memory = {
		...settings.memory,
		calledBefore: 'callAgain',
		limits: NO_LIMITS,
		retryOf: undefined,
	} as const;
	const sender = new Sender({
		execution,
		operation,
		settings: { ...settings, callsPerMinute: undefined },
		api: api.value,
		ledger: new Ledger({}, execution),
		claims: new Claims(new KeyList(execution.keyStore), memory),
		blockedNow: () => undefined,
	});
	// Without the row's own ID, which would come back with the callback as if the person had been
	// called.
	const details = without(row, 'externalCallId', 'originalDestination');
	const call: Row = { ...details, destination: number, person: number };
	await sender.send(requestPlan([call], 1));
	sender.outcomes.haltIfAllRefused([call]);
	const { byPosition, halt } = sender.outcomes;
	const outcome = byPosition.get(call.position) ?? nodeOutcome('refused', STOPPED);
	if (outcome.call === 'none') delete flow.outboundCallsTest;
	else kept.outcome = outcome;
	if (halt) throw testError(execution, halt, outcome);
	return outcome;
}

/** To be thrown: why the user's own phone was not called, or nobody knows. */
function testError(execution: Execution, halt: Halt, { call }: CallOutcome) {
	if (halt.kind === 'stopped')
		return execution.operationError({ message: 'The execution was stopped', remedy: STOPPED });
	const { problem } = halt;
	const remedy = `${problem.remedy} Nobody else was called.`;
	return execution.apiError({ ...problem, remedy }, `${problem.message}. ${WHAT[call]}`);
}

const STOPPED = 'The execution was stopped before your phone was called.';
const UNANSWERED = 'The run ended before the API answered.';

const WHAT: Record<Placement, string> = {
	placed: 'Your own phone was called',
	unknown: 'Your own phone may have been called',
	none: 'Your own phone was not called',
	otherRow: 'Your own phone was not called',
};

function asTested(
	{ row, outcome: otherwise }: TestedRow,
	{ success, answer, reason, call }: CallOutcome,
	number: string,
): RowOutcome {
	const words = reason
		? `${WHAT[call]}: ${uncapitalized(reason)}`
		: `${WHAT[call]}, with the details of row ${row.rowNumber}`;
	const outcome: CallOutcome = {
		status: 'test_call',
		call: 'none',
		reason: words,
		success,
		...(answer && { answer }),
		test: { call, otherwise, number },
	};
	return { row, outcome };
}
