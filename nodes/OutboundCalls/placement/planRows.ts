import { type CallOutcome, heldBackOutcome, nodeOutcome } from '../domain/outcome';
import { thrownReason } from '../domain/values';
import { requestPlan, saysTheSame } from '../domain/api/requests';
import type { Row } from '../domain/row';
import { isFreedBy, promote, type Shared } from '../domain/sharing';
import type { Execution } from '../execution/execution';
import type { Run } from '../input/readRun';
import { askMemory, type Foresight } from '../memory/decide';
import { couldCall, isLook, leaveMark } from '../memory/liveGate';
import { KeyList } from '../memory/keyList';
import { usesMemory } from '../memory/keys';
import type { MemoryNotes } from '../results/runResult';
import type { CallOperation } from './callOperation';
import { withinMaxCalls } from './maxCalls';

/**
 * Asks the memory whom a live run would call, in the order of its requests. Leaves nothing but the
 * mark that Live needs, if a row could be sent at some time. Never rejects.
 */
export async function planRows(
	execution: Execution,
	operation: CallOperation,
	run: Run,
	shared: Shared,
	blocked: ReadonlyMap<number, CallOutcome>,
) {
	const { settings, slices } = run;
	const size = operation.rowsPerRequest(settings);
	const { foresight, memory } = await ask(execution, run, couldCall(shared, blocked));
	/** Why rows would not be called, or would be called again, by position. */
	const outcomes = new Map<number, CallOutcome>();
	const called: Row[] = [];
	// In the order of a live run: Max Calls takes rows of the sheet, before they are put into
	// requests.
	const call = async (some: readonly Row[]) => {
		for (const { rows } of requestPlan(some, size)) {
			const heldBack = await foresight?.heldBack(rows);
			for (const row of rows) {
				const why = heldBack?.get(row.position);
				if (why) outcomes.set(row.position, heldBackOutcome(why));
				else called.push(row);
			}
			await slices.restIfOver();
		}
		return true;
	};
	let callers: readonly Row[] = shared.callers;
	while (callers.length > 0) {
		const { maxCalls } = settings;
		const counts = { maxCalls, called: () => called.length };
		await withinMaxCalls({ rows: callers, ...counts, call, outcomes });
		callers = promote(shared, run.rows, (first, follower) =>
			isFreedBy(outcomes.get(first.position), first, follower),
		);
	}
	const again = foresight ? called.filter((row) => foresight.wasCalled(row)) : [];
	for (const { position } of again) outcomes.set(position, nodeOutcome('dry_run', CALLED_AGAIN));
	await slices.restIfOver();
	const requests = requestNumbers(run.rows, shared, called, size);
	await slices.restIfOver();
	const calledBefore = again.map(({ rowNumber }) => rowNumber);
	return { outcomes, requests, memory: { ...memory, calledBefore } };
}

const CALLED_AGAIN = 'Would be called again';

async function ask(
	execution: Execution,
	{ settings, rows }: Run,
	hasCallable: boolean,
): Promise<{ foresight?: Foresight | undefined; memory: MemoryNotes }> {
	const memory: MemoryNotes = { calledBefore: [], isEmpty: false, notAsked: undefined };
	if (!usesMemory(settings.memory)) return { memory };
	const list = new KeyList(execution.keyStore, execution.signal);
	try {
		const foresight = await askMemory(list, settings.memory, rows, Date.now());
		if (hasCallable && isLook(execution))
			memory.mark = await list.step((turn) => leaveMark(turn, settings.memory.mark));
		if (!foresight) memory.notAsked = 'so many people are remembered';
		else memory.isEmpty = foresight.isEmpty;
		return { foresight, memory };
	} catch (thrown) {
		memory.notAsked = execution.signal?.aborted
			? 'it was stopped'
			: `n8n’s database is not available${thrownReason(thrown)}`;
	}
	return { memory };
}

/** By position, from 1. A row that would share a call is part of that call's request. */
function requestNumbers(
	rows: readonly Row[],
	{ followers }: Shared,
	called: readonly Row[],
	size: number,
) {
	const requests = new Map<number, number>();
	requestPlan(called, size).forEach((chunk, index) => {
		for (const { position } of chunk.rows) requests.set(position, index + 1);
	});
	for (const row of rows) {
		const first = followers.get(row.position);
		const request = first && saysTheSame(first, row) ? requests.get(first.position) : undefined;
		if (request !== undefined) requests.set(row.position, request);
	}
	return requests;
}
