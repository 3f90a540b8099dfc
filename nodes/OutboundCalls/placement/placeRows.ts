import { isCalled } from '../domain/outcome';
import { requestPlan } from '../domain/api/requests';
import type { Row } from '../domain/row';
import { type IsFreed, isFreedBy, promote, type Shared } from '../domain/sharing';
import type { Run } from '../input/readRun';
import { judge } from './judge';
import { withinMaxCalls } from './maxCalls';
import type { Outcomes } from './ledger';
import { brokenOff } from './runEvidence';
import { type SendContext, Sender } from './send';

/** Rows are called with these parts. */
type CallContext = Omit<SendContext, 'settings' | 'blockedNow'> & { run: Run };

/**
 * Calls the first row of each person. If it is not called for a reason that does not hold for the
 * person's next row, calls that one. Never rejects.
 */
export async function placeRows(context: CallContext, shared: Shared): Promise<Outcomes> {
	const { run, ledger } = context;
	const sender = new Sender({ ...context, settings: run.settings, blockedNow: judge(run) });
	const { outcomes } = sender;
	const known = outcomes.byPosition;
	const isFreed: IsFreed = (first, follower) =>
		isFreedBy(known.get(first.position), first, follower);
	let callers: readonly Row[] = shared.callers;
	try {
		while (callers.length > 0 && !outcomes.halt) {
			outcomes.carryOver(callers);
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
	return outcomes;
}

async function callSome(
	{ execution: { state }, operation, run }: CallContext,
	sender: Sender,
	rows: readonly Row[],
) {
	const { maxCalls } = run.settings;
	const outcomes = sender.outcomes.byPosition;
	const called = () => state.outboundCallsStarted ?? 0;
	const call = async (some: readonly Row[]) => {
		// Before they are sent: what runs at the same time cannot take the same ones.
		state.outboundCallsStarted = called() + some.length;
		await sender.send(requestPlan(some, operation.rowsPerRequest(run.settings)));
		const notCalled = some.filter(({ position }) => !isCalled(outcomes.get(position)));
		state.outboundCallsStarted = called() - notCalled.length;
		return sender.outcomes.halt === undefined;
	};
	await withinMaxCalls({ rows, maxCalls, called, call, outcomes });
}
