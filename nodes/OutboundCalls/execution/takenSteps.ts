import type { ISourceData } from 'n8n-workflow';
import { hash } from '../domain/contentHash';
import { readingOf } from '../domain/expression/reading';
import { isObject, leavesOf } from '../domain/json';
import type { StepSource } from './failures';
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

export interface TakenSteps {
	/**
	 * The steps that the input comes from, and those that are named, with all that stand before these: each with the run of it that gave something. What began the
	 * execution has taken nothing.
	 */
	taken(): TakenStep[];
	/** All that have run, each with its last run. */
	ran(): TakenStep[];
	/** The step that gave the node its items, where its output is wired to something else now; or one of the taken ones that was given its own by such a step. */
	rewired(): string | undefined;
}

/** A source of items, as n8n records it; the last run of a step, where none is said. */
type Source = Pick<ISourceData, 'previousNode' | 'previousNodeOutput' | 'previousNodeRun'>;

/** `own`: the node; `source`: of its input; `parameters`: as they are stored. */
export function takenSteps(
	steps: WorkflowSteps,
	own: string,
	source: () => Source | undefined,
	parameters: unknown,
): TakenSteps {
	const { nodeOf, parentsOf, isWired, sourcesOf, failures } = steps;
	const stepOf = ({ previousNode: step, previousNodeRun }: Source): TakenStep => {
		const runs = failures.runs(step);
		const run = previousNodeRun ?? runs - 1;
		return { step, settings: settingsOf(steps, step), run, runs, ranAt: failures.ranAt(step, run) };
	};
	/** With where they were given their items. */
	const taken = (): Array<{ of: Source; from: StepSource[] }> => {
		const found = new Map<string, { of: Source; from: StepSource[] }>();
		const sources = [...[source() ?? []].flat(), ...namedIn(parameters)];
		for (const of of sources) {
			const { previousNode: step, previousNodeOutput, previousNodeRun } = of;
			const from = sourcesOf(step, previousNodeOutput, previousNodeRun);
			if (step === own || found.has(step) || from.length === 0) continue;
			found.set(step, { of, from });
			sources.push(
				...from.map(({ previousNodeRun: run = 0, ...rest }) => ({ ...rest, previousNodeRun: run })),
				...namedIn(nodeOf(step)?.parameters),
			);
		}
		return [...found.values()];
	};
	const begins = (step: string): boolean => parentsOf(step).length === 0;
	/** What began the execution may be renamed, or another one stand in its place: it has made nothing of the items. */
	const isBegunOtherwise = (step: string, { previousNode }: Source): boolean =>
		sourcesOf(previousNode).length === 0 &&
		parentsOf(step).length > 0 &&
		parentsOf(step).every(begins);
	const leftBehind = (
		step: string,
		from: ReadonlyArray<Source & { input?: number }>,
	): Source | undefined =>
		from.find((each) => !isWired(each, step, each.input) && !isBegunOtherwise(step, each));
	return {
		taken: () => taken().map(({ of }) => stepOf(of)),
		ran: () =>
			steps
				.ran()
				.flatMap((step) =>
					step === own || sourcesOf(step).length === 0 ? [] : [stepOf({ previousNode: step })],
				),
		rewired() {
			const left =
				leftBehind(own, [source() ?? []].flat()) ??
				taken().find(({ of, from }) => leftBehind(of.previousNode, from))?.of;
			return left?.previousNode;
		},
	};
}

/** By the parameters of a step. A loop asks in each of its rounds. */
const named = new WeakMap<object, Source[]>();

/** The steps that the expressions in these parameters name. */
function namedIn(parameters: unknown): Source[] {
	if (typeof parameters !== 'object' || parameters === null) return [];
	const steps =
		named.get(parameters) ??
		leavesOf(parameters).flatMap((leaf) =>
			[...readingOf(leaf).steps].map((previousNode) => ({ previousNode })),
		);
	named.set(parameters, steps);
	return steps;
}

/** By a step, as an execution has it. */
const settings = new WeakMap<HostNode, string>();

/** A hash of all that decides about what a step gives: what was never set is as if it were off; of the steps before it, neither what begins the execution nor what a loop leads back to it. */
function settingsOf(steps: WorkflowSteps, step: string): string {
	const { nodeOf, parentsOf, isBehind } = steps;
	const node = nodeOf(step);
	const known = node && settings.get(node);
	if (!node || known !== undefined) return known ?? '';
	const {
		type,
		typeVersion,
		disabled,
		onError,
		continueOnFail,
		executeOnce,
		alwaysOutputData,
		credentials,
		parameters,
	} = node;
	const before = [...activeParents(steps, step)].filter(
		(parent) => parentsOf(parent).length > 0 && !isBehind(parent, step),
	);
	const goesOn = onError ?? (continueOnFail ? 'continueRegularOutput' : 'stopWorkflow');
	const isOn = [disabled, executeOnce, alwaysOutputData].map((each) => each === true);
	const used = Object.values(credentials ?? {}).map((each) => each?.id);
	const made = hash([type, typeVersion, isOn, goesOn, used, inOrder(parameters), before.sort()]);
	settings.set(node, made);
	return made;
}

/** Execute step leaves out what is deactivated (n8n behaviour). */
function activeParents({ parentsOf, isDisabled }: WorkflowSteps, step: string): Set<string> {
	const found = new Set(parentsOf(step));
	for (const parent of found)
		if (isDisabled(parent)) for (const other of parentsOf(parent)) found.add(other);
	return new Set([...found].filter((parent) => !isDisabled(parent)));
}

/** The same, in whichever order it was entered, and without the names that the panel keeps of what was chosen from a list (n8n behaviour). */
function inOrder(stored: unknown): unknown {
	if (Array.isArray(stored)) return stored.map(inOrder);
	if (!isObject(stored)) return stored;
	const names = Object.keys(stored).filter((name) => !name.startsWith('cachedResult'));
	return names.sort().map((name) => [name, inOrder(stored[name])]);
}
