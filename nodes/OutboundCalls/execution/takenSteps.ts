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
	/** Rows come from it. */
	isOfRows: boolean;
}

/** A source of items, as n8n records it; the last run of a step, where none is said. */
type Source = Pick<ISourceData, 'previousNode' | 'previousNodeOutput' | 'previousNodeRun'>;

/**
 * The steps that rows come from, and those that are named, with all that stand before them, but for `own` and for what began the execution: that has taken
 * nothing.
 */
export function takenSteps(
	{ nodeOf, sourcesOf, failures }: WorkflowSteps,
	own: string,
	ofRows: readonly Source[],
	named: readonly string[],
): TakenStep[] {
	const found = new Map<string, TakenStep>();
	const follow = (from: readonly Source[], isOfRows: boolean): void => {
		const sources = [...from];
		for (const { previousNode: step, previousNodeOutput, previousNodeRun } of sources) {
			const runs = failures.runs(step);
			const run = previousNodeRun ?? runs - 1;
			const before = sourcesOf(step, previousNodeOutput, run);
			if (step === own || found.has(step) || before.length === 0) continue;
			const { type, typeVersion, disabled, onError, continueOnFail, executeOnce, parameters } = nodeOf(step) ?? {};
			const settings = hash([type, typeVersion, disabled, onError, continueOnFail, executeOnce, parameters]);
			found.set(step, { step, settings, run, runs, ranAt: failures.ranAt(step, run), isOfRows });
			sources.push(...before.map(({ previousNodeRun: given = 0, ...source }) => ({ ...source, previousNodeRun: given })));
		}
	};
	follow(ofRows, true);
	follow(
		named.map((previousNode) => ({ previousNode })),
		false,
	);
	return [...found.values()];
}
