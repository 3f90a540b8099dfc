import { type Placement, type CallOutcome, nodeOutcome, type RowOutcome } from '../domain/outcome';
import { uncapitalized } from '../domain/values/format';
import { requestPlan } from '../domain/api/requests';
import type { Row } from '../domain/row';
import type { Execution } from '../execution/execution';
import type { TestState } from '../execution/nodeState';
import { openApi } from '../http/client';
import type { CallSettings } from '../input/settings';
import type { CallOperation } from './callOperation';
import { Ledger } from './ledger';
import { type SendContext, Sender } from './send';
import { without } from '../domain/values/untrustedValues';

/** Why the user's own phone does not ring now; undefined if it may. */
export function whyNoTest({ flow, startedBy: mode }: Execution): string | undefined {
	if (flow.outboundCallsTestedBy !== undefined)
		return 'Your own phone was called earlier in this execution. To hear it again, execute again';
	return mode === 'manual'
		? undefined
		: 'Your own phone rings only in an execution that somebody starts by hand';
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
): Promise<readonly RowOutcome[]> {
	const tested = testedRow(execution, rows);
	const number = settings.testNumber;
	if (!tested || number === undefined) return rows;
	const outcome = await testOutcome(execution, operation, settings, tested.row, number);
	return outcome ? rows.map((each) => (each === tested ? asTested(tested, outcome) : each)) : rows;
}

type TestedRow = RowOutcome & { row: Row };
const maySend = (each: RowOutcome): each is TestedRow => !('problem' in each.row);

/**
 * The first row that would be called, or else the first that could be sent; after an earlier try of
 * this run, the row of that one.
 */
function testedRow(
	{ state, flow, node, runIndex }: Execution,
	rows: readonly RowOutcome[],
): TestedRow | undefined {
	const { outboundCallsTestedBy: by } = flow;
	if (by !== undefined && by !== node) return undefined;
	const own = rows.filter(maySend);
	const before = state.outboundCallsTest;
	if (before)
		return before.runIndex === runIndex
			? own.find(({ row }) => row.person === before.person)
			: undefined;
	return own.find(({ outcome }) => outcome.status === 'dry_run') ?? own[0];
}

async function testOutcome(
	execution: Execution,
	operation: CallOperation,
	settings: CallSettings,
	row: Row,
	number: string,
): Promise<CallOutcome | undefined> {
	const { state, flow, node, runIndex } = execution;
	const before = state.outboundCallsTest;
	if (before) return before.outcome ?? nodeOutcome('unknown', UNANSWERED);
	if (whyNoTest(execution) !== undefined) return undefined;
	const api = await openApi(execution);
	if (!api.ok) {
		if (execution.stops) throw execution.operationError(api.error);
		return nodeOutcome('refused', api.error);
	}
	// Before it is sent: an execution that ends meanwhile must not forget it, and the phone rings
	// once.
	flow.outboundCallsTestedBy = node;
	const kept: TestState = (state.outboundCallsTest = { runIndex, person: row.person });
	// As any other run sends, but no list, limit or rule applies.
	const sender = new Sender({
		execution,
		operation,
		settings: { ...settings, callsPerMinute: undefined },
		api: api.value,
		ledger: new Ledger({}, execution),
		claims: NO_CLAIMS,
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
	if (outcome.call === 'none') {
		delete state.outboundCallsTest;
		delete flow.outboundCallsTestedBy;
	} else kept.outcome = outcome;
	if (!halt) return outcome;
	if (halt.kind === 'stopped')
		throw execution.operationError({ message: 'The execution was stopped', remedy: STOPPED });
	const { problem } = halt;
	const remedy = `${problem.remedy} Nobody else was called.`;
	throw execution.apiError({ ...problem, remedy }, `${problem.message}. ${WHAT[outcome.call]}`);
}

/** Nothing remembers a test but the execution. */
const NO_CLAIMS: SendContext['claims'] = {
	size: async () => await Promise.resolve(0),
	claim: async () => await Promise.resolve(new Map()),
	renew: async () => await Promise.resolve(),
	release: async () => await Promise.resolve(),
};

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
		test: { call, otherwise },
	};
	return { row, outcome };
}
