import { quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';
import type { TakenStep } from '../execution/takenSteps';

/**
 * Why a Retry calls nobody: n8n takes once more what the steps before the node gave then, whatever was changed in one of them since (n8n behaviour). So somebody who
 * corrects one, as a message has asked for, would call people by what it gave before it was corrected.
 *
 * Each try notes the steps, by whichever node. What one gives anew, as in a later round of a loop, is of what it is now. Where the execution ended before any node
 * could note them, nobody knows what was changed.
 */
export function changedStep({ flow, tree, steps }: Execution): Problem | undefined {
	const before = flow.outboundCallsSteps;
	const taken = steps.taken();
	if (tree.isRetry) {
		// Of a workflow that nobody has saved since, a newer n8n may have filled in other defaults.
		const isOld = ({ step, run, ranAt }: TakenStep): boolean =>
			ranAt < steps.savedAt() || (Number.isNaN(steps.savedAt()) && run < (before?.[step]?.runs ?? 0));
		const changed = taken.find((each) => before && isOld(each) && each.settings !== before[each.step]?.settings);
		if (changed && before?.[changed.step]) return changedSince(`The step ${quoted(changed.step)}`);
		const since = changed?.step ?? steps.leftBehind();
		if (since !== undefined) return changedSince(`The workflow or the step ${quoted(since)}`);
	}
	const noted = (flow.outboundCallsSteps ??= {});
	for (const { step, settings, runs } of taken) if (settings === (noted[step]?.settings ?? settings)) noted[step] = { settings, runs };
	return undefined;
}

const changedSince = (what: string): Problem => ({
	message: `${what} was changed since, and a Retry takes what it gave before`,
	remedy: 'To go on as it began, choose Retry with original workflow on the first execution. To use the change, execute the workflow again.',
	field: true,
});
