/** Marks in a list of keys that dry runs of this execution have left where none was before: nobody can have looked at these dry runs yet. */
import type { Execution } from '../execution/execution';
import type { KeyStore } from '../execution/keyStore';
import { RunKeys } from './runKeys';

type Reader = Pick<Execution, 'flow' | 'id'>;

export function noteMarks(execution: Reader, list: KeyStore, marks: Iterable<string>): void {
	const before = unseenMarks(execution, list);
	const all = [...before, ...marks];
	if (all.length > before.length) (execution.flow.outboundCallsMarks ??= {})[list.id] = { execution: execution.id, marks: all };
}

/** A Retry is another execution: whoever presses it has seen what there was. */
export function unseenMarks({ flow, id }: Reader, list: KeyStore): readonly string[] {
	const left = flow.outboundCallsMarks?.[list.id];
	return left?.execution === id ? left.marks : [];
}

/**
 * For a live node, before anything keeps it from calling. Nobody looks at an execution that starts by itself: what its dry runs have left does not open the next
 * one. Never rejects.
 */
export async function takeBackMarks(execution: Execution): Promise<void> {
	if (execution.mode === 'manual') return;
	for (const scope of ['workflow', 'node'] as const) {
		const list = execution.keyStore(scope);
		const marks = unseenMarks(execution, list);
		if (marks.length === 0) continue;
		const keys = new RunKeys(list);
		await keys.takeOut(async () => await Promise.resolve(marks)).catch(() => 0);
		await keys.close();
	}
}
