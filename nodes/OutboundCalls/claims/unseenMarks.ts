/**
 * Marks of dry runs that nobody can have looked at yet: those that executions which start by themselves have left where none was before, and those of this
 * execution, whoever started it. The process knows the former until a live node has taken them back, or somebody makes a dry run by hand.
 */
import type { Execution } from '../execution/execution';
import type { KeyStore } from '../execution/keyStore';
import { RunKeys } from './runKeys';

type Reader = Pick<Execution, 'flow' | 'id' | 'mode'>;

/** By list of keys. */
const unattended = new Map<string, Set<string>>();
/** By list of keys: those of a dry run that somebody made by hand since. */
const attended = new Map<string, Set<string>>();

const isByHand = ({ mode }: Reader): boolean => mode === 'manual';

/** A dry run has left marks in a list; `fresh`: those that were not there before. */
export function noteMarks(
	execution: Reader,
	list: KeyStore,
	marks: readonly string[],
	fresh: ReadonlySet<string>,
): void {
	const before = unattended.get(list.id) ?? new Set();
	const unseen = marks.filter((mark) => fresh.has(mark) || before.has(mark));
	const seen = attended.get(list.id) ?? new Set();
	for (const mark of marks) {
		if (!isByHand(execution) && !fresh.has(mark)) continue;
		const [now, until] = isByHand(execution) ? [seen, before] : [before, seen];
		now.add(mark);
		until.delete(mark);
	}
	if (seen.size > 0) attended.set(list.id, seen);
	if (before.size > 0) unattended.set(list.id, before);
	else unattended.delete(list.id);
	if (unseen.length > 0)
		(execution.flow.outboundCallsMarks ??= {})[list.id] = {
			execution: execution.id,
			marks: [...new Set([...unseenMarks(execution, list), ...unseen])],
		};
}

/** Whether a dry run comes behind a live one in an execution that starts by itself: its mark would open the next one. A tool that n8n runs by itself has no execution. */
export function isBehindLive(execution: Reader): boolean {
	const { outboundCallsLive } = execution.flow;
	return (
		!isByHand(execution) && outboundCallsLive !== undefined && outboundCallsLive === execution.id
	);
}

/** A Retry is another execution: whoever presses it has seen what there was. */
export function unseenMarks({ flow, id }: Reader, list: KeyStore): readonly string[] {
	const left = flow.outboundCallsMarks?.[list.id];
	return left && left.execution === id ? left.marks : [];
}

/**
 * For a live node, before anything keeps it from calling. Nobody looks at an execution that starts by itself: what its dry runs have left does not open the next
 * one. Never rejects.
 */
export async function takeBackMarks(execution: Execution): Promise<void> {
	if (isByHand(execution)) return;
	execution.flow.outboundCallsLive = execution.id;
	for (const scope of ['workflow', 'node'] as const) {
		const list = execution.keyStore(scope);
		const known = unattended.get(list.id);
		// Those of another setting stay known. Behind a Wait, n8n may have been restarted since, and the process knows neither.
		const marks = unseenMarks(execution, list).filter((mark) => !attended.get(list.id)?.has(mark));
		if (marks.length === 0) continue;
		const left = new Set(known);
		const keys = new RunKeys(list);
		try {
			await keys.turn(async (turn) => await turn.takeOut(marks));
			for (const mark of marks) left.delete(mark);
		} catch {
			// Until they are gone, the next execution must not take them for seen.
			for (const mark of marks) left.add(mark);
		}
		if (left.size > 0) unattended.set(list.id, left);
		else unattended.delete(list.id);
		await keys.close();
	}
}
