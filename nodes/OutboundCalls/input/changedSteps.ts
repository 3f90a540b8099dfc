import { quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import type { TakenStep } from '../execution/takenSteps';

/**
 * Why a Retry calls nobody: n8n takes once more what the steps before the node gave then, whatever was changed in one of them since (n8n behaviour). So somebody who
 * corrects one, as a message has asked for, would call people by what it gave before it was corrected.
 *
 * Each node notes all steps that have run, with their settings then. What one gives anew, as in a later round of a loop, is of what it is now. Of a step that ran when
 * no node did any more, nobody knows what was changed.
 */
export function changedStep({ flow, tree, steps }: Execution): Problem | undefined {
	const noted = (flow.outboundCallsSteps ??= {});
	const savedAt = steps.savedAt();
	/** Whether an earlier try ran it: as a node noted, or, where none did, before the workflow was saved as it is. */
	const isOld = ({ step, run, ranAt }: TakenStep): boolean =>
		tree.isRetry && (run < (noted[step]?.runs ?? 0) || ranAt < savedAt);
	const isChanged = (each: TakenStep): boolean => {
		const then = noted[each.step];
		// Of a workflow that nobody has saved since, a newer n8n may have filled in other defaults.
		return (
			then !== undefined &&
			isOld(each) &&
			each.settings !== then.settings &&
			savedAt !== then.savedAt
		);
	};
	if (tree.isRetry) {
		const changed = steps.taken().find(isChanged);
		if (changed) return changedSince(`The step ${quoted(changed.step)}`);
		const rewired = steps.rewired();
		if (rewired !== undefined) return changedSince(`The workflow or the step ${quoted(rewired)}`);
	}
	for (const each of steps.ran())
		if (!isOld(each)) noted[each.step] = { settings: each.settings, runs: each.runs, savedAt };
	return undefined;
}

const changedSince = (what: string): Problem => ({
	message: `${what} was changed since, and a Retry takes what it gave before`,
	remedy:
		'To go on as it began, choose Retry with original workflow on the first execution. To use the change, execute the workflow again.',
	field: true,
});
