import type { ISourceData } from 'n8n-workflow';
import { hash } from '../domain/contentHash';
import type { WorkflowSteps } from './workflowSteps';

/** A step that has given something. */
export interface TakenStep {
	step: string;
	/** A hash of its settings, as they are now. */
	settings: string;
	/** Which of its runs gave it, from 0. */
	run: number;
	/** How often it has run. */
	runs: number;
	/** When that run began, in epoch milliseconds. */
	ranAt: number;
}

/** The steps of these sources, and all that stand before them, but for `own` and for what began the execution: that has taken nothing. */
export function takenSteps({ nodeOf, sourcesOf, failures }: WorkflowSteps, own: string, from: readonly ISourceData[]): TakenStep[] {
	const found = new Map<string, TakenStep>();
	const sources = [...from];
	for (const { previousNode: step, previousNodeOutput, previousNodeRun = 0 } of sources) {
		const runs = failures.runs(step);
		const run = previousNodeRun < 0 ? runs - 1 : previousNodeRun;
		const before = sourcesOf(step, previousNodeOutput, run);
		if (step === own || found.has(step) || before.length === 0) continue;
		const { type, typeVersion, disabled, onError, continueOnFail, executeOnce, parameters } = nodeOf(step) ?? {};
		const settings = hash([type, typeVersion, disabled, onError, continueOnFail, executeOnce, parameters]);
		found.set(step, { step, settings, run, runs, ranAt: failures.ranAt(step, run) });
		sources.push(...before);
	}
	return [...found.values()];
}
