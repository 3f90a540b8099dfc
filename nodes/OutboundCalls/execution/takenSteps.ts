import type { ISourceData } from 'n8n-workflow';
import { hash } from '../domain/contentHash';
import { readingOf } from '../domain/expression/reading';
import { leavesOf } from '../domain/json';
import type { HostNode } from './host';
import type { WorkflowSteps } from './workflowSteps';

/** A step that has given something. */
export interface TakenStep {
	step: string;
	/** A hash of its settings and of the steps before it, as they are now. */
	settings: string;
	/** Which of its runs gave it, from 0. */
	run: number;
	/** How often it has run. */
	runs: number;
	/** When that run began, in epoch milliseconds. */
	ranAt: number;
}

/** A source of items, as n8n records it; the last run of a step, where none is said. */
type Source = Pick<ISourceData, 'previousNode' | 'previousNodeOutput' | 'previousNodeRun'>;

/** The steps of these sources, all that stand before them, and those that they name, but for `own` and for what began the execution: that has taken nothing. */
export function takenSteps({ nodeOf, parentsOf, sourcesOf, failures }: WorkflowSteps, own: string, from: readonly Source[]): TakenStep[] {
	const found = new Map<string, TakenStep>();
	const sources = [...from];
	for (const { previousNode: step, previousNodeOutput, previousNodeRun } of sources) {
		const runs = failures.runs(step);
		const run = previousNodeRun ?? runs - 1;
		const before = sourcesOf(step, previousNodeOutput, run);
		if (step === own || found.has(step) || before.length === 0) continue;
		const { settings, named } = knownOf(nodeOf(step));
		found.set(step, { step, settings: hash([settings, parentsOf(step)]), run, runs, ranAt: failures.ranAt(step, run) });
		sources.push(...before.map(({ previousNodeRun: given = 0, ...source }) => ({ ...source, previousNodeRun: given })), ...named);
	}
	return [...found.values()];
}

interface Known {
	settings: string | undefined;
	/** The steps that its expressions name. */
	named: Source[];
}

/** A loop asks in each of its rounds. */
const known = new WeakMap<HostNode, Known>();

function knownOf(node: HostNode | undefined): Known {
	if (!node) return { settings: undefined, named: [] };
	const of = known.get(node) ?? { settings: hash(settingsOf(node)), named: namedIn(node.parameters) };
	known.set(node, of);
	return of;
}

/** The steps that the expressions in these parameters name. */
export const namedIn = (parameters: unknown): Source[] =>
	leavesOf(parameters).flatMap((leaf) => [...readingOf(leaf).steps].map((previousNode) => ({ previousNode })));

/** All that decides about what it gives. What was never set is as if it were off. */
function settingsOf(node: HostNode): unknown {
	const { type, typeVersion, disabled, onError, continueOnFail, executeOnce, alwaysOutputData, credentials, parameters } = node;
	const goesOn = onError ?? (continueOnFail ? 'continueRegularOutput' : 'stopWorkflow');
	const isOn = [disabled, executeOnce, alwaysOutputData].map((each) => each === true);
	return [type, typeVersion, isOn, goesOn, Object.values(credentials ?? {}).map((each) => each?.id), parameters];
}
