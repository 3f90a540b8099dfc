/** Marks in a list of keys that dry runs of this execution have left where none was before: nobody can have looked at these dry runs yet. */
import type { Execution } from '../execution/execution';

type Reader = Pick<Execution, 'flow' | 'id'>;

/** `list`: the ID of the list (`KeyStore.id`). */
export function noteMarks(execution: Reader, list: string, marks: Iterable<string>): void {
	const before = unseenMarks(execution, list);
	const all = [...before, ...marks];
	if (all.length > before.length) (execution.flow.outboundCallsMarks ??= {})[list] = { execution: execution.id, marks: all };
}

/** A Retry is another execution: whoever presses it has seen what there was. */
export function unseenMarks({ flow, id }: Reader, list: string): readonly string[] {
	const left = flow.outboundCallsMarks?.[list];
	return left?.execution === id ? left.marks : [];
}
