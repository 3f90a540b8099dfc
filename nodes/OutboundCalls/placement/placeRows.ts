import { type CallOutcome, isCalled, nodeOutcome } from '../domain/callOutcome';
import { formatCount } from '../domain/format';
import { requestPlan } from '../domain/requests';
import type { Row } from '../domain/row';
import { type IsFreed, isFreedBy, promote, type Shared } from '../domain/sharing';
import type { Execution } from '../execution/execution';
import type { Api } from '../http/client';
import { Throttle, WaitBudget } from '../http/throttle';
import type { Prepared } from '../input/prepare';
import type { Claims } from '../memory/claims';
import type { Halt } from '../results/runErrors';
import type { CallOperation } from './callOperation';
import { judge } from './judge';
import type { Ledger } from './ledger';
import { brokenOff } from './runProblems';
import { Sender } from './send';

/** What rows are called with. */
interface CallContext {
	execution: Execution;
	operation: CallOperation;
	run: Prepared;
	api: Api;
	ledger: Ledger;
	claims: Claims;
}

/**
 * Calls the first row of each person. If it is not called for a reason that does not hold for the
 * person's next row, calls that one. Resolves with outcomes by position. Never rejects.
 */
export async function placeRows(
	context: CallContext,
	shared: Shared,
): Promise<{ outcomes: ReadonlyMap<number, CallOutcome>; halt: Halt | undefined }> {
	const { run, ledger } = context;
	const sender = new Sender(sendContext(context));
	const { outcomes } = sender;
	const known = outcomes.byPosition;
	const isFreed: IsFreed = (first, follower) =>
		isFreedBy(known.get(first.position), first, follower);
	let callers: readonly Row[] = shared.callers;
	try {
		while (callers.length > 0 && !outcomes.halt) {
			for (const [position, outcome] of earlierCalls(ledger, callers)) known.set(position, outcome);
			await run.slices.restIfOver();
			await callSome(
				context,
				sender,
				callers.filter(({ position }) => !known.has(position)),
			);
			callers = promote(shared, run.rows, isFreed);
		}
		outcomes.haltIfAllRefused(shared.callers);
	} catch (thrown) {
		// Nothing is expected to throw here. If something does, no row gets lost: what was sent is
		// unknown.
		const open = callers.filter((row) => !known.has(row.position) && ledger.has(row));
		outcomes.markUnknown(open, brokenOff(thrown));
	}
	return { outcomes: known, halt: outcomes.halt };
}

/** What became of people whom an earlier try of this execution has called, by position. */
export const earlierCalls = (ledger: Ledger, rows: readonly Row[]): Array<[number, CallOutcome]> =>
	rows.flatMap((row): Array<[number, CallOutcome]> => {
		const outcome = ledger.outcomeOf(row);
		return outcome ? [[row.position, outcome]] : [];
	});

async function callSome(
	{ execution: { state }, operation, run }: CallContext,
	sender: Sender,
	open: readonly Row[],
): Promise<void> {
	const { maxCalls, callsPerMinute } = run.settings;
	const outcomes = sender.outcomes.byPosition;
	const started = (): number => state.outboundCallsStarted ?? 0;
	await withinMaxCalls(open, maxCalls, outcomes, started, async (some) => {
		// Before they are sent: what runs at the same time cannot take the same ones.
		state.outboundCallsStarted = started() + some.length;
		await sender.send(requestPlan(some, operation.chunkSize(callsPerMinute)));
		const notCalled = some.filter(
			({ position }) => !isCalled(outcomes.get(position) ?? { called: 'no' }),
		);
		state.outboundCallsStarted = started() - notCalled.length;
		return sender.outcomes.halt === undefined;
	});
}

/**
 * Calls as many rows as Max Calls leaves, and the next ones in place of those that turn out not to
 * be called. Ends when `call` resolves with false; rows beyond Max Calls get their outcome.
 */
export async function withinMaxCalls(
	open: readonly Row[],
	most = Infinity,
	outcomes: Map<number, CallOutcome>,
	called: () => number,
	call: (some: readonly Row[]) => Promise<boolean>,
): Promise<void> {
	let next = 0;
	while (next < open.length && called() < most) {
		const some = open.slice(next, next + most - called());
		next += some.length;
		if (!(await call(some))) return;
	}
	const reached = `Not called: Max Calls (${formatCount(most)}) reached`;
	for (const { position } of open.slice(next))
		outcomes.set(position, nodeOutcome('limit_reached', reached));
}

function sendContext({ execution, operation, run, api, ledger, claims }: CallContext) {
	const { settings } = run;
	const { stops, signal, state, tree, node } = execution;
	const { callsPerMinute, maxWaitMs } = settings;
	return {
		...settings,
		operation,
		api,
		ledger,
		claims,
		blockedNow: judge(run),
		state,
		isRetry: tree.isRetry,
		stops,
		signal,
		throttle: new Throttle({
			line: api.account.line(operation.purpose),
			budget: new WaitBudget(maxWaitMs),
			callsPerMinute,
			pace: callsPerMinute === undefined ? undefined : api.account.pace(node),
			signal,
		}),
	};
}
