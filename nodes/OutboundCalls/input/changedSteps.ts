import { readingOf } from '../domain/expression/reading';
import { quoted } from '../domain/format';
import type { Problem } from '../domain/problem';
import type { Execution } from '../execution/execution';

/**
 * Why a Retry calls nobody: n8n takes once more what the steps before the node gave then, whatever was changed in one of them since (n8n behaviour). So somebody who
 * corrects one, as a message has asked for, would call people by what it gave before it was corrected.
 *
 * The first try notes the steps. What one gives anew, as in a later round of a loop, is of what it is now. Of one that rows come from and that no node could note,
 * because the execution ended before, any change of the workflow counts.
 */
export function changedStep({ flow, tree, parameters, steps }: Execution): Problem | undefined {
	const noted = (flow.outboundCallsSteps ??= {});
	const taken = steps.takenFrom(parameters.leaves.flatMap((leaf) => [...readingOf(leaf).steps]));
	const changed = taken.find(({ step, settings, run, ranAt, isOfRows }) => {
		const before = noted[step];
		return before ? run < before.runs && settings !== before.settings : isOfRows && ranAt < steps.savedAt();
	});
	if (changed && tree.isRetry)
		return {
			message: `${noted[changed.step] ? 'The' : 'The workflow or the'} step ${quoted(changed.step)} was changed since, and a Retry takes what it gave before`,
			remedy: 'To go on as it began, choose Retry with original workflow. To use the change, execute the workflow again.',
			field: true,
		};
	for (const { step, settings, runs } of taken) if (settings === (noted[step]?.settings ?? settings)) noted[step] = { settings, runs };
	return undefined;
}
